import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { PARTNER, type TestService, testService } from '../../test/support/service.ts'
import { addDays, londonDate } from '../platform/london.ts'

const path = (name: string, query = '') => `${PARTNER}/reports/${name}/content${query}`
const SUMMARY = 'report-workspacesummary-todate'
const LENDER = '10000000-0000-4000-8000-000000000001'
let service: TestService
let today: string
before(async () => {
  service = await testService()
  today = londonDate(service.deps.clock.now())
})

const errorsOf = (body: Record<string, unknown>) => body['errors'] as { field?: string; message: string }[]

describe('GET /reports/{report_name}/content', () => {
  it('answers the newest report as bytes, with the headers of interface.md sections 4.1 and 9', async () => {
    const answer = await service.call('GET', path(SUMMARY), { as: 'sandbox-lender' })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/octet-stream')
    assert.equal(answer.headers.get('x-api-version'), 'v1.0.0')
    assert.equal(answer.headers.get('content-length'), String(Buffer.byteLength(answer.text)))
    const name = `${SUMMARY}_${LENDER}_${addDays(today, -1)}.csv`
    assert.equal(answer.headers.get('content-disposition'), `attachment; filename="${name}"`)
    assert.match(answer.text, /^report_date,workspace_id,/)
  })

  it('serves each of the three reports for each of the last fourteen days', async () => {
    for (const name of ['report-financialsummary-todate', 'report-settlementhistory-daily', SUMMARY]) {
      for (const days of [1, 14]) {
        const answer = await service.call('GET', path(name, `?date=${addDays(today, -days)}`), {
          as: 'sandbox-law-firm',
        })
        assert.equal(answer.status, 200)
      }
    }
  })

  it('answers 304 to who has it already, and a part to who asks for one', async () => {
    const whole = await service.call('GET', path(SUMMARY), { as: 'sandbox-lender' })
    const etag = whole.headers.get('etag') ?? ''
    const again = await service.call('GET', path(SUMMARY), { as: 'sandbox-lender', headers: { 'if-none-match': etag } })
    assert.deepEqual([again.status, again.text], [304, ''])
    const part = await service.call('GET', path(SUMMARY), { as: 'sandbox-lender', headers: { range: 'bytes=7-10' } })
    assert.deepEqual([part.status, part.text], [206, whole.text.slice(7, 11)])
    assert.equal(part.headers.get('content-range'), `bytes 7-10/${whole.text.length}`)
    const head = await service.call('HEAD', path(SUMMARY), { as: 'sandbox-lender' })
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(whole.text.length)])
  })

  for (const query of ['?date=', '?date=14-03-2026', '?date=2026-13-01', '?date=2026-03-14&date=2026-03-15']) {
    it(`answers 400 at date, one error that states the format, to ${query}`, async () => {
      const { status, body } = await service.call('GET', path(SUMMARY, query), { as: 'sandbox-lender' })
      assert.equal(status, 400)
      assert.deepEqual(errorsOf(body), [{ field: 'date', message: 'date must have the format yyyy-mm-dd.' }])
    })
  }

  it('answers 404 at reportName to an unknown report, before it looks at the date', async () => {
    const { status, body } = await service.call('GET', path('report-unknown', '?date=x'), { as: 'sandbox-lender' })
    assert.deepEqual([status, errorsOf(body).map(({ field }) => field)], [404, ['reportName']])
  })

  it('answers 404 at subscriberId where the report was never generated, whatever the date', async () => {
    for (const query of ['', '?date=2026-02-31']) {
      const { status, body } = await service.call('GET', path(SUMMARY, query), { as: 'sandbox-new-lender' })
      assert.deepEqual([status, errorsOf(body).map(({ field }) => field)], [404, ['subscriberId']])
    }
  })

  it('answers 404 at requestedDate to today, the future, an impossible day and fifteen days ago', async () => {
    for (const date of [today, addDays(today, 1), '2026-02-31', addDays(today, -15)]) {
      const { status, body } = await service.call('GET', path(SUMMARY, `?date=${date}`), { as: 'sandbox-lender' })
      assert.deepEqual([status, errorsOf(body).map(({ field }) => field)], [404, ['requestedDate']], date)
    }
  })

  it('answers 406 to an Accept that admits neither bytes nor JSON', async () => {
    const refused = await service.call('GET', path(SUMMARY), { as: 'sandbox-lender', headers: { accept: 'text/html' } })
    assert.equal(refused.status, 406)
    const admitted = await service.call('GET', path(SUMMARY), {
      as: 'sandbox-lender',
      headers: { accept: 'application/*' },
    })
    assert.equal(admitted.status, 200)
  })

  it('answers 416 to a range outside the report', async () => {
    const answer = await service.call('GET', path(SUMMARY), {
      as: 'sandbox-lender',
      headers: { range: 'bytes=999999-' },
    })
    assert.equal(answer.status, 416)
  })

  it('answers 503 in maintenance: only a message, with the correlation id, to whom a token admits', async () => {
    await service.call('POST', '/sandbox/v1/maintenance', { json: { enabled: true } })
    try {
      const headers = { 'x-request-correlation-id': 'mine-1' }
      const answer = await service.call('GET', path('unknown', '?date=x'), { as: 'sandbox-lender', headers })
      assert.equal(answer.status, 503)
      assert.deepEqual(Object.keys(errorsOf(answer.body)[0] ?? {}), ['message'])
      assert.equal(answer.headers.get('x-request-correlation-id'), 'mine-1')
      assert.ok(answer.headers.get('retry-after'))
      assert.equal((await service.call('GET', path(SUMMARY))).status, 401)
      assert.equal((await service.call('GET', '/livez')).status, 200)
    } finally {
      await service.call('POST', '/sandbox/v1/maintenance', { json: { enabled: false } })
    }
    assert.equal((await service.call('GET', path(SUMMARY), { as: 'sandbox-lender' })).status, 200)
  })
})
