// Characters that a reader cannot see do not belong in names and references: two that look alike would differ.

/** `name`: with at least one letter. */
export type PlainKind = 'text' | 'name'

const KINDS: readonly [characters: RegExp, called: string][] = [
  [/[\n-\r\u0085\u2028\u2029]/u, 'a line break'],
  [/\p{Cc}/u, 'a control character'],
  [/\p{Cf}/u, 'an invisible format character'],
  [/\p{Co}/u, 'a private-use character'],
]

/** What is wrong with a text, such as "must not hold a line break (U+000A)"; undefined if nothing is. */
export function plainProblem(kind: PlainKind, text: string): string | undefined {
  for (const [characters, called] of KINDS) {
    const code = characters.exec(text)?.[0].codePointAt(0)
    if (code !== undefined) {
      return `must not hold ${called} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`
    }
  }
  const needsLetter = kind === 'name' && text !== '' && !/\p{L}/u.test(text)
  return needsLetter ? 'must hold at least one letter' : undefined
}
