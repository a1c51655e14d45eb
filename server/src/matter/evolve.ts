// Long because every kind of change has its case here.
import type { ConfirmationChange } from '../approvals/rules-confirmations.ts'
import type { Approval } from '../approvals/rules-facts.ts'
import { type Actor, actorName } from '../audit/record.ts'
import type { ApprovalAction } from '../auth/scopes.ts'
import { isMain } from '../lodgement/attachments.ts'
import type { ApplicationRow } from '../lodgement/records.ts'
import { type ApplicationChange, type ApplicationType, firstStatus, type Wanted } from '../lodgement/rules.ts'
import { isLenders } from '../registry/register.ts'
import { withoutRoles } from '../title-reconciliation/rules.ts'
import { isTransfer, validationStatusOf } from '../title-reconciliation/rules-links.ts'
import { evolveFile, withoutSearched } from './evolve-file.ts'
import { evolveRegistry, withWait } from './evolve-registry.ts'
import { evolveSchedule } from './evolve-schedule.ts'
import { type Change, type ChangeOf, type Matter, ownershipOf, type Representation, type Title } from './matter.ts'
import { made, modified, moveCase, moveSchedule, moveWorkspace, remember } from './move.ts'

/** The matter after a change. Nothing is written here: what differs in the end is, by store.ts. */
export function evolve(matter: Matter, change: Change, actor: Actor): Matter {
  switch (change.kind) {
    case 'workspace cancelled':
      return cancel(matter, change, actor)
    case 'workspace updated':
      return updateOrder(matter, change)
    case 'own reference set':
      return { ...matter, workspace: { ...matter.workspace, [change.property]: change.ownReference } }
    case 'title added':
      return addTitle(matter, change)
    case 'title removed':
      return removeTitle(matter, actor)
    case 'title search begun':
      return withTitle(matter, { searchStatus: 'PENDING', firstAskedAt: actor.at })
    case 'title search failed':
      return withTitle(matter, { searchStatus: 'FAILED', ...(change.reason && { searchFailure: change.reason }) })
    case 'title received':
      return receiveTitle(matter, change, actor)
    case 'title reconciled':
      return reconcile(matter, change, actor)
    case 'representation queued':
      return queueRepresentation(matter, change, actor)
    case 'representation processed':
      return processRepresentation(matter, change, actor)
    case 'external law firm changed':
      return changeFirm(matter, change, actor)
    case 'case approved':
      return approve(matter, change, actor)
    case 'case unapproved':
      return unapprove(matter, change, actor)
    case 'readiness confirmed':
    case 'confirmation taken back':
      return rememberFor(change.approval, changeConfirmations(matter, change), actor)
    case 'confirmation lapsed':
      return changeConfirmations(matter, change)
    case 'completion date set':
    case 'line item added':
    case 'line item changed':
    case 'line item deleted':
    case 'schedule approved':
    case 'schedule unapproved':
    case 'funds authorised':
    case 'funds authorisation taken back':
    case 'payment initiated':
    case 'settlement due':
    case 'payment confirmed':
    case 'payment confirmation taken back':
    case 'payment settled':
    case 'payment refused':
      return evolveSchedule(matter, change, actor)
    case 'application updated':
      return changedBy(updateApplication(matter, change, actor), actor)
    case 'deed effect updated':
      return withCase(updateApplication(matter, change, actor), modified(actor))
    case 'registry document received':
    case 'file uploaded':
    case 'file processed':
    case 'file withdrawn':
      return evolveFile(matter, change, actor)
    case 'case sent':
    case 'notice received':
    case 'notice overtaken':
    case 'requisition raised':
    case 'requisition answered':
    case 'requisition closed':
    case 'requisition reminder given':
    case 'requisition lapsed':
    case 'submission started':
    case 'case waits for its deed':
    case 'registry wait changed':
      return evolveRegistry(matter, change, actor)
    case 'applications planned':
      return planApplications(matter, change, actor)
    case 'case reviewed':
      return review(matter, change, actor)
    case 'workspace prepared':
      return moveWorkspace(matter, 'case and schedule approved', actor)
    case 'workspace reverted':
      return moveWorkspace(matter, 'an approval taken back', actor)
  }
}

/** All three machines end, and with them a search that was not answered. */
function cancel(matter: Matter, { reason, notes }: ChangeOf<'workspace cancelled'>, actor: Actor): Matter {
  const ended = moveWorkspace(
    moveSchedule(moveCase(matter, 'workspace cancelled', actor), 'workspace cancelled', actor),
    'cancelled',
    actor,
  )
  const isWaiting = ended.title?.searchStatus === 'INITIATED' || ended.title?.searchStatus === 'PENDING'
  const workspace = {
    ...ended.workspace,
    cancellationReason: reason,
    cancelledBy: actorName(actor),
    ...(notes !== undefined && { cancellationNotes: notes }),
  }
  return withWait({ ...(isWaiting ? withTitle(ended, { searchStatus: 'FAILED' }) : ended), workspace })
}

function approve(matter: Matter, change: ChangeOf<'case approved'>, actor: Actor): Matter {
  const { approvedBy, disclosableOverridingInterests = null } = change
  const facts = { approvedBy, approvedAt: actor.at, disclosableOverridingInterests }
  const approved = withCase(moveCase(matter, 'approved', actor), facts)
  return stated(approved, 'APPROVE', approvedBy, actor)
}

function unapprove(matter: Matter, { unapprovedBy }: ChangeOf<'case unapproved'>, actor: Actor): Matter {
  const reverted = withCase(moveCase(matter, 'approval taken back', actor), { approvedBy: null, approvedAt: null })
  return unapprovedBy === undefined ? reverted : stated(reverted, 'UNAPPROVE', unapprovedBy, actor)
}

const stated = (matter: Matter, action: ApprovalAction, approvedBy: string, { at }: Actor): Matter => ({
  ...matter,
  caseApprovals: [...matter.caseApprovals, { action, approvedBy, at }],
})

/** The list of workspaces finds it by its postcode, which is stored separately. */
function updateOrder(matter: Matter, { after }: ChangeOf<'workspace updated'>): Matter {
  const postcode = after.securityAddress && { postcode: after.securityAddress.postcode }
  return { ...matter, workspace: { ...matter.workspace, ...after, ...postcode } }
}

/** The one title of a workspace; a number whose search failed gives way to it. */
function addTitle(matter: Matter, { titleId, titleNumber }: ChangeOf<'title added'>): Matter {
  return { ...matter, title: newTitle(titleId, titleNumber), workspace: { ...matter.workspace, titleNumber } }
}

/** With all that came from it. */
function removeTitle(matter: Matter, actor: Actor): Matter {
  const workspace = { ...matter.workspace, titleNumber: null }
  const owners = { parties: withoutRoles(matter.parties), proprietors: [] }
  const files = withoutSearched(matter, actor)
  const removed = { ...withWait(matter), workspace, title: undefined, titleDocuments: [], files }
  return withOwnership(removed, owners, actor)
}

export const newTitle = (titleId: string, titleNumber: string): Title => ({
  titleId,
  titleNumber,
  searchStatus: 'INITIATED',
  hasCharge: false,
  hasRestriction: false,
})

function receiveTitle(matter: Matter, change: ChangeOf<'title received'>, actor: Actor): Matter {
  const { register, officialCopyAt, titleDocumentId, proprietors } = change
  const received = withTitle(matter, {
    searchStatus: 'SUCCESS',
    register,
    tenure: register.tenure,
    hasCharge: register.charges.length > 0,
    hasRestriction: register.restrictions.some((one) => !isLenders(one)),
    address: register.property.address,
  })
  const { titleId = '' } = received.title ?? {}
  const document = {
    titleDocumentId,
    titleId,
    documentType: 'TITLE_REGISTER',
    register,
    officialCopyAt,
    createdAt: actor.at,
  } as const
  const { parties, titleDocuments } = matter
  return withOwnership({ ...received, titleDocuments: [...titleDocuments, document] }, { parties, proprietors }, actor)
}

/** Who is named in a change of name or a transfer that is in the case already is a fact of that application. */
function reconcile(matter: Matter, change: ChangeOf<'title reconciled'>, actor: Actor): Matter {
  const isNamed = matter.applications.some(
    ({ applicationType, status }) => status !== 'WITHDRAWN' && NAMES_OWNERS.includes(applicationType),
  )
  const reconciled = withOwnership(matter, change, actor)
  return isNamed ? changedBy(reconciled, actor) : reconciled
}

const NAMES_OWNERS: readonly ApplicationType[] = ['CHANGE_OF_NAME', 'TRANSFER_OF_WHOLE']

type Owners = Pick<Matter, 'parties' | 'proprietors'>

/** What the list of workspaces shows of the owners is stored in its row. Nobody acts for a party that is gone. */
function withOwnership(matter: Matter, { parties, proprietors }: Owners, actor: Actor): Matter {
  const isGone = ({ partyId }: Representation) => !parties.some((one) => one.partyId === partyId)
  const representations = matter.representations.map(
    (one): Representation =>
      one.status === 'ACTIVE' && isGone(one) ? { ...one, status: 'SUPERSEDED', ...modified(actor) } : one,
  )
  const changed = { ...matter, parties, proprietors, representations }
  const ownership = ownershipOf(changed)
  const validationStatus = validationStatusOf(ownership)
  const borrowers = parties.filter(({ role }) => role !== 'OUTGOING_PROPRIETOR').map(({ name }) => name)
  const transferOfEquity = isTransfer(ownership)
  return { ...changed, workspace: { ...matter.workspace, borrowers, validationStatus, transferOfEquity } }
}

function queueRepresentation(matter: Matter, change: ChangeOf<'representation queued'>, actor: Actor): Matter {
  const { representationId, partyId, acting } = change
  const representation: Representation = {
    ...acting,
    representationId,
    partyId,
    status: 'QUEUED',
    correlationId: actor.correlationId,
    firmSuspended: false,
    ...made(actor),
  }
  const isExternal = acting.representedBy === 'EXTERNAL_LAW_FIRM'
  const newFirm = isExternal && acting.newFirm && { ...acting.newFirm, firmId: acting.firmId }
  const firms = newFirm ? [...matter.firms, newFirm] : matter.firms
  return { ...matter, firms, representations: [...matter.representations, representation] }
}

/** Whom it supersedes gives way: a party has one active representation at most. */
function processRepresentation(matter: Matter, change: ChangeOf<'representation processed'>, actor: Actor): Matter {
  const { representationId, outcome } = change
  const supersedes = outcome.status === 'ACTIVE' ? outcome.supersedes : null
  const representations = matter.representations.map((one): Representation => {
    if (one.representationId === supersedes) return { ...one, status: 'SUPERSEDED', ...modified(actor) }
    if (one.representationId !== representationId) return one
    const failure = outcome.status === 'FAILED' ? { failureReason: outcome.reason } : {}
    return { ...one, status: outcome.status, ...failure, ...modified(actor) }
  })
  return { ...matter, representations }
}

function changeFirm(matter: Matter, { firmId, firm }: ChangeOf<'external law firm changed'>, actor: Actor): Matter {
  return {
    ...matter,
    firms: matter.firms.map((one) => (one.firmId === firmId ? { ...firm, firmId } : one)),
    representations: matter.representations.map((one) =>
      one.firmId === firmId ? { ...one, ...modified(actor) } : one,
    ),
  }
}

function changeConfirmations(matter: Matter, change: ConfirmationChange): Matter {
  const { confirmations } = matter
  if (change.kind === 'readiness confirmed')
    return { ...matter, confirmations: [...confirmations, change.confirmation] }
  const { confirmationId } = change
  return { ...matter, confirmations: confirmations.filter((one) => one.confirmationId !== confirmationId) }
}

/** Whom a confirmation names may not give the approval that rests on it. */
function rememberFor(approval: Approval, matter: Matter, actor: Actor): Matter {
  if (approval === 'LODGEMENT') return changedBy(matter, actor)
  return { ...matter, schedule: { ...matter.schedule, ...remember(matter.schedule, actor) } }
}

function planApplications(matter: Matter, { add, withdraw }: ChangeOf<'applications planned'>, actor: Actor): Matter {
  const kept = matter.applications.map(
    (one): ApplicationRow =>
      withdraw.includes(one.applicationId) ? { ...one, status: 'WITHDRAWN', ...modified(actor) } : one,
  )
  const added = add.map((one) => newApplication(one, actor))
  return changedBy({ ...matter, applications: [...kept, ...added] }, actor)
}

export const newApplication = (wanted: Wanted & { applicationId: string }, actor: Actor): ApplicationRow => ({
  ...wanted,
  status: firstStatus(wanted.applicationType),
  documents: [],
  ...made(actor),
})

function updateApplication(matter: Matter, { applicationId, before, after }: ApplicationChange, actor: Actor): Matter {
  const [was, is] = [before.mortgageDeedReferenceType, after.mortgageDeedReferenceType]
  const becomesDigital = is === 'DIGITAL' && was !== 'DIGITAL'
  const applications = matter.applications.map((one) => {
    if (one.applicationId !== applicationId) return one
    const documents = one.documents.map((file) =>
      becomesDigital && isMain('MORTGAGE_DEED', file) ? { ...file, precedesDigital: true } : file,
    )
    return { ...one, ...after, documents, ...modified(actor) }
  })
  return { ...matter, applications }
}

function review(matter: Matter, { ready, moves }: ChangeOf<'case reviewed'>, actor: Actor): Matter {
  const applications = matter.applications.map((one) => {
    const move = moves.find(({ applicationId }) => applicationId === one.applicationId)
    return move ? { ...one, status: move.status, ...modified(actor) } : one
  })
  return { ...withCase(matter, { ready }), applications }
}

/** Every change to an application or its documents: whom it names may not approve the case. */
const changedBy = (matter: Matter, actor: Actor): Matter => withCase(matter, remember(matter.lodgementCase, actor))

const withCase = (matter: Matter, facts: Partial<Matter['lodgementCase']>): Matter => ({
  ...matter,
  lodgementCase: { ...matter.lodgementCase, ...facts },
})

function withTitle(matter: Matter, facts: Partial<Title>): Matter {
  if (!matter.title) throw new Error(`The workspace ${matter.workspace.workspaceId} has no title.`)
  return { ...matter, title: { ...matter.title, ...facts } }
}
