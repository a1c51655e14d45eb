import { addDays, londonMoment } from '../jurisdiction/london.ts'
import { conflict, invalid } from '../platform/errors.ts'

type Dead = { id: string; job: string; error: string | null; correlationId: string | null }

export type DeadFilter = { id?: string; job?: string; error?: string; correlation_id?: string }

/** The dead jobs that an operator means: one, those whose error contains a text, those of one request. */
export const matchingJobs = <Job extends Dead>(dead: readonly Job[], filter: DeadFilter): Job[] =>
  dead.filter(
    ({ id, job, error, correlationId }) =>
      (filter.id === undefined || filter.id === id) &&
      (filter.job === undefined || filter.job === job) &&
      (filter.correlation_id === undefined || filter.correlation_id === correlationId) &&
      (filter.error === undefined || (error ?? '').toLowerCase().includes(filter.error.toLowerCase())),
  )

/** The time of a search: a day in London. Where an id is given, its whole history. */
export function searchedTime(id: string | undefined, day: string | undefined): readonly [Date, Date] | undefined {
  if (day !== undefined) return [londonMoment(day, '00:00:00'), londonMoment(addDays(day, 1), '00:00:00')]
  if (id === undefined) throw invalid({ field: 'day', message: 'day is needed, unless id is given.' })
  return undefined
}

/** So that the service is never without somebody who can get in. */
export function checkNotOneself(personId: string, operatorId: string): void {
  if (personId === operatorId) throw conflict({ message: 'You cannot do this to yourself. Ask another operator.' })
}

const RUNNING_MINUTES_MAX = 30

/** Verifying reads the whole audit, so there is one at a time. One that never ended does not block it for ever. */
export function checkNoneRuns(newest: { askedAt: Date; endedAt: Date | null } | undefined, now: Date): void {
  const isRunning = newest && !newest.endedAt && now.getTime() - newest.askedAt.getTime() < RUNNING_MINUTES_MAX * 60_000
  if (isRunning) throw conflict({ message: 'The audit is being verified. Read the outcome in a moment.' })
}
