import type { Document, Entry } from './document.ts'
import { damaged, REASONS, RejectedPdf } from './reasons.ts'
import { type Dict, isWhole } from './syntax.ts'

/** `entry` is undefined for a free number. */
type Each = (number: number, entry: Entry | undefined) => void

const OBJECT_NUMBER_MAX = 8_388_607
const SIZE_SLACK = 1_000
const TAIL_BYTES = 2_048

/** Follows the cross-references from the last revision to the first, fills `entries` and `replaced`, gives the trailer. */
export async function readCrossReferences(document: Document): Promise<Dict> {
  const { bytes, entries, replaced } = document
  const free = new Set<number>()
  const seen = new Set<number>()
  let trailer: Dict | undefined
  let highest = 0

  const read = async (offset: number, freed: Set<number>) => {
    if (seen.has(offset)) throw damaged('its cross-references contain a loop')
    seen.add(offset)
    return readSection(document, offset, (number, entry) => {
      if (number > OBJECT_NUMBER_MAX) throw damaged('its cross-references contain an object number that is too high')
      highest = Math.max(highest, number)
      const known = entries.get(number)
      if (!entry) freed.add(number)
      else if (!(known || free.has(number) || freed.has(number))) entries.set(number, entry)
      else if (!isSame(known, entry)) addReplaced(number, entry)
    })
  }

  const addReplaced = (number: number, entry: Entry) => {
    const others = replaced.get(number)
    if (others) others.push(entry)
    else replaced.set(number, [entry])
  }

  for (let offset = startOf(bytes); offset !== 0; ) {
    const freed = new Set<number>()
    const section = await read(offset, freed)
    trailer ??= section
    // For old and new readers: what is free in the table may be in use in the stream that the table names.
    const beside = offsetIn(section, 'XRefStm')
    const freedBeside = new Set<number>()
    if (beside !== 0 && !seen.has(beside)) await read(beside, freedBeside)
    for (const number of [...freed, ...freedBeside]) free.add(number)
    offset = offsetIn(section, 'Prev')
  }
  if (!trailer) throw damaged('it does not say where its cross-references are')
  checkSize(trailer, highest)
  return trailer
}

const isSame = (one: Entry | undefined, other: Entry) =>
  one !== undefined && 'offset' in one && 'offset' in other && one.offset === other.offset

function startOf(bytes: Buffer): number {
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - TAIL_BYTES))
  const [, offset] = /startxref[\0\t\n\f\r ]+(\d+)[\0\t\n\f\r ]+%%EOF[\0\t\n\f\r ]*$/.exec(tail) ?? []
  return Number(offset ?? 0)
}

/** Zero where there is none. Some producers write the zero. */
function offsetIn(trailer: Dict, key: string): number {
  const offset = trailer.get(key) ?? 0
  if (isWhole(offset)) return offset
  throw damaged('a part of its cross-references is missing')
}

function checkSize(trailer: Dict, highest: number): void {
  const size = trailer.get('Size')
  if (isWhole(size) && size > 0 && size <= 2 * highest + SIZE_SLACK) return
  throw damaged('its trailer gives a wrong number of objects')
}

async function readSection(document: Document, offset: number, each: Each): Promise<Dict> {
  const { parser, bytes } = document
  if (offset >= bytes.length) throw damaged('its cross-references start after its end')
  parser.at = offset
  const trailer = parser.keyword('xref') ? readTable(document, each) : await readStream(document, offset, each)
  if ((trailer.get('Encrypt') ?? null) !== null) throw new RejectedPdf(REASONS.encrypted)
  return trailer
}

function readTable({ parser }: Document, each: Each): Dict {
  while (!parser.keyword('trailer')) {
    let number = parser.whole()
    const count = parser.whole()
    if (number === undefined || count === undefined) throw unreadable('table')
    for (let row = 0; row < count; row++, number++) {
      const [offset, generation] = [parser.whole(), parser.whole()]
      const isUsed = parser.keyword('n')
      if (offset === undefined || generation === undefined || !(isUsed || parser.keyword('f'))) {
        throw unreadable('table')
      }
      // Object 0 is the head of the free list. Some producers number it 1.
      if (row === 0 && number === 1 && !isUsed && generation === 65_535) number = 0
      each(number, isUsed && offset > 0 ? { offset, generation } : undefined)
    }
  }
  const trailer = parser.value()
  if (trailer instanceof Map) return trailer
  throw damaged('it has no trailer')
}

const [FREE, AT_OFFSET, IN_STREAM] = [0, 1, 2]

async function readStream(document: Document, offset: number, each: Each): Promise<Dict> {
  const { parser } = document
  const [number = -1, generation = -1] = [parser.whole(), parser.whole()]
  const found = await document.objectAt(offset, number, generation)
  const dict = found?.value
  if (!(dict instanceof Map && found?.packed && dict.get('Type') === 'XRef')) {
    throw damaged('its cross-references are not at the stated offset')
  }
  const widths = wholesIn(dict, 'W', [])
  const [typeBytes = 0, secondBytes = 0, thirdBytes = 0] = widths
  if (widths.length !== 3 || widths.some((width) => width > 6)) throw unreadable('stream')
  const content = await document.unpacked(dict, found.packed)
  const index = wholesIn(dict, 'Index', [0, ...wholesIn(dict, 'Size', [])])
  const field = (at: number, width: number) => (width > 0 ? content.readUIntBE(at, width) : 0)
  for (let section = 0, at = 0; section < index.length; section += 2) {
    const [first = 0, count = 0] = [index[section], index[section + 1]]
    const rowBytes = typeBytes + secondBytes + thirdBytes
    if (count * Math.max(1, rowBytes) > content.length - at) throw damaged('its cross-reference stream is too short')
    for (let row = 0; row < count; row++, at += rowBytes) {
      const type = typeBytes > 0 ? field(at, typeBytes) : AT_OFFSET
      const second = field(at + typeBytes, secondBytes)
      const third = field(at + typeBytes + secondBytes, thirdBytes)
      if (type === AT_OFFSET) each(first + row, second > 0 ? { offset: second, generation: third } : undefined)
      if (type === IN_STREAM) each(first + row, { stream: second, index: third })
      if (type === FREE) each(first + row, undefined)
    }
  }
  return dict
}

function wholesIn(dict: Dict, key: string, fallback: number[]): number[] {
  const value = dict.get(key) ?? fallback
  const values = Array.isArray(value) ? value : [value]
  if (values.every((one): one is number => isWhole(one))) return values
  throw unreadable('stream')
}

const unreadable = (what: 'table' | 'stream') => damaged(`its cross-reference ${what} cannot be read`)
