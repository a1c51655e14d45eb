import { deflateSync } from 'node:zlib'

// PDFs written by hand: every offset is right unless a sample asks for a wrong one.

export type Body = string | Buffer

type Layout = {
  version?: string
  /** What follows the header, where readers expect a comment of odd bytes. */
  comment?: string
  trailer?: string
  size?: number
  /** How an entry of the table ends: two bytes by the standard. */
  entryEnd?: string
  end?: string
}

const bytesOf = (body: Body) => (typeof body === 'string' ? Buffer.from(body, 'latin1') : body)
export const join = (...parts: Body[]) => Buffer.concat(parts.map(bytesOf))

export const catalog = (more = '') => `<< /Type /Catalog /Pages 2 0 R ${more} >>`
export const pages = (kids: readonly number[], { count = kids.length, more = '' } = {}) =>
  `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${count} ${more} >>`
export const page = (more = '', parent = 2) => `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 595 842] ${more} >>`

/** Catalogue, page tree and one page, as objects 1 to 3; what follows is numbered from 4. */
export const onePage = (...others: Body[]) => [catalog(), pages([3]), page(), ...others]

export const stream = (dict: string, content: Body, length: number | string = bytesOf(content).length) =>
  join(`<< ${dict} /Length ${length} >>\nstream\n`, content, '\nendstream')

export const flate = (content: Body) => deflateSync(bytesOf(content))

/** Objects 1 to n, then a cross-reference table. */
export function withTable(objects: readonly Body[], layout: Layout = {}): Buffer {
  const { version = '1.4', comment = '%\xe2\xe3\xcf\xd3', trailer = '/Root 1 0 R', end = '%%EOF\n' } = layout
  const { bytes, offsets } = laidOut(`%PDF-${version}\n${comment}\n`, numbered(objects))
  const table = tableOf([[0, undefined], ...offsets], layout.entryEnd)
  const dict = `<< /Size ${layout.size ?? objects.length + 1} ${trailer} >>`
  return join(bytes, `${table}trailer\n${dict}\nstartxref\n${bytes.length}\n${end}`)
}

/** The same with a cross-reference stream; the objects that are `packed` lie in an object stream. */
export function withStream(
  objects: readonly Body[],
  { version = '1.5', packed = [], dict = '', pack = flate }: StreamLayout = {},
): Buffer {
  const [container, index] = [objects.length + 1, objects.length + 2]
  const all = numbered(objects)
  const loose = all.filter(([number]) => !packed.includes(number))
  const members = all.filter(([number]) => packed.includes(number))
  if (members.length > 0) loose.push([container, objectStream(members, pack)])
  const { bytes, offsets } = laidOut(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`, loose)
  const rows: Row[] = [
    [0, 0, 0, 0],
    ...offsets.map(([number, offset = 0]): Row => [number, 1, offset, 0]),
    ...members.map(([number], at): Row => [number, 2, container, at]),
    [index, 1, bytes.length, 0],
  ]
  const body = stream(crossReferenceDict(rows, index + 1, dict), flate(rowsOf(rows)))
  return join(bytes, objectOf(index, body), `startxref\n${bytes.length}\n%%EOF\n`)
}

type StreamLayout = { version?: string; packed?: number[]; dict?: string; pack?: (content: Body) => Buffer }
export type Row = [number: number, type: number, second: number, third: number]

/** With a number for each row, as not all sections are without gaps. */
export const crossReferenceDict = (rows: readonly Row[], size: number, more = '') =>
  `/Type /XRef /Root 1 0 R /Size ${size} /W [1 4 2] /Filter /FlateDecode
   /Index [${rows.map(([number]) => `${number} 1`).join(' ')}] ${more}`

export function rowsOf(rows: readonly Row[]): Buffer {
  const bytes = Buffer.alloc(rows.length * 7)
  for (const [at, [, type, second, third]] of rows.entries()) {
    bytes.writeUInt8(type, at * 7)
    bytes.writeUInt32BE(second, at * 7 + 1)
    bytes.writeUInt16BE(third, at * 7 + 5)
  }
  return bytes
}

export function objectStream(members: readonly Numbered[], pack: (content: Body) => Buffer = flate): Buffer {
  let at = 0
  const heads = members.map(([number, body]) => {
    const head = `${number} ${at}`
    at += bytesOf(body).length + 1
    return head
  })
  const first = `${heads.join(' ')}\n`
  const content = join(first, ...members.flatMap(([, body]) => [body, '\n']))
  return stream(`/Type /ObjStm /N ${members.length} /First ${first.length} /Filter /FlateDecode`, pack(content))
}

/** A later revision: these objects in place of, or beside, those of the file. */
export function revised(file: Buffer, objects: Record<number, Body | undefined>, trailer = ''): Buffer {
  const kept = Object.entries(objects).filter((entry): entry is [string, Body] => entry[1] !== undefined)
  const { bytes, offsets } = laidOut(
    file,
    kept.map(([number, body]): Numbered => [Number(number), body]),
  )
  const removed = Object.keys(objects).filter((number) => objects[Number(number)] === undefined)
  const table = tableOf([...offsets, ...removed.map((number): Place => [Number(number), undefined])])
  const size = Math.max(sizeOf(file), ...Object.keys(objects).map((number) => Number(number) + 1))
  const dict = `<< /Size ${size} /Root 1 0 R /Prev ${startOf(file)} ${trailer} >>`
  return join(bytes, `${table}trailer\n${dict}\nstartxref\n${bytes.length}\n%%EOF\n`)
}

export const startOf = (file: Buffer) => Number(file.toString('latin1').match(/startxref\s+(\d+)\s+%%EOF\s*$/)?.[1])
const sizeOf = (file: Buffer) =>
  Math.max(...[...file.toString('latin1').matchAll(/\/Size (\d+)/g)].map(([, n]) => Number(n)))

export type Numbered = [number: number, body: Body]
export type Place = [number: number, offset: number | undefined]

export const numbered = (objects: readonly Body[]) => objects.map((body, at): Numbered => [at + 1, body])

export const objectOf = (number: number, body: Body) => join(`${number} 0 obj\n`, body, '\nendobj\n')

export function laidOut(start: Body, objects: readonly Numbered[]): { bytes: Buffer; offsets: Place[] } {
  const parts = [bytesOf(start)]
  let at = parts[0]?.length ?? 0
  const offsets = objects.map(([number, body]): Place => {
    const offset = at
    const object = objectOf(number, body)
    parts.push(object)
    at += object.length
    return [number, offset]
  })
  return { bytes: Buffer.concat(parts), offsets }
}

export function tableOf(places: readonly Place[], entryEnd = ' \n'): string {
  const rows: string[] = ['xref\n']
  for (const [at, [number, offset]] of places.entries()) {
    const isNext = at > 0 && places[at - 1]?.[0] === number - 1
    if (!isNext) rows.push(`${number} ${runLength(places, at)}\n`)
    const isFree = offset === undefined
    const generation = isFree && number === 0 ? '65535' : '00000'
    rows.push(`${String(offset ?? 0).padStart(10, '0')} ${generation} ${isFree ? 'f' : 'n'}${entryEnd}`)
  }
  return rows.join('')
}

function runLength(places: readonly Place[], from: number): number {
  const first = places[from]?.[0] ?? 0
  let length = 1
  while (places[from + length]?.[0] === first + length) length++
  return length
}
