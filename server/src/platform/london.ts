const LONDON = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' })
const DAY_MS = 86_400_000

/** The calendar date in London at a moment, as `yyyy-mm-dd`. */
export const londonDate = (at: Date): string => LONDON.format(at)

/** Calendar arithmetic, which no change of the clocks disturbs. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
