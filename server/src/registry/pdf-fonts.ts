import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'

/**
 * The typefaces of our documents: DejaVu, whose free licence allows embedding. It has Latin with all accents
 * of Europe and Vietnam, Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic.
 */
export type Typefaces = { regular: Font; bold: Font; printable(text: string): string }

let opened: Typefaces | undefined

/** Opened for the first document and kept: taking them to pieces costs several times as much as the rest of a document. */
export function typefaces(): Typefaces {
  opened ??= openBoth()
  forgetGlyphs(opened.regular)
  forgetGlyphs(opened.bold)
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
 * A text of which every character can be drawn. Letter and accent become one character where there is one; whatever the
 * font lacks is given by its number, as `[U+674E]`, since an empty box would lose it.
 */
function printable(text: string, covered: ReadonlySet<number>): string {
  const characters = [...text.normalize('NFC').replaceAll(/[\t\n\v\f\r]+/g, ' ')]
  return leftwards(characters.map((one) => drawn(one, covered)).join(''))
}

// Of Georgian the font has no capitals, which are rare there.
function drawn(character: string, covered: ReadonlySet<number>): string {
  const found = [character, character.toLowerCase()].find((one) => covered.has(codeOf(one)))
  return found ?? `[U+${codeOf(character).toString(16).toUpperCase().padStart(4, '0')}]`
}

const codeOf = (character: string) => character.codePointAt(0) ?? 0

const LEFTWARD_WORDS = /[\p{Script=Hebrew}\p{Script=Arabic}]+(?: [\p{Script=Hebrew}\p{Script=Arabic}]+)*/gu
const UNBROKEN_SPACE = '\u00a0'

// pdfkit sets word after word to the right, each with the space that follows it. Words in Hebrew or Arabic run the other
// way, so they are made one, which brings a space for its right-hand side.
const leftwards = (text: string) =>
  text.replaceAll(LEFTWARD_WORDS, (words) => UNBROKEN_SPACE + words.replaceAll(' ', UNBROKEN_SPACE))

function open(url: string): Font {
  const font = create(readFileSync(fileURLToPath(url)))
  if (font.type === 'TTF') return font
  throw new Error(`${url} is no single TrueType font`)
}

// A font remembers each glyph with the letters that it first stood for. Were it to remember beyond one document, a file
// would depend on those made before it.
const forgetGlyphs = (font: Font) => Reflect.set(font, '_glyphs', {})
