import { createHash, randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { type Download, DownloadError } from './download.ts'

/**
 * A saved file.
 *
 * @example
 * ```ts
 * import { createClient, type Saved } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * const saved: Saved = await lodgeway.downloadTo('getReportContent', {
 *   path: { report_name: 'report-workspacesummary-todate' },
 *   to: './summary.csv',
 * })
 * process.stdout.write(`${saved.sha256}  ${saved.path}\n`)
 * ```
 */
export interface Saved {
  path: string
  size: number
  sha256: string
  /** The service's name for the file. */
  fileName: string | undefined
}

/** Writes to a temporary file next to the target and renames it at the end, so that the target is never incomplete. */
export async function save({ stream, size, sha256, fileName }: Download, path: string): Promise<Saved> {
  const beside = `${path}.${randomUUID()}.part`
  const hash = createHash('sha256')
  let written = 0
  try {
    const file = await open(beside, 'wx')
    try {
      for await (const piece of stream as AsyncIterable<Uint8Array>) {
        hash.update(piece)
        written += piece.byteLength
        await file.appendFile(piece) // all of it, where `write` may stop short
      }
      await file.sync()
    } finally {
      await file.close()
    }
    const found = hash.digest('hex')
    if (size !== undefined && written !== size)
      throw new DownloadError(`Only ${written} of ${size} bytes were received.`)
    if (sha256 && sha256 !== found) throw new DownloadError(`The SHA-256 is ${found}, but should be ${sha256}.`)
    await rename(beside, path)
    return { path, size: written, sha256: found, fileName }
  } catch (error) {
    await stream.cancel().catch(() => {})
    await rm(beside, { force: true })
    throw error
  }
}
