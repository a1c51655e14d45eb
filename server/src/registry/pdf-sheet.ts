import type { Readable } from 'node:stream'
import PDFDocument from 'pdfkit'
import { typefaces } from './pdf-fonts.ts'

/** What the file says about itself, and what stands at the head and foot of its pages. */
export type Imprint = { title: string; subject: string; runningHead: string; documentId: string; madeAt: Date }

/** A document under way, written from top to bottom: tagged for screen readers, with its fonts inside. */
export type Sheet = {
  pdf: PDFKit.PDFDocument
  body: PDFKit.PDFStructureElement
  imprint: Imprint
  printable(text: string): string
}

// A4, in points.
const PAGE = { width: 595.28, height: 841.89 }
export const MARGINS = { top: 74, bottom: 78, left: 60, right: 60 }
export const WIDTH = PAGE.width - MARGINS.left - MARGINS.right
const LAST_LINE = PAGE.height - MARGINS.bottom

export const COLOURS = { ink: '#1d2429', muted: '#56626b', accent: '#17495b', rule: '#c5ced4', paper: '#ffffff' }
export const TEXT_SIZE = 9.5
const SMALL_SIZE = 7.5
const LINE_GAP = 2.5

export function openSheet(imprint: Imprint): Sheet {
  const { regular, bold, printable } = typefaces()
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
  pdf.registerFont('regular', regular).registerFont('bold', bold)
  const body = pdf.struct('Document')
  pdf.addStructure(body)
  return { pdf, body, imprint, printable }
}

/** Only now is it known how many pages there are, so only now do they get their feet. */
export function closeSheet(sheet: Sheet): Readable {
  const { pdf, body } = sheet
  body.end()
  const { start, count } = pdf.bufferedPageRange()
  for (let index = start; index < start + count; index++) {
    pdf.switchToPage(index)
    pageFurniture(sheet, index + 1, count)
  }
  pdf.end()
  return pdf
}

/** Face, size and colour of the words to be measured or written next. */
export function style({ pdf }: Sheet, face: 'regular' | 'bold', size: number, colour = COLOURS.ink): void {
  pdf.font(face).fontSize(size).fillColor(colour)
}

/** Words at the present height, wrapped at the width and over as many pages as they take. */
export function write({ pdf, printable }: Sheet, text: string, x = MARGINS.left, width = WIDTH): void {
  pdf.text(printable(text), x, pdf.y, { width, lineGap: LINE_GAP })
}

export function heightOf({ pdf, printable }: Sheet, text: string, width = WIDTH): number {
  return pdf.heightOfString(printable(text), { width, lineGap: LINE_GAP })
}

/** Keeps together what would fit on one page. What would not begins here, unless there is hardly any room. */
export function makeRoom({ pdf }: Sheet, height: number): void {
  const left = LAST_LINE - pdf.y
  const fitsOnOnePage = height <= LAST_LINE - MARGINS.top
  if (height > left && (fitsOnOnePage || left < 4 * TEXT_SIZE)) pdf.addPage()
}

export function rule(sheet: Sheet, y: number, colour = COLOURS.rule): void {
  const { pdf } = sheet
  ornament(sheet, () => pdf.moveTo(MARGINS.left, y).lineTo(MARGINS.left + WIDTH, y).lineWidth(0.6).stroke(colour))
}

/** What only adorns the page, and is passed over when it is read out. */
export function ornament({ pdf }: Sheet, draw: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' })
  draw()
  pdf.endMarkedContent()
}

function pageFurniture(sheet: Sheet, page: number, pages: number): void {
  const { pdf, imprint, printable } = sheet
  const line = (text: string, y: number, align: 'left' | 'right') =>
    pdf.text(printable(text), MARGINS.left, y, { width: WIDTH, align, lineBreak: false })
  const footY = LAST_LINE + 28

  rule(sheet, footY - 10)
  pdf.markContent('Artifact', { type: 'Pagination' })
  style(sheet, 'regular', SMALL_SIZE, COLOURS.muted)
  line(`Document ${imprint.documentId}`, footY, 'left')
  line(`Page ${page} of ${pages}`, footY, 'right')
  if (page > 1) line(imprint.runningHead, MARGINS.top - 34, 'left')
  pdf.endMarkedContent()
}

// The file's identifier is made of these, and of nothing else.
const infoOf = ({ title, subject, documentId, madeAt }: Imprint) => ({
  Title: title,
  Subject: subject,
  Keywords: documentId,
  Author: 'Lodgeway',
  Creator: 'Lodgeway',
  CreationDate: madeAt,
  ModDate: madeAt,
})
