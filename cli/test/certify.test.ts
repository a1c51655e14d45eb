import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { verifyWebhook } from '../../client/src/webhooks.ts'
import { eventually } from '../../server/test/fixtures/eventually.ts'
import { BASE_ENV } from '../../server/test/fixtures/process.ts'
import { type TestService, testService } from '../../server/test/fixtures/service.ts'
import { aReceiver, aRegistration } from '../../server/test/fixtures/webhooks.ts'
import { findingOf } from '../src/certify/receiver.ts'
import type { Report } from '../src/certify/report.ts'
import { type Seen, SITUATIONS } from '../src/certify/situations.ts'
import { lodgeway } from './harness.ts'

const SECOND = 1_000
const START = Date.parse('2026-03-14T09:30:00Z')

/** A call some milliseconds after the first. */
const call = (afterMs: number, status: number, rest: Partial<Seen> = {}): Seen => ({
  requestId: '019a8c3e-7d1b-7c55-8a3c-6d3f2a1b4c5d',
  at: new Date(START + afterMs).toISOString(),
  durationMs: 0,
  method: 'GET',
  operation: 'listWorkspaces',
  status,
  correlationId: String(afterMs),
  ...rest,
})
const key = (value: string) => ({ headers: { 'idempotency-key': value } })

describe('a situation', () => {
  const expired = call(0, 401, { fault: 'EXPIRED_TOKEN' })
  const refused = call(0, 429, { fault: 'TOO_MANY' })
  const lost = { fault: 'LOST_ANSWER' }
  const added = call(0, 200, { fault: 'NEW_FIELD' })
  const matter = { workspaceId: 'w' }
  const rejected = { ...matter, answer: { text: '{"lodgementCaseStatus":"REGISTRATION_REJECTED"}' } }
  for (const [name, calls, context, result, seen] of [
    ['token-renewal', [], {}, 'NOT_SEEN', /No call/],
    ['token-renewal', [expired], {}, 'FAILED', /gave up/],
    ['token-renewal', [expired, call(1, 401), call(2, 401)], {}, 'FAILED', /again, 2 times/],
    ['token-renewal', [call(-1, 200), expired, call(1, 200)], {}, 'PASSED', /new token/],
    ['too-many', [refused], {}, 'FAILED', /gave up/],
    ['too-many', [refused, call(SECOND, 200)], {}, 'FAILED', /waited for 1\.0 s/],
    ['too-many', [refused, call(SECOND, 200, { operation: 'getWorkspace' })], {}, 'FAILED', /gave up/],
    ['too-many', [refused, call(2 * SECOND, 200)], {}, 'PASSED', /repeated/],
    ['lost-answer', [call(0, 202, lost)], {}, 'FAILED', /gave up/],
    ['lost-answer', [call(0, 202, lost), call(1, 202)], {}, 'FAILED', /no Idempotency-Key/],
    ['lost-answer', [call(0, 202, { ...lost, ...key('a') }), call(1, 202, key('b'))], {}, 'FAILED', /another/],
    ['lost-answer', [call(0, 202, { ...lost, ...key('a') }), call(1, 202, key('a'))], {}, 'PASSED', /once/],
    ['new-field', [added], { exitCode: 1 }, 'FAILED', /exit code 1/],
    ['new-field', [added], { exitCode: 0 }, 'PASSED', /exit code 0/],
    ['new-field', [added], {}, 'NOT_SEEN', /cannot be seen/],
    ['new-field', [added, call(1, 200)], {}, 'PASSED', /went on/],
    ['new-value', [added], { exitCode: 0 }, 'NOT_SEEN', /this situation is about/],
    ['rejected-lodgement', [], matter, 'NOT_SEEN', /No call/],
    ['rejected-lodgement', [call(0, 200), call(1, 200, matter)], matter, 'FAILED', /did not read/],
    ['rejected-lodgement', [call(0, 200, rejected)], matter, 'PASSED', /read the rejection/],
  ] as const) {
    it(`${name} is ${result} where ${calls.map(({ status }) => status).join(', ') || 'nothing'} was seen: ${seen}`, () => {
      const situation = SITUATIONS.find((one) => one.name === name)
      const finding = situation?.check(calls, context)
      assert.equal(finding?.result, result)
      assert.match(finding?.seen ?? '', seen)
      assert.equal(finding?.advice !== undefined, result === 'FAILED', 'advice where it failed')
    })
  }

  it('does not say of a receiver what cannot be seen', () => {
    const answer = { eventId: 'e', at: '', durationMs: 1, expected: 'ACCEPTED', isAsExpected: true } as const
    const resultOf = (kind: 'REPLAYED' | 'NEW_TYPE', status: number) =>
      findingOf({ ...answer, kind, status }, '').result
    assert.deepEqual(
      [resultOf('REPLAYED', 200), resultOf('REPLAYED', 208), resultOf('NEW_TYPE', 200)],
      ['NOT_SEEN', 'PASSED', 'PASSED'],
    )
  })
})

describe('lodgeway certify', () => {
  let service: TestService
  let folder: string
  before(async () => {
    service = await testService()
    folder = await mkdtemp(join(tmpdir(), 'lodgeway-certify-'))
  })
  after(() => rm(folder, { recursive: true }))

  const resultsOf = ({ situations }: Report) => situations.map(({ name, result }) => `${name} ${result}`)

  it('fails a naive client, and says why', async () => {
    const receiver = await aReceiver()
    const { registrationId } = await aRegistration(service, receiver.url)
    const out = join(folder, 'report.txt')
    const { code, output } = await certify('naive.ts', registrationId, '--json', '--out', out)
    assert.equal(code, 4)
    const report = JSON.parse(output) as Report
    assert.deepEqual(resultsOf(report), [
      'token-renewal FAILED',
      'too-many FAILED',
      'lost-answer FAILED',
      'new-field PASSED',
      'new-value FAILED',
      'rejected-lodgement FAILED',
      'unsigned-webhook FAILED',
      'forged-webhook FAILED',
      'altered-webhook FAILED',
      'stale-webhook FAILED',
      'new-webhook-type PASSED',
      'replayed-webhook NOT_SEEN',
    ])
    for (const { result, advice, evidence } of report.situations)
      if (result === 'FAILED') assert.ok(advice && evidence.length > 0)
    const text = await readFile(out, 'utf8')
    assert.match(
      text,
      /✖ An answer is lost \(lost-answer\)\n {2}It gave up\. .*\n {2}→ Send each POST with an Idempotency-Key/,
    )
    assert.match(text, /2 passed, 9 failed, 1 not seen\.\n$/)
  })

  it('passes ours', async () => {
    const seen = new Set<string>()
    let secret = ''
    const receiver = await aReceiver(({ headers, body }) => {
      try {
        const { id } = verifyWebhook({ secret, headers, body })
        const isNew = !seen.has(id)
        seen.add(id)
        return { status: isNew ? 204 : 208 }
      } catch {
        return { status: 400 }
      }
    })
    const registration = await aRegistration(service, receiver.url)
    secret = registration.sharedSecret
    const { code, output } = await certify('ours.ts', registration.registrationId)
    assert.equal(code, 0, output)
    assert.match(output, /12 passed, 0 failed, 0 not seen\.\n$/)
    assert.deepEqual((await service.call<{ records: [] }>('GET', '/sandbox/v1/faults')).body.records, [])
  })

  it('waits for the calls of a client that it does not run itself', async () => {
    const words = ['certify', '--profile', 'sandbox-lender', '--url', service.url, '--only', 'new-field']
    const certified = lodgeway(words, { env: { XDG_CONFIG_HOME: folder } })
    const inForce = async () => (await service.call<{ records: [] }>('GET', '/sandbox/v1/faults')).body.records
    await eventually(async () => (await inForce()).length > 0)
    const headers = { authorization: `Bearer ${await service.tokenOf('sandbox-lender')}` }
    for (let calls = 0; calls < 2; calls++)
      await fetch(`${service.url}/partner/api/platformconnect/v1/workspaces`, { headers })
    const { code, output, errors } = await certified
    assert.equal(code, 0, errors)
    assert.match(errors, /Now let your client act: Read something/)
    assert.match(output, /✔ An answer has a new field \(new-field\)\n {2}It went on with another call\./)
  })

  it('refuses a situation that does not exist', async () => {
    const { code, errors } = await certify('ours.ts', '', '--only', 'rain')
    assert.equal(code, 2)
    assert.match(errors, /There is no situation rain\. There are: token-renewal, /)
  })

  const certify = (program: string, receiver: string, ...more: string[]) => {
    const run = `${process.execPath} ${join(import.meta.dirname, 'certify', program)}`
    const words = ['certify', '--profile', 'sandbox-lender', '--url', service.url, '--run', run, '--receiver', receiver]
    return lodgeway([...words, ...more], { env: { ...BASE_ENV, XDG_CONFIG_HOME: folder } })
  }
})
