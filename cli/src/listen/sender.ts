import type { FeedEvent } from './place.ts'
import { deliver } from './post.ts'
import type { Screen } from './screen.ts'
import type { Failed } from './state.ts'

type Sending = {
  /** Undefined: events are only printed. */
  address: string | undefined
  secret: string
  screen: Pick<Screen, 'attempted' | 'settled'>
  signal: AbortSignal
  failed: readonly Failed[]
}

export type Sender = {
  /** `unknown`: it was stopped meanwhile. */
  send(event: FeedEvent): Promise<'delivered' | 'failed' | 'unknown'>
  /** The last one that was sent. */
  last(): FeedEvent | undefined
  /** Those that were not taken, and not since. */
  failed(): readonly Failed[]
}

export function createSender({ address, secret, screen, signal, failed: before }: Sending): Sender {
  let failed = before
  let last: FeedEvent | undefined

  return {
    async send(event) {
      if (address === undefined) {
        screen.settled(event, undefined)
        last = event
        return 'delivered'
      }
      const outcome = await deliver({ address, secret, onAttempt: screen.attempted }, event, signal)
      if (!outcome) return 'unknown'
      last = event
      failed = failed.filter(({ id }) => id !== event.id)
      screen.settled(event, outcome)
      if (outcome.isDelivered) return 'delivered'
      const { id, type } = event
      failed = [...failed, { id, type, reason: outcome.error ?? `status ${outcome.status}` }]
      return 'failed'
    },
    last: () => last,
    failed: () => failed,
  }
}
