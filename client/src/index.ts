// The exports of the package. Webhooks, which only a receiver needs, have an entry of their own.
/* biome-ignore-start lint/performance/noBarrelFile: the exports of a package are listed in one place */
export type { Answer, NotModified } from './call.ts'
export { type ClientOptions, createClient, type Lodgeway } from './client.ts'
export { type Download, DownloadError } from './download.ts'
export { ApiError, ConnectionError, type Fault, isApiError, LodgewayError, TokenError } from './errors.ts'
export type { FollowOptions } from './follow.ts'
export type { Progress } from './multipart.ts'
export type { RetryOptions } from './retry.ts'
export type { Saved } from './save.ts'
export type { FileSource } from './source.ts'
export type {
  CallOptions,
  DownloadId,
  ErrorStatus,
  Input,
  OperationId,
  PagedId,
  Result,
  Schemas,
  UploadId,
} from './types.ts'
export type { UploadInput } from './upload.ts'
export { OutcomeError, WaitError, type WaitOptions } from './wait.ts'
/* biome-ignore-end lint/performance/noBarrelFile: the exports of a package are listed in one place */
