import { Readable } from 'node:stream'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Actor } from '../audit/record.ts'
import { recordEvent } from '../events/record.ts'
import type { Staged } from '../platform/blobs/spool.ts'
import type { Db } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { endRows } from './csv.ts'
import { headerOf, queryOf } from './query.ts'
import type { ReportName } from './rules.ts'
import { insertRun, type Missing, type NewRun } from './store.ts'

const QUERY_MS_MAX = 600_000
const REPORT_BYTES_MAX = 5 * 2 ** 30 // the most that a bucket takes in one piece
const SORT_MEMORY = '64MB'

/** Makes reports, one subscriber and date after the other, on its own connection. */
export type Reporter = {
  /**
   * Makes the missing reports from one snapshot of the database and publishes an event for each. Rows are streamed to
   * the blob, so memory does not grow with their number. A report exists once its row does, which is written last: a
   * process that is killed before that leaves none. Several may make the same report at once; the first one counts.
   * Returns the reports of this call that count.
   */
  make(missing: Missing, actor: Actor): Promise<NewRun[]>
  close(): Promise<void>
}

export function openReporter({ db, blobs }: Pick<Deps, 'db' | 'blobs'>, signal?: AbortSignal): Reporter {
  const empty = new Map<ReportName, StoredReport>()
  let client: pg.Client | undefined
  const disconnect = async () => {
    const connected = client
    client = undefined
    await connected?.end()
  }
  signal?.addEventListener('abort', disconnect)

  async function draftAll(missing: Missing): Promise<Draft[]> {
    const drafts: Draft[] = []
    try {
      client ??= await db.dedicated({ silentMsMax: SILENT_MS_MAX })
      await client.query(BEGIN)
      for (const name of missing.names) drafts.push(await draft(blobs, name, rowsOf(client, name, missing)))
      await client?.query('commit')
      return drafts
    } catch (error) {
      await Promise.all([disconnect(), ...drafts.map(({ staged }) => staged.discard())])
      throw error
    }
  }

  const store = async ({ name, staged, rowCount }: Draft): Promise<StoredReport> => {
    return { name, rowCount, ...(await blobs.keep(db, staged)) }
  }

  // Without rows a report is the same for every subscriber.
  async function storeEmpty(name: ReportName): Promise<StoredReport> {
    const stored = empty.get(name) ?? (await store(await draft(blobs, name)))
    empty.set(name, stored)
    return stored
  }

  return {
    async make(missing, actor) {
      signal?.throwIfAborted()
      const { names, hasWorkspaces } = missing
      const reports = hasWorkspaces ? (await draftAll(missing)).map(store) : names.map(storeEmpty)
      return publish(db, await Promise.all(reports), missing, actor)
    },
    async close() {
      signal?.removeEventListener('abort', disconnect)
      await disconnect()
    },
  }
}

const SILENT_MS_MAX = 120_000 // the first row of a large report may take a while

const BEGIN = `
  begin isolation level repeatable read read only;
  set local statement_timeout = ${QUERY_MS_MAX};
  set local work_mem = '${SORT_MEMORY}'`

type Rows = AsyncIterable<Buffer>
type Draft = { name: ReportName; staged: Staged; rowCount: number }
type StoredReport = { name: ReportName; rowCount: number; sha256: string; size: number }

function rowsOf(client: pg.Client, name: ReportName, missing: Missing): Rows {
  const rows = client.query(copyTo(`copy (${queryOf(name, missing)}) to stdout with (format csv)`))
  // The stream reports an error and stays open: a reader that starts later would wait for ever.
  return rows.on('error', (error) => rows.destroy(error))
}

async function draft(blobs: Deps['blobs'], name: ReportName, rows?: Rows): Promise<Draft> {
  const counted = { rows: 0 }
  const bytes = Readable.from(bytesOf(name, rows, counted))
  const staged = await blobs.stage(bytes, { bytesMax: REPORT_BYTES_MAX })
  return { name, staged, rowCount: counted.rows }
}

async function* bytesOf(name: ReportName, rows: Rows | undefined, counted: { rows: number }): AsyncGenerator<Buffer> {
  yield Buffer.from(headerOf(name))
  if (rows) yield* endRows(rows, counted)
}

const publish = (
  db: Db,
  reports: readonly StoredReport[],
  { subscriberId, date }: Missing,
  actor: Actor,
): Promise<NewRun[]> =>
  db.transaction(async (tx) => {
    const runs = reports.map((one) => ({ ...one, subscriberId, reportDate: date, generatedAt: actor.at }))
    const inserted = await Promise.all(runs.map((run) => insertRun(tx, run)))
    const made = runs.filter((_, index) => inserted[index])
    for (const { name } of made) {
      const data = { reportName: name, reportDate: date }
      recordEvent(tx, { type: 'REPORT_GENERATED', recipients: [subscriberId], data }, actor)
    }
    return made
  })
