import { checkUpload } from '../documents/rules.ts'
import type { DocumentCategory, DocumentType } from '../lodgement/attachments.ts'
import { type Particulars, particularsOf, partOfUpdate, updateApplication } from '../lodgement/rules.ts'
import { Refusal } from '../platform/errors.ts'
import { type Category, checkRoom } from '../settlement/rules.ts'
import { type Action, decideRoleRemoval, reconcile } from '../title-reconciliation/rules.ts'
import { addTitle } from '../titles/rules.ts'
import { checkOpen, type Part } from '../workspaces/status.ts'
import { type Approval, checkConfirmable, deeds, type ReadinessFacts } from './rules-facts.ts'

// What can be done about a failed rule. A message advises only what the matter accepts now: each fix is tried with the
// rules of the feature that it goes to.

/** Something that a caller can do. */
type Proposal =
  | { do: 'correct the order' }
  | { do: 'add a title' }
  | { do: 'remove the title' }
  | { do: 'reconcile'; action: Action }
  | { do: 'remove role'; partyId: string }
  | { do: 'represent'; partyId: string }
  | {
      do: 'attach'
      applicationId: string
      documentType: DocumentType
      documentCategory: DocumentCategory
    }
  | { do: 'update application'; applicationId: string; asked: Particulars }
  | { do: 'add line item'; category: Category }
  | { do: 'change line item'; lineItemId: string }
  | { do: 'set completion date' }
  | { do: 'unapprove'; approval: Approval }
  | { do: 'confirm'; ruleId: string; field: string; approval: Approval }

export type FixKind = Proposal['do']

/** With the words of the advice, after which a full stop, a comma or "or" may follow. */
export type Fix = Proposal & { says: string }

/** The operation of each, as the interface calls it. */
export const OPERATION_OF: Record<FixKind, string> = {
  'correct the order': 'updateWorkspace',
  'add a title': 'addTitle',
  'remove the title': 'removeTitle',
  reconcile: 'updateTitleReconciliation',
  'remove role': 'removePartyRole',
  represent: 'addRepresentation',
  attach: 'attachDocument',
  'update application': 'updateLodgementApplication',
  'add line item': 'addLineItem',
  'change line item': 'updateLineItem',
  'set completion date': 'updateFinancialSettlementSchedule',
  unapprove: 'approveLodgement',
  confirm: 'confirmReadiness',
}

type Advised = { message: string; advice: readonly Fix[] }

/** The words for a failed rule: what is wrong, and what can be done about it now, if anything. */
export function advise(facts: ReadinessFacts, approval: Approval, problem: string, fixes: readonly Fix[]): Advised {
  const accepted = fixes.filter((fix) => isAccepted(facts, fix))
  if (accepted.length) return { message: `${problem} ${sentence(accepted)}`, advice: accepted }
  // What is locked by both approvals is open again without one of them.
  const later = facts.status === 'PREPARED' ? fixes.filter((fix) => isAccepted(unapproved(facts, approval), fix)) : []
  if (!later.length) return { message: problem, advice: [] }
  const first: Fix = { do: 'unapprove', approval, says: `take back the ${approval.toLowerCase()} approval first` }
  return { message: [problem, sentence([first]), sentence(later)].join(' '), advice: [first, ...later] }
}

function sentence(fixes: readonly Fix[]): string {
  const said = fixes.map(({ says }) => says).join(', or ')
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}.`
}

const unapproved = (facts: ReadinessFacts, approval: Approval): ReadinessFacts => ({
  ...facts,
  status: 'CREATED',
  ...(approval === 'LODGEMENT' ? { caseStatus: 'CREATED' } : { schedule: { ...facts.schedule, status: 'DRAFT' } }),
})

function isAccepted(facts: ReadinessFacts, fix: Fix): boolean {
  try {
    attempt(facts, fix)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function attempt(facts: ReadinessFacts, fix: Fix): void {
  const { status, caseStatus } = facts
  const open = (part: Part) => checkOpen(status, part, caseStatus)
  switch (fix.do) {
    case 'add a title': {
      open('parties, title and representation')
      const { searchStatus } = facts
      addTitle(searchStatus === null ? undefined : { titleId: '', titleNumber: '', searchStatus }, '', '')
      return
    }
    case 'correct the order':
      open('reference and security address')
      return
    case 'remove the title':
      open('parties, title and representation')
      return
    case 'remove role': {
      open('parties, title and representation')
      const party = facts.parties.find((one) => one.partyId === fix.partyId)
      if (party) decideRoleRemoval(facts, party)
      return
    }
    case 'reconcile':
      open('parties, title and representation')
      reconcile(facts, fix.action, { partyId: '', proprietorId: '' })
      return
    case 'represent':
      open('parties, title and representation')
      return
    case 'attach': {
      const { applicationId, documentType, documentCategory } = fix
      const [deed] = deeds(facts)
      const asked = { applicationId, documentType, documentCategory, certificationType: 'CERTIFIED' } as const
      const application = facts.applications.find((one) => one.applicationId === applicationId)
      checkUpload({ status, caseStatus, application, deed: deed?.application ?? {} }, asked)
      return
    }
    case 'update application': {
      const application = facts.applications.find((one) => one.applicationId === fix.applicationId)
      open(partOfUpdate(application, fix.asked))
      if (application) updateApplication(application, particularsOf(application), fix.asked)
      return
    }
    case 'add line item':
      open('schedule')
      checkRoom(facts.schedule.lines)
      return
    case 'change line item':
    case 'set completion date':
      open('schedule')
      return
    case 'confirm':
      checkConfirmable(facts, fix.approval)
      return
    case 'unapprove':
      return
  }
}
