const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** `3 days`, `5 h`, `now`. */
export function daysBetween(since: string, now: Date): string {
  const ms = now.getTime() - Date.parse(since)
  const days = Math.floor(ms / DAY_MS)
  if (days >= 1) return days === 1 ? '1 day' : `${days} days`
  const hours = Math.floor(ms / HOUR_MS)
  return hours >= 1 ? `${hours} h` : 'now'
}

const DATE = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
const TIME = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', minute: '2-digit' })

/** The day in London, `3 Dec 2026`. */
export const shortDate = (at: string): string => DATE.format(new Date(at))

export const shortTime = (at: string): string => `${shortDate(at)} ${TIME.format(new Date(at))}`
