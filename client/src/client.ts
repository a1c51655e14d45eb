import createFetchClient from 'openapi-fetch'
import { type Answer, call, type NotModified } from './call.ts'
import { type Download, download } from './download.ts'
import { type FollowOptions, follow } from './follow.ts'
import { OPERATIONS } from './operations.ts'
import { waitForCase, waitForFile, waitForRepresentation, waitForTitleSearch } from './outcomes.ts'
import { pages, records } from './pages.ts'
import type { Context, LooseInput } from './perform.ts'
import { policyOf, type RetryOptions } from './retry.ts'
import type { Saved } from './save.ts'
import type { paths } from './schema.ts'
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
 * The address of the service and the credentials of the client.
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
  /** Left out, with the secret, where your own `fetch` authenticates the requests. */
  clientId?: string | undefined
  clientSecret?: string | undefined
  /** The scopes to request, separated by spaces. Default: all that the client was granted. */
  scope?: string | undefined
  /** The token endpoint. Default: `{baseUrl}/oauth/token`. */
  tokenUrl?: string | undefined
  /** The e-mail address of the person behind the calls, which timeline and audit then show. */
  actingUser?: string | undefined
  /** How often to retry. */
  retry?: RetryOptions | undefined
  /** How long one attempt may be silent, in milliseconds. Default: 60,000. */
  timeoutMs?: number | undefined
  /** Used instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
}

/** A method for each operation with JSON bodies, named by its id. */
type Operations = {
  [Id in keyof typeof OPERATIONS as Id & OperationId]: (...input: InputArgument<Id>) => Promise<Result<Id>>
}

/**
 * The client: a method for each operation of the interface, and methods for what takes several requests.
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
  /** Like the operation's own method, but also returns status, headers and etag. */
  call<Id extends OperationId>(id: Id, input: Input<Id> & { ifNoneMatch: string }): Promise<Answer<Id> | NotModified>
  call<Id extends OperationId>(id: Id, ...input: InputArgument<Id>): Promise<Answer<Id>>
  /** All records of a list, one by one. Pages are fetched as they are needed. */
  records<Id extends PagedId>(id: Id, ...input: InputArgument<Id>): AsyncGenerator<RecordOf<Id>, void, void>
  /** The same page by page, with the cursor of each. */
  pages<Id extends PagedId>(id: Id, ...input: InputArgument<Id>): AsyncGenerator<PageOf<Id>, void, void>
  /**
   * The feed, page by page as events are published, without end: as a stream, or by polling where no stream gets through.
   * Lost connections are made again, and nothing is missed. Store `nextCursor` once the events of a page are processed.
   */
  follow(options?: FollowOptions): AsyncGenerator<Result<'readEvents'>, void, void>
  /** Sends a file without holding it in memory. */
  upload<Id extends UploadId>(id: Id, input: UploadInput<Id>): Promise<Result<Id>>
  /** Opens a file of the service as a stream. */
  download<Id extends DownloadId>(id: Id, input: FileInput<Id>): Promise<Download>
  /** Saves a file of the service. The file at `to` is replaced when the download is complete and verified. */
  downloadTo<Id extends DownloadId>(id: Id, input: FileInput<Id> & { to: string }): Promise<Saved>
  /** Polls until `isDone`. Like the methods below, it throws a `WaitError` when the time is over. */
  waitFor<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    isDone: (data: Result<Id>) => boolean,
    options?: WaitOptions,
  ): Promise<Result<Id>>
  /**
   * Waits until the representation is active. Throws an `OutcomeError` if it failed. Pass the result of
   * `addRepresentation`.
   */
  waitForRepresentation(
    accepted: { workspaceId: string; partyId: string; representationId?: string },
    options?: WaitOptions,
  ): Promise<Schemas['Representation']>
  /**
   * Waits until the register has been read. Throws an `OutcomeError` if the search failed. Pass the result of
   * `createRemortgageWorkspace` or `addTitle`.
   */
  waitForTitleSearch(accepted: { workspaceId: string }, options?: WaitOptions): Promise<Schemas['LodgementCaseRecord']>
  /** Waits until an uploaded file has passed its checks. Throws an `OutcomeError` if it did not. */
  waitForFile(
    accepted: { workspaceId: string; fileId: string },
    options?: WaitOptions,
  ): Promise<Schemas['WorkspaceFile']>
  /**
   * Waits until the case has one of these statuses. Include those after which waiting makes no sense: none of them
   * throws. Throws an `OutcomeError` if the case was cancelled instead.
   */
  waitForCase(
    accepted: { workspaceId: string },
    statuses: readonly Schemas['LodgementCaseRecord']['lodgementCaseStatus'][],
    options?: WaitOptions,
  ): Promise<Schemas['LodgementCaseRecord']>
}

/**
 * Creates a client. Nothing is sent before the first call. One client can make any number of calls at once.
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
  const jsonOperations = Object.entries(OPERATIONS).filter(([, one]) => !('upload' in one || 'download' in one))
  const operations = jsonOperations.map(([id]) => [
    id,
    async (input?: LooseInput) => (await call(context, id as OperationId, input)).data,
  ])
  const methods: Omit<Lodgeway, OperationId> = {
    call: <Id extends OperationId>(id: Id, input?: LooseInput) => call(context, id, input),
    records: (id, input?) => records(context, id, input),
    pages: (id, input?) => pages(context, id, input),
    follow: (options) => follow(context, options),
    upload: (id, input) => upload(context, id, input),
    download: (id, input) => download(context, id, input),
    async downloadTo(id, input) {
      const [{ save }, opened] = await Promise.all([import('./save.ts'), download(context, id, input)])
      return save(opened, input.to)
    },
    waitFor: (id, input, isDone, options) => waitFor(context, id, input, isDone, options),
    waitForRepresentation: (accepted, options) => waitForRepresentation(context, accepted, options),
    waitForTitleSearch: (accepted, options) => waitForTitleSearch(context, accepted, options),
    waitForFile: (accepted, options) => waitForFile(context, accepted, options),
    waitForCase: (accepted, statuses, options) => waitForCase(context, accepted, statuses, options),
  }
  return { ...Object.fromEntries(operations), ...methods }
}

function contextOf({
  fetch = globalThis.fetch,
  timeoutMs = 60_000,
  retry,
  actingUser,
  ...options
}: ClientOptions): Context {
  const baseUrl = baseUrlOf(options.baseUrl)
  const policy = policyOf(retry)
  const send = createSender(fetch, policy)
  const { clientId, clientSecret, scope, tokenUrl = `${baseUrl}/oauth/token` } = options
  const hasCredentials = clientId !== undefined && clientSecret !== undefined
  if (!hasCredentials && fetch === globalThis.fetch) {
    throw new TypeError('clientId and clientSecret are needed, unless your own fetch authenticates the requests.')
  }
  const tokens = hasCredentials ? createTokens(send, { tokenUrl, clientId, clientSecret, scope }, timeoutMs) : undefined
  return { baseUrl, http: createFetchClient<paths>({ baseUrl }), send, tokens, actingUser, timeoutMs, policy }
}

function baseUrlOf(baseUrl: string): string {
  if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : '')) {
    throw new TypeError(`baseUrl must be an address such as https://api.example; it is ${JSON.stringify(baseUrl)}.`)
  }
  return baseUrl.replace(/\/+$/, '')
}
