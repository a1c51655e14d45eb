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
  type RouteOptions,
} from 'fastify'
import type { Logger } from 'pino'
import type { Static, TSchema } from 'typebox'
import { errorBody, invalid, unavailable } from '../errors.ts'
import { answerError, type Reply } from './answer-error.ts'
import { answerClientError, closeIdleClients, closeUnread } from './connections.ts'
import { BODY_BYTES_MAX, parseJson } from './json.ts'
import { createMissing } from './methods.ts'
import { checkAccept } from './negotiate.ts'
import { watchLoad } from './overload.ts'
import { type Check, type Combinations, checkRequest, compileChecks } from './validate.ts'
import { API_VERSION } from './version.ts'

// What all requests and responses have in common.

const HEADERS_BYTES_MAX = 16_384
const SERVER_OPTIONS = {
  maxHeaderSize: HEADERS_BYTES_MAX,
  connectionsCheckingInterval: 1_000,
  optimizeEmptyRequests: true,
  joinDuplicateHeaders: true, // otherwise a second Host, Authorization or Content-Type is dropped silently
  requireHostHeader: false, // Node's refusal has no error body; `checkHost` has
}

interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

export type App = FastifyInstance<Server, IncomingMessage, ServerResponse, Logger, TypeBoxProvider>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that a caller needs, `none` if anyone may call, or a list from which the body selects one. */
    scope?: string | readonly string[]
    /** The media types of a good response, if it is not JSON. */
    produces?: readonly string[]
    /** The bytes are made for each request: they have no ETag and no ranges. */
    isMade?: boolean
    /** Another media type, in which a good response goes on, for a caller who prefers it. */
    streams?: string
    /** The handler validates path and query itself, in another order. */
    validatesItself?: boolean
    /** Finds errors of the body that no schema can express. They are reported together with the others. */
    combinations?: Combinations
    /** The reasons for refusals that not all operations have in common, by status: for the document. */
    refusals?: Readonly<Record<number, string>>
    /** Left out of openapi.json. */
    undocumented?: boolean
    checks?: Check
  }
  interface FastifyRequest {
    /** The client that idempotency keys and rate limits belong to; empty on open routes. */
    clientId: string
    /** The config of its route, looked up once: each use of `routeOptions` makes a new object. */
    route: FastifyRequest['routeOptions']['config']
  }
}

export type HttpOptions = {
  log: Logger
  trustProxy: boolean | string
  /** Connections above this number are closed at once. */
  connectionsMax?: number
  /** Whether the checks of a route are compiled at its first request, for a start that is faster by half a second. */
  compilesLate?: boolean
  /** The node got the signal to stop. It still answers until it drains. */
  isStopping?: () => boolean
  isDraining?: () => boolean
}

export async function createApp(options: HttpOptions): Promise<App> {
  const {
    log,
    trustProxy,
    connectionsMax,
    compilesLate = false,
    isStopping = () => false,
    isDraining = () => false,
  } = options
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
      keepOutOfCaches(request, reply)
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
    const { scope, validatesItself = false, combinations } = route.config ?? {}
    const closedQuery = scope !== 'none' && !validatesItself
    const compile = () => compileChecks(validatesItself ? {} : (route.schema ?? {}), { combinations, closedQuery })
    let compiled = compilesLate ? undefined : compile()
    const checks: Check = (request) => {
      compiled ??= compile()
      return compiled(request)
    }
    route.config = { ...route.config, checks }
    if (route.method !== 'GET') route.preParsing = reopenEnded
  })
  // Synchronous hooks use `done`: a promise for each request would cost more than the work.
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
  // A node that stops closes the connection of each request that it answers: idle ones would delay the stop, and a proxy
  // must not send the next request on one that is closed meanwhile. The connection of a request that was not read to its end is closed, too.
  app.addHook('onSend', (request, reply, _, done) => {
    const { raw } = request
    keepOutOfCaches(request, reply)
    const isLeft = raw.complete === false && (raw.readableDidRead || reply.getHeader('connection') === 'close')
    if (isStopping() || isLeft) reply.header('connection', 'close')
    if (isLeft) closeUnread(raw.socket)
    done()
  })
  return app
}

/** A response that could not be completed is an error only if the connection is still open: clients may leave any time. */
class StreamErrors extends LogController {
  override streamError(error: Error, request: FastifyRequest): void {
    if (!request.socket.destroyed) request.log.error({ err: error }, 'the answer could not be completed')
  }
}

/** Added after the guard, as 406 and 400 come after 401, 429 and 403. */
export function addRequestChecks(app: App, readRoutes: () => readonly RouteOptions[]): void {
  const missing = createMissing(readRoutes)
  app.addHook('onRequest', (request, _, done) => {
    if (request.is404) throw missing(request.url)
    checkAccept(request)
    done()
  })
  app.addHook('preValidation', (request, _, done) => {
    const { checks } = request.route
    if (checks) checkRequest(request, checks)
    done()
  })
}

// RFC 9112, 3.2. A proxy in front may have used the other one.
function checkHost({ headers: { host }, httpVersion }: IncomingMessage): void {
  const isOne = host === undefined ? httpVersion === '1.0' : !host.includes(',')
  if (!isOne) throw invalid({ field: 'Host', message: 'Host must be sent once.' })
}

// With `optimizeEmptyRequests` the stream of an empty body has ended before it is read. A parser that was chosen by the
// content type would wait for its end for ever.
const reopenEnded: preParsingHookHandler = (request, _, payload, done) => {
  const endedUnread = request.headers['content-type'] !== undefined && payload.readableEnded
  done(null, endedUnread ? Readable.from([]) : payload)
}

// Header bytes outside printable ASCII are never sent back.
const CORRELATION_ID = /^[\x20-\x7e]{1,128}$/

function correlationIdOf(raw: IncomingMessage): string {
  const id = raw.headers['x-request-correlation-id']
  return typeof id === 'string' && CORRELATION_ID.test(id) ? id : randomUUID()
}

/** Whatever answers a token is for its bearer alone. It is set last, so that no handler can allow more. */
function keepOutOfCaches({ headers }: FastifyRequest, reply: Pick<FastifyReply, 'header'>): void {
  if (headers.authorization !== undefined) reply.header('cache-control', 'no-store')
}

function setCommonHeaders(request: FastifyRequest, reply: Pick<FastifyReply, 'header'>): void {
  reply
    .header('x-request-correlation-id', request.id)
    .header('x-api-version', API_VERSION)
    .header('x-content-type-options', 'nosniff')
    .header('strict-transport-security', 'max-age=31536000; includeSubDomains')
}
