import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Lodgement, Notice, RequisitionReply } from './lodgement.ts'
import type { OfficialCopy } from './register.ts'

/**
 * The land registry, as the rest of Lodgeway sees it. `REGISTRY` names the adapter behind it: the simulator, or a module
 * with the operator's own certificates. `docs/registry-port.md` says how to write one.
 *
 * The caller may have crashed after asking and before storing the answer. So every call may come again, late, or while
 * another of the same is under way, and must then do no more than it did the first time.
 *
 * What passes by itself is `later`, never an exception: the registry is closed for the night, slow, limits the rate, or
 * fails. What an adapter throws is taken for a bug of its own.
 */
export type Registry = {
  /**
   * Asks for the register of a title. The number has no spaces and is in upper case.
   *
   * Reading changes nothing at the registry but may cost a fee there: an adapter that pays for each copy keeps the
   * answer under the message id and gives the same one to a repeat.
   */
  searchTitle(titleNumber: string, asking: Asking): Promise<SearchOutcome>

  /** Sends a case. However often it is sent under one message id, it is lodged once; what is sent is then the same. */
  lodge(lodgement: Lodgement, asking: Asking & Documents): Promise<LodgeOutcome>

  /** All that the registry has said so far of the lodgement of this message id, in the order in which it happened. */
  notices(asking: Asking): Promise<NoticesOutcome>

  /** Answers a requisition on the lodgement of this message id. Each is answered once, however often it is sent. */
  reply(reply: RequisitionReply, asking: Asking & Documents): Promise<ReplyOutcome>
}

/** What a module that `REGISTRY` names exports as `openRegistry`. It is called once, when a worker starts. */
export type OpenRegistry = (parts: { log: Logger }) => Registry | Promise<Registry>

/**
 * Of a job that asks the registry: however often its worker is killed under it, what was ordered must be searched, what
 * was approved lodged, and what was lodged followed.
 */
export const REGISTRY_JOB_RETRIES = 20

/** The circumstances of one call. Times are of the business clock, which the sandbox moves; an adapter reads no other. */
export type Asking = {
  now: Date
  /** When this was first put to the registry: `now` the first time, and the same in every repeat. */
  firstAskedAt: Date
  /** One for each search and each lodgement, the same in repeats: 5 to 50 letters, digits and hyphens. */
  messageId: string
  /** For logs, at both ends. */
  correlationId: string
}

/** Where the bytes of documents are had from. Whoever opens one reads it to its end or destroys it. */
export type Documents = { open(sha256: string): Promise<{ size: number; stream: Readable }> }

/** No answer yet. To be asked again, not before this moment; it lies after `now`. */
export type Later = { kind: 'later'; askAgainAt: Date }

export type SearchOutcome = ({ kind: 'found' } & OfficialCopy) | { kind: 'failed'; reason: SearchFailure } | Later

/**
 * Final answers other than a register: no such number; a number that was closed, whether or not the land goes on under
 * another; one that is reserved for a registration not yet completed.
 */
export const SEARCH_FAILURES = ['NOT_FOUND', 'CLOSED', 'PENDING_NEW_TITLE'] as const
export type SearchFailure = (typeof SEARCH_FAILURES)[number]

/** Received says no more than that the registry has it. What becomes of it, notices tell. */
export type LodgeOutcome = { kind: 'received' } | Later

/** Left out, `askAgainAt` says that nothing more can come, or not before a requisition is answered. */
export type NoticesOutcome = { notices: Notice[]; askAgainAt?: Date }

/** No longer pending: the lodgement has ended meanwhile, as its notices tell. */
export type ReplyOutcome = { kind: 'received' } | { kind: 'no longer pending' } | Later
