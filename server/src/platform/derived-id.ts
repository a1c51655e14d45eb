import { createHash } from 'node:crypto'

/**
 * The same id for the same words, as a UUID (version 8). For messages to the outside: a database that is restored to an
 * earlier time sends them again under the ids that they had, so that bank and registry recognise them.
 */
export function derivedId(...words: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(words.join(' ')).digest('hex')
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
