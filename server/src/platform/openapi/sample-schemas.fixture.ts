import { Answer, CalendarDate, Choice, Closed, Email, Text, Timestamp, Type, Uuid } from '../http/schema.ts'

// Schemas of the kinds that the interface has: nested, shared by title, unions within unions.

export const Reference = Text(1, 25, { examples: ['REM-2026-0117'], description: 'Your own name for it.' })
export const WorkspaceId = Uuid({ description: 'The workspace.' })
export const FileId = Uuid({ description: 'The file.' })
const PartyId = Uuid({ description: 'The party.' })

export const Status = Choice(['CREATED', 'PREPARED', 'CLOSED'], { description: 'How far it has come.' })

const Address = Closed(
  {
    street: Text(1, 60, { description: 'Without the number.' }),
    town: Text(1, 30, { description: 'The post town.' }),
    postcode: Type.String({
      pattern: '^[A-Z0-9]{2,4} [0-9][A-Z]{2}$',
      description: 'With one space.',
      examples: ['EX1 1AA'],
    }),
  },
  { title: 'Address', description: 'An address in England or Wales.' },
)

const Individual = Closed(
  {
    forenames: Text(1, 90, { description: 'All of them.' }),
    surname: Text(1, 50, { description: 'The family name.' }),
  },
  { title: 'IndividualName', description: 'The name of a person.' },
)
const Organisation = Closed(
  { organisationName: Text(1, 160, { description: 'In full.' }) },
  { title: 'OrganisationName', description: 'The name of an organisation.' },
)

export const Workspace = Answer('Workspace', {
  workspaceId: WorkspaceId,
  reference: Reference,
  status: Status,
  securityAddress: Address,
  parties: Type.Array(
    Answer('Party', {
      partyId: PartyId,
      details: Type.Union([Individual, Organisation], { description: 'By its type.' }),
    }),
    { maxItems: 4, description: 'Who borrows.' },
  ),
  completionDate: Type.Optional(CalendarDate({ description: 'When the money moves.' })),
  transactionValue: Type.Number({
    minimum: 0,
    maximum: 999_999_999_999.99,
    multipleOf: 0.01,
    description: 'In pounds.',
    examples: [250_000.5],
  }),
  createdAt: Timestamp({ description: 'When it was created.' }),
})

export const CreateWorkspaceRequest = Closed(
  {
    reference: Reference,
    property: Closed(
      {
        securityAddress: Address,
        titleNumber: Type.Optional(
          Type.String({
            pattern: '^[A-Z]{0,3}[0-9]{1,6}$',
            description: 'Without spaces.',
            examples: ['ST500678'],
          }),
        ),
      },
      { description: 'What is charged.' },
    ),
    contact: Type.Optional(Email({ description: 'Whom to ask.' })),
    parties: Type.Array(
      Closed({
        role: Type.Literal('BORROWER', { description: 'The only one.' }),
        participants: Type.Array(Closed({ id: Uuid({ description: 'The law firm.' }) }), {
          minItems: 1,
          maxItems: 1,
          description: 'Who acts.',
        }),
      }),
      { minItems: 1, maxItems: 4, description: 'Who borrows.' },
    ),
  },
  { title: 'CreateWorkspaceRequest' },
)

const Action = (name: string) => Type.Literal(name, { description: 'What to do.' })

const renameAs = (type: string, details: object, title: string) =>
  Closed(
    {
      action: Action('UPDATE_PARTY_NAME'),
      partyId: PartyId,
      type: Type.Literal(type, { description: 'Which details follow.' }),
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
      { action: Action('SET_AS_INCOMING_PROPRIETOR'), partyId: PartyId },
      { title: 'SetAsIncomingProprietorRequest' },
    ),
  ],
})

export const OneWorkspace = Type.Object({ workspace_id: WorkspaceId })
export const Binary = Type.Unsafe<unknown>({ type: 'string', format: 'binary' })

export const TokenRequest = Type.Object(
  {
    grant_type: Type.Literal('client_credentials', { description: 'The only one.' }),
    scope: Type.Optional(Type.String({ description: 'All when left out.' })),
  },
  { maxProperties: 10 },
)

export const Token = Answer('Token', {
  access_token: Type.String({ description: 'To be sent with each request.' }),
  token_type: Type.Literal('Bearer', { description: 'How it is sent.' }),
  expires_in: Type.Integer({ description: 'In seconds.' }),
})

export const TokenError = Answer('TokenError', {
  error: Type.String({ description: 'By RFC 6749.', examples: ['invalid_client'] }),
  error_description: Type.String({ description: 'For people.' }),
})
