import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Actor, type AuditEntry, recordSubscriberAudit } from '../../src/audit/record.ts'
import { type AuditSummary, verifyAudit } from '../../src/audit/verify.ts'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { testDatabase } from './database.ts'

export const DAY_MS = 86_400_000
export const NOON = new Date('2026-03-02T12:00:00Z')
export const TOMORROW = new Date(NOON.getTime() + DAY_MS)
export const ACTOR: Actor = { clientId: 'a-client', actingUser: 'ann@example.com', correlationId: 'corr-1', at: NOON }

/** A database of its own, seen by the service (`db`) and by who may do anything to it (`owner`). */
export type TestAudit = {
  db: Db
  owner: Db
  aSubscriber(): Promise<string>
  record(subscriberId: string, entry?: AuditEntry): Promise<void>
  findings(): Promise<string[]>
  assertSound(expected: Partial<AuditSummary>): Promise<AuditSummary>
  empty(): Promise<void>
  close(): Promise<void>
}

export async function testAudit(): Promise<TestAudit> {
  const database = await testDatabase()
  const db = openDb({ url: database.url })
  const owner = openDb({ url: database.ownerUrl, poolSize: 2 })
  return {
    db,
    owner,
    async aSubscriber() {
      const subscriberId = randomUUID()
      await db.query(
        `insert into subscribers (subscriber_id, name, kind, created_at) values ($1, 'A firm', 'LAW_FIRM', $2)`,
        [subscriberId, NOON],
      )
      return subscriberId
    },
    record: (subscriberId, entry = { action: 'client added', ids: { clientId: randomUUID() } }) =>
      db.transaction(async (tx) => recordSubscriberAudit(tx, subscriberId, entry, ACTOR)),
    async findings() {
      const told: string[] = []
      await verifyAudit(db, (finding) => told.push(finding))
      return told
    },
    async assertSound(expected) {
      const summary = await verifyAudit(db, assert.fail)
      assert.partialDeepStrictEqual(summary, { ...expected, findings: 0 })
      return summary
    },
    async empty() {
      await owner.query('truncate audit_entries, audit_anchors, due, subscribers cascade')
    },
    async close() {
      await Promise.all([db.close(), owner.close()])
      await database.drop()
    },
  }
}

/** Sixteen at a time. */
export async function atOnce(times: number, work: (n: number) => Promise<unknown>): Promise<void> {
  const numbers = Array.from({ length: times }, (_, n) => n).values()
  const lanes = Array.from({ length: 16 }, async () => {
    for (const n of numbers) await work(n)
  })
  await Promise.all(lanes)
}
