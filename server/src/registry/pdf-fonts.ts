import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create } from 'fontkit'

/**
 * The typefaces of our documents: DejaVu, under a free licence that allows embedding. They hold every Latin letter, with
 * its accents, and Greek, Cyrillic, Armenian, Georgian, Hebrew and Arabic.
 */
export type Typefaces = { regular: Buffer; bold: Buffer; printable(text: string): string }

let loaded: Typefaces | undefined

/** Read when the first document is made, and kept: they are what takes time. */
export function typefaces(): Typefaces {
  loaded ??= load()
  return loaded
}

function load(): Typefaces {
  const regular = readFace('DejaVuSansCondensed.ttf')
  const bold = readFace('DejaVuSansCondensed-Bold.ttf')
  const covered = new Set(charactersOf(regular))
  return { regular, bold, printable: (text) => printable(text, covered) }
}

const readFace = (file: string) => readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${file}`)))

function charactersOf(face: Buffer): number[] {
  const font = create(face)
  if ('fonts' in font) throw new Error('a collection of fonts, where one was expected')
  return font.characterSet
}

/**
 * A letter with its accent as the one character that the font draws best; one that the font does not have by its number,
 * as `[U+674E]`, since a blank or a box would lose it.
 */
function printable(text: string, covered: ReadonlySet<number>): string {
  return [...text.normalize('NFC')]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0
      return covered.has(code) ? character : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
    })
    .join('')
}
