import type { Doors, Session } from './doors.ts'
import { hasRole, type OpenVisit, type Page, type Topic, type Visit } from './page.ts'
import { notFound } from './pages/errors.ts'

// Server-sent events: one line that says "changed". The page then reads itself again.

const HEARTBEAT_MS = 4_000 // a person who is locked out watches for 5 s at most
const RETRY_MS = 2_000
const STREAMS_MAX = 20 // of one person on one node
const UNREAD_MAX = 8

type Watcher = (onChange: () => void) => () => void

export type Live = { page: Page; stop(): void }

export const liveAddress = (topic: Topic): string => `/console/live?topic=${encodeURIComponent(topic)}`

type Sources = Pick<Doors, 'watch' | 'watchRequests' | 'signedIn' | 'sandbox'>

export function createLive({ watch, watchRequests, signedIn, sandbox }: Sources): Live {
  const open = new Map<() => void, string>()
  let isStopping = false

  /** Undefined where there is nothing to watch. */
  const watcherOf = (topic: Topic, session: Session): Watcher | undefined => {
    const { subscriber } = session.person
    if (topic.startsWith('run:'))
      return sandbox && ((onChange) => sandbox.watchRuns((runId) => topic === `run:${runId}` && onChange()))
    if (topic === 'service') return hasRole(session, 'operator') ? () => () => {} : undefined
    if (!subscriber) return undefined
    if (topic === 'requests')
      return hasRole(session, 'developer') ? (onChange) => watchRequests(subscriber.id, onChange) : undefined
    return (onChange) =>
      watch(subscriber.id, ({ workspaceId }) => {
        if (!topic.startsWith('matter:') || topic === `matter:${workspaceId}`) onChange()
      })
  }

  const stream = ({ request, session }: Visit, topic: Topic, watchIt: Watcher): ReadableStream<Uint8Array> => {
    let end = () => {}
    const parts = {
      start(controller: ReadableStreamDefaultController<Uint8Array>) {
        const write = (text: string) => controller.enqueue(encoder.encode(text))
        // A reader that has not read so many has enough to know that it must read the page again.
        const isStalled = () => (controller.desiredSize ?? 0) <= 0
        const unwatch = watchIt(() => {
          if (!isStalled()) write(CHANGED)
        })
        // A session that has ended must not go on watching. Where changes are no events the page looks again.
        const heartbeat = setInterval(async () => {
          const still = await signedIn(request).catch(() => session)
          if (!open.has(finish)) return // the reader left meanwhile
          if (still?.id !== session.id || isStalled()) finish()
          else write(EVENTLESS.includes(topic) ? CHANGED : ':\n\n')
        }, HEARTBEAT_MS).unref()
        end = () => {
          clearInterval(heartbeat)
          unwatch()
          open.delete(finish)
        }
        const finish = () => {
          end()
          controller.close()
        }
        open.set(finish, session.person.id)
        write(`retry: ${RETRY_MS}\n\n`)
      },
      cancel: () => end(),
    }
    return new ReadableStream<Uint8Array>(parts, { highWaterMark: UNREAD_MAX })
  }

  const page: Page = {
    async show(visit) {
      const topic = topicOf(visit)
      const watchIt = topic && watcherOf(topic, visit.session)
      if (!topic || !watchIt) return notFound()
      if (isStopping) return new Response(null, { status: 503 }) // the browser tries again, at another node
      const mine = [...open.values()].filter((one) => one === visit.session.person.id)
      if (mine.length >= STREAMS_MAX) return new Response(null, { status: 429, headers: { 'retry-after': '5' } })
      return new Response(stream(visit, topic, watchIt), {
        headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' },
      })
    },
  }
  const stop = () => {
    isStopping = true
    for (const finish of [...open.keys()]) finish()
  }
  return { page, stop }
}

const encoder = new TextEncoder()
const CHANGED = 'event: changed\ndata:\n\n'
const LISTS: readonly string[] = ['matters', 'requests', 'deliveries', 'service'] satisfies Topic[]
/** An attempt to deliver, a job, a node. */
const EVENTLESS: readonly Topic[] = ['deliveries', 'service']

function topicOf({ url }: OpenVisit): Topic | undefined {
  const topic = url.searchParams.get('topic') ?? ''
  return LISTS.includes(topic) || /^(matter|run):/.test(topic) ? (topic as Topic) : undefined
}
