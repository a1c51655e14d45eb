import type { components, OPERATIONS, operations } from './schema.ts'

// What openapi.json says, in the shapes in which a caller meets it. Nothing here knows any one operation.

type Table = typeof OPERATIONS

/** The ids in the table whose entry has this trait. */
type IdWith<Trait> = { [Id in keyof Table]: Table[Id] extends Trait ? Id : never }[keyof Table]

/**
 * The schemas of the interface by their names.
 *
 * @example
 * ```ts
 * import type { Schemas } from '@lodgeway/client'
 *
 * const titleOf = (workspace: Schemas['Workspace']) => workspace.titles[0]?.titleNumber
 * ```
 */
export type Schemas = components['schemas']

/**
 * The id of an operation whose answer is a file: for `download` and `downloadTo`.
 *
 * @example
 * ```ts
 * import type { DownloadId } from '@lodgeway/client'
 *
 * const id: DownloadId = 'getReportContent'
 * ```
 */
export type DownloadId = IdWith<{ download: true }>

/**
 * The id of an operation that takes a file: for `upload`.
 *
 * @example
 * ```ts
 * import type { Lodgeway, UploadId } from '@lodgeway/client'
 *
 * const sender = (lodgeway: Lodgeway) => <Id extends UploadId>(id: Id, input: Parameters<typeof lodgeway.upload<Id>>[1]) =>
 *   lodgeway.upload(id, input)
 * ```
 */
export type UploadId = IdWith<{ upload: true }>

/**
 * The id of an operation that speaks JSON in both directions. The client has a method of this name for each.
 *
 * @example
 * ```ts
 * import type { OperationId } from '@lodgeway/client'
 *
 * const id: OperationId = 'getWorkspace'
 * ```
 */
export type OperationId = Exclude<keyof Table, DownloadId | UploadId>

/**
 * The id of an operation that answers page by page: for `pages` and `records`.
 *
 * @example
 * ```ts
 * import type { PagedId } from '@lodgeway/client'
 *
 * const id: PagedId = 'listWorkspaces'
 * ```
 */
export type PagedId = IdWith<{ pages: string }> & OperationId

/** Any operation of the table. */
export type AnyId = keyof Table

/**
 * What every call may be given beside its own parameters.
 *
 * @example
 * ```ts
 * import { type CallOptions, createClient } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * const options: CallOptions = { actingUser: 'jo.marsh@harbour.example', signal: AbortSignal.timeout(10_000) }
 * const workspace = await lodgeway.getWorkspace({ path: { workspace_id: 'ce4c…' }, ...options })
 * ```
 */
export interface CallOptions {
  /** The e-mail address of the person behind this call. Goes before the one of the client. */
  actingUser?: string | undefined
  /** A name of your own for this call. Made where left out; the service logs it, and errors bear it. */
  correlationId?: string | undefined
  /**
   * For a POST: names this one wish, so that it is done once however often it is sent. Made where left out. Give your
   * own where the wish outlives the process, and the same one again after a restart.
   */
  idempotencyKey?: string | undefined
  /** For a PATCH: the `etag` that you read. If there is another by now, the call fails with status 412. */
  ifMatch?: string | undefined
  /** Ends the call, its repeats and the waiting between them. */
  signal?: AbortSignal | undefined
  /** How long one attempt may stay silent, in milliseconds. Goes before the one of the client. */
  timeoutMs?: number | undefined
}

type ParametersOf<Id extends AnyId> = Pick<operations[Id]['parameters'], 'path' | 'query'>

/** `body` as the operation asks for it: required, optional or not at all. */
type BodyOf<Id extends AnyId> = operations[Id] extends { requestBody: { content: infer Content } }
  ? { body: Content extends { 'application/json': infer Body } ? Body : never }
  : operations[Id] extends { requestBody?: never }
    ? { body?: never }
    : operations[Id] extends { requestBody?: { content: { 'application/json': infer Body } } }
      ? { body?: Body }
      : { body?: never }

/**
 * What a call of this operation is given: `path`, `query` and `body` as in the interface, and the {@link CallOptions}.
 *
 * @example
 * ```ts
 * import type { Input } from '@lodgeway/client'
 *
 * const input: Input<'addTitle'> = { path: { workspace_id: 'ce4c…' }, body: { titleNumber: 'ST500678' } }
 * ```
 */
export type Input<Id extends AnyId> = ParametersOf<Id> & BodyOf<Id> & CallOptions

/** The same as an argument, which may be left out where the operation needs nothing. */
export type InputArgument<Id extends AnyId> =
  Record<never, never> extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]

/** The parameters alone, for operations whose body is no JSON. */
export type FileInput<Id extends AnyId> = ParametersOf<Id> & CallOptions

type Success = 200 | 201 | 202 | 204
type AnswerOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : undefined
type ResponsesOf<Id extends AnyId> = operations[Id]['responses']

/**
 * What this operation answers.
 *
 * @example
 * ```ts
 * import type { Result } from '@lodgeway/client'
 *
 * const isOpen = ({ status }: Result<'getWorkspace'>) => status !== 'CLOSED' && status !== 'CANCELLED'
 * ```
 */
export type Result<Id extends AnyId> = {
  [Status in keyof ResponsesOf<Id> & Success]: AnswerOf<ResponsesOf<Id>[Status]>
}[keyof ResponsesOf<Id> & Success]

/** The statuses of this operation that are no success. */
type StatusOf<Id extends AnyId> = Exclude<keyof ResponsesOf<Id>, Success | 206 | 304> & number

/**
 * A status with which a call may fail: of one operation, or of any.
 *
 * @example
 * ```ts
 * import type { ErrorStatus } from '@lodgeway/client'
 *
 * const locked: ErrorStatus<'addTitle'> = 409
 * ```
 */
export type ErrorStatus<Id extends AnyId = AnyId> = Id extends AnyId ? StatusOf<Id> : never

/** One page of this operation, and one record of it. */
export type PageOf<Id extends PagedId> = Result<Id> & { records: unknown[]; nextCursor?: string }
export type RecordOf<Id extends PagedId> = PageOf<Id>['records'][number]

/** The fields of this upload's form, without the file. */
export type FieldsOf<Id extends UploadId> = operations[Id] extends {
  requestBody: { content: { 'multipart/form-data': infer Form } }
}
  ? Omit<Form, 'file'>
  : never
