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

/** A job that will find nothing to do is not shown. */
export function plannedOf({ job, payload, dueAt: at }: PlannedJob, facts: PlanFacts): Planned | undefined {
  const { status, caseStatus } = facts
  const plan = (isStillDue: boolean, type: PlannedType, message: string) =>
    isStillDue ? { at, type, message } : undefined
  switch (job) {
    case PAY_JOB:
      return plan(status === 'FUNDS_AUTHORISED', 'PAYMENT', 'The money moves.')
    case DAY_ENDED_JOB: {
      const isUnpaid = status === 'CREATED' || status === 'PREPARED'
      return plan(isUnpaid, 'COMPLETION_DAY_ENDS', 'The completion day ends. Without a payment another date is needed.')
    }
    case SEARCH_JOB: {
      const isSought = payload['titleId'] === facts.soughtTitleId
      return plan(isSought, 'TITLE_SEARCH', 'The registry is asked for the title again.')
    }
    case SUBMIT_JOB:
      return plan(isAwaiting(caseStatus), 'SUBMISSION', 'The case is sent to the registry again.')
    case WATCH_JOB:
      return plan(isAwaiting(caseStatus), 'REGISTRY_CHECK', 'The registry is asked for news of the case.')
    case REPLY_JOB:
      return plan(
        caseStatus === 'REQUISITION_SUBMITTED',
        'REQUISITION_REPLY',
        'The answer is sent to the registry again.',
      )
    case REQUISITION_DUE_JOB: {
      const isOpen = payload['requisitionId'] === facts.openRequisitionId
      const left = Number(payload['businessDaysLeft'])
      if (left === 0) return plan(isOpen, 'REQUISITION_DEADLINE', 'Without an answer the registry cancels the case.')
      const message = `A reminder that the requisition is due in ${left === 1 ? '1 business day' : `${left} business days`}.`
      return plan(isOpen, 'REQUISITION_REMINDER', message)
    }
    case FILE_JOB:
      return plan(true, 'FILE_CHECK', 'A file is checked for viruses again.')
    default:
      return undefined
  }
}
