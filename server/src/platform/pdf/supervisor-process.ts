import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import type { PdfResult } from './pdf.ts'
import { REASONS } from './reasons.ts'
import type { SupervisorOptions } from './supervisor.ts'
import { startWorker, type Worker } from './worker.ts'

// The entry of the supervisor's process. It starts the workers and ends them with itself: when the process that started
// it disconnects or is gone, and after a minute without a check.

export type SupervisorRequest = { id: number; path: string }
export type SupervisorReply = { id: number; result: PdfResult } | { id: number; failure: string }

const IDLE_MS_MAX = 60_000
const WORKERS_MAX = Math.min(4, Math.max(2, availableParallelism()))
const TRIES_MAX = 2

const pool = openPool(JSON.parse(process.argv[2] ?? '') as SupervisorOptions)
let active = 0
let idle = setTimeout(() => process.exit(), IDLE_MS_MAX)

process.on('message', async ({ id, path }: SupervisorRequest) => {
  active += 1
  clearTimeout(idle)
  process.send?.(await reply(id, path))
  active -= 1
  if (active === 0) idle = setTimeout(() => process.exit(), IDLE_MS_MAX)
})
process.once('disconnect', () => process.exit())
process.once('exit', () => pool.kill())
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {}) // the service lets running checks finish

async function reply(id: number, path: string): Promise<SupervisorReply> {
  try {
    return { id, result: await pool.check(path) }
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** Checks a few files at a time, in workers that are reused while they can be. The other files wait. */
function openPool({ limits, checkLimits }: SupervisorOptions) {
  const workers = new Set<Worker>()
  const idle: Worker[] = []
  const waiting: (() => void)[] = []
  let running = 0

  return {
    async check(path: string): Promise<PdfResult> {
      if (running >= WORKERS_MAX) await new Promise<void>((resolve) => waiting.push(resolve))
      else running += 1
      try {
        return await validate(path)
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },

    kill(): void {
      for (const worker of workers) worker.end()
    },
  }

  /** A worker that ended for a reason other than the file is replaced. */
  async function validate(path: string): Promise<PdfResult> {
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const worker = await takeWorker(dirname(path))
      const result = await worker.validate({ path, limits }).finally(() => release(worker))
      if (result) return result
    }
    return { ok: false, reason: REASONS.aborted }
  }

  async function takeWorker(folder: string): Promise<Worker> {
    for (let worker = idle.pop(); worker; worker = idle.pop()) {
      if (worker.folder === folder && (await worker.canContinue())) return worker
      await end(worker)
    }
    const worker = startWorker(folder, checkLimits)
    workers.add(worker)
    return worker
  }

  async function release(worker: Worker): Promise<void> {
    if (await worker.canContinue()) idle.push(worker)
    else await end(worker)
  }

  async function end(worker: Worker): Promise<void> {
    workers.delete(worker)
    await worker.end()
  }
}
