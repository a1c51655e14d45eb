import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'

/**
 * The typefaces of our documents: DejaVu, whose free licence allows embedding. It has Latin with all accents
 * of Europe and Vietnam, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic.
 */
export type Typefaces = { regular: Font; bold: Font; printable(text: string): string }

let opened: Typefaces | undefined

/** Opened once and cached: parsing them costs several times as much as the rest of a document. */
export function typefaces(): Typefaces {
  opened ??= openBoth()
  clearGlyphs(opened.regular)
  clearGlyphs(opened.bold)
  return opened
}

function openBoth(): Typefaces {
  const regular = open(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'))
  const bold = open(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'))
  // Beyond 16 bits there are only symbols, and pdfkit would break a long line in the middle of one.
  const covered = new Set(regular.characterSet.filter((code) => code <= 0xffff))
  return { regular, bold, printable: (text) => printable(text, covered) }
}

/**
 * A text whose characters can all be drawn. A letter and its accent become one character where possible. A character that
 * the font lacks is written as its number, such as `[U+674E]`, because an empty box would lose it.
 */
function printable(text: string, covered: ReadonlySet<number>): string {
  const characters = [...text.normalize('NFC').replaceAll(/[\t\n\v\f\r]+/g, ' ')]
  return joinRightToLeft(characters.map((one) => drawable(one, covered)).join(''))
}

// The font has no Georgian capitals, which are rare.
function drawable(character: string, covered: ReadonlySet<number>): string {
  const found = [character, character.toLowerCase()].find((one) => covered.has(codeOf(one)))
  return found ?? `[U+${codeOf(character).toString(16).toUpperCase().padStart(4, '0')}]`
}

const codeOf = (character: string) => character.codePointAt(0) ?? 0

const RIGHT_TO_LEFT_WORDS = /[\p{Script=Hebrew}\p{Script=Arabic}]+(?: [\p{Script=Hebrew}\p{Script=Arabic}]+)*/gu
const NON_BREAKING_SPACE = '\u00a0'

// pdfkit places words from left to right, each with the space that follows it. Hebrew and Arabic run the other way, so
// consecutive words are joined into one, with a space on its right-hand side.
const joinRightToLeft = (text: string) =>
  text.replaceAll(RIGHT_TO_LEFT_WORDS, (words) => NON_BREAKING_SPACE + words.replaceAll(' ', NON_BREAKING_SPACE))

function open(url: string): Font {
  const font = create(readFileSync(fileURLToPath(url)))
  if (font.type === 'TTF') return font
  throw new Error(`${url} is not a single TrueType font`)
}

// A font caches each glyph with the letters that it was first used for. If the cache lived longer than one document, the
// bytes of a file would depend on the files made before it.
const clearGlyphs = (font: Font) => Reflect.set(font, '_glyphs', {})
