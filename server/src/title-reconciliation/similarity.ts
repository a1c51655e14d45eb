// HM Land Registry's near-match rules, as its Online Owner Verification service publishes them. Near is only shown.
//
// How they are read here: a name is near as a whole. The surnames must be equal or near, and so must the forenames;
// the reasons are those of whatever differs. A part that is neither leaves no reason at all: that is why Bill Prynne
// is not near to William Prynne, however equal the surnames.
import type { Individual, Name, Organisation } from '../workspaces/names.ts'
import {
  hasSameLetters,
  isSameName,
  normalise,
  normaliseIndividual,
  normaliseOrganisation,
  type Registered,
} from './names.ts'
import { soundsLike } from './sound.ts'

export const REASONS = ['DISTANCE', 'SOUND', 'INITIAL', 'MIDDLE', 'ALIAS'] as const
export type Reason = (typeof REASONS)[number]
export const NAME_MATCHES = ['MATCH', 'PARTIAL_MATCH', 'NO_MATCH', 'SKIPPED'] as const
export type NameMatch = (typeof NAME_MATCHES)[number]
export type MatchDetail = { surname: NameMatch; forenames: NameMatch }

/** Why two names that are not the same are near; nothing when they are not. */
export function reasonsOf(party: Name, proprietor: Registered): Reason[] {
  if (isSameName(party, proprietor)) return []
  const reasons = new Set(unsortedReasonsOf(party, proprietor))
  return REASONS.filter((reason) => reasons.has(reason))
}

/** How surname and forenames compare, each by itself. With nobody to compare with, both are skipped. */
export function matchDetailOf(party: Individual, nearest: Registered<Individual> | undefined): MatchDetail {
  if (nearest === undefined) return { surname: 'SKIPPED', forenames: 'SKIPPED' }
  const { surname, forenames } = compare(party, nearest)
  return { surname: surname.match, forenames: forenames.match }
}

/** The fewest letters to add, drop or change that turn one text into the other. Above the limit it stops counting. */
export function distance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  const [ours, theirs] = [[...a], [...b]]
  if (Math.abs(ours.length - theirs.length) > limit) return limit + 1
  let above = [...theirs.keys(), theirs.length]
  for (const [i, letter] of ours.entries()) {
    const row = [i + 1]
    let [left, least] = [i + 1, i + 1]
    for (let j = 0; j < theirs.length; j++) {
      left = Math.min((above[j] ?? 0) + (letter === theirs[j] ? 0 : 1), (above[j + 1] ?? 0) + 1, left + 1)
      least = Math.min(least, left)
      row.push(left)
    }
    if (least > limit) return limit + 1
    above = row
  }
  return Math.min(above.at(-1) ?? 0, limit + 1)
}

function unsortedReasonsOf(party: Name, proprietor: Registered): Reason[] {
  if (party.type === 'INDIVIDUAL' && proprietor.type === 'INDIVIDUAL') return ofIndividuals(party, proprietor)
  if (party.type === 'ORGANISATION' && proprietor.type === 'ORGANISATION') return ofOrganisations(party, proprietor)
  return []
}

function ofIndividuals(party: Individual, proprietor: Registered<Individual>): Reason[] {
  const { surname, forenames } = compare(party, proprietor)
  if (surname.match === 'NO_MATCH') return ofWholeNames(party, proprietor)
  return forenames.match === 'NO_MATCH' ? [] : [...surname.reasons, ...forenames.reasons]
}

/** For a surname in two parts, of which one is with the forenames: Maria Santos, Bueno and Maria, Santos Bueno. */
function ofWholeNames(party: Individual, proprietor: Registered<Individual>): Reason[] {
  const [ours, theirs] = [normaliseIndividual(party), normaliseIndividual(proprietor)]
  // Surnames of as many words were compared before, and forenames in front would only lengthen the quarter.
  const isDividedOtherwise = wordsOf(ours.surname).length !== wordsOf(theirs.surname).length
  return [
    ...(isDividedOtherwise ? closeness(wholeOf(ours), wholeOf(theirs)) : []),
    ...aliasAmong(proprietor, normalise, [wholeOf(ours)]),
  ]
}

function ofOrganisations(party: Organisation, proprietor: Registered<Organisation>): Reason[] {
  const nameOf = (organisationName: string) =>
    normaliseOrganisation({ type: 'ORGANISATION', organisationName }).organisationName
  const name = nameOf(party.organisationName)
  const isNear = isWithinQuarter(name, nameOf(proprietor.organisationName))
  return [...(isNear ? (['DISTANCE'] as const) : []), ...aliasAmong(proprietor, nameOf, [name])]
}

function compare(party: Individual, proprietor: Registered<Individual>) {
  const [ours, theirs] = [normaliseIndividual(party), normaliseIndividual(proprietor)]
  const surname = compareNames(ours.surname, theirs.surname, closeness(ours.surname, theirs.surname))
  if (surname.match === 'NO_MATCH') return { surname, forenames: { match: 'SKIPPED', reasons: [] } as const }
  const reasons = [
    ...ofForenames(ours.forenames, theirs.forenames),
    ...aliasAmong(proprietor, normalise, [wholeOf(ours), ours.forenames]),
  ]
  return { surname, forenames: compareNames(ours.forenames, theirs.forenames, reasons) }
}

function compareNames(ours: string, theirs: string, reasons: Reason[]): { match: NameMatch; reasons: Reason[] } {
  if (hasSameLetters(ours, theirs)) return { match: 'MATCH', reasons: [] }
  return { match: reasons.length > 0 ? 'PARTIAL_MATCH' : 'NO_MATCH', reasons }
}

function ofForenames(ours: string, theirs: string): Reason[] {
  const [[first = ''], [, ...middle]] = [wordsOf(ours), wordsOf(theirs)]
  const oneByOne = ofWords(wordsOf(ours), wordsOf(theirs))
  const isDividedOtherwise = wordsOf(ours).length !== wordsOf(theirs).length
  return [
    ...(oneByOne.length === 0 && isDividedOtherwise ? closeness(ours, theirs) : oneByOne),
    ...(middle.includes(first) ? (['MIDDLE'] as const) : []),
  ]
}

/** A forename that only one side gives is not compared; all those that both give must be equal or near. */
function ofWords(ours: string[], theirs: string[]): Reason[] {
  const pairs = ours.slice(0, theirs.length).map((word, i) => [word, theirs[i] ?? ''] as const)
  const differing = pairs.filter(([a, b]) => a !== b)
  const reasons = (differing.length > 0 ? differing : pairs).map(([a, b]) => [...closeness(a, b), ...initial(a, b)])
  return reasons.some((found) => found.length === 0) ? [] : reasons.flat()
}

const initial = (a: string, b: string): Reason[] =>
  a !== b && (isInitialOf(a, b) || isInitialOf(b, a)) ? ['INITIAL'] : []

const isInitialOf = (a: string, b: string) => [...a].length === 1 && b.startsWith(a)

const closeness = (a: string, b: string): Reason[] => [
  ...(isWithinQuarter(a, b) ? (['DISTANCE'] as const) : []),
  ...(soundsLike(a, b) ? (['SOUND'] as const) : []),
]

/** A quarter of the longer name, without the fraction: so Smith is near to Smyth, and not to Smythe. */
function isWithinQuarter(a: string, b: string): boolean {
  const limit = Math.floor(Math.max([...a].length, [...b].length) / 4)
  return distance(a, b, limit) <= limit
}

const aliasAmong = (name: Registered, fold: (alias: string) => string, forms: string[]): Reason[] =>
  (name.aliases ?? []).map(fold).some((alias) => alias !== '' && forms.includes(alias)) ? ['ALIAS'] : []

const wordsOf = (text: string) => text.split(' ').filter(Boolean)

const wholeOf = ({ forenames, surname }: Individual) => `${forenames} ${surname}`.trim()
