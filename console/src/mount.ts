import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { createConsole } from './console.ts'
import type { Doors } from './doors.ts'

// The one door: adds the console to a Fastify application, of which it knows no more than this.

type Incoming = {
  method: string
  url: string
  id: string
  headers: IncomingHttpHeaders
  raw: unknown
  body?: unknown
}

type Outgoing = {
  code(status: number): Outgoing
  header(name: string, value: string | string[]): Outgoing
  send(body: unknown): Outgoing
}

type Scope = {
  addContentTypeParser(type: string, options: { parseAs: 'string' }, parse: (_: unknown, body: string) => unknown): void
  addContentTypeParser(type: string, parse: (_: unknown, body: Readable) => Promise<Readable>): void
  addHook(name: 'preClose', hook: () => Promise<void>): unknown
  route(options: {
    method: string[]
    url: string
    config: { scope: 'none'; undocumented: true; produces: string[] }
    handler(request: Incoming, reply: Outgoing): Promise<unknown>
  }): unknown
}

export type App = { register(plugin: (scope: Scope) => Promise<void>): unknown }

const PRODUCES = ['text/html', 'text/event-stream', 'text/css', 'text/javascript']

/** `expectFile` is called before a form with a file is read, which may take long. */
export function mountConsole(app: App, doors: Doors, expectFile: ExpectFile): void {
  app.register(async (scope) => {
    const console = await createConsole(doors)
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_, body) => body)
    // Its page passes it on while it arrives.
    scope.addContentTypeParser('multipart/form-data', async (_, body) => body)
    // Streams would keep a stopping node from closing.
    scope.addHook('preClose', async () => console.stop())
    for (const url of ['/console', '/console/*']) {
      scope.route({
        method: ['GET', 'POST'],
        url,
        config: { scope: 'none', undocumented: true, produces: PRODUCES },
        handler: async (request, reply) =>
          send(
            reply,
            await console.answer(requestOf(request, doors.publicUrl, expectFile), request.id),
            doors.sourceOf,
          ),
      })
    }
  })
}

type ExpectFile = (raw: unknown) => void

function requestOf({ method, url, headers, raw, body }: Incoming, publicUrl: string, expectFile: ExpectFile): Request {
  const entries = Object.entries(headers).flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
  async function* arriving(form: Readable) {
    expectFile(raw)
    // The connection stays open for the answer if the form is not read to its end.
    yield* form.iterator({ destroyOnReturn: false })
  }
  return new Request(publicUrl + url, {
    method,
    headers: entries as [string, string][],
    ...(typeof body === 'string' && { body }),
    ...(body instanceof Readable && { body: ReadableStream.from<Uint8Array>(arriving(body)), duplex: 'half' }),
  })
}

export async function send(reply: Outgoing, response: Response, sourceOf?: Doors['sourceOf']): Promise<unknown> {
  reply.code(response.status)
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value)
  const cookies = response.headers.getSetCookie()
  if (cookies.length) reply.header('set-cookie', cookies)
  const source = sourceOf?.(response)
  if (source) return reply.send(source)
  const isStream =
    response.headers.get('content-type') === 'text/event-stream' || response.headers.has('content-disposition')
  return reply.send(isStream ? response.body : Buffer.from(await response.arrayBuffer()))
}
