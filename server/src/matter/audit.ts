import type { AuditEntry } from '../audit/record.ts'
import type { Change } from './changes.ts'
import type { Matter } from './matter.ts'

/** What the audit keeps of a change. What only follows from another is in the entry of that one. */
export function auditOf(change: Change, before: Matter, after: Matter): AuditEntry | undefined {
  const { workspaceId } = before.workspace
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
    case 'case unapproved': {
      const { lodgementCaseId } = before.lodgementCase
      const { unapprovedBy } = change
      const change_ = statuses(before.lodgementCase, after.lodgementCase, { unapprovedBy })
      return { action: 'lodgement case unapproved', ids: { workspaceId, lodgementCaseId }, ...change_ }
    }
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
