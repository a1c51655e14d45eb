import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { judge } from './judge.ts'
import type { PdfLimits, PdfVerdict } from './pdf.ts'

// The process in which files are judged, one at a time. It ends when whoever started it lets go or is gone.

export type Question = { path: string; limits: PdfLimits }
export type Reply = { ready: true } | { verdict: PdfVerdict } | { failure: string }

const BEHIND_ALL_OTHERS = 10

setPriority(BEHIND_ALL_OTHERS)
process.on('message', async ({ path, limits }: Question) => {
  const reply = await readFile(path)
    .then((bytes) => judge(bytes, limits))
    .then(
      (verdict): Reply => ({ verdict }),
      (error: Error): Reply => ({ failure: error.stack ?? error.message }),
    )
  process.send?.(reply)
})
process.once('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {}) // whoever started it lets the checks finish
process.send?.({ ready: true } satisfies Reply)
