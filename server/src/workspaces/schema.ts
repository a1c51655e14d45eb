import { Id, PathId } from '../events/ids.ts'
import { Answer, Choice, Closed, PlainText, type Static, Text, Timestamp, Type, When } from '../platform/http/schema.ts'
import { SecurityAddressRequest } from './create-schema.ts'
import { representationParts } from './representation-shapes.ts'
import { CANCELLATION_REASONS } from './rules.ts'
import {
  AuditAttributes,
  addressParts,
  CompletionDate,
  PARTIES_MAX,
  PostcodeAnswer,
  partyParts,
  SearchStatus,
  Street,
  Tenure,
  TitleNumber,
  TransactionType,
  Turn,
  ValidationStatus,
  WorkspaceReferenceId,
  WorkspaceStatus,
} from './shapes.ts'

// What goes over the wire about workspaces that exist. Names and limits are those of the interface.

export const Reference = PlainText(1, 25, {
  description: 'The lender’s own name for the matter.',
  examples: ['REM-2026-0042'],
})

const OwnReference = PlainText(1, 25, {
  description: 'The number of the matter in your own system. Only you see it, and your reports show it.',
  examples: ['HC/2026/1187'],
})

const SecurityAddress = Answer(
  'SecurityAddress',
  { ...addressParts, street: Type.Optional(Street), postcode: PostcodeAnswer('EX4 3AN') },
  { description: 'The property that is charged.' },
)

const WorkspaceParty = Answer('WorkspaceParty', {
  ...partyParts,
  representation: Type.Optional(
    Answer(
      'PartyRepresentation',
      {
        ...representationParts,
        status: Type.Literal('ACTIVE', { description: 'Others are listed by `GET …/representation`.' }),
      },
      { description: 'The active one, where there is one.' },
    ),
  ),
})

const WorkspaceParticipant = Answer('WorkspaceParticipant', {
  subscriberId: Id.subscriberId,
  name: Type.String({
    minLength: 1,
    description: 'Under which the platform knows it.',
    examples: ['Harbour Conveyancing LLP'],
  }),
  role: Choice(['LENDER', 'CONVEYANCER'], { description: 'Who lends, or the law firm that acts.' }),
})

const WorkspaceTitle = Answer('WorkspaceTitle', {
  titleId: Id.titleId,
  titleNumber: TitleNumber(),
  tenure: Type.Optional(Tenure),
  lastTitleSearchStatus: SearchStatus,
})

const Cancellation = Answer(
  'WorkspaceCancellation',
  {
    reason: Choice(CANCELLATION_REASONS, { description: 'As the request gave it.' }),
    notes: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Its `cancellationNotesForOther`.',
        examples: ['The property was sold.'],
      }),
    ),
    at: Timestamp({ description: 'When it was cancelled.' }),
    by: Type.String({
      minLength: 1,
      description: 'The person of `X-Acting-User`, else the client id.',
      examples: ['case.handler@example.com'],
    }),
  },
  { description: 'Only of a `CANCELLED` workspace.' },
)

const Flag = (description: string) => Type.Boolean({ description })

export const Workspace = Answer('Workspace', {
  workspaceId: Id.workspaceId,
  workspaceReferenceId: WorkspaceReferenceId(),
  reference: Reference,
  ownReference: Type.Optional(OwnReference),
  status: WorkspaceStatus,
  transactionType: TransactionType,
  jurisdiction: Type.Literal('ENGLAND_WALES', { description: 'The only one so far.' }),
  securityAddress: SecurityAddress,
  parties: Type.Array(WorkspaceParty, {
    minItems: 1,
    maxItems: PARTIES_MAX,
    description: 'The borrowers in the order of the request, then the proprietors who leave.',
  }),
  participants: Type.Array(WorkspaceParticipant, {
    minItems: 2,
    maxItems: 2,
    description: 'The lender, then the law firm. Only they see the workspace.',
  }),
  titles: Type.Array(WorkspaceTitle, { maxItems: 1, description: 'Empty until a title number is given.' }),
  completionDate: Type.Optional(CompletionDate),
  transferOfEquity: Flag('Whether a proprietor comes or leaves, so that a transfer is lodged too.'),
  borrowersValidationStatus: ValidationStatus,
  readyForApproval: Flag('Whether the case waits for approval and passes every rule of `GET …/readiness`.'),
  canBeUnapproved: Flag('Whether the case is approved and no funds are authorised yet.'),
  canBeCancelled: Flag('Whether no money has moved, none is on its way, and the workspace has not ended.'),
  isLocked: Flag(
    'From `PREPARED` to `REQUISITIONED`: only its own files change, what a rejected case lodges, `isEffective` until the ' +
      'case is sent, and the discharge after an early completion.',
  ),
  hardLocked: Flag('From `FUNDS_AUTHORISED` to `REQUISITIONED`: taking back an approval opens nothing.'),
  turn: Type.Optional(Turn),
  cancellation: Type.Optional(Cancellation),
  auditAttributes: AuditAttributes,
})

export const WorkspacePath = Type.Object({ workspace_id: PathId.workspace_id })

export const UpdateWorkspaceRequest = Closed(
  {
    reference: Type.Optional(Reference),
    securityAddress: Type.Optional(SecurityAddressRequest),
    ownReference: Type.Optional(OwnReference),
  },
  { title: 'UpdateWorkspaceRequest', examples: [{ ownReference: 'HC/2026/1187' }] },
)

export const CancelWorkspaceRequest = Closed(
  {
    cancellationReason: Choice(CANCELLATION_REASONS, { description: 'Both sides read it in the timeline.' }),
    cancellationNotesForOther: Type.Optional(
      Text(1, 100, { description: 'Required for `OTHER`.', examples: ['The property was sold.'] }),
    ),
  },
  {
    title: 'CancelWorkspaceRequest',
    'x-contract': When(
      { properties: { cancellationReason: { const: 'OTHER' } } },
      { required: ['cancellationNotesForOther'] },
    ),
    examples: [{ cancellationReason: 'TITLE_COMPLICATIONS' }],
  },
)

export type Workspace = Static<typeof Workspace>
export type CancelWorkspaceRequest = Static<typeof CancelWorkspaceRequest>
