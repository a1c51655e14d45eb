import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PERSONAL_KEYS } from '../../personal-data.ts'
import { createApp } from '../http/http.ts'
import { createLogger } from './log.ts'

const SECRET = 'S3cr3tValue'

describe('createLogger', () => {
  it('writes one JSON object to a line, with an ISO time, the level by name and the service', () => {
    const { log, lines } = aLogger()
    log.info({ jobs: 3 }, 'ready')
    const [line] = lines()
    assert.match(String(line?.['time']), /^\d{4}-\d\d-\d\dT.*Z$/)
    assert.partialDeepStrictEqual(line, { level: 'info', service: 'lodgeway', jobs: 3, msg: 'ready' })
  })

  it('shows what an operator needs', () => {
    const { log, lines } = aLogger()
    const facts = {
      job: 'audit.seal',
      workspaceId: 'w-1',
      clientId: 'c-1',
      durationMs: 12,
      at: new Date(0),
      none: null,
    }
    log.warn({ ...facts, nested: { list: [1, { name: 'kept' }] } }, 'slow')
    const shown = { ...facts, at: '1970-01-01T00:00:00.000Z', nested: { list: [1, { name: 'kept' }] } }
    assert.partialDeepStrictEqual(lines()[0], shown)
  })

  for (const key of [
    ...['authorization', 'Cookie', 'client_secret', 'clientSecret', 'secret', 'sharedSecret', 'password', 'token'],
    ...['access_token', 'forenames', 'surname', 'organisationName', 'email', 'approvedBy', 'X-Acting-User', 'address'],
    ...['securityAddress', 'accountNumber', 'sortCode', 'bankAccount', 'partyDetails', 'SECRET_PEPPER', 'fileName'],
  ]) {
    it(`shows no ${key}, at any depth`, () => {
      const { log, text } = aLogger()
      log.info({ [key]: SECRET })
      log.info({ a: { b: [{ c: { [key]: { value: SECRET } } }] } })
      log.info({ a: { b: { c: { d: { e: { f: { g: SECRET } } } } } } })
      assert.ok(!text().includes(SECRET), text())
    })
  }

  it('shows no secret in the middle of a text', () => {
    const { log, text } = aLogger()
    const token = `eyJhbGciOiJFZERTQSJ9.eyJ${SECRET}.${SECRET}`
    log.info(`cannot reach postgres://owner:${SECRET}@s@db.example:5432/lodgeway`)
    log.info({
      header: `Bearer ${token}`,
      basic: `Basic ${SECRET}==`,
      url: new URL(`https://u:${SECRET}@example.com/`),
    })
    log.info(`${token} of ${SECRET}@example.com signed with whsec_${SECRET}`)
    assert.ok(!text().includes(SECRET), text())
    assert.ok(text().includes('@db.example:5432/lodgeway'))
  })

  it('shows an error without the row that PostgreSQL quotes', () => {
    const { log, text, lines } = aLogger()
    const error = Object.assign(new Error('duplicate key value violates unique constraint "clients_pkey"'), {
      code: '23505',
      constraint: 'clients_pkey',
      detail: `Key (client_id)=(${SECRET}) already exists.`,
      where: SECRET,
      parameters: [SECRET],
      internalQuery: SECRET,
    })
    const refused = Object.assign(new Error(`invalid input syntax for type uuid: "${SECRET}\n"${SECRET}"`), {
      code: '22P02',
    })
    log.error({ err: new Error('outer', { cause: error }) }, 'failed')
    log.error(error)
    log.error(refused)
    log.error({ err: new AggregateError([error, refused], 'both') })
    assert.ok(!text().includes(SECRET), text())
    assert.partialDeepStrictEqual(lines()[0], {
      err: { type: 'Error', message: 'outer', cause: { code: '23505', constraint: 'clients_pkey' } },
      msg: 'failed',
    })
    assert.match(JSON.stringify(lines()[0]), /log\.test\.ts/)
  })

  it('shows neither headers nor query nor body of a failed request', async () => {
    const { log, text, lines } = aLogger()
    const app = await createApp({ log, trustProxy: false })
    app.post('/things/:id', { config: { scope: 'none' } }, async (request, reply) => {
      request.log.info(
        { req: request, res: reply, raw: request.raw, headers: request.headers, body: request.body },
        'got',
      )
      throw Object.assign(new Error('broken'), { detail: SECRET, request })
    })
    const headers = {
      authorization: `Bearer ${SECRET}`,
      'x-acting-user': `${SECRET}@example.com`,
      'x-request-correlation-id': 'corr-1',
    }
    const url = `/things/7?postcode=${SECRET}`
    const { statusCode } = await app.inject({ method: 'POST', url, headers, payload: { surname: SECRET } })
    await app.close()
    assert.equal(statusCode, 500)
    assert.ok(!text().includes(SECRET), text())
    assert.partialDeepStrictEqual(lines(), [
      { correlationId: 'corr-1', req: { method: 'POST', url: '/things/7' }, msg: 'got' },
      { correlationId: 'corr-1', err: { message: 'broken' }, msg: 'unexpected error' },
    ])
  })

  it('accepts a circular object', () => {
    const { log, lines } = aLogger()
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    log.info({ circular }, 'circular')
    assert.equal(lines()[0]?.['msg'], 'circular')
  })
})

function aLogger() {
  const written: string[] = []
  const log = createLogger({
    level: 'info',
    personalKeys: PERSONAL_KEYS,
    destination: { write: (line) => void written.push(line) },
  })
  return {
    log,
    text: () => written.join(''),
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}
