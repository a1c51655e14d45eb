import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type TestService, testService, withoutNights } from '../../test/fixtures/service.ts'
import {
  aReceiver,
  aRegistration,
  feedOf,
  isSignedBy,
  REGISTRATIONS,
  type ShownDelivery,
} from '../../test/fixtures/webhooks.ts'
import { aWorkspace, drain, LENDER, LENDER_ID, move } from '../../test/fixtures/workspaces.ts'

// What signs deliveries, as a partner's receiver sees it.

let service: TestService
before(async () => {
  service = await withoutNights(await testService())
})

const aheadMs = async (): Promise<number> => {
  const { body } = await service.call('GET', '/sandbox/v1/clock')
  return Date.parse(String(body['now'])) - Date.now()
}
const secretsRotated = async (registrationId: string): Promise<string> => {
  const { body } = await service.call('POST', `${REGISTRATIONS}/${registrationId}/secret-rotation`, LENDER)
  return String(body['sharedSecret'])
}

describe('a shared secret', () => {
  it('signs beside the new one for 24 hours after a rotation, and no longer', async () => {
    const receiver = await aReceiver()
    const { registrationId, sharedSecret } = await aRegistration(service, receiver.url)
    const newer = await secretsRotated(registrationId)
    const signers = async () => {
      await aWorkspace(service)
      await drain(service)
      const last = receiver.received.at(-1)
      assert.ok(last)
      return [sharedSecret, newer].map((secret) => isSignedBy(secret, last))
    }
    assert.deepEqual(await signers(), [true, true])
    await move(service, 'PT23H')
    assert.deepEqual(await signers(), [true, true])
    await move(service, 'PT1H')
    assert.deepEqual(await signers(), [false, true])
  })

  it('is said to expire 30, 7 and 1 days before, goes on signing after, and is new when rotated', async () => {
    const receiver = await aReceiver()
    const registration = await aRegistration(service, receiver.url, ['SECRET_EXPIRY', 'WORKSPACE_CREATED'])
    const { registrationId, sharedSecretExpiry: expiresAt } = registration
    const mine = () => receiver.received.filter(({ payload }) => payload.data['registrationId'] === registrationId)
    await move(service, 'P366D')
    const reminders = mine().map(({ payload }) => payload)
    const daysBefore = reminders.map(({ timestamp }) => (Date.parse(expiresAt) - Date.parse(timestamp)) / 86_400_000)
    assert.deepEqual(daysBefore.map(Math.round), [30, 7, 1])
    assert.deepEqual(reminders[0]?.data, { subscriberId: LENDER_ID, registrationId, expiresAt })
    await aWorkspace(service)
    await drain(service)
    const last = receiver.received.at(-1)
    assert.ok(last && isSignedBy(registration.sharedSecret, last))
    const rotatedAt = Date.now() + (await aheadMs())
    await secretsRotated(registrationId)
    const [planned] = await service.deps.db.query<{ at: Date }>('select due_at as at from due where key = $1', [
      `notifications.expiry:${registrationId}`,
    ])
    assert.equal(Math.round(((planned?.at.getTime() ?? 0) - rotatedAt) / 86_400_000), 335)
  })
})

describe('a test', () => {
  it('is signed and sent at once, whatever else waits', async () => {
    const receiver = await aReceiver(({ payload }) => (payload.type === 'TEST' ? {} : { status: 500 }))
    const registration = await aRegistration(service, receiver.url)
    const { registrationId, sharedSecret } = registration
    await aWorkspace(service)
    await drain(service)
    const path = `${REGISTRATIONS}/${registrationId}/test`
    const { status, body } = await service.call<ShownDelivery>('POST', path, LENDER)
    assert.deepEqual([status, body.type, body.status, body.attempts], [202, 'TEST', 'PENDING', []])
    await drain(service)
    const sent = receiver.received.find(({ payload }) => payload.type === 'TEST')
    assert.ok(sent && isSignedBy(sharedSecret, sent))
    assert.deepEqual([sent.id, sent.payload.data], [body.eventId, { subscriberId: LENDER_ID, registrationId }])
    assert.ok(!(await feedOf(service, '?limit=100')).records.some(({ id }) => id === body.eventId))
  })
})
