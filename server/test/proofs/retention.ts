// Long because it is read from top to bottom: load, start, read, erase, compare.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { sealAudit } from '../../src/audit/seal.ts'
import { verifyAudit } from '../../src/audit/verify.ts'
import { generateSigningKey } from '../../src/auth/keys.ts'
import { addClient, addSubscriber } from '../../src/auth/manage.ts'
import { ALL_SCOPES } from '../../src/auth/scopes.ts'
import { openBlobs } from '../../src/platform/blobs/blobs.ts'
import { type Db, JOB_LIMITS, openDb } from '../../src/platform/database/db.ts'
import { schedule } from '../../src/platform/jobs/due.ts'
import { PLACES, readRows } from '../../src/retention/erase.ts'
import { ERASE_JOB } from '../../src/retention/rules.ts'
import { countErased, savePaused } from '../../src/retention/store.ts'
import { usePepper } from '../../src/secrets.ts'
import { eventually } from '../fixtures/eventually.ts'
import { freePort } from '../fixtures/ports.ts'
import { endProcess, isReady } from '../fixtures/process.ts'
import { PARTNER } from '../fixtures/service.ts'
import { proofDatabase } from './proof-database.ts'
import { FEED, FIRMS, idSql, insertSql, LENDERS, REGISTRATION, ROWS } from './retention-rows.ts'

// Matters are erased by a worker while the service is read from, in turns with times in which nothing is erased.

export type RetentionFigures = {
  matters: number
  due: number
  loadSeconds: number
  erasingSeconds: number
  reads: { alone: Latencies; erasing: Latencies; ratioOfP99: number }
  /** Rows that should be gone, or are gone and should not be; and matters of a sample that are not as they were. */
  surplusRows: number
  changed: number
  auditFindings: number
  payloadsErased: number
  /** Blobs that the sweep removed, and how long it took. */
  swept: number
  sweepSeconds: number
  megabytes: { before: number; after: number; afterVacuum: number }
}

type Latencies = { requests: number; failed: number; p50Ms: number; p99Ms: number }

type Options = {
  matters: number
  due: number
  readsPerSecond: number
  phaseMs: number
  settings?: Record<string, string>
}

const PEPPER = 'p'.repeat(32)
const MAIN = resolve(import.meta.dirname, '../../src/main.ts')
const ACTOR = { actingUser: 'proof', correlationId: 'proof', at: new Date() }
const CHUNK = 50_000
const SNAPSHOTS = 50
const ERASE_MS_MAX = 900_000
const STARTED_MS_MAX = 60_000

export async function proveRetention(options: Options): Promise<RetentionFigures> {
  const undo: (() => unknown)[] = []
  const interrupted = new Promise<never>((_, reject) => {
    const stop = () => reject(new Error('interrupted'))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, stop)
      undo.push(() => process.off(signal, stop))
    }
  })
  try {
    return await Promise.race([prove(options, (step) => undo.push(step)), interrupted])
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

async function prove(options: Options, onEnd: (step: () => unknown) => void): Promise<RetentionFigures> {
  const { matters, due, phaseMs, readsPerSecond } = options
  const dataDir = await mkdtemp(join(tmpdir(), 'lodgeway-retention-'))
  onEnd(() => rm(dataDir, { recursive: true, force: true }))
  const settings = { fsync: 'on', max_wal_size: '8GB', shared_buffers: '1GB', ...options.settings }
  const postgres = await proofDatabase(dataDir, settings)
  onEnd(() => postgres.stop())
  const owner = openDb({ url: postgres.ownerUrl, poolSize: 4, limits: JOB_LIMITS })
  onEnd(() => owner.close())
  const blobs = await openBlobs({ url: undefined, dataDir })
  onEnd(() => blobs.close())

  const loadBeganAt = performance.now()
  await usePepper(owner, PEPPER)
  const clients = await addAccounts(owner)
  await load(owner, options)
  const shared = await shareBlob(owner, blobs, due)
  await sealAudit(owner, new Date())
  const loadSeconds = secondsSince(loadBeganAt)
  report(`loaded ${matters} matters in ${loadSeconds} s`)
  const [before, bytesBefore] = [await snapshotOf(owner, options), await megabytesOf(owner)]

  const { url, token } = await startNodes({ dataDir, databaseUrl: postgres.url, clients }, onEnd)
  const reader = readerOf(url, token, await idsOf(owner, matters))
  await reader.during(2_000, readsPerSecond) // the first requests are slower
  const [alone, erasing]: [Sample[], Sample[]] = [[], []]
  let erasingMs = 0
  for (let erased = 0; erased < due; ) {
    assert.ok(erasingMs < ERASE_MS_MAX, `only ${erased} matters were erased`)
    alone.push(...(await reader.during(phaseMs / 4, readsPerSecond)))
    const beganAt = performance.now()
    await beginErasing(owner)
    await eventually(async () => (await countErased(owner)) > erased, STARTED_MS_MAX)
    erasing.push(...(await reader.during(phaseMs, readsPerSecond)))
    await savePaused(owner, true)
    await eventually(() => isIdle(owner), STARTED_MS_MAX)
    erasingMs += performance.now() - beganAt
    erased = await countErased(owner)
    report(`${erased} erased; p99 alone ${latenciesOf(alone).p99Ms} ms, erasing ${latenciesOf(erasing).p99Ms} ms`)
  }
  const gone = await reader.statusesOf(await idsOf(owner, due, 1))
  assert.deepEqual([...new Set(gone)], [404])

  const sweepBeganAt = performance.now()
  const swept = await blobs.sweep(owner, { ageMs: 0 })
  const sweepSeconds = secondsSince(sweepBeganAt)
  await (await blobs.open(shared)).stream.destroy()
  const bytesAfter = await megabytesOf(owner)
  const after = await snapshotOf(owner, options)
  report('verifying the audit')
  const { findings, erased: payloadsErased } = await verifyAudit(owner, { now: new Date() })
  for (const finding of findings.slice(0, 3)) report(finding)
  await vacuum(owner)
  const [one, other] = [latenciesOf(alone), latenciesOf(erasing)]
  return {
    ...{ matters, due, loadSeconds, erasingSeconds: Math.round(erasingMs / 1000) },
    reads: { alone: one, erasing: other, ratioOfP99: Math.round((100 * other.p99Ms) / one.p99Ms) / 100 },
    surplusRows: await surplusOf(owner, options),
    changed: before.filter((one, i) => JSON.stringify(one) !== JSON.stringify(after[i])).length,
    auditFindings: findings.length,
    payloadsErased,
    swept,
    sweepSeconds,
    megabytes: { before: bytesBefore, after: bytesAfter, afterVacuum: await megabytesOf(owner) },
  }
}

async function addAccounts(owner: Db) {
  const clients = await owner.transaction(async (tx) => {
    for (const subscriberId of LENDERS) {
      addSubscriber(tx, { subscriberId, name: 'A lender', kind: 'LENDER', fourEyes: true, reports: false }, ACTOR)
    }
    for (const subscriberId of FIRMS) {
      addSubscriber(tx, { subscriberId, name: 'A firm', kind: 'LAW_FIRM', fourEyes: true, reports: false }, ACTOR)
    }
    return addClient(tx, PEPPER, { subscriberId: LENDERS[0] ?? '', scopes: ALL_SCOPES }, ACTOR)
  })
  await owner.query(
    `insert into notification_registrations (registration_id, subscriber_id, webhook_uri, event_types, secret, secret_expires_at, created_at)
     values ($1, $2, 'https://receiver.example', '{WORKSPACE_LODGED}', '', now() + interval '1 year', now())`,
    [REGISTRATION, LENDERS[0]],
  )
  return clients
}

/**
 * Two connections, each with every second table. Triggers and checks of foreign keys are off: the rows fit together. Indexes
 * are made when the rows are there, which takes a fraction of the time.
 */
async function load(owner: Db, { matters, due }: Options): Promise<void> {
  const indexes = await owner.query<{ name: string; sql: string }>(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as sql from pg_index
      where indrelid = any ($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [[...new Set(ROWS.map(({ table }) => table))]],
  )
  for (const { name } of indexes) await owner.query(`drop index ${name}`)
  let [done, reportedAt] = [0, performance.now()]
  const total = ROWS.length * Math.ceil(matters / CHUNK)
  const waiting = ROWS.flatMap((rows) =>
    Array.from({ length: Math.ceil(matters / CHUNK) }, (_, chunk) => ({
      sql: insertSql(rows),
      values: [chunk * CHUNK + 1, Math.min(matters, (chunk + 1) * CHUNK), due],
    })),
  ).values()
  const work = async () => {
    await onLoader(owner, async (client) => {
      for (const { sql, values } of waiting) {
        await client.query(sql, values)
        done += 1
        if (performance.now() - reportedAt < 15_000) continue
        reportedAt = performance.now()
        report(`loading: ${Math.round((100 * done) / total)} %`)
      }
    })
  }
  await Promise.all([work(), work()])
  report(`making ${indexes.length} indexes`)
  const missing = indexes.values()
  const index = () =>
    onLoader(owner, async (client) => {
      await client.query(`set maintenance_work_mem = '512MB'`)
      for (const { sql } of missing) await client.query(sql)
    })
  await Promise.all([index(), index()])
  await onLoader(owner, async (client) => {
    await client.query(FEED, [due])
    await client.query('vacuum analyze')
  })
}

async function onLoader(owner: Db, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = await owner.dedicated()
  try {
    await client.query('set synchronous_commit = off; set session_replication_role = replica')
    await work(client)
  } finally {
    await client.end()
  }
}

/** Real bytes that a due matter and one that stays both have. */
async function shareBlob(owner: Db, blobs: Awaited<ReturnType<typeof openBlobs>>, due: number): Promise<string> {
  const bytes = Buffer.from('of two matters')
  const staged = await blobs.stage(Readable.from([bytes]), { bytesMax: 1_000 })
  const { sha256 } = await blobs.keep(owner, staged)
  const other = Math.ceil((due + 1) / 10) * 10
  await owner.query(
    `update files set sha256 = $1 where workspace_id in (${idSql('workspace', '1')}, ${idSql('workspace', String(other))})`,
    [sha256],
  )
  return sha256
}

type Nodes = { dataDir: string; databaseUrl: string; clients: { clientId: string; secret: string } }

/** One `serve` and one `work`, as an operator runs them. */
async function startNodes({ dataDir, databaseUrl, clients }: Nodes, onEnd: (step: () => unknown) => void) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...{
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      ADMIN_PORT: '0',
    },
    ...{ HOST: '127.0.0.1', SECRET_PEPPER: PEPPER, REGISTRY: 'simulator', PAYMENTS: 'simulator', LOG_LEVEL: 'error' },
    ...{ RATE_LIMIT_PER_MINUTE: '0', SIGNING_KEYS: JSON.stringify(await generateSigningKey()) },
  }
  for (const part of ['serve', 'work']) {
    const child = spawn(process.execPath, [MAIN, part], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    onEnd(() => endProcess(child))
  }
  await eventually(() => isReady(url), STARTED_MS_MAX)
  const { clientId: client_id, secret: client_secret } = clients
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  const answer = (await (await fetch(`${url}/oauth/token`, { method: 'POST', body })).json()) as {
    access_token: string
  }
  return { url, token: answer.access_token }
}

/** Ids of some matters of the first lender: those that stay, or those that are due. */
async function idsOf(owner: Db, upto: number, from = Math.ceil(upto / 2)): Promise<string[]> {
  const step = Math.max(2, 2 * Math.floor((upto - from) / 2_000))
  const rows = await owner.query<{ id: string }>(
    `select ${idSql('workspace')} as id from generate_series($1::int, $2::int, $3::int) n`,
    [from + (from % 2), upto, step],
  )
  return rows.map(({ id }) => id)
}

type Sample = { ms: number; ok: boolean }

/** Reads at a steady rate, whether earlier answers have come or not: a matter, its timeline, or a page of the list. */
function readerOf(url: string, token: string, ids: readonly string[]) {
  const headers = { authorization: `Bearer ${token}` }
  const ask = async (path: string) => {
    const response = await fetch(`${url}${PARTNER}${path}`, { headers })
    await response.arrayBuffer()
    return response.status
  }
  let asked = 0
  const pathOf = (n: number) => {
    const id = ids[(n * 7_919) % ids.length]
    return ['/workspaces', `/workspaces/${id}/timeline`][n % 5] ?? `/workspaces/${id}`
  }
  return {
    async during(ms: number, perSecond: number): Promise<Sample[]> {
      const samples: Promise<Sample>[] = []
      const beganAt = performance.now()
      for (let at = 0; at < ms; at += 1000 / perSecond) {
        await delay(Math.max(0, beganAt + at - performance.now()))
        const sentAt = performance.now()
        const answer = ask(pathOf(asked++)).catch(() => 0)
        samples.push(answer.then((status) => ({ ms: performance.now() - sentAt, ok: status === 200 })))
      }
      return Promise.all(samples)
    },
    statusesOf: (some: readonly string[]) => Promise.all(some.slice(0, 20).map((id) => ask(`/workspaces/${id}`))),
  }
}

function latenciesOf(samples: readonly Sample[]): Latencies {
  const sorted = samples.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => Math.round(10 * (sorted[Math.floor(sorted.length * share)] ?? 0)) / 10
  return { requests: samples.length, failed: samples.filter(({ ok }) => !ok).length, p50Ms: at(0.5), p99Ms: at(0.99) }
}

/** As `lodgeway retention resume` and `run` do. */
async function beginErasing(owner: Db): Promise<void> {
  await savePaused(owner, false)
  await owner.transaction(async (tx) => schedule(tx, new Date(), ERASE_JOB, {}, { correlationId: 'proof' }, ERASE_JOB))
}

async function isIdle(owner: Db): Promise<boolean> {
  const jobs = await owner.query(`select 1 from pgboss.job where name = $1 and state < 'completed'`, [ERASE_JOB])
  return jobs.length === 0
}

/** How many rows there are too many or too few, if those of due matters are gone and all others are there. */
async function surplusOf(owner: Db, { matters, due }: Options): Promise<number> {
  let surplus = 0
  const ofMatter = new Set(PLACES.map(({ table }) => table))
  for (const { table, times = 1, isForAll } of ROWS.filter((rows) => ofMatter.has(rows.table))) {
    const [row] = await owner.query<{ count: number }>(`select count(*) from ${table}`)
    const others = isForAll ? matters - due : Math.floor(matters / 10) - Math.floor(due / 10)
    surplus += Math.abs((row?.count ?? 0) - others * times)
  }
  return surplus
}

/** Everything about some matters that stay. Old rows leave the feed in any case. */
const snapshotOf = (owner: Db, { matters, due }: Options): Promise<object[]> =>
  Promise.all(
    Array.from({ length: SNAPSHOTS }, async (_, i) => {
      const n = due + 10 * Math.floor(((i + 1) * (matters - due)) / (10 * SNAPSHOTS + 10))
      const [row] = await owner.query<{ id: string }>(`select ${idSql('workspace', '$1::int')} as id`, [n])
      const { event_feed: _feed, ...rows } = await readRows(owner, row?.id ?? '')
      return rows
    }),
  )

async function megabytesOf(owner: Db): Promise<number> {
  const [row] = await owner.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes')
  return Math.round((row?.bytes ?? 0) / 1e6)
}

async function vacuum(owner: Db): Promise<void> {
  const client = await owner.dedicated()
  await client.query('vacuum').finally(() => client.end())
}

const secondsSince = (beganAt: number) => Math.round((performance.now() - beganAt) / 100) / 10

const report = (line: string) => process.env['TEST_FOLDER'] === undefined && process.stderr.write(`  ${line}\n`)
