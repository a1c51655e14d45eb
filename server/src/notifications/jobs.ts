import type { Actor } from '../audit/record.ts'
import { DELIVER_JOB, recordEvent } from '../events/record.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { type DeliverPayload, deleteOldDeliveries } from './deliveries.ts'
import { guardedAgent, systemResolve } from './dial.ts'
import { createDispatcher, type Dispatch } from './dispatch.ts'
import { EXPIRY_JOB, type ExpiryPayload, planReminder } from './expiry.ts'
import { publishEvents } from './feed.ts'
import { post } from './post.ts'
import { RETRY_DELAYS_MS } from './rules.ts'
import { lockAnyRegistration } from './store.ts'

const REGISTRATIONS_AT_ONCE = 16
const TRIES_MAX = 1_000_000 // of the job, not of a delivery: what a killed worker left is always taken up again
const DELIVERIES_DAYS_MAX = 90
const DAY_MS = 86_400_000

type Parts = Pick<Deps, 'db' | 'clock' | 'vault' | 'reach'>

/** Sends what is due for a registration. Not one transaction: the sending stands between two. */
export function deliverJob(deps: Parts, given: Partial<Pick<Dispatch, 'send' | 'delaysMs'>> = {}): Job<DeliverPayload> {
  const { delaysMs = RETRY_DELAYS_MS, send = senderOf(deps) } = given
  const dispatch = createDispatcher({ ...deps, delaysMs, send })
  return job<DeliverPayload>({
    name: DELIVER_JOB,
    transactional: false,
    concurrency: REGISTRATIONS_AT_ONCE,
    retries: TRIES_MAX,
    async run({ signal, correlationId }, payload) {
      const { registrationId, at } = payload
      if ((await dispatch({ registrationId, at: new Date(at), signal })) === 'done') return
      // To the end of the queue, so that everybody else has a turn first.
      await deps.db.transaction(async (tx) =>
        schedule(tx, new Date(at), DELIVER_JOB, payload, { correlationId }, `deliver:${registrationId}`),
      )
    },
  })
}

function senderOf({ reach }: Pick<Deps, 'reach'>): Dispatch['send'] {
  const dispatcher = guardedAgent(reach, systemResolve())
  return (message, at) => post({ dispatcher, reach }, message, at)
}

/** Tells that a shared secret will expire, unless it was rotated meanwhile. */
export const expiryJob = (): Job<ExpiryPayload> =>
  job<ExpiryPayload>({
    name: EXPIRY_JOB,
    async run({ tx, now, correlationId }, { registrationId, expiresAt, at }) {
      const registration = await lockAnyRegistration(tx, registrationId)
      if (registration?.sharedSecretExpiry.toISOString() !== expiresAt) return
      const actor: Actor = { correlationId, at: now }
      const { subscriberId, sharedSecretExpiry } = registration
      recordEvent(tx, { type: 'SECRET_EXPIRY', told: [subscriberId], data: { registrationId, expiresAt } }, actor)
      planReminder(tx, { registrationId, expiresAt: sharedSecretExpiry }, new Date(at), actor)
    },
  })

/** Places what nobody has read yet in the feed, and forgets deliveries that ended long ago. */
export const tidyNotificationsJob = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Job =>
  job({
    name: 'notifications.tidy',
    cron: '37 * * * *',
    transactional: false,
    async run() {
      await publishEvents(db)
      await deleteOldDeliveries(db, new Date(clock.now().getTime() - DELIVERIES_DAYS_MAX * DAY_MS))
    },
  })
