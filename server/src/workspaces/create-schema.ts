import { Id } from '../events/ids.ts'
import {
  Answer,
  Choice,
  Closed,
  OneOf,
  PlainText,
  type Static,
  type TSchema,
  Type,
  Uuid,
  When,
  Without,
} from '../platform/http/schema.ts'
import {
  AddressForServiceRequest,
  addressParts,
  IndividualDetails,
  OrganisationDetails,
  PropertyPostcode,
  Street,
  TitleNumber,
  WorkspaceReferenceId,
} from './shapes.ts'

// What goes over the wire when a workspace is created. Names and limits are those of the interface.

export const SecurityAddressRequest = Closed(
  { ...addressParts, street: Type.Optional(Street), postcode: PropertyPostcode },
  {
    title: 'SecurityAddressRequest',
    'x-contract': When(Without('flat', 'name'), { required: ['number'] }),
    description: 'The property that is charged. At least one of `flat`, `name` and `number` is needed.',
  },
)

const ParticipantRequest = Closed(
  {
    id: Uuid({
      description: 'The `subscriberId` of the law firm that acts: an active one.',
      examples: ['20000000-0000-4000-8000-000000000001'],
    }),
    role: Type.Literal('CONVEYANCER', { description: 'Acts for the borrowers and lodges the case.' }),
  },
  { title: 'ParticipantRequest' },
)

const borrowerOf = <const Kind extends string, Details extends TSchema>(
  type: Kind,
  title: string,
  partyDetails: Details,
) =>
  Closed(
    {
      type: Type.Literal(type, { description: 'Decides which `partyDetails` are expected.' }),
      role: Type.Literal('BORROWER', { description: 'Other roles come of title reconciliation.' }),
      partyDetails,
      addressForService: Type.Optional(AddressForServiceRequest),
      participants: Type.Array(ParticipantRequest, {
        minItems: 1,
        maxItems: 1,
        description: 'The law firm that acts. It sees the workspace from now on.',
      }),
    },
    { title },
  )

const BorrowerRequest = OneOf('type', [
  borrowerOf('INDIVIDUAL', 'IndividualBorrowerRequest', IndividualDetails),
  borrowerOf('ORGANISATION', 'OrganisationBorrowerRequest', OrganisationDetails),
])

const Reference = PlainText(1, 25, {
  description: 'Your own name for the matter. It need not be unique.',
  examples: ['REM-2026-0042'],
})

export const CreateRemortgageWorkspaceRequest = Closed(
  {
    reference: Reference,
    property: Closed(
      {
        jurisdiction: Type.Optional(
          Choice(['ENGLAND_WALES'], { default: 'ENGLAND_WALES', description: 'The only one so far.' }),
        ),
        securityAddress: SecurityAddressRequest,
        titleNumber: Type.Optional(
          TitleNumber({
            description: 'When given, the title search starts at once. Case and spaces do not matter.',
          }),
        ),
      },
      { title: 'PropertyRequest', description: 'Where it lies and, where known, its title.' },
    ),
    parties: Type.Array(BorrowerRequest, {
      minItems: 1,
      maxItems: 4,
      'x-contract': When(
        {
          contains: {
            properties: { type: { const: 'ORGANISATION', description: 'The rule for organisations.' } },
            required: ['type'],
          },
        },
        { maxItems: 1 },
      ),
      description: 'One organisation, or one to four individuals. All name the same law firm.',
    }),
  },
  { title: 'CreateRemortgageWorkspaceRequest' },
)

export const CreateRemortgageWorkspaceAnswer = Answer('CreateRemortgageWorkspaceAnswer', {
  reference: Reference,
  workspaceId: Id.workspaceId,
  workspaceReferenceId: WorkspaceReferenceId(),
})

export type CreateRemortgageWorkspaceRequest = Static<typeof CreateRemortgageWorkspaceRequest>
