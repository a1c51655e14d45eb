// A streaming parser of multipart/form-data (RFC 7578, RFC 2046). Only the bytes that have just arrived are in memory.
// Malformed input is refused, never skipped.

export class MalformedForm extends Error {}

export type Part = {
  name: string
  /** As it was sent, not sanitised. */
  fileName?: string
  /** In lower case, without parameters. */
  contentType?: string
  /** Must be read to its end before the next part. A chunk of it is valid until the next one is read. */
  content: AsyncGenerator<Buffer, void>
}

/**
 * `spend` is called with the number of bytes that are not content of a part, and throws when they are too many. A chunk
 * of the source is no longer used once the next one is read.
 */
export async function* partsOf(
  source: AsyncIterable<Uint8Array>,
  boundary: string,
  spend: (bytes: number) => void,
): AsyncGenerator<Part, void> {
  const reader = readerOf(source)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  for await (const before of reader.until(delimiter)) spend(before.length)
  while (!(await reader.isNext('--'))) {
    if (!/^[ \t]*$/.test(await readLine(reader, spend))) throw new MalformedForm('A boundary of the form is malformed.')
    const content = reader.until(delimiter)
    yield { ...facts(await readHeaders(reader, spend)), content }
    for await (const unread of content) spend(unread.length)
  }
  for await (const after of reader.rest()) spend(after.length)
}

/** The boundary that a content type names. */
export function boundaryOf(contentType: string): string {
  const boundary = parametersOf(contentType).get('boundary') ?? ''
  if (/^[\x20-\x7e]{1,70}$/.test(boundary)) return boundary
  throw new MalformedForm('The content type of the form must name its boundary.')
}

const CRLF = Buffer.from('\r\n')
const CR = 0x0d

type Reader = ReturnType<typeof readerOf>

function readerOf(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]()
  let held: Buffer = CRLF // a boundary is at the beginning of a line, including the first

  const next = () =>
    chunks.next().catch(() => {
      throw new MalformedForm('The connection was closed before the form had arrived.')
    })

  async function more(): Promise<void> {
    const kept = Buffer.from(held)
    const { done, value } = await next()
    if (done) throw new MalformedForm('The form ends before its closing boundary.')
    held = kept.length ? Buffer.concat([kept, value]) : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }

  return {
    /** The bytes before the delimiter, which is consumed too. It begins with CR and has no other CR. */
    async *until(delimiter: Buffer): AsyncGenerator<Buffer, void> {
      for (;;) {
        const at = held.indexOf(delimiter)
        const end = at < 0 ? endOfCertain(held, delimiter) : at
        const certain = held.subarray(0, end)
        held = held.subarray(at < 0 ? end : at + delimiter.length)
        if (certain.length) yield certain
        if (at >= 0) return
        await more()
      }
    },

    /** Whether this text is next; if so it is consumed. */
    async isNext(text: string): Promise<boolean> {
      while (held.length < text.length) await more()
      if (held.toString('latin1', 0, text.length) !== text) return false
      held = held.subarray(text.length)
      return true
    },

    /** Everything that follows. */
    async *rest(): AsyncGenerator<Uint8Array, void> {
      yield held
      for (let chunk = await next(); !chunk.done; chunk = await next()) yield chunk.value
    },
  }
}

// What may be the beginning of the delimiter is held until more bytes have arrived.
function endOfCertain(held: Buffer, delimiter: Buffer): number {
  const at = held.indexOf(CR, Math.max(0, held.length - delimiter.length + 1))
  return at < 0 ? held.length : at
}

async function readLine(reader: Reader, spend: (bytes: number) => void): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of reader.until(CRLF)) {
    spend(piece.length)
    pieces.push(Buffer.from(piece))
  }
  spend(CRLF.length)
  return Buffer.concat(pieces).toString()
}

async function readHeaders(reader: Reader, spend: (bytes: number) => void): Promise<Map<string, string>> {
  const headers = new Map<string, string>()
  for (let line = await readLine(reader, spend); line !== ''; line = await readLine(reader, spend)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase()
    if (!/^[a-z0-9-]+$/.test(name) || headers.has(name)) throw new MalformedForm('A part of the form has bad headers.')
    headers.set(name, line.slice(colon + 1).trim())
  }
  return headers
}

function facts(headers: Map<string, string>): Omit<Part, 'content'> {
  const disposition = headers.get('content-disposition') ?? ''
  const parameters = parametersOf(disposition)
  const name = decoded(parameters.get('name'))
  if (!/^form-data *;/i.test(disposition) || !name) throw new MalformedForm('A part of the form has no name.')
  const fileName = decoded(parameters.get('filename'))
  const contentType = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  return { name, ...(fileName !== undefined && { fileName }), ...(contentType && { contentType }) }
}

function parametersOf(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  let at = header.indexOf(';')
  while (at >= 0 && header.slice(at + 1).trim() !== '') {
    const equals = header.indexOf('=', at)
    const name = header
      .slice(at + 1, equals)
      .trim()
      .toLowerCase()
    const end = equals < 0 ? -1 : endOfValue(header, equals + 1)
    if (end < 0 || parameters.has(name)) throw new MalformedForm('A header of the form is malformed.')
    parameters.set(name, unquoted(header.slice(equals + 1, end).trim()))
    at = header.indexOf(';', end)
  }
  return parameters
}

// A quote ends its value only before a semicolon or the end: some clients do not escape quotes inside a value.
function endOfValue(header: string, from: number): number {
  const isQuoted = /^[ \t]*"/.test(header.slice(from))
  if (!isQuoted) return header.includes(';', from) ? header.indexOf(';', from) : header.length
  let at = header.indexOf('"', from)
  do at = header.indexOf('"', at + 1)
  while (at >= 0 && !/^[ \t]*(;|$)/.test(header.slice(at + 1)))
  return at < 0 ? at : at + 1
}

const unquoted = (text: string): string => (text.startsWith('"') ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : text)

/**
 * Browsers send a quote as %22 and line breaks as %0D and %0A, and leave a percent sign as it is (WHATWG HTML, "multipart
 * form data"). Our client sends a percent sign that could be read as one of these as %25, so that every name is kept.
 */
const decoded = (text: string | undefined) =>
  text?.replace(/%(?:25(?=(?:25)*(?:22|0d|0a))|22|0d|0a)/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  )
