import { open } from 'node:fs/promises'
import { REASONS } from './unfit.ts'

// What a look at the first and the last bytes tells. It costs two small reads, so it needs no process of its own.

const HEAD_BYTES = 16
const END_BYTES_MAX = 1_024

/** Why the file cannot be a PDF that may be kept, or undefined where it must be looked at more closely. */
export async function reasonAtTheGate(path: string): Promise<string | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const head = await read(0, HEAD_BYTES)
    const tail = await read(Math.max(0, size - ARCHIVE_TAIL_BYTES), ARCHIVE_TAIL_BYTES)
    if (size === 0) return REASONS.empty
    return reasonInHead(head) ?? reasonInEnd(tail) ?? (isArchive(tail, size) ? REASONS.archive : undefined)
  } finally {
    await file.close()
  }

  async function read(position: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position })
    return buffer.subarray(0, bytesRead)
  }
}

function reasonInHead(head: Buffer): string | undefined {
  const [, version] = /^%PDF-(\d+\.\d+)/.exec(head.toString('latin1')) ?? []
  if (version === undefined) return REASONS.notPdf
  return /^(1\.[0-7]|2\.0)$/.test(version) ? undefined : REASONS.version
}

function reasonInEnd(tail: Buffer): string | undefined {
  const end = tail.subarray(-END_BYTES_MAX).toString('latin1')
  return /%%EOF[\0\t\n\f\r ]*$/.test(end) ? undefined : REASONS.noEnd
}

// A ZIP archive is read from its end: a record, and after it a comment of any bytes, in which a PDF can end.
const END_RECORD = Buffer.from('PK\x05\x06', 'latin1')
const END_RECORD_BYTES = 22
const ARCHIVE_TAIL_BYTES = END_RECORD_BYTES + 65_535

function isArchive(tail: Buffer, size: number): boolean {
  const places = []
  for (let at = tail.indexOf(END_RECORD); at >= 0; at = tail.indexOf(END_RECORD, at + 1)) places.push(at)
  return places.some((at) => at + END_RECORD_BYTES <= tail.length && isEndRecord(tail.subarray(at), size))
}

/** Four letters may stand together by chance in what is packed; a record that makes sense does not. */
function isEndRecord(record: Buffer, size: number): boolean {
  const [disk, entriesHere, entries] = [record.readUInt16LE(4), record.readUInt16LE(8), record.readUInt16LE(10)]
  const directoryBytes = record.readUInt32LE(12)
  const isLarge = directoryBytes === 0xffff_ffff // then another record before this one says how large
  return (disk === 0 || disk === 0xffff) && entriesHere === entries && (directoryBytes <= size || isLarge)
}
