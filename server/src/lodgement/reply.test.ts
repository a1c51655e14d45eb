import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { attachChecked, liveApplications } from '../../test/fixtures/approvals.ts'
import { aSentCase, heldQueue, progressOf, snapshotOf } from '../../test/fixtures/lodging.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { move, readCase, UNKNOWN_ID } from '../../test/fixtures/workspaces.ts'
import { changeMatterInJob } from '../matter/change.ts'
import type { RequisitionReply } from '../registry/lodgement.ts'
import type { Registry, RegistryCall, ReplyOutcome } from '../registry/port.ts'
import { replyJob } from './jobs.ts'
import { answerRequisition, REPLY_JOB, type ReplyPayload } from './rules-registry.ts'

// The job is run by hand, so that the registry answers when, and as often as, a test wants it. Only the registry is a fake.

let service: TestService
before(async () => {
  service = await sharedService('moved')
})

type Replying = Pick<Registry, 'reply'>

/** Runs the job once and says what it enqueued. */
async function send(payload: ReplyPayload, registry: Replying): Promise<{ name: string; payload: object }[]> {
  const queue = heldQueue(service)
  const job = replyJob({ ...service.deps, queue }, registry)
  assert.ok(job.transactional === false, 'sending takes time, and no transaction waits for it')
  await job.run({ correlationId: 'c-1', now: service.deps.clock.now(), signal: AbortSignal.timeout(10_000) }, payload)
  return queue.held
}

function answering(outcome: (asking: RegistryCall) => ReplyOutcome = () => ({ kind: 'received' })) {
  const sent: { reply: RequisitionReply; asking: RegistryCall }[] = []
  const reply: Registry['reply'] = async (given, asking) => {
    sent.push({ reply: given, asking })
    return outcome(asking)
  }
  return { reply, sent }
}

const NEVER_ASKED = answering(() => assert.fail('the registry was asked'))

/** A requisition that is answered, and whose answer waits to be sent: by nobody but the test. */
async function anAnswer(): Promise<{ payload: ReplyPayload; fileId: string; submissionId: string }> {
  const workspaceId = await aSentCase(service, 'RQ100001')
  await move(service, 'P3D')
  assert.equal(await progressOf(service, workspaceId), 'REQUISITIONED REQUISITIONED')
  const [{ applicationId } = assert.fail()] = await liveApplications(service, workspaceId)
  const fileId = await attachChecked(service, workspaceId, {
    applicationId,
    documentType: 'EVIDENCE',
    category: 'SUPPORTING_DOCUMENT',
  })
  const queue = heldQueue(service)
  const actor = { correlationId: 'answered', at: service.deps.clock.now() }
  const matter = await service.deps.db.transaction((tx) =>
    changeMatterInJob(tx, queue, { workspaceId, actor }, (present) =>
      answerRequisition(present, { message: 'Here it is.', fileIds: [fileId] }, [{ fileId, status: 'SUCCESS' }]),
    ),
  )
  const submissionId = matter?.submissions.at(-1)?.submissionId ?? ''
  return { payload: queue.held[0]?.payload as ReplyPayload, fileId, submissionId }
}

describe('lodgement.reply', () => {
  it('sends the answer with its documents under the message id of the lodgement, and has it followed', async () => {
    const { payload, fileId, submissionId } = await anAnswer()
    const registry = answering()
    const { workspaceId } = payload
    assert.deepEqual(await send(payload, registry), [
      { name: 'lodgement.watch', payload: { workspaceId, submissionId } },
    ])
    const [{ reply, asking } = assert.fail()] = registry.sent
    assert.deepEqual([reply.registryId, reply.message, asking.messageId], ['RQ-1', 'Here it is.', submissionId])
    assert.partialDeepStrictEqual(reply.documents, [
      { fileId, documentType: 'EVIDENCE', certificationType: 'ORIGINAL' },
    ])
  })

  it('sends the same when it is run again, and changes nothing', async () => {
    const { payload } = await anAnswer()
    const registry = answering()
    await send(payload, registry)
    const before = await snapshotOf(service, payload.workspaceId)
    await send(payload, registry)
    const [first, second] = registry.sent
    assert.deepEqual(second?.reply, first?.reply)
    assert.deepEqual(second?.asking.firstAskedAt, first?.asking.firstAskedAt)
    assert.deepEqual(await snapshotOf(service, payload.workspaceId), before)
  })

  it('tries again when the registry says, and the case shows why', async () => {
    const { payload } = await anAnswer()
    const askAgainAt = new Date(service.deps.clock.now().getTime() + 3_600_000)
    assert.deepEqual(
      await send(
        payload,
        answering(() => ({ kind: 'later', askAgainAt, because: 'REGISTRY_CLOSED' })),
      ),
      [],
    )
    const due = await service.deps.db.query('select due_at, job from due where key = $1', [
      `${REPLY_JOB}:${payload.requisitionId}`,
    ])
    assert.deepEqual(due, [{ due_at: askAgainAt, job: REPLY_JOB }])
    const waitOf = async () => (await readCase(service, payload.workspaceId)).registryWait?.reason
    assert.equal(await waitOf(), 'REGISTRY_CLOSED')
    await send(
      payload,
      answering(() => ({ kind: 'received' })),
    )
    assert.equal(await waitOf(), undefined)
  })

  it('asks what has become of a case that is no longer pending', async () => {
    const { payload } = await anAnswer()
    const enqueued = await send(
      payload,
      answering(() => ({ kind: 'no longer pending' })),
    )
    assert.deepEqual(
      enqueued.map(({ name }) => name),
      ['lodgement.watch'],
    )
  })

  it('sends nothing that is not answered, is decided already, or was never asked', async () => {
    await send({ workspaceId: UNKNOWN_ID, requisitionId: UNKNOWN_ID }, NEVER_ASKED)
    const open = await aSentCase(service, 'RQ100001')
    await move(service, 'P3D')
    const { requisition } = await readCase(service, open)
    await send({ workspaceId: open, requisitionId: requisition?.requisitionId ?? '' }, NEVER_ASKED)
    const { payload } = await anAnswer()
    const set = `update lodgement_cases set status = 'LODGED' where workspace_id = $1`
    await service.deps.db.query(set, [payload.workspaceId])
    await send(payload, NEVER_ASKED)
  })
})
