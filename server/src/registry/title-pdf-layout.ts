import type { Entries, Entry } from './entries.ts'
import { dayInWords } from './entry-wording.ts'
import { COLOURS, heightOf, MARGINS, makeRoom, ornament, rule, type Sheet, style, TEXT_SIZE, WIDTH, write } from './pdf-sheet.ts'

const HEADING_SIZE = 21
const MARK_SIZE = 15
const REGISTER_SIZE = 13
const SMALL_SIZE = 8
const BADGE = 22
const LABEL_WIDTH = 118
const NUMBER_WIDTH = 26
const DATE_WIDTH = 104
const PARAGRAPH_GAP = 3
const ENTRY_GAP = 9

/** The name of the document, what title it is of, and a sentence that says what it shows. */
export function masthead(sheet: Sheet, heading: string, titleNumber: string, introduction: string): void {
  const { pdf, body } = sheet
  ornament(sheet, () => pdf.rect(MARGINS.left, MARGINS.top - 22, WIDTH, 4).fill(COLOURS.accent))
  heading1()
  body.add(
    pdf.struct('P', {}, () => {
      style(sheet, 'bold', MARK_SIZE, COLOURS.accent)
      write(sheet, `Title number ${titleNumber}`)
    }),
  )
  pdf.y += 6
  body.add(
    pdf.struct('P', {}, () => {
      style(sheet, 'regular', TEXT_SIZE, COLOURS.muted)
      write(sheet, introduction)
    }),
  )
  pdf.y += 14

  function heading1() {
    body.add(
      pdf.struct('H1', {}, () => {
        style(sheet, 'bold', HEADING_SIZE)
        write(sheet, heading)
      }),
    )
  }
}

/** The title at a glance, as a table of two columns. */
export function facts(sheet: Sheet, rows: readonly (readonly [label: string, value: string])[]): void {
  const { pdf, body } = sheet
  const table = pdf.struct('Table')
  body.add(table)
  rule(sheet, pdf.y)
  for (const [label, value] of rows) {
    style(sheet, 'regular', TEXT_SIZE)
    const height = heightOf(sheet, value, WIDTH - LABEL_WIDTH)
    makeRoom(sheet, height + 8)
    pdf.y += 5
    const top = pdf.y
    table.add(
      pdf.struct('TR', {}, [
        pdf.struct('TH', {}, () => {
          style(sheet, 'regular', TEXT_SIZE, COLOURS.muted)
          write(sheet, label, MARGINS.left, LABEL_WIDTH)
        }),
        pdf.struct('TD', {}, () => {
          pdf.y = top
          style(sheet, 'regular', TEXT_SIZE)
          write(sheet, value, MARGINS.left + LABEL_WIDTH, WIDTH - LABEL_WIDTH)
        }),
      ]),
    )
    pdf.y += 2.5
    rule(sheet, pdf.y)
  }
  table.end()
  pdf.y += 22
}

/** One of the three registers: its letter and name, what it is for, and its entries or that it has none. */
export function register(
  sheet: Sheet,
  { letter, name, purpose }: { letter: keyof Entries; name: string; purpose: string },
  entries: readonly Entry[],
): void {
  const { pdf, body } = sheet
  makeRoom(sheet, BADGE + 70)
  const section = pdf.struct('Sect')
  body.add(section)
  const top = pdf.y
  ornament(sheet, () => pdf.rect(MARGINS.left, top, BADGE, BADGE).fill(COLOURS.accent))
  section.add(
    pdf.struct('H2', {}, () => {
      style(sheet, 'bold', REGISTER_SIZE, COLOURS.paper)
      pdf.text(`${letter} `, MARGINS.left + 6.2, top + 3.6, { lineBreak: false })
      style(sheet, 'bold', REGISTER_SIZE)
      pdf.text(name, MARGINS.left + BADGE + 10, top + 3.6, { lineBreak: false })
    }),
  )
}
