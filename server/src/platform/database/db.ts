import pg from 'pg'
import { DbClient } from './client.ts'
import { openReads } from './reads.ts'
import { openTransactions } from './transaction.ts'
import { asUnavailable } from './unavailable.ts'

/** The first parameter of store functions: a transaction, or the connections for reads. */
export type Connection = {
  query<Row extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>
}

export type Transaction = Connection & {
  /** Sends a statement whose rows are not needed. It is sent with the commit, which fails with its error. */
  send(text: string, values?: readonly unknown[]): void
  /**
   * Wakes the listeners of a channel soon after the commit, not in it: a NOTIFY in a transaction makes commits wait for
   * each other. It is lost if the process dies, so listeners must also poll.
   */
  notify(channel: string): void
}

export type TransactionOptions = {
  /** Only a few transactions with the same key run at a time, so that one record cannot take all connections. */
  key?: string | undefined
  /** After this time the connection is cut and nothing was done. */
  msMax?: number
  /** After a failover: whether a row exists that only this transaction can have written. */
  isProven?: (connection: Connection) => Promise<boolean>
}

/** `query` is a transaction of one statement. */
export type Db = Connection & {
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Single-statement reads: many share a pipelined connection, so one system call carries several. */
  read: Connection
  /** The same on separate connections, for authentication, which every request waits for. */
  auth: Connection
  /** A connection of the pool without a transaction, for session locks. It is closed if the work fails. */
  session<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** For streaming and listening. With a limit, it is cut when nothing was sent or received for that time. */
  dedicated(options?: { silentMsMax: number }): Promise<pg.Client>
  poolStats(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** How long a caller waits at most. The server ends a statement a little sooner, so that its connection stays usable. */
export type Limits = { readMs: number; transactionMs: number; lockMs: number }

export const REQUEST_LIMITS: Limits = { readMs: 5_000, transactionMs: 10_000, lockMs: 3_000 }
export const JOB_LIMITS: Limits = { readMs: 30_000, transactionMs: 60_000, lockMs: 20_000 }

export type DbOptions = {
  url: string
  poolSize?: number
  applicationName?: string
  limits?: Limits
  /** While it says so, a commit does not wait for the disk: a crash may lose it, and the next one that waits keeps it. */
  mayLose?: () => boolean
}

const READ_CONNECTIONS_MAX = 10 // while eight are stuck, one answers and one may be opening
const AUTH_CONNECTIONS_MAX = 2
const KEEP_ALIVE_MS = 10_000

const { builtins } = pg.types
pg.types.setTypeParser(builtins.INT8, Number)
pg.types.setTypeParser(builtins.DATE, (text) => text)
const parseTime = pg.types.getTypeParser(builtins.TIMESTAMPTZ, 'text')
// In UTC, as servers run, the text is nearly ISO 8601, which `Date` parses three times as fast.
pg.types.setTypeParser(builtins.TIMESTAMPTZ, (text) =>
  text[10] === ' ' && text.endsWith('+00') ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseTime(text),
)

export function openDb({
  url,
  poolSize = 16,
  applicationName = 'lodgeway',
  limits = REQUEST_LIMITS,
  mayLose = () => false,
}: DbOptions): Db {
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
    // One plan for all values: indexes and the text of a statement decide how it runs, and planning costs more than most of them.
    options: '-c plan_cache_mode=force_generic_plan',
    pipeline: true,
    lock_timeout: lockMs,
    statement_timeout: msMax * 0.9,
    // Shorter than the caller waits, so that the transaction has an outcome when the caller asks for it.
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
    mayLose,
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
