import { open } from 'node:fs/promises'
import { REASONS } from './reasons.ts'

// What the first and the last bytes show. Two small reads, so it is done without a worker.

const HEAD_BYTES = 16
const END_BYTES_MAX = 1_024

/** Why the file is rejected, or undefined where a worker must look at it. */
export async function findReason(path: string): Promise<string | undefined> {
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

// A ZIP archive is read from its end: a record, followed by a comment of any bytes, which can hold the end of a PDF.
const END_RECORD = Buffer.from('PK\x05\x06', 'latin1')
const END_RECORD_BYTES = 22
const ARCHIVE_TAIL_BYTES = END_RECORD_BYTES + 65_535

function isArchive(tail: Buffer, size: number): boolean {
  const found = []
  for (let at = tail.indexOf(END_RECORD); at >= 0; at = tail.indexOf(END_RECORD, at + 1)) found.push(at)
  return found.some((at) => at + END_RECORD_BYTES <= tail.length && isEndRecord(tail.subarray(at), size))
}

/** Compressed data may contain these four bytes by chance, but hardly a record that makes sense. */
function isEndRecord(record: Buffer, size: number): boolean {
  const [disk, entriesHere, entries] = [record.readUInt16LE(4), record.readUInt16LE(8), record.readUInt16LE(10)]
  const directoryBytes = record.readUInt32LE(12)
  const isLarge = directoryBytes === 0xffff_ffff // the size is in another record before this one
  return (disk === 0 || disk === 0xffff) && entriesHere === entries && (directoryBytes <= size || isLarge)
}
