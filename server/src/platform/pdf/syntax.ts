import { isDeepStrictEqual } from 'node:util'
import { damaged, REASONS, RejectedPdf, tooDeep } from './reasons.ts'

// Reads the objects of a PDF from its bytes. The content of strings is skipped: no check needs it.

/** A name of a PDF is a string here, and every string of a PDF is `TEXT`. */
export type Value = null | boolean | number | string | Text | Ref | Value[] | Dict
export type Dict = Map<string, Value>
export type Ref = { number: number; generation: number }

export type Text = { isText: true }

export const TEXT: Text = { isText: true }
const NESTING_MAX = 500

export const isRef = (value: Value | undefined): value is Ref =>
  typeof value === 'object' && value !== null && 'generation' in value

export const isWhole = (value: Value | undefined): value is number => Number.isSafeInteger(value) && Number(value) >= 0

// Of two values for one key some readers take the first and others the last, so two different ones can hide something.
// Some producers write the same value twice. That is accepted, but not where it decides what a reader shows or does:
// in the catalogue, pages, actions, name trees and trailers.
const STRUCTURAL_TYPES: readonly unknown[] = ['Catalog', 'Pages', 'Page', 'Action']
const STRUCTURAL_KEYS = ['S', 'Kids', 'Names', 'Nums', 'Limits', 'Pages', 'Root', 'Encrypt', 'OpenAction', 'AA']

const isStructural = (dict: Dict) =>
  STRUCTURAL_TYPES.includes(dict.get('Type')) || STRUCTURAL_KEYS.some((key) => dict.has(key))

/** Reads from `at`, which may be set, and moves it behind what was read. Throws `RejectedPdf` where there is no object. */
export function parserOf(bytes: Buffer) {
  const end = bytes.length
  const parser = { at: 0, value: () => value(0), keyword, whole }
  return parser

  function skipSpace(): void {
    for (; parser.at < end; parser.at++) {
      const byte = bytes[parser.at]
      if (byte === PERCENT) skipComment()
      else if (CLASSES[byte ?? 0] !== SPACE) return
    }
  }

  function skipComment(): void {
    while (parser.at < end && bytes[parser.at] !== LF && bytes[parser.at] !== CR) parser.at++
  }

  function value(depth: number): Value {
    skipSpace()
    switch (parser.at < end ? bytes[parser.at] : undefined) {
      case SLASH:
        return name()
      case OPEN_BRACKET:
        return array(depth + 1)
      case LESS:
        return bytes[parser.at + 1] === LESS ? dict(depth + 1) : hexText()
      case OPEN_PAREN:
        return text()
      default:
        return bare(depth)
    }
  }

  function array(depth: number): Value[] {
    if (depth > NESTING_MAX) throw tooDeep(NESTING_MAX)
    const items: Value[] = []
    for (parser.at++; ; items.push(value(depth))) {
      skipSpace()
      if (bytes[parser.at] === CLOSE_BRACKET) break
    }
    parser.at++
    return items
  }

  function dict(depth: number): Dict {
    if (depth > NESTING_MAX) throw tooDeep(NESTING_MAX)
    const entries: Dict = new Map()
    let hasDuplicates = false
    for (parser.at += 2; ; ) {
      skipSpace()
      if (bytes[parser.at] === GREATER && bytes[parser.at + 1] === GREATER) break
      if (bytes[parser.at] !== SLASH) throw malformed()
      const key = name()
      const earlier = entries.get(key)
      entries.set(key, value(depth))
      if (earlier === undefined) continue
      if (!isDeepStrictEqual(earlier, entries.get(key))) throw new RejectedPdf(REASONS.duplicate)
      hasDuplicates = true
    }
    if (hasDuplicates && isStructural(entries)) throw new RejectedPdf(REASONS.duplicate)
    parser.at += 2
    return entries
  }

  /** A character may be written as its code (`/J#53`). Some readers end a name at a NUL. */
  function name(): string {
    const from = ++parser.at
    skipRegular()
    const plain = bytes.toString('latin1', from, parser.at)
    if (!plain.includes('#')) return plain
    const decoded = plain.replace(/#([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    return decoded.split('\0', 1)[0] ?? ''
  }

  function hexText(): Text {
    const closed = bytes.indexOf(GREATER, parser.at)
    if (closed < 0) throw malformed()
    parser.at = closed + 1
    return TEXT
  }

  function text(): Text {
    let open = 0
    for (; parser.at < end; parser.at++) {
      const byte = bytes[parser.at]
      if (byte === BACKSLASH) parser.at++
      else if (byte === OPEN_PAREN) open++
      else if (byte === CLOSE_PAREN && --open === 0) {
        parser.at++
        return TEXT
      }
    }
    throw malformed()
  }

  /** A number, a reference, or one of three words. An empty object is null. */
  function bare(depth: number): Value {
    const from = parser.at
    const plain = whole()
    if (plain !== undefined && !isRegularAt(parser.at)) return reference(plain) ?? plain
    skipRegular()
    const word = bytes.toString('latin1', from, Math.min(parser.at, from + WORD_LENGTH_MAX))
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    if (word === 'endobj' && depth === 0) {
      parser.at = from
      return null
    }
    if (!/^[+\-.\d][+\-.\de]*$/i.test(word)) throw malformed()
    return Number(word) || 0 // some producers write numbers that are not valid
  }

  function reference(number: number): Ref | undefined {
    const before = parser.at
    const generation = whole()
    if (generation !== undefined && keyword('R')) return { number, generation }
    parser.at = before
    return undefined
  }

  function whole(): number | undefined {
    skipSpace()
    const from = parser.at
    let read = 0
    for (let digit = digitAt(from); digit >= 0; digit = digitAt(++parser.at)) read = read * 10 + digit
    return parser.at > from ? read : undefined
  }

  function digitAt(at: number): number {
    const digit = at < end ? (bytes[at] ?? 0) - ZERO : -1
    return digit <= 9 ? digit : -1
  }

  /** Whether this word comes next. If so it is read. */
  function keyword(word: string): boolean {
    skipSpace()
    for (let at = 0; at < word.length; at++) if (bytes[parser.at + at] !== word.charCodeAt(at)) return false
    if (isRegularAt(parser.at + word.length)) return false
    parser.at += word.length
    return true
  }

  function skipRegular(): void {
    while (isRegularAt(parser.at)) parser.at++
  }

  function isRegularAt(at: number): boolean {
    return at < end && CLASSES[bytes[at] ?? 0] === REGULAR
  }

  function malformed() {
    return damaged(parser.at >= end ? 'an object has no end' : 'an object cannot be read')
  }
}

const REGULAR = 0
const SPACE = 1
const DELIMITER = 2
const CLASSES = new Uint8Array(256)
for (const byte of Buffer.from('\0\t\n\f\r ')) CLASSES[byte] = SPACE
for (const byte of Buffer.from('()<>[]{}/%')) CLASSES[byte] = DELIMITER

const WORD_LENGTH_MAX = 64
const [LF, CR, PERCENT, SLASH, BACKSLASH, ZERO] = [10, 13, 37, 47, 92, 48]
const [OPEN_PAREN, CLOSE_PAREN, OPEN_BRACKET, CLOSE_BRACKET, LESS, GREATER] = [40, 41, 91, 93, 60, 62]
