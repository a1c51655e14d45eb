import { html, type Markup } from './html.ts'

// Times as people in London write them, with the exact one on hover.

const LONDON = { timeZone: 'Europe/London' } as const
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...LONDON, ...options })

const DATE = format({ day: 'numeric', month: 'short', year: 'numeric' })
const WEEKDAY = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
const SHORT_WEEKDAY = format({ weekday: 'short', day: 'numeric', month: 'short' })
const SHORT_DAY = format({ day: 'numeric', month: 'short' })
const TIME = format({ hour: '2-digit', minute: '2-digit' })
const SHORT = format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
const EXACT = format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' })
const FULL = format({ dateStyle: 'full', timeStyle: 'long' })

/** "14 Nov 2026, 14:12" */
export const dateTime = (at: string | Date): Markup => timed(at, (date) => `${DATE.format(date)}, ${TIME.format(date)}`)

/** "14 Nov, 14:12:05" */
export const exactTime = (at: string | Date): Markup => timed(at, (date) => EXACT.format(date))

/** "3 Dec, 09:00" */
export const shortTime = (at: string | Date): Markup => timed(at, (date) => SHORT.format(date))

/** The same as text, for pictures. */
export const shortTimeText = (at: string | Date): string => SHORT.format(new Date(at))

/** "3 Dec" */
export const shortDay = (at: string | Date): Markup => timed(at, (date) => SHORT_DAY.format(date))

/** The same as text, for pictures. */
export const shortDayText = (at: string | Date): string => SHORT_DAY.format(new Date(at))

/** "Thu, 3 Dec 2026" for a calendar day such as 2026-12-03, or the day of a time. */
export const day = (at: string | Date): Markup => timed(at, (date) => WEEKDAY.format(date))

/** "Thu, 3 Dec" */
export const shortWeekday = (at: string | Date): Markup => timed(at, (date) => SHORT_WEEKDAY.format(date))

const timed = (at: string | Date, show: (date: Date) => string): Markup => {
  const date = new Date(at)
  // A calendar day has no time to show on hover.
  const isDay = typeof at === 'string' && at.length === 10
  return html`<time datetime="${isDay ? at : date.toISOString()}"${!isDay && html` title="${FULL.format(date)}"`}>${show(date)}</time>`
}

/** How many days of the calendar in London lie between; negative if `to` is earlier. */
export function daysBetween(from: string | Date, to: string | Date): number {
  return Math.round((londonDay(to) - londonDay(from)) / DAY_MS)
}

/** The days before a time, in London, the latest first: "2026-12-03". */
export const daysBefore = (at: Date, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(londonDay(at) - (index + 1) * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length),
  )

const londonDay = (at: string | Date) => Date.parse(ISO_DAY.format(new Date(at)))

const ISO_DAY = new Intl.DateTimeFormat('sv-SE', LONDON) // 2026-12-03

/** When a calendar day such as 2026-12-03 begins in London. What is no day stays as it is. */
export function startOfDay(day: string): string {
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime())) return day
  // In summer it is already one o'clock there.
  return (TIME.format(midnight) === '00:00' ? midnight : new Date(midnight.getTime() - HOUR_MS)).toISOString()
}

/** When the next one begins. */
export const endOfDay = (day: string): string => {
  const next = new Date(Date.parse(day) + DAY_MS)
  return Number.isNaN(next.getTime()) ? day : startOfDay(next.toISOString().slice(0, 10))
}

/** "today", "1 day", "6 days" */
export const since = (at: string | Date, now: Date): string => {
  const days = daysBetween(at, now)
  return days <= 0 ? 'today' : counted(days, 'day')
}

export const counted = (count: number, thing: string, things = `${thing}s`): string =>
  `${count} ${count === 1 ? thing : things}`

/** The day in London, as the interface writes it: 2026-12-03. */
export const londonDate = (at: Date): string => ISO_DAY.format(at)

/** How many minutes of the day have passed in London. */
export const londonMinutes = (at: Date): number => {
  const [hours = 0, minutes = 0] = TIME.format(at).split(':').map(Number)
  return hours * 60 + minutes
}
