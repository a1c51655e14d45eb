// Who is who: which borrower is which proprietor without anybody's help, and whom to compare the others with.
import type { Individual, Name } from '../workspaces/names.ts'
import { isSameName, normaliseIndividual, normaliseOrganisation, type Registered } from './names.ts'
import { distance, matchDetailOf, type NameMatch, reasonsOf } from './similarity.ts'

export type Link = { partyId: string; proprietorId: string }
type Party = { partyId: string; name: Name }
type Proprietor<N extends Name = Name> = { proprietorId: string; name: Registered<N> }

/**
 * Links each party to the first proprietor of the same name that no earlier party has: one to one, and in their order.
 * Equal registration numbers go before equal names. A blank name, which the register may hold, is nobody's.
 */
export function pair(parties: readonly Party[], proprietors: readonly Proprietor[]): Link[] {
  const byNumber = pairWhere(haveSameNumber, parties, proprietors)
  const byName = pairWhere(
    (a, b) => !isBlank(a) && isSameName(a, b),
    parties.filter(({ partyId }) => !byNumber.some((link) => link.partyId === partyId)),
    proprietors.filter(({ proprietorId }) => !byNumber.some((link) => link.proprietorId === proprietorId)),
  )
  const order = new Map(parties.map(({ partyId }, i) => [partyId, i]))
  return [...byNumber, ...byName].sort((a, b) => (order.get(a.partyId) ?? 0) - (order.get(b.partyId) ?? 0))
}

/**
 * The unmatched proprietor whom the party most likely is. First one whose whole name is near, then by surname, by
 * forenames, by the letters that differ; of equals, the one whom the register names first.
 */
export function nearestOf<P extends Proprietor>(
  party: Individual,
  unmatched: readonly P[],
): (P & Proprietor<Individual>) | undefined {
  const individuals = unmatched.filter((one): one is P & Proprietor<Individual> => one.name.type === 'INDIVIDUAL')
  const ranked = individuals.map((proprietor) => ({ proprietor, rank: rankOf(party, proprietor.name) }))
  return ranked.sort((a, b) => firstDifference(a.rank, b.rank))[0]?.proprietor
}

function pairWhere(
  belong: (a: Name, b: Name) => boolean,
  parties: readonly Party[],
  proprietors: readonly Proprietor[],
) {
  const free = [...proprietors]
  return parties.flatMap(({ partyId, name }): Link[] => {
    const at = free.findIndex((proprietor) => belong(name, proprietor.name))
    return at < 0 ? [] : free.splice(at, 1).map(({ proprietorId }) => ({ partyId, proprietorId }))
  })
}

function haveSameNumber(a: Name, b: Name): boolean {
  if (a.type !== 'ORGANISATION' || b.type !== 'ORGANISATION') return false
  const number = normaliseOrganisation(a).registrationNumber
  return number !== undefined && number === normaliseOrganisation(b).registrationNumber
}

const isBlank = (name: Name) =>
  name.type === 'INDIVIDUAL' ? wholeOf(name) === '' : normaliseOrganisation(name).organisationName === ''

function wholeOf(name: Individual): string {
  const { forenames, surname } = normaliseIndividual(name)
  return `${forenames} ${surname}`.trim()
}

const MATCH_RANK: Record<NameMatch, number> = { MATCH: 0, PARTIAL_MATCH: 1, NO_MATCH: 2, SKIPPED: 3 }

function rankOf(party: Individual, proprietor: Registered<Individual>): number[] {
  const { surname, forenames } = matchDetailOf(party, proprietor)
  const isNear = isSameName(party, proprietor) || reasonsOf(party, proprietor).length > 0
  return [isNear ? 0 : 1, MATCH_RANK[surname], MATCH_RANK[forenames], distance(wholeOf(party), wholeOf(proprietor))]
}

function firstDifference(a: number[], b: number[]): number {
  const at = a.findIndex((rank, i) => rank !== b[i])
  return (a[at] ?? 0) - (b[at] ?? 0)
}
