import type { Given } from './keepers.ts'
import type { PdfVerdict } from './pdf.ts'
import { openPool } from './pool.ts'

// The process that starts the processes which judge, and ends them with itself: when whoever started it lets go or is
// gone, and when nothing was asked for a minute.

export type KeeperQuestion = { id: number; path: string }
export type KeeperReply = { id: number; verdict: PdfVerdict } | { id: number; failure: string }

const IDLE_MS_MAX = 60_000

const pool = openPool(JSON.parse(process.argv[2] ?? '') as Given)
let open = 0
let idle = setTimeout(() => process.exit(), IDLE_MS_MAX)

process.on('message', async ({ id, path }: KeeperQuestion) => {
  open += 1
  clearTimeout(idle)
  process.send?.(await answer(id, path))
  open -= 1
  if (open === 0) idle = setTimeout(() => process.exit(), IDLE_MS_MAX)
})
process.once('disconnect', () => process.exit())
process.once('exit', () => pool.kill())
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {}) // whoever started it lets the checks finish

async function answer(id: number, path: string): Promise<KeeperReply> {
  try {
    return { id, verdict: await pool.check(path) }
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
