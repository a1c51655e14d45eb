import { pipeline, Readable } from 'node:stream'
import { constants, createInflateRaw } from 'node:zlib'
import { type Dict, isWhole } from './syntax.ts'

// One function for each filter of a PDF, from pieces to pieces. Bytes that cannot be unpacked end the stream, as in other
// readers, which show what came before them.

export type Bytes = AsyncIterable<Buffer>

const PIECE_BYTES = 65_536
const ZLIB_HEADER_BYTES = 2

// Ignores the header and the checksum, which not all readers check: whatever one of them can unpack is unpacked here.
export async function* inflate(packed: Bytes): Bytes {
  const inflater = createInflateRaw({ chunkSize: PIECE_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
  pipeline(Readable.from(without(ZLIB_HEADER_BYTES, packed)), inflater, () => {})
  try {
    yield* inflater
  } catch (error) {
    if (!/^Z_/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

async function* without(count: number, bytes: Bytes): Bytes {
  let left = count
  for await (const piece of bytes) {
    yield piece.subarray(left)
    left = Math.max(0, left - piece.length)
  }
}

const LZW_CODES = 4096
const [LZW_CLEAR, LZW_END, LZW_FIRST] = [256, 257, 258]

export async function* lzw(packed: Bytes, parameters: Dict): Bytes {
  const early = parameters.get('EarlyChange')
  const earlyChange = isWhole(early) ? early : 1
  const prefixes = new Uint16Array(LZW_CODES)
  const lasts = Uint8Array.from({ length: LZW_CODES }, (_, code) => code)
  const firsts = Uint8Array.from(lasts)
  const lengths = new Uint16Array(LZW_CODES).fill(1)
  let [bits, bitCount, width, next, previous] = [0, 0, 9, LZW_FIRST, -1]
  let out = Buffer.allocUnsafe(PIECE_BYTES)
  let used = 0

  for await (const piece of packed) {
    for (const byte of piece) {
      bits = (bits << 8) | byte
      bitCount += 8
      if (bitCount < width) continue
      bitCount -= width
      const code = bits >> bitCount
      bits &= (1 << bitCount) - 1
      if (code === LZW_CLEAR) {
        width = 9
        next = LZW_FIRST
        previous = -1
        continue
      }
      const isKnown = code < LZW_CLEAR || (code >= LZW_FIRST && code < next)
      if (code === LZW_END || !(isKnown || (code === next && previous >= 0))) return yield out.subarray(0, used)
      if (previous >= 0 && next < LZW_CODES) {
        prefixes[next] = previous
        firsts[next] = firsts[previous] ?? 0
        lasts[next] = firsts[code === next ? previous : code] ?? 0
        lengths[next] = (lengths[previous] ?? 0) + 1
        next++
      }
      const length = lengths[code] ?? 0
      if (used + length > PIECE_BYTES) {
        yield out.subarray(0, used)
        out = Buffer.allocUnsafe(PIECE_BYTES)
        used = 0
      }
      for (let at = used + length - 1, one = code; at >= used; at--, one = prefixes[one] ?? 0) out[at] = lasts[one] ?? 0
      used += length
      previous = code
      width = next + earlyChange >= 2048 ? 12 : next + earlyChange >= 1024 ? 11 : next + earlyChange >= 512 ? 10 : 9
    }
  }
  yield out.subarray(0, used)
}

const RUN_END = 128
const RUN_BYTES_MAX = 128

export async function* runLength(packed: Bytes): Bytes {
  let [copies, repeats, used] = [0, 0, 0]
  let out = Buffer.allocUnsafe(PIECE_BYTES)
  for await (const piece of packed) {
    for (const byte of piece) {
      if (used + RUN_BYTES_MAX > PIECE_BYTES) {
        yield out.subarray(0, used)
        out = Buffer.allocUnsafe(PIECE_BYTES)
        used = 0
      }
      if (copies > 0) {
        out[used++] = byte
        copies--
      } else if (repeats > 0) {
        out.fill(byte, used, used + repeats)
        used += repeats
        repeats = 0
      } else if (byte === RUN_END) {
        return yield out.subarray(0, used)
      } else if (byte < RUN_END) {
        copies = byte + 1
      } else {
        repeats = 257 - byte
      }
    }
  }
  yield out.subarray(0, used)
}

const [BANG, LETTER_U, LETTER_Z, TILDE] = [33, 117, 122, 126]

export async function* ascii85(packed: Bytes): Bytes {
  let [group, digits] = [0, 0]
  for await (const piece of packed) {
    const out = Buffer.allocUnsafe(piece.length * 4 + 4)
    let used = 0
    for (const byte of piece) {
      if (byte === TILDE) {
        used = out.writeUInt32BE((group * 85 ** (5 - digits) + 85 ** (5 - digits) - 1) % 2 ** 32, used)
        return yield out.subarray(0, Math.max(0, used - (digits === 0 ? 4 : 5 - digits)))
      }
      if (byte === LETTER_Z && digits === 0) used = out.writeUInt32BE(0, used)
      if (byte < BANG || byte > LETTER_U) continue
      group = group * 85 + byte - BANG
      digits++
      if (digits < 5) continue
      used = out.writeUInt32BE(group % 2 ** 32, used)
      group = digits = 0
    }
    yield out.subarray(0, used)
  }
}

export async function* asciiHex(packed: Bytes): Bytes {
  let left = ''
  for await (const piece of packed) {
    const [digits = '', ...rest] = (left + piece.toString('latin1')).split('>')
    const hex = digits.replace(/[^0-9a-f]/gi, '')
    const whole = rest.length > 0 ? hex.length + (hex.length % 2) : hex.length - (hex.length % 2)
    yield Buffer.from(hex.padEnd(whole, '0').slice(0, whole), 'hex')
    if (rest.length > 0) return
    left = hex.slice(whole)
  }
}
