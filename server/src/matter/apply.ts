import { randomUUID } from 'node:crypto'
import { type Actor, recordSubscriberAudit, recordWorkspaceAudit } from '../audit/record.ts'
import { PROCESS_JOB as UPLOAD_JOB, type ProcessPayload as UploadPayload } from '../documents/rules.ts'
import { recordEvent } from '../events/record.ts'
import {
  type DuePayload,
  deadlinesOf,
  REPLY_JOB,
  REQUISITION_DUE_JOB,
  type ReplyPayload,
  SUBMIT_JOB,
  type SubmitPayload,
  WATCH_JOB,
} from '../lodgement/rules-registry.ts'
import type { Transaction } from '../platform/database/db.ts'
import { schedule, unschedule } from '../platform/jobs/due.ts'
import type { Queue } from '../platform/jobs/queue.ts'
import { PROCESS_JOB, type ProcessPayload } from '../representation/rules.ts'
import { payKey, planPayment } from '../settlement/plan.ts'
import { settlesAt } from '../settlement/rules-funds.ts'
import { SEARCH_JOB, type SearchPayload } from '../titles/rules.ts'
import { planDayEnd } from '../worklist/store.ts'
import { withTurn } from '../worklist/turn.ts'
import { auditOf } from './audit.ts'
import { CONSEQUENCES, readinessFactsOf } from './consequences.ts'
import { eventsOf, type MatterEvent } from './events.ts'
import { evolve } from './evolve.ts'
import type { Change, Matter } from './matter.ts'
import { saveMatter } from './save.ts'

/** A change, with the matter as it found it and as it left it. */
export type Step = { change: Change; before: Matter; after: Matter }

/** What was decided and all that follows from it, in order. Pure but for the ids that it is given for what is new. */
export function stepsOf(matter: Matter, decided: readonly Change[], actor: Actor, newId: () => string): Step[] {
  const steps: Step[] = []
  const present = () => steps.at(-1)?.after ?? matter
  const take = (changes: readonly Change[]) => {
    for (const change of changes) {
      const before = present()
      steps.push({ change, before, after: evolve(before, change, actor) })
    }
  }
  take(decided)
  for (const consequence of CONSEQUENCES) {
    take(
      consequence(
        present(),
        steps.map(({ change }) => change),
        newId,
        { before: matter, at: actor.at },
      ),
    )
  }
  return steps
}

/** Writes it: the state, the events, the jobs and the audit. All of it travels with the commit. */
export async function applyChanges(
  tx: Transaction,
  queue: Queue,
  matter: Matter,
  decided: readonly Change[],
  actor: Actor,
): Promise<Matter> {
  const steps = stepsOf(matter, decided, actor, randomUUID)
  const changed = steps.at(-1)?.after ?? matter
  // The other side must not notice a reference of one's own.
  const isSeen = steps.some(({ change }) => change.kind !== 'own reference set')
  const left = isSeen ? withTurn(changed, readinessFactsOf(changed, actor.at), actor.at) : changed
  saveMatter(tx, matter, left)
  for (const { change, before } of steps) {
    publish(tx, left, eventsOf(change, before), causeOf(change, actor))
    await followUp(tx, queue, change, before, actor)
  }
  // Last, for the head of the chain is held until the commit.
  for (const { change, before } of steps) {
    const entry = auditOf(change, before, left)
    if (!entry) continue
    // What only its subscriber may see is in the chain of that subscriber, and does not modify the workspace.
    if (change.kind === 'own reference set') recordSubscriberAudit(tx, actor.subscriberId ?? '', entry, actor)
    else recordWorkspaceAudit(tx, matter.workspace.workspaceId, entry, causeOf(change, actor))
  }
  return left
}

/** The recipients of an event are the participants of its matter. */
export function publish(tx: Transaction, { workspace }: Matter, events: readonly MatterEvent[], actor: Actor): void {
  const { workspaceId, reference, lenderId, lawFirmId } = workspace
  for (const event of events) {
    recordEvent(tx, { ...event, workspaceId, recipients: [lenderId, lawFirmId], reference }, actor)
  }
}

/** The request that asked for it, where that is another one than the present. */
const causeOf = (change: Change, actor: Actor): Actor =>
  'correlationId' in change ? { ...actor, correlationId: change.correlationId } : actor

/** The jobs that a change starts, plans or calls off, in its transaction. */
export async function followUp(
  tx: Transaction,
  queue: Queue,
  change: Change,
  { workspace: { workspaceId } }: Matter,
  actor: Actor,
): Promise<void> {
  const enqueue = <Payload extends object>(job: string, payload: Omit<Payload, 'workspaceId'>) =>
    queue.enqueue(tx, job, { workspaceId, ...payload }, actor)
  switch (change.kind) {
    case 'title added':
      return enqueue<SearchPayload>(SEARCH_JOB, { titleId: change.titleId })
    case 'representation queued':
      return enqueue<ProcessPayload>(PROCESS_JOB, { representationId: change.representationId })
    case 'file uploaded':
      return enqueue<UploadPayload>(UPLOAD_JOB, { fileId: change.file.fileId })
    case 'completion date set':
      return planDayEnd(tx, { workspaceId, completionDate: change.completionDate }, actor)
    case 'funds authorised':
      return planPayment(tx, queue, settlesAt(change.completionDate), { workspaceId }, actor)
    case 'submission started':
      return enqueue<SubmitPayload>(SUBMIT_JOB, { submissionId: change.submissionId })
    case 'requisition raised': {
      const { requisitionId, dueAt } = change
      for (const { businessDaysLeft, at } of deadlinesOf(dueAt, actor.at)) {
        const payload: DuePayload = { workspaceId, requisitionId, businessDaysLeft }
        const key = `${REQUISITION_DUE_JOB}:${requisitionId}:${businessDaysLeft}`
        schedule(tx, at, REQUISITION_DUE_JOB, payload, actor, key)
      }
      return
    }
    case 'requisition closed': {
      // What waited for it is looked at now, and an answer that gave way to it is sent again, which does nothing twice.
      const { submissionId, answeredId } = change
      if (answeredId) await enqueue<ReplyPayload>(REPLY_JOB, { requisitionId: answeredId })
      return enqueue<SubmitPayload>(WATCH_JOB, { submissionId })
    }
    case 'requisition answered':
      return enqueue<ReplyPayload>(REPLY_JOB, { requisitionId: change.requisitionId })
    case 'funds authorisation taken back':
    case 'workspace cancelled':
      return unschedule(tx, payKey(workspaceId))
    default:
  }
}
