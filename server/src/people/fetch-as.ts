import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { mayAct } from '../auth/directory.ts'
import type { Caller } from '../auth/guard.ts'
import type { Operator, Passes } from '../auth/passes.ts'
import { findEligibility } from '../auth/store.ts'
import type { Connection } from '../platform/database/db.ts'
import type { App } from '../platform/http/http.ts'
import { type Session, scopesOf } from './rules.ts'
import { clientIdOf } from './sessions.ts'

type Parts = { app: App; passes: Passes }

const WITHOUT_BODY = [204, 205, 304]

/** `fetch` for the interfaces of this process, in the name of a person. */
export const fetcherOf =
  (parts: Parts) =>
  (session: Session): typeof fetch =>
    fetchWith(parts, async () => bearerOf(session))

/**
 * The same as a client of the person's subscriber; in the name of the person if there is no such client. For the sandbox alone,
 * where the secrets of clients are known to everybody.
 */
export const clientFetcherOf =
  (parts: Parts, connection: Connection) =>
  (session: Session, clientId: string): typeof fetch =>
    fetchWith(parts, async () => {
      const client = await findEligibility(connection, clientId)
      if (!mayAct(client) || client.subscriberId !== session.person.subscriber?.id) return bearerOf(session)
      const { subscriberId, name: subscriberName, kind, scopes, decisions } = client
      return { clientId, subscriberId, subscriberName, kind, scopes: new Set(scopes), decisions }
    })

/** Bodies are streamed both ways. */
function fetchWith({ app, passes }: Parts, bearer: () => Promise<Caller | Operator>): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    let source: Readable | undefined
    const passOn = (stream: Readable) => {
      source = stream
    }
    const authorization = passes.issue({ ...(await bearer()), passOn })
    try {
      const response = await app.inject({
        method: request.method as 'GET',
        url: pathname + search,
        headers: { ...Object.fromEntries(request.headers), authorization },
        signal: request.signal,
        payloadAsStream: true,
        ...(await payloadOf(request)),
      })
      const { statusCode: status } = response
      if (source)
        return answerFrom(source, { status, headers: headersOf({ ...response.headers, 'content-length': undefined }) })
      const body = WITHOUT_BODY.includes(status)
        ? null
        : (Readable.toWeb(response.stream()) as ReadableStream<Uint8Array>)
      return new Response(body, { status, headers: headersOf(response.headers) })
    } finally {
      passes.withdraw(authorization)
    }
  }
}

const sources = new WeakMap<object, Readable>()

/** The stream that the body of an answer comes from, to send it on without reading it. */
export const sourceOf = ({ body }: Response): Readable | undefined => (body ? sources.get(body) : undefined)

/** The source is left alone until somebody reads the answer. */
function answerFrom(source: Readable, init: ResponseInit): Response {
  let pieces: AsyncIterator<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pieces ??= source.iterator() as AsyncIterator<Uint8Array>
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void source.destroy(),
    },
    { highWaterMark: 0 },
  )
  sources.set(body, source)
  return new Response(body, init)
}

function bearerOf({ person, decides }: Session): Caller | Operator {
  const { id, email, roles, subscriber } = person
  if (!subscriber) return { operatorId: id, clientId: clientIdOf(id), email, mayChange: decides === 'now' }
  return {
    clientId: clientIdOf(id),
    subscriberId: subscriber.id,
    subscriberName: subscriber.name,
    kind: subscriber.kind,
    scopes: scopesOf(roles),
    decisions: 'people',
    person: { email, isApprover: roles.includes('approver'), mayDecide: decides === 'now' },
  }
}

/** Only a form may be large. */
async function payloadOf(request: Request): Promise<{ payload?: Readable | Buffer }> {
  if (request.body === null) return {}
  const isForm = request.headers.get('content-type')?.startsWith('multipart/')
  if (isForm) return { payload: Readable.fromWeb(request.body as ReadableStream) }
  return { payload: Buffer.from(await request.arrayBuffer()) }
}

function headersOf(from: Readonly<Record<string, unknown>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(from)) {
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, String(one))
  }
  return headers
}
