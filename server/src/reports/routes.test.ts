import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { FINANCIAL, HISTORY, readReport, reportPath, runsOf, SUMMARY } from '../../test/fixtures/reports.ts'
import { setClock } from '../../test/fixtures/schedules.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { aWorkspace, errorsOf, LENDER, LENDER_ID, narrowToken, OTHER_LENDER } from '../../test/fixtures/workspaces.ts'
import { addDays, londonDate } from '../jurisdiction/london.ts'
import { madeAt } from './rules.ts'

const ALL = [FINANCIAL, HISTORY, SUMMARY] as const
const NEW_LENDER = { as: 'sandbox-new-lender' }
let service: TestService
let today: string
before(async () => {
  service = await testService({ reports: true })
  await aWorkspace(service)
  await setClock(service, madeAt(londonDate(service.deps.clock.now())))
  today = londonDate(service.deps.clock.now())
})

const get = (name: string, query = '', headers: Record<string, string> = {}, as = LENDER) =>
  service.call('GET', reportPath(name, query), { ...as, headers })

describe('GET /reports/{report_name}/content', () => {
  it('answers with the newest report as bytes, and all headers of the interface', async () => {
    const { status, headers, text } = await get(SUMMARY, '', { 'x-request-correlation-id': 'mine-1' })
    const [run] = (await runsOf(service, LENDER_ID)).filter(({ reportName }) => reportName === SUMMARY).slice(-1)
    assert.equal(status, 200)
    const fileName = `${SUMMARY}_${LENDER_ID}_${addDays(today, -1)}.csv`
    const expected = {
      'content-type': 'application/octet-stream',
      'content-length': String(Buffer.byteLength(text)),
      'content-disposition': `attachment; filename="${fileName}"`,
      etag: `"${createHash('sha256').update(text).digest('hex')}"`,
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'x-api-version': 'v1.0.0',
      'x-request-correlation-id': 'mine-1',
      'x-report-row-count': '1',
      'x-report-sha256': run?.sha256,
    }
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)])), expected)
    assert.equal(readReport(text)[0]?.['report_date'], addDays(today, -1))
  })

  it('serves each of the three reports for each of the last fourteen days, to lender and law firm', async () => {
    for (const as of [LENDER, { as: 'sandbox-law-firm' }]) {
      for (const name of ALL) {
        for (let days = 1; days <= 14; days++) {
          const date = addDays(today, -days)
          const { status, headers } = await get(name, `?date=${date}`, {}, as)
          assert.equal(status, 200)
          assert.match(headers.get('content-disposition') ?? '', new RegExp(`${name}_[0-9a-f-]{36}_${date}\\.csv`))
        }
      }
    }
  })

  it('answers 304 to a caller that already has it', async () => {
    const etag = (await get(SUMMARY)).headers.get('etag') ?? ''
    const again = await get(SUMMARY, '', { 'if-none-match': etag })
    assert.deepEqual([again.status, again.text, again.headers.get('x-api-version')], [304, '', 'v1.0.0'])
    assert.equal((await get(SUMMARY, '', { 'if-none-match': '"another"' })).status, 200)
  })

  const RANGES: [range: string, start: number, end: number | undefined][] = [
    ['bytes=7-10', 7, 11],
    ['bytes=7-', 7, undefined],
    ['bytes=-5', -5, undefined],
    ['bytes=0-99999999', 0, undefined],
  ]
  for (const [range, start, end] of RANGES) {
    it(`answers 206 with the part ${range}`, async () => {
      const whole = Buffer.from((await get(SUMMARY)).text)
      const part = await get(SUMMARY, '', { range })
      const wanted = whole.subarray(start, end)
      assert.deepEqual([part.status, part.text], [206, wanted.toString()])
      const from = start < 0 ? whole.length + start : start
      assert.equal(part.headers.get('content-range'), `bytes ${from}-${from + wanted.length - 1}/${whole.length}`)
      assert.equal(part.headers.get('content-length'), String(wanted.length))
    })
  }

  it('answers with the whole report to a range of another version of it', async () => {
    const answer = await get(SUMMARY, '', { range: 'bytes=7-10', 'if-range': '"another"' })
    assert.equal(answer.status, 200)
  })

  it('answers HEAD with the headers of GET and no body', async () => {
    const whole = await get(SUMMARY)
    const head = await service.call('HEAD', reportPath(SUMMARY), LENDER)
    assert.deepEqual([head.status, head.text], [200, ''])
    for (const name of ['content-length', 'etag', 'content-disposition', 'content-type', 'x-report-row-count']) {
      assert.equal(head.headers.get(name), whole.headers.get(name), name)
    }
  })

  for (const [what, name, query, status, ...fields] of [
    ['an unknown parameter', SUMMARY, () => `?date=${addDays(today, -1)}&format=pdf`, 400, 'format'],
    ['each of several', SUMMARY, () => '?format=pdf&dates=x', 400, 'format', 'dates'],
    ['the date alone where it is wrong too', SUMMARY, () => '?format=pdf&date=x', 400, 'date'],
    ['an unknown report first', 'report-unknown', () => '?format=pdf', 404, 'reportName'],
    ['it before a report that was never generated', SUMMARY, () => '?format=pdf', 400, 'format'],
  ] as const) {
    it(`reports ${what}: ${status}`, async () => {
      const answer = await get(name, query(), {}, what.includes('never') ? NEW_LENDER : LENDER)
      assert.deepEqual([answer.status, errorsOf(answer).map(({ field }) => field)], [status, fields])
    })
  }

  const MALFORMED = ['', '14-03-2026', '2026-13-01', '2026-00-01', '2026-01-32', '2026-1-1', '20260314', 'yesterday']
  for (const query of [
    ...MALFORMED.map((date) => `?date=${date}`),
    '?date=2026-03-14&date=2026-03-15',
    '?date=2026-03-14&date=2026-03-14',
    '?date=%202026-03-14',
    '?date[]=2026-03-14&date=',
  ]) {
    it(`answers 400 at date, one error that states the format, to ${query}`, async () => {
      const { status, body, headers } = await get(SUMMARY, query)
      assert.equal(status, 400)
      assert.deepEqual(body, { errors: [{ field: 'date', message: 'date must have the format yyyy-mm-dd.' }] })
      assert.equal(headers.get('x-api-version'), 'v1.0.0')
    })
  }

  it('answers 401 without a token and 403 without the scope', async () => {
    const unknown = await service.call('GET', reportPath('report-unknown', '?date=x'))
    assert.equal(unknown.status, 401)
    const headers = await narrowToken(service, LENDER.as, 'view:workspaces')
    const narrow = await service.call('GET', reportPath('report-unknown', '?date=x'), { headers })
    assert.equal(narrow.status, 403)
    assert.match(narrow.headers.get('www-authenticate') ?? '', /insufficient_scope/)
    const scoped = await narrowToken(service, LENDER.as, 'x-api:view:reports')
    assert.equal((await service.call('GET', reportPath(SUMMARY), { headers: scoped })).status, 200)
  })

  const NOT_FOUND: [what: string, name: string, query: () => string, field: string, as?: { as: string }][] = [
    ['an unknown report, before it looks at the date', 'report-unknown', () => '?date=x', 'reportName'],
    ['a report that was never generated', SUMMARY, () => '', 'subscriberId', NEW_LENDER],
    ['the same, whatever the date', SUMMARY, () => '?date=2026-02-31', 'subscriberId', NEW_LENDER],
    ['today', SUMMARY, () => `?date=${today}`, 'requestedDate'],
    ['tomorrow', SUMMARY, () => `?date=${addDays(today, 1)}`, 'requestedDate'],
    ['a day that never is', SUMMARY, () => '?date=2026-02-31', 'requestedDate'],
    ['fifteen days ago', SUMMARY, () => `?date=${addDays(today, -15)}`, 'requestedDate'],
    ['years ago', SUMMARY, () => '?date=0000-01-01', 'requestedDate'],
  ]
  for (const [what, name, query, field, as = LENDER] of NOT_FOUND) {
    it(`answers 404 at ${field} to ${what}`, async () => {
      const answer = await get(name, query(), {}, as)
      assert.equal(answer.status, 404)
      assert.deepEqual(
        errorsOf(answer).map((fault) => fault.field),
        [field],
      )
      assert.equal(answer.headers.get('x-api-version'), 'v1.0.0')
      assert.ok(answer.headers.get('x-request-correlation-id'))
    })
  }

  it('checks the format of the date before whether there ever was a report', async () => {
    assert.equal((await get(SUMMARY, '?date=x', {}, NEW_LENDER)).status, 400)
  })

  it('never shows the report of another subscriber', async () => {
    const [mine, other] = [await get(SUMMARY), await get(SUMMARY, '', {}, OTHER_LENDER)]
    assert.equal(readReport(mine.text).length, 1)
    assert.deepEqual(readReport(other.text), [])
  })

  it('answers 406 to an Accept that admits neither bytes nor JSON', async () => {
    assert.equal((await get(SUMMARY, '', { accept: 'text/html' })).status, 406)
    assert.equal((await get(SUMMARY, '', { accept: 'application/*' })).status, 200)
  })

  it('answers 416 to a range outside the report', async () => {
    const answer = await get(SUMMARY, '', { range: 'bytes=999999-' })
    assert.equal(answer.status, 416)
    assert.match(answer.headers.get('content-range') ?? '', /^bytes \*\/\d+$/)
  })

  it('answers 503 in maintenance: only a message, with the correlation id, to callers with a valid token', async () => {
    await service.call('POST', '/sandbox/v1/maintenance', { json: { enabled: true } })
    try {
      const answer = await get('unknown', '?date=x', { 'x-request-correlation-id': 'mine-1' })
      assert.equal(answer.status, 503)
      assert.deepEqual(
        errorsOf(answer).map((fault) => Object.keys(fault)),
        [['message']],
      )
      assert.equal(answer.headers.get('x-request-correlation-id'), 'mine-1')
      assert.equal(answer.headers.get('x-api-version'), 'v1.0.0')
      assert.ok(answer.headers.get('retry-after'))
      const headers = await narrowToken(service, LENDER.as, 'view:workspaces')
      assert.equal((await service.call('GET', reportPath(SUMMARY), { headers })).status, 503, 'before the scope')
      assert.equal((await service.call('GET', reportPath(SUMMARY))).status, 401, 'after the token')
      assert.equal((await service.call('GET', '/livez')).status, 200)
    } finally {
      await service.call('POST', '/sandbox/v1/maintenance', { json: { enabled: false } })
    }
    assert.equal((await get(SUMMARY)).status, 200)
  })
})
