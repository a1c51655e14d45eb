import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { Refusal } from '../errors.ts'

const JSON_TYPE = 'application/json'

/** `Accept` must admit the type of the response, or at least JSON, in which errors are sent. */
export function checkAccept(request: FastifyRequest): void {
  const { accept } = request.headers
  if (accept === undefined || accept === '*/*' || accept === JSON_TYPE) return
  const { produces = [], streams } = request.route
  const types = [...produces, JSON_TYPE, ...(streams ? [streams] : [])]
  if (new Negotiator(request.raw).mediaTypes(types).length > 0) return
  throw new Refusal('not_acceptable', [{ field: 'Accept', message: `Accept must admit ${types.join(' or ')}.` }])
}

/** Whether the caller would rather have this type than JSON. */
export const prefers = (request: FastifyRequest, type: string): boolean =>
  new Negotiator(request.raw).mediaType([JSON_TYPE, type]) === type
