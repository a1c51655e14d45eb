import type { Answer, TestService } from './service.ts'

// Forms as clients send them, written out byte by byte, so that a test can send a broken one.

export type FormPart = {
  name: string
  content: string | Uint8Array
  fileName?: string
  contentType?: string
}

export const BOUNDARY = 'boundary-of-a-test'

/** The bytes of a form. */
export const formOf = (parts: readonly FormPart[], boundary = BOUNDARY): Buffer =>
  Buffer.concat([
    ...parts.flatMap((part) => [
      Buffer.from(`--${boundary}\r\n${headersOf(part)}\r\n\r\n`),
      Buffer.from(part.content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])

const headersOf = ({ name, fileName, contentType }: FormPart): string =>
  [
    `Content-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`,
    ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
  ].join('\r\n')

export const formType = (boundary = BOUNDARY) => `multipart/form-data; boundary=${boundary}`

/** The smallest PDF that there is to say something in: one page. Another text makes another file. */
export function aPdf(text = 'A deed'): Buffer {
  const content = `BT /F1 24 Tf 72 720 Td (${text.replace(/[\\()]/g, '')}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${Buffer.byteLength(content)} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = Buffer.byteLength(pdf)
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const startxref = Buffer.byteLength(pdf)
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  pdf += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${startxref}\n%%EOF\n`
  return Buffer.from(pdf)
}

export type UploadOptions = {
  as?: string
  /** A small PDF where left out. */
  file?: string | Uint8Array
  fileName?: string
  contentType?: string
  fields?: Record<string, string>
  headers?: Record<string, string>
  boundary?: string
  /** Instead of the parts that the fields and the file make, the fields first. */
  parts?: readonly FormPart[]
}

/** Sends a form with one file. */
export function upload<Body = { fileId: string }>(
  service: Pick<TestService, 'call'>,
  path: string,
  { as, headers = {}, boundary, ...options }: UploadOptions = {},
): Promise<Answer<Body>> {
  const parts = options.parts ?? partsOf(options)
  return service.call<Body>('POST', path, {
    ...(as && { as }),
    headers: { 'content-type': formType(boundary), ...headers },
    body: new Uint8Array(formOf(parts, boundary)),
  })
}

export const fieldParts = (fields: Record<string, string>): FormPart[] =>
  Object.entries(fields).map(([name, content]) => ({ name, content }))

export const filePart = (file: string | Uint8Array = aPdf(), part: Partial<FormPart> = {}): FormPart => ({
  name: 'file',
  fileName: 'deed.pdf',
  contentType: 'application/pdf',
  content: file,
  ...part,
})

const partsOf = ({ fields = {}, file, fileName = 'deed.pdf', contentType = 'application/pdf' }: UploadOptions) => [
  ...fieldParts(fields),
  filePart(file, { fileName, contentType }),
]
