import { setInterval } from 'node:timers'
import { readConfig } from '../../../src/config.ts'
import type { MovableClock } from '../../../src/platform/jobs/clock.ts'
import { startService } from '../../../src/service.ts'
import type { Said } from './nodes.ts'

// A node of the sandbox, which only serves or only works. It follows the clock closely, because here days pass in seconds,
// and says on demand how much memory is in use after a collection.

const FOLLOW_MS = 200

process.on('disconnect', () => process.exit(1)) // the proof has ended

const part = process.env['PART'] === 'serve' ? 'serve' : 'work'
const config = readConfig(process.env, { sandbox: true, part })
const parts = { http: part === 'serve', worker: part === 'work', matters: false }
const { url, deps } = await startService(config, parts)
const clock = deps.clock as MovableClock
setInterval(() => follow().catch(() => {}), FOLLOW_MS) // a busy database answers the next time

process.on('message', () => {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  process.send?.({ usedBytes: heapUsed + external, cpuMs: (user + system) / 1_000 } satisfies Said)
})
process.send?.({ url })

async function follow(): Promise<void> {
  const [row] = await deps.db.read.query<{ ms: number }>('select clock_offset_ms as ms from service_state')
  if (row) clock.setOffsetMs(row.ms)
}
