import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refusal } from '../platform/http/errors.ts'
import { checkReportDate, checkReportName, chooseRun, oldestServed } from './rules.ts'

function faultOf(work: () => unknown): { reason: string; field: string | undefined; message: string } {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) {
      assert.equal(error.faults.length, 1, 'one error, as interface.md section 7 has it')
      return { reason: error.reason, field: error.faults[0]?.field, message: error.faults[0]?.message ?? '' }
    }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('checkReportName', () => {
  it('knows the three reports of the interface', () => {
    for (const name of [
      'report-financialsummary-todate',
      'report-settlementhistory-daily',
      'report-workspacesummary-todate',
    ]) {
      assert.equal(checkReportName(name), name)
    }
  })

  it('refuses any other at reportName', () => {
    const { reason, field } = faultOf(() => checkReportName('report-Workspacesummary-todate'))
    assert.deepEqual([reason, field], ['not_found', 'reportName'])
  })
})

describe('checkReportDate', () => {
  for (const date of ['2026-03-14', '2026-02-31', '2024-02-29', '0000-01-01']) {
    it(`lets ${date} pass: its format is right`, () => assert.equal(checkReportDate(date), date))
  }
  for (const date of [
    '',
    '2026-13-01',
    '2026-00-10',
    '2026-01-32',
    '2026-1-1',
    '14-03-2026',
    '2026-03-14T00:00',
    ' 2026-03-14',
  ]) {
    it(`refuses "${date}" at date and states the format`, () => {
      const { reason, field, message } = faultOf(() => checkReportDate(date))
      assert.deepEqual([reason, field], ['invalid', 'date'])
      assert.match(message, /yyyy-mm-dd/)
    })
  }
  it('refuses a date that is sent twice', () => {
    assert.equal(faultOf(() => checkReportDate(['2026-03-14', '2026-03-15'])).field, 'date')
  })
})

describe('chooseRun', () => {
  const now = new Date('2026-03-20T12:00:00Z')
  const runs = ['2026-03-19', '2026-03-18', '2026-03-06', '2026-03-05'].map((reportDate) => ({ reportDate }))

  it('takes the newest when no date is asked for', () => {
    assert.equal(chooseRun(runs, undefined, now).reportDate, '2026-03-19')
  })
  it('serves a report fourteen days old', () => {
    assert.equal(chooseRun(runs, '2026-03-06', now).reportDate, '2026-03-06')
  })
  for (const [what, date] of [
    ['fifteen days old', '2026-03-05'],
    ['of today', '2026-03-20'],
    ['of the future', '2026-03-21'],
    ['of an impossible day', '2026-02-31'],
  ] as const) {
    it(`refuses one ${what} at requestedDate`, () => {
      assert.equal(faultOf(() => chooseRun(runs, date, now)).field, 'requestedDate')
    })
  }
  it('refuses at subscriberId when the report was never generated', () => {
    assert.equal(faultOf(() => chooseRun([], '2026-03-19', now)).field, 'subscriberId')
  })
})

describe('oldestServed', () => {
  it('counts in London dates', () => {
    assert.equal(oldestServed(new Date('2026-06-14T23:30:00Z')), '2026-06-01')
    assert.equal(oldestServed(new Date('2026-01-14T23:30:00Z')), '2025-12-31')
  })
  it('is not disturbed by the change of the clocks', () => {
    assert.equal(oldestServed(new Date('2026-03-29T01:30:00Z')), '2026-03-15')
    assert.equal(oldestServed(new Date('2026-10-25T00:30:00Z')), '2026-10-11')
  })
})
