import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { addDays, londonDate } from '../server/src/jurisdiction/london.ts'
import { queryOf } from '../server/src/reports/query.ts'
import { PARTNER_PATH } from '../server/src/workspaces/path.ts'
import type { Measurement, Side } from './harness.ts'
import { type Helper, startHelper } from './helper.ts'
import { requestBytes } from './load.ts'
import { findProgram } from './pgbench.ts'
import type { Delivered, Order } from './reporter.ts'
import type { Testbed } from './testbed.ts'
import { seedWorkspaces } from './workspaces.ts'

// A report of a million workspaces: how fast its rows are written, with how much memory, and how fast it is retrieved.

const ROWS = Number(process.env['BENCH_REPORT_ROWS'] ?? 1_000_000)
const ROUNDS_MAX = 3
const MEMORY_MIB_GOAL = 200
const DOWNLOADS_AT_ONCE = 2
const NAME = 'report-workspacesummary-todate'
const SORT_MEMORY = '64MB' // as in server/src/reports/generate.ts
const PSQL_MISSING =
  'psql was not found, in PATH or below /usr/lib/postgresql: without it there is no limit to compare with. ' +
  "Debian's package `postgresql-client` contains it."

type Setup = { reporter: Helper; order: Order; token: string }
let setup: Promise<Setup> | undefined

async function prepare(testbed: Testbed): Promise<Setup> {
  process.stderr.write(`  seeding ${ROWS} workspaces …\n`)
  const { lender: token } = await seedWorkspaces(testbed, ROWS)
  const reporter = startHelper('reporter.ts')
  testbed.onStop(() => reporter.stop())
  const { databaseUrl, dataDir, callers } = testbed
  const date = addDays(londonDate(new Date()), -1)
  return {
    reporter,
    token,
    order: { databaseUrl, dataDir, subscriberId: callers[0]?.subscriberId ?? '', name: NAME, date },
  }
}

async function rowsWritten(testbed: Testbed): Promise<Measurement> {
  setup ??= prepare(testbed)
  const { reporter, order } = await setup
  const service: Side = {
    name: 'service',
    async run() {
      const { rows, seconds, peakMiB } = await reporter.ask<Delivered>('make', order)
      const goal = `goal: below ${MEMORY_MIB_GOAL}, ${peakMiB < MEMORY_MIB_GOAL ? 'met' : 'missed'}`
      process.stderr.write(
        `  ${rows} rows in ${seconds.toFixed(1)} s; memory at most ${peakMiB.toFixed(0)} MiB (${goal})\n`,
      )
      return { perSecond: rows / seconds, peakMiB }
    },
  }
  const limits = await psqlLimits(order)
  return { name: 'report-rows', title: 'rows of a report', service, limits, roundsMax: ROUNDS_MAX }
}

async function psqlLimits(order: Order): Promise<Measurement['limits']> {
  const program = await findProgram('psql')
  if (!program) {
    process.stderr.write(`${PSQL_MISSING}\n`)
    return []
  }
  const text = `copy (${queryOf(NAME, { ...order, kind: 'LENDER' })}) to stdout with csv`
  return [
    {
      name: 'psql, COPY of the same query',
      goal: 0.3,
      async run() {
        const startedAt = performance.now()
        const env = { PATH: process.env['PATH'] ?? '', PGOPTIONS: `-c work_mem=${SORT_MEMORY}` }
        const child = spawn(program, [order.databaseUrl, '-c', text], { env, stdio: ['ignore', 'ignore', 'inherit'] })
        const [code] = await once(child, 'exit')
        if (code !== 0) throw new Error('psql failed.')
        return { perSecond: ROWS / ((performance.now() - startedAt) / 1000) }
      },
    },
  ]
}

async function retrieval(testbed: Testbed): Promise<Measurement> {
  setup ??= prepare(testbed)
  const { reporter, order, token } = await setup
  const { sha256 } = await reporter.ask<Delivered>('make', order)
  const path = join(testbed.dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  const headers = { Authorization: `Bearer ${token}` }
  const request = requestBytes('GET', `${PARTNER_PATH}/reports/${NAME}/content`, headers)
  const side = (name: string, url: string): Side => ({ name, run: (seconds) => download(url, request, seconds) })
  await testbed.raw.ask('stream', path)
  return {
    name: 'report-retrieval',
    title: 'retrieve a report, in MiB',
    service: side('service', testbed.service.url),
    limits: [{ ...side('node:http that streams the file', testbed.raw.url), goal: 0.8 }],
  }
}

/** Retrieves the same report repeatedly on a few connections and drops its bytes. Counts MiB. */
async function download(url: string, request: Buffer, seconds: number) {
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  const downloads = Array.from({ length: DOWNLOADS_AT_ONCE }, () => downloadUntil(endsAt, url, request))
  const bytes = (await Promise.all(downloads)).reduce((sum, one) => sum + one, 0)
  return { perSecond: bytes / 2 ** 20 / ((performance.now() - startedAt) / 1000) }
}

async function downloadUntil(endsAt: number, url: string, request: Buffer): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  let bytes = 0
  let left = 0
  socket.on('data', (chunk) => {
    try {
      left = (left || lengthOf(chunk)) - chunk.length
    } catch (error) {
      return reject(error)
    }
    bytes += chunk.length
    if (left > 0) return
    if (performance.now() < endsAt) socket.write(request)
    else resolve(bytes)
  })
  socket.once('error', reject)
  socket.write(request)
  return promise.finally(() => socket.destroy())
}

/** The length of the whole response, by its first chunk, which has all headers. */
function lengthOf(chunk: Buffer): number {
  const headEnd = chunk.indexOf('\r\n\r\n')
  const head = chunk.subarray(0, headEnd).toString('latin1')
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  if (!head.startsWith('HTTP/1.1 200') || headEnd < 0 || !length)
    throw new Error(`The load received an unexpected response:\n${head}`)
  return headEnd + 4 + Number(length)
}

export const reportMeasurements = { 'report-rows': rowsWritten, 'report-retrieval': retrieval }
