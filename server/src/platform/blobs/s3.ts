import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { unavailable } from '../errors.ts'
import { type BlobStore, hashIn } from './blobs.ts'
import type { Staged } from './spool.ts'
import type { BlobLocation } from './url.ts'

const ATTEMPTS_MAX = 3
const PAUSE_MS = 200
const CONNECT_MS_MAX = 3_000
const ANSWER_MS_MAX = 5_000
const IDLE_MS_MAX = 30_000
const UPLOAD_MS_MAX = 10 * 60_000
const CHECK_MS_MAX = 3_000
const SOCKETS_MAX = 100

/**
 * A bucket of S3, or of a compatible store. Needs s3:GetObject, s3:PutObject and s3:DeleteObject below the prefix, and
 * s3:ListBucket, without which S3 does not distinguish a missing object from a forbidden one.
 * The AWS SDK finds the credentials: environment, profile, or the machine's role.
 */
export function openS3Store({ bucket, prefix, ...location }: BlobLocation & { kind: 's3' }): BlobStore {
  const client = openClient(location)
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key })
  let checkedByWriting = false

  const sizeOf = async (key: string, abortSignal?: AbortSignal): Promise<number | undefined> => {
    try {
      const found = await client.send(new HeadObjectCommand(at(key)), abortSignal ? { abortSignal } : {})
      return found.ContentLength
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      throw error
    }
  }

  const listPage = (StartAfter: string) =>
    reached(() => client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, StartAfter })))

  return {
    async prepare() {},

    put: (key, staged) =>
      reached(async () => {
        if ((await sizeOf(key)) !== staged.size) await upload(client, at(key), staged)
      }),

    open: (key, range) =>
      reached(async () => {
        const Range = range && `bytes=${range.start}-${range.end}`
        const found = await client.send(new GetObjectCommand({ ...at(key), Range })).catch((error) => {
          if (statusOf(error) === 404 && error.name !== 'NoSuchBucket')
            throw new Error(`The blob ${key} is missing from its bucket.`, { cause: error })
          if (statusOf(error) === 416) throw new RangeError(`The blob ${key} has no byte at ${range?.start}.`)
          throw error
        })
        const size = Number(range ? found.ContentRange?.split('/')[1] : found.ContentLength)
        if (!Number.isSafeInteger(size)) throw new Error(`The bucket does not say the size of the blob ${key}.`)
        return { size, stream: found.Body as Readable }
      }),

    remove: (key) =>
      reached(async () => {
        await client.send(new DeleteObjectCommand(at(key)))
      }),

    async *list(after) {
      for (let last: string | undefined = prefix + after; last !== undefined; ) {
        const { Contents: objects = [], IsTruncated: isMore } = await listPage(last)
        for (const { Key = '', Size = 0 } of objects) {
          const sha256 = hashIn(Key.slice(prefix.length))
          if (sha256 !== undefined) yield { sha256, size: Size }
        }
        last = isMore ? objects.at(-1)?.Key : undefined
      }
    },

    // Each process writes it once and then only looks for it, which costs a tenth and leaves no versions behind.
    check: () =>
      reached(async () => {
        const abortSignal = AbortSignal.timeout(CHECK_MS_MAX)
        if (checkedByWriting && (await sizeOf('check', abortSignal)) !== undefined) return
        await client.send(new PutObjectCommand({ ...at('check'), Body: 'ready' }), { abortSignal })
        checkedByWriting = true
      }),

    close: () => client.destroy(),
  }
}

type Endpoint = { endpoint: string | undefined; region: string | undefined; forcePathStyle: boolean }

function openClient({ endpoint, region = endpoint && 'us-east-1', forcePathStyle }: Endpoint): S3Client {
  const agent = { keepAlive: true, maxSockets: SOCKETS_MAX }
  return new S3Client({
    ...(endpoint && { endpoint }),
    ...(region && { region }),
    forcePathStyle,
    maxAttempts: ATTEMPTS_MAX,
    // Some stores refuse the newer checksums. Ours is in the signature, which all of them verify.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false, // it would open another connection for each upload
    requestHandler: {
      connectionTimeout: CONNECT_MS_MAX,
      requestTimeout: ANSWER_MS_MAX,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_MS_MAX,
      httpAgent: agent,
      httpsAgent: agent,
    },
    logger: SILENT, // otherwise it writes warnings to the console about what we retry
  })
}

// The SDK cannot rewind a stream, so it does not retry it: that is done here, each time with a new stream.
async function upload(client: S3Client, object: { Bucket: string; Key: string }, staged: Staged): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const aborted = new AbortController()
    const body = createReadStream(staged.path).on('error', (error) => aborted.abort(error))
    const command = new PutObjectCommand({ ...object, Body: body, ContentLength: staged.size })
    command.middlewareStack.add(
      (next) => (args) => {
        Object.assign((args.request as { headers: Record<string, string> }).headers, {
          'x-amz-content-sha256': staged.sha256,
        })
        return next(args)
      },
      { step: 'build' },
    )
    try {
      await client.send(command, { abortSignal: aborted.signal, requestTimeout: UPLOAD_MS_MAX })
      return
    } catch (error) {
      if (body.errored) throw body.errored
      if (!isPassing(error) || attempt === ATTEMPTS_MAX) throw error
      await pause(PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2))
    } finally {
      body.destroy()
    }
  }
}

async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isPassing(error)) throw error
    const refusal = unavailable('The file store cannot be reached at the moment. Please try again.')
    throw Object.assign(refusal, { cause: error })
  }
}

// Errors that may be gone in a moment: no answer, a late answer, or an error of the store.
function isPassing(error: unknown): boolean {
  const { code = '', name = '' } = error as { code?: string; name?: string }
  const status = statusOf(error) ?? 0
  return status >= 500 || status === 429 || UNANSWERED.test(code) || /^(Timeout|Abort)Error$|^RequestTimeout/.test(name)
}

const UNANSWERED = /^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/

const statusOf = (error: unknown) => (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode

const nothing = () => {}
const SILENT = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing }
