import type { Readable } from 'node:stream'
import type { Font } from 'fontkit'

/** A document in progress, written from top to bottom: tagged for screen readers, with embedded fonts. */
export type Sheet = { pdf: PDFKit.PDFDocument; body: Part; imprint: Imprint; printable(text: string): string }

/** The metadata of the file, and the header and footer of its pages. */
export type Imprint = { title: string; subject: string; runningHead: string; documentId: string; madeAt: Date }

/** A part of the document's structure, as screen readers see it. */
export type Part = PDFKit.PDFStructureElement

/** How text looks. It is placed at the current height, at `x` and as wide as `width`. */
export type Look = { face?: 'regular' | 'bold'; size?: number; colour?: string; x?: number; width?: number }

// A4, in points.
const PAGE = { width: 595.28, height: 841.89 }
export const MARGINS = { top: 78, bottom: 78, left: 60, right: 60 }
export const WIDTH = PAGE.width - MARGINS.left - MARGINS.right
const LAST_LINE = PAGE.height - MARGINS.bottom
export const COLOURS = { ink: '#1d2429', muted: '#56626b', accent: '#17495b', rule: '#c5ced4', paper: '#ffffff' }
const TEXT_SIZE = 9.5
const SMALL_SIZE = 7.5
const LINE_GAP = 2.5

/** What writes PDFs is loaded with the first one: most nodes need it rarely, and it takes memory. */
export async function openSheet(imprint: Imprint): Promise<Sheet> {
  const [{ default: PDFDocument }, { typefaces }] = await Promise.all([import('pdfkit'), import('./pdf-fonts.ts')])
  const pdf = new PDFDocument({
    size: 'A4',
    margins: MARGINS,
    font: '',
    pdfVersion: '1.7',
    lang: 'en-GB',
    tagged: true,
    displayTitle: true,
    bufferPages: true,
    info: infoOf(imprint),
  })
  const { regular, bold, printable } = typefaces()
  pdf.registerFont('regular', asSource(regular)).registerFont('bold', asSource(bold))
  const body = pdf.struct('Document')
  pdf.addStructure(body)
  return { pdf, body, imprint, printable }
}

/** Adds headers and footers last, because only now the number of pages is known. */
export function closeSheet(sheet: Sheet): Readable {
  const { pdf, body } = sheet
  body.end()
  const { count } = pdf.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    pdf.switchToPage(index)
    headerAndFooter(sheet, index + 1, count)
  }
  pdf.end()
  return pdf
}

/** Begins a part within another. All of it must be written before the next one begins. */
export function part({ pdf }: Sheet, tag: string, within: Part): Part {
  const made = pdf.struct(tag)
  within.add(made)
  return made
}

/** Writes a paragraph, wrapped at its width, over as many pages as it takes. */
export function write(sheet: Sheet, within: Part, tag: string, text: string, look: Look = {}): void {
  const { pdf, printable } = sheet
  const { x = MARGINS.left, width = WIDTH } = look
  const draw = () => applied(sheet, look).text(printable(text), x, pdf.y, { width, lineGap: LINE_GAP })
  within.add(pdf.struct(tag, {}, () => void draw()))
}

export function heightOf(sheet: Sheet, text: string, look: Look = {}): number {
  const { width = WIDTH } = look
  return applied(sheet, look).heightOfString(sheet.printable(text), { width, lineGap: LINE_GAP })
}

const applied = ({ pdf }: Sheet, { face = 'regular', size = TEXT_SIZE, colour = COLOURS.ink }: Look) =>
  pdf.font(face).fontSize(size).fillColor(colour)

/** Keeps a block together if it fits on one page. A taller block starts here, unless there is hardly any room. */
export function makeRoom({ pdf }: Sheet, height: number): void {
  const left = LAST_LINE - pdf.y
  const fitsOnOnePage = height <= LAST_LINE - MARGINS.top
  if (height > left && (fitsOnOnePage || left < 4 * TEXT_SIZE)) pdf.addPage()
}

/** A horizontal line, at the current height or another. */
export function rule(sheet: Sheet, y = sheet.pdf.y): void {
  const { pdf } = sheet
  decoration(sheet, () =>
    pdf
      .moveTo(MARGINS.left, y)
      .lineTo(MARGINS.left + WIDTH, y)
      .lineWidth(0.6)
      .stroke(COLOURS.rule),
  )
}

/** Decoration, which screen readers skip. */
export function decoration({ pdf }: Sheet, draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
  pdf.markContent('Artifact', { type })
  draw()
  pdf.endMarkedContent()
}

function headerAndFooter(sheet: Sheet, page: number, pages: number): void {
  const { pdf, imprint, printable } = sheet
  const foot = LAST_LINE + 28
  const numbering = `Page ${page} of ${pages}`
  // Without a width nothing is wrapped, so no page is added for text below the last line.
  const line = (text: string, x: number, y: number) => pdf.text(printable(text), x, y, { lineBreak: false })

  rule(sheet, foot - 10)
  applied(sheet, { size: SMALL_SIZE, colour: COLOURS.muted })
  decoration(
    sheet,
    () => {
      line(`Document ${imprint.documentId}`, MARGINS.left, foot)
      line(numbering, MARGINS.left + WIDTH - pdf.widthOfString(numbering), foot)
      if (page > 1) line(imprint.runningHead, MARGINS.left, MARGINS.top - 34)
    },
    'Pagination',
  )
}

// pdfkit accepts a font that is already open; its types do not say so yet.
const asSource = (font: Font) => font as unknown as PDFKit.Mixins.PDFFontSource

// pdfkit derives the identifier of the file from these alone.
const infoOf = ({ title, subject, documentId, madeAt }: Imprint) => ({
  Title: title,
  Subject: subject,
  Keywords: documentId,
  Author: 'Lodgeway',
  Creator: 'Lodgeway',
  CreationDate: madeAt,
  ModDate: madeAt,
})
