import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordSubscriberAudit } from '../audit/record.ts'
import { actorOf } from '../auth/actor.ts'
import type { Watch } from '../events/watch.ts'
import type { Deps } from '../platform/deps.ts'
import { invalid, notFound, Refusal } from '../platform/errors.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import { prefers } from '../platform/http/negotiate.ts'
import { writeCursor } from '../platform/http/page.ts'
import { PAGE_RECORDS_DEFAULT } from '../platform/http/schema.ts'
import {
  endOfFeed,
  feedOf,
  findEvent,
  listListeners,
  noteListener,
  readFeed,
  readPosition,
  repeatEvent,
} from './feed.ts'
import {
  EventAnswer,
  EventFeed,
  EventPath,
  FeedQuery,
  Listeners,
  NOTIFICATION_PATH,
  RepeatAnswer,
  RepeatRequest,
} from './schema.ts'

// The feed: in pages, and as server-sent events. The reader of these has an open response: events are written to it as they
// are published. Readers that give a name are listed, and an event can be repeated for one of them.

const EVENT_STREAM = 'text/event-stream'

const HEARTBEAT_MS = 20_000 // a connection on which nothing moves for a minute is closed
const RETRY_MS = 2_000
const ROWS = 100
const STREAMS_MAX = 50 // of one subscriber on one node

const NOW = 'now'

/** The feed for partners who prefer to poll, or to listen. */
export function feedRoutes(app: App, deps: Deps, watch: Watch): void {
  const { db, vault, clock } = deps
  const openStream = createStreams(app, deps, watch)
  const positionOf = (caller: { subscriberId: string }, after: string | undefined) => {
    if (after === NOW) return endOfFeed(db.read, caller)
    return after === undefined ? 0 : readPosition(vault, after, caller)
  }

  app.route({
    method: 'GET',
    url: `${NOTIFICATION_PATH}/events`,
    config: { scope: 'view:notifications', streams: EVENT_STREAM },
    schema: {
      operationId: 'readEvents',
      tags: ['Notifications'],
      summary: 'Read what happened since the last time',
      description:
        'In order; an event that commits late is never skipped. An event appears within a moment of its commit. When ' +
        'nothing is new, `nextCursor` is the same again. Events leave the feed after a time that the operator sets: 90 days ' +
        'by default, never less than 30. With `Accept: text/event-stream` the answer stays open and has each ' +
        'event as it is published: `data` is the event, `id` the cursor after it. To go on after a break, send that as ' +
        '`Last-Event-ID`, which browsers and most libraries do, or as `after`. A line with a colon comes every 20 seconds ' +
        'when nothing happens. The stream ends when the token expires or the node stops: open it again. At most 50 are ' +
        'open for a subscriber on a node.',
      querystring: FeedQuery,
      response: { 200: EventFeed },
    },
    handler: async (request, reply) => {
      const { caller, query, headers } = request
      const isStream = request.method === 'GET' && prefers(request, EVENT_STREAM)
      const reached = isStream ? headers['last-event-id'] : undefined
      const after = typeof reached === 'string' ? reached : query.after
      const from = await positionOf(caller, after)
      const { limit = PAGE_RECORDS_DEFAULT, listener } = query
      if (isStream) {
        await readFeed(db.read, caller, from, 0)
        request.log.info({ listener }, 'a stream of events begins')
        return openStream(request, reply, from, listener)
      }
      if (listener) await noteListener(db, caller, listener)
      const { events, position } = await readFeed(db.read, caller, from, limit, listener)
      const isAtEnd = after !== undefined && after !== NOW && events.length === 0
      const nextCursor = isAtEnd ? after : writeCursor(vault, position, feedOf(caller))
      return { records: events.map(({ payload }) => payload) as never[], nextCursor }
    },
  })

  app.route({
    method: 'GET',
    url: `${NOTIFICATION_PATH}/events/:event_id`,
    config: { scope: 'view:notifications' },
    schema: {
      operationId: 'getEvent',
      tags: ['Notifications'],
      summary: 'Read one event',
      description: 'As the feed and a webhook have it, for as long as the service has it.',
      params: EventPath,
      examples: { 404: { errors: [{ field: 'event_id', message: 'There is no such event.' }] } },
      response: { 200: EventAnswer },
    },
    handler: async (request, reply) => {
      const event = await findEvent(db.read, request.caller, request.params.event_id)
      if (!event) throw eventNotFound()
      return sendWithEtag(request, reply, event as never)
    },
  })

  app.route({
    method: 'GET',
    url: `${NOTIFICATION_PATH}/listeners`,
    config: { scope: 'view:notifications' },
    schema: {
      operationId: 'listListeners',
      tags: ['Notifications'],
      summary: 'List the programs that read the feed under a name',
      description: 'Those that gave `listener` within the last day. `lodgeway listen` does, on a developer’s machine.',
      response: { 200: Listeners },
    },
    handler: async ({ caller }) => {
      const records = await listListeners(db.read, caller)
      return { records: records.map((one) => ({ ...one, lastSeenAt: one.lastSeenAt.toISOString() })) }
    },
  })

  app.route({
    method: 'POST',
    url: `${NOTIFICATION_PATH}/events/:event_id/repeat`,
    config: { scope: 'edit:notification_registrations' },
    schema: {
      operationId: 'repeatEvent',
      tags: ['Notifications'],
      summary: 'Put an event into the feed again, for one listener',
      description:
        'The program finds it at the end of its feed within a moment, or when it comes back. Nobody else sees it. To send ' +
        'it to a registered webhook again, retry its delivery.',
      params: EventPath,
      body: RepeatRequest,
      examples: {
        400: { errors: [{ field: 'listener', message: 'listener must be a name of GET …/listeners.' }] },
        404: { errors: [{ field: 'event_id', message: 'There is no such event.' }] },
      },
      response: { 202: RepeatAnswer },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const { caller, body } = request
        const { event_id: eventId } = request.params
        const { listener } = body
        const listeners = await listListeners(tx, caller)
        if (!listeners.some(({ name }) => name === listener))
          throw invalid({ field: 'listener', message: 'listener must be a name of GET …/listeners.' })
        if (!(await findEvent(tx, caller, eventId))) throw eventNotFound()
        repeatEvent(tx, caller, eventId, listener)
        const entry = { action: 'event repeated', ids: { eventId }, after: { listener } }
        recordSubscriberAudit(tx, caller.subscriberId, entry, actorOf(request, clock))
        reply.code(202)
        return { eventId, listener }
      }),
  })
}

/** Another subscriber's event gets the same words as one that never existed. */
const eventNotFound = () => notFound('event_id', 'There is no such event.')

type OpenStream = (request: FastifyRequest, reply: FastifyReply, after: number, listener?: string) => FastifyReply

type From = { after: number; listener: string | undefined }

/** All streams end when the node drains; their readers come back to another one. */
export function createStreams(
  app: App,
  { db, vault }: Pick<Deps, 'db' | 'vault'>,
  watch: Watch,
  { heartbeatMs = HEARTBEAT_MS } = {},
): OpenStream {
  const open = new Map<AbortController, string>()
  app.addHook('preClose', async () => {
    for (const stream of open.keys()) stream.abort()
  })

  async function* eventsOf(request: FastifyRequest, from: From, { signal }: AbortController) {
    const { caller } = request
    const { after, listener } = from
    let [position, news] = [after, Promise.withResolvers<void>()]
    let notedAt = Number.NEGATIVE_INFINITY
    const unwatch = watch(caller.subscriberId, () => news.resolve())
    try {
      yield `retry: ${RETRY_MS}\n\n`
      while (!signal.aborted) {
        news = Promise.withResolvers()
        if (listener && performance.now() - notedAt >= heartbeatMs) {
          await noteListener(db, caller, listener)
          notedAt = performance.now()
        }
        const { events } = await readFeed(db.read, caller, position, ROWS, listener)
        for (const { payload, position: at } of events) {
          yield `id: ${writeCursor(vault, at, feedOf(caller))}\ndata: ${JSON.stringify(payload)}\n\n`
          position = at
        }
        if (events.length === ROWS) continue
        const isQuiet = await next(news.promise, heartbeatMs, signal)
        // A token that has expired, or a client that was disabled, reads nothing more.
        if (!(await request.isAdmitted())) return
        if (isQuiet) yield ':\n\n'
      }
    } finally {
      unwatch()
    }
  }

  return (request, reply, after, listener) => {
    const { subscriberId } = request.caller
    if ([...open.values()].filter((one) => one === subscriberId).length >= STREAMS_MAX) {
      const message = `There are already ${STREAMS_MAX} streams. Please close one first.`
      throw new Refusal('too_many', [{ message }], { 'retry-after': '60' })
    }
    const stream = new AbortController()
    open.set(stream, subscriberId)
    reply.raw.on('close', () => {
      stream.abort()
      open.delete(stream)
    })
    // The connection ends with the stream: a node that stops would wait for an idle one.
    reply.headers({ connection: 'close', 'x-accel-buffering': 'no' })
    return reply
      .type(EVENT_STREAM)
      .send(Readable.from(eventsOf(request, { after, listener }, stream), { objectMode: false }))
  }
}

/** Whether nothing came for that long. */
async function next(news: Promise<void>, ms: number, signal: AbortSignal): Promise<boolean> {
  const over = new AbortController()
  const quiet = delay(ms, true, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => false)
  const isQuiet = await Promise.race([news.then(() => false), quiet])
  over.abort()
  return isQuiet
}
