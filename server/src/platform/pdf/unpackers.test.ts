import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { constants, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { unpredicted } from './filters.ts'
import type { Dict } from './syntax.ts'
import { ascii85, asciiHex, type Bytes, inflate, lzw, runLength } from './unpackers.ts'

// Each way to unpack is held against a plain way to pack, with bytes that repeat, and in pieces of any size.

const content = fc
  .array(fc.record({ byte: fc.nat(255), times: fc.oneof(fc.constant(1), fc.nat(300)) }), { maxLength: 200 })
  .map((runs) => Buffer.concat(runs.map(({ byte, times }) => Buffer.alloc(times, byte))))
const pieceBytes = fc.integer({ min: 1, max: 1_000 })

/** Long enough for every table to fill and to be cleared. */
const VARIED = Buffer.from(Array.from({ length: 40_000 }, (_, at) => (at * at) >> 5))

const NONE: Dict = new Map()

const WAYS: Record<string, { pack(bytes: Buffer): Buffer; unpack(packed: Bytes): Bytes }> = {
  FlateDecode: { pack: (bytes) => deflateSync(bytes), unpack: inflate },
  'FlateDecode without compression': { pack: (bytes) => deflateSync(bytes, { level: 0 }), unpack: inflate },
  'FlateDecode by fixed codes': {
    pack: (bytes) => deflateSync(bytes, { strategy: constants.Z_FIXED }),
    unpack: inflate,
  },
  LZWDecode: { pack: (bytes) => packLzw(bytes, 1), unpack: (packed) => lzw(packed, NONE) },
  'LZWDecode with late change': {
    pack: (bytes) => packLzw(bytes, 0),
    unpack: (packed) => lzw(packed, new Map([['EarlyChange', 0]])),
  },
  RunLengthDecode: { pack: packRuns, unpack: runLength },
  ASCII85Decode: { pack: packAscii85, unpack: ascii85 },
  ASCIIHexDecode: { pack: (bytes) => Buffer.from(`${bytes.toString('hex')}>`), unpack: asciiHex },
}

describe('unpacking', () => {
  for (const [name, { pack, unpack }] of Object.entries(WAYS)) {
    it(`gives back what ${name} packed`, async () => {
      const law = fc.asyncProperty(content, pieceBytes, async (bytes, size) => {
        const unpacked = Buffer.concat(await Array.fromAsync(unpack(inPieces(pack(bytes), size))))
        assert.ok(unpacked.equals(bytes), `${unpacked.length} bytes of ${bytes.length}`)
      })
      await fc.assert(law, { numRuns: 60, examples: [[VARIED, 997]] })
    })
  }

  it('gives what came before the bytes that cannot be unpacked', async () => {
    const packed = deflateSync(Buffer.alloc(100_000, 'deed '))
    const cut = Buffer.concat(await Array.fromAsync(inflate(inPieces(packed.subarray(0, packed.length / 2), 50))))
    assert.ok(cut.length > 1_000 && Buffer.alloc(100_000, 'deed ').subarray(0, cut.length).equals(cut))
    const wrong = Buffer.concat(await Array.fromAsync(inflate(inPieces(Buffer.from('no such thing'), 5))))
    assert.ok(wrong.length < 100)
  })
})

describe('taking back a prediction', () => {
  const [ROW, PIXEL] = [12, 3]
  const KINDS = ['none', 'sub', 'up', 'average', 'paeth']
  for (const [kind, name] of KINDS.entries()) {
    it(`gives back rows that were predicted by ${name}`, () => {
      const parameters: Dict = new Map(Object.entries({ Predictor: 10 + kind, Columns: 4, Colors: 3 }))
      const law = fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
        const whole = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % ROW)))
        assert.deepEqual(unpredicted(predict(whole, kind), parameters), whole)
      })
      fc.assert(law)
    })
  }

  function predict(bytes: Buffer, kind: number): Buffer {
    const rows = Array.from({ length: bytes.length / ROW }, (_, row) => {
      const at = (column: number, above: number) =>
        column < 0 || row < above ? 0 : (bytes[(row - above) * ROW + column] ?? 0)
      const predicted = Array.from({ length: ROW }, (_, column) => {
        const [left, up, corner] = [at(column - PIXEL, 0), at(column, 1), at(column - PIXEL, 1)]
        const nearest = [left, up, corner].toSorted((a, b) => off(a) - off(b))[0] ?? 0
        function off(one: number): number {
          return Math.abs(left + up - corner - one)
        }
        return at(column, 0) - ([0, left, up, (left + up) >> 1, nearest][kind] ?? 0)
      })
      return Buffer.from([kind, ...predicted])
    })
    return Buffer.concat(rows)
  }
})

async function* inPieces(bytes: Buffer, size: number): Bytes {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

function packLzw(bytes: Buffer, earlyChange: number): Buffer {
  let bits = ''
  let known = new Map<string, number>()
  const write = (code: number) => {
    const next = 258 + known.size + earlyChange
    const width = next > 2048 ? 12 : next > 1024 ? 11 : next > 512 ? 10 : 9
    bits += code.toString(2).padStart(width, '0')
  }
  const codeOf = (run: string) => (run.length === 1 ? run.charCodeAt(0) : (known.get(run) ?? -1))
  write(256)
  let run = ''
  for (const letter of bytes.toString('latin1')) {
    if (codeOf(run + letter) >= 0) {
      run += letter
      continue
    }
    write(codeOf(run))
    known.set(run + letter, 258 + known.size)
    run = letter
    if (known.size === 3_800) {
      write(256)
      known = new Map()
    }
  }
  if (run) write(codeOf(run))
  known.set('what the last code would have begun', 0)
  write(257)
  return Buffer.from(bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? [])
}

function packRuns(bytes: Buffer): Buffer {
  const out: number[] = []
  for (let at = 0; at < bytes.length; ) {
    let length = 1
    while (length < 128 && at + length < bytes.length && bytes[at + length] === bytes[at]) length++
    if (length > 1) out.push(257 - length, bytes[at] ?? 0)
    else out.push(0, bytes[at] ?? 0)
    at += length
  }
  return Buffer.from([...out, 128])
}

function packAscii85(bytes: Buffer): Buffer {
  const groups = Array.from({ length: Math.ceil(bytes.length / 4) }, (_, at) => {
    const group = bytes.subarray(at * 4, at * 4 + 4)
    let value = Buffer.concat([group, Buffer.alloc(4 - group.length)]).readUInt32BE()
    if (value === 0 && group.length === 4) return 'z'
    const digits = Array.from({ length: 5 }, () => {
      const digit = value % 85
      value = Math.floor(value / 85)
      return String.fromCharCode(33 + digit)
    })
    return digits
      .reverse()
      .join('')
      .slice(0, group.length + 1)
  })
  return Buffer.from(`${groups.join('\n')}~>`)
}
