import { setTimeout as delay } from 'node:timers/promises'
import { signWebhook } from '../../../client/src/webhooks.ts'
import type { FeedEvent } from './place.ts'

// Sends as the service does: the same bytes, headers and limits. Only the waits between attempts are shorter.

export type Attempt = { number: number; status?: number; durationMs: number; error?: string }
export type Delivered = Attempt & { isDelivered: boolean }

const RESPONSE_MS_MAX = 5_000
const RETRY_MS = [200, 500, 1_000, 2_000, 4_000]
export const ATTEMPTS_MAX = RETRY_MS.length + 1

type Target = {
  address: string
  secret: string
  onAttempt?(event: FeedEvent, attempt: Attempt): void
  /** After each failed attempt but the last. */
  waitsMs?: readonly number[]
}

/** Sends an event until it is taken, at most six times. Undefined if it was aborted: then it is unknown. */
export async function deliver(
  { address, secret, onAttempt, waitsMs = RETRY_MS }: Target,
  event: FeedEvent,
  signal: AbortSignal,
): Promise<Delivered | undefined> {
  for (let number = 1; ; number += 1) {
    const attempt = { number, ...(await post(address, secret, event)) }
    onAttempt?.(event, attempt)
    const { status = 0 } = attempt
    if (status >= 200 && status <= 299) return { ...attempt, isDelivered: true }
    const wait = waitsMs[number - 1]
    if (wait === undefined) return { ...attempt, isDelivered: false }
    // Half of it random, so that a receiver that fails at regular intervals takes it in the end.
    const isOver = await delay(wait * (0.5 + Math.random() / 2), false, { signal }).catch(() => true)
    if (isOver) return undefined
  }
}

async function post(address: string, secret: string, event: FeedEvent): Promise<Omit<Attempt, 'number'>> {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  const body = JSON.stringify(event)
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        ...signWebhook({ secret, id: event.id, body }),
        'content-type': 'application/json',
        'user-agent': 'Lodgeway-Webhooks/1',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(RESPONSE_MS_MAX),
    })
    await response.body?.cancel()
    return { status: response.status, durationMs: took() }
  } catch (error) {
    return { durationMs: took(), error: sentenceOf(error) }
  }
}

function sentenceOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  if (name === 'TimeoutError') return `no answer within ${RESPONSE_MS_MAX / 1_000} s`
  if (cause?.code === 'ECONNREFUSED') return 'nothing listens there'
  return cause?.message || message
}
