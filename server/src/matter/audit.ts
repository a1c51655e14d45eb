import { isDeepStrictEqual } from 'node:util'
import type { AuditEntry } from '../audit/record.ts'
import type { CaseEvent } from '../lodgement/status.ts'
import type { Notice } from '../registry/lodgement.ts'
import { pictureLine } from '../settlement/present.ts'
import type { Change, Matter } from './matter.ts'

/** What the audit keeps of a change, from before it to the end of the transaction. */
export function auditOf(change: Change, before: Matter, after: Matter): AuditEntry | undefined {
  const { workspaceId } = before.workspace
  const { lodgementCaseId } = before.lodgementCase
  const schedule = { financialSettlementScheduleId: before.schedule.scheduleId }
  const entry = (ids: AuditEntry['ids'], states: States, action: string = change.kind): AuditEntry => ({
    action,
    ids: { workspaceId, ...ids },
    ...states,
  })
  switch (change.kind) {
    case 'workspace cancelled': {
      const { reason: cancellationReason, notes: cancellationNotesForOther } = change
      return entry({}, workspaceStates(before, after, { cancellationReason, cancellationNotesForOther }))
    }
    case 'workspace updated':
      return entry({}, { before: change.before, after: change.after })
    case 'own reference set': {
      const { before: former, ownReference } = change
      return entry({}, { before: { ownReference: former ?? undefined }, after: { ownReference } })
    }
    case 'title added': {
      const { titleId, titleNumber } = change
      return entry({ titleId }, { before: { titleNumber: before.title?.titleNumber }, after: { titleNumber } })
    }
    case 'title removed': {
      const { titleNumber, searchStatus: status } = before.title ?? {}
      return entry(
        { titleId: change.titleId },
        { before: { titleNumber, status, ...ownersOf(before) }, after: ownersOf(after) },
      )
    }
    case 'title search begun':
      return entry(...ofSearch(before, { status: 'PENDING' }))
    case 'title search failed':
      return entry(...ofSearch(before, { status: 'FAILED', reason: change.reason }))
    case 'title received':
      return entry(...ofSearch(before, { status: 'SUCCESS', proprietors: change.proprietors }))
    case 'title reconciled':
      return entry({}, { before: ownersOf(before), after: ownersOf(after) }, change.action)
    case 'representation queued': {
      const { representationId, partyId, acting } = change
      return entry({ representationId, partyId }, { after: { status: 'QUEUED', ...acting } })
    }
    case 'representation processed': {
      const { representationId, partyId, outcome } = change
      return entry({ representationId, partyId }, { before: { status: 'QUEUED' }, after: { ...outcome } })
    }
    case 'external law firm changed': {
      const { representationId, firmId, firm } = change
      const { firmId: _, ...former } = before.firms.find((one) => one.firmId === firmId) ?? { firmId }
      return entry({ representationId, firmId }, { before: former, after: { ...firm } })
    }
    case 'application updated':
    case 'deed effect updated': {
      const { applicationId } = change
      const states = { before: { ...change.before }, after: { ...change.after } }
      return entry({ lodgementCaseId, applicationId }, states, 'application updated')
    }
    case 'registry document received': {
      const { subscriberId: _, fileId: __, applicationId: ___, ...facts } = change.file
      return entry({ fileId: change.file.fileId }, { after: facts })
    }
    case 'file uploaded': {
      const { subscriberId: _, fileId: __, applicationId: ___, ...facts } = change.file
      return entry(fileIds(change.file), { after: { status: 'PENDING', ...facts } })
    }
    case 'file processed': {
      const { outcome, superseded } = change
      const facts = { ...outcome, ...(superseded.length && { superseded }) }
      return entry(fileIds(change), { before: { status: 'PENDING' }, after: facts })
    }
    case 'file withdrawn':
      return entry(fileIds(change), { before: { status: change.status }, after: { status: 'WITHDRAWN' } })
    case 'case approved':
    case 'case unapproved': {
      const { kind, ...stated } = change
      const states = statuses(before.lodgementCase, after.lodgementCase, stated)
      return entry({ lodgementCaseId }, states, `lodgement ${kind}`)
    }
    case 'readiness confirmed': {
      const { confirmationId, ruleId, field, reason, confirmedBy } = change.confirmation
      return entry({ confirmationId }, { after: { ruleId, field, reason, confirmedBy } })
    }
    case 'confirmation taken back':
    case 'confirmation lapsed': {
      const { confirmationId } = change
      const { ruleId, field } = before.confirmations.find((one) => one.confirmationId === confirmationId) ?? {}
      return entry({ confirmationId }, { before: { ruleId, field } })
    }
    case 'case sent': {
      const { submissionId, content } = change
      const states = caseStates(before, after, { submittedBy: content.submittedBy })
      return entry({ lodgementCaseId, submissionId }, states, 'case sent to the registry')
    }
    case 'notice received':
    case 'requisition raised': {
      const { submissionId, notice } = change
      const { noticeId: _, kind, ...facts } = notice
      // The register itself is stored as a title document.
      const stated = 'copy' in facts ? { ...facts, copy: undefined } : facts
      const states = { before: bothStatuses(before), after: { ...bothStatuses(after), ...stated } }
      const event = change.kind === 'notice received' ? change.event : undefined
      return entry({ lodgementCaseId, submissionId }, states, (event && OTHERWISE[event]) ?? NOTICES[kind])
    }
    case 'requisition answered': {
      const { requisitionId, message, fileIds } = change
      return entry({ lodgementCaseId, requisitionId }, caseStates(before, after, { message, fileIds }))
    }
    case 'requisition closed': {
      const { requisitionId, reason, confirmedBy } = change
      return entry({ lodgementCaseId, requisitionId }, caseStates(before, after, { reason, confirmedBy }))
    }
    case 'requisition reminder given': {
      const { requisitionId, businessDaysLeft } = change
      return entry({ lodgementCaseId, requisitionId }, { after: { businessDaysLeft } })
    }
    case 'requisition lapsed':
      return entry({ lodgementCaseId, requisitionId: change.requisitionId }, caseStates(before, after))
    case 'completion date set':
      return entry(schedule, { before: dateAndStatus(before), after: dateAndStatus(after) })
    case 'line item added':
    case 'line item changed':
      return entry({ ...schedule, lineItemId: change.line.lineItemId }, lineStates(change.line, before, after))
    case 'line item deleted':
      return entry({ ...schedule, lineItemId: change.lineItemId }, lineStates(change, before, after))
    case 'schedule approved':
      return entry(schedule, statuses(before.schedule, after.schedule, { approvedBy: change.approvedBy }))
    case 'schedule unapproved': {
      const { unapprovedBy: approvedBy } = change
      if (approvedBy === undefined) return undefined
      const states = statuses(before.schedule, after.schedule, { approvedBy })
      return entry(schedule, states, 'schedule approval taken back')
    }
    case 'funds authorised':
    case 'funds authorisation taken back': {
      const { kind: _, ...stated } = change
      return entry({}, workspaceStates(before, after, stated))
    }
    case 'payment initiated':
      return entry({ settlementId: change.settlementId }, { after: { status: 'INITIATED' } })
    case 'settlement due':
      return entry({ ...schedule, settlementId: change.settlementId }, statuses(before.schedule, after.schedule, {}))
    case 'payment confirmed':
    case 'payment confirmation taken back': {
      const { lineItemId } = change
      const paymentIn = ({ schedule: { lines } }: Matter) => ({
        ...lines.find((one) => one.lineItemId === lineItemId)?.payment,
      })
      return entry({ ...schedule, lineItemId }, { before: paymentIn(before), after: paymentIn(after) })
    }
    case 'payment settled': {
      const { at, scheme, paymentReference } = change.outcome
      const stated = { at, ...(scheme && { scheme }), ...(paymentReference && { paymentReference }) }
      return entry({ settlementId: change.settlementId }, workspaceStates(before, after, stated))
    }
    case 'payment refused': {
      const { settlementId, reason, line, confirmedBy } = change
      const ids = { settlementId, ...(line && { lineItemId: line.lineItemId }) }
      return entry(ids, workspaceStates(before, after, { reason, ...(confirmedBy && { confirmedBy }) }))
    }
    case 'notice overtaken':
    case 'submission started':
    case 'case waits for its deed':
    case 'registry wait changed':
    case 'applications planned':
    case 'case reviewed':
    case 'workspace prepared':
    case 'workspace reverted':
      return undefined
  }
}

type States = Pick<AuditEntry, 'before' | 'after'>

const NOTICES: Record<Notice['kind'], string> = {
  accepted: 'case accepted by the registry',
  'validation failed': 'case refused by the registry',
  requisitioned: 'requisition raised',
  'answer accepted': 'requisition answer accepted',
  cancelled: 'case cancelled by the registry',
  completed: 'case registered',
  discharged: 'discharge registered',
}

/** Where the event says more than the notice. */
const OTHERWISE: Partial<Record<CaseEvent, string>> = {
  'discharge refused': 'discharge refused by the registry',
  'no answer needed': 'requisition closed by the registry',
  'no further answer needed': 'requisition closed by the registry',
}

const statuses = (before: { status: string }, after: { status: string }, stated: object): States => ({
  before: { status: before.status },
  after: { status: after.status, ...stated },
})

const workspaceStates = (before: Matter, after: Matter, stated: object): States =>
  statuses(before.workspace, after.workspace, stated)

const caseStates = (before: Matter, after: Matter, stated: object = {}): States => ({
  before: { caseStatus: before.lodgementCase.status },
  after: { caseStatus: after.lodgementCase.status, ...stated },
})

const bothStatuses = ({ workspace, lodgementCase }: Matter) => ({
  status: workspace.status,
  caseStatus: lodgementCase.status,
})

const dateAndStatus = ({ workspace, schedule }: Matter) => ({
  completionDate: workspace.completionDate ?? undefined,
  status: schedule.status,
})

const ownersOf = ({ parties, proprietors }: Matter) => ({ parties, proprietors })

const ofSearch = ({ title }: Matter, after: NonNullable<States['after']>): [AuditEntry['ids'], States] => [
  { titleId: title?.titleId ?? '' },
  { before: { status: title?.searchStatus }, after },
]

const fileIds = ({ fileId, applicationId }: { fileId: string; applicationId?: string | undefined }) => ({
  fileId,
  ...(applicationId !== undefined && { applicationId }),
})

function lineStates({ lineItemId }: { lineItemId: string }, before: Matter, after: Matter): States {
  const lineIn = ({ schedule: { lines } }: Matter) => lines.find((one) => one.lineItemId === lineItemId)
  const [former, line] = [lineIn(before), lineIn(after)]
  const otherAccount = former && line && !isDeepStrictEqual(former.bankAccount, line.bankAccount)
  return {
    before: { ...(former && pictureLine(former)), scheduleStatus: before.schedule.status },
    // The last digits may be the same of two accounts.
    after: {
      ...(line && pictureLine(line)),
      scheduleStatus: after.schedule.status,
      ...(otherAccount && { otherAccount }),
    },
  }
}
