import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Notice } from '../registry/lodgement.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'
import { moveCase, type Remark } from './move.ts'
import { raiseRequisition } from './requisition.ts'
import { lapseOpen } from './requisition-store.ts'
import { eventOf } from './rules-notices.ts'
import { markDischarged, markLodged, markRegistered } from './submission-store.ts'

/** Writes down what the registry said, of a case to which it can happen. */
export function applyNotice(
  tx: Transaction,
  workspace: LockedWorkspace,
  submissionId: string,
  notice: Notice,
  actor: Actor,
): void {
  const { workspaceId, lodgementCaseId } = workspace
  keepFacts(tx, lodgementCaseId, notice)
  const moved =
    notice.kind === 'requisitioned'
      ? raiseRequisition(tx, workspace, submissionId, notice, actor)
      : moveCase(tx, workspace, eventOf(notice), actor, remarkOf(notice))
  const entry = {
    action: ACTIONS[notice.kind],
    ids: { workspaceId, lodgementCaseId, submissionId },
    before: standing(workspace),
    after: { ...standing(moved), ...factsOf(notice) },
  }
  recordWorkspaceAudit(tx, workspaceId, entry, actor)
}

function keepFacts(tx: Transaction, lodgementCaseId: string, notice: Notice): void {
  if (notice.kind === 'accepted') markLodged(tx, lodgementCaseId, notice)
  if (notice.kind === 'cancelled') lapseOpen(tx, lodgementCaseId)
  if (notice.kind === 'completed') markRegistered(tx, lodgementCaseId, notice)
  if (notice.kind === 'discharged') markDischarged(tx, lodgementCaseId, notice.at)
}

function remarkOf(notice: Notice): Remark {
  switch (notice.kind) {
    case 'accepted':
      return { message: `The registry accepted the case with priority, as ${notice.registryReference}.` }
    case 'validation failed': {
      const faults = notice.faults.map(({ field, reason }) => `${field}: ${reason}`)
      return { message: `The registry's validation failed at ${faults.join(' ')}` }
    }
    case 'answer accepted':
      return { message: 'The registry accepted the answer to its requisition.' }
    case 'cancelled':
      return { message: `The registry cancelled the case: ${notice.reason}` }
    case 'discharged':
      return { message: 'The registry completed the case: the discharge is registered too.' }
    default:
      return {}
  }
}

const ACTIONS: Record<Notice['kind'], string> = {
  accepted: 'case accepted by the registry',
  'validation failed': 'case refused by the registry',
  requisitioned: 'requisition raised',
  'answer accepted': 'requisition answer accepted',
  cancelled: 'case cancelled by the registry',
  completed: 'case registered',
  discharged: 'discharge registered',
}

const standing = ({ status, caseStatus }: LockedWorkspace) => ({ status, caseStatus })

// The register itself is kept as a title document.
function factsOf(notice: Notice): Record<string, unknown> {
  const { noticeId: _, kind: __, ...facts } = notice
  return 'copy' in facts ? { ...facts, copy: undefined } : facts
}
