import type { Schemas } from '../../../client/src/index.ts'
import { compareLetters, foldName } from '../ui/letters.ts'

type Reconciliation = Schemas['TitleReconciliation']
export type Party = Reconciliation['parties'][number]
export type Proprietor = Reconciliation['unmatchedProprietors'][number]
export type Details = Party['partyDetails']

/** A borrower and the proprietor whom they are, or one without the other. */
export type Row =
  /** `registered` is the name on the register, where the register could be read. */
  | { kind: 'agrees' | 'comes' | 'leaves'; party: Party; registered?: Details }
  | { kind: 'differs'; party: Party; proprietor: Proprietor; reasons: string[] }
  /** `candidates` are the proprietors whom nobody is either. */
  | { kind: 'order only'; party: Party; candidates: Proprietor[] }
  | { kind: 'register only'; proprietor: Proprietor }

/**
 * Who is opposite whom. Pairs come from the similarity that the service reports, never from the order of the names; the one
 * borrower and the one proprietor of a kind who are left over are compared as well.
 */
export function rowsOf({ parties, unmatchedProprietors }: Reconciliation, registeredNames: readonly Details[]): Row[] {
  const unmatched = parties.filter(({ match }) => match === 'MISMATCH')
  const pairs = new Map([...similarPairs(unmatched, unmatchedProprietors)])
  const free = unmatchedProprietors.filter(({ proprietorId }) => !isIn(pairs, proprietorId))
  for (const type of ['INDIVIDUAL', 'ORGANISATION'] as const) {
    const lone = unmatched.filter((party) => party.type === type && !pairs.has(party.partyId))
    const others = free.filter((proprietor) => proprietor.type === type)
    if (lone.length === 1 && others.length === 1 && lone[0] && others[0]) pairs.set(lone[0].partyId, others[0])
  }
  const left = unmatchedProprietors.filter(({ proprietorId }) => !isIn(pairs, proprietorId))
  const registered = registeredOf(parties, unmatchedProprietors, registeredNames)
  const rows = parties.map((party): Row => {
    const proprietor = pairs.get(party.partyId)
    if (proprietor) return { kind: 'differs', party, proprietor, reasons: reasonsOf(party, proprietor) }
    if (party.match === 'MISMATCH') {
      return { kind: 'order only', party, candidates: left.filter(({ type }) => type === party.type) }
    }
    const name = registered.get(party.partyId)
    return { kind: KIND[party.role], party, ...(name !== undefined && { registered: name }) }
  })
  return [...rows, ...left.map((proprietor): Row => ({ kind: 'register only', proprietor }))]
}

const KIND = { BORROWER: 'agrees', INCOMING_PROPRIETOR: 'comes', OUTGOING_PROPRIETOR: 'leaves' } as const

const isIn = (pairs: Map<string, Proprietor>, proprietorId: string) =>
  [...pairs.values()].some((one) => one.proprietorId === proprietorId)

/** One to one, those with the fewest differing letters first. */
function similarPairs(parties: readonly Party[], proprietors: readonly Proprietor[]): Map<string, Proprietor> {
  const pairs = new Map<string, Proprietor>()
  const near = parties.flatMap((party) =>
    party.similarity.flatMap(({ proprietorId }) =>
      proprietors
        .filter((one) => one.proprietorId === proprietorId)
        .map((proprietor) => ({ party, proprietor, letters: lettersBetween(party, proprietor) })),
    ),
  )
  for (const { party, proprietor } of near.toSorted((a, b) => a.letters - b.letters)) {
    if (!pairs.has(party.partyId) && !isIn(pairs, proprietor.proprietorId)) pairs.set(party.partyId, proprietor)
  }
  return pairs
}

const lettersBetween = (party: Party, proprietor: Proprietor) =>
  compareLetters(nameOf(party.partyDetails), nameOf(proprietor.proprietorDetails)).letters

/** Why two names may be the same person's, in words. */
export function reasonsOf(party: Party, proprietor: Proprietor): string[] {
  const [ours, theirs] = [nameOf(party.partyDetails), nameOf(proprietor.proprietorDetails)]
  const reasons = party.similarity.find(({ proprietorId }) => proprietorId === proprietor.proprietorId)?.reasons ?? []
  if (wordsIn(ours).sort().join(' ') === wordsIn(theirs).sort().join(' ')) return ['the same words in another order']
  if (reasons.length > 0) return reasons.map((reason) => REASONS[reason](compareLetters(ours, theirs).letters))
  const { surname, forenames } = party.matchDetail ?? {}
  if (surname === 'MATCH' && forenames === 'NO_MATCH') return ['the surname agrees, the forenames do not']
  if (surname === 'PARTIAL_MATCH' && forenames === 'NO_MATCH') return ['the surname is close, the forenames are not']
  if (forenamesOf(party.partyDetails) === forenamesOf(proprietor.proprietorDetails)) {
    return ['the forenames agree, the surname does not']
  }
  return wordsIn(ours).some((word) => wordsIn(theirs).includes(word)) ? ['little in common'] : ['nothing in common']
}

type Reason = Party['similarity'][number]['reasons'][number]

const REASONS: Record<Reason, (letters: number) => string> = {
  DISTANCE: (letters) => (letters === 1 ? 'one letter differs' : `${letters} letters differ`),
  SOUND: () => 'sounds alike',
  INITIAL: () => 'only an initial is given',
  MIDDLE: () => 'goes by a middle name',
  ALIAS: () => 'also known by this name on the register',
}

const forenamesOf = (details: Details) => ('forenames' in details ? foldName(details.forenames) : nameOf(details))

const wordsIn = (name: string) => foldName(name).split(' ')

/**
 * Which name of the register a linked party has: the equal one. The last party goes with the last name: that name was
 * changed. Where several are left nobody can say which is whose.
 */
function registeredOf(
  parties: readonly Party[],
  unmatched: readonly Proprietor[],
  names: readonly Details[],
): Map<string, Details> {
  const free = [...names]
  const take = (details: Details): Details | undefined => {
    const at = free.findIndex((one) => foldName(nameOf(one)) === foldName(nameOf(details)))
    return at < 0 ? undefined : free.splice(at, 1)[0]
  }
  for (const { registeredDetails } of unmatched) take(registeredDetails)
  const linked = parties.filter(({ match, role }) => match === 'MATCH' && role !== 'INCOMING_PROPRIETOR')
  const found = new Map<string, Details>()
  const renamed = linked.filter(({ partyId, partyDetails }) => {
    const name = take(partyDetails)
    if (name) found.set(partyId, name)
    return !name
  })
  if (renamed.length === 1 && free.length === 1 && renamed[0] && free[0]) found.set(renamed[0].partyId, free[0])
  return found
}

export const nameOf = (details: Details): string =>
  'organisationName' in details ? details.organisationName : `${details.forenames} ${details.surname}`.trim()
