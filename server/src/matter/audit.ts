import { isDeepStrictEqual } from 'node:util'
import type { AuditEntry } from '../audit/record.ts'
import { pictureLine } from '../settlement/present.ts'
import type { Change } from './changes.ts'
import type { Matter } from './matter.ts'

/** What the audit keeps of a change, from before it to the end of the transaction. */
export function auditOf(change: Change, before: Matter, after: Matter): AuditEntry | undefined {
  const { workspaceId } = before.workspace
  const ofSchedule = { workspaceId, financialSettlementScheduleId: before.schedule.scheduleId }
  const ofFile = ({ fileId, applicationId }: { fileId: string; applicationId?: string | undefined }) => ({
    workspaceId,
    fileId,
    ...(applicationId !== undefined && { applicationId }),
  })
  switch (change.kind) {
    case 'workspace cancelled': {
      const { kind: action, reason: cancellationReason, notes: cancellationNotesForOther } = change
      const stated = { cancellationReason, cancellationNotesForOther }
      return { action, ids: { workspaceId }, ...statuses(before.workspace, after.workspace, stated) }
    }
    case 'title added': {
      const { kind: action, titleId, titleNumber } = change
      const titles = { before: { titleNumber: before.title?.titleNumber }, after: { titleNumber } }
      return { action, ids: { workspaceId, titleId }, ...titles }
    }
    case 'title search begun':
      return ofSearch(change, before, { status: 'PENDING' })
    case 'title search failed':
      return ofSearch(change, before, { status: 'FAILED', reason: change.reason })
    case 'title received':
      return ofSearch(change, before, { status: 'SUCCESS', proprietors: change.proprietors })
    case 'title reconciled':
      return { action: change.action, ids: { workspaceId }, before: ownersOf(before), after: ownersOf(after) }
    case 'representation queued': {
      const { kind: action, representationId, partyId, acting } = change
      return { action, ids: { workspaceId, representationId, partyId }, after: { status: 'QUEUED', ...acting } }
    }
    case 'representation processed': {
      const { kind: action, representationId, partyId, outcome } = change
      const ids = { workspaceId, representationId, partyId }
      return { action, ids, before: { status: 'QUEUED' }, after: { ...outcome } }
    }
    case 'external law firm changed': {
      const { kind: action, representationId, firmId, firm } = change
      const { firmId: _, ...former } = before.firms.find((one) => one.firmId === firmId) ?? { firmId }
      return { action, ids: { workspaceId, representationId, firmId }, before: former, after: { ...firm } }
    }
    case 'application updated': {
      const { kind: action, applicationId } = change
      const ids = { workspaceId, lodgementCaseId: before.lodgementCase.lodgementCaseId, applicationId }
      return { action, ids, before: { ...change.before }, after: { ...change.after } }
    }
    case 'file uploaded': {
      const { fileId, subscriberId: _, applicationId, ...facts } = change.file
      return { action: change.kind, ids: ofFile({ fileId, applicationId }), after: { status: 'PENDING', ...facts } }
    }
    case 'file processed': {
      const { outcome, superseded } = change
      const facts = { ...outcome, ...(superseded.length && { superseded }) }
      return { action: change.kind, ids: ofFile(change), before: { status: 'PENDING' }, after: facts }
    }
    case 'file withdrawn': {
      const { kind: action, status } = change
      return { action, ids: ofFile(change), before: { status }, after: { status: 'WITHDRAWN' } }
    }
    case 'case approved':
    case 'case unapproved': {
      const { kind, ...stated } = change
      const ids = { workspaceId, lodgementCaseId: before.lodgementCase.lodgementCaseId }
      return { action: `lodgement ${kind}`, ids, ...statuses(before.lodgementCase, after.lodgementCase, stated) }
    }
    case 'completion date set': {
      const picture = ({ workspace, schedule }: Matter) => ({
        completionDate: workspace.completionDate ?? undefined,
        status: schedule.status,
      })
      return { action: change.kind, ids: ofSchedule, before: picture(before), after: picture(after) }
    }
    case 'line item added':
    case 'line item changed':
      return ofLine(change.kind, change.line.lineItemId, before, after)
    case 'line item deleted':
      return ofLine(change.kind, change.lineItemId, before, after)
    case 'schedule approved':
      return {
        action: change.kind,
        ids: ofSchedule,
        ...statuses(before.schedule, after.schedule, { approvedBy: change.approvedBy }),
      }
    case 'schedule unapproved': {
      const { unapprovedBy: approvedBy } = change
      if (approvedBy === undefined) return undefined
      const moved = statuses(before.schedule, after.schedule, { approvedBy })
      return { action: 'schedule approval taken back', ids: ofSchedule, ...moved }
    }
    case 'funds authorised':
    case 'funds authorisation taken back': {
      const { kind: action, ...stated } = change
      return { action, ids: { workspaceId }, ...statuses(before.workspace, after.workspace, stated) }
    }
    case 'payment initiated': {
      const { kind: action, settlementId } = change
      return { action, ids: { workspaceId, settlementId }, after: { status: 'INITIATED' } }
    }
    case 'payment settled': {
      const { kind: action, settlementId, outcome } = change
      const { kind: _, ...facts } = outcome
      return { action, ids: { workspaceId, settlementId }, ...statuses(before.workspace, after.workspace, facts) }
    }
    case 'payment refused': {
      const { kind: action, settlementId, reason } = change
      return { action, ids: { workspaceId, settlementId }, ...statuses(before.workspace, after.workspace, { reason }) }
    }
    case 'submission started':
    case 'applications planned':
    case 'case reviewed':
    case 'workspace prepared':
    case 'workspace reverted':
      return undefined
  }
}

const statuses = (before: { status: string }, after: { status: string }, stated: object = {}) => ({
  before: { status: before.status },
  after: { status: after.status, ...stated },
})

function ofSearch(
  { kind: action }: Change,
  { workspace, title }: Matter,
  after: Readonly<Record<string, unknown>>,
): AuditEntry {
  const ids = { workspaceId: workspace.workspaceId, titleId: title?.titleId ?? '' }
  return { action, ids, before: { status: title?.searchStatus }, after }
}

const ownersOf = ({ parties, proprietors }: Matter) => ({ parties, proprietors })

function ofLine(action: string, lineItemId: string, before: Matter, after: Matter): AuditEntry {
  const { workspace, schedule } = before
  const ids = { workspaceId: workspace.workspaceId, financialSettlementScheduleId: schedule.scheduleId, lineItemId }
  const lineIn = ({ schedule: { lines } }: Matter) => lines.find((one) => one.lineItemId === lineItemId)
  const [former, line] = [lineIn(before), lineIn(after)]
  const otherAccount = former && line && !isDeepStrictEqual(former.bankAccount, line.bankAccount)
  return {
    action,
    ids,
    before: { ...(former && pictureLine(former)), scheduleStatus: schedule.status },
    // The last digits may be the same of two accounts.
    after: {
      ...(line && pictureLine(line)),
      scheduleStatus: after.schedule.status,
      ...(otherAccount && { otherAccount }),
    },
  }
}
