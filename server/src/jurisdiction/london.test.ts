import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { addDays, addMonths, londonDate, londonMoment, londonTime } from './london.ts'

describe('londonDate and londonTime', () => {
  for (const [at, date, time] of [
    ['2026-01-15T00:30:00Z', '2026-01-15', '00:30:00'],
    ['2026-06-15T23:30:00Z', '2026-06-16', '00:30:00'],
    ['2026-03-29T00:59:59Z', '2026-03-29', '00:59:59'],
    ['2026-03-29T01:00:00Z', '2026-03-29', '02:00:00'],
    ['2026-10-25T00:59:59Z', '2026-10-25', '01:59:59'],
    ['2026-10-25T01:00:00Z', '2026-10-25', '01:00:00'],
    ['2026-12-31T23:59:59Z', '2026-12-31', '23:59:59'],
    ['2026-07-01T23:00:00Z', '2026-07-02', '00:00:00'],
  ] as const) {
    it(`show ${date} ${time} at ${at}`, () => {
      assert.deepEqual([londonDate(new Date(at)), londonTime(new Date(at))], [date, time])
    })
  }
})

describe('addDays', () => {
  it('handles months and leap years, and ignores daylight saving time', () => {
    assert.equal(addDays('2026-03-28', 1), '2026-03-29')
    assert.equal(addDays('2026-03-29', 1), '2026-03-30')
    assert.equal(addDays('2028-02-28', 1), '2028-02-29')
    assert.equal(addDays('2027-01-01', -1), '2026-12-31')
  })
})

describe('addMonths', () => {
  for (const [from, months, to] of [
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-08-30', 6, '2027-02-28'],
    ['2026-07-15', 6, '2027-01-15'],
    ['2026-12-01', 1, '2027-01-01'],
  ] as const) {
    it(`is ${to} for ${months} months from ${from}`, () => assert.equal(addMonths(from, months), to))
  }
})

describe('londonMoment', () => {
  for (const [date, time, at, why] of [
    ['2026-01-15', '09:00:00', '2026-01-15T09:00:00.000Z', 'in winter'],
    ['2026-06-15', '09:00:00', '2026-06-15T08:00:00.000Z', 'in summer'],
    ['2026-06-15', '00:00:00', '2026-06-14T23:00:00.000Z', 'at midnight in summer, which is the day before by UTC'],
    ['2026-03-29', '00:59:59', '2026-03-29T00:59:59.000Z', 'before the clocks go forward'],
    ['2026-03-29', '01:30:00', '2026-03-29T01:30:00.000Z', 'in the hour that is skipped: an hour later'],
    ['2026-03-29', '02:00:00', '2026-03-29T01:00:00.000Z', 'after the clocks went forward'],
    ['2026-10-25', '00:30:00', '2026-10-24T23:30:00.000Z', 'before the clocks go back'],
    ['2026-10-25', '01:30:00', '2026-10-25T00:30:00.000Z', 'in the hour that comes twice: the first of the two'],
    ['2026-10-25', '02:00:00', '2026-10-25T02:00:00.000Z', 'after the clocks went back'],
  ] as const) {
    it(`is ${at} for ${date} ${time}, ${why}`, () => assert.equal(londonMoment(date, time).toISOString(), at))
  }

  it('finds a moment from its date and time in London, or the first of two', () => {
    const moments = fc
      .date({ min: new Date('2024-01-01'), max: new Date('2032-01-01'), noInvalidDate: true })
      .map((at) => new Date(Math.floor(at.getTime() / 1000) * 1000))
    fc.assert(
      fc.property(moments, (at) => {
        const found = londonMoment(londonDate(at), londonTime(at))
        assert.deepEqual([londonDate(found), londonTime(found)], [londonDate(at), londonTime(at)])
        assert.ok([0, 3_600_000].includes(at.getTime() - found.getTime()))
      }),
    )
  })
})
