import { readFile } from 'node:fs/promises'
import { judge } from './judge.ts'
import type { PdfLimits, PdfVerdict } from './pdf.ts'

// The process in which files are judged, one at a time. It ends when whoever started it lets go or is gone.

export type Question = { path: string; limits: PdfLimits }
export type Reply = { ready: true } | { verdict: PdfVerdict } | { failure: string }

const GROWN_BYTES = 16_000_000
const bytesAtStart = process.memoryUsage.rss()

process.on('message', async (question: Question) => {
  const reply = await answer(question)
  // What files leave behind is cleared away in time, as a process that is swollen would not be asked again.
  if (process.memoryUsage.rss() > bytesAtStart + GROWN_BYTES) globalThis.gc?.()
  process.send?.(reply)
})
process.once('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {}) // whoever started it lets the checks finish
process.send?.({ ready: true } satisfies Reply)

async function answer({ path, limits }: Question): Promise<Reply> {
  try {
    return { verdict: await judge(await readFile(path), limits) }
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
