import type { Actor } from '../audit/record.ts'
import { DELIVER_JOB, type DeliverPayload } from '../events/deliver.ts'
import { recordEvent } from '../events/record.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { NO_TELEMETRY } from '../platform/operations/telemetry.ts'
import { guardedAgent, systemResolve } from './connect.ts'
import { deleteOldDeliveries, endUnverified } from './deliveries.ts'
import { createDispatcher, type Dispatch } from './dispatch.ts'
import { deleteOldListeners } from './feed.ts'
import { post } from './post.ts'
import { RETRY_DELAYS_MS, UNVERIFIED_DAYS_MAX } from './rules.ts'
import { EXPIRY_JOB, type ExpiryPayload, lockAnyRegistration, planReminder } from './store.ts'

const REGISTRATIONS_AT_ONCE = 16
const TRIES_MAX = 1_000_000 // of the job, not of a delivery: another worker always continues what a killed one left
const DELIVERIES_DAYS_MAX = 90
const DAY_MS = 86_400_000

type Parts = Pick<Deps, 'db' | 'clock' | 'vault' | 'ssrfPolicy'>

/** Sends what is due for a registration. Not one transaction: it sends between two of them. */
export function deliverJob(
  deps: Parts,
  overrides: Partial<Pick<Dispatch, 'send' | 'delaysMs' | 'faults' | 'watchCall'>> = {},
): Job<DeliverPayload> {
  const { delaysMs = RETRY_DELAYS_MS, send = senderOf(deps), faults, watchCall = NO_TELEMETRY.watchCall } = overrides
  const dispatch = createDispatcher({ ...deps, delaysMs, send, faults, watchCall })
  return job<DeliverPayload>({
    name: DELIVER_JOB,
    transactional: false,
    concurrency: REGISTRATIONS_AT_ONCE,
    retries: TRIES_MAX,
    async run({ signal, correlationId }, payload) {
      const { registrationId, at } = payload
      if ((await dispatch({ registrationId, at: new Date(at), signal })) === 'done') return
      // To the end of the queue, so that other registrations have a turn first.
      await deps.db.transaction(async (tx) =>
        schedule(tx, new Date(at), DELIVER_JOB, payload, { correlationId }, `deliver:${registrationId}`),
      )
    },
  })
}

function senderOf({ ssrfPolicy }: Pick<Deps, 'ssrfPolicy'>): Dispatch['send'] {
  const dispatcher = guardedAgent(ssrfPolicy, systemResolve())
  return (message, at) => post({ dispatcher, ssrfPolicy }, message, at)
}

/** Publishes that a shared secret will expire, unless it was rotated meanwhile. */
export const expiryJob = (): Job<ExpiryPayload> =>
  job<ExpiryPayload>({
    name: EXPIRY_JOB,
    async run({ tx, now, correlationId }, { registrationId, expiresAt, at }) {
      const registration = await lockAnyRegistration(tx, registrationId)
      if (registration?.sharedSecretExpiry.toISOString() !== expiresAt) return
      const actor: Actor = { correlationId, at: now }
      const { subscriberId, sharedSecretExpiry } = registration
      recordEvent(tx, { type: 'SECRET_EXPIRY', recipients: [subscriberId], data: { registrationId, expiresAt } }, actor)
      planReminder(tx, { registrationId, expiresAt: sharedSecretExpiry }, new Date(at), actor)
    },
  })

/** Deletes deliveries that ended long ago and listeners that left, and ends deliveries to unverified addresses. */
export const tidyNotificationsJob = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Job =>
  job({
    name: 'notifications.tidy',
    cron: '37 * * * *',
    transactional: false,
    async run() {
      const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS)
      await endUnverified(db, daysAgo(UNVERIFIED_DAYS_MAX))
      await deleteOldDeliveries(db, daysAgo(DELIVERIES_DAYS_MAX))
      await deleteOldListeners(db)
    },
  })
