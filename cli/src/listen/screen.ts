import type { Session } from '../session.ts'
import type { FeedEvent } from './place.ts'
import { ATTEMPTS_MAX, type Attempt, type Delivered } from './post.ts'

// What a listener says: one line for each attempt, or with `--json` one object for each event.

export type Screen = {
  attempted(event: FeedEvent, attempt: Attempt): void
  /** Nothing more is sent for it: it was taken or marked as failed, or it is only printed. */
  settled(event: FeedEvent, outcome: Delivered | undefined): void
  connection(connection: { state: 'streaming' | 'polling' | 'lost'; reason?: string }): void
  /** Shows failures alone, or everything again. */
  toggle(): void
}

/** A service that ends a stream is back at once, as a rule, and that is not worth a line. */
const LOST_MS = 1_000

export function createScreen({ print, json, terminal }: Session, isPrinted: boolean): Screen {
  const { line, note, paint, paintNote } = print
  let onlyErrors = false
  let lost: NodeJS.Timeout | undefined
  let isLostSaid = false

  return {
    attempted(event, { status, error, durationMs, number }) {
      const isGood = status !== undefined && status >= 200 && status <= 299
      if (json || (isGood && onlyErrors)) return
      const time = paint('dim', terminal.now().toTimeString().slice(0, 8))
      const answer = paint(isGood ? 'green' : 'red', `${status ?? error}`)
      const next = isGood ? '' : number < ATTEMPTS_MAX ? '  will be sent again' : paint('red', '  marked as failed')
      const matter = event.data.workspaceId?.slice(0, 8) ?? '–'
      line(`${time}  ${event.type.padEnd(30)}  ${matter.padEnd(8)}  → ${answer}  ${durationMs} ms${next}`)
    },

    settled(event, outcome) {
      if (json) {
        const { number: attempts, isDelivered, status, error, durationMs } = outcome ?? {}
        print.jsonLine(outcome ? { event, isDelivered, attempts, status, error, durationMs } : { event })
      } else if (isPrinted) line(JSON.stringify(event, null, 2))
    },

    connection({ state, reason = '' }) {
      if (state === 'lost') {
        lost ??= setTimeout(() => {
          isLostSaid = true
          note(paintNote('yellow', `The connection to the service is lost, and is being made again. ${reason}`))
        }, LOST_MS).unref()
        return
      }
      clearTimeout(lost)
      lost = undefined
      if (isLostSaid) note(paintNote('green', 'Connected again. Nothing was missed.'))
      isLostSaid = false
    },

    toggle() {
      onlyErrors = !onlyErrors
      note(onlyErrors ? 'Only what fails is shown.' : 'Everything is shown.')
    },
  }
}
