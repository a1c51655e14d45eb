import { setTimeout as delay } from 'node:timers/promises'
import { recordSubscriberAudit } from '../audit/record.ts'
import { payloadOf } from '../events/payload.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import type { Call, Telemetry } from '../platform/operations/telemetry.ts'
import { type Attempted, type Claimed, claimDeliveries, claimNext, findLeft, saveAttempts } from './deliveries.ts'
import type { Message } from './post.ts'
import { type Attempt, outcomeOf } from './rules.ts'
import { isAnswerTo, signedHeaders } from './sign.ts'
import { markVerified } from './store.ts'

// Sends what is due for one registration: several partitions at once, each in order. A process has one dispatcher for
// each registration, however many jobs ask for it, so that a slow receiver occupies one job and no more.

export type Dispatch = Pick<Deps, 'db' | 'clock' | 'vault'> & {
  send(message: Message, at: Date): Promise<Attempt>
  delaysMs: readonly number[]
  /** In the sandbox alone. */
  faults?: WebhookFaults | undefined
  /** Puts a span around each attempt, in the trace of its event. */
  watchCall: Telemetry['watchCall']
}

/** What goes wrong on purpose with the next delivery to a subscriber. */
export type WebhookFaults = (subscriberId: string) => Promise<{ isDuplicate: boolean; isReordered: boolean }>

type Order = { registrationId: string; at: Date; signal: AbortSignal }

const PARTITIONS_MAX = 16
const TURN_MS_MAX = 10_000
const LEASED_POLL_MS = 250
const HELD_MS_MAX = 2_000

/** Returns `done` when nothing is due any more, `more` when its time was up before that. */
export function createDispatcher(dispatch: Dispatch): (order: Order) => Promise<'done' | 'more'> {
  const busy = new Map<string, { at: Date; again: boolean }>()

  return async ({ registrationId, at, signal }) => {
    const present = busy.get(registrationId)
    if (present) {
      present.again = true // it checks once more before it ends; if it is killed, its own job runs again
      if (at > present.at) present.at = at
      return 'done'
    }
    const mine = { at, again: false }
    busy.set(registrationId, mine)
    const turnEndsAt = performance.now() + TURN_MS_MAX
    const isOver = () => signal.aborted || performance.now() > turnEndsAt
    // Another node's clock may be a little ahead: what was due there is due here.
    const now = () => new Date(Math.max(dispatch.clock.now().getTime(), mine.at.getTime()))
    try {
      for (;;) {
        mine.again = false
        await sendAll(dispatch, registrationId, now, isOver)
        const left = await findLeft(dispatch.db, registrationId, now())
        if (!left.isReady && !left.isLeased && !mine.again) return 'done'
        if (signal.aborted) throw new Error('The worker is stopping; another one continues.')
        if (isOver()) return 'more'
        if (!left.isReady && !mine.again) await delay(LEASED_POLL_MS)
      }
    } finally {
      busy.delete(registrationId)
    }
  }
}

/**
 * Keeps up to PARTITIONS_MAX partitions in progress until none is due. Attempts are saved together with the next claim:
 * the quicker they end, the more of them share a transaction. A slow one delays no other.
 */
async function sendAll(
  dispatch: Dispatch,
  registrationId: string,
  now: () => Date,
  isOver: () => boolean,
): Promise<void> {
  const underWay = new Set<Promise<void>>()
  const ended: Attempted[] = []
  for (;;) {
    const attempted = ended.splice(0)
    const free = isOver() ? 0 : PARTITIONS_MAX - underWay.size
    const claims = await dispatch.db.transaction(async (tx) => {
      await saveVerified(tx, attempted, now())
      saveAttempts(tx, registrationId, attempted)
      return free > 0 ? claimDeliveries(tx, registrationId, now(), free) : []
    })
    for (const claimed of claims) {
      const sending: Promise<void> = attemptsOf(dispatch, claimed, now).then((some) => {
        ended.push(...some)
        underWay.delete(sending)
      })
      underWay.add(sending)
    }
    if (ended.length === 0 && underWay.size === 0) return
    if (ended.length === 0) await Promise.race(underWay)
  }
}

/** An answered challenge verifies the address it was sent to; the deliveries that waited for it are claimed next. */
async function saveVerified(tx: Transaction, attempted: readonly Attempted[], at: Date): Promise<void> {
  for (const { claimed, outcome } of attempted) {
    if (claimed.event.type !== 'CHALLENGE' || outcome.status !== 'DELIVERED') continue
    const { registrationId, subscriberId, webhookURI, correlationId } = claimed
    if (!(await markVerified(tx, claimed))) continue
    const entry = { action: 'webhook verified', ids: { registrationId }, after: { webhookURI, status: 'VERIFIED' } }
    recordSubscriberAudit(tx, subscriberId, entry, { correlationId, at })
  }
}

/** More than one attempt only where faults are injected. */
async function attemptsOf(dispatch: Dispatch, claimed: Claimed, now: () => Date): Promise<Attempted[]> {
  const isEvent = claimed.event.workspaceId !== null
  const faults = isEvent ? await dispatch.faults?.(claimed.subscriberId) : undefined
  const overtaking = faults?.isReordered ? await holdBack(dispatch, claimed) : []
  const attempted: Attempted[] = []
  for (const one of [...overtaking, claimed]) attempted.push(await attemptOf(dispatch, one, now))
  const last = attempted.at(-1)
  if (faults?.isDuplicate && last?.outcome.status === 'DELIVERED')
    last.attempts.push(...(await attemptOf(dispatch, claimed, now)).attempts)
  return attempted
}

/** Waits a moment for the next delivery of the same workspace, which is then sent first. */
async function holdBack({ db }: Dispatch, claimed: Claimed): Promise<Claimed[]> {
  const endsAt = performance.now() + HELD_MS_MAX
  for (;;) {
    const next = await claimNext(db, claimed).catch(() => [])
    if (next.length > 0 || performance.now() > endsAt) return next
    await delay(LEASED_POLL_MS)
  }
}

async function attemptOf(dispatch: Dispatch, claimed: Claimed, now: () => Date): Promise<Attempted> {
  const at = now()
  const send = async () => dispatch.send(messageOf(dispatch, claimed), at)
  const sent = await dispatch.watchCall(callOf(claimed), send).catch(() => ({
    at: at.toISOString(),
    durationMs: 0,
    error: 'The delivery could not be made.', // for example, the secret was sealed with another pepper
  }))
  const attempt = checkChallenge(claimed, sent)
  return { claimed, attempts: [attempt], outcome: outcomeOf(attempt, claimed.tries + 1, now(), dispatch.delaysMs) }
}

const callOf = ({ correlationId, registrationId, event, traceparent }: Claimed): Call<Attempt> => ({
  name: `deliver ${event.type}`,
  ...(traceparent !== null && { parent: traceparent }),
  attributes: { 'lodgeway.correlation_id': correlationId, 'lodgeway.registration_id': registrationId },
  // Any other answer than a 2xx is tried again.
  resultOf: ({ status }) => ({ status, isFailed: status === undefined || status < 200 || status > 299 }),
})

function checkChallenge({ event: { data } }: Claimed, attempt: Attempt): Attempt {
  const { challenge } = data
  if (challenge === undefined || attempt.error !== undefined) return attempt
  if (isAnswerTo(challenge, attempt.response ?? '')) return attempt
  return { ...attempt, error: 'The response must be a 2xx whose whole body is `data.challenge`.' }
}

function messageOf({ vault, clock }: Dispatch, claimed: Claimed): Message {
  const { registrationId, subscriberId, event, webhookURI, secret, previousSecret, previousSecretUntil } = claimed
  const isOverlapping = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > clock.now()
  const secrets = [secret, ...(isOverlapping ? [previousSecret] : [])].map((one) => vault.open(one, registrationId))
  const body = JSON.stringify(payloadOf(event, subscriberId))
  return { uri: webhookURI, headers: signedHeaders(secrets, { id: event.eventId, body, sentAt: new Date() }), body }
}
