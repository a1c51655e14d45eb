import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { recordEvent } from '../events/record.ts'
import { type Db, openDb, type Transaction } from '../platform/database/db.ts'
import { openVault } from '../platform/vault.ts'
import { type Attempted, claimDeliveries, findLeft, restartDelivery, saveAttempts } from './deliveries.ts'
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
  const rest = { webhookURI: 'https://x.example/', sharedSecretExpiry: AT, createdAt: AT }
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

const write = (tx: Transaction, workspaceId: string, reference: string) =>
  recordEvent(tx, { type: 'WORKSPACE_CREATED', workspaceId, told: [SUBSCRIBER], reference }, ACTOR)
const record = (workspaceId: string, reference: string) =>
  db.transaction(async (tx) => write(tx, workspaceId, reference))
const claim = async (now = AT) => (await db.transaction((tx) => claimDeliveries(tx, REGISTRATION, now, 1)))[0]
const save = (one: Attempted) => db.transaction(async (tx) => saveAttempts(tx, REGISTRATION, [one]))
const referenceOf = (claimed: Awaited<ReturnType<typeof claim>>) => claimed?.event.data['reference']

describe('recordEvent', () => {
  it('wakes the sender of a lane once, and not before the commit can be seen', async () => {
    const workspaceId = randomUUID()
    await record(workspaceId, 'first')
    const takeable = () => db.query('select due_id from due for update skip locked')
    assert.equal((await takeable()).length, 1)
    await db.transaction(async (tx) => {
      write(tx, workspaceId, 'second')
      await tx.query('select 1')
      assert.deepEqual(await takeable(), [], 'taken now, it would find only the first')
    })
    assert.equal((await takeable()).length, 1)
  })
})

describe('claimDeliveries', () => {
  it('gives each to one of many who ask at once, the first of every lane only', async () => {
    const workspaces = Array.from({ length: 12 }, () => randomUUID())
    for (const workspaceId of workspaces) for (const turn of ['1', '2']) await record(workspaceId, turn)
    const claimed = (await Promise.all(Array.from({ length: 30 }, () => claim()))).filter((one) => one !== undefined)
    assert.equal(new Set(claimed.map(({ lane }) => lane)).size, claimed.length)
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

  it('lets a lane wait for its first, and go on when that is delivered', async () => {
    const [slow, other] = [randomUUID(), randomUUID()]
    for (const reference of ['first', 'second', 'third']) await record(slow, reference)
    const first = (await claim()) ?? assert.fail()
    await save({ claimed: first, attempt: FAILED, outcome: outcomeOf(FAILED, 1, AT) })
    await record(slow, 'fourth')
    await record(other, 'of another workspace')
    assert.equal(referenceOf(await claim(LATER)), 'of another workspace')
    assert.equal(await claim(LATER), undefined)

    const later = new Date(AT.getTime() + 5_000)
    for (const reference of ['first', 'second', 'third', 'fourth']) {
      const claimed = (await claim(later)) ?? assert.fail(reference)
      assert.equal(referenceOf(claimed), reference)
      await save({ claimed, attempt: { ...FAILED, status: 200 }, outcome: DELIVERED })
    }
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

  it('keeps a delivery that was begun anew while its last attempt failed', async () => {
    const claimed = await underWay()
    await save({ claimed, attempt: FAILED, outcome: { status: 'DEAD', nextAttemptAt: null } })
    const again = await claim(LATER)
    assert.deepEqual([again?.notificationId, again?.tries], [claimed.notificationId, 0])
    assert.deepEqual(await db.query('select status, attempts from notifications'), [
      { status: 'PENDING', attempts: [FAILED] },
    ])
  })

  it('is done with one that was begun anew while it was delivered', async () => {
    const claimed = await underWay()
    await save({ claimed, attempt: { ...FAILED, status: 200 }, outcome: DELIVERED })
    assert.equal(await claim(LATER), undefined)
    assert.deepEqual(await db.query('select status from notifications'), [{ status: 'DELIVERED' }])
  })
})
