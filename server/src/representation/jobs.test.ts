import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  accepted,
  add,
  aMatter,
  EXTERNAL,
  listed,
  OWN,
  reusing,
  statusesOf,
  UNREPRESENTED,
} from '../../test/fixtures/representations.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  drain,
  eventsOf,
  FIRM,
  FIRM_ID,
  fieldsOf,
  LENDER_ID,
  setStatus,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import { processJob } from './jobs.ts'

// `idle` has no worker, so that a test can change the world while a representation is queued, and run the job itself.
let service: TestService
let idle: TestService
before(async () => {
  ;[service, idle] = await Promise.all([testService(), testService({ worker: false })])
})

async function work(workspaceId: string, representationId: string): Promise<void> {
  const { run } = processJob(idle.deps)
  const context = { correlationId: 'of the job', now: idle.deps.clock.now(), signal: AbortSignal.timeout(10_000) }
  await idle.deps.db.transaction((tx) => run({ ...context, tx }, { workspaceId, representationId }))
}

const set = (sql: string, ...values: unknown[]) => idle.deps.db.query(sql, values)

const outcomesOf = async (of: TestService, workspaceId: string) =>
  (await eventsOf(of, workspaceId)).filter(({ type }) => type.startsWith('REPRESENTATION_'))

describe('representation.process', () => {
  it('makes it active by itself, and tells both once, with the ids and the request that asked', async () => {
    const { workspaceId, partyIds } = await aMatter(service)
    const headers = { 'x-request-correlation-id': 'asked-1' }
    await add(service, workspaceId, { partyId: partyIds[0], ...EXTERNAL }, { headers })
    await drain(service)
    assert.deepEqual(await statusesOf(service, workspaceId), ['ACTIVE'])
    const [shown] = await listed(service, workspaceId)
    const [event, ...more] = await outcomesOf(service, workspaceId)
    assert.deepEqual(more, [])
    assert.deepEqual(event, {
      type: 'REPRESENTATION_ADDED',
      recipients: [LENDER_ID, FIRM_ID],
      data: { reference: 'REM-1', representationId: shown?.representationId, partyId: partyIds[0] },
      actor: 'system',
      correlationId: 'asked-1',
      message: null,
    })
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'representation processed',
      before: { status: 'QUEUED' },
      after: { status: 'ACTIVE' },
    })
  })

  it('lets the last one asked for stand, of each party, whatever order the jobs run in', async () => {
    const { workspaceId, partyIds } = await aMatter(service)
    for (let turn = 0; turn < 12; turn++) {
      await add(service, workspaceId, { partyId: partyIds[turn % 2], ...(turn % 3 ? OWN : UNREPRESENTED) })
    }
    await drain(service)
    const statuses = [...Array.from({ length: 10 }, () => 'SUPERSEDED'), 'ACTIVE', 'ACTIVE']
    assert.deepEqual(await statusesOf(service, workspaceId), statuses)
    const told = (await outcomesOf(service, workspaceId)).map(({ data }) => data['representationId'])
    assert.deepEqual(
      told,
      (await listed(service, workspaceId)).map(({ representationId }) => representationId),
    )
  })

  it('run for the later one settles the earlier one first, and then has nothing left to do', async () => {
    const { workspaceId, partyIds } = await aMatter(idle)
    const first = await accepted(idle, workspaceId, { partyId: partyIds[0], ...OWN })
    const second = await accepted(idle, workspaceId, { partyId: partyIds[0], ...UNREPRESENTED })
    const third = await accepted(idle, workspaceId, { partyId: partyIds[1], ...OWN })
    await work(workspaceId, second)
    assert.deepEqual(await statusesOf(idle, workspaceId), ['SUPERSEDED', 'ACTIVE', 'QUEUED'])
    const told = await outcomesOf(idle, workspaceId)
    const entries = await auditOf(idle, workspaceId)
    for (const again of [first, second]) await work(workspaceId, again)
    assert.deepEqual([await outcomesOf(idle, workspaceId), await auditOf(idle, workspaceId)], [told, entries])
    await Promise.all([work(workspaceId, third), work(workspaceId, third)])
    assert.equal((await outcomesOf(idle, workspaceId)).length, 3)
  })

  for (const [reason, spoil, fix] of [
    ['PARTY_GONE', ({ partyId }: Spoilt) => set('delete from parties where party_id = $1', partyId), async () => {}],
    ['WORKSPACE_LOCKED', ({ workspaceId }: Spoilt) => setStatus(idle, workspaceId, 'PREPARED'), async () => {}],
    [
      'FIRM_SUSPENDED',
      () => set(`update subscribers set status = 'SUSPENDED' where subscriber_id = $1`, FIRM_ID),
      () => set(`update subscribers set status = 'ACTIVE' where subscriber_id = $1`, FIRM_ID),
    ],
  ] as const) {
    it(`fails with ${reason}, tells so once, and leaves the former one`, async () => {
      const { workspaceId, partyIds } = await aMatter(idle)
      const [partyId] = partyIds
      await work(workspaceId, await accepted(idle, workspaceId, { partyId, ...UNREPRESENTED }))
      const id = await accepted(idle, workspaceId, { partyId, ...OWN })
      await spoil({ workspaceId, partyId })
      for (let turn = 0; turn < 2; turn++) await work(workspaceId, id)
      await fix()
      assert.deepEqual(await statusesOf(idle, workspaceId), ['ACTIVE', `FAILED ${reason}`])
      const told = (await outcomesOf(idle, workspaceId)).map(({ type, data }) => [type, data['representationId']])
      assert.deepEqual(told.slice(1), [['REPRESENTATION_FAILED', id]])
    })
  }

  it('does not ask an external firm, or nobody, whether it is suspended', async () => {
    const { workspaceId, partyIds } = await aMatter(idle)
    await accepted(idle, workspaceId, { partyId: partyIds[0], ...EXTERNAL })
    const last = await accepted(idle, workspaceId, { partyId: partyIds[1], ...UNREPRESENTED })
    await set(`update subscribers set status = 'SUSPENDED' where subscriber_id = $1`, FIRM_ID)
    await work(workspaceId, last)
    await set(`update subscribers set status = 'ACTIVE' where subscriber_id = $1`, FIRM_ID)
    assert.deepEqual(await statusesOf(idle, workspaceId), ['ACTIVE', 'ACTIVE'])
  })

  it('does nothing in a workspace that is no more', () => work(FIRM_ID, LENDER_ID))

  it('leaves one that failed where no other can name it', async () => {
    const { workspaceId, partyIds } = await aMatter(idle)
    const id = await accepted(idle, workspaceId, { partyId: partyIds[0], ...EXTERNAL })
    await setStatus(idle, workspaceId, 'PREPARED')
    await work(workspaceId, id)
    await setStatus(idle, workspaceId, 'CREATED')
    const answer = await add(idle, workspaceId, { partyId: partyIds[0], ...reusing(id) })
    assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['representationId']])
  })
})

type Spoilt = { workspaceId: string; partyId: string }

describe('a workspace that is cancelled', () => {
  it('ends what was queued in it as FAILED, told once each and before the cancellation, and nothing else', async () => {
    const { workspaceId, partyIds } = await aMatter(idle)
    const active = await accepted(idle, workspaceId, { partyId: partyIds[0], ...OWN })
    await work(workspaceId, active)
    const queued = [
      await accepted(idle, workspaceId, { partyId: partyIds[0], ...UNREPRESENTED }),
      await accepted(idle, workspaceId, { partyId: partyIds[1], ...EXTERNAL }),
    ]
    const json = { cancellationReason: 'TITLE_COMPLICATIONS' }
    const headers = { 'x-request-correlation-id': 'cancel-2' }
    const path = `${WORKSPACES}/${workspaceId}/cancel-workspace`
    assert.equal((await idle.call('DELETE', path, { ...FIRM, json, headers })).status, 200)
    const failed = 'FAILED WORKSPACE_CANCELLED'
    assert.deepEqual(await statusesOf(idle, workspaceId), ['ACTIVE', failed, failed])
    for (const id of queued) await work(workspaceId, id)
    const told = (await eventsOf(idle, workspaceId)).filter(({ correlationId }) => correlationId === 'cancel-2')
    assert.deepEqual(
      told.map(({ type, data }) => [type, data['representationId']]),
      [
        ['REPRESENTATION_FAILED', queued[0]],
        ['REPRESENTATION_FAILED', queued[1]],
        ['WORKSPACE_CANCELLED', undefined],
      ],
    )
  })
})
