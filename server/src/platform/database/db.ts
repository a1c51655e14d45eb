import pg from 'pg'
import { DbClient } from './client.ts'
import { openReads } from './reads.ts'
import { openTransactions } from './transaction.ts'
import { asUnavailable } from './unavailable.ts'

/** What store functions take first: a transaction, or connections for reads. */
export type Connection = {
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export type Transaction = Connection & {
  /** Sends a statement whose rows nobody needs. It travels with the commit, which fails with its error. */
  send(text: string, values?: readonly unknown[]): void
  /**
   * Wakes those who listen on a channel, soon after the commit and outside it: a NOTIFY within makes commits wait for
   * each other. It is lost with the process, so they must also look by themselves.
   */
  notify(channel: string): void
}

export type TransactionOptions = {
  /** Of the transactions with the same key only a few run at a time, so that one record cannot take all connections. */
  key?: string | undefined
  /** After so long the connection is cut, and nothing was done. */
  msMax?: number
  /** After a failover: whether a row is there that this transaction alone can have written. */
  isProven?: (connection: Connection) => Promise<boolean>
}

/** `query` is a transaction of one statement. */
export type Db = Connection & {
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Single-statement reads: many share a pipelined connection, so one system call carries several. */
  read: Connection
  /** The same on connections of its own, for what every request waits for: who is calling. */
  auth: Connection
  /** For streaming and session locks. With a limit, it is cut when nothing was sent or received for so long. */
  dedicated(options?: { silentMsMax: number }): Promise<pg.Client>
  poolStats(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** How long a caller waits at most. The server ends a statement a little sooner, so that its connection can be kept. */
export type Limits = { readMs: number; transactionMs: number; lockMs: number }

export const REQUEST_LIMITS: Limits = { readMs: 5_000, transactionMs: 10_000, lockMs: 3_000 }
export const JOB_LIMITS: Limits = { readMs: 30_000, transactionMs: 60_000, lockMs: 20_000 }

export type DbOptions = { url: string; poolSize?: number; applicationName?: string; limits?: Limits }

const READ_CONNECTIONS_MAX = 10 // while eight are stuck, one answers and one may be opening
const AUTH_CONNECTIONS_MAX = 2
const KEEP_ALIVE_MS = 10_000

const { builtins } = pg.types
pg.types.setTypeParser(builtins.INT8, Number)
pg.types.setTypeParser(builtins.DATE, (text) => text)
const parseTime = pg.types.getTypeParser(builtins.TIMESTAMPTZ, 'text')
// In UTC, which is what servers run in, it is nearly written as the language reads it, three times as fast.
pg.types.setTypeParser(builtins.TIMESTAMPTZ, (text) =>
  text[10] === ' ' && text.endsWith('+00') ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseTime(text),
)

export function openDb({ url, poolSize = 16, applicationName = 'lodgeway', limits = REQUEST_LIMITS }: DbOptions): Db {
  const { readMs, transactionMs, lockMs } = limits
  const base: pg.ClientConfig = {
    connectionString: url,
    application_name: applicationName,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: readMs,
  }
  const settings = (msMax: number): pg.ClientConfig => ({
    ...base,
    pipeline: true,
    lock_timeout: lockMs,
    statement_timeout: msMax * 0.9,
    // Before the caller gives up and asks what became of the transaction: then it has an outcome.
    idle_in_transaction_session_timeout: msMax * 0.8,
  })
  const reads = { settings: settings(readMs), msMax: readMs }
  const read = openReads({ ...reads, connectionsMax: READ_CONNECTIONS_MAX, silentMsMax: readMs })
  const auth = openReads({ ...reads, connectionsMax: AUTH_CONNECTIONS_MAX, silentMsMax: readMs * 0.4 })
  const transactions = openTransactions({
    settings: settings(transactionMs),
    poolSize,
    msMax: transactionMs,
    lockMsMax: lockMs,
  })

  return {
    ...transactions,
    query: (text, values) => transactions.transaction((tx) => tx.query(text, values)),
    read,
    auth,
    async dedicated(options) {
      const client = new DbClient(base)
      if (options) client.cutWhenSilent(options.silentMsMax)
      try {
        await client.connect()
      } catch (error) {
        throw asUnavailable(error)
      }
      return client
    },
    async close() {
      await Promise.all([transactions.close(), read.close(), auth.close()])
    },
  }
}
