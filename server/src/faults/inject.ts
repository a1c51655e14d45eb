import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { badToken } from '../auth/guard.ts'
import { Refusal } from '../platform/errors.ts'
import type { App } from '../platform/http/http.ts'
import type { Faults } from './follow.ts'
import { altered, type CountedFault } from './rules.ts'

declare module 'fastify' {
  interface FastifyRequest {
    faults: readonly CountedFault[]
  }
}

/** Requests that wait at once on a node. More are not delayed, so that no client can stop it. */
const DELAYED_MAX = 100
const RETRY_AFTER_SECONDS = 1
const DELAY_MS = 1_000
const INJECTED = 'Injected by /sandbox/v1/faults.'
const NONE: readonly CountedFault[] = []

/** Injects faults into the requests of clients. Must be added after the guard, so that they count in the rate limit. */
export function addFaults(app: App, faults: Faults): (request: FastifyRequest, clientId: string) => Promise<void> {
  const closing = new AbortController()
  let delayed = 0

  async function inject(request: FastifyRequest, clientId: string): Promise<void> {
    const { method, route, headers } = request
    const occasion = { operation: route.operationId ?? '', method }
    request.faults = await faults.drawFor(clientId, occasion, headers.authorization)
    const names = request.faults.map(({ kind }) => kind).join(', ')
    if (names === '') return
    request.injectedFault = names
    for (const fault of request.faults) {
      if (fault.kind === 'DELAY' && delayed < DELAYED_MAX) {
        delayed += 1
        await delay(fault.delayMs ?? DELAY_MS, undefined, { signal: closing.signal }).catch(() => {})
        delayed -= 1
      }
      const refusal = refusalOf(fault)
      if (refusal) throw refusal
    }
  }

  app.decorateRequest('faults')
  app.addHook('preClose', async () => closing.abort())
  app.addHook('onRequest', (request, _, done) => {
    request.faults = NONE
    const { caller, route } = request
    // Neither people of the console, nor what the sandbox itself sends, nor the log, by which the result is read.
    if (!caller || !faults.has(caller.clientId) || route.unlogged || !(request.raw.socket instanceof Socket))
      return done()
    inject(request, caller.clientId).then(() => done(), done)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const { faults: met = NONE, injectedFault } = request
    if (injectedFault === undefined) return done()
    reply.header('x-injected-fault', injectedFault)
    if (met.some(({ kind }) => kind === 'LOST_ANSWER')) loseAnswer(request, reply)
    if (typeof payload !== 'string' || reply.statusCode >= 300) return done(null, payload)
    done(null, altered(payload, met))
  })
  return async (request, clientId) => {
    if (faults.has(clientId)) await inject(request, clientId)
  }
}

function refusalOf({ kind, retryAfterSeconds = RETRY_AFTER_SECONDS }: CountedFault): Refusal | undefined {
  const headers = { 'retry-after': String(retryAfterSeconds) }
  if (kind === 'UNAVAILABLE')
    return new Refusal('unavailable', [{ message: `The service is not available. ${INJECTED}` }], headers)
  if (kind === 'TOO_MANY') return new Refusal('too_many', [{ message: `Too many requests. ${INJECTED}` }], headers)
  return kind === 'EXPIRED_TOKEN' ? badToken(`The access token is not valid or has expired. ${INJECTED}`) : undefined
}

/** The work is done. An answer that cannot be sent never finishes, but the log and the metrics wait for its end. */
function loseAnswer({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('close', () => reply.raw.emit('finish'))
  raw.socket.destroy()
}
