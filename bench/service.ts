import { readConfig } from '../server/src/config.ts'
import type { Deps } from '../server/src/platform/deps.ts'
import type { MovableClock } from '../server/src/platform/jobs/clock.ts'
import { saveClockOffset } from '../server/src/platform/operations/state.ts'
import { type Service, startService } from '../server/src/service.ts'
import { serveParent } from './helper.ts'
import { recordStatements } from './recorder.ts'

// The service in its own process, as `lodgeway serve`, `work` or the sandbox run it.

export type Start = { as: 'serve' | 'work' | 'dev'; recorded?: boolean }

let service: Service | undefined
let checker: Deps['pdf'] | undefined
let endChecks = async () => {}
let recorded: ReturnType<typeof recordStatements> = () => []

const started = (): Service => {
  if (!service) throw new Error('The service is not started.')
  return service
}

serveParent(
  {
    start: async ({ as, recorded: isRecorded }: Start) => {
      if (isRecorded) recorded = recordStatements()
      const config = readConfig(process.env, { sandbox: as === 'dev', part: as === 'work' ? 'work' : 'serve' })
      service = await startService(config, { http: as !== 'work', worker: as !== 'serve', matters: false })
      return service.url
    },
    /** What was sent to the database since the last time. */
    recorded: async () => recorded(),
    /** Moves the sandbox's clock without waiting: what becomes due runs as in production, not one after the other. */
    moveClock: async (at: string) => {
      const { db, clock } = started().deps
      const { now, offsetMs } = clock as MovableClock
      await saveClockOffset(db, clock as MovableClock, offsetMs() + Date.parse(at) - now().getTime())
    },
    /** Whether no job waits or runs, and nothing is due. */
    isIdle: async () => {
      const { db, queue, clock } = started().deps
      const due = await db.read.query('select 1 from due where due_at <= $1 limit 1', [clock.now()])
      return due.length === 0 && (await queue.unfinished()) === 0
    },
    now: async () => started().deps.clock.now().toISOString(),
    /** Whether uploads are checked to be valid PDFs, or all accepted. */
    checkPdfs: async (isOn: boolean) => {
      const { deps } = started()
      checker ??= deps.pdf
      deps.pdf = isOn ? checker : { check: async () => ({ ok: true, pages: 1 }), close: async () => {} }
    },
    /** Checks these files repeatedly, several at once. */
    startChecks: async (paths: string[]) => {
      endChecks = keepChecking(checker ?? started().deps.pdf, paths)
    },
    stopChecks: () => endChecks(),
    /** Removes the blobs that no row refers to. */
    sweep: async () => started().deps.blobs.sweep(started().deps.db, { ageMs: 0 }),
  },
  async () => service?.stop(),
)

const CHECKS_AT_ONCE = 8

function keepChecking({ check }: Deps['pdf'], paths: readonly string[]): () => Promise<void> {
  let [turn, isOver] = [0, false]
  const one = async () => {
    while (!isOver) await check(paths[turn++ % paths.length] ?? '')
  }
  const all = Promise.all(Array.from({ length: CHECKS_AT_ONCE }, one))
  return async () => {
    isOver = true
    await all
  }
}
