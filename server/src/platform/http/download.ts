import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Blobs, ByteRange } from '../blobs/blobs.ts'
import { Refusal } from '../errors.ts'
import { names } from './etag.ts'

export type Download = { sha256: string; size: number; fileName: string }

/** Streams stored bytes as an attachment: with length, ETag, 304 and byte ranges. */
export async function sendBlob(
  request: FastifyRequest,
  reply: FastifyReply,
  blobs: Blobs,
  { sha256, size, fileName }: Download,
): Promise<FastifyReply> {
  const etag = `"${sha256}"`
  reply.header('etag', etag).header('accept-ranges', 'bytes')
  if (names(request.headers['if-none-match'], etag)) return reply.code(304).send()
  const range = isStillTheSame(request, etag) ? readRange(request.headers.range, size) : undefined
  // A HEAD gets an empty stream, which leaves the length as it is set.
  const { stream } = request.method === 'HEAD' ? { stream: Readable.from([]) } : await blobs.open(sha256, range)
  reply.type('application/octet-stream').header('content-disposition', disposition(fileName))
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  reply.header('content-length', String(range ? range.end - range.start + 1 : size))
  return reply.send(stream)
}

const isStillTheSame = (request: FastifyRequest, etag: string) => {
  const condition = request.headers['if-range']
  return condition === undefined || condition === etag
}

/** One range is served. Several at once, or a malformed range, get the whole content (RFC 9110, 14.2). */
export function readRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start < size && start <= end && !(first === '' && Number(last) === 0)) return { start, end }
  throw new Refusal(
    'range_not_satisfiable',
    [{ field: 'Range', message: `Range must lie within the ${size} bytes of the content.` }],
    { 'content-range': `bytes */${size}` },
  )
}

// RFC 6266: a plain name for every client, and the exact one in UTF-8 if they differ. Some clients decode percent signs.
export function disposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(fileName).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return plain === fileName
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
