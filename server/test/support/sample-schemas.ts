import { Answer, CalendarDate, Closed, Email, Text, Timestamp, Type, Uuid } from '../../src/platform/http/schema.ts'

// Schemas of the kinds that the interface has: nested, shared by title, unions within unions.

export const Reference = Text(1, 25, { examples: ['REM-2026-0117'], description: 'Your own name for it.' })

const Address = Closed(
  {
    street: Text(1, 60),
    town: Text(1, 30),
    postcode: Type.String({ pattern: '^[A-Z0-9]{2,4} [0-9][A-Z]{2}$', examples: ['EX1 1AA'] }),
  },
  { title: 'Address', description: 'An address in England or Wales.' },
)

const Individual = Closed({ forenames: Text(1, 90), surname: Text(1, 50) }, { title: 'IndividualName' })
const Organisation = Closed({ organisationName: Text(1, 160) }, { title: 'OrganisationName' })

export const Workspace = Answer('Workspace', {
  workspaceId: Uuid(),
  reference: Reference,
  status: Type.Enum(['CREATED', 'PREPARED', 'CLOSED']),
  securityAddress: Address,
  parties: Type.Array(Answer('Party', { partyId: Uuid(), details: Type.Union([Individual, Organisation]) }), {
    maxItems: 4,
  }),
  completionDate: Type.Optional(CalendarDate()),
  transactionValue: Type.Number({ minimum: 0, maximum: 999_999_999_999.99, multipleOf: 0.01, examples: [250_000.5] }),
  createdAt: Timestamp(),
})

export const CreateWorkspaceRequest = Closed(
  {
    reference: Reference,
    property: Closed({
      securityAddress: Address,
      titleNumber: Type.Optional(Type.String({ pattern: '^[A-Z]{0,3}[0-9]{1,6}$', examples: ['ST500678'] })),
    }),
    contact: Type.Optional(Email()),
    parties: Type.Array(
      Closed({
        role: Type.Literal('BORROWER'),
        participants: Type.Array(Closed({ id: Uuid() }), { minItems: 1, maxItems: 1 }),
      }),
      { minItems: 1, maxItems: 4 },
    ),
  },
  { title: 'CreateWorkspaceRequest' },
)

const renameAs = (type: string, details: object, title: string) =>
  Closed(
    {
      action: Type.Literal('UPDATE_PARTY_NAME'),
      partyId: Uuid(),
      type: Type.Literal(type),
      partyDetails: Type.Unsafe(details),
    },
    { title },
  )

export const ReconcileRequest = Type.Unsafe({
  title: 'ReconcileRequest',
  type: 'object',
  required: ['action'],
  discriminator: { propertyName: 'action' },
  oneOf: [
    {
      title: 'UpdatePartyNameRequest',
      type: 'object',
      required: ['action', 'type'],
      properties: { action: { const: 'UPDATE_PARTY_NAME' } },
      discriminator: { propertyName: 'type' },
      oneOf: [
        renameAs('INDIVIDUAL', Individual, 'UpdateIndividualNameRequest'),
        renameAs('ORGANISATION', Organisation, 'UpdateOrganisationNameRequest'),
      ],
    },
    Closed(
      { action: Type.Literal('SET_AS_INCOMING_PROPRIETOR'), partyId: Uuid() },
      { title: 'SetAsIncomingProprietorRequest' },
    ),
  ],
})

export const OneWorkspace = Type.Object({ workspace_id: Uuid({ description: 'The workspace.' }) })
export const Binary = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })

export const TokenError = Answer('TokenError', {
  error: Type.String({ examples: ['invalid_client'] }),
  error_description: Type.String(),
})
