import { isDeepStrictEqual } from 'node:util'
import { conflict, type FieldError, Refusal } from '../platform/errors.ts'
import { postcodeOf } from '../workspaces/rules.ts'
import { type CaseStatus, isOpen, type WorkspaceStatus } from '../workspaces/status.ts'

export const REPRESENTATION_STATUSES = ['QUEUED', 'ACTIVE', 'FAILED', 'SUPERSEDED'] as const
export const FAILURE_REASONS = ['PARTY_GONE', 'WORKSPACE_LOCKED', 'WORKSPACE_CANCELLED', 'FIRM_SUSPENDED'] as const

export type RepresentationStatus = (typeof REPRESENTATION_STATUSES)[number]
export type FailureReason = (typeof FAILURE_REASONS)[number]
export type RepresentedBy = 'PLATFORM_SUBSCRIBER_LAW_FIRM' | 'EXTERNAL_LAW_FIRM' | 'NOT_REPRESENTED'
export type Verification = 'LAW_FIRM_CERTIFIED' | 'IDENTITY_EVIDENCE'

type AddressParts = 'flat' | 'name' | 'number' | 'locality' | 'county'
export type FirmAddress = Record<'street' | 'town' | 'postcode', string> & Partial<Record<AddressParts, string>>
export type Firm = { name: string; address: FirmAddress }

/** Who acts for a party, told apart by who it is: each kind has its own facts and no others. */
export type Acting =
  | { representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM'; subscriberId: string }
  | { representedBy: 'EXTERNAL_LAW_FIRM'; firmId: string; newFirm?: Firm; referenceNumber: string }
  | { representedBy: 'NOT_REPRESENTED'; verificationOfIdentity: Verification }

const TAKEN = {
  PLATFORM_SUBSCRIBER_LAW_FIRM: [],
  EXTERNAL_LAW_FIRM: ['externalLawFirm', 'representationId', 'referenceNumber'],
  NOT_REPRESENTED: ['verificationOfIdentity'],
} as const satisfies Record<RepresentedBy, readonly string[]>

const OPTIONAL = ['externalLawFirm', 'representationId', 'referenceNumber', 'verificationOfIdentity'] as const

/** What does not go together in a body, sound or not. Where nobody is named there is nothing to fit. */
export function combinationErrors(body: unknown): FieldError[] {
  const given = (body ?? {}) as Record<string, unknown>
  const { representedBy } = given
  if (!isRepresentedBy(representedBy)) return []
  const taken: readonly string[] = TAKEN[representedBy]
  const strange = OPTIONAL.filter((field) => given[field] !== undefined && !taken.includes(field))
  return [
    ...strange.map((field) => ({
      field,
      message: `${field} is not expected where representedBy is ${representedBy}.`,
    })),
    ...(representedBy === 'EXTERNAL_LAW_FIRM' ? externalErrors(given) : []),
    ...(representedBy === 'NOT_REPRESENTED' ? missing(given, 'verificationOfIdentity', representedBy) : []),
  ]
}

function externalErrors(given: Record<string, unknown>): FieldError[] {
  if (given['representationId'] === undefined) {
    const why = 'EXTERNAL_LAW_FIRM and no representationId is given'
    return [...missing(given, 'externalLawFirm', why), ...missing(given, 'referenceNumber', why)]
  }
  if (given['externalLawFirm'] === undefined) return []
  const message = 'externalLawFirm is not expected beside representationId, which names the firm already.'
  return [{ field: 'externalLawFirm', message }]
}

const missing = (given: Record<string, unknown>, field: string, why: string): FieldError[] =>
  given[field] === undefined ? [{ field, message: `${field} is required where representedBy is ${why}.` }] : []

const isRepresentedBy = (value: unknown): value is RepresentedBy =>
  typeof value === 'string' && Object.hasOwn(TAKEN, value)

/** A body whose fields go together. */
export type Asked = {
  partyId: string
  representedBy: RepresentedBy
  externalLawFirm?: Firm
  representationId?: string
  referenceNumber?: string
  verificationOfIdentity?: Verification
}

/** What the workspace holds of that which a body names. */
export type Named = {
  hasParty: boolean
  reused: { status: RepresentationStatus; firmId: string | null; referenceNumber: string | null } | undefined
}

/** Who is to act. The subscriber is the caller's own and is named by nobody else. */
export function accept(asked: Asked, named: Named, own: { subscriberId: string; newFirmId: string }): Acting {
  const faults: FieldError[] = []
  if (!named.hasParty) faults.push({ field: 'partyId', message: 'There is no such party in this workspace.' })
  const acting = actingOf(asked, named, own)
  if (!acting) {
    const message = 'There is no such external representation in this workspace, or it failed.'
    faults.push({ field: 'representationId', message })
  }
  if (!acting || faults.length) throw new Refusal('not_found', faults)
  return acting
}

function actingOf(asked: Asked, { reused }: Named, own: { subscriberId: string; newFirmId: string }) {
  const { representedBy, externalLawFirm, referenceNumber } = asked
  switch (representedBy) {
    case 'PLATFORM_SUBSCRIBER_LAW_FIRM':
      return { representedBy, subscriberId: own.subscriberId }
    case 'NOT_REPRESENTED':
      return { representedBy, verificationOfIdentity: asked.verificationOfIdentity ?? unchecked() }
    case 'EXTERNAL_LAW_FIRM': {
      if (externalLawFirm) {
        const newFirm = firmOf(externalLawFirm)
        return { representedBy, firmId: own.newFirmId, newFirm, referenceNumber: referenceNumber ?? unchecked() }
      }
      if (!reused || reused.firmId === null || reused.status === 'FAILED') return undefined
      const { firmId } = reused
      return { representedBy, firmId, referenceNumber: referenceNumber ?? reused.referenceNumber ?? unchecked() }
    }
  }
}

function unchecked(): never {
  throw new Error('a body reached the rules whose fields do not go together')
}

/** A firm as it is kept: its postcode with one space, whatever way it was written. */
export const firmOf = ({ name, address }: Firm): Firm => ({
  name,
  address: { ...address, postcode: postcodeOf(address.postcode) },
})

/** The firm after the change: the very same one where nothing changes. */
export function changeFirm({ status, firm }: { status: RepresentationStatus; firm: Firm | null }, asked: Firm): Firm {
  if (!firm) throw conflict({ message: 'Only the representation by an external law firm can be changed.' })
  if (status === 'FAILED' || status === 'SUPERSEDED') {
    throw conflict({ message: `The representation is ${status} and can no longer be changed.` })
  }
  const next = firmOf(asked)
  return isDeepStrictEqual(next, firm) ? firm : next
}

/** A representation that waits, and what has become of that which it needs. */
export type Queued = {
  representationId: string
  partyId: string
  hasParty: boolean
  /** Only a subscriber of the platform can be suspended by it. */
  firmSuspended: boolean
  /** Whom the party has now. */
  activeId: string | null
}

export type Outcome = { status: 'ACTIVE'; supersedes: string | null } | { status: 'FAILED'; reason: FailureReason }

export type Settled<Q extends Queued> = { queued: Q; outcome: Outcome }

/** In the order in which they were asked for, so that of two for one party the later one stays. */
export function settle<Q extends Queued>(status: WorkspaceStatus, caseStatus: CaseStatus, waiting: readonly Q[]) {
  const active = new Map<string, string>()
  return waiting.map((queued): Settled<Q> => {
    const { partyId, representationId, activeId } = queued
    const reason = failureOf(status, caseStatus, queued)
    if (reason) return { queued, outcome: { status: 'FAILED', reason } }
    const supersedes = active.get(partyId) ?? activeId
    active.set(partyId, representationId)
    return { queued, outcome: { status: 'ACTIVE', supersedes } }
  })
}

function failureOf(status: WorkspaceStatus, caseStatus: CaseStatus, queued: Queued): FailureReason | undefined {
  if (status === 'CANCELLED') return 'WORKSPACE_CANCELLED'
  if (!isOpen(status, 'parties, title and representation', caseStatus)) return 'WORKSPACE_LOCKED'
  if (!queued.hasParty) return 'PARTY_GONE'
  return queued.firmSuspended ? 'FIRM_SUSPENDED' : undefined
}
