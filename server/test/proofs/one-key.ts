import assert from 'node:assert/strict'
import type { ServiceProcess } from '../fixtures/process.ts'

export type OneKeyFigures = { requests: number; answered: number; conflicts: number; effects: number }

/** Many requests at once with one idempotency key, and one more after a restart: one effect. */
export async function proveOneKey(service: ServiceProcess, { requests }: { requests: number }): Promise<OneKeyFigures> {
  await service.start()
  const send = async () => {
    const response = await fetch(`${service.url}/sandbox/v1/subscribers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'the one' },
      body: JSON.stringify({ kind: 'LENDER', name: 'One Effect Bank' }),
    })
    return { status: response.status, text: await response.text() }
  }
  const answers = await Promise.all(Array.from({ length: requests }, send))
  const good = answers.filter(({ status }) => status === 201)
  const conflicts = answers.filter(({ status }) => status === 409)
  assert.equal(
    good.length + conflicts.length,
    requests,
    `others: ${answers.find(({ status }) => status !== 201 && status !== 409)?.text}`,
  )
  assert.equal(new Set(good.map(({ text }) => text)).size, 1, 'equal answers')
  await service.kill('SIGKILL')
  await service.start()
  assert.deepEqual(await send(), good[0], 'the same answer after a restart')
  const [row] = await service.query<{ count: string }>(
    `select count(*) from subscribers where name = 'One Effect Bank'`,
  )
  assert.equal(Number(row?.count), 1, 'one effect')
  return { requests, answered: good.length, conflicts: conflicts.length, effects: Number(row?.count) }
}
