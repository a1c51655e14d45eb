import { Socket } from 'node:net'
import pg from 'pg'
import { openLanes } from './lanes.ts'
import { nameOf, runStatement } from './statement.ts'
import { asUnavailable, codeOf } from './unavailable.ts'

/** What store functions take first: a transaction, the pool, or the read lanes. */
export type Connection = {
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export type Transaction = Connection & {
  /** Sends a statement whose rows nobody needs. It travels with the commit, which fails if it does. */
  send(text: string, values?: readonly unknown[]): void
  /**
   * Wakes those who listen on a channel, soon after the commit and outside it: a NOTIFY within makes commits wait for
   * each other. It is lost with the process, so they must also look by themselves.
   */
  notify(channel: string): void
}

export type Db = Connection & {
  /** Single-statement reads: many share a pipelined connection, so one syscall carries several. */
  read: Connection
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** A connection of its own, for listening, streaming and session locks. */
  dedicated(): Promise<pg.Client>
  poolStats(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

export type DbOptions = { url: string; poolSize?: number; readLanes?: number; applicationName?: string }

const STATEMENT_TIMEOUT_MS = 30_000
const IDLE_IN_TRANSACTION_MS_MAX = 60_000 // a machine that vanished in mid-transaction must not hold its locks for long
const CONNECT_TIMEOUT_MS = 10_000
const DEADLOCK_TRIES_MAX = 5

const { builtins } = pg.types
pg.types.setTypeParser(builtins.INT8, Number)
pg.types.setTypeParser(builtins.DATE, (text) => text)
const parseTime = pg.types.getTypeParser(builtins.TIMESTAMPTZ, 'text')
// In UTC, which is what servers run in, it is nearly written as the language reads it, three times as fast.
pg.types.setTypeParser(builtins.TIMESTAMPTZ, (text) =>
  text[10] === ' ' && text.endsWith('+00') ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseTime(text),
)

export function openDb({ url, poolSize = 16, readLanes = 2, applicationName = 'lodgeway' }: DbOptions): Db {
  const settings = {
    connectionString: url,
    application_name: applicationName,
    pipeline: true,
    stream: () => new GatheringSocket(),
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  }
  const pool = new pg.Pool({ ...settings, max: poolSize })
  // A connection that breaks fails the statements on it and is replaced on its next use; nobody else need hear of it.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const lanes = openLanes(settings, readLanes)
  const notify = createNotifier((channel) => pool.query(`select pg_notify($1, '')`, [channel]))

  return {
    query: (text, values = []) =>
      available(pool.query({ name: nameOf(text), text, values: [...values] })).then(rowsOf) as never,
    read: lanes,
    transaction: (work) => transact(pool, notify, work),
    async dedicated() {
      const client = new pg.Client({
        ...settings,
        pipeline: false,
        statement_timeout: 0,
        idle_in_transaction_session_timeout: 0,
      })
      client.on('error', () => {})
      await available(client.connect())
      return client
    },
    poolStats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await Promise.all([pool.end(), lanes.close()])
    },
  }
}

// A transaction that met a deadlock was undone whole by PostgreSQL, so it may simply run again.
async function transact<T>(pool: pg.Pool, notify: Notify, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transactOnce(pool, notify, work)
    } catch (error) {
      const code = codeOf(error)
      if ((code === '40P01' || code === '40001') && tries < DEADLOCK_TRIES_MAX) continue
      throw error
    }
  }
}

async function transactOnce<T>(pool: pg.Pool, notify: Notify, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await available(pool.connect())
  let firstError: unknown
  const channels = new Set<string>()
  const track = <R>(promise: Promise<R>) => {
    promise.catch((error) => {
      firstError ??= error
    })
    return promise
  }
  const tx: Transaction = {
    query: (text, values) => track(runStatement(client, text, values)) as never,
    send: (text, values) => void track(runStatement(client, text, values)),
    notify: (channel) => void channels.add(channel),
  }
  try {
    track(runStatement(client, 'begin')) // not awaited: it travels with the first statement
    const result = await work(tx)
    await track(runStatement(client, 'commit'))
    if (firstError) throw firstError
    client.release()
    for (const channel of channels) notify(channel)
    return result
  } catch (error) {
    const broken = await client.query('rollback').then(
      () => false,
      () => true,
    )
    client.release(broken)
    throw asUnavailable(firstError ?? error)
  }
}

type Notify = (channel: string) => void

/** One NOTIFY of a channel at a time: all that are asked for meanwhile are one. */
function createNotifier(send: (channel: string) => Promise<unknown>): Notify {
  const underWay = new Map<string, { again: boolean }>()
  return async function notify(channel) {
    const present = underWay.get(channel)
    if (present) {
      present.again = true
      return
    }
    const mine = { again: false }
    underWay.set(channel, mine)
    await send(channel).catch(() => {})
    underWay.delete(channel)
    if (mine.again) notify(channel)
  }
}

/** Sends what is written in one turn of the event loop together: one system call for the statements of many requests. */
class GatheringSocket extends Socket {
  #gathering = false

  override cork(): void {
    if (this.#gathering) return
    this.#gathering = true
    super.cork()
    setImmediate(() => {
      this.#gathering = false
      super.uncork()
    })
  }

  override uncork(): void {}
}

const rowsOf = ({ rows }: { rows: unknown[] }) => rows

async function available<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise
  } catch (error) {
    throw asUnavailable(error)
  }
}
