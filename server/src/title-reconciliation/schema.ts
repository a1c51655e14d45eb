import { Id, PathId } from '../events/ids.ts'
import { Answer, Choice, Closed, OneOf, type Static, type TSchema, Type, Uuid } from '../platform/http/schema.ts'
import {
  AddressForService,
  AddressForServiceRequest,
  IndividualDetails,
  OrganisationDetails,
  PARTIES_MAX,
  PartyDetailsAnswer,
  PartyType,
  partyParts,
  ValidationStatus,
} from '../workspaces/shapes.ts'
import { NAME_MATCHES, REASONS } from './similarity.ts'

// The five actions, each a closed object of its own, with the discriminators `action` and then `type`.

const Action = <const Name extends string>(name: Name) =>
  Type.Literal(name, { description: 'What to do. It decides which other properties are expected.' })

function renameOf<
  const Name extends string,
  const IdName extends 'partyId' | 'proprietorId',
  const Details extends 'partyDetails' | 'proprietorDetails',
  More extends Record<string, TSchema> = Record<never, never>,
>(action: Name, title: string, id: IdName, details: Details, more = {} as More) {
  const branchOf = <const Kind extends string, Shape extends TSchema>(type: Kind, name: string, shape: Shape) =>
    Closed(
      {
        action: Action(action),
        [id]: Id[id],
        type: Type.Literal(type, { description: 'As it is recorded: it cannot be changed.' }),
        [details]: shape,
        ...more,
      } as Record<IdName, ReturnType<typeof Uuid>> &
        Record<Details, Shape> &
        More & { action: Type.TLiteral<Name>; type: Type.TLiteral<Kind> },
      { title: title.replace('Request', `${name}Request`) },
    )
  const branches = [
    branchOf('INDIVIDUAL', 'OfIndividual', IndividualDetails),
    branchOf('ORGANISATION', 'OfOrganisation', OrganisationDetails),
  ] as const
  return OneOf('type', branches, { title, properties: { action: { const: action } } })
}

const address = { addressForService: Type.Optional(AddressForServiceRequest) }

export const TitleReconciliationRequest = OneOf(
  'action',
  [
    renameOf('UPDATE_PARTY_NAME', 'UpdatePartyNameRequest', 'partyId', 'partyDetails', address),
    Closed(
      { action: Action('SET_AS_INCOMING_PROPRIETOR'), partyId: Id.partyId, ...address },
      { title: 'SetAsIncomingProprietorRequest' },
    ),
    Closed(
      { action: Action('SET_AS_OUTGOING_PROPRIETOR'), proprietorId: Id.proprietorId },
      { title: 'SetAsOutgoingProprietorRequest' },
    ),
    renameOf('UPDATE_PROPRIETOR_NAME', 'UpdateProprietorNameRequest', 'proprietorId', 'proprietorDetails'),
    renameOf(
      'UPDATE_OUTGOING_PROPRIETOR_NAME',
      'UpdateOutgoingProprietorNameRequest',
      'proprietorId',
      'proprietorDetails',
    ),
  ],
  { title: 'TitleReconciliationRequest' },
)

const ACTIONS = [
  'UPDATE_PARTY_NAME',
  'SET_AS_INCOMING_PROPRIETOR',
  'SET_AS_OUTGOING_PROPRIETOR',
  'UPDATE_PROPRIETOR_NAME',
  'UPDATE_OUTGOING_PROPRIETOR_NAME',
] as const satisfies TitleReconciliationRequest['action'][]

export const TitleReconciliationAnswer = Answer('TitleReconciliationAnswer', {
  action: Choice(ACTIONS, { description: 'What was done. What follows it is what it changed.' }),
  partyId: Type.Optional(Id.partyId),
  proprietorId: Type.Optional(Id.proprietorId),
  titleStatus: Type.Optional(
    Choice(['INCOMING', 'OUTGOING'], { description: 'Only where somebody was set to come or to leave.' }),
  ),
  type: Type.Optional(PartyType),
  partyDetails: Type.Optional(PartyDetailsAnswer('The new name of the party, by `type`.')),
  proprietorDetails: Type.Optional(PartyDetailsAnswer('The present name of the proprietor, by `type`.')),
  addressForService: Type.Optional(AddressForService),
})

const NameMatch = (description: string) => Choice(NAME_MATCHES, { description })

const MatchDetail = Answer(
  'MatchDetail',
  {
    surname: NameMatch('Against the linked proprietor, or the nearest unmatched one. `SKIPPED` where there is none.'),
    forenames: NameMatch('The same of the forenames. `SKIPPED` too where the surnames do not match.'),
  },
  { description: 'Part by part. Left out for organisations and while `PENDING`.' },
)

const Similarity = Answer('Similarity', {
  proprietorId: Id.proprietorId,
  reasons: Type.Array(Choice(REASONS), {
    minItems: 1,
    maxItems: REASONS.length,
    uniqueItems: true,
    description:
      'Few letters differ, it sounds alike, an initial or a middle name fits, or another name of theirs does.',
  }),
})

export const TitleReconciliation = Answer('TitleReconciliation', {
  borrowersValidationStatus: ValidationStatus,
  parties: Type.Array(
    Answer('ReconciledParty', {
      ...partyParts,
      match: Choice(['MATCH', 'MISMATCH', 'PENDING'], {
        description:
          '`MATCH` where it is linked to a proprietor, comes or leaves; `PENDING` before a search succeeded.',
      }),
      proprietorId: Type.Optional(Uuid({ description: 'The proprietor whom it is, will be or was. Where linked.' })),
      matchDetail: Type.Optional(MatchDetail),
      similarity: Type.Array(Similarity, {
        maxItems: PARTIES_MAX,
        description: 'Unmatched proprietors whose name is close. Shown, and never accepted for you.',
      }),
    }),
    {
      minItems: 1,
      maxItems: PARTIES_MAX,
      description: 'The borrowers in the order of the request, then the proprietors who leave.',
    },
  ),
  unmatchedProprietors: Type.Array(
    Answer('UnmatchedProprietor', {
      proprietorId: Id.proprietorId,
      type: PartyType,
      proprietorDetails: PartyDetailsAnswer('The present name, by `type`.'),
      registeredDetails: PartyDetailsAnswer('The name on the register, by `type`. The same unless it was changed.'),
    }),
    {
      maxItems: PARTIES_MAX,
      description: 'Those on the register whom no borrower is and who do not leave. While there are any, no approval.',
    },
  ),
})

export const ReconciliationPath = Type.Object({ workspace_id: PathId.workspace_id })

export const PartyPath = Type.Object({ workspace_id: PathId.workspace_id, party_id: PathId.party_id })

export type TitleReconciliationRequest = Static<typeof TitleReconciliationRequest>
export type TitleReconciliationAnswer = Static<typeof TitleReconciliationAnswer>
export type TitleReconciliation = Static<typeof TitleReconciliation>
