import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../../test/fixtures/eventually.ts'
import { PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import { SCENARIOS } from './scenarios.ts'
import { failInterruptedRuns, type Run } from './store.ts'

const PATH = '/sandbox/v1/scenarios'
const RUN_MS_MAX = 120_000

let service: TestService
before(async () => {
  service = await testService()
})

const run = (name: string, json: object = {}, headers: Record<string, string> = {}) =>
  service.call<Run>('POST', `${PATH}/${name}`, { json, headers })
const read = (runId: string) => service.call<Run>('GET', `${PATH}/runs/${runId}`)

async function ended({ runId }: Run): Promise<Run> {
  await eventually(async () => ['DONE', 'FAILED'].includes((await read(runId)).body.status), RUN_MS_MAX)
  return (await read(runId)).body
}

describe('a scenario', () => {
  it('is listed with its steps, whose names are unique', async () => {
    const { body } = await service.call<{ records: { name: string; steps: { name: string }[] }[] }>('GET', PATH)
    assert.deepEqual(
      body.records.map(({ name }) => name),
      SCENARIOS.map(({ name }) => name),
    )
    for (const { steps } of body.records) assert.equal(new Set(steps.map(({ name }) => name)).size, steps.length)
  })

  // `workflows.test.ts` plays them all.
  for (const { name, steps } of SCENARIOS.filter((one) => ['payment-refused', 'transfer'].includes(one.name))) {
    it(`"${name}" runs to its end, with every call that it made`, async () => {
      const { status, body } = await run(name)
      assert.deepEqual([status, body.status, body.steps.length], [202, 'WAITING', steps.length])
      const { error, ...done } = await ended(body)
      assert.deepEqual([error, done.status], [undefined, 'DONE'])
      assert.ok(done.steps.every((step) => step.status === 'DONE' && step.calls.length > 0))
      assert.deepEqual(done.steps[0]?.calls[0], {
        client: 'sandbox-lender',
        method: 'POST',
        path: `${PARTNER}/remortgage/workspaces`,
        status: 202,
      })
      const workspace = await service.call('GET', `${PARTNER}/workspaces/${done.workspaceId}`, {
        as: 'sandbox-law-firm',
      })
      assert.equal(workspace.body['reference'], done.reference)
    })
  }

  it('stops after a step, once for one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'one-run' }
    const { body } = await run('straight-through', { until: 'represent' }, headers)
    const done = await ended(body)
    assert.deepEqual(
      done.steps.map((step) => [step.name, step.status]),
      [
        ['order', 'DONE'],
        ['represent', 'DONE'],
      ],
    )
    const again = await run('straight-through', { until: 'represent' }, headers)
    assert.deepEqual([again.status, again.body.runId], [202, body.runId])
    const [count] = await service.deps.db.query('select count(*)::int from workspaces where reference = $1', [
      done.reference,
    ])
    assert.deepEqual(count, { count: 1 })
  })

  it('says why it failed: under maintenance, and after the sandbox was stopped', async () => {
    await service.call('POST', '/sandbox/v1/maintenance', { json: { enabled: true } })
    const { body } = await run('cancelled')
    const failed = await ended(body)
    await service.call('POST', '/sandbox/v1/maintenance', { json: { enabled: false } })
    assert.deepEqual([failed.status, failed.steps[0]?.status, failed.steps[1]?.status], ['FAILED', 'FAILED', 'WAITING'])
    assert.match(failed.error ?? '', /workspaces answered 503/)
    await service.deps.db.query(`update scenario_runs set run = run || '{"status": "RUNNING"}'`)
    await failInterruptedRuns(service.deps.db)
    assert.match((await read(body.runId)).body.error ?? '', /stopped before the end/)
  })

  for (const [what, path, json, status, field] of [
    ['unknown', 'nothing', {}, 404, 'name'],
    ['until a step that it does not have', 'cancelled', { until: 'pay' }, 400, 'until'],
    ['with an unknown property', 'cancelled', { after: 'pay' }, 400, 'after'],
  ] as const) {
    it(`that is asked for ${what} is refused: ${status} at ${field}`, async () => {
      const answer = await run(path, json)
      const { errors } = answer.body as unknown as { errors: { field: string }[] }
      assert.deepEqual([answer.status, errors[0]?.field], [status, field])
    })
  }

  it('that nobody ran is not found', async () => {
    assert.equal((await read('50000000-0000-4000-8000-000000000001')).status, 404)
  })
})
