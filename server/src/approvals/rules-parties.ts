import { Value } from 'typebox/value'
import {
  linkedParties,
  PROPRIETORS_MAX,
  proprietorCount,
  unmatchedProprietors,
} from '../title-reconciliation/rules-links.ts'
import { detailsOf, type Name } from '../workspaces/names.ts'
import type { Party, Proprietor } from '../workspaces/ownership.ts'
import { IndividualDetails, OrganisationDetails } from '../workspaces/shapes.ts'
import type { Fix } from './rules-advice.ts'
import { type Finding, failed, passed, type ReadinessFacts, type Rule } from './rules-facts.ts'

// The rules about the title, the parties and who represents them.

const BLOCKING = { approval: 'LODGEMENT', kind: 'BLOCKING' } as const

export const PARTY_RULES = {
  'title-must-be-valid': {
    ...BLOCKING,
    checks: 'The workspace has a title, and the registry has answered its search.',
    fixedBy: ['add a title'],
    review: ({ searchStatus }) => {
      switch (searchStatus) {
        case null:
          return [failed('titles', 'The workspace has no title.', { do: 'add a title', says: 'add one' })]
        case 'FAILED':
          return [failed('titles[0]', 'The title search failed.', { do: 'add a title', says: 'add another title' })]
        case 'SUCCESS':
          return [passed('titles[0]', 'The registry has the title.')]
        default:
          return [failed('titles[0]', 'The registry has not answered the title search yet.')]
      }
    },
  },

  'all-proprietors-matched-to-borrowers': {
    ...BLOCKING,
    checks:
      'Each borrower is a registered proprietor or an incoming one; each proprietor is a borrower or an outgoing one.',
    fixedBy: ['reconcile'],
    review: (facts) => [
      ...facts.parties.map((party, i) => matched(`parties[${i}]`, party, facts)),
      ...unmatchedProprietors(facts).map((proprietor, i) => {
        const problem = 'No borrower has the name of this registered proprietor.'
        const fixes = [...renames(unmatchedBorrowers(facts), [proprietor]), outgoing(proprietor)]
        return failed(`unmatchedProprietors[${i}]`, problem, ...fixes)
      }),
    ],
  },

  'proprietor-count': {
    ...BLOCKING,
    checks: `The title will have 1 to ${PROPRIETORS_MAX} proprietors.`,
    fixedBy: ['reconcile', 'remove role'],
    review: (facts) => {
      if (!facts.searched) return [failed('parties', NO_SEARCH)]
      const count = proprietorCount(facts)
      const wanted = `1 to ${PROPRIETORS_MAX} proprietors`
      if (count >= 1 && count <= PROPRIETORS_MAX) return [passed('parties', `The title will have ${wanted}.`)]
      const problem = `A title must have ${wanted}: this one would have ${count}.`
      return [
        failed(
          'parties',
          problem,
          ...(count < 1 ? [...anyIncoming(facts), ...anyStays(facts.parties)] : anyOutgoing(facts)),
        ),
      ]
    },
  },

  'party-representation-type-is-valid': {
    ...BLOCKING,
    checks: 'Each party has an active representation. That it is not represented is one.',
    fixedBy: ['represent'],
    review: ({ parties, representations }) =>
      parties.map(({ partyId }, i) => {
        const field = `parties[${i}].representation`
        if (representations.some((one) => one.partyId === partyId)) {
          return passed(field, 'This party has an active representation.')
        }
        return failed(field, 'This party has no active representation.', { do: 'represent', partyId, says: 'add one' })
      }),
  },
} as const satisfies Record<string, Rule>

const NO_SEARCH = 'No title search has succeeded yet, so the registered proprietors are not known.'

// A proprietor whom a party is, or represents, is covered by that party.
function matched(field: string, party: Party, facts: ReadinessFacts): Finding {
  if (party.role === 'INCOMING_PROPRIETOR') return passed(field, 'This party is an incoming proprietor.')
  if (party.role === 'OUTGOING_PROPRIETOR') return passed(field, 'This party is an outgoing proprietor.')
  if (linkedParties(facts).has(party.partyId)) return passed(field, 'This borrower is a registered proprietor.')
  if (!facts.searched) return failed(field, NO_SEARCH)
  const problem = 'No registered proprietor has the name of this borrower.'
  return failed(field, problem, ...renames([party], unmatchedProprietors(facts)), incoming(party))
}

const unmatchedBorrowers = (facts: ReadinessFacts) => {
  const linked = linkedParties(facts)
  return facts.parties.filter(({ role, partyId }) => role === 'BORROWER' && !linked.has(partyId))
}

/** A borrower is given the name of a proprietor, or the other way round, where the two can be the same. */
function renames(parties: readonly Party[], proprietors: readonly Proprietor[]): Fix[] {
  for (const { partyId, name } of parties) {
    const proprietor = proprietors.find((one) => one.name.type === name.type)
    if (!proprietor) continue
    const { proprietorId, name: registered } = proprietor
    const { type } = name
    const party: Fix = {
      do: 'reconcile',
      action: { action: 'UPDATE_PARTY_NAME', partyId, type, partyDetails: detailsOf(registered) },
      says: 'rename the borrower as the register has it',
    }
    const present: Fix = {
      do: 'reconcile',
      action: { action: 'UPDATE_PROPRIETOR_NAME', proprietorId, type, proprietorDetails: detailsOf(name) },
      says: 'give the proprietor its present name',
    }
    return [...(canBeGiven(registered) ? [party] : []), ...(canBeGiven(name) ? [present] : [])]
  }
  return []
}

/** A register, and an order of an earlier version, may have names that a request may not have now. */
export const canBeGiven = (name: Name): boolean =>
  Value.Check(name.type === 'INDIVIDUAL' ? IndividualDetails : OrganisationDetails, detailsOf(name))

const outgoing = ({ proprietorId }: Proprietor): Fix => ({
  do: 'reconcile',
  action: { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId },
  says: 'set the proprietor as outgoing',
})

const incoming = ({ partyId }: Party): Fix => ({
  do: 'reconcile',
  action: { action: 'SET_AS_INCOMING_PROPRIETOR', partyId },
  says: 'set the borrower as an incoming proprietor',
})

/** One is enough to say so. */
const anyIncoming = (facts: ReadinessFacts): Fix[] =>
  unmatchedBorrowers(facts)
    .slice(0, 1)
    .map((party) => ({ ...incoming(party), says: 'set a borrower as an incoming proprietor' }))

const anyOutgoing = (facts: ReadinessFacts): Fix[] =>
  unmatchedProprietors(facts)
    .slice(0, 1)
    .map((proprietor) => ({ ...outgoing(proprietor), says: 'set a proprietor as outgoing' }))

export const anyStays = (parties: ReadinessFacts['parties']): Fix[] =>
  parties
    .filter(({ role }) => role === 'OUTGOING_PROPRIETOR')
    .slice(0, 1)
    .map(({ partyId }) => ({ do: 'remove role', partyId, says: 'undo that a proprietor is outgoing' }))
