import type { Actor } from '../audit/record.ts'
import { SUBMIT_JOB, type SubmitPayload } from '../lodgement/submit.ts'
import type { Transaction } from '../platform/database/db.ts'
import { unschedule } from '../platform/jobs/due.ts'
import type { Queue } from '../platform/jobs/queue.ts'
import { PROCESS_JOB, type ProcessPayload } from '../representation/rules.ts'
import { payKey, planPayment } from '../settlement/plan.ts'
import { settlesAt } from '../settlement/rules-funds.ts'
import { SEARCH_JOB, type SearchPayload } from '../titles/rules.ts'
import type { Change } from './changes.ts'
import type { Matter } from './matter.ts'

/** The jobs that a change starts, plans or calls off, in its transaction. */
export async function followUp(
  tx: Transaction,
  queue: Queue,
  change: Change,
  { workspace: { workspaceId } }: Matter,
  actor: Actor,
): Promise<void> {
  switch (change.kind) {
    case 'title added': {
      const payload: SearchPayload = { workspaceId, titleId: change.titleId }
      return queue.enqueue(tx, SEARCH_JOB, payload, actor)
    }
    case 'representation queued': {
      const payload: ProcessPayload = { workspaceId, representationId: change.representationId }
      return queue.enqueue(tx, PROCESS_JOB, payload, actor)
    }
    case 'funds authorised':
      return planPayment(tx, queue, settlesAt(change.completionDate), { workspaceId }, actor)
    case 'submission started': {
      const payload: SubmitPayload = { workspaceId, submissionId: change.submissionId }
      return queue.enqueue(tx, SUBMIT_JOB, payload, actor)
    }
    case 'funds authorisation taken back':
    case 'workspace cancelled':
      return unschedule(tx, payKey(workspaceId))
    default:
  }
}
