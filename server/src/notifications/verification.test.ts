import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Received } from '../../test/fakes/receiver.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import {
  aReceiver,
  aRegistration,
  deliveriesOf,
  isSignedBy,
  NOTIFICATIONS,
  REGISTRATIONS,
  type ShownDelivery,
  type ShownRegistration,
} from '../../test/fixtures/webhooks.ts'
import { auditOf, aWorkspace, drain, FIRM, LENDER, LENDER_ID, move } from '../../test/fixtures/workspaces.ts'

// In the sandbox an address of this machine needs no proof, so tests take it away from a registration.

const NOWHERE = 'https://hooks.invalid/'
const TYPES = ['WORKSPACE_CREATED', 'WORKSPACE_PARTICIPANT_ADDED']

let service: TestService
before(async () => {
  service = await testService()
})

async function anUnverified(url: string, types = TYPES, as = LENDER): Promise<ShownRegistration> {
  const made = await aRegistration(service, url, types, as)
  assert.equal(made.status, 'VERIFIED')
  await service.deps.db.query(
    `update notification_registrations set status = 'UNVERIFIED' where registration_id = $1`,
    [made.registrationId],
  )
  return made
}
const pathOf = ({ registrationId }: { registrationId: string }) => `${REGISTRATIONS}/${registrationId}`
const statusOf = async (made: ShownRegistration) =>
  (await service.call<ShownRegistration>('GET', pathOf(made), LENDER)).body.status
const sendTest = (made: ShownRegistration, as = LENDER) =>
  service.call<ShownDelivery>('POST', `${pathOf(made)}/test`, as)
const put = (made: ShownRegistration, webhookURI: string) =>
  service.call<ShownRegistration>('PUT', pathOf(made), { ...LENDER, json: { webhookURI, eventTypes: TYPES } })
const answerOf = ({ payload }: Received) => ({ status: 200, body: `${payload.data['challenge'] ?? ''}\n` })
const typesOf = (received: readonly Received[]) => received.map(({ payload }) => payload.type)

describe('an address that is not verified', () => {
  it('gets challenges and nothing else, and when it answers one, all that waited, in order', async () => {
    let knows = false
    const receiver = await aReceiver((one) => (knows ? answerOf(one) : { status: 200, body: 'welcome' }))
    const made = await anUnverified(receiver.url)
    await aWorkspace(service)
    await drain(service)
    assert.equal(receiver.received.length, 0)

    const { status, body } = await sendTest(made)
    assert.deepEqual([status, body.type], [202, 'CHALLENGE'])
    await drain(service)
    const [challenge] = receiver.received
    assert.ok(challenge && isSignedBy(made.sharedSecret, challenge))
    assert.deepEqual(Object.keys(challenge.payload.data).sort(), ['challenge', 'registrationId', 'subscriberId'])
    assert.match(challenge.payload.data['challenge'] ?? '', /^[\w-]{43}$/)
    const failed = (await deliveriesOf(service, made)).find(({ type }) => type === 'CHALLENGE')
    assert.equal(failed?.status, 'PENDING')
    assert.match(failed?.attempts[0]?.error ?? '', /must be a 2xx whose whole body is/)
    assert.equal(await statusOf(made), 'UNVERIFIED')

    knows = true
    await move(service, 'PT5S')
    assert.equal(await statusOf(made), 'VERIFIED')
    assert.deepEqual(typesOf(receiver.received), ['CHALLENGE', 'CHALLENGE', ...TYPES])
    assert.equal(receiver.received[1]?.body, challenge.body, 'repeated as it was')
    const entry = (await auditOf(service, LENDER_ID)).find(({ action }) => action === 'webhook verified')
    assert.partialDeepStrictEqual(entry, { ids: { registrationId: made.registrationId } })
    assert.equal((await sendTest(made)).body.type, 'TEST')
  })

  it('is sent one challenge at a time: a new one ends the one before', async () => {
    const receiver = await aReceiver(() => ({ status: 500 }))
    const made = await anUnverified(receiver.url)
    for (let n = 0; n < 3; n++) await sendTest(made)
    const states = (await deliveriesOf(service, made)).map(({ type, status }) => `${type} ${status}`)
    assert.deepEqual(states, ['CHALLENGE DEAD', 'CHALLENGE DEAD', 'CHALLENGE PENDING'])
  })

  it('does not pass by the answer of the address before it', async () => {
    const receiver = await aReceiver(async (one) => {
      if (one.payload.type === 'CHALLENGE') await put(made, NOWHERE)
      return answerOf(one)
    })
    const made = await anUnverified(receiver.url)
    await sendTest(made)
    await receiver.until(1)
    await drain(service)
    assert.equal(await statusOf(made), 'UNVERIFIED')
  })

  it('is any that is not of this machine, on registration and when it is changed', async () => {
    const made = await aRegistration(service, NOWHERE)
    assert.equal(made.status, 'UNVERIFIED')
    const challenges = async () => (await deliveriesOf(service, made)).map(({ type, status }) => `${type} ${status}`)
    assert.deepEqual(await challenges(), ['CHALLENGE PENDING'])
    assert.equal((await put(made, NOWHERE)).body.status, 'UNVERIFIED')
    assert.deepEqual(await challenges(), ['CHALLENGE PENDING'], 'no other for the same address')
    assert.equal((await put(made, `${NOWHERE}other`)).body.status, 'UNVERIFIED')
    assert.deepEqual(await challenges(), ['CHALLENGE DEAD', 'CHALLENGE PENDING'])
    assert.equal((await put(made, 'http://127.0.0.1:1/')).body.status, 'VERIFIED')
    assert.deepEqual(await challenges(), ['CHALLENGE DEAD', 'CHALLENGE DEAD'])
    assert.equal((await put(made, NOWHERE)).body.status, 'UNVERIFIED', 'also where one was verified')
  })
})

describe('a registration of version 1.0.0', () => {
  it('is verified', async () => {
    const [column] = await service.deps.db.query(
      `select column_default as value from information_schema.columns
        where table_name = 'notification_registrations' and column_name = 'status'`,
    )
    assert.deepEqual(column, { value: `'VERIFIED'::text` })
  })
})

describe('tests and challenges', () => {
  it('429 after 20 in a minute, whichever request sends them', async () => {
    const receiver = await aReceiver()
    const made = await anUnverified(receiver.url, TYPES, FIRM)
    const [first] = await Promise.all(Array.from({ length: 20 }, () => sendTest(made, FIRM)))
    assert.equal(first?.status, 202)
    const json = { webhookURI: NOWHERE, eventTypes: TYPES }
    for (const refused of [
      await sendTest(made, FIRM),
      await service.call('POST', REGISTRATIONS, { ...FIRM, json }),
      await service.call('PUT', pathOf(made), { ...FIRM, json }),
      await service.call('POST', `${NOTIFICATIONS}/${first?.body.notificationId}/retry`, FIRM),
    ]) {
      assert.equal(refused.status, 429, refused.text)
      assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    }
  })
})
