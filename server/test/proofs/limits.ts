import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { batchOf } from '../../src/auth/limit.ts'
import { readConfig } from '../../src/config.ts'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts'
import { type Service, startService } from '../../src/service.ts'
import { callerOf, PARTNER } from '../fixtures/service.ts'
import { LENDER } from '../fixtures/workspaces.ts'

const NODES = 3
const PER_MINUTE = 600
const SENDERS = 8
const REFUSALS = 30 // of each sender, one after the other: then nothing is left of the minute

export type LimitFigures = {
  nodes: number
  perMinute: number
  batch: number
  /** Admitted by all nodes in each minute. */
  admitted: { evenly: number[]; mostlyByOne: number[] }
  refused: number
  leases: number
}

/** One client of three nodes asks until all refuse, minute after minute: evenly, and nine times in ten one node. */
export async function proveLimits({ minutes }: { minutes: number }): Promise<LimitFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-limits-'))
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), mode: 'own' })
  const nodes: Service[] = []
  try {
    for (let started = 0; started < NODES; started++) nodes.push(await startNode(folder, postgres))
    const [first = assert.fail()] = nodes
    const { db } = first.deps
    const headers = { authorization: `Bearer ${await callerOf(first.url).tokenOf(LENDER.as)}` }
    const figures: LimitFigures = {
      ...{ nodes: NODES, perMinute: PER_MINUTE, batch: batchOf(PER_MINUTE) },
      ...{ admitted: { evenly: [], mostlyByOne: [] }, refused: 0, leases: 0 },
    }
    for (let minute = 0; minute < minutes; minute++) {
      const isEven = minute % 2 === 0
      const choose = () => nodes[isEven || Math.random() < 0.1 ? Math.floor(Math.random() * NODES) : 0]?.url
      const sent = await Promise.all(Array.from({ length: SENDERS }, () => sendUntilRefused(choose, headers)))
      const [row] = await db.query<{ waitMs: number }>(
        `select (extract(epoch from ends_at - now()) * 1000)::integer as "waitMs" from rate_limits`,
      )
      const { waitMs } = row ?? assert.fail('no lease was taken')
      assert.ok(waitMs > 0, 'the machine is too busy: the minute ended before it was used')
      figures.admitted[isEven ? 'evenly' : 'mostlyByOne'].push(sent.reduce((sum, { admitted }) => sum + admitted, 0))
      figures.refused += sent.reduce((sum, { refused }) => sum + refused, 0)
      process.stderr.write(`minute ${minute + 1} of ${minutes}: ${JSON.stringify(figures.admitted)}\n`)
      if (minute < minutes - 1) await delay(waitMs + 100)
    }
    await delay(1_500) // statistics are written once a second
    const [counts] = await db.query<{ leases: number }>(
      `select n_tup_ins + n_tup_upd as leases from pg_stat_user_tables where relname = 'rate_limits'`,
    )
    return check({ ...figures, leases: counts?.leases ?? 0 })
  } finally {
    for (const node of nodes.reverse()) await node.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function startNode(folder: string, { url, ownerUrl }: { url: string; ownerUrl: string }): Promise<Service> {
  const env = {
    ...{ DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, DATA_DIR: folder, PUBLIC_URL: 'http://127.0.0.1:8080' },
    ...{ PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) },
  }
  return startService(readConfig(env, { sandbox: true, part: 'serve' }), { http: true, worker: false, matters: false })
}

async function sendUntilRefused(choose: () => string | undefined, headers: Record<string, string>) {
  let [admitted, refused, inARow] = [0, 0, 0]
  while (inARow < REFUSALS) {
    const answer = await fetch(`${choose()}${PARTNER}/workspaces?limit=1`, { headers })
    await answer.arrayBuffer()
    const isRefused = answer.status === 429
    assert.ok(isRefused || answer.status === 200 || answer.status === 503, `${answer.status}`)
    if (isRefused) refused++
    if (answer.status === 200) admitted++
    inARow = isRefused ? inARow + 1 : 0
  }
  return { admitted, refused }
}

function check(figures: LimitFigures): LimitFigures {
  const { batch, admitted } = figures
  for (const count of [...admitted.evenly, ...admitted.mostlyByOne]) {
    assert.ok(count >= PER_MINUTE - (NODES - 1) * batch && count <= PER_MINUTE + NODES * batch, JSON.stringify(figures))
  }
  return figures
}
