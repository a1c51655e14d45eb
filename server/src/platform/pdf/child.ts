import { readFile } from 'node:fs/promises'
import { judge } from './judge.ts'
import type { PdfLimits, PdfVerdict } from './pdf.ts'

// The process in which files are judged, one at a time. It ends when whoever started it lets go or is gone.

export type Question = { path: string; limits: PdfLimits }
export type Reply = { ready: true } | { verdict: PdfVerdict } | { failure: string }

process.on('message', async (question: Question) => {
  process.send?.(await answer(question))
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
