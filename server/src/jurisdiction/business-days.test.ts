import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { BANK_HOLIDAYS } from './bank-holidays.ts'
import { addBusinessDays, addBusinessDaysTo, isBusinessDay } from './business-days.ts'
import { addDays, londonDate, londonTime } from './london.ts'

const SUNDAY = 0
const MONDAY = 1
const SATURDAY = 6
const weekdayOf = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay()
const isWeekend = (date: string) => [SATURDAY, SUNDAY].includes(weekdayOf(date))
const dateOf = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)

const YEARS = Array.from({ length: 8 }, (_, index) => 2024 + index)

/** Easter Sunday in the Gregorian calendar: the Sunday after the first full moon of spring. */
function easterOf(year: number): string {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor((8 * b + 13) / 25)
  const e = (19 * a + b - Math.floor(b / 4) - d + 15) % 30
  const f = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - e - (c % 4)) % 7
  const g = Math.floor((a + 11 * e + 19 * f) / 433)
  const month = Math.floor((e + f - 7 * g + 90) / 25)
  return dateOf(year, month, (e + f - 7 * g + 33 * month + 19) % 32)
}

/** The rules of the law: eight days, and for one that falls on a weekend the next free day. */
function holidaysOf(year: number): string[] {
  const easter = easterOf(year)
  const fixed = [dateOf(year, 1, 1), dateOf(year, 12, 25), dateOf(year, 12, 26)]
  const free = (date: string): string =>
    isWeekend(date) || fixed.includes(date) || taken.includes(date) ? free(addDays(date, 1)) : date
  const taken: string[] = []
  for (const date of fixed) taken.push(isWeekend(date) ? free(date) : date)
  const mondays = [firstMonday(year, 5), addDays(firstMonday(year, 6), -7), addDays(firstMonday(year, 9), -7)]
  return [...taken, addDays(easter, -2), addDays(easter, 1), ...mondays].sort()
}

function firstMonday(year: number, month: number): string {
  const days = Array.from({ length: 7 }, (_, index) => dateOf(year, month, index + 1))
  return days.find((date) => weekdayOf(date) === MONDAY) ?? ''
}

describe('the bank holidays', () => {
  it('are tested with the right dates of Easter', () => {
    assert.deepEqual([2024, 2025, 2026, 2027, 2030].map(easterOf), [
      '2024-03-31',
      '2025-04-20',
      '2026-04-05',
      '2027-03-28',
      '2030-04-21',
    ])
  })

  for (const year of YEARS) {
    it(`of ${year} are those of the law`, () => {
      const listed = [...BANK_HOLIDAYS].filter((date) => date.startsWith(`${year}-`))
      assert.deepEqual(listed.toSorted(), holidaysOf(year))
    })
  }

  it('fall on no weekend, and in no other year', () => {
    for (const date of BANK_HOLIDAYS) assert.ok(!isWeekend(date) && YEARS.includes(Number(date.slice(0, 4))), date)
  })
})

describe('isBusinessDay', () => {
  for (const [date, expected, why] of [
    ['2026-05-01', true, 'a Friday'],
    ['2026-05-02', false, 'a Saturday'],
    ['2026-05-03', false, 'a Sunday'],
    ['2026-05-04', false, 'the early May bank holiday'],
    ['2026-12-24', true, 'Christmas Eve'],
    ['2026-12-28', false, 'the substitute for Boxing Day'],
    ['2028-01-03', false, 'the substitute for New Year'],
  ] as const) {
    it(`is ${expected} for ${date}, ${why}`, () => assert.equal(isBusinessDay(date), expected))
  }
})

describe('addBusinessDays', () => {
  for (const [from, days, to] of [
    ['2026-05-01', 1, '2026-05-05'],
    ['2026-05-02', 1, '2026-05-05'],
    ['2026-05-05', -1, '2026-05-01'],
    ['2026-05-03', 0, '2026-05-03'],
    ['2026-03-27', 20, '2026-04-28'],
    ['2026-12-10', 20, '2027-01-12'],
    ['2027-01-12', -20, '2026-12-10'],
  ] as const) {
    it(`is ${to} for ${days} from ${from}`, () => assert.equal(addBusinessDays(from, days), to))
  }

  const dates = fc.integer({ min: 0, max: 2_700 }).map((days) => addDays('2024-02-01', days))
  const counts = fc.integer({ min: 0, max: 60 })
  const businessDays = dates.filter(isBusinessDay)

  it('reaches a business day after exactly that many business days', () => {
    fc.assert(
      fc.property(dates, counts, (from, days) => {
        const to = addBusinessDays(from, days)
        let passed = 0
        for (let date = from; date < to; date = addDays(date, 1)) if (isBusinessDay(addDays(date, 1))) passed++
        assert.equal(passed, days)
        assert.ok(days === 0 || isBusinessDay(to))
      }),
    )
  })

  it('can be undone by the negative number', () => {
    fc.assert(
      fc.property(businessDays, counts, (from, days) => {
        assert.equal(addBusinessDays(addBusinessDays(from, days), -days), from)
      }),
    )
  })

  it('can be done in two steps, and keeps the order of dates', () => {
    fc.assert(
      fc.property(dates, dates, counts, counts, (from, other, one, more) => {
        assert.equal(addBusinessDays(addBusinessDays(from, one), more), addBusinessDays(from, one + more))
        if (from <= other) assert.ok(addBusinessDays(from, one) <= addBusinessDays(other, one))
      }),
    )
  })
})

describe('addBusinessDaysTo', () => {
  it('keeps the hour in London when the clocks change on the way', () => {
    const inWinter = new Date('2026-03-27T09:00:00Z')
    assert.equal(addBusinessDaysTo(inWinter, 1).toISOString(), '2026-03-30T08:00:00.000Z')
    assert.equal(addBusinessDaysTo(new Date('2026-10-23T08:00:00Z'), 1).toISOString(), '2026-10-26T09:00:00.000Z')
  })

  it('uses the day in London, which in summer begins an hour before that of UTC', () => {
    const justAfterMidnight = new Date('2026-06-04T23:30:00Z')
    assert.equal(addBusinessDaysTo(justAfterMidnight, 1).toISOString(), '2026-06-07T23:30:00.000Z')
  })

  it('changes the date like addBusinessDays and never the hour: clocks change on Sundays', () => {
    const moments = fc
      .date({ min: new Date('2024-02-01'), max: new Date('2031-06-01'), noInvalidDate: true })
      .map((at) => new Date(Math.floor(at.getTime() / 1000) * 1000))
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 40 }), (at, days) => {
        const to = addBusinessDaysTo(at, days)
        assert.equal(londonDate(to), addBusinessDays(londonDate(at), days))
        assert.equal(londonTime(to), londonTime(at))
      }),
    )
  })
})
