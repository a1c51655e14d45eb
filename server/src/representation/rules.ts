import { isDeepStrictEqual } from 'node:util'
import { conflict, type FieldError, Refusal } from '../platform/errors.ts'
import type { RepresentedBy, Verification } from '../workspaces/representation-shapes.ts'
import { postcodeOf } from '../workspaces/rules.ts'
import { type CaseStatus, isOpen, type WorkspaceStatus } from '../workspaces/status.ts'

export const REPRESENTATION_STATUSES = ['QUEUED', 'ACTIVE', 'FAILED', 'SUPERSEDED'] as const
export const FAILURE_REASONS = ['PARTY_GONE', 'WORKSPACE_LOCKED', 'WORKSPACE_CANCELLED', 'FIRM_SUSPENDED'] as const

export type RepresentationStatus = (typeof REPRESENTATION_STATUSES)[number]
export type FailureReason = (typeof FAILURE_REASONS)[number]

type AddressParts = 'flat' | 'name' | 'number' | 'locality' | 'county'
export type FirmAddress = Record<'street' | 'town' | 'postcode', string> & Partial<Record<AddressParts, string>>
export type Firm = { name: string; address: FirmAddress }

/** Who acts for a party, a union by kind: each kind has its own facts and no others. */
export type Acting =
  | { representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM'; subscriberId: string; referenceNumber?: string }
  | { representedBy: 'EXTERNAL_LAW_FIRM'; firmId: string; newFirm?: Firm; referenceNumber: string }
  | { representedBy: 'NOT_REPRESENTED'; verificationOfIdentity: Verification }

const TAKEN = {
  EXTERNAL_LAW_FIRM: ['externalLawFirm', 'representationId', 'referenceNumber'],
  PLATFORM_SUBSCRIBER_LAW_FIRM: ['referenceNumber'],
  NOT_REPRESENTED: ['verificationOfIdentity'],
} as const satisfies Record<RepresentedBy, readonly string[]>

const OPTIONAL = ['externalLawFirm', 'representationId', 'referenceNumber', 'verificationOfIdentity'] as const

/** What does not go together in a body. Without a valid `representedBy`: what is wrong with each of its values. */
export function combinationErrors(body: unknown): FieldError[] {
  const given = (body ?? {}) as Record<string, unknown>
  const { representedBy } = given
  if (isRepresentedBy(representedBy)) return errorsWith(representedBy, given)
  const [errors = [], ...others] = (Object.keys(TAKEN) as RepresentedBy[]).map((one) => errorsWith(one, given))
  return errors.filter(({ field }) => others.every((more) => more.some((error) => error.field === field)))
}

function errorsWith(representedBy: RepresentedBy, given: Record<string, unknown>): FieldError[] {
  const taken: readonly string[] = TAKEN[representedBy]
  const unexpected = OPTIONAL.filter((field) => given[field] !== undefined && !taken.includes(field))
  return [
    ...unexpected.map((field) => ({
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
  const message = 'externalLawFirm is not expected together with representationId, which names the firm already.'
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

/** The representation of the workspace that a body names to use its firm again. */
export type Reused = { status: RepresentationStatus; firmId: string | null; referenceNumber: string | null } | undefined

/** Who is to act. The subscriber is the caller's own and is named by nobody else. */
export function accept(
  asked: Asked,
  named: { hasParty: boolean; reused: Reused },
  own: { subscriberId: string; newFirmId: string },
): Acting {
  const errors: FieldError[] = []
  if (!named.hasParty) errors.push({ field: 'partyId', message: 'There is no such party in this workspace.' })
  const acting = actingOf(asked, named.reused, own)
  if (!acting) {
    const message = 'There is no such external representation in this workspace, or it failed.'
    errors.push({ field: 'representationId', message })
  }
  if (!acting || errors.length) throw new Refusal('not_found', errors)
  return acting
}

function actingOf(asked: Asked, reused: Reused, own: { subscriberId: string; newFirmId: string }) {
  const { representedBy, externalLawFirm, referenceNumber } = asked
  switch (representedBy) {
    case 'PLATFORM_SUBSCRIBER_LAW_FIRM':
      return {
        representedBy,
        subscriberId: own.subscriberId,
        ...(referenceNumber !== undefined && { referenceNumber }),
      }
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

/** A firm as it is stored: its postcode with one space, whatever way it was written. */
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

export const PROCESS_JOB = 'representation.process'

export type ProcessPayload = { workspaceId: string; representationId: string }

export type Outcome = { status: 'ACTIVE'; supersedes: string | null } | { status: 'FAILED'; reason: FailureReason }

/** What can happen to the representations of a workspace. */
export type RepresentationChange =
  | { kind: 'representation queued'; representationId: string; partyId: string; acting: Acting }
  | Processed
  /** `isActing`: whether a party is represented by it now. */
  | { kind: 'external law firm changed'; representationId: string; firmId: string; firm: Firm; isActing: boolean }

/** With the request that asked for it, where that is not the one that ends it. */
type Processed = {
  kind: 'representation processed'
  representationId: string
  partyId: string
  outcome: Outcome
  correlationId?: string
}

/** What the rules look at of a representation that waits or acts. */
export type Waiting = {
  representationId: string
  partyId: string
  status: RepresentationStatus
  correlationId: string
  /** Only a subscriber of the platform can be suspended by it. */
  firmSuspended: boolean
}

type Workspace = {
  status: WorkspaceStatus
  caseStatus: CaseStatus
  partyIds: readonly string[]
  /** Oldest first. */
  representations: readonly Waiting[]
}

/**
 * Decides what becomes of a representation, and of those of its workspace that were asked for before it: jobs run side
 * by side and need not start in order. Of two for one party the later one stays. One that was settled is not among them.
 */
export function processQueued(workspace: Workspace, representationId: string): Processed[] {
  const { representations } = workspace
  const last = representations.findIndex((one) => one.representationId === representationId)
  const active = new Map(
    representations.filter(({ status }) => status === 'ACTIVE').map((one) => [one.partyId, one.representationId]),
  )
  return queuedAmong(representations.slice(0, last + 1)).map((queued) => {
    const { representationId, partyId, correlationId } = queued
    const processed = { kind: 'representation processed', representationId, partyId, correlationId } as const
    const reason = failureOf(workspace, queued)
    if (reason) return { ...processed, outcome: { status: 'FAILED', reason } }
    const supersedes = active.get(partyId) ?? null
    active.set(partyId, representationId)
    return { ...processed, outcome: { status: 'ACTIVE', supersedes } }
  })
}

/** With its workspace ends whatever was still queued in it. */
export const failQueued = (representations: readonly Waiting[]): Processed[] =>
  queuedAmong(representations).map(({ representationId, partyId }) => ({
    kind: 'representation processed',
    representationId,
    partyId,
    outcome: { status: 'FAILED', reason: 'WORKSPACE_CANCELLED' },
  }))

const queuedAmong = (representations: readonly Waiting[]) => representations.filter(({ status }) => status === 'QUEUED')

function failureOf({ status, caseStatus, partyIds }: Workspace, queued: Waiting): FailureReason | undefined {
  if (status === 'CANCELLED') return 'WORKSPACE_CANCELLED'
  if (!isOpen(status, 'parties, title and representation', caseStatus)) return 'WORKSPACE_LOCKED'
  if (!partyIds.includes(queued.partyId)) return 'PARTY_GONE'
  return queued.firmSuspended ? 'FIRM_SUSPENDED' : undefined
}
