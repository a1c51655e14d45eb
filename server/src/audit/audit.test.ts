import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { type TestDatabase, testDatabase } from '../../test/support/database.ts'
import { type Db, openDb } from '../platform/db.ts'
import { planSeal, sealJob } from './jobs.ts'
import { type Actor, type AuditEntry, nameOf, recordSubscriberAudit } from './record.ts'
import { sealAudit } from './seal.ts'
import { type AuditSummary, verifyAudit } from './verify.ts'

const DAY_MS = 86_400_000
const NOON = new Date('2026-03-02T12:00:00Z')
const TOMORROW = new Date(NOON.getTime() + DAY_MS)
const ACTOR: Actor = { clientId: 'a-client', actingUser: 'ann@example.com', correlationId: 'corr-1', at: NOON }

let database: TestDatabase
let db: Db
let owner: Db

before(async () => {
  database = await testDatabase()
  db = openDb({ url: database.url })
  owner = openDb({ url: database.ownerUrl, poolSize: 2 })
})

after(async () => {
  await Promise.all([db.close(), owner.close()])
  await database.drop()
})

beforeEach(async () => {
  await owner.query('truncate audit_entries, audit_anchors, due, subscribers cascade')
})

describe('recordSubscriberAudit', () => {
  it('writes who did what, when, and how it looked before and after', async () => {
    const subscriberId = await aSubscriber()
    const entry = {
      action: 'client disabled',
      ids: { clientId: 'x' },
      before: { enabled: true },
      after: { enabled: false },
    }
    await record(subscriberId, entry)
    const [row] = await db.query('select chain, seq, entry from audit_entries')
    assert.deepEqual(row, {
      chain: subscriberId,
      seq: 1,
      entry: {
        ...entry,
        at: '2026-03-02T12:00:00.000Z',
        clientId: 'a-client',
        actingUser: 'ann@example.com',
        correlationId: 'corr-1',
      },
    })
  })

  it('leaves no entry behind when the change is undone', async () => {
    const subscriberId = await aSubscriber()
    const undone = db.transaction(async (tx) => {
      recordSubscriberAudit(tx, subscriberId, { action: 'client added', ids: {} }, ACTOR)
      throw new Error('changed my mind')
    })
    await assert.rejects(undone, /changed my mind/)
    await assertSound({ entries: 0 })
  })

  it('fails the commit for a subscriber who does not exist', async () => {
    await assert.rejects(record(randomUUID()), /null value in column "seq"/)
  })

  it('keeps one chain whole under 16 writers at once', async () => {
    const subscriberId = await aSubscriber()
    await atOnce(200, () => record(subscriberId))
    await assertSound({ chains: 1, entries: 200 })
  })

  it('keeps many chains whole under 16 writers at once, and a seal among them', async () => {
    const chains = await Promise.all(Array.from({ length: 10 }, aSubscriber))
    await atOnce(200, async (n) => {
      await record(chains[n % chains.length] ?? '')
      if (n % 50 === 25) await sealAudit(db, new Date(NOON.getTime() + n * DAY_MS))
    })
    const [row] = await db.query<{ anchors: number }>('select count(*) as anchors from audit_anchors')
    assert.ok(row && row.anchors > 0)
    await assertSound({ chains: 10, entries: 200 })
  })

  it('is append-only for the role of the service', async () => {
    await record(await aSubscriber())
    for (const change of [
      `update audit_entries set entry = '{}'`,
      'delete from audit_entries',
      'truncate audit_entries',
    ]) {
      await assert.rejects(db.query(change), /permission denied/)
    }
    await sealAudit(db, NOON)
    await assert.rejects(db.query('delete from audit_anchors'), /permission denied/)
    await owner.query('delete from audit_entries')
  })
})

describe('nameOf', () => {
  it('is the person where one is named, otherwise the client, otherwise the system', () => {
    assert.equal(nameOf(ACTOR), 'ann@example.com')
    assert.equal(nameOf({ clientId: 'a-client', correlationId: 'c', at: NOON }), 'a-client')
    assert.equal(nameOf({ correlationId: 'c', at: NOON }), 'system')
  })
})

describe('sealAudit', () => {
  it('seals a day once, whoever asks and however often', async () => {
    await record(await aSubscriber())
    const anchors = await Promise.all(Array.from({ length: 8 }, () => sealAudit(db, NOON)))
    assert.equal(anchors.filter(Boolean).length, 1)
    assert.equal(await sealAudit(db, new Date('2026-03-02T23:59:59Z')), undefined)
    await assertSound({ anchors: 1 })
  })

  it('waits for a writer under way, so that no entry arrives behind the seal', async () => {
    const [slow, quick] = [await aSubscriber(), await aSubscriber()]
    const written = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const writer = db.transaction(async (tx) => {
      recordSubscriberAudit(tx, slow, { action: 'client added', ids: {} }, ACTOR)
      await tx.query('select 1')
      written.resolve()
      await mayCommit.promise
    })
    await written.promise
    await record(quick)
    const sealing = sealAudit(db, NOON)
    await delay(50)
    mayCommit.resolve()
    await writer
    assert.equal((await sealing)?.chains, 2)
    await assertSound({ entries: 2, anchors: 1 })
  })

  it('chains the days, also one on which nothing happened', async () => {
    const subscriberId = await aSubscriber()
    await record(subscriberId)
    const first = await sealAudit(db, NOON)
    const second = await sealAudit(db, TOMORROW)
    await record(subscriberId)
    const third = await sealAudit(db, new Date(TOMORROW.getTime() + DAY_MS))
    assert.deepEqual([first?.chains, second?.chains, third?.chains], [1, 0, 1])
    const { newestAnchor } = await assertSound({ anchors: 3 })
    assert.equal(newestAnchor, third?.hash)
  })
})

describe('the job audit.seal', () => {
  const log = pino({ enabled: false })
  const context = (now: Date) => ({ now, correlationId: 'corr-2', signal: new AbortController().signal })
  const due = () => db.query<{ job: string; at: Date }>('select job, due_at as at from due')

  it('seals the day once, however often it runs, and has itself run tomorrow', async () => {
    const seal = sealJob({ db, log })
    assert.ok(seal.transactional === false)
    await Promise.all([seal.run(context(NOON), {}), seal.run(context(NOON), {})])
    await assertSound({ anchors: 1 })
    assert.deepEqual(await due(), [{ job: 'audit.seal', at: new Date('2026-03-03T00:00:00Z') }])
  })

  it('is planned for at once where today is not sealed, otherwise for tomorrow', async () => {
    await planSeal(db, NOON, 'corr-2')
    assert.deepEqual(await due(), [{ job: 'audit.seal', at: new Date('2026-03-02T00:00:00Z') }])
    await sealAudit(db, NOON)
    await planSeal(db, NOON, 'corr-2')
    assert.deepEqual(await due(), [{ job: 'audit.seal', at: new Date('2026-03-03T00:00:00Z') }])
  })
})

describe('verifyAudit', () => {
  const damages: { it: string; sql: string; finds: RegExp[] }[] = [
    {
      it: 'shows an altered entry',
      sql: `update audit_entries set entry = entry || '{"action":"nothing"}' where chain = $1 and seq = 2`,
      finds: [/^Chain \S+: entry 2 was altered/],
    },
    {
      it: 'shows an entry that was altered with its hash',
      sql: `update audit_entries set entry = '{}', hash = sha256('{}') where chain = $1 and seq = 1`,
      finds: [/^Chain \S+: entry 2 was altered, or the hash of the one before it/],
    },
    {
      it: 'shows a deleted entry in the middle',
      sql: 'delete from audit_entries where chain = $1 and seq = 2',
      finds: [/^Chain \S+: entry 2 is missing/],
    },
    {
      it: 'shows deleted entries at the beginning',
      sql: 'delete from audit_entries where chain = $1 and seq <= 2',
      finds: [/^Chain \S+: entries 1 to 2 are missing/],
    },
    {
      it: 'shows a deleted entry at the end',
      sql: 'delete from audit_entries where chain = $1 and seq = 4',
      finds: [/^Chain \S+: entry 4 is missing/],
    },
    {
      it: 'shows a chain without any entry left',
      sql: 'delete from audit_entries where chain = $1',
      finds: [/^Chain \S+: entries 1 to 4 are missing/],
    },
    {
      it: 'shows a chain whose subscriber is gone',
      sql: 'delete from subscribers where subscriber_id = $1',
      finds: [/^Chain \S+: what it belongs to is gone; its last entry is 4/],
    },
    {
      it: 'shows a head that was put back',
      sql: `update subscribers set audit_seq = 2 where subscriber_id = $1`,
      finds: [/^Chain \S+: its head stands at 2 and differs from its last entry 4/],
    },
  ]
  for (const damage of damages) {
    it(damage.it, async () => {
      const subscriberId = await aSubscriber()
      for (let n = 0; n < 4; n++) await record(subscriberId)
      await record(await aSubscriber())
      await assertSound({ chains: 2, entries: 5 })
      await owner.query(damage.sql, [subscriberId])
      assertFindings(await findings(), damage.finds, subscriberId)
    })
  }

  it('shows a whole chain that was deleted with its subscriber after an anchor', async () => {
    const [gone] = await sealedDays()
    await owner.query('delete from audit_entries where chain = $1', [gone])
    await owner.query('delete from subscribers where subscriber_id = $1', [gone])
    assertFindings(await findings(), [/^Anchor \d+ of 2026-03-02: it was altered/])
  })

  it('shows a chain that was written anew from its beginning after an anchor', async () => {
    const [chain] = await sealedDays()
    await owner.query(
      `with entry as (update audit_entries set entry = '{}', hash = sha256('{}') where chain = $1 returning hash)
       update subscribers set audit_hash = hash from entry where subscriber_id = $1`,
      [chain],
    )
    assertFindings(await findings(), [/^Anchor \d+ of 2026-03-02: it was altered/])
  })

  it('shows an anchor that was altered', async () => {
    for (const change of [`sealed_at = sealed_at - interval '1 hour'`, 'upto = upto - 1', 'chains = 7', `hash = 'x'`]) {
      await owner.query('truncate audit_entries, audit_anchors, subscribers cascade')
      await sealedDays()
      await owner.query(
        `update audit_anchors set ${change} where anchor_id = (select min(anchor_id) from audit_anchors)`,
      )
      assert.match((await findings())[0] ?? '', /^Anchor \d+ of 2026-03-02: it was altered/, change)
    }
  })

  it('shows an anchor that was deleted from between two others', async () => {
    await sealedDays()
    await sealAudit(db, new Date(TOMORROW.getTime() + DAY_MS))
    await owner.query('delete from audit_anchors where sealed_at = $1', [TOMORROW])
    assertFindings(await findings(), [/^Anchor \d+ of 2026-03-04: it was altered, or the one before it/])
  })

  it('does not drown whoever asks', async () => {
    const chains = await Promise.all(Array.from({ length: 1_200 }, aSubscriber))
    await atOnce(chains.length, (n) => record(chains[n] ?? ''))
    await owner.query(`update audit_entries set entry = '{}'`)
    const told = await findings()
    assert.equal(told.length, 1_001)
    assert.match(told.at(-1) ?? '', /There are more/)
  })
})

async function aSubscriber(): Promise<string> {
  const subscriberId = randomUUID()
  await db.query(
    `insert into subscribers (subscriber_id, name, kind, created_at) values ($1, 'A firm', 'LAW_FIRM', $2)`,
    [subscriberId, NOON],
  )
  return subscriberId
}

const record = (
  subscriberId: string,
  entry: AuditEntry = { action: 'client added', ids: { clientId: randomUUID() } },
) => db.transaction(async (tx) => recordSubscriberAudit(tx, subscriberId, entry, ACTOR))

/** Two chains and two days: one chain moved on the first day only. */
async function sealedDays(): Promise<string[]> {
  const chains = [await aSubscriber(), await aSubscriber()]
  for (const chain of chains) await record(chain)
  await sealAudit(db, NOON)
  await record(chains[1] ?? '')
  await sealAudit(db, TOMORROW)
  await assertSound({ chains: 2, entries: 3, anchors: 2 })
  return chains
}

async function atOnce(times: number, work: (n: number) => Promise<unknown>): Promise<void> {
  const numbers = Array.from({ length: times }, (_, n) => n).values()
  const lanes = Array.from({ length: 16 }, async () => {
    for (const n of numbers) await work(n)
  })
  await Promise.all(lanes)
}

async function findings(): Promise<string[]> {
  const told: string[] = []
  await verifyAudit(db, (finding) => told.push(finding))
  return told
}

function assertFindings(found: string[], expected: RegExp[], named = ''): void {
  assert.equal(found.length, expected.length, found.join('\n'))
  for (const [index, pattern] of expected.entries()) assert.match(found[index] ?? '', pattern)
  for (const finding of found) assert.ok(finding.includes(named))
}

async function assertSound(expected: Partial<AuditSummary>): Promise<AuditSummary> {
  const summary = await verifyAudit(db, assert.fail)
  assert.partialDeepStrictEqual(summary, { ...expected, findings: 0 })
  return summary
}
