import createFetchClient from 'openapi-fetch'
import { type Answer, call, type NotModified } from './call.ts'
import { type Download, download } from './download.ts'
import { waitForCase, waitForFile, waitForRepresentation, waitForTitleSearch } from './outcomes.ts'
import { pages, records } from './pages.ts'
import type { Context, LooseInput } from './perform.ts'
import { policyOf, type RetryOptions } from './retry.ts'
import type { Saved } from './save.ts'
import { OPERATIONS, type paths } from './schema.ts'
import { createSender } from './send.ts'
import { createTokens } from './token.ts'
import type {
  DownloadId,
  FileInput,
  Input,
  InputArgument,
  OperationId,
  PagedId,
  PageOf,
  RecordOf,
  Result,
  Schemas,
  UploadId,
} from './types.ts'
import { type UploadInput, upload } from './upload.ts'
import { type WaitOptions, waitFor } from './wait.ts'

/**
 * Where the service is and who calls it.
 *
 * @example
 * ```ts
 * import type { ClientOptions } from '@lodgeway/client'
 *
 * const options: ClientOptions = {
 *   baseUrl: 'http://127.0.0.1:8080',
 *   clientId: 'sandbox-law-firm',
 *   clientSecret: 'sandbox-law-firm-secret',
 *   actingUser: 'jo.marsh@harbour.example',
 * }
 * ```
 */
export interface ClientOptions {
  /** The service's address, without the part that begins with `/partner`. */
  baseUrl: string
  clientId: string
  clientSecret: string
  /** The scopes to ask for, with spaces between them. All that were granted where left out. */
  scope?: string | undefined
  /** Where tokens are given: `{baseUrl}/oauth/token` where left out. */
  tokenUrl?: string | undefined
  /** The e-mail address of the person behind the calls, who is then named in timeline and audit. */
  actingUser?: string | undefined
  /** How often to try again. */
  retry?: RetryOptions | undefined
  /** How long one attempt may stay silent, in milliseconds: 60,000. */
  timeoutMs?: number | undefined
  /** Instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
}

/** A method for each operation that speaks JSON, named by its id. */
type Operations = {
  [Id in keyof typeof OPERATIONS as Id & OperationId]: (...input: InputArgument<Id>) => Promise<Result<Id>>
}

/**
 * The client: a method for each operation of the interface, and some for what takes more than one request.
 *
 * @example
 * ```ts
 * import type { Lodgeway } from '@lodgeway/client'
 *
 * const statusOf = async (lodgeway: Lodgeway, workspaceId: string) =>
 *   (await lodgeway.getWorkspace({ path: { workspace_id: workspaceId } })).status
 * ```
 */
export interface Lodgeway extends Operations {
  /** As the operation's own method, but answers with status, headers and etag too. */
  call<Id extends OperationId>(id: Id, input: Input<Id> & { ifNoneMatch: string }): Promise<Answer<Id> | NotModified>
  call<Id extends OperationId>(id: Id, ...input: InputArgument<Id>): Promise<Answer<Id>>
  /** All records of a list, one by one; pages are asked for as they are needed. */
  records<Id extends PagedId>(id: Id, ...input: InputArgument<Id>): AsyncGenerator<RecordOf<Id>, void, void>
  /** The same page by page, with the cursor of each. */
  pages<Id extends PagedId>(id: Id, ...input: InputArgument<Id>): AsyncGenerator<PageOf<Id>, void, void>
  /** Sends a file without holding it in memory. */
  upload<Id extends UploadId>(id: Id, input: UploadInput<Id>): Promise<Result<Id>>
  /** Opens a file of the service as a stream. */
  download<Id extends DownloadId>(id: Id, input: FileInput<Id>): Promise<Download>
  /** Saves a file of the service. What stands at `to` is replaced once all has come and is sound. */
  downloadTo<Id extends DownloadId>(id: Id, input: FileInput<Id> & { to: string }): Promise<Saved>
  /** Reads again and again until `isDone`; throws a `WaitError` when that does not come in time, as all that follow. */
  waitFor<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    isDone: (data: Result<Id>) => boolean,
    options?: WaitOptions,
  ): Promise<Result<Id>>
  /**
   * Until the representation that was accepted stands; throws an `OutcomeError` if it failed. Give it what
   * `addRepresentation` answered.
   */
  waitForRepresentation(
    accepted: { workspaceId: string; partyId: string; representationId?: string },
    options?: WaitOptions,
  ): Promise<Schemas['Representation']>
  /**
   * Until the register has been read; throws an `OutcomeError` if there is none to read. Give it what
   * `createRemortgageWorkspace` or `addTitle` answered.
   */
  waitForTitleSearch(accepted: { workspaceId: string }, options?: WaitOptions): Promise<Schemas['LodgementCaseRecord']>
  /** Until a file that was uploaded has passed its checks; throws an `OutcomeError` if it did not. */
  waitForFile(
    accepted: { workspaceId: string; fileId: string },
    options?: WaitOptions,
  ): Promise<Schemas['WorkspaceFile']>
  /**
   * Until the case has one of these statuses. Name those that you would not wait beyond, too: none of them throws. Throws
   * an `OutcomeError` if the case was cancelled instead.
   */
  waitForCase(
    accepted: { workspaceId: string },
    statuses: readonly Schemas['LodgementCaseRecord']['lodgementCaseStatus'][],
    options?: WaitOptions,
  ): Promise<Schemas['LodgementCaseRecord']>
}

/**
 * Makes a client. Nothing is sent before the first call. One client serves any number of calls at once.
 *
 * @example
 * ```ts
 * import { createClient } from '@lodgeway/client'
 *
 * const lodgeway = createClient({
 *   baseUrl: 'http://127.0.0.1:8080',
 *   clientId: 'sandbox-law-firm',
 *   clientSecret: 'sandbox-law-firm-secret',
 * })
 * for await (const { reference, status } of lodgeway.records('listWorkspaces')) {
 *   process.stdout.write(`${reference}: ${status}\n`)
 * }
 * ```
 */
export function createClient(options: ClientOptions): Lodgeway {
  const context = contextOf(options)
  const spoken = Object.entries(OPERATIONS).filter(([, one]) => !('upload' in one || 'download' in one))
  const methods = spoken.map(([id]) => [
    id,
    async (input?: LooseInput) => (await call(context, id as OperationId, input)).data,
  ])
  const face: Omit<Lodgeway, OperationId> = {
    call: <Id extends OperationId>(id: Id, input?: LooseInput) => call(context, id, input),
    records: (id, input?) => records(context, id, input),
    pages: (id, input?) => pages(context, id, input),
    upload: (id, input) => upload(context, id, input),
    download: (id, input) => download(context, id, input),
    async downloadTo(id, input) {
      const [{ save }, opened] = await Promise.all([import('./save.ts'), download(context, id, input)])
      return save(opened, input.to)
    },
    waitFor: (id, input, isDone, how) => waitFor(context, id, input, isDone, how),
    waitForRepresentation: (accepted, how) => waitForRepresentation(context, accepted, how),
    waitForTitleSearch: (accepted, how) => waitForTitleSearch(context, accepted, how),
    waitForFile: (accepted, how) => waitForFile(context, accepted, how),
    waitForCase: (accepted, statuses, how) => waitForCase(context, accepted, statuses, how),
  }
  return { ...Object.fromEntries(methods), ...face }
}

function contextOf({
  fetch = globalThis.fetch,
  timeoutMs = 60_000,
  retry,
  actingUser,
  ...options
}: ClientOptions): Context {
  const baseUrl = addressOf(options.baseUrl)
  const policy = policyOf(retry)
  const send = createSender(fetch, policy)
  const { clientId, clientSecret, scope, tokenUrl = `${baseUrl}/oauth/token` } = options
  const tokens = createTokens(send, { tokenUrl, clientId, clientSecret, scope }, timeoutMs)
  return { http: createFetchClient<paths>({ baseUrl }), send, tokens, actingUser, timeoutMs, policy }
}

function addressOf(baseUrl: string): string {
  if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '')) {
    throw new TypeError(`baseUrl must be an address such as https://api.example; it is ${JSON.stringify(baseUrl)}.`)
  }
  return baseUrl.replace(/\/+$/, '')
}
