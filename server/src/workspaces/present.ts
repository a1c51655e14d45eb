import type { SummaryRow, TimelineRow } from './list.ts'
import type { WorkspaceSummary } from './list-schema.ts'
import { detailsOf, wholeNameOf } from './names.ts'
import type { Party, PostalAddress } from './ownership.ts'
import type { Workspace } from './schema.ts'
import type { AddressForService, Turn } from './shapes.ts'
import { canBeApproved, canBeCancelled, canBeUnapproved, isHardLocked, isLocked } from './status.ts'
import type { TurnRow, WorkspaceRow } from './store.ts'

// From rows to what the interface shows. A field without a value is left out.

export function presentWorkspace(row: WorkspaceRow): Workspace {
  const { status, caseStatus, cancellation } = row
  return {
    workspaceId: row.workspaceId,
    workspaceReferenceId: row.workspaceReferenceId,
    reference: row.reference,
    ...(row.ownReference === null ? {} : { ownReference: row.ownReference }),
    status,
    transactionType: 'REMORTGAGE',
    jurisdiction: 'ENGLAND_WALES',
    securityAddress: row.securityAddress as Workspace['securityAddress'],
    parties: row.parties.map(({ representation, ...party }) => ({
      ...presentParty(party),
      ...(representation && { representation }),
    })),
    participants: [
      { subscriberId: row.lenderId, name: row.lenderName, role: 'LENDER' },
      { subscriberId: row.lawFirmId, name: row.lawFirmName, role: 'CONVEYANCER' },
    ],
    titles: row.titles.map(({ titleId, titleNumber, tenure, searchStatus }) => ({
      titleId,
      titleNumber,
      ...(tenure && { tenure }),
      lastTitleSearchStatus: searchStatus,
    })),
    ...(row.completionDate === null ? {} : { completionDate: row.completionDate }),
    transferOfEquity: row.transferOfEquity,
    borrowersValidationStatus: row.validationStatus,
    readyForApproval: row.ready && canBeApproved(caseStatus),
    canBeUnapproved: canBeUnapproved(status, caseStatus),
    canBeCancelled: canBeCancelled(status) && !row.paymentUnderWay,
    isLocked: isLocked(status),
    hardLocked: isHardLocked(status),
    ...(row.turn && { turn: presentTurn(row.turn) }),
    ...(cancellation && { cancellation: { ...cancellation, at: new Date(cancellation.at).toISOString() } }),
    auditAttributes: presentAudit(row),
  }
}

export const presentTurn = ({ since, dueAt, ...turn }: TurnRow): Turn => ({
  ...turn,
  since: new Date(since).toISOString(),
  ...(dueAt !== undefined && { dueAt: new Date(dueAt).toISOString() }),
})

/** A party, wherever one is shown. */
export const presentParty = ({
  partyId,
  role,
  name,
  addressForService,
}: Omit<Party, 'addressForService'> & { addressForService?: PostalAddress | null | undefined }) => ({
  partyId,
  type: name.type,
  role,
  partyDetails: detailsOf(name),
  ...(addressForService && { addressForService: presentAddress(addressForService) }),
})

/** Its parts are always in the same order: an ETag depends on it. */
export const presentAddress = (address: PostalAddress) =>
  Object.fromEntries(
    ADDRESS_PARTS.filter((part) => address[part] !== undefined).map((part) => [part, address[part]]),
  ) as AddressForService

const ADDRESS_PARTS = ['flat', 'name', 'number', 'street', 'locality', 'town', 'county', 'postcode'] as const

export const presentAudit = (row: {
  createdAt: Date
  createdBy: string
  lastModifiedAt: Date
  lastModifiedBy: string
}) => ({
  createdAt: row.createdAt.toISOString(),
  createdBy: row.createdBy,
  lastModifiedAt: row.lastModifiedAt.toISOString(),
  lastModifiedBy: row.lastModifiedBy,
})

export function presentSummary(row: SummaryRow): WorkspaceSummary {
  return {
    workspaceId: row.workspaceId,
    workspaceReferenceId: row.workspaceReferenceId,
    reference: row.reference,
    status: row.status,
    lodgementCaseStatus: row.lodgementCaseStatus,
    transactionType: 'REMORTGAGE',
    postcode: row.postcode,
    ...(row.titleNumber === null ? {} : { titleNumber: row.titleNumber }),
    borrowersValidationStatus: row.validationStatus,
    ...(row.completionDate === null ? {} : { completionDate: row.completionDate }),
    borrowers: row.borrowers.map(wholeNameOf),
    ...(row.turn && { turn: presentTurn(row.turn) }),
    createdAt: row.createdAt.toISOString(),
    lastModifiedAt: row.lastModifiedAt.toISOString(),
    lastModifiedBy: row.lastModifiedBy,
  }
}

export const presentTimeline =
  (describe: (type: string) => string) =>
  ({ at, type, by, correlationId, message }: TimelineRow) => ({
    at: at.toISOString(),
    type,
    by,
    correlationId,
    message: message ?? describe(type),
  })
