import { PROCESS_JOB as FILE_JOB } from '../documents/rules.ts'
import { isAwaiting, REPLY_JOB, REQUISITION_DUE_JOB, SUBMIT_JOB, WATCH_JOB } from '../lodgement/rules-registry.ts'
import { PAY_JOB } from '../settlement/plan.ts'
import { SEARCH_JOB } from '../titles/rules.ts'
import type { CaseStatus, WorkspaceStatus } from '../workspaces/status.ts'

// What is planned for a workspace, from the jobs that will become due.

export const DAY_ENDED_JOB = 'worklist.day-ended'

export const PLANNED_TYPES = [
  'PAYMENT',
  'COMPLETION_DAY_ENDS',
  'TITLE_SEARCH',
  'SUBMISSION',
  'REGISTRY_CHECK',
  'REQUISITION_REMINDER',
  'REQUISITION_DEADLINE',
  'REQUISITION_REPLY',
  'FILE_CHECK',
] as const
export type PlannedType = (typeof PLANNED_TYPES)[number]

export type PlannedJob = { job: string; payload: Readonly<Record<string, unknown>>; dueAt: Date }

/** What decides whether a planned job will still do something. */
export type PlanFacts = {
  status: WorkspaceStatus
  caseStatus: CaseStatus
  /** The title whose search is not answered. */
  soughtTitleId: string | null
  openRequisitionId: string | null
}

export type Planned = { at: Date; type: PlannedType; message: string }

const MESSAGES: Readonly<Record<string, string>> = {
  [PAY_JOB]: 'The money moves.',
  [DAY_ENDED_JOB]: 'The completion day ends. Without a payment another date is needed.',
  [SEARCH_JOB]: 'The registry is asked for the title again.',
  [SUBMIT_JOB]: 'The case is sent to the registry again.',
  [WATCH_JOB]: 'The registry is asked for news of the case.',
  [REPLY_JOB]: 'The answer is sent to the registry again.',
  [FILE_JOB]: 'A file is checked for viruses again.',
}

/** What a job does for a workspace, as a sentence; undefined for other jobs. */
export function messageOf({ job, payload }: Pick<PlannedJob, 'job' | 'payload'>): string | undefined {
  if (job !== REQUISITION_DUE_JOB) return MESSAGES[job]
  const left = Number(payload['businessDaysLeft'])
  if (left === 0) return 'Without an answer the registry cancels the case.'
  return `A reminder that the requisition is due in ${left === 1 ? '1 business day' : `${left} business days`}.`
}

/** A job that will find nothing to do is not shown. */
export function plannedOf(planned: PlannedJob, facts: PlanFacts): Planned | undefined {
  const type = typeOf(planned, facts)
  const message = messageOf(planned)
  return type && message !== undefined ? { at: planned.dueAt, type, message } : undefined
}

function typeOf({ job, payload }: PlannedJob, facts: PlanFacts): PlannedType | false | undefined {
  const { status, caseStatus } = facts
  switch (job) {
    case PAY_JOB:
      return status === 'FUNDS_AUTHORISED' && 'PAYMENT'
    case DAY_ENDED_JOB:
      return (status === 'CREATED' || status === 'PREPARED') && 'COMPLETION_DAY_ENDS'
    case SEARCH_JOB:
      return payload['titleId'] === facts.soughtTitleId && 'TITLE_SEARCH'
    case SUBMIT_JOB:
      return isAwaiting(caseStatus) && 'SUBMISSION'
    case WATCH_JOB:
      return isAwaiting(caseStatus) && 'REGISTRY_CHECK'
    case REPLY_JOB:
      return caseStatus === 'REQUISITION_SUBMITTED' && 'REQUISITION_REPLY'
    case REQUISITION_DUE_JOB: {
      const type = Number(payload['businessDaysLeft']) === 0 ? 'REQUISITION_DEADLINE' : 'REQUISITION_REMINDER'
      return payload['requisitionId'] === facts.openRequisitionId && type
    }
    case FILE_JOB:
      return 'FILE_CHECK'
    default:
      return undefined
  }
}
