import { readConfig } from '../../src/config.ts'
import type { MovableClock } from '../../src/platform/jobs/clock.ts'
import { startService } from '../../src/service.ts'

// A worker of the sandbox, to be killed. It follows the sandbox's clock closely, because here weeks pass in minutes.

const FOLLOW_MS = 50

process.on('disconnect', () => process.exit(1)) // the proof has ended

const config = readConfig(process.env, { sandbox: true, part: 'work' })
const { deps } = await startService(config, { http: false, worker: true, matters: false })
const clock = deps.clock as MovableClock
setInterval(() => follow().catch(() => {}), FOLLOW_MS) // a busy database answers the next time

async function follow(): Promise<void> {
  const [row] = await deps.db.query<{ ms: number }>('select clock_offset_ms as ms from service_state')
  if (row) clock.setOffsetMs(row.ms)
}
