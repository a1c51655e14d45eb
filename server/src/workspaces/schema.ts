import {
  Answer,
  CalendarDate,
  Closed,
  OneOf,
  Page,
  PageQuery,
  type Static,
  Text,
  Timestamp,
  type TSchema,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import {
  AuditAttributes,
  addressParts,
  IndividualDetails,
  OrganisationDetails,
  PARTY_ROLES,
  PartyDetailsAnswer,
  Postcode,
  representationParts,
  SEARCH_STATUSES,
  Street,
  TitleNumber,
  VALIDATION_STATUSES,
} from './shapes.ts'
import { WORKSPACE_STATUSES } from './status.ts'

// What goes over the wire about workspaces. Names and limits are those of the interface.

const SecurityAddressRequest = Closed(
  { ...addressParts, street: Type.Optional(Street), postcode: Postcode() },
  { title: 'SecurityAddressRequest', description: 'At least one of `flat`, `name` and `number` is needed.' },
)

const ParticipantRequest = Closed(
  {
    id: Uuid({ description: 'The law firm that acts.', examples: ['20000000-0000-4000-8000-000000000001'] }),
    role: Type.Literal('CONVEYANCER'),
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
      type: Type.Literal(type),
      role: Type.Literal('BORROWER'),
      partyDetails,
      participants: Type.Array(ParticipantRequest, { minItems: 1, maxItems: 1 }),
    },
    { title },
  )

// What every branch requires is required beside them, too: so it is told even of a party whose type is missing or wrong.
const BorrowerRequest = OneOf(
  'type',
  [
    borrowerOf('INDIVIDUAL', 'IndividualBorrowerRequest', IndividualDetails),
    borrowerOf('ORGANISATION', 'OrganisationBorrowerRequest', OrganisationDetails),
  ],
  { required: ['type', 'role', 'partyDetails', 'participants'] },
)

export const CreateRemortgageWorkspaceRequest = Closed(
  {
    reference: Text(1, 25, { examples: ['REM-2026-0042'] }),
    property: Closed(
      {
        jurisdiction: Type.Optional(Type.Enum(['ENGLAND_WALES'], { default: 'ENGLAND_WALES' })),
        securityAddress: SecurityAddressRequest,
        titleNumber: Type.Optional(TitleNumber({ description: 'When given, the title search starts at once.' })),
      },
      { title: 'PropertyRequest' },
    ),
    parties: Type.Array(BorrowerRequest, {
      minItems: 1,
      maxItems: 4,
      description: 'One organisation, or one to four individuals. All name the same law firm.',
    }),
  },
  { title: 'CreateRemortgageWorkspaceRequest' },
)

export const CreateRemortgageWorkspaceAnswer = Answer('CreateRemortgageWorkspaceAnswer', {
  reference: Type.String({ examples: ['REM-2026-0042'] }),
  workspaceId: Uuid(),
  workspaceReferenceId: Type.String({ examples: ['LW260000042'] }),
})

const SecurityAddress = Answer('SecurityAddress', {
  ...addressParts,
  street: Type.Optional(Street),
  postcode: Type.String({ examples: ['EX4 3AN'] }),
})

export const Workspace = Answer('Workspace', {
  workspaceId: Uuid(),
  workspaceReferenceId: Type.String({ examples: ['LW260000042'] }),
  reference: Type.String({ examples: ['REM-2026-0042'] }),
  status: Type.Enum([...WORKSPACE_STATUSES]),
  transactionType: Type.Literal('REMORTGAGE'),
  jurisdiction: Type.Literal('ENGLAND_WALES'),
  securityAddress: SecurityAddress,
  parties: Type.Array(
    Answer('WorkspaceParty', {
      partyId: Uuid(),
      type: Type.Enum(['INDIVIDUAL', 'ORGANISATION']),
      role: Type.Enum([...PARTY_ROLES]),
      partyDetails: PartyDetailsAnswer,
      representation: Type.Optional(
        Answer(
          'PartyRepresentation',
          { ...representationParts, status: Type.Literal('ACTIVE') },
          { description: 'The active one, where there is one.' },
        ),
      ),
    }),
  ),
  participants: Type.Array(
    Answer('WorkspaceParticipant', {
      subscriberId: Uuid(),
      name: Type.String({ examples: ['Harbour Conveyancing LLP'] }),
      role: Type.Enum(['LENDER', 'CONVEYANCER']),
    }),
  ),
  titles: Type.Array(
    Answer('WorkspaceTitle', {
      titleId: Uuid(),
      titleNumber: Type.String({ examples: ['ST500678'] }),
      tenure: Type.Optional(Type.Enum(['FREEHOLD', 'LEASEHOLD'])),
      lastTitleSearchStatus: Type.Enum([...SEARCH_STATUSES]),
    }),
  ),
  completionDate: Type.Optional(CalendarDate()),
  transferOfEquity: Type.Boolean(),
  borrowersValidationStatus: Type.Enum([...VALIDATION_STATUSES]),
  readyForApproval: Type.Boolean(),
  canBeUnapproved: Type.Boolean(),
  canBeCancelled: Type.Boolean(),
  isLocked: Type.Boolean(),
  hardLocked: Type.Boolean(),
  auditAttributes: AuditAttributes,
})

const WorkspaceSummary = Answer('WorkspaceSummary', {
  workspaceId: Uuid(),
  workspaceReferenceId: Type.String({ examples: ['LW260000042'] }),
  reference: Type.String({ examples: ['REM-2026-0042'] }),
  status: Type.Enum([...WORKSPACE_STATUSES]),
  transactionType: Type.Literal('REMORTGAGE'),
  postcode: Type.String({ examples: ['EX4 3AN'] }),
  titleNumber: Type.Optional(Type.String({ examples: ['ST500678'] })),
  borrowersValidationStatus: Type.Enum([...VALIDATION_STATUSES]),
  completionDate: Type.Optional(CalendarDate()),
  createdAt: Timestamp(),
})

export const WorkspacePage = Page('WorkspacePage', WorkspaceSummary)

export const WorkspaceQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(Type.Enum([...WORKSPACE_STATUSES])),
  reference: Type.Optional(Text(1, 25, { examples: ['REM-2026-0042'] })),
  title_number: Type.Optional(TitleNumber()),
  postcode: Type.Optional(Postcode()),
})

export const WorkspacePath = Type.Object({ workspace_id: Uuid() })

export const CANCELLATION_REASONS = [
  'APPLICANT_DECIDED_NOT_TO_PROCEED',
  'TITLE_COMPLICATIONS',
  'LAW_FIRM_NO_LONGER_ACTING',
  'LENDER_DECIDED_NOT_TO_PROCEED',
  'LOAN_INVOLVES_MULTIPLE_TITLES',
  'OTHER',
] as const

export const CancelWorkspaceRequest = Closed(
  {
    cancellationReason: Type.Enum([...CANCELLATION_REASONS]),
    cancellationNotesForOther: Type.Optional(
      Text(1, 100, { description: 'Required for `OTHER`.', examples: ['The property was sold.'] }),
    ),
  },
  { title: 'CancelWorkspaceRequest', examples: [{ cancellationReason: 'TITLE_COMPLICATIONS' }] },
)

export const TimelinePage = Page(
  'TimelinePage',
  Answer('TimelineRecord', {
    at: Timestamp(),
    type: Type.String({ examples: ['WORKSPACE_CREATED'] }),
    by: Type.String({ examples: ['case.handler@example.com'] }),
    correlationId: Type.String({ examples: ['2f1a4c1e-8a55-4f0e-9a0e-6a3f1f6f9f10'] }),
    message: Type.String({ examples: ['A workspace was created.'] }),
  }),
)

export type CreateRemortgageWorkspaceRequest = Static<typeof CreateRemortgageWorkspaceRequest>
export type Workspace = Static<typeof Workspace>
export type WorkspaceSummary = Static<typeof WorkspaceSummary>
export type CancelWorkspaceRequest = Static<typeof CancelWorkspaceRequest>
