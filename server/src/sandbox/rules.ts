import { invalid } from '../platform/errors.ts'

// ISO 8601: years to days before the T, hours to seconds after it. Months and years are calendar months and years.
const DURATION =
  /^P(?!$)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,3}))?S)?)?$/

const MOVE_YEARS_MAX = 10

/** The time to which the clock moves. */
export function moveTarget(now: Date, wanted: { advance?: string; set?: string }): Date {
  const { advance, set } = wanted
  if ((advance === undefined) === (set === undefined)) {
    const message = 'Either advance (such as P3D) or set (such as 2026-12-01T09:00:00Z) is required, not both.'
    throw invalid({ field: 'advance', message })
  }
  const field = advance === undefined ? 'set' : 'advance'
  const target = advance === undefined ? new Date(set ?? '') : addDuration(now, advance)
  if (target < now) {
    throw invalid({ field, message: `The clock is at ${now.toISOString()} and does not go backwards.` })
  }
  const furthest = addDuration(now, `P${MOVE_YEARS_MAX}Y`)
  if (!(target <= furthest)) {
    throw invalid({ field, message: `${field} may move the clock by at most ${MOVE_YEARS_MAX} years at once.` })
  }
  return target
}

export function addDuration(from: Date, duration: string): Date {
  const match = DURATION.exec(duration)
  if (!match) throw invalid({ field: 'advance', message: 'advance must be an ISO 8601 duration such as P3D or PT2H.' })
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1, 8)
    .map((text) => Number(text ?? 0))
  const millis = Number((match[8] ?? '').padEnd(3, '0'))
  const to = new Date(from)
  to.setUTCMonth(to.getUTCMonth() + years * 12 + months)
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0) // 31 January and a month is the last of February
  const ms = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1000 + millis
  return new Date(to.getTime() + ms)
}
