import { readFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { checkContents } from './contents.ts'
import { readCrossReferences } from './cross-references.ts'
import { openDocument } from './document.ts'
import { countPages } from './page-tree.ts'
import type { PdfLimits, PdfResult } from './pdf.ts'
import { REASONS, RejectedPdf } from './reasons.ts'

// The entry of a worker's process. It validates one file at a time and ends when the supervisor disconnects or is gone.

export type WorkerRequest = { path: string; limits: PdfLimits }
export type WorkerReply = { ready: true } | { result: PdfResult } | { failure: string }

const GROWTH_BYTES_MAX = 16_000_000
const bytesAtStart = process.memoryUsage.rss()

// Its code is loaded, and what a file contains must not reach the code of the next worker.
const cache = process.env['NODE_COMPILE_CACHE']
if (cache) {
  flushCompileCache()
  const permission = process.permission as typeof process.permission & { drop(scope: string, folder?: string): void }
  permission.drop('fs.write')
  permission.drop('fs.read', cache)
}

process.on('message', async (request: WorkerRequest) => {
  const sent = await reply(request)
  // Memory is freed before it grows so far that the supervisor would end this process.
  if (process.memoryUsage.rss() > bytesAtStart + GROWTH_BYTES_MAX) globalThis.gc?.()
  process.send?.(sent)
})
process.once('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {}) // the supervisor lets running checks finish
process.send?.({ ready: true } satisfies WorkerReply)

async function reply({ path, limits }: WorkerRequest): Promise<WorkerReply> {
  try {
    return { result: await validate(await readFile(path), limits) }
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function validate(bytes: Buffer, { pagesMax, unpackedBytesMax }: PdfLimits): Promise<PdfResult> {
  try {
    const document = openDocument(bytes, unpackedBytesMax)
    const trailer = await readCrossReferences(document)
    const pages = await countPages(document, trailer, pagesMax)
    await checkContents(document)
    return { ok: true, pages }
  } catch (error) {
    if (error instanceof RejectedPdf) return { ok: false, reason: error.message }
    if (error instanceof RangeError) return { ok: false, reason: REASONS.aborted } // more than JavaScript can hold
    throw error
  }
}
