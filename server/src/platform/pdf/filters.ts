import type { Dict, Value } from './syntax.ts'
import { damaged, unpacksTooFar } from './unfit.ts'
import { ascii85, asciiHex, type Bytes, inflate, lzw, runLength } from './unpackers.ts'

// Unpacks streams piece by piece, so that one that would unpack to gigabytes is left long before.

export type Filter = { name: string; parameters: Dict }

type Unpacker = {
  unpack(packed: Bytes, parameters: Dict): Bytes
  /** To how many bytes one byte can unpack at most. */
  growthMax: number
}

const PIECE_BYTES = 65_536
const FILTERS_MAX = 16
const COLLECTED_BYTES = 8_000_000

const UNPACKERS: Record<string, Unpacker> = {
  FlateDecode: { unpack: inflate, growthMax: 1_032 },
  LZWDecode: { unpack: lzw, growthMax: 3_072 },
  RunLengthDecode: { unpack: runLength, growthMax: 64 },
  ASCII85Decode: { unpack: ascii85, growthMax: 4 },
  ASCIIHexDecode: { unpack: asciiHex, growthMax: 1 },
  Crypt: { unpack: (packed) => packed, growthMax: 1 },
}

const SHORT_NAMES: Record<string, string> = {
  Fl: 'FlateDecode',
  LZW: 'LZWDecode',
  RL: 'RunLengthDecode',
  A85: 'ASCII85Decode',
  AHx: 'ASCIIHexDecode',
}

const unpackerOf = (name: string) => UNPACKERS[SHORT_NAMES[name] ?? name]

/** The filters up to the first that makes a picture. */
export function filtersOf(filter: Value, parameters: Value): Filter[] {
  const names = (Array.isArray(filter) ? filter : [filter]).filter((name) => typeof name === 'string')
  if (names.length > FILTERS_MAX) throw damaged('a stream in it is packed too often')
  const each = Array.isArray(parameters) ? parameters : [parameters]
  const all = names.map((name, index): Filter => {
    const own = each[index]
    return { name, parameters: own instanceof Map ? own : new Map() }
  })
  const picture = all.findIndex(({ name }) => !unpackerOf(name))
  return picture < 0 ? all : all.slice(0, picture)
}

/** Throws `Unfit` as soon as the stream, or what one of its filters makes of it, passes `bytesMax`. */
export function unpack(packed: Buffer, filters: readonly Filter[], bytesMax: number): Bytes {
  return filters.reduce<Bytes>((bytes, { name, parameters }) => {
    const unpacker = unpackerOf(name)
    return unpacker ? limited(unpacker.unpack(bytes, parameters), bytesMax) : bytes
  }, piecesOf(packed))
}

/** Whether so few bytes can, by these filters, unpack to more than `bytesMax` at all. */
export function mayUnpackTo(bytesMax: number, packedBytes: number, filters: readonly Filter[]): boolean {
  let bound = packedBytes
  return filters.some(({ name }) => {
    bound *= unpackerOf(name)?.growthMax ?? 1
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
