import { once } from 'node:events'
import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

// A ZIP that is written while it is sent: sizes and checksums follow each file (APPNOTE.TXT, 4.3.9), and the directory comes
// last. Memory grows by a line of the directory for each file, whatever their sizes. A chunk is valid until the next is asked
// for, those that come in and those that go out.

export type ZipPart = {
  name: string
  /** PDFs are packed already. */
  packed: 'yes' | 'no'
  content: AsyncIterable<Uint8Array>
}

const FLAGS = 0x0808 // sizes follow the content; names are UTF-8
const DEFLATED = 8
const VERSION = { usual: 20, zip64: 45 }
const MAX_32 = 0xffff_ffff
const MAX_16 = 0xffff

/** `at` is the time of all files, `before` the number of bytes that precede it in its own file. */
export async function* writeZip(parts: AsyncIterable<ZipPart>, at: Date, before = 0): AsyncGenerator<Buffer, void> {
  const directory: Buffer[] = []
  let offset = before
  const sent = (bytes: Buffer) => {
    offset += bytes.length
    return bytes
  }
  for await (const { name, packed, content } of parts) {
    const file = { name: Buffer.from(name), offset, time: dosTime(at), crc: 0, size: 0, packedSize: 0 }
    yield sent(localHeader(file))
    for await (const bytes of deflated(content, packed, file)) {
      file.packedSize += bytes.length
      yield sent(bytes)
    }
    if (file.packedSize > MAX_32) throw new Error(`${name} is too large for a ZIP that is streamed.`)
    yield sent(descriptor(file))
    directory.push(directoryLine(file))
  }
  const start = offset
  for (const line of directory) yield sent(line)
  yield endOfDirectory(directory.length, offset - start, start)
}

type Sums = { crc: number; size: number }
type File = Sums & { name: Buffer; offset: number; time: number; packedSize: number }

async function* deflated(content: ZipPart['content'], packed: ZipPart['packed'], sums: Sums): AsyncGenerator<Buffer> {
  async function* counted() {
    for await (const bytes of content) {
      sums.crc = crc32(bytes, sums.crc)
      sums.size += bytes.length
      yield bytes
    }
  }
  if (packed === 'no') return yield* copied(counted())
  const packing = createDeflateRaw()
  pipeline(Readable.from(counted(), { objectMode: false }), packing, () => {}) // an error ends the loop below
  yield* packing
  if (!packing.closed) await once(packing, 'close')
}

/** As blocks that are not packed (RFC 1951, 3.2.4): readers that stream understand these, and a plain copy they do not. */
async function* copied(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const bytes of content) {
    for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
      const block = bytes.subarray(at, at + BLOCK_BYTES)
      yield Buffer.concat([BLOCK, u16(block.length, ~block.length)])
      yield Buffer.from(block.buffer, block.byteOffset, block.length)
    }
  }
  yield Buffer.concat([LAST_BLOCK, u16(0, ~0)])
}

const BLOCK_BYTES = 32_768
const BLOCK = Buffer.from([0])
const LAST_BLOCK = Buffer.from([1])

// The date of DOS begins in 1980 and counts in steps of two seconds. In UTC, so that every node writes the same.
function dosTime(at: Date): number {
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return ((date << 16) | time) >>> 0
}

const localHeader = ({ name, time }: File) =>
  Buffer.concat([u32(0x04034b50), u16(VERSION.usual, FLAGS, DEFLATED), u32(time, 0, 0, 0), u16(name.length, 0), name])

const descriptor = ({ crc, packedSize, size }: File) => u32(0x08074b50, crc, packedSize, size)

function directoryLine({ name, time, crc, packedSize, size, offset }: File): Buffer {
  const far = offset >= MAX_32
  const extra = far ? Buffer.concat([u16(1, 8), u64(offset)]) : Buffer.alloc(0)
  return Buffer.concat([
    u32(0x02014b50),
    u16(VERSION.usual, far ? VERSION.zip64 : VERSION.usual, FLAGS, DEFLATED),
    u32(time, crc, packedSize, size),
    u16(name.length, extra.length, 0, 0, 0),
    u32(0, Math.min(offset, MAX_32)),
    name,
    extra,
  ])
}

function endOfDirectory(count: number, size: number, start: number): Buffer {
  const end = Buffer.concat([
    u32(0x06054b50),
    u16(0, 0, Math.min(count, MAX_16), Math.min(count, MAX_16)),
    u32(size, Math.min(start, MAX_32)),
    u16(0),
  ])
  if (start < MAX_32 && count < MAX_16) return end
  const { zip64 } = VERSION
  return Buffer.concat([
    ...[u32(0x06064b50), u64(44), u16(zip64, zip64), u32(0, 0), u64(count, count, size, start)],
    ...[u32(0x07064b50, 0), u64(start + size), u32(1)],
    end,
  ])
}

const u16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer)
const u32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)
const u64 = (...values: number[]) => Buffer.from(BigUint64Array.from(values, BigInt).buffer)
