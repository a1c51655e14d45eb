import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { recordEvent } from '../events/record.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { openVault } from '../platform/vault.ts'
import {
  type Attempted,
  claimDeliveries,
  endUnverified,
  findLeft,
  restartDelivery,
  saveAttempts,
} from './deliveries.ts'
import { publishEvents } from './feed.ts'
import { type Outcome, outcomeOf } from './rules.ts'
import { insertRegistration } from './store.ts'

const AT = new Date('2026-03-02T12:00:00.000Z')
const LATER = new Date('2026-03-02T12:00:04.000Z')
const ACTOR = { correlationId: 'corr-1', at: AT }
const SUBSCRIBER = randomUUID()
const REGISTRATION = randomUUID()
const FAILED = { at: AT.toISOString(), durationMs: 3, status: 500 }
const DELIVERED: Outcome = { status: 'DELIVERED', nextAttemptAt: null }

let database: TestDatabase
let db: Db
before(async () => {
  database = await testDatabase()
  db = openDb({ url: database.url })
  await db.query(`insert into subscribers (subscriber_id, name, kind, created_at) values ($1, 'x', 'LENDER', now())`, [
    SUBSCRIBER,
  ])
  const rest = { webhookURI: 'https://x.example/', status: 'VERIFIED' as const, sharedSecretExpiry: AT, createdAt: AT }
  const row = {
    registrationId: REGISTRATION,
    subscriberId: SUBSCRIBER,
    eventTypes: ['WORKSPACE_CREATED' as const],
    ...rest,
  }
  await db.transaction(async (tx) => insertRegistration(tx, row, openVault('p').seal('s', REGISTRATION)))
})
after(async () => {
  await db.close()
  await database.drop()
})
beforeEach(async () => {
  await db.query('delete from notifications')
  await db.query('delete from due')
})

const woken: string[] = []
const queue = { enqueue: async (_: unknown, name: string) => void woken.push(name) }
const write = (workspaceId: string, reference: string) =>
  db.transaction(async (tx) =>
    recordEvent(tx, { type: 'WORKSPACE_CREATED', workspaceId, recipients: [SUBSCRIBER], reference }, ACTOR),
  )
const record = async (workspaceId: string, reference: string) => {
  await write(workspaceId, reference)
  await publishEvents({ db, queue })
}
const claim = async (now = AT) => (await db.transaction((tx) => claimDeliveries(tx, REGISTRATION, now, 1)))[0]
const save = (one: Attempted) => db.transaction(async (tx) => saveAttempts(tx, REGISTRATION, [one]))
const referenceOf = (claimed: Awaited<ReturnType<typeof claim>>) => claimed?.event.data['reference']

describe('publishEvents', () => {
  it('makes one delivery for each event that a registration wants, in order, and wakes its dispatcher once', async () => {
    const workspaceId = randomUUID()
    const references = ['first', 'second', 'third']
    for (const reference of references) await write(workspaceId, reference)
    woken.length = 0
    await Promise.all(Array.from({ length: 5 }, () => publishEvents({ db, queue })))
    const rows = await db.query<{ reference: string }>(
      `select e.data ->> 'reference' as reference from notifications n join events e using (event_id) order by n.seq`,
    )
    assert.deepEqual(
      rows.map(({ reference }) => reference),
      references,
    )
    assert.deepEqual(woken, ['notifications.deliver'])
  })

  it('makes none for a registration that is younger than the event', async () => {
    await write(randomUUID(), 'before')
    await db.query('update notification_registrations set events_after = (select max(seq) from events)')
    await record(randomUUID(), 'after')
    assert.equal(referenceOf(await claim()), 'after')
    assert.equal(await claim(), undefined)
  })
})

describe('claimDeliveries', () => {
  it('gives each to one of many who ask at once, the first of every partition only', async () => {
    const workspaces = Array.from({ length: 12 }, () => randomUUID())
    for (const workspaceId of workspaces) for (const turn of ['1', '2']) await record(workspaceId, turn)
    const claimed = (await Promise.all(Array.from({ length: 30 }, () => claim()))).filter((one) => one !== undefined)
    assert.equal(new Set(claimed.map(({ partition }) => partition)).size, claimed.length)
    assert.deepEqual(new Set(claimed.map(referenceOf)), new Set(['1']))
    while (claimed.length < workspaces.length) claimed.push((await claim()) ?? assert.fail('one was left out'))
    assert.equal(await claim(), undefined)
    assert.deepEqual(await findLeft(db, REGISTRATION, AT), { isReady: false, isLeased: true })
  })

  it('gives it to another when a lease has lapsed', async () => {
    await record(randomUUID(), 'one')
    const first = await claim()
    assert.equal(await claim(), undefined)
    await db.query(`update notifications set leased_until = now() - interval '1 second'`)
    assert.equal((await claim())?.notificationId, first?.notificationId)
  })

  it('gives none while the subscriber is suspended', async () => {
    await record(randomUUID(), 'one')
    const setStatus = (status: string) => db.query('update subscribers set status = $1', [status])
    await setStatus('SUSPENDED')
    assert.equal(await claim(), undefined)
    assert.deepEqual(await findLeft(db, REGISTRATION, AT), { isReady: false, isLeased: false })
    await setStatus('ACTIVE')
    assert.equal(referenceOf(await claim()), 'one')
  })

  it('lets a partition wait for its first, and go on when that is delivered', async () => {
    const [slow, other] = [randomUUID(), randomUUID()]
    for (const reference of ['first', 'second', 'third']) await record(slow, reference)
    const first = (await claim()) ?? assert.fail()
    await save({ claimed: first, attempts: [FAILED], outcome: outcomeOf(FAILED, 1, AT) })
    await record(slow, 'fourth')
    await record(other, 'of another workspace')
    assert.equal(referenceOf(await claim(LATER)), 'of another workspace')
    assert.equal(await claim(LATER), undefined)

    const later = new Date(AT.getTime() + 5_000)
    for (const reference of ['first', 'second', 'third', 'fourth']) {
      const claimed = (await claim(later)) ?? assert.fail(reference)
      assert.equal(referenceOf(claimed), reference)
      await save({ claimed, attempts: [{ ...FAILED, status: 200 }], outcome: DELIVERED })
    }
  })
})

describe('endUnverified', () => {
  it('ends what has waited too long for its address to be verified, and nothing else', async () => {
    await record(randomUUID(), 'one')
    const statusAfter = async (registration: string, createdBefore: Date) => {
      await db.query('update notification_registrations set status = $1', [registration])
      await endUnverified(db, createdBefore)
      const [row] = await db.query<{ status: string }>('select status from notifications')
      return row?.status
    }
    assert.equal(await statusAfter('VERIFIED', LATER), 'PENDING')
    assert.equal(await statusAfter('UNVERIFIED', AT), 'PENDING')
    assert.equal(await claim(), undefined)
    assert.equal(await statusAfter('UNVERIFIED', LATER), 'DEAD')
    await db.query(`update notification_registrations set status = 'VERIFIED'`)
  })
})

describe('saveAttempts', () => {
  const underWay = async () => {
    await record(randomUUID(), 'one')
    const claimed = (await claim()) ?? assert.fail()
    await db.query('update notifications set tries = 6')
    await db.transaction(async (tx) => restartDelivery(tx, claimed, LATER, ACTOR))
    return { ...claimed, tries: 6 }
  }

  it('keeps a delivery that was started again while its last attempt failed', async () => {
    const claimed = await underWay()
    await save({ claimed, attempts: [FAILED], outcome: { status: 'DEAD', nextAttemptAt: null } })
    const again = await claim(LATER)
    assert.deepEqual([again?.notificationId, again?.tries], [claimed.notificationId, 0])
    assert.deepEqual(await db.query('select status, attempts from notifications'), [
      { status: 'PENDING', attempts: [FAILED] },
    ])
  })

  it('ends one that was started again while it was delivered', async () => {
    const claimed = await underWay()
    await save({ claimed, attempts: [{ ...FAILED, status: 200 }], outcome: DELIVERED })
    assert.equal(await claim(LATER), undefined)
    assert.deepEqual(await db.query('select status from notifications'), [{ status: 'DELIVERED' }])
  })
})
