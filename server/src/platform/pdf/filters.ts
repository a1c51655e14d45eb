import { unpacksTooFar } from './reasons.ts'
import { type Dict, isWhole, type Value } from './syntax.ts'
import { ascii85, asciiHex, type Bytes, inflate, lzw, runLength } from './unpackers.ts'

// Unpacks streams piece by piece, so that one that would unpack to gigabytes is abandoned early.

/** `filters` can be unpacked here. `others` begins with the first that cannot: the codec of an image, or an unknown one. */
export type Packing = { filters: readonly Filter[]; others: readonly Filter[] }
export type Filter = { name: string; parameters: Dict }

type Unpacker = {
  unpack(packed: Bytes, parameters: Dict): Bytes
  /** How many bytes one byte can unpack to. */
  growthMax: number
}

const PIECE_BYTES = 65_536
/** V8 frees pieces late, because they are outside its heap: 100 MB of them would make the process 100 MB larger. */
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

/** Throws `RejectedPdf` as soon as the stream, or the result of one of its filters, is longer than `bytesMax`. */
export function unpack(packed: Buffer, filters: readonly Filter[], bytesMax: number): Bytes {
  return filters.reduce<Bytes>((bytes, { name, parameters }) => {
    const unpacker = UNPACKERS.get(name)
    return unpacker ? limited(unpacker.unpack(bytes, parameters), bytesMax) : bytes
  }, piecesOf(packed))
}

/** Whether this many bytes could unpack to more than `bytesMax`. */
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

const [TIFF, PNG] = [2, 10]
const [SUB, UP, AVERAGE, PAETH] = [1, 2, 3, 4]

/** Reverses the predictor that was applied before compression. */
export function unpredicted(bytes: Buffer, parameters: Dict): Buffer {
  const predictor = wholeOf(parameters, 'Predictor', 1)
  const pixelBits = wholeOf(parameters, 'Colors', 1) * wholeOf(parameters, 'BitsPerComponent', 8)
  const rowBytes = Math.ceil((wholeOf(parameters, 'Columns', 1) * pixelBits) / 8)
  const pixelBytes = Math.max(1, pixelBits >> 3)
  if (predictor >= PNG) return png(bytes, Math.max(1, rowBytes), pixelBytes)
  return predictor === TIFF ? tiff(bytes, Math.max(1, rowBytes), pixelBytes) : bytes
}

function wholeOf(parameters: Dict, key: string, fallback: number): number {
  const value = parameters.get(key)
  return isWhole(value) ? value : fallback
}

/** The first byte of each row states how it was predicted. */
function png(bytes: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const out = Buffer.allocUnsafe(bytes.length)
  let used = 0
  for (let row = 0; row < bytes.length; row += rowBytes + 1) {
    const kind = bytes[row]
    const isFirst = used === 0
    const length = Math.min(rowBytes, bytes.length - row - 1)
    for (let column = 0; column < length; column++, used++) {
      const left = column < pixelBytes ? 0 : (out[used - pixelBytes] ?? 0)
      const up = isFirst ? 0 : (out[used - rowBytes] ?? 0)
      const corner = isFirst || column < pixelBytes ? 0 : (out[used - rowBytes - pixelBytes] ?? 0)
      out[used] = (bytes[row + 1 + column] ?? 0) + predicted(kind, left, up, corner)
    }
  }
  return out.subarray(0, used)
}

function predicted(kind: number | undefined, left: number, up: number, corner: number): number {
  if (kind === SUB) return left
  if (kind === UP) return up
  if (kind === AVERAGE) return (left + up) >> 1
  return kind === PAETH ? paeth(left, up, corner) : 0
}

function paeth(left: number, up: number, corner: number): number {
  const [byLeft, byUp, byCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (byLeft <= byUp && byLeft <= byCorner) return left
  return byUp <= byCorner ? up : corner
}

function tiff(bytes: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const out = Buffer.from(bytes)
  for (let at = 0; at < out.length; at++) {
    if (at % rowBytes >= pixelBytes) out[at] = (out[at] ?? 0) + (out[at - pixelBytes] ?? 0)
  }
  return out
}
