import type { Schemas } from '../../../client/src/index.ts'
import type { Session } from '../doors.ts'
import { TASK_WORDS, WAIT_WORDS, WHO_WORDS } from '../words.ts'
import { html, type Markup } from './html.ts'
import { day, daysBetween } from './time.ts'

// Whose turn it is, as the reader sees it.

export type Turn = Schemas['Turn']
export type Who = Turn['who']

const URGENT_DAYS = 2

export const isOurs = ({ person: { subscriber } }: Session, who: Who): boolean => subscriber?.kind === who

/** "your firm", "the registry" */
export const whoOf = (session: Session, who: Who): string =>
  isOurs(session, who) ? (who === 'LENDER' ? 'you, the lender' : 'your firm') : WHO_WORDS[who]

/** What is to be done, in red where it is urgent. Of the registry's turn, what it waits for. */
export function taskTag({ task, who, registryWait }: Turn, session: Session): Markup {
  if (registryWait) return html`<span class="tag is-warn">${WAIT_WORDS[registryWait]}</span>`
  const { todo, isUrgent } = TASK_WORDS[task]
  const tone = !isOurs(session, who) ? '' : isUrgent ? 'is-bad' : 'is-warn'
  return html`<span class="tag ${tone}">${todo}</span>`
}

/** The date, red when it is near or has passed. */
export function dueTag(dueAt: string | undefined, now: Date): Markup {
  if (dueAt === undefined) return html`–`
  const days = daysBetween(now, dueAt)
  if (days > URGENT_DAYS) return day(dueAt)
  return html`<span class="tag is-bad">${day(dueAt)}${days < 0 && ', overdue'}</span>`
}
