import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

export const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'lodgeway-test', AWS_SECRET_ACCESS_KEY: 'lodgeway-test-secret' }
const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = S3_CREDENTIALS

export type S3Server = {
  /** A `BLOB_URL` for this server. */
  url: string
  /** Methods of the requests answered so far, such as `PUT`. */
  answered: string[]
  connections(): Promise<number>
  /** The next requests of this method are answered with 503 SlowDown. */
  slowDown(method: string, times: number): void
  /** Flips a bit of the next body that arrives, as a bad wire would. */
  damageNext(): void
  close(): Promise<void>
}

/**
 * As much of S3 as the blobs need: path-style PUT, GET with one range, HEAD, DELETE and a list, on a folder, in constant memory.
 * It is strict where S3 is: a request must be signed (Signature Version 4) by the known key, body included, and an object
 * appears only when all of its body came and fits what was signed.
 */
export async function startS3(folder: string): Promise<S3Server> {
  await mkdir(folder, { recursive: true })
  const answered: string[] = []
  const planned = { slow: [] as string[], damage: false }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (error instanceof S3Error) refuse(request, response, error)
      else response.destroy(error)
    })
  })

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const method = request.method ?? ''
    answered.push(method)
    const slow = planned.slow.indexOf(method)
    if (slow >= 0) {
      planned.slow.splice(slow, 1)
      throw new S3Error(503, 'SlowDown')
    }
    const error = signatureError(request)
    if (error) throw new S3Error(403, error)
    const path = join(folder, encodeURIComponent(request.url?.split('?')[0] ?? ''))
    if (method === 'PUT') {
      await receive(request, path, takeDamage())
      response.end()
    } else if (method === 'DELETE') {
      await rm(path, { force: true })
      response.writeHead(204).end()
    } else if (method === 'GET' && request.url?.includes('list-type=2')) {
      response.writeHead(200, { 'content-type': 'application/xml' }).end(await list(folder, request.url))
    } else if (method === 'GET' || method === 'HEAD') {
      await send(request, response, path)
    } else throw new S3Error(405, 'MethodNotAllowed')
  }

  function takeDamage(): boolean {
    const { damage } = planned
    planned.damage = false
    return damage
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `s3://bucket/some/prefix?endpoint=http://127.0.0.1:${port}`,
    answered,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    slowDown: (method, times) => planned.slow.push(...Array.from({ length: times }, () => method)),
    damageNext() {
      planned.damage = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function receive(request: IncomingMessage, path: string, damaged: boolean): Promise<void> {
  const part = `${path}.${randomUUID()}`
  const hash = createHash('sha256')
  let size = 0
  async function* measured() {
    for await (const chunk of request) {
      if (damaged && size === 0) chunk[0] ^= 1
      size += chunk.length
      hash.update(chunk)
      yield chunk
    }
  }
  try {
    await pipeline(measured, createWriteStream(part))
    if (size !== Number(request.headers['content-length'])) throw new S3Error(400, 'IncompleteBody')
    if (hash.digest('hex') !== header(request, 'x-amz-content-sha256'))
      throw new S3Error(400, 'XAmzContentSHA256Mismatch')
    await rename(part, path)
  } finally {
    await rm(part, { force: true })
  }
}

async function send(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  const { size } = await stat(path).catch(() => {
    throw new S3Error(404, 'NoSuchKey')
  })
  const asked = /^bytes=(\d+)-(\d+)$/.exec(header(request, 'range'))
  const start = Number(asked?.[1] ?? 0)
  const end = Math.min(Number(asked?.[2] ?? size - 1), size - 1)
  if (asked && start > end) throw new S3Error(416, 'InvalidRange')
  response.writeHead(asked ? 206 : 200, {
    'content-length': end - start + 1,
    ...(asked && { 'content-range': `bytes ${start}-${end}/${size}` }),
  })
  if (request.method === 'HEAD' || size === 0) response.end()
  else await pipeline(createReadStream(path, { start, end }), response).catch(() => {}) // the reader may leave
}

const LIST_MAX = 2 // so that every list has pages

/** Objects in the order of their keys, a page of them. */
async function list(folder: string, url: string): Promise<string> {
  const { pathname, searchParams } = new URL(url, 'http://s3')
  const start = `/${pathname.split('/')[1]}/`
  const keys = (await readdir(folder)).map(decodeURIComponent).filter((path) => path.startsWith(start))
  const [prefix, after] = [searchParams.get('prefix') ?? '', searchParams.get('start-after') ?? '']
  const found = keys.map((path) => path.slice(start.length)).filter((key) => key.startsWith(prefix) && key > after)
  const page = found.sort().slice(0, LIST_MAX)
  const contents = page.map(async (key) => {
    const { size } = await stat(join(folder, encodeURIComponent(start + key)))
    return `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`
  })
  const isTruncated = `<IsTruncated>${found.length > page.length}</IsTruncated>`
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>${isTruncated}${(await Promise.all(contents)).join('')}</ListBucketResult>`
}

const header = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? '')

class S3Error extends Error {
  readonly status: number

  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, message }: S3Error): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${message}</Code><Message>${message}</Message></Error>`
  // A connection with an unread body cannot be used again.
  const headers = request.complete ? {} : { connection: 'close' }
  response.writeHead(status, { 'content-type': 'application/xml', ...headers })
  response.end(request.method === 'HEAD' ? '' : body)
}

const MUST_BE_SIGNED = ['host', 'x-amz-content-sha256', 'x-amz-date']

/** What is wrong with the Signature Version 4 of a request, as S3 names it. The body must be signed too. */
function signatureError(request: IncomingMessage): string | undefined {
  const signed = (name: string) => header(request, name).trim()
  const [, key, scope = '', signedHeaders = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      signed('authorization'),
    ) ?? []
  const names = signedHeaders.split(';')
  if (key !== AWS_ACCESS_KEY_ID) return 'InvalidAccessKeyId'
  if (!MUST_BE_SIGNED.every((name) => names.includes(name))) return 'AccessDenied'
  if (!/^[0-9a-f]{64}$/.test(signed('x-amz-content-sha256'))) return 'AccessDenied'

  const [path = '', query = ''] = (request.url ?? '').split('?')
  const canonical = [
    request.method,
    path,
    query.split('&').sort().join('&'),
    ...names.map((name) => `${name}:${signed(name)}`),
    '',
    signedHeaders,
    signed('x-amz-content-sha256'),
  ].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const toSign = ['AWS4-HMAC-SHA256', signed('x-amz-date'), scope, hash].join('\n')
  const signingKey = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${AWS_SECRET_ACCESS_KEY}`)
  return hmac(signingKey, toSign).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
