import { searchPrefixesOf } from '../title-reconciliation/search-names.ts'

// What a person may mean by a few characters: each is a way in which something of a workspace can begin.

export type Meaning = {
  of: 'reference' | 'ownReference' | 'workspaceReferenceId' | 'titleNumber' | 'postcode' | 'name'
  begins: string
}

const REFERENCE_ID = /^LW[0-9]{6,}$/ // fewer digits would be those of too many workspaces of others
const TITLE_NUMBER = /^[A-Z]{0,3}[0-9]{0,6}[ZT]?$/
const OUTWARD = /^[A-Z]{1,2}[0-9]?[A-Z0-9]?$/
const BOTH_PARTS = /^([A-Z]{1,2}[0-9][A-Z0-9]?)([0-9][A-Z]{0,2})$/

/** In the order in which what they find is listed. */
export function meaningsOf(text: string): Meaning[] {
  const words = text.trim().toUpperCase()
  const squeezed = words.replaceAll(/\s/g, '')
  return [
    { of: 'reference', begins: text.trim() },
    { of: 'ownReference', begins: text.trim() },
    ...matching(squeezed, REFERENCE_ID).map((begins): Meaning => ({ of: 'workspaceReferenceId', begins })),
    ...matching(squeezed, TITLE_NUMBER).map((begins): Meaning => ({ of: 'titleNumber', begins })),
    ...postcodesOf(words, squeezed).map((begins): Meaning => ({ of: 'postcode', begins })),
    ...searchPrefixesOf(text).map((begins): Meaning => ({ of: 'name', begins })),
  ]
}

const matching = (text: string, pattern: RegExp): string[] => (pattern.test(text) ? [text] : [])

/** Without a space, `EX43` is the beginning of EX4 3AN and of EX43 1AA. */
function postcodesOf(words: string, squeezed: string): string[] {
  const [, outward, inward] = BOTH_PARTS.exec(squeezed) ?? []
  const both = outward && inward ? [`${outward} ${inward}`] : []
  return /\s/.test(words) ? both : [...matching(squeezed, OUTWARD), ...both]
}
