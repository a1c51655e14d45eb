import type { Fault } from '../platform/http/errors.ts'
import { Answer, Closed, OneOf, type Static, type TSchema, Type, Uuid } from '../platform/http/schema.ts'
import {
  IndividualDetails,
  OrganisationDetails,
  PARTY_ROLES,
  PartyDetailsAnswer,
  VALIDATION_STATUSES,
} from '../workspaces/shapes.ts'

// The five actions of interface.md 2.2, each a closed object of its own, told apart by `action` and then by `type`.

const types = Type.Enum(['INDIVIDUAL', 'ORGANISATION'])

function renameOf<
  const Action extends string,
  const Id extends 'partyId' | 'proprietorId',
  const Details extends 'partyDetails' | 'proprietorDetails',
>(action: Action, title: string, id: Id, details: Details) {
  const branchOf = <const Kind extends string, Shape extends TSchema>(type: Kind, name: string, shape: Shape) =>
    Closed(
      {
        action: Type.Literal(action),
        [id]: Uuid(),
        type: Type.Literal(type),
        [details]: shape,
      } as Record<Id, ReturnType<typeof Uuid>> &
        Record<Details, Shape> & { action: Type.TLiteral<Action>; type: Type.TLiteral<Kind> },
      { title: title.replace('Request', `${name}Request`) },
    )
  const branches = [
    branchOf('INDIVIDUAL', 'OfIndividual', IndividualDetails),
    branchOf('ORGANISATION', 'OfOrganisation', OrganisationDetails),
  ] as const
  // What stands beside the union is judged even where `type` is missing or wrong, so that all faults are told at once.
  return OneOf('type', branches, {
    title,
    required: ['action', id, 'type', details],
    properties: { action: { const: action }, [id]: Uuid(), type: types, [details]: { type: 'object' } },
  })
}

export const TitleReconciliationRequest = OneOf(
  'action',
  [
    renameOf('UPDATE_PARTY_NAME', 'UpdatePartyNameRequest', 'partyId', 'partyDetails'),
    Closed(
      { action: Type.Literal('SET_AS_INCOMING_PROPRIETOR'), partyId: Uuid() },
      { title: 'SetAsIncomingProprietorRequest' },
    ),
    Closed(
      { action: Type.Literal('SET_AS_OUTGOING_PROPRIETOR'), proprietorId: Uuid() },
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

const PROPERTIES = {
  UPDATE_PARTY_NAME: ['partyId', 'type', 'partyDetails'],
  SET_AS_INCOMING_PROPRIETOR: ['partyId'],
  SET_AS_OUTGOING_PROPRIETOR: ['proprietorId'],
  UPDATE_PROPRIETOR_NAME: ['proprietorId', 'type', 'proprietorDetails'],
  UPDATE_OUTGOING_PROPRIETOR_NAME: ['proprietorId', 'type', 'proprietorDetails'],
}

/** Properties that the action does not take, or that no action takes where the body names none: a union cannot tell. */
export function strangeProperties(body: unknown): Fault[] {
  const { action, ...given } = (body ?? {}) as Record<string, unknown>
  const taken = isAction(action) ? PROPERTIES[action] : Object.values(PROPERTIES).flat()
  const strange = Object.keys(given).filter((property) => !taken.includes(property))
  return strange.map((field) => ({ field, message: `${field} is not expected here.` }))
}

const isAction = (action: unknown): action is keyof typeof PROPERTIES =>
  typeof action === 'string' && Object.hasOwn(PROPERTIES, action)

export const TitleReconciliationAnswer = Answer('TitleReconciliationAnswer', {
  action: Type.Enum([
    'UPDATE_PARTY_NAME',
    'SET_AS_INCOMING_PROPRIETOR',
    'SET_AS_OUTGOING_PROPRIETOR',
    'UPDATE_PROPRIETOR_NAME',
    'UPDATE_OUTGOING_PROPRIETOR_NAME',
  ]),
  partyId: Type.Optional(Uuid()),
  proprietorId: Type.Optional(Uuid()),
  titleStatus: Type.Optional(Type.Enum(['INCOMING', 'OUTGOING'])),
  type: Type.Optional(types),
  partyDetails: Type.Optional(PartyDetailsAnswer),
  proprietorDetails: Type.Optional(PartyDetailsAnswer),
})

const Verdict = Type.Enum(['MATCH', 'PARTIAL_MATCH', 'NO_MATCH', 'SKIPPED'])

export const TitleReconciliation = Answer('TitleReconciliation', {
  borrowersValidationStatus: Type.Enum([...VALIDATION_STATUSES]),
  parties: Type.Array(
    Answer('ReconciledParty', {
      partyId: Uuid(),
      type: types,
      role: Type.Enum([...PARTY_ROLES]),
      partyDetails: PartyDetailsAnswer,
      match: Type.Enum(['MATCH', 'MISMATCH', 'PENDING']),
      proprietorId: Type.Optional(Uuid({ description: 'Where linked.' })),
      matchDetail: Type.Optional(Answer('MatchDetail', { surname: Verdict, forenames: Verdict })),
      similarity: Type.Array(
        Answer('Similarity', {
          proprietorId: Uuid(),
          reasons: Type.Array(Type.Enum(['DISTANCE', 'SOUND', 'INITIAL', 'MIDDLE', 'ALIAS'])),
        }),
        { description: 'Unmatched proprietors whose name is close. Shown, and never accepted for you.' },
      ),
    }),
  ),
  unmatchedProprietors: Type.Array(
    Answer('UnmatchedProprietor', {
      proprietorId: Uuid(),
      type: types,
      proprietorDetails: PartyDetailsAnswer,
      registeredDetails: PartyDetailsAnswer,
    }),
  ),
})

export const ReconciliationPath = Type.Object({ workspace_id: Uuid() })

export type TitleReconciliationRequest = Static<typeof TitleReconciliationRequest>
export type TitleReconciliationAnswer = Static<typeof TitleReconciliationAnswer>
export type TitleReconciliation = Static<typeof TitleReconciliation>
