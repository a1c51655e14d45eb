import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../../test/fixtures/eventually.ts'
import { aPerson, aRegister } from '../../test/fixtures/registry.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  aWorkspace,
  eventsOf,
  eventTypesOf,
  FIRM,
  LENDER,
  readCase,
  readWorkspace,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import type { Job } from '../platform/jobs/queue.ts'
import type { Registry, RegistryCall, SearchOutcome } from '../registry/port.ts'
import { simulatedRegistry } from '../simulated-registry/simulator.ts'
import { searchJob } from './jobs.ts'

// The job is run by hand, so that its answers come when, and as often as, a test wants them. Only the registry is a fake.

let service: TestService
before(async () => {
  service = await testService({ worker: false })
})

const NOW = new Date('2026-05-01T12:00:00Z')
const laterThan = (at: Date, minutes: number) => new Date(at.getTime() + minutes * 60_000)

type Payload = { workspaceId: string; titleId: string }
type Searching = Pick<Registry, 'searchTitle'>

async function search(payload: Payload, registry?: Searching, now = NOW): Promise<void> {
  const job = searchJob(service.deps, registry ?? simulatedRegistry(service.deps))
  assert.ok(job.transactional === false, 'asking takes time, and no transaction waits for it')
  await job.run({ correlationId: 'c-1', now, signal: new AbortController().signal }, payload)
}

const answering = (answer: (asking: RegistryCall) => Promise<SearchOutcome> | SearchOutcome): Searching => ({
  searchTitle: async (_, asking) => answer(asking),
})

const NEVER_ASKED = answering(() => assert.fail('the registry was asked'))

/** A search whose registry answers when the test says so. */
async function underWay(payload: Payload): Promise<(outcome: SearchOutcome) => Promise<void>> {
  const answer = Promise.withResolvers<SearchOutcome>()
  const asked = Promise.withResolvers<void>()
  const registry = answering(() => {
    asked.resolve()
    return answer.promise
  })
  const ended = search(payload, registry)
  await asked.promise
  return (outcome) => {
    answer.resolve(outcome)
    return ended
  }
}

const found = (facts = {}): SearchOutcome => ({ kind: 'found', register: aRegister(facts), officialCopyAt: NOW })
const KNOWS_NOTHING = answering(() => ({ kind: 'failed', reason: 'NOT_FOUND' }))

async function aSearch(titleNumber: string): Promise<Payload> {
  const { workspaceId } = await aWorkspace(service, { titleNumber })
  const [title] = (await readWorkspace(service, workspaceId)).titles
  return { workspaceId, titleId: title?.titleId ?? '' }
}

/** All that an answer could have changed. */
async function pictureOf(workspaceId: string) {
  const { db } = service.deps
  return {
    workspace: await readWorkspace(service, workspaceId),
    case: await readCase(service, workspaceId),
    events: await eventsOf(service, workspaceId),
    audit: await auditOf(service, workspaceId),
    proprietors: await db.query('select * from proprietors where workspace_id = $1 order by position', [workspaceId]),
    documents: await db.query(
      'select d.* from title_documents d join lodgement_cases using (lodgement_case_id) where workspace_id = $1',
      [workspaceId],
    ),
  }
}

async function cancel(workspaceId: string): Promise<void> {
  const json = { cancellationReason: 'TITLE_COMPLICATIONS' }
  const path = `${WORKSPACES}/${workspaceId}/cancel-workspace`
  assert.equal((await service.call('DELETE', path, { ...LENDER, json })).status, 200)
}

async function replace(workspaceId: string, titleNumber: string): Promise<void> {
  const path = `${WORKSPACES}/${workspaceId}/titles`
  assert.equal((await service.call('POST', path, { ...FIRM, json: { titleNumber } })).status, 202)
}

const dueRows = ({ titleId }: Payload) =>
  service.deps.db.query<{ due_at: Date }>('select due_at from due where key = $1', [`titles.search:${titleId}`])

describe('titles.search', () => {
  it('waits as INITIATED until it is run', async () => {
    const { workspaceId } = await aSearch('ST500678')
    assert.equal((await readCase(service, workspaceId)).lastTitleSearchStatus, 'INITIATED')
  })

  it('writes down what the registry answered, tells of it and records it', async () => {
    const payload = await aSearch('ST500678')
    await search(payload)
    const { workspace, events, audit, proprietors, documents } = await pictureOf(payload.workspaceId)
    assert.equal(workspace.titles[0]?.lastTitleSearchStatus, 'SUCCESS')
    assert.deepEqual(
      proprietors.map((row) => row['registered_name']),
      ['William', 'Tracey'].map((forenames) => ({ type: 'INDIVIDUAL', forenames, surname: 'Prynne' })),
    )
    assert.deepEqual(
      documents.map((row) => [row['document_type'], row['title_id'], row['official_copy_at']]),
      [['TITLE_REGISTER', payload.titleId, NOW]],
    )
    assert.deepEqual(
      events.slice(2).map(({ type, actor }) => `${type} ${actor}`),
      ['TITLE_SEARCH_PENDING', 'TITLE_DATA_RECEIVED', 'LODGEMENT_APPLICATION_UPDATED'].map((type) => `${type} system`),
    )
    assert.doesNotMatch(JSON.stringify(events.map(({ data }) => data)), /Prynne/, 'an event has no personal data')
    const received = { action: 'title received', ids: payload, before: { status: 'PENDING' } }
    assert.partialDeepStrictEqual(audit.at(-1), { ...received, after: { status: 'SUCCESS' } })
  })

  it('changes nothing when it is run again, whatever the registry says the second time', async () => {
    const payload = await aSearch('ST500678')
    await search(payload)
    const before = await pictureOf(payload.workspaceId)
    await search(payload)
    await search(payload, KNOWS_NOTHING)
    await search(payload, NEVER_ASKED)
    assert.deepEqual(await pictureOf(payload.workspaceId), before)
  })

  it('has one effect when it runs several times at once', async () => {
    const payload = await aSearch('ST500678')
    await Promise.all(Array.from({ length: 8 }, () => search(payload)))
    const { proprietors, documents, events } = await pictureOf(payload.workspaceId)
    assert.deepEqual([proprietors.length, documents.length, events.length], [2, 1, 5])
  })

  it('keeps the first final answer of two that are under way, and drops the other', async () => {
    const payload = await aSearch('ST500678')
    const answer = await underWay(payload)
    await search(payload, KNOWS_NOTHING)
    const before = await pictureOf(payload.workspaceId)
    await answer(found())
    assert.deepEqual(await pictureOf(payload.workspaceId), before)
  })

  it('drops the late answer about a title that was replaced meanwhile', async () => {
    const payload = await aSearch('NF100001')
    const answer = await underWay(payload)
    await search(payload)
    await replace(payload.workspaceId, 'ST500678')
    const before = await pictureOf(payload.workspaceId)
    await answer(found())
    await search(payload, NEVER_ASKED)
    assert.deepEqual(await pictureOf(payload.workspaceId), before)
  })

  it('drops an answer that comes after the workspace was cancelled', async () => {
    const payload = await aSearch('ST500678')
    await search(
      payload,
      answering(async () => {
        await cancel(payload.workspaceId)
        return found()
      }),
    )
    const before = await pictureOf(payload.workspaceId)
    assert.deepEqual([before.workspace.status, before.documents, before.proprietors], ['CANCELLED', [], []])
    await search(payload, NEVER_ASKED)
    assert.deepEqual(await pictureOf(payload.workspaceId), before)
  })

  it('does nothing for a workspace that is not there', () =>
    search({ workspaceId: UNKNOWN_ID, titleId: UNKNOWN_ID }, NEVER_ASKED))

  it('asks again at the time that the registry named, and tells only once that it waits', async () => {
    const payload = await aSearch('SL100001')
    const later = (minutes: number) => answering(() => ({ kind: 'later', askAgainAt: laterThan(NOW, minutes) }))
    await search(payload, later(60))
    await search(payload, later(90))
    assert.deepEqual(await dueRows(payload), [{ due_at: laterThan(NOW, 90) }])
    assert.equal((await readCase(service, payload.workspaceId)).lastTitleSearchStatus, 'PENDING')
    assert.deepEqual((await eventTypesOf(service, payload.workspaceId)).slice(2), ['TITLE_SEARCH_PENDING'])
  })

  it('repeats itself with one message id and the time of its first asking', async () => {
    const payload = await aSearch('ST500678')
    const askings: RegistryCall[] = []
    const registry = answering((asking) => {
      askings.push(asking)
      return { kind: 'later', askAgainAt: laterThan(asking.now, 60) }
    })
    for (const minutes of [0, 60, 120]) await search(payload, registry, laterThan(NOW, minutes))
    for (const [index, { messageId, firstAskedAt, now }] of askings.entries()) {
      assert.deepEqual([messageId, firstAskedAt, now], [payload.titleId, NOW, laterThan(NOW, index * 60)])
    }
  })

  it('never cuts a name of the register, however long, and keeps aliases', async () => {
    const payload = await aSearch('ST500678')
    const surname = 'Llanfair'.repeat(60)
    const aliases = [{ forenames: 'Ann', surname: 'Sedgemoor' }]
    await search(
      payload,
      answering(() => found({ proprietors: [aPerson({ surname, aliases })] })),
    )
    const { proprietors } = await pictureOf(payload.workspaceId)
    assert.partialDeepStrictEqual(proprietors, [{ name: { surname }, aliases: ['Ann Sedgemoor'] }])
  })
})

describe('a registry that throws', () => {
  it('leaves the search PENDING, and the next attempt goes on', async () => {
    const payload = await aSearch('ST500678')
    const failing = search(
      payload,
      answering(() => Promise.reject(new Error('certificate expired'))),
    )
    await assert.rejects(failing, /certificate expired/)
    assert.equal((await readCase(service, payload.workspaceId)).lastTitleSearchStatus, 'PENDING')
    await search(payload)
    assert.equal((await readCase(service, payload.workspaceId)).lastTitleSearchStatus, 'SUCCESS')
    const pending = (await eventTypesOf(service, payload.workspaceId)).filter((type) => type === 'TITLE_SEARCH_PENDING')
    assert.equal(pending.length, 1)
  })

  it('is asked again by the queue', async () => {
    const other = await testService({ worker: false })
    let calls = 0
    const registry = answering(() => {
      calls += 1
      if (calls < 3) throw new Error('out of order')
      return found()
    })
    await other.deps.queue.work([searchJob(other.deps, registry) as Job])
    const { workspaceId } = await aWorkspace(other, { titleNumber: 'ST500678' })
    await eventually(async () => (await readCase(other, workspaceId)).lastTitleSearchStatus === 'SUCCESS')
    assert.equal(calls, 3)
  })
})
