import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, describe, it } from 'node:test'
import { PARTNER, type TestService, testService } from './fixtures/service.ts'

// The conventions of every request and response, on existing routes.

const REPORT = `${PARTNER}/reports/report-workspacesummary-todate/content`
let service: TestService
let limited: TestService
before(async () => {
  service = await testService()
  limited = await testService({ env: { RATE_LIMIT_PER_MINUTE: '5' }, worker: false })
})

const errorsOf = (body: Record<string, unknown>) => body['errors'] as { field?: string; message: string }[]
const post = (body: string, headers: Record<string, string> = {}) =>
  service.call('POST', '/sandbox/v1/subscribers', { body, headers: { 'content-type': 'application/json', ...headers } })

describe('on every response', () => {
  it('gives the caller’s correlation id back', async () => {
    const headers = { 'x-request-correlation-id': 'a printable id / 1' }
    const answer = await service.call('GET', '/livez', { headers })
    assert.equal(answer.headers.get('x-request-correlation-id'), 'a printable id / 1')
  })

  for (const [what, id] of [
    ['left out', undefined],
    ['longer than 128 characters', 'x'.repeat(129)],
    ['not printable ASCII', 'caf\u00e9'],
  ] as const) {
    it(`makes a new one if it is ${what}`, async () => {
      const headers: Record<string, string> = id === undefined ? {} : { 'x-request-correlation-id': id }
      const answer = await service.call('GET', '/livez', { headers })
      assert.match(answer.headers.get('x-request-correlation-id') ?? '', /^[0-9a-f-]{36}$/)
    })
  }

  it('has version, nosniff and HSTS, on errors too', async () => {
    for (const path of ['/livez', '/nowhere', REPORT]) {
      const { headers } = await service.call('GET', path)
      assert.equal(headers.get('x-api-version'), 'v1.0.0')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.match(headers.get('strict-transport-security') ?? '', /max-age=/)
    }
  })

  it('is not stored by a cache where it answers a token: good or bad, file or JSON', async () => {
    const etag = (await service.call('GET', REPORT, { as: 'sandbox-lender' })).headers.get('etag') ?? ''
    const wrong = { authorization: 'Bearer wrong' }
    for (const [path, options, status] of [
      [REPORT, { as: 'sandbox-lender' }, 200],
      [REPORT, { as: 'sandbox-lender', headers: { 'if-none-match': etag } }, 304],
      [REPORT, { as: 'sandbox-lender', headers: { range: 'bytes=0-1' } }, 206],
      [`${REPORT}?x=1`, { as: 'sandbox-lender' }, 400],
      [REPORT, { headers: wrong }, 401],
      [`${PARTNER}/workspaces`, { as: 'sandbox-lender' }, 200],
      ['/nowhere', { as: 'sandbox-lender' }, 404],
    ] as const) {
      const answer = await service.call('GET', path, options)
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [status, 'no-store'], path)
    }
    const malformed = await fetch(`${service.url}/nowhere/%`, { headers: wrong })
    assert.deepEqual([malformed.status, malformed.headers.get('cache-control')], [400, 'no-store'])
    assert.equal((await service.call('GET', '/livez')).headers.get('cache-control'), null)
  })

  it('has the rate limit in the draft headers, and answers 429 with Retry-After beyond it', async () => {
    const answers = []
    for (let i = 0; i < 6; i++) answers.push(await limited.call('GET', REPORT, { as: 'sandbox-lender' }))
    assert.equal(answers[0]?.headers.get('ratelimit-policy'), '"default";q=5;w=60')
    assert.match(answers[0]?.headers.get('ratelimit') ?? '', /^"default";r=4;t=\d+$/)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200, 429],
    )
    assert.ok(Number(answers[5]?.headers.get('retry-after')) >= 1)
    assert.equal((await limited.call('GET', REPORT, { as: 'sandbox-law-firm' })).status, 200, 'another client may')
    const unscoped = await limited.call('GET', `${PARTNER}/reports/unknown/content`, { as: 'sandbox-lender' })
    assert.equal(unscoped.status, 429, '429 comes before 404')
  })
})

describe('paths and methods', () => {
  it('answers 404 to an unknown path, before it asks for a token', async () => {
    const { status, body } = await service.call('GET', `${PARTNER}/nowhere`)
    assert.deepEqual([status, Object.keys(errorsOf(body)[0] ?? {})], [404, ['message']])
  })

  it('answers 404 to an unknown path whatever it is sent', async () => {
    for (const body of ['not a form', '']) {
      const headers = { 'content-type': 'multipart/form-data' }
      assert.equal((await fetch(`${service.url}/nowhere`, { method: 'POST', headers, body })).status, 404)
    }
  })

  it('answers 405 with Allow to another method, before it asks for a token', async () => {
    for (const method of ['POST', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY']) {
      const answer = await service.call(method, REPORT)
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'], method)
    }
    const counts = await service.call('PATCH', `${PARTNER}/workspaces/counts?limit=1`) // no workspace has this id
    assert.deepEqual([counts.status, counts.headers.get('allow')], [405, 'GET, HEAD'])
    const workspace = await service.call('DELETE', `${PARTNER}/workspaces/any%20id`)
    assert.deepEqual([workspace.status, workspace.headers.get('allow')], [405, 'GET, HEAD, PATCH'])
  })

  it('answers 404 to an unknown path whatever the method', async () => {
    for (const method of ['QUERY', 'PURGE', 'PUT']) {
      assert.equal((await service.call(method, `${PARTNER}/nowhere`)).status, 404, method)
    }
  })

  it('answers 400 to an address with broken encoding', async () => {
    const answer = await raw('GET /partner/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    assert.match(answer, /^HTTP\/1.1 400 /)
    assert.match(answer, /x-request-correlation-id/i)
  })
})

describe('bodies', () => {
  it('answers 415 to another content type', async () => {
    assert.equal((await post('x', { 'content-type': 'text/plain' })).status, 415)
  })

  it('answers 413 to one that is too large, with or without a Content-Length', async () => {
    const large = `{"name":"${'x'.repeat(1_100_000)}"}`
    assert.equal((await post(large)).status, 413)
    const stream = new Blob([large]).stream()
    const headers = { 'content-type': 'application/json' }
    assert.equal((await service.call('POST', '/sandbox/v1/subscribers', { body: stream, headers })).status, 413)
  })

  for (const [what, body] of [
    ['malformed JSON', '{"kind":'],
    ['a __proto__ key', '{"__proto__":{"kind":"LENDER"},"kind":"LENDER","name":"x"}'],
    ['nothing', ''],
    ['a list', '[]'],
    ['lists in lists without end', `{"kind":${'['.repeat(400_000)}${']'.repeat(400_000)}}`],
    ['a string', '"x"'],
  ] as const) {
    it(`answers 400 to ${what}`, async () => {
      const { status, body: answered } = await post(body)
      assert.deepEqual([status, errorsOf(answered).length], [400, 1])
    })
  }

  it('coerces nothing and refuses null', async () => {
    const { status, body } = await post('{"kind":null,"name":5}')
    const fields = errorsOf(body).map(({ field }) => field)
    assert.deepEqual([status, fields.sort()], [400, ['kind', 'name']])
  })

  it('validates the headers as well as the body', async () => {
    const { body } = await post('{}', { 'idempotency-key': 'x'.repeat(256) })
    const fields = errorsOf(body).map(({ field }) => field)
    assert.deepEqual(fields, ['Idempotency-Key', 'kind', 'name'])
  })
})

describe('a header that may be sent only once', () => {
  const get = (headers: string) => raw(`GET /livez HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)

  for (const [what, headers] of [
    ['two Host headers', 'Host: a\r\nHost: b\r\n'],
    ['the same Host twice', 'Host: a\r\nHost: a\r\n'],
    ['no Host', ''],
  ] as const) {
    it(`answers 400 to ${what}`, async () => {
      assert.match(await get(headers), /^HTTP\/1.1 400 [\s\S]*"field":"Host"/)
    })
  }

  it('does not choose between two tokens or two content types', async () => {
    const token = `Authorization: Bearer ${await service.tokenOf('sandbox-lender')}\r\n`
    const read = (tokens: string) => raw(`GET ${REPORT} HTTP/1.1\r\nHost: a\r\n${tokens}Connection: close\r\n\r\n`)
    assert.match(await read(token), /^HTTP\/1.1 200 /)
    assert.match(await read(token + token), /^HTTP\/1.1 401 /)
    const types = 'Content-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n'
    const head = `POST /sandbox/v1/subscribers HTTP/1.1\r\nHost: localhost\r\n${types}Connection: close\r\n\r\n{}`
    assert.match(await raw(head), /^HTTP\/1.1 415 /)
  })
})

describe('what the parser refuses', () => {
  it('answers 431 to headers that are too large, in the usual shape of an error', async () => {
    const answer = await raw(`GET /livez HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
    assert.match(answer, /^HTTP\/1.1 431 /)
    assert.match(answer, /"errors":\[\{"message"/)
    assert.match(answer, /X-Request-Correlation-Id: /)
  })

  it('answers 400 to something that is not HTTP', async () => {
    assert.match(await raw('HELLO\r\n\r\n'), /^HTTP\/1.1 400 /)
  })
})

describe('an internal error', () => {
  it('is a 500 that shows nothing but the correlation id', async () => {
    const broken = await testService({
      worker: false,
      extra: (app) => {
        app.route({
          method: 'GET',
          url: '/broken',
          config: { scope: 'none', undocumented: true },
          handler: () => {
            throw new Error('select * from secrets')
          },
        })
      },
    })
    const response = await fetch(`${broken.url}/broken`)
    const text = await response.text()
    assert.equal(response.status, 500)
    assert.ok(response.headers.get('x-request-correlation-id'))
    assert.doesNotMatch(text, /select|secrets|at /)
    assert.deepEqual(Object.keys(JSON.parse(text).errors[0]), ['message'])
  })
})

function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(service.url)
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => done(answer))
    socket.on('error', fail)
  })
}
