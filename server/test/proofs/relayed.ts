import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts'
import { type Relay, startRelay } from '../fakes/database-relay.ts'
import { serviceProcess } from '../fixtures/process.ts'

export type Relayed = {
  /** The service, which reaches its database through the relay. */
  url: string
  relay: Relay
  /** Straight to the database. */
  db: Db
}

/** The service as a process, a relay, and PostgreSQL behind it. */
export async function relayed<T>(work: (parts: Relayed) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-proof-'))
  const postgres = await startEmbeddedPostgres({ folder, mode: 'own' })
  const relay = await startRelay(postgres.url)
  const service = await serviceProcess({ DATABASE_URL: relay.url, DATABASE_OWNER_URL: postgres.ownerUrl })
  const db = openDb({ url: postgres.ownerUrl })
  try {
    await service.start()
    return await work({ url: service.url, relay, db })
  } finally {
    await service.remove()
    await db.close()
    await relay.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

export type Written = { name: string; status: number; isUnknown: boolean; seconds: number; at: number }

/** The load lasts as long as `isOver` is false; each of those who send pauses between two requests. */
export type Load = { isOver(): boolean; pauseMs: number }

/** Adds subscribers one after another, and notes each response. */
export async function write(url: string, writer: string, written: Written[], { isOver, pauseMs }: Load): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    const name = `${writer}.${turn}`
    const startedAt = performance.now()
    const response = await fetch(`${url}/sandbox/v1/subscribers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ kind: 'LENDER', name }),
    })
    await response.arrayBuffer()
    const at = performance.now()
    const isUnknown = response.headers.get('x-outcome') === 'unknown'
    written.push({ name, status: response.status, isUnknown, seconds: (at - startedAt) / 1000, at })
    if (pauseMs) await delay(pauseMs)
  }
}

/** What was acknowledged must be there, and what was refused must not. */
export async function compare(db: Db, written: readonly Written[]) {
  const rows = await db.read.query<{ name: string }>('select name from subscribers')
  const there = new Set(rows.map(({ name }) => name))
  const acknowledged = written.filter(({ status }) => status === 201)
  const refused = written.filter(({ status, isUnknown }) => status !== 201 && !isUnknown)
  return {
    acknowledged: acknowledged.length,
    acknowledgedAndLost: acknowledged.filter(({ name }) => !there.has(name)).length,
    refused: refused.length,
    refusedAndDone: refused.filter(({ name }) => there.has(name)).length,
    unknown: written.filter(({ isUnknown }) => isUnknown).length,
    otherThan201And503: written.filter(({ status }) => status !== 201 && status !== 503).length,
  }
}
