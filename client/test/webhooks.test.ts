import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { signedHeaders } from '../../server/src/notifications/sign.ts'
import {
  answerTo,
  type Delivery,
  signWebhook,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
} from '../src/webhooks.ts'

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const SECRET = newSecret()
const EVENT = {
  id: '7c0f0b52-97a4-4f02-8a55-8b7b0f7d4c11',
  type: 'WORKSPACE_CREATED',
  timestamp: '2026-03-14T09:30:00.000Z',
  data: { workspaceId: 'ce4c1f0a-7d9b-4c55-9b1f-0f6f3f0f8a11', reference: 'Müller & Söhne' },
}
const BODY = JSON.stringify(EVENT)
const ID = 'msg-1'

/** As another library signs it. */
function delivery(change: Partial<Delivery> & { sentAt?: Date; signedBy?: string[] } = {}): Delivery {
  const { sentAt = new Date(), signedBy = [SECRET], ...rest } = change
  const signature = signedBy.map((secret) => new Webhook(secret).sign(ID, sentAt, BODY)).join(' ')
  const seconds = String(Math.floor(sentAt.getTime() / 1_000))
  const headers = { 'webhook-id': ID, 'webhook-timestamp': seconds, 'webhook-signature': signature }
  return { secret: SECRET, headers, body: BODY, ...rest }
}

const mistakeOf = (one: Delivery): WebhookError => {
  try {
    verifyWebhook(one)
  } catch (error) {
    assert.ok(error instanceof WebhookError)
    return error
  }
  return assert.fail('it was believed')
}

describe('signWebhook', () => {
  it('signs as another library and as the service do', () => {
    const sentAt = new Date('2026-03-14T09:30:00.900Z')
    const signable = { secret: SECRET, id: ID, body: BODY, sentAt }
    assert.deepEqual(signWebhook(signable), delivery({ sentAt }).headers)
    assert.deepEqual(signWebhook(signable), signedHeaders([SECRET], { id: ID, body: BODY, sentAt }))
    assert.throws(() => signWebhook({ ...signable, secret: 'whsec_short' }), WebhookError)
  })
})

describe('verifyWebhook', () => {
  it('returns the event of a signed delivery', () => {
    const event = verifyWebhook(delivery())
    assert.deepEqual(event, EVENT)
    if (event.type === 'WORKSPACE_CREATED') assert.equal(event.data.workspaceId, EVENT.data.workspaceId)
  })

  it('accepts headers and body in every form', () => {
    const { headers, ...rest } = delivery()
    const plain = headers as Record<string, string>
    const upper = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toUpperCase(), [value]]))
    for (const form of [plain, new Headers(plain), upper]) assert.ok(verifyWebhook({ ...rest, headers: form }))
    for (const body of [Buffer.from(BODY), new TextEncoder().encode(BODY)]) assert.ok(verifyWebhook(delivery({ body })))
  })

  it('accepts either secret during a rotation, on either side', () => {
    const other = newSecret()
    assert.ok(verifyWebhook(delivery({ secret: [other, SECRET] })))
    assert.ok(verifyWebhook(delivery({ signedBy: [other, SECRET] })))
  })
})

describe('answerTo', () => {
  it('returns the value of a challenge, and an empty string for any other event', () => {
    const data = { subscriberId: EVENT.id, registrationId: EVENT.id, challenge: 'abc' }
    assert.equal(answerTo({ ...EVENT, type: 'CHALLENGE', data }), 'abc')
    assert.equal(answerTo(EVENT as WebhookEvent), '')
  })
})

describe('the mistakes that it names', () => {
  const cases: [string, Delivery, string, RegExp][] = [
    [
      'a secret without its prefix',
      delivery({ secret: SECRET.slice(6) }),
      'secret-without-prefix',
      /start with whsec_/,
    ],
    ['a secret pasted behind its prefix', delivery({ secret: `whsec_${SECRET}` }), 'secret-prefix-doubled', /twice/],
    ['a secret with a line end', delivery({ secret: `${SECRET}\n` }), 'secret-malformed', /white space/],
    ['a secret in quotes', delivery({ secret: `"${SECRET}"` }), 'secret-malformed', /quotes/],
    ['a secret that is not base64', delivery({ secret: 'whsec_not*base64' }), 'secret-malformed', /base64/],
    ['a secret that was cut', delivery({ secret: SECRET.slice(0, 22) }), 'secret-malformed', /12 bytes.*cut/],
    ['no secret', delivery({ secret: '' }), 'secret-malformed', /missing/],
    [
      'headers that are missing',
      delivery({ headers: { 'webhook-id': '1' } }),
      'header-missing',
      /webhook-timestamp, webhook-signature/,
    ],
    ['a body that was parsed', delivery({ body: EVENT as never }), 'body-parsed', /raw body/],
    [
      'a body that was serialised again',
      delivery({ body: JSON.stringify(EVENT, null, 2) }),
      'body-changed',
      /parsed and serialised again/,
    ],
    ['a body with a line end', delivery({ body: `${BODY}\n` }), 'body-changed', /white space/],
    ['another secret', delivery({ secret: newSecret() }), 'signature-mismatch', /secret of this registration/],
    ['a changed body', delivery({ body: BODY.replace('CREATED', 'CLOSED') }), 'signature-mismatch', /another secret/],
    ['a body in another order', delivery({ body: `{ "type": "X" }` }), 'signature-mismatch', /serialised again\?/],
    ['a clock that is fast', delivery({ sentAt: new Date(Date.now() - 420_000) }), 'too-old', /42\d s.*clock is fast/],
    [
      'a clock that is slow',
      delivery({ sentAt: new Date(Date.now() + 420_000) }),
      'too-new',
      /4[12]\d s.*clock is slow/,
    ],
  ]
  for (const [name, one, mistake, message] of cases) {
    it(name, () => {
      const error = mistakeOf(one)
      assert.equal(error.mistake, mistake)
      assert.match(error.message, message)
      assert.ok(!error.message.includes(SECRET.slice(8, 20)), 'it shows nothing of the secret')
    })
  }

  it('malformed headers', () => {
    const { headers, ...rest } = delivery()
    const plain = headers as Record<string, string>
    for (const wrong of [{ 'webhook-timestamp': '2026-03-14' }, { 'webhook-signature': 'v2,abc' }]) {
      assert.equal(mistakeOf({ ...rest, headers: { ...plain, ...wrong } }).mistake, 'header-malformed')
    }
  })

  it('a signed body that is not an event', () => {
    const sentAt = new Date()
    const seconds = Math.floor(sentAt.getTime() / 1_000)
    const key = Buffer.from(SECRET.slice(6), 'base64')
    const signature = createHmac('sha256', key).update(`${ID}.${seconds}.[`).digest('base64')
    const headers = { 'webhook-id': ID, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
    assert.equal(mistakeOf({ secret: SECRET, headers, body: '[' }).mistake, 'not-json')
  })

  it('allows five minutes, or the given tolerance', () => {
    const sentAt = new Date('2026-03-14T09:30:00Z')
    const at = (seconds: number) => new Date(sentAt.getTime() + seconds * 1_000)
    assert.ok(verifyWebhook(delivery({ sentAt, now: at(300) })))
    assert.equal(mistakeOf(delivery({ sentAt, now: at(301) })).mistake, 'too-old')
    assert.equal(mistakeOf(delivery({ sentAt, now: at(11), toleranceSeconds: 10 })).mistake, 'too-old')
  })
})
