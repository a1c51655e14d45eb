import { createClient, type Lodgeway } from '../../client/src/index.ts'
import type { Doors, Session } from './doors.ts'

/** A call to the partner interface that a page was made of. */
export type Call = {
  method: string
  /** From the root of the service, with its query. */
  path: string
  status: number
  ms: number
  body?: string
  ifMatch?: string
  idempotencyKey?: string
}

/**
 * The client in a person's name. It adds each call to `calls`, all with the correlation id of the page. Nothing is tried
 * again: a person who waits wants to know.
 */
export function clientOf(
  { fetchAs, publicUrl }: Pick<Doors, 'fetchAs' | 'publicUrl'>,
  session: Session,
  correlationId: string,
  calls: Call[],
): Lodgeway {
  const fetch = fetchAs(session)
  return createClient({
    baseUrl: publicUrl,
    actingUser: session.person.email,
    retry: { attempts: 1 },
    async fetch(input, init = {}) {
      const headers = new Headers(init.headers)
      headers.set('x-request-correlation-id', correlationId)
      const began = performance.now()
      const response = await fetch(input, { ...init, headers })
      calls.push(callOf(String(input), init, headers, response.status, performance.now() - began))
      return response
    },
  })
}

function callOf(address: string, { method = 'GET', body }: RequestInit, headers: Headers, status: number, ms: number) {
  const { pathname, search } = new URL(address)
  const [ifMatch, idempotencyKey] = [headers.get('if-match'), headers.get('idempotency-key')]
  return {
    method,
    path: pathname + search,
    status,
    ms: Math.round(ms * 10) / 10,
    ...(typeof body === 'string' && { body }),
    ...(ifMatch && { ifMatch }),
    ...(idempotencyKey && { idempotencyKey }),
  } satisfies Call
}
