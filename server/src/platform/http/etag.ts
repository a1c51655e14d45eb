import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'

// An ETag is a hash of the representation, so it changes exactly when what the caller sees changes.

export const etagOf = (representation: unknown): string => etagOfText(JSON.stringify(representation))

const etagOfText = (text: string) => `"${hash('sha1', text, 'base64url')}"`

/** Answers a read: 304 where the caller has it already. `of` is what the ETag is of, where that is not all. */
export function sendWithEtag<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: T,
  of: unknown = representation,
): T {
  const text = JSON.stringify(representation) // once, for the hash and for the answer
  const etag = of === representation ? etagOfText(text) : etagOf(of)
  reply.header('etag', etag)
  if (names(request.headers['if-none-match'], etag)) reply.code(304).send()
  else reply.type('application/json; charset=utf-8').send(text)
  return reply as never
}

/** Refuses a change that is based on an old representation. A resource may have several current representations. */
export function checkIfMatch(request: FastifyRequest, ...current: (() => unknown)[]): void {
  const wanted = request.headers['if-match']
  if (wanted === undefined || current.some((one) => names(wanted, etagOf(one())))) return
  const message = 'The resource has changed since it was read. Read it again and repeat the change.'
  throw new Refusal('stale', [{ field: 'If-Match', message }])
}

export function names(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}
