// Long because each promise of a delivery is tried.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Receiver, startReceiver } from '../../test/fakes/receiver.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import {
  aReceiver,
  aRegistration,
  deliveriesOf,
  feedOf,
  isSignedBy,
  NOTIFICATIONS,
  REGISTRATIONS,
  type ShownDelivery,
} from '../../test/fixtures/webhooks.ts'
import {
  aWorkspace,
  drain,
  FIRM,
  FIRM_ID,
  LENDER,
  LENDER_ID,
  move,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import { setStatus } from '../auth/manage.ts'
import type { SubscriberStatus } from '../auth/store.ts'

// Deliveries as a partner's receiver sees them, on the sandbox's clock.

let service: TestService
before(async () => {
  service = await testService()
})

const BOTH = ['WORKSPACE_CREATED', 'WORKSPACE_PARTICIPANT_ADDED']
const LIFE = [...BOTH, 'WORKSPACE_CANCELLED']
const cancel = (workspaceId: string) =>
  service.call('DELETE', `${WORKSPACES}/${workspaceId}/cancel-workspace`, {
    ...LENDER,
    json: { cancellationReason: 'TITLE_COMPLICATIONS' },
  })
const of = (receiver: Receiver, workspaceId: string) =>
  receiver.received.filter(({ payload }) => payload.data['workspaceId'] === workspaceId)

describe('a delivery', () => {
  it('is the payload of the feed, signed, with ids and no names', async () => {
    const receiver = await aReceiver()
    const registration = await aRegistration(service, receiver.url)
    const { workspaceId } = await aWorkspace(service, { reference: 'REM-77' })
    await drain(service)
    const [one] = receiver.received
    assert.ok(one)
    assert.deepEqual(one.payload.data, { workspaceId, subscriberId: LENDER_ID, reference: 'REM-77' })
    assert.equal(one.payload.type, 'WORKSPACE_CREATED')
    assert.equal(one.id, one.payload.id)
    assert.ok(isSignedBy(registration.sharedSecret, one))
    assert.deepEqual(
      (await feedOf(service, '?limit=100')).records.find(({ id }) => id === one.id),
      one.payload,
    )
    const [delivery] = await deliveriesOf(service, registration)
    assert.partialDeepStrictEqual(delivery, { eventId: one.id, type: 'WORKSPACE_CREATED', status: 'DELIVERED' })
    assert.equal(delivery?.nextAttemptAt, undefined)
    assert.deepEqual(
      delivery?.attempts.map(({ status }) => status),
      [204],
    )
  })

  it('starts by itself within a second or two, without the clock being moved', async () => {
    const receiver = await aReceiver()
    await aRegistration(service, receiver.url)
    await aWorkspace(service)
    await receiver.until(1, 5_000)
  })

  it('goes to the recipients, of the types that were asked for, from the registration on', async () => {
    const [before, lender, firm] = await Promise.all([aReceiver(), aReceiver(), aReceiver()])
    const { workspaceId } = await aWorkspace(service)
    await aRegistration(service, before.url, LIFE, { as: 'sandbox-other-lender' })
    await aRegistration(service, lender.url, ['WORKSPACE_CANCELLED'])
    await aRegistration(service, firm.url, LIFE, { as: 'sandbox-law-firm' })
    await cancel(workspaceId)
    await drain(service)
    assert.deepEqual(
      [before, lender, firm].map(({ received }) => received.map(({ payload }) => payload.type)),
      [[], ['WORKSPACE_CANCELLED'], ['WORKSPACE_CANCELLED']],
    )
    assert.notEqual(firm.received[0]?.payload.data['subscriberId'], LENDER_ID)
  })

  it('has the real time however far the clock was moved, so that receivers do not refuse it', async () => {
    const receiver = await aReceiver()
    await aRegistration(service, receiver.url)
    await move(service, 'P3D')
    await aWorkspace(service)
    await drain(service)
    const sentAt = Number(receiver.received[0]?.headers['webhook-timestamp']) * 1000
    assert.ok(Math.abs(sentAt - Date.now()) < 60_000)
  })
})

const SCHEDULE = [5, 300, 1_800, 7_200, 18_000, 36_000]
const REAL_SECONDS_MAX = 10

describe('an attempt that fails', () => {
  it('is repeated on schedule until the delivery is dead, and then by hand', async () => {
    let isUp = false
    const receiver = await aReceiver(() => (isUp ? {} : { status: 503, body: 'x'.repeat(3_000) }))
    const registration = await aRegistration(service, receiver.url)
    await aWorkspace(service)
    const began = performance.now()
    await drain(service)
    const [waiting] = await deliveriesOf(service, registration)
    assert.ok(waiting?.nextAttemptAt)
    await move(service, 'P1D')
    assert.ok(performance.now() - began < REAL_SECONDS_MAX * 1000, 'in seconds of real time')

    const [dead] = await deliveriesOf(service, registration)
    assert.deepEqual([dead?.status, dead?.nextAttemptAt], ['DEAD', undefined])
    // The clock also runs while the test does.
    const late = secondsBetween(dead).map((seconds, index) => seconds - (SCHEDULE[index] ?? Number.NaN))
    assert.equal(late.length, SCHEDULE.length)
    assert.ok(
      late.every((seconds) => seconds >= 0 && seconds < REAL_SECONDS_MAX),
      String(late),
    )
    assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1, 'always the same webhook-id')
    const [first] = dead?.attempts ?? []
    assert.deepEqual([first?.status, first?.response, first?.error], [503, 'x'.repeat(1_024), undefined])

    isUp = true
    const retried = await service.call<ShownDelivery>('POST', `${NOTIFICATIONS}/${dead?.notificationId}/retry`, LENDER)
    assert.deepEqual([retried.status, retried.body.status], [202, 'PENDING'])
    await drain(service)
    const [done] = await deliveriesOf(service, registration)
    assert.deepEqual([done?.status, done?.attempts.length, receiver.received.length], ['DELIVERED', 8, 8])
  })

  it('may be no answer at all: a redirect is not followed, a silent receiver is given 5 seconds', async () => {
    const canary = await aReceiver()
    const redirecting = await aReceiver(() => ({ status: 307, headers: { location: canary.url } }))
    const silent = await aReceiver(() => ({ afterMs: 20_000 }))
    const gone = await startReceiver()
    await gone.stop()
    const made = []
    for (const { url } of [redirecting, silent, gone]) made.push(await aRegistration(service, url))
    await aWorkspace(service)
    await drain(service)
    const attempts = await Promise.all(
      made.map(async (registration) => (await deliveriesOf(service, registration))[0]?.attempts[0]),
    )
    assert.deepEqual(
      attempts.map((attempt) => attempt?.status ?? attempt?.error),
      [307, 'The receiver did not answer within 5 seconds.', 'The connection was refused.'],
    )
    assert.ok((attempts[1]?.durationMs ?? 0) >= 4_900)
    assert.equal(canary.connections(), 0)
    for (const { registrationId } of made) await service.call('DELETE', `${REGISTRATIONS}/${registrationId}`, LENDER)
  })
})

describe('order', () => {
  it('is kept within a workspace: the next waits until the one before is delivered or dead, others do not', async () => {
    let blocked = ''
    const receiver = await aReceiver(({ payload }) =>
      payload.data['workspaceId'] === blocked && payload.type === 'WORKSPACE_CREATED' ? { status: 500 } : {},
    )
    const registration = await aRegistration(service, receiver.url, LIFE)
    const one = await aWorkspace(service)
    blocked = one.workspaceId
    await cancel(one.workspaceId)
    const other = await aWorkspace(service)
    await drain(service)
    assert.deepEqual([of(receiver, one.workspaceId).length, of(receiver, other.workspaceId).length], [1, 2])
    const waiting = (await deliveriesOf(service, registration)).slice(1, 3)
    assert.deepEqual(
      waiting.map(({ status, attempts }) => [status, attempts.length]),
      [
        ['PENDING', 0],
        ['PENDING', 0],
      ],
    )
    await move(service, 'P1D')
    const types = of(receiver, one.workspaceId).map(({ payload }) => payload.type)
    assert.deepEqual(types, [...Array(7).fill('WORKSPACE_CREATED'), ...LIFE.slice(1)])
  })

  it('is not lost when one that waits is retried by hand before its first', async () => {
    let isUp = false
    const receiver = await aReceiver(() => (isUp ? {} : { status: 500 }))
    const registration = await aRegistration(service, receiver.url, BOTH)
    await aWorkspace(service)
    await drain(service)
    const second = (await deliveriesOf(service, registration))[1]
    await service.call('POST', `${NOTIFICATIONS}/${second?.notificationId}/retry`, LENDER)
    await drain(service)
    assert.equal(receiver.received.length, 1)
    isUp = true
    await move(service, 'PT5S')
    assert.deepEqual(
      receiver.received.map(({ payload }) => payload.type),
      ['WORKSPACE_CREATED', ...BOTH],
    )
  })
})

describe('a subscriber who is suspended', () => {
  const put = (status: SubscriberStatus) =>
    service.deps.db.transaction((tx) => setStatus(tx, FIRM_ID, status, { correlationId: 'operator', at: new Date() }))

  it('is sent nothing until it is resumed, and then all that waited, in order', async () => {
    let isUp = false
    const receiver = await aReceiver(() => (isUp ? {} : { status: 500 }))
    const registration = await aRegistration(service, receiver.url, LIFE, FIRM)
    const { workspaceId } = await aWorkspace(service)
    await drain(service)
    assert.equal(receiver.received.length, 1)
    await put('SUSPENDED')
    isUp = true
    await cancel(workspaceId)
    await move(service, 'P2D')
    assert.equal(receiver.received.length, 1)
    await put('ACTIVE')
    await drain(service)
    const types = receiver.received.map(({ payload }) => payload.type)
    assert.deepEqual(types, ['WORKSPACE_CREATED', ...LIFE])
    const attempts = (await deliveriesOf(service, registration, FIRM)).map(({ attempts }) => attempts.length)
    assert.deepEqual(attempts, [2, 1, 1])
  })
})

describe('a receiver that is slow', () => {
  it('delays nobody else', async () => {
    const quickHasAll = Promise.withResolvers<void>()
    const slow = await aReceiver(async () => {
      await quickHasAll.promise
      return {}
    })
    const quick = await aReceiver()
    const { registrationId } = await aRegistration(service, slow.url)
    await aRegistration(service, quick.url)
    for (let n = 0; n < 30; n++) await aWorkspace(service)
    await quick.until(30, 60_000)
    quickHasAll.resolve()
    await service.call('DELETE', `${REGISTRATIONS}/${registrationId}`, LENDER)
    await drain(service)
  })
})

const secondsBetween = (delivery: ShownDelivery | undefined): number[] => {
  const times = delivery?.attempts.map(({ at }) => Date.parse(at)) ?? []
  return times.slice(1).map((at, index) => Math.round((at - (times[index] ?? 0)) / 1000))
}
