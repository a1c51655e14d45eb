import { randomUUID } from 'node:crypto'
import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import { recordEvent } from '../events/record.ts'
import { addBusinessDaysTo } from '../jurisdiction/business-days.ts'
import type { Transaction } from '../platform/database/db.ts'
import { schedule } from '../platform/jobs/due.ts'
import type { Notice } from '../registry/lodgement.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'
import { moveCase } from './move.ts'
import { insertRequisition, lapseOpen, type Requisition } from './requisition-store.ts'

export const REQUISITION_DUE_JOB = 'lodgement.requisition-due'

/** So many business days are left; none means that the time to answer is over. */
export type DuePayload = { workspaceId: string; requisitionId: string; businessDaysLeft: number }

const ANSWER_BUSINESS_DAYS = 20
const REMINDERS_BUSINESS_DAYS = [10, 5, 1]

/** The registry asks. It is told, and both the reminders and the end of the time to answer become due. */
export function raiseRequisition(
  tx: Transaction,
  workspace: LockedWorkspace,
  submissionId: string,
  { registryId, points, at }: Extract<Notice, { kind: 'requisitioned' }>,
  actor: Actor,
): LockedWorkspace {
  const { workspaceId, lodgementCaseId } = workspace
  const requisitionId = randomUUID()
  const dueAt = addBusinessDaysTo(at, ANSWER_BUSINESS_DAYS)
  insertRequisition(tx, { requisitionId, lodgementCaseId, submissionId, registryId, points, receivedAt: at, dueAt })
  const message = `The registry raised a requisition. Its answer is due by ${inWords(dueAt)}.`
  const moved = moveCase(tx, workspace, 'requisitioned', actor, { message, data: { requisitionId } })
  for (const businessDaysLeft of [...REMINDERS_BUSINESS_DAYS, 0]) {
    const due = addBusinessDaysTo(dueAt, -businessDaysLeft)
    // One that the registry told of late has no use for reminders of days that have passed.
    if (businessDaysLeft > 0 && due <= actor.at) continue
    const payload: DuePayload = { workspaceId, requisitionId, businessDaysLeft }
    const key = `${REQUISITION_DUE_JOB}:${requisitionId}:${businessDaysLeft}`
    schedule(tx, due, REQUISITION_DUE_JOB, payload, actor, key)
  }
  return moved
}

/** Of a requisition that is still open: a reminder, or its end and that of the submission. */
export function meetDeadline(
  tx: Transaction,
  workspace: LockedWorkspace,
  { requisitionId, dueAt }: Requisition,
  businessDaysLeft: number,
  actor: Actor,
): void {
  const { workspaceId, lodgementCaseId, lenderId, lawFirmId, reference } = workspace
  const ids = { workspaceId, lodgementCaseId, requisitionId }
  if (businessDaysLeft > 0) {
    const left = businessDaysLeft === 1 ? '1 business day' : `${businessDaysLeft} business days`
    const message = `A requisition is still open. Its answer is due in ${left}, by ${inWords(dueAt)}.`
    const event = { type: 'REQUISITION_DUE_SOON', workspaceId, told: [lenderId, lawFirmId], reference } as const
    recordEvent(tx, { ...event, data: { lodgementCaseId, requisitionId }, message }, actor)
    const after = { businessDaysLeft }
    recordWorkspaceAudit(tx, workspaceId, { action: 'requisition reminder given', ids, after }, actor)
    return
  }
  lapseOpen(tx, lodgementCaseId)
  const message = `The requisition was not answered by ${inWords(dueAt)}, when its answer was due.`
  const moved = moveCase(tx, workspace, 'deadline passed', actor, { message })
  const change = { before: { caseStatus: workspace.caseStatus }, after: { caseStatus: moved.caseStatus } }
  recordWorkspaceAudit(tx, workspaceId, { action: 'requisition lapsed', ids, ...change }, actor)
}

const WORDS = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', dateStyle: 'long', timeStyle: 'short' })

const inWords = (at: Date): string => WORDS.format(at)
