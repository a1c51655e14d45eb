import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusalOf } from '../../test/fixtures/refusals.ts'
import { addDays } from '../jurisdiction/london.ts'
import {
  boundsOf,
  checkReportDate,
  checkReportName,
  chooseRun,
  dueDates,
  endedDates,
  madeAt,
  nextNight,
  oldestServed,
  reportFileName,
} from './rules.ts'

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
    const refusal = refusalOf(() => checkReportName('report-Workspacesummary-todate'))
    assert.equal(refusal, 'not_found reportName')
  })
})

describe('checkReportDate', () => {
  for (const date of ['2026-03-14', '2026-02-31', '2024-02-29', '0000-01-01']) {
    it(`accepts ${date}: its format is right`, () => assert.equal(checkReportDate(date), date))
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
      const check = () => checkReportDate(date)
      assert.equal(refusalOf(check), 'invalid date')
      assert.throws(check, /yyyy-mm-dd/)
    })
  }
  it('refuses a date that is sent twice', () => {
    const refusal = refusalOf(() => checkReportDate(['2026-03-14', '2026-03-15']))
    assert.equal(refusal, 'invalid date')
  })
})

describe('chooseRun', () => {
  const now = new Date('2026-03-20T12:00:00Z')
  const runs = ['2026-03-19', '2026-03-18', '2026-03-06', '2026-03-05'].map((reportDate) => ({ reportDate }))

  it('takes the newest when no date is given', () => {
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
      const refusal = refusalOf(() => chooseRun(runs, date, now))
      assert.equal(refusal, 'not_found requestedDate')
    })
  }
  it('refuses at subscriberId when the report was never generated', () => {
    const refusal = refusalOf(() => chooseRun([], '2026-03-19', now))
    assert.equal(refusal, 'not_found subscriberId')
  })
})

describe('oldestServed', () => {
  it('counts in London dates', () => {
    assert.equal(oldestServed(new Date('2026-06-14T23:30:00Z')), '2026-06-01')
    assert.equal(oldestServed(new Date('2026-01-14T23:30:00Z')), '2025-12-31')
  })
  it('is right when the clocks change', () => {
    assert.equal(oldestServed(new Date('2026-03-29T01:30:00Z')), '2026-03-15')
    assert.equal(oldestServed(new Date('2026-10-25T00:30:00Z')), '2026-10-11')
  })
})

describe('boundsOf', () => {
  const HOUR_MS = 3_600_000
  const CASES: [what: string, date: string, since: string, hours: number][] = [
    ['a day in winter', '2026-01-15', '2026-01-15T00:00:00.000Z', 24],
    ['a day in summer, which begins on another date in UTC', '2026-06-15', '2026-06-14T23:00:00.000Z', 24],
    ['the day on which the clocks go forward', '2026-03-29', '2026-03-29T00:00:00.000Z', 23],
    ['the day on which they go back', '2026-10-25', '2026-10-24T23:00:00.000Z', 25],
    ['a leap day', '2028-02-29', '2028-02-29T00:00:00.000Z', 24],
  ]
  for (const [what, date, since, hours] of CASES) {
    it(`knows ${what}`, () => {
      const bounds = boundsOf(date)
      assert.equal(bounds.since.toISOString(), since)
      assert.equal((bounds.until.getTime() - bounds.since.getTime()) / HOUR_MS, hours)
    })
  }

  it('lets each day begin where the one before it ends', () => {
    for (let date = '2026-01-01'; date < '2029-01-01'; date = addDays(date, 1)) {
      assert.deepEqual(boundsOf(date).until, boundsOf(addDays(date, 1)).since, date)
    }
  })
})

describe('madeAt', () => {
  for (const [date, at] of [
    ['2026-01-15', '2026-01-16T00:30:00.000Z'],
    ['2026-06-15', '2026-06-15T23:30:00.000Z'],
    ['2026-03-28', '2026-03-29T00:30:00.000Z'],
    ['2026-03-29', '2026-03-29T23:30:00.000Z'],
    ['2026-10-24', '2026-10-24T23:30:00.000Z'],
    ['2026-10-25', '2026-10-26T00:30:00.000Z'],
    ['2028-02-28', '2028-02-29T00:30:00.000Z'],
  ] as const) {
    it(`is half past midnight in London after ${date}`, () => assert.equal(madeAt(date).toISOString(), at))
  }
})

describe('nextNight', () => {
  for (const [now, at] of [
    ['2026-01-15T12:00:00Z', '2026-01-16T00:30:00.000Z'],
    ['2026-01-15T00:29:59Z', '2026-01-15T00:30:00.000Z'],
    ['2026-01-15T00:30:00Z', '2026-01-16T00:30:00.000Z'],
    ['2026-06-14T23:29:00Z', '2026-06-14T23:30:00.000Z'],
    ['2026-06-14T23:31:00Z', '2026-06-15T23:30:00.000Z'],
    ['2026-10-25T00:31:00Z', '2026-10-26T00:30:00.000Z'],
  ] as const) {
    it(`comes after ${now}`, () => assert.equal(nextNight(new Date(now)).toISOString(), at))
  }
})

describe('endedDates and dueDates', () => {
  it('are the fourteen days before today, oldest first', () => {
    const now = new Date('2026-03-20T12:00:00Z')
    assert.deepEqual(
      [endedDates(now).length, endedDates(now)[0], endedDates(now).at(-1)],
      [14, '2026-03-06', '2026-03-19'],
    )
    assert.deepEqual(dueDates(now), endedDates(now))
  })

  it('differ in the first half hour of the day, when yesterday has ended and is not due yet', () => {
    const now = new Date('2026-06-14T23:10:00Z')
    assert.equal(endedDates(now).at(-1), '2026-06-14')
    assert.deepEqual(dueDates(now), endedDates(now).slice(0, -1))
  })

  it('contain only dates that are served', () => {
    for (const now of ['2026-03-29T00:45:00Z', '2026-10-25T00:45:00Z', '2028-03-01T00:45:00Z']) {
      const at = new Date(now)
      for (const reportDate of dueDates(at))
        assert.equal(chooseRun([{ reportDate }], reportDate, at).reportDate, reportDate)
    }
  })
})

describe('reportFileName', () => {
  it('names report, subscriber and date', () => {
    const name = reportFileName('report-settlementhistory-daily', 'an-id', '2026-03-14')
    assert.equal(name, 'report-settlementhistory-daily_an-id_2026-03-14.csv')
  })
})
