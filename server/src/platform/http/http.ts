import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyTypeProvider,
  LogController,
  type preParsingHookHandler,
} from 'fastify'
import type { Logger } from 'pino'
import type { Static, TSchema } from 'typebox'
import { errorBody, invalid, Refusal, unavailable } from '../errors.ts'
import { answerError, type Reply } from './answer-error.ts'
import { answerClientError, closeIdleClients, closeUnread } from './connections.ts'
import { BODY_BYTES_MAX, parseJson } from './json.ts'
import { checkAccept } from './negotiate.ts'
import { watchLoad } from './overload.ts'
import { type Combinations, checkRequest, compileChecks } from './validate.ts'
import { API_VERSION } from './version.ts'

// The conventions of every request and every answer, once.

const HEADERS_BYTES_MAX = 16_384
const SERVER_OPTIONS = {
  maxHeaderSize: HEADERS_BYTES_MAX,
  connectionsCheckingInterval: 1_000,
  optimizeEmptyRequests: true,
  joinDuplicateHeaders: true, // a second Host, Authorization or Content-Type would be dropped without a word
  requireHostHeader: false, // Node's refusal has no error body; ours is `checkHost`
}

interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

export type App = FastifyInstance<Server, IncomingMessage, ServerResponse, Logger, TypeBoxProvider>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that a caller needs, `none` where anybody may call, or both of two between which the body decides. */
    scope?: string | readonly string[]
    /** The media type of a good answer, where it is not JSON. */
    produces?: readonly string[]
    /** The handler judges path and query itself, in an order of its own. */
    judgesItself?: boolean
    /** Errors of the body that no schema can express, reported together with those that it can. */
    combinations?: Combinations
    /** Why it may refuse beyond what every operation may, by status: for the document. */
    refusals?: Readonly<Record<number, string>>
    /** Left out of openapi.json. */
    undocumented?: boolean
    checks?: ReturnType<typeof compileChecks>
  }
  interface FastifyRequest {
    /** The client that a key, a limit or an entry belongs to; empty on open routes. */
    clientId: string
    /** What its route declares, looked up once: each use of `routeOptions` would put together a new object. */
    route: FastifyRequest['routeOptions']['config']
  }
}

export type HttpOptions = {
  log: Logger
  trustProxy: boolean | string
  /** More connections than these are closed as they come. */
  connectionsMax?: number
  isDraining?: () => boolean
}

export async function createApp(options: HttpOptions): Promise<App> {
  const { log, trustProxy, connectionsMax, isDraining = () => false } = options
  const app: App = Fastify({
    loggerInstance: log,
    logController: new StreamErrors({ disableRequestLogging: true, requestIdLogLabel: 'correlationId' }),
    genReqId: correlationIdOf,
    trustProxy,
    bodyLimit: BODY_BYTES_MAX,
    serverFactory: (handler) => {
      const server = createServer(SERVER_OPTIONS, handler)
      if (connectionsMax !== undefined) server.maxConnections = connectionsMax
      closeIdleClients(server)
      return server
    },
    routerOptions: { maxParamLength: HEADERS_BYTES_MAX },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply)
      const answer = reply as unknown as Reply
      answer.code(error.statusCode ?? 400).send(errorBody([{ message: 'The address of the request is malformed.' }]))
    },
  })
  const load = watchLoad()
  app.addHook('onClose', async () => load.stop())

  app.decorateRequest('clientId', '')
  app.decorateRequest('route')
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson)
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))

  app.addHook('onRoute', (route) => {
    route.config = {
      ...route.config,
      checks: compileChecks(route.config?.judgesItself ? {} : (route.schema ?? {}), route.config?.combinations),
    }
    if (route.method !== 'GET') route.preParsing = reopenEnded
  })
  // What every request passes and nothing waits for takes `done`: a promise for each would cost more than the work.
  app.addHook('onRequest', (request, reply, done) => {
    request.route = request.routeOptions.config
    setCommonHeaders(request, reply)
    checkHost(request.raw)
    if (request.route.scope === 'none') return done()
    if (isDraining()) {
      reply.header('connection', 'close')
      return done(unavailable('This node is stopping. Please try again.', 1))
    }
    if (load.isTooHigh()) return done(unavailable('The service is overloaded. Please try again.'))
    done()
  })
  // What was under way when the drain began is answered, and its connection then closed: idle, it would hold us up. So
  // is that of a request which nobody reads to its end.
  app.addHook('onSend', ({ raw }, reply, _, done) => {
    const isLeft = raw.complete === false && (raw.readableDidRead || reply.getHeader('connection') === 'close')
    if (isDraining() || isLeft) reply.header('connection', 'close')
    if (isLeft) closeUnread(raw.socket)
    done()
  })
  return app
}

/** Of an answer that breaks off only what is our fault is an error: a connection may close at any time. */
class StreamErrors extends LogController {
  override streamError(error: Error, request: FastifyRequest): void {
    if (!request.socket.destroyed) request.log.error({ err: error }, 'the answer could not be completed')
  }
}

/** Added after the guard, for 406 and 400 come after 401, 429 and 403. */
export function addRequestChecks(app: App): void {
  app.addHook('onRequest', (request, _, done) => {
    if (request.is404) throw new Refusal('not_found', [{ message: 'There is nothing at this path.' }])
    checkAccept(request)
    done()
  })
  app.addHook('preValidation', (request, _, done) => {
    const { checks } = request.route
    if (checks) checkRequest(request, checks)
    done()
  })
}

// RFC 9112, 3.2. A proxy in front might have chosen by the other one.
function checkHost({ headers: { host }, httpVersion }: IncomingMessage): void {
  const isOne = host === undefined ? httpVersion === '1.0' : !host.includes(',')
  if (!isOne) throw invalid({ field: 'Host', message: 'Host must be sent once.' })
}

// With `optimizeEmptyRequests` the stream of a body that is not there has ended before anybody looks. Whoever reads it
// because a content type was named would wait for its end for ever.
const reopenEnded: preParsingHookHandler = (request, _, payload, done) => {
  const endedUnread = request.headers['content-type'] !== undefined && payload.readableEnded
  done(null, endedUnread ? Readable.from([]) : payload)
}

// Header bytes outside printable ASCII never come back to the caller.
const CORRELATION_ID = /^[\x20-\x7e]{1,128}$/

function correlationIdOf(raw: IncomingMessage): string {
  const given = raw.headers['x-request-correlation-id']
  return typeof given === 'string' && CORRELATION_ID.test(given) ? given : randomUUID()
}

function setCommonHeaders(request: FastifyRequest, reply: Pick<FastifyReply, 'header'>): void {
  reply
    .header('x-request-correlation-id', request.id)
    .header('x-api-version', API_VERSION)
    .header('x-content-type-options', 'nosniff')
    .header('strict-transport-security', 'max-age=31536000; includeSubDomains')
}
