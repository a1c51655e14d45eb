import { presentAudit } from '../workspaces/present.ts'
import type { RepresentedBy, Verification } from '../workspaces/representation-shapes.ts'
import type { Firm, FirmAddress } from './rules.ts'
import type { Representation, UpdateRepresentationAnswer } from './schema.ts'
import type { RepresentationRow } from './store.ts'

// From rows to what the interface shows. A field without a value is left out.

type Accepted = {
  representationId: string
  representedBy: RepresentedBy
  subscriberId?: string
  verificationOfIdentity?: Verification
}

/** Each kind shows its own facts, and only an external one its id. */
export const presentAccepted = (accepted: Accepted, newFirm: Firm | undefined) => ({
  ...(accepted.representedBy === 'EXTERNAL_LAW_FIRM' && { representationId: accepted.representationId }),
  representedBy: accepted.representedBy,
  ...(accepted.subscriberId !== undefined && { subscriberId: accepted.subscriberId }),
  ...(newFirm && { externalLawFirm: presentFirm(newFirm) }),
  ...(accepted.verificationOfIdentity && { verificationOfIdentity: accepted.verificationOfIdentity }),
})

export function presentRepresentation(row: RepresentationRow): Representation {
  const { workspaceId, status, failureReason } = row
  return {
    workspaceId,
    ...presentUpdated(row),
    status,
    ...(failureReason !== null && { failureReason }),
    auditAttributes: presentAudit(row),
  }
}

export function presentUpdated(row: RepresentationRow): UpdateRepresentationAnswer {
  const { representationId, partyId, representedBy, subscriberId, firm, referenceNumber, verificationOfIdentity } = row
  return {
    representationId,
    partyId,
    representedBy,
    ...(subscriberId !== null && { subscriberId }),
    ...(firm !== null && { externalLawFirm: presentFirm(firm) }),
    ...(referenceNumber !== null && { referenceNumber }),
    ...(verificationOfIdentity !== null && { verificationOfIdentity }),
  }
}

const ADDRESS_PARTS = ['flat', 'name', 'number', 'street', 'locality', 'town', 'county', 'postcode'] as const

// In one order, for PostgreSQL keeps none and the ETag of a firm just given must be that of the firm when read.
function presentFirm({ name, address }: Firm): Firm {
  const given = ADDRESS_PARTS.filter((part) => address[part] !== undefined)
  return { name, address: Object.fromEntries(given.map((part) => [part, address[part]])) as FirmAddress }
}
