import { buffer } from 'node:stream/consumers'

/** A page that says what it represents, so that nobody mistakes it for a deed. */
export function samplePdf(documentType: string): Promise<Buffer> {
  const known = made.get(documentType) ?? make(documentType)
  made.set(documentType, known)
  return known
}

const made = new Map<string, Promise<Buffer>>()

async function make(documentType: string): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit')
  const words = documentType.replaceAll('_', ' ').toLowerCase()
  const page = new PDFDocument({ info: { Title: `Sample ${words}`, CreationDate: new Date(0) } })
  page.fontSize(20).text(`Sample: ${words}`)
  page.moveDown().fontSize(11).text('Made for the sandbox. It binds nobody.')
  page.end()
  return buffer(page)
}
