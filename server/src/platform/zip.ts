import type { Readable } from 'node:stream'
import { fromBufferPromise, openPromise, type ZipFile } from 'yauzl'

export type ZipLimits = { entriesMax: number; entryBytesMax: number; unpackedBytesMax: number }

export type ZipEntry = { name: string; size: number; open(): Promise<Readable> }

const OPTIONS = { lazyEntries: true, strictFileNames: true, autoClose: false } as const

/**
 * The files in a ZIP, in its order. It is refused whole where a name leaves its folder, a file is encrypted or packed in an
 * unknown way, or there are more files or bytes than the limits say. A file that unpacks to more than it announces fails
 * when it is read.
 */
export const listZip = async (bytes: Buffer, limits: ZipLimits): Promise<ZipEntry[]> =>
  listEntries(await fromBufferPromise(bytes, OPTIONS), limits)

/** The same of a file, which is read as its entries are. */
export async function openZip(path: string, limits: ZipLimits): Promise<{ entries: ZipEntry[]; close(): void }> {
  const zip = await openPromise(path, OPTIONS)
  try {
    return { entries: await listEntries(zip, limits), close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function listEntries(zip: ZipFile, limits: ZipLimits): Promise<ZipEntry[]> {
  if (zip.entryCount > limits.entriesMax) throw new Error(`A ZIP of ${zip.entryCount} entries is not read.`)
  const entries: ZipEntry[] = []
  let unpackedBytes = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue
    const { fileName: name, uncompressedSize: size } = entry
    unpackedBytes += size
    if (size > limits.entryBytesMax || unpackedBytes > limits.unpackedBytesMax) {
      throw new Error('A ZIP that unpacks to so many bytes is not read.')
    }
    if (!entry.canDecodeFileData()) throw new Error('A ZIP with a file that cannot be unpacked is not read.')
    entries.push({ name, size, open: () => zip.openReadStreamPromise(entry) })
  }
  return entries
}
