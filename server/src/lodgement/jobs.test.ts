// Long because one service and one way to run the job serve all of it.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { approveAgain } from '../../test/fixtures/approvals.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { aWaitingCase, heldQueue, progressOf, snapshotOf } from '../../test/fixtures/lodging.ts'
import { aRegister } from '../../test/fixtures/registry.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { auditOf, eventTypesOf, readCase, UNKNOWN_ID } from '../../test/fixtures/workspaces.ts'
import type { Notice } from '../registry/lodgement.ts'
import type { NoticesOutcome, Registry, RegistryCall } from '../registry/port.ts'
import { submitJob, watchJob } from './jobs.ts'
import { type SubmitPayload, WATCH_JOB } from './rules-registry.ts'

// The job is run by hand, so that notices come when, and as often as, a test wants them. Only the registry is a fake.

let service: TestService
before(async () => {
  service = await testService()
})

type Watched = Pick<Registry, 'notices'>

const context = () => ({
  correlationId: 'c-1',
  now: service.deps.clock.now(),
  signal: AbortSignal.timeout(10_000),
})

async function watch(payload: SubmitPayload, registry: Watched, deps = service.deps): Promise<void> {
  const job = watchJob({ ...deps, queue: heldQueue(service) }, registry)
  assert.ok(job.transactional === false, 'asking takes time, and no transaction waits for it')
  await job.run(context(), payload)
}

/** A case that the registry has, whose watching is the test's. */
async function aSubmission(): Promise<SubmitPayload> {
  const payload = await aWaitingCase(service)
  await send(payload)
  return payload
}

async function send(payload: SubmitPayload): Promise<void> {
  const received = { lodge: async () => ({ kind: 'received' as const }) }
  const job = submitJob({ ...service.deps, queue: heldQueue(service) }, received)
  if (job.transactional === false) await job.run(context(), payload)
}

const answering = (answer: (asking: RegistryCall) => Promise<NoticesOutcome> | NoticesOutcome): Watched => ({
  notices: async (asking) => answer(asking),
})

const saying = (...notices: Notice[]): Watched => answering(() => ({ notices }))

const inAnHour = ({ now }: RegistryCall) => new Date(now.getTime() + 3_600_000)

const NEVER_ASKED = answering(() => assert.fail('the registry was asked'))

const AT = new Date('2026-05-01T12:00:00Z')
const COPY = { register: aRegister({ titleNumber: 'ST500678' }), officialCopyAt: AT }
const REFERENCE = 'A123BCD'
const about = (noticeId: string) => ({ noticeId, at: AT })

const ACCEPTED: Notice = { ...about('n-1'), kind: 'accepted', registryReference: REFERENCE, priorityAt: AT }
const REQUISITIONED: Notice = { ...about('n-2'), kind: 'requisitioned', registryId: 'RQ-9', points: ['Who?'] }
const CANCELLED: Notice = { ...about('n-3'), kind: 'cancelled', reason: 'It names another property.' }
const COMPLETED: Notice = { ...about('n-4'), kind: 'completed', early: false, copy: COPY }
const EARLY: Notice = { ...about('n-5'), kind: 'completed', early: true, copy: COPY }
const DISCHARGED: Notice = { ...about('n-6'), kind: 'discharged', copy: COPY }

const set = (sql: string, ...values: unknown[]) => service.deps.db.query(sql, values)

const seenOf = async ({ submissionId }: SubmitPayload) =>
  (await set('select notice_id from registry_notices where submission_id = $1 order by seq', submissionId)).map(
    (row) => row['notice_id'],
  )

const publishedOf = async ({ workspaceId }: SubmitPayload) => {
  const types = await eventTypesOf(service, workspaceId)
  return types.slice(types.indexOf('LODGEMENT_SUBMITTED') + 1)
}

const dueOf = ({ submissionId }: SubmitPayload) =>
  set('select due_at from due where key = $1', `${WATCH_JOB}:${submissionId}`)

describe('lodgement.watch', () => {
  it('writes down in their order all notices that are new, publishes them and records them', async () => {
    const payload = await aSubmission()
    await watch(payload, saying(ACCEPTED, COMPLETED))
    assert.equal(await progressOf(service, payload.workspaceId), 'CLOSED REGISTERED')
    assert.deepEqual(await publishedOf(payload), ['WORKSPACE_LODGED', 'LODGEMENT_REGISTERED', 'WORKSPACE_CLOSED'])
    assert.deepEqual(await seenOf(payload), ['n-1', 'n-4'])
    const { registryReference, priorityAt } = await readCase(service, payload.workspaceId)
    assert.deepEqual([registryReference, priorityAt], [REFERENCE, AT.toISOString()])
    const entries = (await auditOf(service, payload.workspaceId)).slice(-2)
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['case accepted by the registry', 'case registered'],
    )
    assert.partialDeepStrictEqual(entries[1], {
      before: { status: 'LODGED', caseStatus: 'LODGED' },
      after: { status: 'CLOSED', caseStatus: 'REGISTERED', early: false },
    })
    assert.doesNotMatch(JSON.stringify(entries), /Lee/, 'the register stands in the title document, not here')
  })

  it('plans to fetch every document that a notice names, also of one that must wait, until it is stored', async () => {
    const payload = await aSubmission()
    const document = { documentId: 'ltr_1', kind: 'LETTER', name: 'LETTER' } as const
    // The service may have begun with it already.
    const planned = async () =>
      (
        await set(
          `select from due where key = 'documents.fetch:' || $1 || ':ltr_1' union all
           select from pgboss.job where name = 'documents.fetch' and data::text like '%' || $1 || '%'`,
          payload.submissionId,
        )
      ).length
    const letter = saying({ ...REQUISITIONED, documents: [document] })
    for (let turn = 0; turn < 2; turn++) await watch(payload, letter)
    assert.deepEqual([(await planned()) > 0, await seenOf(payload)], [true, []])
    const stored = async () =>
      (
        await set(
          `select file_id from files where workspace_id = $1 and registry_document_id = 'ltr_1'`,
          payload.workspaceId,
        )
      ).map((row) => row['file_id'])
    await eventually(async () => (await stored()).length > 0)
    const fetched = await planned()
    await watch(payload, saying(ACCEPTED, { ...REQUISITIONED, documents: [document] }))
    assert.equal(await planned(), fetched)
    assert.deepEqual((await readCase(service, payload.workspaceId)).requisition?.fileIds, await stored())
  })

  it('changes nothing when it hears the same again', async () => {
    const payload = await aSubmission()
    await watch(payload, saying(ACCEPTED))
    const before = await snapshotOf(service, payload.workspaceId)
    for (let turn = 0; turn < 2; turn++) await watch(payload, saying(ACCEPTED, ACCEPTED))
    assert.deepEqual(await snapshotOf(service, payload.workspaceId), before)
  })

  it('has one effect when it runs several times at once', async () => {
    const payload = await aSubmission()
    await Promise.all(Array.from({ length: 6 }, () => watch(payload, saying(ACCEPTED, COMPLETED))))
    assert.deepEqual(await publishedOf(payload), ['WORKSPACE_LODGED', 'LODGEMENT_REGISTERED', 'WORKSPACE_CLOSED'])
    assert.equal(
      (await snapshotOf(service, payload.workspaceId)).documents.length,
      2,
      'the register and the completion',
    )
  })

  it('puts in order what comes out of order', async () => {
    const payload = await aSubmission()
    await watch(payload, saying(DISCHARGED, EARLY, ACCEPTED))
    assert.equal(await progressOf(service, payload.workspaceId), 'CLOSED REGISTERED')
    assert.deepEqual(await seenOf(payload), ['n-1', 'n-5', 'n-6'])
  })

  it('keeps for later what has come too early, and forgets nothing', async () => {
    const payload = await aSubmission()
    await watch(payload, saying(COMPLETED))
    assert.deepEqual([await seenOf(payload), await publishedOf(payload)], [[], []])
    assert.equal((await dueOf(payload)).length, 1, 'it asks again, although the registry named no time')
    await watch(payload, saying(COMPLETED, ACCEPTED))
    assert.equal(await progressOf(service, payload.workspaceId), 'CLOSED REGISTERED')
  })

  it('records what was overtaken, and changes nothing else', async () => {
    const payload = await aSubmission()
    await watch(payload, saying(ACCEPTED))
    const before = await snapshotOf(service, payload.workspaceId)
    const refusal: Notice = { ...about('n-7'), kind: 'validation failed', faults: [{ field: 'x', reason: 'y' }] }
    await watch(payload, saying(refusal, { ...ACCEPTED, noticeId: 'n-8' }))
    assert.deepEqual(await snapshotOf(service, payload.workspaceId), before)
    assert.deepEqual(await seenOf(payload), ['n-1', 'n-7', 'n-8'])
  })

  it('records what comes of a submission that another has followed, and changes nothing', async () => {
    const payload = await aSubmission()
    await watch(payload, saying(ACCEPTED))
    const again = async () => {
      await watch(payload, saying(CANCELLED))
      await approveAgain(service, payload.workspaceId)
      return { notices: [COMPLETED] }
    }
    await watch(payload, answering(again))
    assert.ok((await seenOf(payload)).includes('n-4'))
    assert.notEqual(await progressOf(service, payload.workspaceId), 'CLOSED REGISTERED')
    await watch(payload, NEVER_ASKED)
  })

  it('asks no more once the registry has nothing left to say, or was never sent anything', async () => {
    const payload = await aWaitingCase(service)
    await watch(payload, NEVER_ASKED)
    await send(payload)
    await watch(payload, saying(ACCEPTED, COMPLETED))
    await watch(payload, NEVER_ASKED)
    await watch({ workspaceId: UNKNOWN_ID, submissionId: UNKNOWN_ID }, NEVER_ASKED)
  })

  it('asks again at the time that the registry named, once, with the same message id', async () => {
    const payload = await aSubmission()
    const askings: RegistryCall[] = []
    const registry = answering((asking) => {
      askings.push(asking)
      return { notices: [], askAgainAt: inAnHour(asking) }
    })
    for (let turn = 0; turn < 2; turn++) await watch(payload, registry)
    const [first, second] = askings
    assert.deepEqual([second?.messageId, second?.firstAskedAt], [payload.submissionId, first?.firstAskedAt])
    assert.deepEqual(await dueOf(payload), [{ due_at: new Date((second?.now.getTime() ?? 0) + 3_600_000) }])
  })

  it('shows why the registry cannot be asked only where a person must act', async () => {
    const payload = await aSubmission()
    const shown: (string | undefined)[] = []
    for (const because of [
      'REGISTRY_UNAVAILABLE',
      'ACCOUNT_REFUSED',
      'REGISTRY_CLOSED',
      'NO_ACCOUNT',
      undefined,
    ] as const) {
      await watch(
        payload,
        // Not at once: the service, which has another registry, would ask that, in vain and again and again.
        answering((asking) => ({ notices: [], askAgainAt: inAnHour(asking), because })),
      )
      shown.push((await readCase(service, payload.workspaceId)).registryWait?.reason)
    }
    assert.deepEqual(shown, [undefined, 'ACCOUNT_REFUSED', 'ACCOUNT_REFUSED', 'NO_ACCOUNT', undefined])
    assert.deepEqual(await publishedOf(payload), ['REGISTRY_WAITING', 'REGISTRY_WAITING'])
  })

  it('plans nothing where the registry names no time', async () => {
    const payload = await aSubmission()
    await watch(payload, saying(ACCEPTED))
    assert.deepEqual(await dueOf(payload), [])
  })

  it('goes on where it was killed, between the document and its row too', async () => {
    const payload = await aSubmission()
    const registry = saying(ACCEPTED, COMPLETED)
    let left = 1
    const transaction: typeof service.deps.db.transaction = (work) => {
      if (left-- > 0) return service.deps.db.transaction(work)
      throw new Error('killed')
    }
    const dying = { ...service.deps, db: { ...service.deps.db, transaction } }
    await assert.rejects(watch(payload, registry, dying), /killed/)
    assert.equal(await progressOf(service, payload.workspaceId), 'LODGED LODGED')
    await watch(payload, registry)
    assert.equal(await progressOf(service, payload.workspaceId), 'CLOSED REGISTERED')
    assert.equal((await snapshotOf(service, payload.workspaceId)).documents.length, 2)
  })

  it('leaves everything as it is when the registry throws', async () => {
    const payload = await aSubmission()
    const before = await snapshotOf(service, payload.workspaceId)
    const broken = answering(() => Promise.reject(new Error('certificate expired')))
    await assert.rejects(watch(payload, broken), /certificate expired/)
    assert.deepEqual(await snapshotOf(service, payload.workspaceId), before)
  })

  it('ends an open requisition when the registry cancels the case', async () => {
    const payload = await aSubmission()
    await watch(payload, saying(ACCEPTED, REQUISITIONED))
    assert.equal(await progressOf(service, payload.workspaceId), 'REQUISITIONED REQUISITIONED')
    await watch(payload, saying(CANCELLED))
    assert.equal(await progressOf(service, payload.workspaceId), 'FUNDS_EXCHANGED REGISTRATION_REJECTED')
    const { requisitions } = await snapshotOf(service, payload.workspaceId)
    assert.deepEqual(
      requisitions.map((row) => row['status']),
      ['LAPSED'],
    )
    assert.equal((await readCase(service, payload.workspaceId)).requisition, undefined)
  })
})
