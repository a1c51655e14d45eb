import type { Name } from '../workspaces/names.ts'
import { normaliseIndividual, normaliseOrganisation } from './names.ts'

// Parties are found by the beginning of their surname or of their organisation's name, normalised as for reconciliation.

const CHARACTERS_MAX = 100 // an index has no room for the longest names
const CHARACTERS_MIN = 2

/** What a party is found by. Where the spaces are does not matter. */
export function searchNameOf(name: Name): string {
  const text =
    name.type === 'INDIVIDUAL'
      ? normaliseIndividual({ ...name, forenames: '' }).surname
      : normaliseOrganisation(name).organisationName
  return [...text.replaceAll(' ', '')].slice(0, CHARACTERS_MAX).join('')
}

/** What the names begin with that are searched for: one or two, none of which begins with the other; none if too short. */
export function searchPrefixesOf(text: string): string[] {
  const asSurname = searchNameOf({ type: 'INDIVIDUAL', forenames: '', surname: text })
  const asOrganisation = searchNameOf({ type: 'ORGANISATION', organisationName: text })
  const long = [...new Set([asSurname, asOrganisation])].filter((prefix) => prefix.length >= CHARACTERS_MIN)
  return long.filter((prefix) => !long.some((other) => other !== prefix && prefix.startsWith(other)))
}
