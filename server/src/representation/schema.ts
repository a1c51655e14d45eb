import { Id, PathId } from '../events/ids.ts'
import {
  Answer,
  Choice,
  Closed,
  NameText,
  Page,
  type Static,
  Type,
  Uuid,
  When,
  Without,
} from '../platform/http/schema.ts'
import {
  ExternalLawFirm,
  FIRM_NAME_CHARACTERS_MAX,
  REPRESENTED_BY,
  RepresentedBy,
  representationParts,
  Verification,
} from '../workspaces/representation-shapes.ts'
import { AuditAttributes, addressParts, Postcode, ReferenceNumber, Street } from '../workspaces/shapes.ts'
import { FAILURE_REASONS, REPRESENTATION_STATUSES } from './rules.ts'

// What goes over the wire about representation. Which fields go together, rules.ts says.

const FirmAddressRequest = Closed(
  { ...addressParts, street: Street, postcode: Postcode() },
  { title: 'FirmAddressRequest', description: 'The address of the firm, as it is sent to the registry.' },
)

const firmParts = {
  name: NameText(1, FIRM_NAME_CHARACTERS_MAX, {
    description: 'Under which the firm practises.',
    examples: ['Marsh & Hill Solicitors'],
  }),
  address: FirmAddressRequest,
}

const isBy = (representedBy: (typeof REPRESENTED_BY)[number]) => ({
  properties: { representedBy: { const: representedBy, description: `The rule for \`${representedBy}\`.` } },
})

const rules = [
  When(isBy('PLATFORM_SUBSCRIBER_LAW_FIRM'), Without('externalLawFirm', 'representationId', 'verificationOfIdentity')),
  When(isBy('EXTERNAL_LAW_FIRM'), {
    ...Without('verificationOfIdentity'),
    ...When({ required: ['representationId'] }, Without('externalLawFirm'), {
      required: ['externalLawFirm', 'referenceNumber'],
    }),
  }),
  When(isBy('NOT_REPRESENTED'), {
    ...Without('externalLawFirm', 'representationId', 'referenceNumber'),
    required: ['verificationOfIdentity'],
  }),
]

export const AddRepresentationRequest = Closed(
  {
    partyId: Uuid({ description: 'A party of the workspace, of whatever role.' }),
    representedBy: Choice(REPRESENTED_BY, {
      description: 'The subscriber of `PLATFORM_SUBSCRIBER_LAW_FIRM` is the one that the access token names.',
    }),
    externalLawFirm: Type.Optional(
      Closed(firmParts, {
        title: 'ExternalLawFirmRequest',
        description: 'The firm, where this workspace does not know it yet; else `representationId` names it.',
      }),
    ),
    representationId: Type.Optional(
      Uuid({ description: 'An external representation of this workspace, whose firm is to represent this party too.' }),
    ),
    referenceNumber: Type.Optional(
      ReferenceNumber(
        'What the firm, your own or the external one, files it under. Left out with `representationId`: the same as there.',
      ),
    ),
    verificationOfIdentity: Type.Optional(Verification),
  },
  {
    title: 'AddRepresentationRequest',
    'x-contract': { allOf: rules },
    description:
      '`EXTERNAL_LAW_FIRM` takes either `representationId`, with or without a `referenceNumber` of its own, or ' +
      '`externalLawFirm` and `referenceNumber`. `NOT_REPRESENTED` takes `verificationOfIdentity` and needs it. ' +
      '`PLATFORM_SUBSCRIBER_LAW_FIRM` takes a `referenceNumber`, your own, and nothing else.',
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
  workspaceId: Id.workspaceId,
  partyId: Id.partyId,
  representationId: Type.Optional(Uuid({ description: 'Only for `EXTERNAL_LAW_FIRM`; the list shows every one.' })),
  representedBy: RepresentedBy,
  subscriberId: Type.Optional(Uuid({ description: 'Your own. Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`.' })),
  externalLawFirm: Type.Optional(ExternalLawFirm),
  verificationOfIdentity: Type.Optional(Verification),
})

export const UpdateRepresentationRequest = Closed(firmParts, { title: 'UpdateRepresentationRequest' })

export const UpdateRepresentationAnswer = Answer('UpdateRepresentationAnswer', {
  partyId: Id.partyId,
  ...representationParts,
})

export const Representation = Answer('Representation', {
  workspaceId: Id.workspaceId,
  partyId: Id.partyId,
  ...representationParts,
  status: Choice(REPRESENTATION_STATUSES, {
    description: '`QUEUED` at first, soon `ACTIVE` or `FAILED`; `SUPERSEDED` by a later one of the same party.',
  }),
  failureReason: Type.Optional(
    Choice(FAILURE_REASONS, { description: 'What had changed since it was queued. Only where it `FAILED`.' }),
  ),
  auditAttributes: AuditAttributes,
})

export const RepresentationPage = Page('RepresentationPage', Representation)

export const RepresentationsPath = Type.Object({ workspace_id: PathId.workspace_id })
export const RepresentationPath = Type.Object({
  workspace_id: PathId.workspace_id,
  representation_id: PathId.representation_id,
})

export type AddRepresentationRequest = Static<typeof AddRepresentationRequest>
export type AddRepresentationAnswer = Static<typeof AddRepresentationAnswer>
export type UpdateRepresentationRequest = Static<typeof UpdateRepresentationRequest>
export type UpdateRepresentationAnswer = Static<typeof UpdateRepresentationAnswer>
export type Representation = Static<typeof Representation>
