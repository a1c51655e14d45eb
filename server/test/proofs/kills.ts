import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../fixtures/eventually.ts'
import type { ServiceProcess } from '../fixtures/process.ts'

const WRITERS = 8
const LIFE_MS = { least: 300, most: 1_500 }
const FIRST_MS_MAX = 60_000 // for a busy machine

export type KillFigures = { kills: number; acknowledged: number; missing: number; slowestRestartMs: number }

/** Kills the service with -9 under writes, again and again: what it acknowledged must be there. */
export async function proveKills(service: ServiceProcess, { kills }: { kills: number }): Promise<KillFigures> {
  const acknowledged: string[] = []
  let slowestRestartMs = 0
  for (let kill = 0; kill < kills; kill++) {
    const startedAt = performance.now()
    await service.start()
    if (kill > 0) slowestRestartMs = Math.max(slowestRestartMs, performance.now() - startedAt)
    const before = acknowledged.length
    const writing = Array.from({ length: WRITERS }, (_, writer) =>
      write(service.url, `Kill ${kill}.${writer}`, acknowledged),
    )
    await eventually(() => acknowledged.length > before, FIRST_MS_MAX)
    await delay(LIFE_MS.least + Math.random() * (LIFE_MS.most - LIFE_MS.least))
    await service.kill('SIGKILL')
    await Promise.all(writing)
  }
  const kept = await service.query<{ id: string }>('select subscriber_id as id from subscribers')
  const ids = new Set(kept.map(({ id }) => id))
  const missing = acknowledged.filter((id) => !ids.has(id)).length
  const [broken] = await service.query<{ count: string }>(
    `select count(*) from subscribers s where audit_seq <> (select count(*) from audit_entries where chain = subscriber_id)`,
  )
  assert.equal(Number(broken?.count), 0, 'a change without its audit entry')
  return { kills, acknowledged: acknowledged.length, missing, slowestRestartMs: Math.round(slowestRestartMs) }
}

async function write(url: string, name: string, acknowledged: string[]): Promise<void> {
  for (let turn = 0; ; turn++) {
    const body = JSON.stringify({ kind: 'LENDER', name: `${name}.${turn}` })
    const headers = { 'content-type': 'application/json' }
    try {
      const response = await fetch(`${url}/sandbox/v1/subscribers`, { method: 'POST', body, headers })
      const { subscriberId } = (await response.json()) as { subscriberId?: string }
      if (subscriberId) acknowledged.push(subscriberId)
    } catch {
      return
    }
  }
}
