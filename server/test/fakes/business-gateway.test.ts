import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Agent, request } from 'undici'
import { startControlServer } from './business-gateway/control-server.ts'
import { theStandIn } from './business-gateway.fixture.ts'

const ACKNOWLEDGE = { method: 'POST', body: { data: ['3fa85f64-5717-4562-b3fc-2c963f66afa6'] } }

const { gateway, client } = await theStandIn()

describe('the stand-in gateway: who may connect, and what can go wrong', () => {
  const withCertificate = async (connect: object): Promise<number> => {
    const dispatcher = new Agent({ connect })
    const { username = '', password = '' } = gateway.accounts[0] ?? {}
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    try {
      const got = await request(`${gateway.restUrl}/v1/notifications`, { dispatcher, headers: { authorization } })
      await got.body.dump()
      return got.statusCode
    } finally {
      await dispatcher.destroy()
    }
  }

  it('needs a client certificate of its own authority that has not ended', async () => {
    const { ca, clientCert: cert, clientKey: key } = gateway
    assert.equal(await withCertificate({ ca, cert, key }), 200)
    await assert.rejects(withCertificate({ ca }))
    const stranger = await gateway.issueStranger()
    await assert.rejects(withCertificate({ ca, cert: stranger.cert, key: stranger.key }))
    await assert.rejects(withCertificate({ ca: stranger.ca, cert, key }))
    await assert.rejects(withCertificate({ ca, ...(await gateway.issueClient(-1)) }))
    await assert.rejects(withCertificate({ cert, key }), 'the client does not trust the gateway without its authority')
  })

  it('needs the credentials of an account', async () => {
    const refused = await client.rest('/v1/notifications', { headers: { authorization: 'Basic eDp5' } })
    assert.equal(refused.status, 401)
    assert.equal(refused.headers['www-authenticate'], 'Basic realm="Business Gateway"')
    assert.equal(refused.json.status, 401)
  })

  it('answers an unknown path with 404 and a wrong method with 405', async () => {
    assert.equal((await client.rest('/v1/nothing')).status, 404)
    assert.equal((await client.rest('/v2/applications')).status, 405)
  })

  it('is closed until a time, with 423', async () => {
    gateway.control.close(new Date(gateway.control.now().getTime() + 3_600_000))
    assert.equal((await client.rest('/v1/notifications')).status, 423)
    gateway.control.advance(3_600_001)
    assert.equal((await client.rest('/v1/notifications')).status, 200)
  })

  it('limits the rate, and says how long to wait', async () => {
    gateway.control.limit(1, 60)
    assert.equal((await client.rest('/v1/notifications')).status, 200)
    const refused = await client.rest('/v1/notifications')
    assert.equal(refused.status, 429)
    assert.equal(refused.headers['retry-after'], '60')
    gateway.control.advance(60_000)
    assert.equal((await client.rest('/v1/notifications')).status, 200)
  })

  it('drops, fails, cuts and garbles answers, each so often as asked', async () => {
    const { control } = gateway
    control.fail({ method: 'POST', every: 2, effect: { kind: 'drop', when: 'after' } })
    assert.equal((await client.rest('/v1/notifications/acknowledge', ACKNOWLEDGE)).status, 200)
    await assert.rejects(client.rest('/v1/notifications/acknowledge', ACKNOWLEDGE))
    assert.equal(control.requests.at(-1)?.isAnswerLost, true)
    assert.equal(control.requests.at(-1)?.status, 200, 'it had acted')
    control.behave()

    control.fail({ times: 1, effect: { kind: 'drop', when: 'before' } })
    await assert.rejects(client.rest('/v1/notifications'))
    assert.equal((await client.rest('/v1/notifications')).status, 200)
    control.fail({ times: 1, effect: { kind: 'error', when: 'before', status: 503, retryAfterSeconds: 5 } })
    const failed = await client.rest('/v1/notifications')
    assert.deepEqual([failed.status, failed.headers['retry-after']], [503, '5'])
    control.fail({ times: 1, effect: { kind: 'cut' } })
    await assert.rejects(client.rest('/v1/notifications'))
    control.fail({ times: 1, effect: { kind: 'garble' } })
    assert.match((await client.rest('/v1/notifications')).text, /^<html>/)
    const end = control.fail({ effect: { kind: 'delay', ms: 30 } })
    const from = performance.now()
    await client.rest('/v1/notifications')
    assert.ok(performance.now() - from >= 29)
    end()
  })

  it('is controlled by HTTP when it runs by hand', async () => {
    const server = await startControlServer(gateway.control, 0)
    const post = async (command: string, input: object) => {
      const sent = {
        method: 'POST' as const,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input),
      }
      const { statusCode, body } = await request(`${server.url}/${command}`, sent)
      await body.dump()
      return statusCode
    }
    assert.equal(
      await post('fail', { path: 'notifications', effect: { kind: 'error', when: 'before', status: 500 } }),
      200,
    )
    assert.equal((await client.rest('/v1/notifications')).status, 500)
    assert.equal(await post('behave', {}), 200)
    assert.equal(await post('limit', { requests: 0 }), 200)
    assert.equal((await client.rest('/v1/notifications')).status, 429)
    assert.equal(await post('unknown', {}), 404)
    await server.close()
  })

  it('can use the clock of the service under test', async () => {
    gateway.control.useClock(() => new Date('2026-05-01T09:00:00Z'))
    assert.equal(gateway.control.now().toISOString(), '2026-05-01T09:00:00.000Z')
    gateway.control.useClock(() => new Date())
  })
})
