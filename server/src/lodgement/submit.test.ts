import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { APPROVER } from '../../test/fixtures/approvals.ts'
import { aWaitingCase, heldQueue, snapshotOf } from '../../test/fixtures/lodging.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { auditOf, eventTypesOf, readCase, UNKNOWN_ID } from '../../test/fixtures/workspaces.ts'
import type { Lodgement } from '../registry/lodgement.ts'
import type { Documents, LodgeOutcome, Registry, RegistryCall } from '../registry/port.ts'
import { simulatedRegistry } from '../simulated-registry/simulator.ts'
import { submitJob } from './jobs.ts'
import { SUBMIT_JOB, type SubmitPayload } from './rules-registry.ts'

// The job is run by hand, so that the registry answers when, and as often as, a test wants it. Only the registry is a fake.

let service: TestService
before(async () => {
  service = await sharedService('moved')
})

type Lodging = Pick<Registry, 'lodge'>
type Sent = { lodgement: Lodgement; asking: RegistryCall & Documents }

/** Runs the job once and says what it enqueued. */
async function submit(payload: SubmitPayload, registry: Lodging, now = service.deps.clock.now()) {
  const queue = heldQueue(service)
  const job = submitJob({ ...service.deps, queue }, registry)
  assert.ok(job.transactional === false, 'sending takes time, and no transaction waits for it')
  await job.run({ correlationId: 'c-1', now, signal: AbortSignal.timeout(10_000) }, payload)
  return queue.held
}

/** A registry that answers so each time, and remembers what it was sent. */
function answering(outcome: (sent: Sent) => Promise<LodgeOutcome> | LodgeOutcome = () => ({ kind: 'received' })) {
  const sent: Sent[] = []
  const lodge: Registry['lodge'] = async (lodgement, asking) => {
    sent.push({ lodgement: structuredClone(lodgement), asking })
    return outcome({ lodgement, asking })
  }
  return { lodge, sent }
}

const NEVER_ASKED = answering(() => assert.fail('the registry was asked'))

const minutesLater = (at: Date, minutes: number) => new Date(at.getTime() + minutes * 60_000)

const set = (sql: string, ...values: unknown[]) => service.deps.db.query(sql, values)

const submittedEvents = async ({ workspaceId }: SubmitPayload) =>
  (await eventTypesOf(service, workspaceId)).filter((type) => type === 'LODGEMENT_SUBMITTED').length

describe('lodgement.submit', () => {
  it('sends what was approved, under its message id, and has it followed', async () => {
    const payload = await aWaitingCase(service)
    const registry = answering()
    const enqueued = await submit(payload, registry)
    assert.deepEqual(enqueued, [{ name: 'lodgement.watch', payload }])
    const [{ lodgement, asking } = assert.fail(), ...more] = registry.sent
    assert.equal(more.length, 0)
    assert.deepEqual([asking.messageId, asking.firstAskedAt], [payload.submissionId, asking.now])
    const [workspace] = await set('select law_firm_id from workspaces where workspace_id = $1', payload.workspaceId)
    assert.deepEqual(
      [asking.lawFirmId, asking.customerReference],
      [workspace?.['law_firm_id'], lodgement.customerReference],
    )
    assert.partialDeepStrictEqual(lodgement, {
      titleNumber: 'ST500678',
      lender: 'Northgate Building Society',
      lodgedBy: 'Harbour Conveyancing LLP',
      submittedBy: APPROVER,
      parties: ['William', 'Tracey'].map((forenames) => ({
        role: 'BORROWER',
        name: { type: 'INDIVIDUAL', forenames, surname: 'Prynne' },
        representation: { representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM', firm: 'Harbour Conveyancing LLP' },
      })),
      applications: [
        { type: 'DISCHARGE', priority: 1, feePence: 0, documents: [] },
        { type: 'MORTGAGE_DEED', priority: 2, feePence: 45_00, deedReference: 'MD431C', deedReferenceType: 'PAPER' },
      ],
    })
    const [document = assert.fail()] = lodgement.applications[1]?.documents ?? []
    assert.equal(document.documentType, 'MORTGAGE_DEED')
    const { size, stream } = await asking.open(document.sha256)
    stream.destroy()
    assert.equal(size, document.size)
  })

  it('leaves the case INITIATED, its applications SUBMITTED by whom the approval named, published and recorded', async () => {
    const payload = await aWaitingCase(service)
    await submit(payload, answering())
    const { lodgementCaseStatus, applications } = await readCase(service, payload.workspaceId)
    assert.equal(lodgementCaseStatus, 'INITIATED')
    for (const { status, submittedBy, submittedAt } of applications) {
      assert.deepEqual([status, submittedBy, typeof submittedAt], ['SUBMITTED', APPROVER, 'string'])
    }
    assert.equal(await submittedEvents(payload), 1)
    assert.partialDeepStrictEqual((await auditOf(service, payload.workspaceId)).at(-1), {
      action: 'case sent to the registry',
      ids: payload,
      before: { caseStatus: 'PREPARED' },
      after: { caseStatus: 'INITIATED', submittedBy: APPROVER },
    })
  })

  for (const [what, now] of [
    ['was withdrawn', `status = 'WITHDRAWN'`],
    ['was replaced', 'superseded_by = file_id'],
    ['did not pass its checks', `status = 'FAILED', failure_reason = 'INFECTED'`],
    ['still waits for them', `status = 'PENDING'`],
    ['is only kept with the application', `document_category = 'WORKSPACE_SUPPORTING_DOCUMENT'`],
  ] as const) {
    it(`sends no document that ${what}`, async () => {
      const payload = await aWaitingCase(service)
      await set(`update files set ${now} where workspace_id = $1`, payload.workspaceId)
      const registry = answering()
      await submit(payload, registry)
      assert.deepEqual(
        registry.sent[0]?.lodgement.applications.map(({ documents }) => documents),
        [[], []],
      )
    })
  }

  it('repeats itself with the same message id, content and time of first asking, and changes nothing', async () => {
    const payload = await aWaitingCase(service)
    const registry = answering()
    await submit(payload, registry)
    const before = await snapshotOf(service, payload.workspaceId)
    await set(`update workspaces set completion_date = '2031-01-01' where workspace_id = $1`, payload.workspaceId)
    const later = minutesLater(service.deps.clock.now(), 5)
    await submit(payload, registry, later)
    const [first, second] = registry.sent
    assert.deepEqual(second?.lodgement, first?.lodgement)
    assert.deepEqual(second?.asking.messageId, first?.asking.messageId)
    assert.deepEqual(second?.asking.firstAskedAt, first?.asking.now)
    const { workspace: _, ...after } = await snapshotOf(service, payload.workspaceId)
    const { workspace: __, ...unchanged } = before
    assert.deepEqual(after, unchanged)
  })

  it('goes on where it was killed: after it was written down, and after the registry had it', async () => {
    const payload = await aWaitingCase(service)
    const dying = answering(() => Promise.reject(new Error('killed')))
    for (let turn = 0; turn < 3; turn++) await assert.rejects(submit(payload, dying), /killed/)
    assert.equal((await readCase(service, payload.workspaceId)).lodgementCaseStatus, 'INITIATED')
    const registry = answering()
    assert.equal((await submit(payload, registry)).length, 1)
    assert.deepEqual(registry.sent[0]?.lodgement, dying.sent[0]?.lodgement)
    assert.equal(await submittedEvents(payload), 1)
  })

  it('lodges once at the registry, however many nodes send it at once', async () => {
    const payload = await aWaitingCase(service)
    const registry = simulatedRegistry(service.deps)
    await Promise.all(Array.from({ length: 8 }, () => submit(payload, registry)))
    await submit(payload, registry)
    const rows = await set('select 1 from simulated_lodgements where message_id = $1', payload.submissionId)
    assert.equal(rows.length, 1)
    assert.equal(await submittedEvents(payload), 1)
  })

  it('tries again when the registry says, with the same message id and no other state', async () => {
    const payload = await aWaitingCase(service)
    const askAgainAt = minutesLater(service.deps.clock.now(), 60)
    const registry = answering(() => ({ kind: 'later', askAgainAt }))
    assert.deepEqual(await submit(payload, registry), [])
    const before = await snapshotOf(service, payload.workspaceId)
    await submit(payload, registry)
    assert.deepEqual(await snapshotOf(service, payload.workspaceId), before)
    const due = await set(
      'select due_at, job, payload from due where key = $1',
      `${SUBMIT_JOB}:${payload.submissionId}`,
    )
    assert.deepEqual(due, [{ due_at: askAgainAt, job: SUBMIT_JOB, payload: { correlationId: 'c-1', payload } }])
  })

  it('ends without effect where there is nothing to send', async () => {
    await submit({ workspaceId: UNKNOWN_ID, submissionId: UNKNOWN_ID }, NEVER_ASKED)
    for (const spoil of [
      `update workspaces set status = 'CANCELLED' where workspace_id = $1`,
      `update lodgement_cases set status = 'LODGED' where workspace_id = $1`,
      `insert into submissions (submission_id, lodgement_case_id, number, approved_by, correlation_id, created_at)
       select gen_random_uuid(), lodgement_case_id, 2, 'x', 'x', now() from lodgement_cases where workspace_id = $1`,
    ]) {
      const payload = await aWaitingCase(service)
      await set(spoil, payload.workspaceId)
      const before = await snapshotOf(service, payload.workspaceId)
      assert.deepEqual(await submit(payload, NEVER_ASKED), [])
      assert.deepEqual(await snapshotOf(service, payload.workspaceId), before)
    }
  })
})
