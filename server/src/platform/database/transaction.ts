import pg from 'pg'
import { outcomeUnknown, unavailable } from '../errors.ts'
import { DbClient } from './client.ts'
import { findOutcome, findServer, type Outcome } from './commit.ts'
import type { Connection, Transaction, TransactionOptions } from './db.ts'
import { createNotifier } from './notifier.ts'
import { runStatement } from './statement.ts'
import { createTurns } from './turns.ts'
import { asUnavailable, codeOf, isConnectionLost } from './unavailable.ts'

// Beginning a transaction costs no round trip: `begin` and the query for its id are sent with its first statement. The
// id is known before COMMIT is sent, so that a lost response can be looked up.

const FIND_ID = 'select pg_current_xact_id()::text as xid'
const NO_WAIT_AND_FIND_ID = `select set_config('synchronous_commit', 'off', true), pg_current_xact_id()::text as xid`
// Nobody waits for it to reach the disk: it only wakes those who listen now.
const NOTIFY = `select set_config('synchronous_commit', 'off', true), pg_notify($1, '')`
const IN_FAILED_TRANSACTION = '25P02'
const RETRYABLE = ['40P01', '40001'] // a deadlock or a serialization failure
const TRIES_MAX = 5
const SAME_KEY_MAX = 4 // of 16 connections, so that changes to one record leave room for others

export type TransactionSettings = {
  settings: pg.ClientConfig
  poolSize: number
  msMax: number
  lockMsMax: number
  mayLose: () => boolean
}

type Work<T> = (tx: Transaction) => Promise<T>

export function openTransactions({ settings, poolSize, msMax, lockMsMax, mayLose }: TransactionSettings) {
  const pool = new pg.Pool({ ...settings, max: poolSize, connectionTimeoutMillis: msMax, Client: DbClient })
  const idle = watch(pool)
  const enter = createTurns({ atOnceMax: SAME_KEY_MAX, waitMsMax: lockMsMax })
  const notify = createNotifier((channel) => alone(NOTIFY, [channel]))

  async function transaction<T>(work: Work<T>, options: TransactionOptions = {}): Promise<T> {
    const endsAt = performance.now() + (options.msMax ?? msMax)
    const leave = options.key === undefined ? undefined : await enter(options.key)
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(work, endsAt, options)
        } catch (error) {
          if (!RETRYABLE.includes(codeOf(error)) || tries === TRIES_MAX) throw asUnavailable(error)
        }
      }
    } finally {
      leave?.()
    }
  }

  async function attempt<T>(work: Work<T>, endsAt: number, { isProven }: TransactionOptions): Promise<T> {
    const client = (await pool.connect()) as pg.PoolClient & DbClient
    // When one connection has gone silent, others may have, too: the idle ones are replaced with it.
    const cutAll = () => {
      for (const one of [client, ...idle]) one.cut()
    }
    const timer = setTimeout(cutAll, endsAt - performance.now())
    let firstError: unknown
    const noteError = (error: unknown) => {
      firstError ??= error
    }
    // Sent statements wait for the next query or the commit, so that no locks are held while waiting for the id.
    const unsent: (() => Promise<unknown>)[] = []
    const sendAll = () => {
      for (const send of unsent.splice(0)) send().catch(noteError)
    }
    const channels = new Set<string>()
    const run = (text: string, values?: readonly unknown[]) => runStatement<never>(client, text, values, noteError)
    const tx: Transaction = {
      async query(text, values) {
        sendAll()
        return run(text, values)
      },
      send: (text, values) => void unsent.push(() => run(text, values)),
      notify: (channel) => void channels.add(channel),
    }
    let isBroken = false
    try {
      const begun = begin(client, mayLose() ? NO_WAIT_AND_FIND_ID : FIND_ID, noteError)
      begun.catch(() => {}) // the statements after it fail, too
      const result = await work(tx)
      const xid = await begun
      sendAll()
      if (firstError) throw firstError
      await commit(client, () => findOutcome(settings, { xid, server: client.server, isProven }))
      for (const channel of channels) notify(channel)
      return result
    } catch (error) {
      const cause = codeOf(error) === IN_FAILED_TRANSACTION ? firstError : error
      // A server that only reads is a standby by now.
      isBroken = await client.query('rollback').then(
        () => isConnectionLost(cause),
        () => true,
      )
      throw cause
    } finally {
      clearTimeout(timer)
      client.release(isBroken || client.isUnreplicated)
    }
  }

  /** A statement whose outcome nobody needs to know, without the statements around it that find it out. */
  async function alone(text: string, values: readonly unknown[]): Promise<void> {
    const client = (await pool.connect()) as pg.PoolClient & DbClient
    const timer = setTimeout(() => client.cut(), msMax)
    let isBroken = true
    try {
      await runStatement(client, text, values)
      isBroken = false
    } finally {
      clearTimeout(timer)
      client.release(isBroken)
    }
  }

  async function session<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error) => Promise.reject(asUnavailable(error)))
    try {
      const result = await work({ query: (text, values) => runStatement(client, text, values) })
      client.release()
      return result
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  return {
    transaction,
    session,
    poolStats: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

/** Not awaited: it is sent with the first statement. */
async function begin(client: pg.ClientBase, findId: string, onError: (error: Error) => void): Promise<string> {
  const [, [row]] = await Promise.all([
    runStatement(client, 'begin'),
    runStatement<{ xid: string }>(client, findId, [], onError),
  ])
  return row?.xid ?? ''
}

async function commit(client: DbClient, findOutcome: () => Promise<Outcome>): Promise<void> {
  const response = await client.query('commit').catch((error) => {
    if (!isConnectionLost(error)) throw error
  })
  if (response?.command === 'COMMIT' && !client.isUnreplicated) return
  // A statement that was not awaited has failed, so PostgreSQL has rolled back.
  if (response && response.command !== 'COMMIT')
    throw Object.assign(new Error('The transaction was rolled back.'), { code: IN_FAILED_TRANSACTION })
  const outcome = await findOutcome()
  if (outcome === 'unknown') throw outcomeUnknown()
  if (outcome === 'aborted') {
    throw unavailable('The connection to the database was lost. Nothing was done. Please try again.')
  }
}

/** Notes the server of each connection. Returns the connections that are idle. */
function watch(pool: pg.Pool): ReadonlySet<DbClient> {
  const idle = new Set<DbClient>()
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    const opened = client as unknown as DbClient
    findServer(opened).then(
      (server) => {
        opened.server = server
      },
      () => {},
    ) // without it, a lost response has an unknown outcome
  })
  pool.on('acquire', (client) => idle.delete(client as unknown as DbClient))
  pool.on('release', (_, client) => idle.add(client as unknown as DbClient))
  pool.on('remove', (client) => idle.delete(client as unknown as DbClient))
  return idle
}
