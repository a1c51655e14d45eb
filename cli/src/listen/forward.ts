import type { Sendable, Window } from './window.ts'

// The work of a listener, without a terminal: what is read is sent, and how far it has come is stored.

type Forwarding<Event> = {
  pages: AsyncIterable<{ records: readonly Event[]; nextCursor: string }>
  /** False: it was stopped before the outcome was known. The event is sent again after the next start. */
  send(event: Event): Promise<boolean>
  /** Stores the progress of the window. */
  save(): Promise<void>
  /** Ends `pages`, too. */
  stopping: AbortController
}

export type Forwarder<Event> = {
  /** Reads and sends until the pages end or it is stopped. What is being sent then is waited for. */
  run(): Promise<void>
  /** Sends one again. */
  repeat(event: Event): void
}

/** Reading pauses while so many wait. */
const WAITING_MAX = 500

export function createForwarder<Event extends Sendable>(
  window: Window<Event>,
  { pages, send, save, stopping }: Forwarding<Event>,
): Forwarder<Event> {
  const underWay = new Set<Promise<void>>()

  async function sendNext(): Promise<void> {
    const entry = stopping.signal.aborted ? undefined : window.next()
    if (!entry || !(await send(entry.event))) return
    window.settle(entry)
    await save()
    window.release(entry)
    pump()
  }

  /** As many as may be sent at once. */
  function pump(): void {
    while (!stopping.signal.aborted && window.hasNext()) {
      const sending = sendNext()
        .catch((error: unknown) => stopping.abort(error))
        .finally(() => underWay.delete(sending))
      underWay.add(sending)
    }
  }

  return {
    async run() {
      try {
        pump()
        for await (const page of pages) {
          if (window.add(page)) await save()
          pump()
          while (window.waiting() >= WAITING_MAX && underWay.size > 0) await Promise.race(underWay)
        }
      } catch (error) {
        stopping.abort(error)
      }
      while (underWay.size > 0) await Promise.all(underWay)
      stopping.signal.throwIfAborted()
    },
    repeat(event) {
      window.repeat(event)
      pump()
    },
  }
}
