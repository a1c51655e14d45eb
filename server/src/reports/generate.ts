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
const REPORT_BYTES_MAX = 5 * 2 ** 30 // more than that no bucket takes in one piece
const SORT_MEMORY = '64MB'

/** Makes reports, one subscriber and date after the other, on a connection of its own. */
export type Reporter = {
  /**
   * Makes what is missing, all from one moment's view of the database, and tells of each. Rows go to the blob as the
   * database sends them, so memory does not grow with their number. A report is there once its row is, which is written
   * last: whoever is killed before that leaves none. Several may make the same at once; one of them stands. Returns
   * those of this call that do.
   */
  make(missing: Missing, actor: Actor): Promise<NewRun[]>
  close(): Promise<void>
}

export function openReporter({ db, blobs }: Pick<Deps, 'db' | 'blobs'>, signal?: AbortSignal): Reporter {
  const empty = new Map<ReportName, Kept>()
  let client: pg.Client | undefined
  const leave = async () => {
    const left = client
    client = undefined
    await left?.end()
  }
  signal?.addEventListener('abort', leave)

  async function draftAll(missing: Missing): Promise<Draft[]> {
    const drafts: Draft[] = []
    try {
      client ??= await db.dedicated({ silentMsMax: SILENT_MS_MAX })
      await client.query(BEGIN)
      for (const name of missing.names) drafts.push(await draft(blobs, name, rowsOf(client, name, missing)))
      await client?.query('commit')
      return drafts
    } catch (error) {
      await Promise.all([leave(), ...drafts.map(({ staged }) => staged.discard())])
      throw error
    }
  }

  const keep = async ({ name, staged, rowCount }: Draft): Promise<Kept> => {
    return { name, rowCount, ...(await blobs.keep(db, staged)) }
  }

  // Without rows a report is the same for everybody.
  async function keepEmpty(name: ReportName): Promise<Kept> {
    const kept = empty.get(name) ?? (await keep(await draft(blobs, name)))
    empty.set(name, kept)
    return kept
  }

  return {
    async make(missing, actor) {
      signal?.throwIfAborted()
      const { names, hasWorkspaces } = missing
      const kept = hasWorkspaces ? (await draftAll(missing)).map(keep) : names.map(keepEmpty)
      return publish(db, await Promise.all(kept), missing, actor)
    },
    async close() {
      signal?.removeEventListener('abort', leave)
      await leave()
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
type Kept = { name: ReportName; rowCount: number; sha256: string; size: number }

function rowsOf(client: pg.Client, name: ReportName, missing: Missing): Rows {
  const rows = client.query(copyTo(`copy (${queryOf(name, missing)}) to stdout with (format csv)`))
  // It tells of an error and stays as it is: whoever begins to read it later would wait for ever.
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

const publish = (db: Db, kept: readonly Kept[], { subscriberId, date }: Missing, actor: Actor): Promise<NewRun[]> =>
  db.transaction(async (tx) => {
    const runs = kept.map((one) => ({ ...one, subscriberId, reportDate: date, generatedAt: actor.at }))
    const stands = await Promise.all(runs.map((run) => insertRun(tx, run)))
    const made = runs.filter((_, index) => stands[index])
    for (const { name } of made) {
      const data = { reportName: name, reportDate: date }
      recordEvent(tx, { type: 'REPORT_GENERATED', recipients: [subscriberId], data }, actor)
    }
    return made
  })
