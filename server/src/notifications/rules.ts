import type { EventType } from '../events/types.ts'
import { invalid } from '../platform/errors.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The delay after each failed attempt. After the last attempt the delivery is dead. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
]

export const SECRET_DAYS_MAX = 365
const OVERLAP_HOURS = 24
const REMINDER_DAYS = [30, 7, 1]
export const REGISTRATIONS_MAX = 100
export const LISTENERS_MAX = 50

/** How long deliveries wait for an address to be verified. The feed keeps their events just as long. */
export const UNVERIFIED_DAYS_MAX = 30
/** Requests of one subscriber that make the service call an address, in addition to the calls for its events. */
export const CALLS_PER_MINUTE_MAX = 20

export const REGISTRATION_STATUSES = ['UNVERIFIED', 'VERIFIED'] as const
export const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'DEAD'] as const
/** Of deliveries that have no event. */
export const EVENTLESS_TYPES = ['TEST', 'CHALLENGE'] as const

export type RegistrationStatus = (typeof REGISTRATION_STATUSES)[number]
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]
export type EventlessType = (typeof EVENTLESS_TYPES)[number]
export type DeliveryType = EventType | EventlessType

/** One attempt: the receiver's response, and what was wrong with it. */
export type Attempt = {
  at: string
  status?: number
  durationMs: number
  response?: string
  error?: string
  /** As they were sent; attempts of versions before 1.1.0 have none. */
  headers?: Readonly<Record<string, string>>
}

export type Outcome = { status: 'DELIVERED' | 'DEAD'; nextAttemptAt: null } | { status: 'PENDING'; nextAttemptAt: Date }

/** The state of a delivery after an attempt. `tries` includes it. */
export function outcomeOf(attempt: Attempt, tries: number, endedAt: Date, delaysMs = RETRY_DELAYS_MS): Outcome {
  if (isGood(attempt)) return { status: 'DELIVERED', nextAttemptAt: null }
  const delayMs = delaysMs[tries - 1]
  if (delayMs === undefined) return { status: 'DEAD', nextAttemptAt: null }
  return { status: 'PENDING', nextAttemptAt: new Date(endedAt.getTime() + delayMs) }
}

const isGood = ({ status = 0, error }: Attempt): boolean => status >= 200 && status <= 299 && error === undefined

export const secretExpiryOf = (madeAt: Date): Date => new Date(madeAt.getTime() + SECRET_DAYS_MAX * DAY_MS)

/** Until when the previous secret goes on signing. */
export const overlapEndOf = (rotatedAt: Date): Date => new Date(rotatedAt.getTime() + OVERLAP_HOURS * HOUR_MS)

/** The first reminder of an expiry after a given time, if any is left. */
export const nextReminder = (expiresAt: Date, after: Date): Date | undefined =>
  REMINDER_DAYS.map((days) => new Date(expiresAt.getTime() - days * DAY_MS)).find((time) => time > after)

export const unknownPosition = () =>
  invalid({ field: 'after', message: 'after must be the nextCursor of an earlier answer.' })
