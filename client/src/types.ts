import type { OPERATIONS } from './operations.ts'
import type { components, operations } from './schema.ts'

// The types of openapi.json in the form that a caller uses. Nothing here depends on a single operation.

type Table = typeof OPERATIONS

/** The ids of the operations with this trait. */
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
 * The id of an operation that returns a file: for `download` and `downloadTo`.
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
 * The id of an operation with JSON in both directions. The client has a method with this name for each.
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
 * The id of an operation that returns pages: for `pages` and `records`.
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
 * The options of every call, beside its own parameters.
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
  /** The e-mail address of the person behind this call. Overrides that of the client. */
  actingUser?: string | undefined
  /** Your own id for this call, which the service logs and errors contain. Default: a random one. */
  correlationId?: string | undefined
  /**
   * For a POST: identifies the request, so that it is done once however often it is sent. Default: a random one. Use your
   * own where the request must survive a restart of your process, and send the same one again.
   */
  idempotencyKey?: string | undefined
  /** For a PATCH: the `etag` that you read. If it has changed since, the call fails with status 412. */
  ifMatch?: string | undefined
  /** Aborts the call, its retries and the waits between them. */
  signal?: AbortSignal | undefined
  /** How long one attempt may be silent, in milliseconds. Overrides that of the client. */
  timeoutMs?: number | undefined
}

type ParametersOf<Id extends AnyId> = Pick<operations[Id]['parameters'], 'path' | 'query'>

/** `body` as the operation defines it: required, optional or none. */
type BodyOf<Id extends AnyId> = operations[Id] extends { requestBody: { content: infer Content } }
  ? { body: Content extends { 'application/json': infer Body } ? Body : never }
  : operations[Id] extends { requestBody?: never }
    ? { body?: never }
    : operations[Id] extends { requestBody?: { content: { 'application/json': infer Body } } }
      ? { body?: Body }
      : { body?: never }

/**
 * The input of this operation: `path`, `query` and `body` as in the interface, and the {@link CallOptions}.
 *
 * @example
 * ```ts
 * import type { Input } from '@lodgeway/client'
 *
 * const input: Input<'addTitle'> = { path: { workspace_id: 'ce4c…' }, body: { titleNumber: 'ST500678' } }
 * ```
 */
export type Input<Id extends AnyId> = ParametersOf<Id> & BodyOf<Id> & CallOptions

/** The same as an argument, which is optional where the operation needs no input. */
export type InputArgument<Id extends AnyId> =
  Record<never, never> extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]

/** The parameters alone, for operations whose body is not JSON. */
export type FileInput<Id extends AnyId> = ParametersOf<Id> & CallOptions

type Success = 200 | 201 | 202 | 204
type AnswerOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : undefined
type ResponsesOf<Id extends AnyId> = operations[Id]['responses']

/**
 * The result of this operation.
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

/** The error statuses of this operation. */
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
