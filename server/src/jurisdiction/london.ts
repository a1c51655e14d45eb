const LONDON = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' })
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The calendar date in London at a moment, as `yyyy-mm-dd`. */
export const londonDate = (at: Date): string => LONDON.format(at)

/** Calendar arithmetic, which does not depend on daylight saving time. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** The same day that many months later, or the last day of that month if it has no such day. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10)
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeStyle: 'medium', hour12: false })

/** The time of day in London at a moment, as `hh:mm:ss`. */
export const londonTime = (at: Date): string => CLOCK.format(at)

/**
 * The moment at which clocks in London show this date and time. A time that is skipped in spring is taken an hour later;
 * of two in autumn the first is taken.
 */
export function londonMoment(date: string, time: string): Date {
  const asUtc = new Date(`${date}T${time}Z`)
  const asSummer = new Date(asUtc.getTime() - HOUR_MS)
  return shows(asSummer, asUtc) ? asSummer : asUtc
}

const WORDS = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', dateStyle: 'long', timeStyle: 'short' })

/** A moment in a sentence: `14 March 2026 at 09:30`, by the clocks in London. */
export const londonInWords = (at: Date): string => WORDS.format(at)

const shows = (at: Date, wanted: Date): boolean =>
  `${londonDate(at)}T${londonTime(at)}` === wanted.toISOString().slice(0, 19)
