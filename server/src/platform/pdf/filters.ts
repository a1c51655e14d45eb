import type { Dict, Value } from './syntax.ts'
import { unpacksTooFar } from './unfit.ts'
import { ascii85, asciiHex, type Bytes, inflate, lzw, runLength } from './unpackers.ts'

// Unpacks streams piece by piece, so that one that would unpack to gigabytes is left long before.

/** `filters` can be unpacked here. `others` begins with the first that cannot: the codec of an image, or an unknown one. */
export type Packing = { filters: readonly Filter[]; others: readonly Filter[] }
export type Filter = { name: string; parameters: Dict }

type Unpacker = {
  unpack(packed: Bytes, parameters: Dict): Bytes
  /** To how many bytes one byte can unpack at most. */
  growthMax: number
}

const PIECE_BYTES = 65_536
/** V8 is slow to let go of pieces, as they lie outside its heap: then 100 MB of them make a process 100 MB larger. */
const COLLECTED_BYTES = 8_000_000

const UNPACKERS = new Map<string, Unpacker>([
  ['FlateDecode', { unpack: inflate, growthMax: 1_032 }],
  ['LZWDecode', { unpack: lzw, growthMax: 3_072 }],
  ['RunLengthDecode', { unpack: runLength, growthMax: 64 }],
  ['ASCII85Decode', { unpack: ascii85, growthMax: 4 }],
  ['ASCIIHexDecode', { unpack: asciiHex, growthMax: 1 }],
  ['Crypt', { unpack: (packed) => packed, growthMax: 1 }],
])

const LONG_NAMES = new Map([
  ['Fl', 'FlateDecode'],
  ['LZW', 'LZWDecode'],
  ['RL', 'RunLengthDecode'],
  ['A85', 'ASCII85Decode'],
  ['AHx', 'ASCIIHexDecode'],
  ['CCF', 'CCITTFaxDecode'],
  ['DCT', 'DCTDecode'],
])

export function packingOf(filter: Value, parameters: Value): Packing {
  const each = [parameters].flat()
  const all = [filter].flat().flatMap((name, index): Filter | [] => {
    const own = each[index]
    if (typeof name !== 'string') return []
    return { name: LONG_NAMES.get(name) ?? name, parameters: own instanceof Map ? own : new Map() }
  })
  const known = all.findIndex(({ name }) => !UNPACKERS.has(name))
  const count = known < 0 ? all.length : known
  return { filters: all.slice(0, count), others: all.slice(count) }
}

/** Throws `Unfit` as soon as the stream, or what one of its filters makes of it, passes `bytesMax`. */
export function unpack(packed: Buffer, filters: readonly Filter[], bytesMax: number): Bytes {
  return filters.reduce<Bytes>((bytes, { name, parameters }) => {
    const unpacker = UNPACKERS.get(name)
    return unpacker ? limited(unpacker.unpack(bytes, parameters), bytesMax) : bytes
  }, piecesOf(packed))
}

/** Whether so few bytes can, by these filters, unpack to more than `bytesMax` at all. */
export function mayUnpackTo(bytesMax: number, packedBytes: number, filters: readonly Filter[]): boolean {
  let bound = packedBytes
  return filters.some(({ name }) => {
    bound *= UNPACKERS.get(name)?.growthMax ?? 1
    return bound > bytesMax
  })
}

async function* limited(bytes: Bytes, bytesMax: number): Bytes {
  let total = 0
  for await (const piece of bytes) {
    if ((total % COLLECTED_BYTES) + piece.length > COLLECTED_BYTES) globalThis.gc?.({ type: 'minor' })
    total += piece.length
    if (total > bytesMax) throw unpacksTooFar(bytesMax)
    yield piece
  }
}

async function* piecesOf(bytes: Buffer): Bytes {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}
