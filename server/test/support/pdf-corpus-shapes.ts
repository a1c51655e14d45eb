import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import {
  type Body,
  catalog,
  crossReferenceDict,
  flate,
  join,
  laidOut,
  objectOf,
  onePage,
  page,
  pages,
  type Row,
  revised,
  rowsOf,
  startOf,
  stream,
  tableOf,
  withStream,
  withTable,
} from './pdf-corpus-writer.ts'

// Files of all shapes, sound ones, and the means to make them less so.

export const CONTENT = stream('', 'BT /F1 12 Tf 72 720 Td (Deed) Tj ET')

export const sound = () => withTable(onePage(stream('', 'q Q')))

export const packedZeros = (length: number) => stream('/Filter /FlateDecode', flate(Buffer.alloc(length)))

/** The same in place of, and so as long as, what is there. */
export const recoded = (file: Buffer, from: string, to: string) =>
  Buffer.from(file.toString('latin1').replaceAll(from, to), 'latin1')

export const startingAt = (file: Buffer, move: (offset: number) => number) =>
  recoded(file, `startxref\n${startOf(file)}\n`, `startxref\n${move(startOf(file))}\n`)

export function flat(count: number): Buffer {
  const kids = Array.from({ length: count }, (_, at) => at + 3)
  return withTable([catalog(), pages(kids), ...kids.map(() => page())])
}

/** Three levels of so many kids each. */
export function balanced(width: number): Buffer {
  const objects: Body[] = [catalog(), '']
  const nodeOf = (number: number, parent: number, level: number): void => {
    if (level === 0) {
      objects[number - 1] = page('', parent)
      return
    }
    const kids = Array.from({ length: width }, (_, at) => objects.length + 1 + at)
    objects.push(...kids.map(() => ''))
    const more = parent > 0 ? `/Parent ${parent} 0 R` : ''
    objects[number - 1] = pages(kids, { count: width ** level, more })
    for (const kid of kids) nodeOf(kid, number, level - 1)
  }
  nodeOf(2, 0, 3)
  return withTable(objects)
}

/** So many nodes below each other, and one page at the end. */
export function deep(levels: number): Buffer {
  const nodes = Array.from({ length: levels }, (_, at) =>
    pages([at + 3], { count: 1, more: at > 0 ? `/Parent ${at + 1} 0 R` : '' }),
  )
  return withTable([catalog(), ...nodes, page('', levels + 1)])
}

export function predicted(): Buffer {
  const file = withStream(onePage(CONTENT))
  const start = startOf(file)
  const rows = [0, 1, 2, 3, 4].map((number): [number, number, number, number] => {
    const offset = number === 0 ? 0 : file.indexOf(`${number} 0 obj`)
    return [number, number === 0 ? 0 : 1, offset, 0]
  })
  rows.push([5, 1, start, 0])
  const plain = rowsOf(rows)
  const up = rows.map((_, row) => {
    const [own, above] = [plain.subarray(row * 7, row * 7 + 7), plain.subarray(row * 7 - 7, row * 7)]
    return Buffer.from([2, ...own.map((byte, at) => byte - (row > 0 ? (above[at] ?? 0) : 0))])
  })
  const dict = crossReferenceDict(rows, 6, '/DecodeParms << /Predictor 12 /Columns 7 >>')
  const body = stream(dict, flate(Buffer.concat(up)))
  return join(file.subarray(0, start), objectOf(5, body), `startxref\n${start}\n%%EOF\n`)
}

export function fiveRevisions(): Buffer {
  let file = withTable(onePage(CONTENT))
  for (let turn = 0; turn < 4; turn++) file = revised(file, { 3: page(`/Rotate ${turn * 90}`) })
  return file
}

/** Old readers find object 4 free, new ones find it by the stream. */
export function hybrid(): Buffer {
  const { bytes, offsets } = laidOut('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n', [
    [1, catalog()],
    [2, pages([3])],
    [3, page()],
    [5, stream('/Type /ObjStm /N 1 /First 4', '4 0 << /Hidden true >>')],
  ])
  const dict = '/Type /XRef /Size 7 /W [1 4 2] /Index [4 1] /Filter /FlateDecode'
  const body = objectOf(6, stream(dict, flate(rowsOf([[4, 2, 5, 0]]))))
  const table = tableOf([
    [0, undefined],
    ...offsets.slice(0, 3),
    [4, undefined],
    ...offsets.slice(3),
    [6, bytes.length],
  ])
  const start = bytes.length + body.length
  const trailer = `<< /Size 7 /Root 1 0 R /XRefStm ${bytes.length} >>`
  return join(bytes, body, `${table}trailer\n${trailer}\nstartxref\n${start}\n%%EOF\n`)
}

/** First a table for old readers, then a revision that changes nothing and has a stream for new ones. */
export function wordProcessed(): Buffer {
  const file = withTable(onePage(CONTENT))
  const rows = [1, 2, 3, 4].map((number): Row => [number, 1, file.indexOf(`${number} 0 obj`), 0])
  const body = objectOf(5, stream(crossReferenceDict(rows, 6), flate(rowsOf(rows))))
  const trailer = `<< /Size 6 /Root 1 0 R /Prev ${startOf(file)} /XRefStm ${file.length} >>`
  return join(file, body, `xref\n0 0\ntrailer\n${trailer}\nstartxref\n${file.length + body.length}\n%%EOF`)
}

/** The first page and what it needs come first, with cross-references of their own that lead to the others. */
export function linearised(): Buffer {
  const head = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const others = (from: number) =>
    laidOut(Buffer.alloc(from), [
      [1, CONTENT],
      [2, '<< /Producer (x) >>'],
    ])
  const parts = (prev: number, start: number) => {
    const first = laidOut(head, [[3, '<< /Linearized 1 /L 2000 /N 1 /O 5 /E 600 /T 900 >>']])
    const objects = laidOut(Buffer.alloc(start + 300), [
      [4, catalog().replace('2 0 R', '6 0 R')],
      [5, page('', 6)],
      [6, pages([5])],
    ])
    const trailer = `trailer\n<< /Size 7 /Root 4 0 R /Prev ${String(prev).padEnd(8)} >>\nstartxref\n0\n%%EOF\n`
    const table = `${tableOf([...first.offsets, ...objects.offsets])}${trailer}`
    return join(first.bytes, table.padEnd(start + 300 - first.bytes.length), objects.bytes.subarray(start + 300))
  }
  const start = laidOut(head, [[3, '<< /Linearized 1 /L 2000 /N 1 /O 5 /E 600 /T 900 >>']]).bytes.length
  const before = parts(0, start).length
  const { bytes, offsets } = others(before)
  const tail = `${tableOf([[0, undefined], ...offsets])}trailer\n<< /Size 3 >>\nstartxref\n${start}\n%%EOF\n`
  return join(parts(bytes.length, start), bytes.subarray(before), tail)
}

export const navigation = () => [
  catalog('/Outlines 4 0 R /Names << /Dests << /Names [(deed) [3 0 R /Fit]] >> >>'),
  pages([3]),
  page('/Annots [5 0 R 6 0 R]'),
  '<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>',
  '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://example.org) >> >>',
  '<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /GoToR /F (other.pdf) /D [0 /Fit] >> >>',
  '<< /Title (Deed) /Parent 4 0 R /Dest (deed) >>',
]

export const xmlForm = (xml: Body) => [
  catalog('/AcroForm << /Fields [] /XFA [(template) 4 0 R] >>'),
  pages([3]),
  page(),
  stream('/Filter /FlateDecode', flate(xml)),
]

export async function byPdfkit(
  write: (document: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  const document = new PDFDocument({ info: { Title: 'Deed', CreationDate: new Date(0) }, ...options })
  write(document)
  document.end()
  return buffer(document)
}

export function letter(document: PDFKit.PDFDocument): void {
  document.font('Helvetica').text('This deed is made between William Prynne and Northgate Building Society.')
  document.image(ONE_PIXEL, 100, 200, { width: 50 }).link(100, 100, 50, 20, 'https://example.org')
  document.outline.addItem('Deed')
}

export function form(document: PDFKit.PDFDocument): void {
  document.font('Helvetica').initForm()
  document.formText('surname', 50, 50, 200, 20, { value: 'Prynne' })
  document.formCheckbox('signed', 50, 100, 20, 20)
}

export function manyPages(document: PDFKit.PDFDocument): void {
  for (let number = 1; number <= 500; number++) {
    if (number > 1) document.addPage()
    document.text(`Page ${number} of the deed.`)
  }
}

const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
