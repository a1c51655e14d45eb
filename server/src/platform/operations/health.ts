import { compareMigrations, readMigrations } from '../database/migrations.ts'
import type { Deps } from '../deps.ts'
import { unavailable } from '../errors.ts'
import type { App } from '../http/http.ts'
import { Answer, Type, Uuid } from '../http/schema.ts'
import type { MachineClock } from './machine-clock.ts'

/** Each check is `ok`, or a sentence that says what is wrong, without anything that an outsider should not read. */
export type Readiness = () => Promise<{ ready: boolean; checks: Record<string, string> }>

const CHECK_MS_MAX = 2_000
const DATABASE_FRESH_MS = 1_000
const BLOBS_FRESH_MS = 10_000
const FAILURE_FRESH_MS = 1_000

type Parts = Pick<Deps, 'db' | 'blobs'> & { machineClock: Pick<MachineClock, 'isRight'>; isStopping: () => boolean }

/** Whether this node should get requests. Results are cached, so that frequent calls cost little. */
export function readinessOf({ db, blobs, machineClock, isStopping }: Parts): Readiness {
  const database = remembered(DATABASE_FRESH_MS, 'The database does not answer.', () => db.read.query('select 1'))
  const known = readMigrations()
  const migrations = remembered(
    DATABASE_FRESH_MS,
    'The database does not have the version of this service.',
    async () => {
      const { pending } = await compareMigrations((text) => db.read.query(text), await known)
      if (pending.length) throw new Error(`missing: ${pending.map(({ name }) => name).join(', ')}`)
    },
  )
  const store = remembered(BLOBS_FRESH_MS, 'The blob store cannot be written to.', () => blobs.check())

  return async () => {
    const [first, second, third] = await Promise.all([database(), migrations(), store()])
    const node = isStopping() ? 'This node is stopping.' : 'ok'
    const clock = machineClock.isRight() ? 'ok' : 'The clock of this machine differs from the database’s.'
    const checks = { database: first, migrations: second, blobs: third, clock, node }
    return { ready: Object.values(checks).every((check) => check === 'ok'), checks }
  }
}

/** A failure is remembered for a short time only: the next call may find that it has passed. */
function remembered(freshMs: number, failure: string, check: () => Promise<unknown>): () => Promise<string> {
  let latest: Promise<string> | undefined
  let staleAt = 0
  return () => {
    const now = performance.now()
    if (latest && now < staleAt) return latest
    staleAt = now + freshMs
    latest = inTime(check()).then(
      () => 'ok',
      () => {
        staleAt = Math.min(staleAt, performance.now() + FAILURE_FRESH_MS)
        return failure
      },
    )
    return latest
  }
}

async function inTime(check: Promise<unknown>): Promise<void> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  // In two parts: after a long turn of the event loop, answers that arrived meanwhile are read during the second one.
  let timer = setTimeout(() => {
    timer = setTimeout(reject, CHECK_MS_MAX / 4, new Error('too late'))
  }, CHECK_MS_MAX * 0.75)
  try {
    await Promise.race([check, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

const LiveAnswer = Answer('LiveAnswer', {
  status: Type.Literal('live', { description: 'The process answers.' }),
  nodeId: Uuid({ description: 'The node that answered. It has another id after each start.' }),
})
const ReadyAnswer = Answer('ReadyAnswer', {
  status: Type.Literal('ready', {
    description: 'Database, migrations, blob store and clock are ok, and the node is not stopping.',
  }),
})

/** The same on the partners' port, without details. */
export function healthRoutes(app: App, readiness: Readiness, nodeId: string): void {
  const config = { scope: 'none' }
  const tags = ['Health']
  app.route({
    method: 'GET',
    url: '/livez',
    config,
    schema: {
      operationId: 'getLiveness',
      tags,
      summary: 'Whether this node is alive',
      description: 'Checks only the process itself. Restart a node that no longer answers.',
      response: { 200: LiveAnswer },
    },
    handler: async () => ({ status: 'live' as const, nodeId }),
  })
  app.route({
    method: 'GET',
    url: '/readyz',
    config,
    schema: {
      operationId: 'getReadiness',
      tags,
      summary: 'Whether to send requests here',
      description:
        '503 while the database or the blob store does not answer, a migration is missing, the clock is wrong, or the node is stopping.',
      response: { 200: ReadyAnswer },
    },
    handler: async () => {
      const { ready } = await readiness()
      if (!ready) throw unavailable('This node is not ready.')
      return { status: 'ready' as const }
    },
  })
}
