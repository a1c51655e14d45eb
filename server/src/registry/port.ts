import type { OfficialCopy } from './register.ts'

/**
 * The land registry, as the rest of Lodgeway sees it. The simulator stands behind it in the sandbox; an adapter with the
 * operator's own certificates stands behind it everywhere else. `docs/registry-port.md` says how to write one.
 *
 * Whoever calls may have crashed after asking and before keeping the answer. So every call may come again, late, or while
 * another of the same is under way, and must then do no more than it did the first time.
 */
export type Registry = {
  /**
   * Asks for the register of a title. The number has no spaces and is in upper case.
   *
   * Reading changes nothing at the registry but may cost a fee there: an adapter that pays for each copy keeps the
   * answer under the message id and gives the same one to a repeat.
   *
   * What mends itself is `later`, never an exception: the registry is shut for the night, slow, limits the rate, or errs.
   * What it throws is taken for a fault of the adapter.
   */
  searchTitle(titleNumber: string, asking: Asking): Promise<SearchOutcome>
}

/** The circumstances of one call. Times are of the business clock, which the sandbox moves; an adapter reads no other. */
export type Asking = {
  now: Date
  /** When this search was first put to the registry: `now` the first time, and the same in every repeat. */
  firstAskedAt: Date
  /** One for each search, the same in its repeats: 5 to 50 letters, digits and hyphens, as the registry takes them. */
  messageId: string
  /** For logs, at both ends. */
  correlationId: string
}

export type SearchOutcome =
  | ({ kind: 'found' } & OfficialCopy)
  | { kind: 'failed'; reason: SearchFailure }
  /** No answer yet. To be asked again, not before this moment; it lies after `now`. */
  | { kind: 'later'; askAgainAt: Date }

/**
 * Final answers other than a register: no such number; a number that was closed, whether or not the land goes on under
 * another; one that is reserved for a registration not yet completed.
 */
export type SearchFailure = 'NOT_FOUND' | 'CLOSED' | 'PENDING_NEW_TITLE'
