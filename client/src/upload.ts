import { multipartOf, type Progress } from './multipart.ts'
import { type Context, errorOf, perform } from './perform.ts'
import { type FileSource, openSource } from './source.ts'
import type { FieldsOf, FileInput, Result, UploadId } from './types.ts'

/**
 * The input of an upload: the file, the fields of its form, and the path.
 *
 * @example
 * ```ts
 * import { createClient } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * const { fileId } = await lodgeway.upload('uploadFile', {
 *   path: { workspace_id: 'ce4c…' },
 *   fields: { documentType: 'MORTGAGE_OFFER', documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' },
 *   file: './offer.pdf',
 *   onProgress: ({ sentBytes, totalBytes }) => process.stdout.write(`\r${sentBytes} of ${totalBytes} bytes`),
 * })
 * ```
 */
export type UploadInput<Id extends UploadId> = FileInput<Id> & {
  file: FileSource
  fields: FieldsOf<Id>
  /** Default: the name of the file at the path, otherwise `document.pdf`. */
  fileName?: string | undefined
  /** The length of a stream in bytes, if you know it. It is then sent as `Content-Length`. */
  size?: number | undefined
  onProgress?: ((progress: Progress) => void) | undefined
}

type LooseUpload = FileInput<never> & {
  file: FileSource
  fields: Record<string, unknown>
  fileName?: string
  size?: number
  onProgress?: (progress: Progress) => void
}

/** Sends a file without holding it in memory. */
export async function upload<Id extends UploadId>(
  context: Context,
  id: Id,
  input: UploadInput<Id>,
): Promise<Result<Id>> {
  const { file, fields, fileName, size, onProgress, ...rest } = input as unknown as LooseUpload
  const source = await openSource(file)
  const { body, headers } = multipartOf({
    fields,
    file: { ...source, size: source.size ?? size },
    fileName: fileName ?? source.fileName ?? 'document.pdf',
    onProgress,
  })
  const done = await perform(context, id, rest, { body, headers })
  if (!done.response.ok) throw errorOf(done)
  return done.data as Result<Id>
}
