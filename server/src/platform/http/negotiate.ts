import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { Refusal } from '../errors.ts'

const JSON_TYPE = 'application/json'

/** `Accept` must admit the type of the response, or at least JSON, in which errors are sent. */
export function checkAccept(request: FastifyRequest): void {
  const { accept } = request.headers
  if (accept === undefined || accept === '*/*' || accept === JSON_TYPE) return
  const types = [...(request.route.produces ?? []), JSON_TYPE]
  if (new Negotiator(request.raw).mediaTypes(types).length > 0) return
  throw new Refusal('not_acceptable', [{ field: 'Accept', message: `Accept must admit ${types.join(' or ')}.` }])
}
