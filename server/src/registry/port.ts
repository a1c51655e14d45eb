import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { WAIT_REASONS } from '../workspaces/status.ts'
import type { RegistryDocument } from './documents.ts'
import type { Lodgement, Notice, RequisitionReply } from './lodgement.ts'
import type { OfficialCopy } from './register.ts'

/**
 * The land registry, as the rest of Lodgeway sees it. `REGISTRY` names the adapter: the simulator, or a module with the
 * operator's certificates. `docs/registry-port.md` explains how to write one.
 *
 * The caller may have crashed after the call and before storing its result. So every call may be repeated, late, or while
 * the first is still running, and must then do no more than the first time.
 *
 * A problem that passes by itself is `later`, never an exception: the registry is closed for the night, slow, limits the
 * rate, or fails. An exception of an adapter is treated as a bug in it.
 */
export type Registry = {
  /**
   * Asks for the register of a title. The number has no spaces and is in upper case.
   *
   * Reading changes nothing at the registry but may cost a fee there: an adapter that pays for each copy stores the
   * result under the message id and returns the same one to a repeat.
   */
  searchTitle(titleNumber: string, call: RegistryCall): Promise<SearchOutcome>

  /** Sends a case. However often it is sent under one message id, it is lodged once. Its content never differs. */
  lodge(lodgement: Lodgement, call: RegistryCall & Documents): Promise<LodgeOutcome>

  /** All notices of the registry so far about the lodgement with this message id, oldest first. */
  notices(call: RegistryCall): Promise<NoticesOutcome>

  /** Answers a requisition on the lodgement with this message id. It counts once, however often it is sent. */
  reply(reply: RequisitionReply, call: RegistryCall & Documents): Promise<ReplyOutcome>

  /** Opens a document that a search or a notice named. The caller reads the stream to its end or destroys it. */
  openDocument?(document: RegistryDocument, call: RegistryCall): Promise<DocumentOutcome>
}

/** The export `openRegistry` of the module that `REGISTRY` names. It is called once, when a worker starts. */
export type OpenRegistry = (parts: { log: Logger }) => Registry | Promise<Registry>

/**
 * For jobs that call the registry: however often their worker is killed, every requested search, approved lodgement and
 * follow-up must still happen.
 */
export const REGISTRY_JOB_RETRIES = 20

/** The context of one call. Times are on the business clock, which the sandbox moves; an adapter uses no other clock. */
export type RegistryCall = {
  now: Date
  /** When this was first sent to the registry: `now` the first time, and the same in every repeat. */
  firstAskedAt: Date
  /** One for each search and each lodgement, the same in repeats: 5 to 50 letters, digits and hyphens. */
  messageId: string
  /** The law firm that asks or lodges. An adapter uses its account at the registry. */
  lawFirmId: string
  /** Our reference for the matter, 1 to 25 characters, which the registry uses when it writes to us. */
  customerReference: string
  /** For logs, at both ends. */
  correlationId: string
}

/** Opens the bytes of documents. The caller must read a stream to its end or destroy it. */
export type Documents = { open(sha256: string): Promise<{ size: number; stream: Readable }> }

export type WaitReason = (typeof WAIT_REASONS)[number]

/** No result yet. Call again, not before this time, which is after `now`. A registry that is only slow needs no reason. */
export type Later = { kind: 'later'; askAgainAt: Date; because?: WaitReason | undefined }

export type SearchOutcome =
  | ({ kind: 'found'; documents?: RegistryDocument[] } & OfficialCopy)
  | { kind: 'failed'; reason: SearchFailure }
  | Later

/**
 * Final results other than a register: no such number; a number that was closed, whether or not the land has another; a
 * number reserved for a registration that is not completed yet; a title of a class that cannot be charged to a lender.
 */
export const SEARCH_FAILURES = ['NOT_FOUND', 'CLOSED', 'PENDING_NEW_TITLE', 'NOT_SUPPORTED'] as const
export type SearchFailure = (typeof SEARCH_FAILURES)[number]

/** `received` means only that the registry has it. Notices report what happens to it. */
export type LodgeOutcome = { kind: 'received' } | Later

/** Without `askAgainAt` nothing more can come, or not before a requisition is answered or closed. */
export type NoticesOutcome = { notices: Notice[]; askAgainAt?: Date; because?: WaitReason | undefined }

/** `no longer pending`: the lodgement has ended meanwhile; its notices say how. */
export type ReplyOutcome = { kind: 'received' } | { kind: 'no longer pending' } | Later

export type DocumentOutcome = { kind: 'opened'; stream: Readable } | Later
