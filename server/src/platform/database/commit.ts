import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { DbClient } from './client.ts'
import type { Connection } from './db.ts'
import { runStatement } from './statement.ts'

// When the response to COMMIT is lost, PostgreSQL is asked for the outcome of the transaction, on a new connection.

const ASK_MS_MAX = 5_000
const RETRY_MS = { first: 20, max: 500 }

/**
 * A failover starts a new timeline, in which the transaction may be missing: another place. A crash resets the statistics
 * and starts a new run, in which the id of a transaction that left no trace on disk may be used again.
 */
export type Server = { place: string; run: string | null }

const SERVER = `
  select system_identifier || ':' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) as place,
    (select stats_reset::text from pg_stat_wal) as run
  from pg_control_system()`

// Returns when all that was written before it is on the synchronous standby as well, if there is one.
const REPLICATE = `select pg_logical_emit_message(true, 'lodgeway', '')`

/** What is known about a transaction when its COMMIT is sent. */
export type Committing = {
  xid: string
  server: Server | undefined
  /** Whether a row exists that only this transaction can have written. */
  isProven?: ((connection: Connection) => Promise<boolean>) | undefined
}

export type Outcome = 'committed' | 'aborted' | 'unknown'
type Status = 'committed' | 'aborted' | 'in progress' | null

export async function findServer(client: pg.ClientBase): Promise<Server | undefined> {
  return (await runStatement<Server>(client, SERVER))[0]
}

/** Asks until there is an answer, or for five seconds. */
export async function findOutcome(settings: pg.ClientConfig, committing: Committing): Promise<Outcome> {
  const giveUpAt = performance.now() + ASK_MS_MAX
  for (let waitMs = RETRY_MS.first; ; waitMs = Math.min(waitMs * 2, RETRY_MS.max)) {
    const leftMs = giveUpAt - performance.now()
    if (leftMs <= 0) return 'unknown'
    const outcome = await ask(settings, committing, leftMs).catch(() => 'in progress' as const)
    if (outcome !== 'in progress') return outcome
    await delay(Math.min(waitMs, leftMs))
  }
}

async function ask(settings: pg.ClientConfig, { xid, server, isProven }: Committing, msMax: number) {
  const client = new DbClient({ ...settings, connectionTimeoutMillis: msMax })
  const timer = setTimeout(() => client.cut(), msMax)
  const query: Connection['query'] = (text, values) => runStatement(client, text, values)
  try {
    await client.connect()
    const now = await findServer(client)
    const isSamePlace = server !== undefined && server.place === now?.place
    const [row] = isSamePlace
      ? await query<{ status: Status }>('select pg_xact_status($1::text::xid8) as status', [xid])
      : []
    const outcome = outcomeOf(server, now, row?.status ?? null)
    const isCommitted = outcome === 'committed' || (outcome === 'unknown' && (await isProven?.({ query })))
    if (!isCommitted) return outcome
    await query(REPLICATE)
    return client.isUnreplicated ? 'in progress' : 'committed'
  } finally {
    clearTimeout(timer)
    client.close()
  }
}

/** The outcome, given the status that a server reports. Another server or run cannot always be trusted. */
export function outcomeOf(
  before: Server | undefined,
  now: Server | undefined,
  status: Status,
): Outcome | 'in progress' {
  if (!before || before.place !== now?.place) return 'unknown'
  if (status === 'committed' && before.run !== now.run) return 'unknown'
  return status ?? 'unknown'
}
