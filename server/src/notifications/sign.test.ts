import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newSharedSecret, signedHeaders } from './sign.ts'

const BODY = '{"id":"1","type":"TEST","data":{"reference":"Ünïcode 🏠"}}'
const message = { id: '6b2c4a1e', body: BODY, sentAt: new Date() }

describe('signedHeaders', () => {
  it('is verified by the library of Standard Webhooks', () => {
    const secret = newSharedSecret()
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(new Webhook(secret).verify(BODY, signedHeaders([secret], message)), JSON.parse(BODY))
  })

  it('signs as the library does', () => {
    const secret = newSharedSecret()
    const { id, body, sentAt } = message
    assert.equal(signedHeaders([secret], message)['webhook-signature'], new Webhook(secret).sign(id, sentAt, body))
  })

  it('lets a receiver verify with either of two secrets, and with no third', () => {
    const [one, other, third] = [newSharedSecret(), newSharedSecret(), newSharedSecret()]
    const headers = signedHeaders([one, other], message)
    for (const secret of [one, other]) new Webhook(secret).verify(BODY, headers)
    assert.throws(() => new Webhook(third).verify(BODY, headers))
  })

  it('is not verified when the body, the id or the time was changed', () => {
    const secret = newSharedSecret()
    const headers = signedHeaders([secret], message)
    const webhook = new Webhook(secret)
    assert.throws(() => webhook.verify(`${BODY} `, headers))
    assert.throws(() => webhook.verify(BODY, { ...headers, 'webhook-id': 'another' }))
    const later = String(Number(headers['webhook-timestamp']) + 1)
    assert.throws(() => webhook.verify(BODY, { ...headers, 'webhook-timestamp': later }))
  })
})
