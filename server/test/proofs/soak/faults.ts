import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../src/platform/database/db.ts'
import type { S3Server } from '../../fakes/s3.ts'
import type { Nodes } from './nodes.ts'

// What breaks now and then, in turn. Each is over when its step returns, or soon after.

export type Breakable = {
  nodes: Nodes
  owner: Db
  blobs: S3Server
  receiver: { hangs: boolean }
  /** Nodes that may be killed. */
  mortal: readonly string[]
}

export type Faults = { counts: Record<string, number>; kills(): number; stop(): Promise<void> }

const HANG_MS = 20_000
const REFUSED = { PUT: 30, GET: 10 }

const STEPS: Record<string, (parts: Breakable) => Promise<void>> = {
  async 'worker killed'({ nodes, mortal }) {
    await restart(nodes, mortal, 'work')
  },
  async 'connections to PostgreSQL terminated'({ owner }) {
    await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity
                        where usename = 'lodgeway' and datname = current_database()`)
  },
  async 'serving node killed'({ nodes, mortal }) {
    await restart(nodes, mortal, 'serve')
  },
  async 'receiver of webhooks hangs'({ receiver }) {
    receiver.hangs = true
    await delay(HANG_MS, undefined, { ref: false })
    receiver.hangs = false
  },
  async 'store of files refuses'({ blobs }) {
    for (const [method, times] of Object.entries(REFUSED)) blobs.slowDown(method, times)
  },
}

async function restart(nodes: Nodes, mortal: readonly string[], part: string): Promise<void> {
  const name = mortal.find((one) => one.startsWith(part))
  if (!name) return
  await nodes.kill(name)
  await nodes.start(name)
}

export function startFaults(parts: Breakable, everyMs: number): Faults {
  const counts: Record<string, number> = Object.fromEntries(Object.keys(STEPS).map((name) => [name, 0]))
  const ended = new AbortController()
  const running = run()
  running.catch(() => {}) // `stop` throws it

  async function run(): Promise<void> {
    const { signal } = ended
    for (;;) {
      for (const [name, step] of Object.entries(STEPS)) {
        await delay(everyMs, undefined, { signal }).catch(() => {})
        if (signal.aborted) return
        await step(parts)
        counts[name] = (counts[name] ?? 0) + 1
      }
    }
  }

  return {
    counts,
    kills: () => (counts['worker killed'] ?? 0) + (counts['serving node killed'] ?? 0),
    async stop() {
      ended.abort()
      await running
    },
  }
}
