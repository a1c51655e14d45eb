import { type Actor, actorName } from '../audit/record.ts'
import { type HouseEvent, recordEvent } from '../events/record.ts'
import type { EventType } from '../events/types.ts'
import type { Transaction } from '../platform/database/db.ts'
import { type CaseStatus, transition, type WorkspaceStatus } from '../workspaces/status.ts'
import { type LockedWorkspace, saveWorkspaceStatus } from '../workspaces/store.ts'
import {
  APPLICATION_EVENT_OF,
  APPLICATION_TRANSITIONS,
  type CaseEvent,
  caseAfter,
  sparedBy,
  WORKSPACE_EVENT_OF,
} from './status.ts'

/** What is told of a case's event, in this order. */
const TOLD: Partial<Record<CaseEvent, readonly EventType[]>> = {
  approved: ['LODGEMENT_CASE_PREPARED'],
  'approval taken back': ['LODGEMENT_CASE_UNAPPROVED'],
  sent: ['LODGEMENT_SUBMITTED'],
  accepted: ['WORKSPACE_LODGED'],
  'validation failed': ['LODGEMENT_REJECTED'],
  requisitioned: ['WORKSPACE_REQUISITIONED'],
  answered: ['REQUISITION_ANSWERED'],
  'answer accepted': ['WORKSPACE_LODGED'],
  'deadline passed': ['LODGEMENT_REJECTED'],
  'cancelled by the registry': ['LODGEMENT_REJECTED'],
  completed: ['LODGEMENT_REGISTERED', 'WORKSPACE_CLOSED'],
  'completed early': ['LODGEMENT_PARTIALLY_REGISTERED'],
  discharged: ['LODGEMENT_REGISTERED', 'WORKSPACE_CLOSED'],
}

/** A sentence for the timeline, and ids beside that of the case. */
export type Remark = { message?: string; data?: Readonly<Record<string, string>> }

/**
 * Moves a case by one event, its applications and its workspace with it, and tells of it. What cannot happen is refused.
 * Returns the workspace as it then stands. The audit entry is the caller's.
 */
export function moveCase(
  tx: Transaction,
  workspace: LockedWorkspace,
  event: CaseEvent,
  actor: Actor,
  remark: Remark = {},
): LockedWorkspace {
  const caseStatus = caseAfter(workspace.caseStatus, event)
  const status = workspaceStatusAfter(workspace, event)
  saveCaseStatus(tx, workspace.lodgementCaseId, caseStatus, actor)
  moveApplications(tx, workspace.lodgementCaseId, event, actor)
  if (status !== workspace.status) saveWorkspaceStatus(tx, workspace.workspaceId, status, actor.at)
  tell(tx, workspace, event, actor, remark)
  return { ...workspace, status, caseStatus }
}

// A registry that asks again finds the workspace requisitioned already.
function workspaceStatusAfter({ status }: LockedWorkspace, event: CaseEvent): WorkspaceStatus {
  const follows = WORKSPACE_EVENT_OF[event]
  if (!follows || (follows === 'case requisitioned' && status === 'REQUISITIONED')) return status
  return transition(status, follows)
}

function saveCaseStatus(tx: Transaction, lodgementCaseId: string, status: CaseStatus, actor: Actor): void {
  tx.send(
    `update lodgement_cases set status = $2, last_modified_at = $3, last_modified_by = $4 where lodgement_case_id = $1`,
    [lodgementCaseId, status, actor.at, actorName(actor)],
  )
}

// One statement, its steps taken from the table of transitions. What is withdrawn has none and stays.
function moveApplications(tx: Transaction, lodgementCaseId: string, event: CaseEvent, actor: Actor): void {
  const follows = APPLICATION_EVENT_OF[event]
  if (!follows) return
  const steps = Object.entries(APPLICATION_TRANSITIONS).flatMap(([from, events]) => {
    const to = events[follows]
    return to ? [{ from, to }] : []
  })
  tx.send(
    `update lodgement_applications a set status = step.next, last_modified_at = $5, last_modified_by = $6
       from unnest($2::text[], $3::text[]) as step(status, next)
      where a.lodgement_case_id = $1 and a.status = step.status and a.application_type <> all ($4::text[])`,
    [
      lodgementCaseId,
      steps.map(({ from }) => from),
      steps.map(({ to }) => to),
      sparedBy(event),
      actor.at,
      actorName(actor),
    ],
  )
}

function tell(
  tx: Transaction,
  { workspaceId, lenderId, lawFirmId, reference, lodgementCaseId }: LockedWorkspace,
  event: CaseEvent,
  actor: Actor,
  { message, data }: Remark,
): void {
  for (const type of TOLD[event] ?? []) {
    const ids = type === 'WORKSPACE_CLOSED' ? {} : { data: { lodgementCaseId, ...data } }
    const told: HouseEvent = { type, workspaceId, told: [lenderId, lawFirmId], reference, ...ids }
    recordEvent(tx, message === undefined || type === 'WORKSPACE_CLOSED' ? told : { ...told, message }, actor)
  }
}
