import type { Entry } from './entries.ts'
import { dayInWords } from './entry-wording.ts'
import {
  COLOURS,
  decoration,
  heightOf,
  type Look,
  MARGINS,
  makeRoom,
  type Part,
  part,
  rule,
  type Sheet,
  WIDTH,
  write,
} from './pdf-sheet.ts'

const { left: LEFT, top: TOP } = MARGINS
const HEADING: Look = { face: 'bold', size: 22 }
const MARK: Look = { face: 'bold', size: 14, colour: COLOURS.accent }
const REMARK: Look = { colour: COLOURS.muted }
const LABEL: Look = { colour: COLOURS.muted, width: 118 }
const VALUE: Look = { x: LEFT + 122, width: WIDTH - 122 }
const REGISTER: Look = { face: 'bold', size: 12, colour: COLOURS.paper, x: LEFT + 10 }
const BAR_HEIGHT = 24
const NUMBER: Look = { face: 'bold', width: 24 }
const DATE: Look = { colour: COLOURS.muted, x: LEFT + 26, width: 94 }
const ENTRY: Look = { x: LEFT + 122, width: WIDTH - 122 }
const GAP = 8

/** The name of the document, its title number, and a sentence about its content. */
export function masthead(sheet: Sheet, words: { heading: string; mark: string; introduction: string }): void {
  const { pdf, body } = sheet
  decoration(sheet, () => pdf.rect(LEFT, TOP - 22, WIDTH, 4).fill(COLOURS.accent))
  write(sheet, body, 'H1', words.heading, HEADING)
  pdf.y += 2
  write(sheet, body, 'P', words.mark, MARK)
  pdf.y += GAP
  write(sheet, body, 'P', words.introduction, REMARK)
  pdf.y += GAP
}

/** The main facts about the title. */
export function facts(sheet: Sheet, rows: readonly (readonly [label: string, value: string])[]): void {
  const { pdf, body } = sheet
  const table = part(sheet, 'Table', body)
  rule(sheet)
  for (const [label, value] of rows) {
    makeRoom(sheet, heightOf(sheet, value, VALUE) + GAP)
    pdf.y += 5
    const row = part(sheet, 'TR', table)
    inSameRow(sheet, () => write(sheet, row, 'TH', label, LABEL))
    write(sheet, row, 'TD', value, VALUE)
    pdf.y += 2.5
    rule(sheet)
  }
  pdf.y += 3 * GAP
}

/** One of the registers: its letter and name, its purpose, and its entries or a sentence that it has none. */
export function register(sheet: Sheet, name: string, purpose: string, entries: readonly Entry[]): void {
  const { pdf, body } = sheet
  const [first] = entries
  makeRoom(sheet, BAR_HEIGHT + 4 * GAP + (first ? entryHeight(sheet, first) : 0))
  const section = part(sheet, 'Sect', body)
  bar(sheet, section, name)
  write(sheet, section, 'P', purpose, REMARK)
  pdf.y += GAP
  if (first) writeEntries(sheet, section, entries)
  else write(sheet, section, 'P', 'This register has no entries.', ENTRY)
  pdf.y += 2 * GAP
}

function bar(sheet: Sheet, section: Part, name: string): void {
  const { pdf } = sheet
  const top = pdf.y
  decoration(sheet, () => pdf.rect(LEFT, top, WIDTH, BAR_HEIGHT).fill(COLOURS.accent))
  pdf.outline.addItem(name)
  pdf.y = top + 5
  write(sheet, section, 'H2', name, REGISTER)
  pdf.y = top + BAR_HEIGHT + GAP
}

function writeEntries(sheet: Sheet, section: Part, entries: readonly Entry[]): void {
  const { pdf } = sheet
  const list = part(sheet, 'L', section)
  for (const entry of entries) {
    makeRoom(sheet, entryHeight(sheet, entry))
    const item = part(sheet, 'LI', list)
    inSameRow(sheet, () => write(sheet, item, 'Lbl', entry.number, NUMBER))
    const content = part(sheet, 'LBody', item)
    const { enteredOn } = entry
    if (enteredOn) inSameRow(sheet, () => write(sheet, content, 'P', dayInWords(enteredOn), DATE))
    for (const paragraph of entry.text) write(sheet, content, 'P', paragraph, ENTRY)
    pdf.y += GAP
  }
}

const entryHeight = (sheet: Sheet, { text }: Entry) =>
  text.reduce((height, paragraph) => height + heightOf(sheet, paragraph, ENTRY), 0)

/** Writes something and returns to the height at which it began, so that the next text is in the same row. */
function inSameRow({ pdf }: Sheet, writing: () => void): void {
  const top = pdf.y
  writing()
  pdf.y = top
}
