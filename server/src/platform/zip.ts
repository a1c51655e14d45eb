import type { Readable } from 'node:stream'
import { fromBufferPromise } from 'yauzl'

export type ZipLimits = { entriesMax: number; entryBytesMax: number; unpackedBytesMax: number }

export type ZipEntry = { name: string; open(): Promise<Readable> }

/**
 * The files in a ZIP, in its order. It is refused whole where a name leaves its folder, a file is encrypted or packed in an
 * unknown way, or there are more files or bytes than the limits say. A file that unpacks to more than it announces fails
 * when it is read.
 */
export async function listZip(bytes: Buffer, limits: ZipLimits): Promise<ZipEntry[]> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true, autoClose: false })
  if (zip.entryCount > limits.entriesMax) throw new Error(`A ZIP of ${zip.entryCount} entries is not read.`)
  const entries: ZipEntry[] = []
  let unpackedBytes = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    unpackedBytes += entry.uncompressedSize
    if (entry.uncompressedSize > limits.entryBytesMax || unpackedBytes > limits.unpackedBytesMax) {
      throw new Error('A ZIP that unpacks to so many bytes is not read.')
    }
    if (!entry.canDecodeFileData()) throw new Error('A ZIP with a file that cannot be unpacked is not read.')
    entries.push({ name: entry.fileName, open: () => zip.openReadStreamPromise(entry) })
  }
  return entries
}
