import { BANK_HOLIDAYS } from './bank-holidays.ts'
import { addDays, londonDate, londonMoment, londonTime } from './london.ts'

/** Whether a date is a business day of England and Wales: not a Saturday, Sunday or bank holiday. */
export function isBusinessDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay()
  return day !== 0 && day !== 6 && !BANK_HOLIDAYS.has(date)
}

/** That many business days, the first of them this date if it is one. */
export function businessDaysFrom(date: string, count: number): string[] {
  const days: string[] = []
  for (let day = date; days.length < count; day = addDays(day, 1)) if (isBusinessDay(day)) days.push(day)
  return days
}

/** The date that many business days later, or earlier if the number is negative. */
export function addBusinessDays(date: string, days: number): string {
  const step = Math.sign(days)
  let reached = date
  for (let left = Math.abs(days); left > 0; ) {
    reached = addDays(reached, step)
    if (isBusinessDay(reached)) left--
  }
  return reached
}

/** The same for a moment, which keeps its time of day in London. */
export const addBusinessDaysTo = (at: Date, days: number): Date =>
  londonMoment(addBusinessDays(londonDate(at), days), londonTime(at))

/** The moment itself on a business day, else the same time of day in London on the next one. */
export const onBusinessDay = (at: Date): Date => (isBusinessDay(londonDate(at)) ? at : addBusinessDaysTo(at, 1))
