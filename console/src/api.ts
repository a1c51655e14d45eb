import { createClient, type DownloadId, type Lodgeway, type UploadId } from '../../client/src/index.ts'
import { OPERATIONS } from '../../client/src/operations.ts'
import { errorOf } from '../../client/src/perform.ts'
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

/** Passes a form with a file on to an operation while it arrives. Throws what a call of the client would. */
export type Forward = (
  id: UploadId,
  path: Readonly<Record<string, string>>,
  form: { body: ReadableStream<Uint8Array>; contentType: string; length: string | null; idempotencyKey: string },
) => Promise<void>

/** A file of the interface as it was answered, to be sent on. Throws what a call of the client would. */
export type Retrieve = (id: DownloadId, path: Readonly<Record<string, string>>) => Promise<Response>

/**
 * The client in a person's name. It adds each call to `calls`, all with the correlation id of the page. Nothing is tried
 * again: a person who waits wants to know.
 */
export function clientOf(
  { fetchAs, publicUrl }: Pick<Doors, 'fetchAs' | 'publicUrl'>,
  session: Session,
  correlationId: string,
  calls: Call[],
): { api: Lodgeway; forward: Forward; retrieve: Retrieve } {
  const fetch = fetchAs(session)
  const actingUser = session.person.email
  const recorded: typeof globalThis.fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('x-request-correlation-id', correlationId)
    const began = performance.now()
    const response = await fetch(input, { ...init, headers })
    calls.push(callOf(String(input), init, headers, response.status, performance.now() - began))
    return response
  }
  return {
    api: createClient({ baseUrl: publicUrl, actingUser, retry: { attempts: 1 }, fetch: recorded }),

    async forward(id, path, { body, contentType, length, idempotencyKey }) {
      const { method, path: template } = OPERATIONS[id]
      const headers = {
        'content-type': contentType,
        'idempotency-key': idempotencyKey,
        'x-acting-user': actingUser,
        ...(length !== null && { 'content-length': length }),
      }
      const response = await recorded(publicUrl + filled(template, path), { method, headers, body, duplex: 'half' })
      const answer: unknown = await response.json()
      const about = { operation: `${method} ${template}`, correlationId, idempotencyKey }
      if (!response.ok) throw errorOf({ response, error: answer, about })
    },

    async retrieve(id, path) {
      const { method, path: template } = OPERATIONS[id]
      const headers = { accept: 'application/octet-stream, application/json;q=0.5', 'x-acting-user': actingUser }
      const response = await recorded(publicUrl + filled(template, path), { method, headers })
      const about = { operation: `${method} ${template}`, correlationId }
      if (!response.ok) throw errorOf({ response, error: await response.json(), about })
      return response
    },
  }
}

const filled = (template: string, path: Readonly<Record<string, string>>) =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))

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
