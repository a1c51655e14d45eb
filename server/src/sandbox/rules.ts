import { invalid } from '../platform/errors.ts'
import { messageOf } from '../worklist/rules-plan.ts'

// ISO 8601: years to days before the T, hours to seconds after it. Months and years are calendar months and years.
const DURATION =
  /^P(?!$)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,3}))?S)?)?$/

const MOVE_YEARS_MAX = 10

/** The time to which the clock moves. `nextAt` is when the next job becomes due; it may have passed. */
export function moveTarget(now: Date, wanted: { advance?: string; set?: string; to?: 'next' }, nextAt = now): Date {
  const { advance, set, to } = wanted
  if ([advance, set, to].filter((one) => one !== undefined).length !== 1) {
    const message = 'One of advance (such as P3D), set (such as 2026-12-01T09:00:00Z) and to (next) is required.'
    throw invalid({ field: 'advance', message })
  }
  if (to) return nextAt > now ? nextAt : now
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

type DueJob = { at: Date; job: string; payload: Readonly<Record<string, unknown>> }

/** A job that becomes or became due, with the reference of its workspace if it has one. */
export function presentDue({ at, job, payload }: DueJob, reference: string | null | undefined) {
  const { workspaceId } = payload
  const message = messageOf({ job, payload })
  return {
    at: at.toISOString(),
    job,
    ...(typeof workspaceId === 'string' && { workspaceId }),
    ...(reference && { reference }),
    ...(message && { message }),
  }
}
