import { isDeepStrictEqual } from 'node:util'
import { conflict, type FieldError } from '../platform/errors.ts'
import type { PostalAddress } from './ownership.ts'
import { type CaseStatus, checkCancellable, checkOpen, type WorkspaceStatus } from './status.ts'

// What no schema can say about the bodies of this feature. Each looks at whatever came, sound or not.

type Loose<T> = { [Key in keyof T]?: Loose<T[Key]> } | null | undefined
type Address = Record<'flat' | 'name' | 'number', string>
type Created = Loose<{
  property: { securityAddress: Address }
  parties: { type: string; participants: { id: string }[] }[]
}>

export function creationErrors(body: unknown): FieldError[] {
  const { property, parties } = (body ?? {}) as NonNullable<Created>
  const errors = addressErrors('property.securityAddress', property?.securityAddress)
  if (Array.isArray(parties)) errors.push(...partiesErrors(parties))
  return errors
}

/** Of a body that changes a workspace. */
export const updateErrors = (body: unknown): FieldError[] =>
  addressErrors('securityAddress', (body as Loose<{ securityAddress: Address }>)?.securityAddress)

function addressErrors(field: string, address: Loose<Address>): FieldError[] {
  if (!address || [address.flat, address.name, address.number].some((part) => part !== undefined)) return []
  return [{ field, message: `${field} must have at least one of flat, name and number.` }]
}

function partiesErrors(parties: readonly Loose<{ type: string; participants: { id: string }[] }>[]): FieldError[] {
  const errors: FieldError[] = []
  const organisations = parties.filter((party) => party?.type === 'ORGANISATION').length
  if (organisations > 0 && parties.length > 1) {
    errors.push({ field: 'parties', message: 'parties must be one organisation, or one to four individuals.' })
  }
  const firms = parties.map((party) => firmOf(party?.participants))
  const first = firms.find((firm) => firm !== undefined)
  const differs = firms.findIndex((firm) => firm !== undefined && firm !== first)
  if (differs >= 0) {
    const field = `parties[${differs}].participants[0].id`
    errors.push({ field, message: `${field} must be the law firm that the other parties name.` })
  }
  return errors
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

// What is no id names no firm, and makes nobody else's differ from it.
function firmOf(participants: unknown): string | undefined {
  const id: unknown = Array.isArray(participants) ? participants[0]?.id : undefined
  return typeof id === 'string' && UUID.test(id) ? id.toLowerCase() : undefined
}

export const CANCELLATION_REASONS = [
  'APPLICANT_DECIDED_NOT_TO_PROCEED',
  'TITLE_COMPLICATIONS',
  'LAW_FIRM_NO_LONGER_ACTING',
  'LENDER_DECIDED_NOT_TO_PROCEED',
  'LOAN_INVOLVES_MULTIPLE_TITLES',
  'OTHER',
] as const

export type CancellationReason = (typeof CANCELLATION_REASONS)[number]

export function cancellationErrors(body: unknown): FieldError[] {
  const { cancellationReason, cancellationNotesForOther } = (body ?? {}) as Record<string, unknown>
  if (cancellationReason !== 'OTHER' || cancellationNotesForOther !== undefined) return []
  const field = 'cancellationNotesForOther'
  return [{ field, message: `${field} is required where cancellationReason is OTHER.` }]
}

/** What can happen to a workspace as a whole. */
export type WorkspaceChange =
  | { kind: 'workspace cancelled'; reason: string; notes?: string }
  | { kind: 'workspace updated'; before: Order; after: Partial<Order> }
  | { kind: 'own reference set'; property: OwnReference; before: string | null; ownReference: string }

/** What the lender may correct. */
export type Order = { reference: string; securityAddress: PostalAddress }

type OwnReference = (typeof OWN_REFERENCE)[keyof typeof OWN_REFERENCE]
const OWN_REFERENCE = { LENDER: 'lenderOwnReference', LAW_FIRM: 'lawFirmOwnReference' } as const

/** Nothing where nothing changes. The caller's own reference can be set at any time. */
export function updateWorkspace(
  present: Order & { status: WorkspaceStatus; caseStatus: CaseStatus; ownReference: string | null },
  { ownReference, ...asked }: Partial<Order> & { ownReference?: string },
  kind: keyof typeof OWN_REFERENCE,
): WorkspaceChange[] {
  const { status, caseStatus, reference, securityAddress } = present
  if (Object.keys(asked).length) checkOpen(status, 'reference and security address', caseStatus)
  const address = asked.securityAddress && addressOf(asked.securityAddress)
  const after = {
    ...(asked.reference !== undefined && asked.reference !== reference && { reference: asked.reference }),
    ...(address && !isDeepStrictEqual(address, securityAddress) && { securityAddress: address }),
  }
  const changes: WorkspaceChange[] = []
  if (Object.keys(after).length)
    changes.push({ kind: 'workspace updated', before: { reference, securityAddress }, after })
  if (ownReference !== undefined && ownReference !== present.ownReference) {
    changes.push({
      kind: 'own reference set',
      property: OWN_REFERENCE[kind],
      before: present.ownReference,
      ownReference,
    })
  }
  return changes
}

/** Until money moves; a payment that the bank was asked to make can no longer be stopped. */
export function cancelWorkspace(
  { status, paymentUnderWay }: { status: WorkspaceStatus; paymentUnderWay: boolean },
  { cancellationReason: reason, cancellationNotesForOther: notes }: Cancellation,
): WorkspaceChange {
  checkCancellable(status)
  if (status === 'FUNDS_AUTHORISED' && paymentUnderWay) {
    throw conflict({ message: 'The payment is under way: money may have moved.' })
  }
  return { kind: 'workspace cancelled', reason, ...(notes !== undefined && { notes }) }
}

type Cancellation = { cancellationReason: string; cancellationNotesForOther?: string }

/** As it is stored, however it was written. */
export const addressOf = (address: PostalAddress): PostalAddress => ({
  ...address,
  postcode: postcodeOf(address.postcode),
})

/** Stored in upper case with one space, however it was written. */
export const postcodeOf = (squeezed: string): string => `${squeezed.slice(0, -3)} ${squeezed.slice(-3)}`

/** What the references of a year begin with. Seven random digits follow. */
export const referencePrefixOf = (at: Date): string => `LW${String(at.getUTCFullYear() % 100).padStart(2, '0')}`
