import type { FastifyRequest } from 'fastify'
import type { Actor } from '../audit/record.ts'
import type { Clock } from '../platform/jobs/clock.ts'

/** The actor of a request: the client, and who signed in or is stated in `X-Acting-User`. */
export function actorOf(request: FastifyRequest, clock: Clock): Actor {
  const person = request.caller?.person?.email ?? request.operator?.email ?? request.headers['x-acting-user']
  return {
    ...(request.operator ? { clientId: request.operator.clientId } : {}),
    ...(request.caller ? { clientId: request.caller.clientId, subscriberId: request.caller.subscriberId } : {}),
    ...(typeof person === 'string' ? { actingUser: person } : {}),
    correlationId: request.id,
    at: clock.now(),
  }
}
