import { doubleMetaphone } from 'double-metaphone'

/**
 * Two normalised names sound alike when Double Metaphone gives them a code in common, be it the first or the second.
 * A name without a code (in another script, say) sounds like none.
 */
export function soundsLike(a: string, b: string): boolean {
  const codes = doubleMetaphone(a)
  return doubleMetaphone(b).some((code) => code !== '' && codes.includes(code))
}
