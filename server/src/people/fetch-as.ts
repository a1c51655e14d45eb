import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Caller } from '../auth/guard.ts'
import type { Operator, Passes } from '../auth/passes.ts'
import type { App } from '../platform/http/http.ts'
import { type Session, scopesOf } from './rules.ts'
import { clientIdOf } from './sessions.ts'

type Parts = { app: App; passes: Passes }

const WITHOUT_BODY = [204, 205, 304]

/** `fetch` for the partner interface of this process, in the name of a person. Bodies are streamed both ways. */
export function fetcherOf({ app, passes }: Parts): (session: Session) => typeof fetch {
  return (session) => async (input, init) => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const authorization = passes.issue(bearerOf(session))
    try {
      const response = await app.inject({
        method: request.method as 'GET',
        url: pathname + search,
        headers: { ...Object.fromEntries(request.headers), authorization },
        signal: request.signal,
        payloadAsStream: true,
        ...(await payloadOf(request)),
      })
      const hasBody = !WITHOUT_BODY.includes(response.statusCode)
      return new Response(hasBody ? (Readable.toWeb(response.stream()) as ReadableStream<Uint8Array>) : null, {
        status: response.statusCode,
        headers: headersOf(response.headers),
      })
    } finally {
      passes.withdraw(authorization)
    }
  }
}

function bearerOf({ person, decides }: Session): Caller | Operator {
  const { id, email, roles, subscriber } = person
  if (!subscriber) return { operatorId: id, email }
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
