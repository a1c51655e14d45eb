import { Answer, Closed, Page, type Static, Text, Type, Uuid } from '../platform/http/schema.ts'
import {
  AuditAttributes,
  addressParts,
  ExternalLawFirm,
  Postcode,
  REPRESENTED_BY,
  ReferenceNumber,
  representationParts,
  Street,
  VERIFICATIONS,
} from '../workspaces/shapes.ts'
import { FAILURE_REASONS, REPRESENTATION_STATUSES } from './rules.ts'

// What goes over the wire about representation: interface.md 2.3. Which fields go together, rules.ts says.

const FirmAddressRequest = Closed(
  { ...addressParts, street: Street, postcode: Postcode() },
  { title: 'FirmAddressRequest' },
)

const firmParts = { name: Text(1, 160, { examples: ['Marsh & Hill Solicitors'] }), address: FirmAddressRequest }

export const AddRepresentationRequest = Closed(
  {
    partyId: Uuid(),
    representedBy: Type.Enum([...REPRESENTED_BY], {
      description: 'The subscriber of `PLATFORM_SUBSCRIBER_LAW_FIRM` is the one that the access token names.',
    }),
    externalLawFirm: Type.Optional(Closed(firmParts, { title: 'ExternalLawFirmRequest' })),
    representationId: Type.Optional(
      Uuid({ description: 'An external representation of this workspace, whose firm is to represent this party too.' }),
    ),
    referenceNumber: Type.Optional(ReferenceNumber()),
    verificationOfIdentity: Type.Optional(Type.Enum([...VERIFICATIONS])),
  },
  {
    title: 'AddRepresentationRequest',
    description:
      '`EXTERNAL_LAW_FIRM` takes either `representationId`, with or without a `referenceNumber` of its own, or ' +
      '`externalLawFirm` and `referenceNumber`. `NOT_REPRESENTED` takes `verificationOfIdentity` and needs it. ' +
      '`PLATFORM_SUBSCRIBER_LAW_FIRM` takes nothing else.',
    examples: [
      {
        partyId: '6f1c5e0a-3f0e-4c55-9a52-5d1f6f0b8a01',
        representedBy: 'EXTERNAL_LAW_FIRM',
        externalLawFirm: {
          name: 'Marsh & Hill Solicitors',
          address: { number: '12', street: 'Castle Street', town: 'Taunton', postcode: 'TA14AS' },
        },
        referenceNumber: 'MH/2026-118',
      },
    ],
  },
)

export const AddRepresentationAnswer = Answer('AddRepresentationAnswer', {
  workspaceId: Uuid(),
  partyId: Uuid(),
  representationId: Type.Optional(Uuid({ description: 'Only for `EXTERNAL_LAW_FIRM`; the list shows every one.' })),
  representedBy: Type.Enum([...REPRESENTED_BY]),
  subscriberId: Type.Optional(Uuid({ description: 'Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`.' })),
  externalLawFirm: Type.Optional(ExternalLawFirm),
  verificationOfIdentity: Type.Optional(Type.Enum([...VERIFICATIONS])),
})

export const UpdateRepresentationRequest = Closed(firmParts, { title: 'UpdateRepresentationRequest' })

export const UpdateRepresentationAnswer = Answer('UpdateRepresentationAnswer', {
  partyId: Uuid(),
  ...representationParts,
})

export const Representation = Answer('Representation', {
  workspaceId: Uuid(),
  partyId: Uuid(),
  ...representationParts,
  status: Type.Enum([...REPRESENTATION_STATUSES]),
  failureReason: Type.Optional(Type.Enum([...FAILURE_REASONS], { description: 'Only where it `FAILED`.' })),
  auditAttributes: AuditAttributes,
})

export const RepresentationPage = Page('RepresentationPage', Representation)

export const RepresentationsPath = Type.Object({ workspace_id: Uuid() })
export const RepresentationPath = Type.Object({ workspace_id: Uuid(), representation_id: Uuid() })

export type AddRepresentationRequest = Static<typeof AddRepresentationRequest>
export type AddRepresentationAnswer = Static<typeof AddRepresentationAnswer>
export type UpdateRepresentationRequest = Static<typeof UpdateRepresentationRequest>
export type UpdateRepresentationAnswer = Static<typeof UpdateRepresentationAnswer>
export type Representation = Static<typeof Representation>
