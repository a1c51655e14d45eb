import { type About, ConnectionError, LodgewayError } from './errors.ts'
import { type Context, errorOf, perform } from './perform.ts'
import { type RetryPolicy, sleep, waitAfter } from './retry.ts'
import type { Received } from './send.ts'
import { streamOf } from './streams.ts'
import type { DownloadId, FileInput } from './types.ts'

/**
 * A download. Read its `stream`, or cancel it.
 *
 * @example
 * ```ts
 * import { pipeline } from 'node:stream/promises'
 * import { createClient, type Download } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * const path = { report_name: 'report-workspacesummary-todate' } as const
 * const report: Download = await lodgeway.download('getReportContent', { path })
 * await pipeline(report.stream, process.stdout)
 * ```
 */
export interface Download {
  /** The bytes. A lost connection is resumed where it broke off. */
  stream: ReadableStream<Uint8Array>
  /** The number of bytes, where the service says so. */
  size: number | undefined
  /** The service's name for the file. It may contain anything: never use it as a path. */
  fileName: string | undefined
  etag: string | undefined
  /** The SHA-256 of the whole content in hexadecimal digits, where the service sends it. */
  sha256: string | undefined
  headers: Headers
}

/**
 * A download failed: the content changed meanwhile, or what was received is not what was sent.
 *
 * @example
 * ```ts
 * import { createClient, DownloadError } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * const input = { path: { report_name: 'report-workspacesummary-todate' }, to: './summary.csv' } as const
 * await lodgeway.downloadTo('getReportContent', input).catch((error: unknown) => {
 *   if (!(error instanceof DownloadError)) throw error
 *   return lodgeway.downloadTo('getReportContent', input)
 * })
 * ```
 */
export class DownloadError extends LodgewayError {
  override name = 'DownloadError'
}

type Opened = Received & { about: About }
type Ask = (headers: Record<string, string>) => Promise<Opened>

// A compressed response could not be resumed.
const WANTED = { accept: 'application/octet-stream, application/json;q=0.5', 'accept-encoding': 'identity' }

/** Opens a file for reading. */
export async function download<Id extends DownloadId>(
  context: Context,
  id: Id,
  input: FileInput<Id>,
): Promise<Download> {
  const ask: Ask = async (headers) => {
    const done = await perform(context, id, input, { streams: true, headers: { ...WANTED, ...headers } })
    if (!done.response.ok) throw errorOf(done)
    return done
  }
  const first = await ask({})
  const { headers } = first.response
  const length = headers.get('content-length')
  return {
    stream: streamOf(read(first, ask, context.policy, input.signal), () => discard(first)),
    size: length === null ? undefined : Number(length),
    fileName: fileNameOf(headers.get('content-disposition') ?? ''),
    etag: headers.get('etag') ?? undefined,
    sha256: headers.get('x-report-sha256') ?? undefined,
    headers,
  }
}

async function* read(
  first: Opened,
  ask: Ask,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  const etag = first.response.headers.get('etag')
  const size = Number(first.response.headers.get('content-length') ?? Number.NaN)
  let { response, watch } = first
  let offset = 0
  let losses = 0
  for (;;) {
    try {
      for await (const piece of response.body ?? []) {
        // While the reader is busy with a piece, silence is not the service's.
        watch.rest()
        offset += piece.byteLength
        losses = 0
        yield piece
        watch.touch()
      }
      if (Number.isNaN(size) || offset >= size) return
      throw new Error(`The response ended after ${offset} of ${size} bytes.`)
    } catch (error) {
      signal?.throwIfAborted()
      losses += 1
      const canResume = etag !== null && losses < policy.attempts
      if (!canResume) throw new ConnectionError(losses, first.about, error)
    } finally {
      watch.release()
    }
    await sleep(waitAfter(losses, policy), signal)
    ;({ response, watch } = await ask({ range: `bytes=${offset}-`, 'if-range': etag ?? '' }))
    if (isSameContent(response.headers, offset, etag)) continue
    await discard({ response, watch })
    throw new DownloadError('The content changed during the download. Start again.')
  }
}

/** Whether this response continues the content; or, if nothing was received yet, is the same content. */
const isSameContent = (headers: Headers, offset: number, etag: string | null) =>
  headers.get('content-range')?.startsWith(`bytes ${offset}-`) || (offset === 0 && headers.get('etag') === etag)

async function discard({ response, watch }: Received): Promise<void> {
  watch.release()
  await response.body?.cancel()
}

// RFC 6266: the exact name in UTF-8, else the plain one.
export function fileNameOf(disposition: string): string | undefined {
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, token = ''] of disposition.matchAll(PARAMETER)) {
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? token)
  }
  const [, exact] = /^UTF-8'[^']*'(.*)$/i.exec(parameters.get('filename*') ?? '') ?? []
  try {
    if (exact !== undefined) return decodeURIComponent(exact)
  } catch {} // not the UTF-8 that it says it is
  return parameters.get('filename')
}

// Read one after the other, as a quoted value may hold what looks like another parameter.
const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g
