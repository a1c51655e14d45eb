import { call } from './call.ts'
import { ApiError, ConnectionError, LodgewayError, TokenError } from './errors.ts'
import { type Context, errorOf, perform } from './perform.ts'
import { sleep, waitAfter } from './retry.ts'
import type { Input, Result } from './types.ts'

/**
 * How to follow the feed. Every option has a default.
 *
 * @example
 * ```ts
 * import type { FollowOptions } from '@lodgeway/client'
 *
 * const options: FollowOptions = {
 *   after: 'now',
 *   listener: 'case-system',
 *   onConnection: ({ state, reason }) => process.stderr.write(`${state} ${reason ?? ''}\n`),
 * }
 * ```
 */
export interface FollowOptions {
  /** The `nextCursor` that you stored, or `now`. Default: the oldest event that the service has. */
  after?: string | undefined
  /** A name for this program, which the console shows. Events that are repeated for it come to it alone. */
  listener?: string | undefined
  /** Ends it: the signal's reason is thrown. */
  signal?: AbortSignal | undefined
  /** How often to poll where streams do not get through, in milliseconds. Default: 1,000. */
  everyMs?: number | undefined
  /** After how long without a sign of life a stream is given up and opened again, in milliseconds. Default: 45,000. */
  silenceMs?: number | undefined
  /** Called when the connection is made and when it is lost. It is always made again. */
  onConnection?: ((connection: { state: 'streaming' | 'polling' | 'lost'; reason?: string }) => void) | undefined
}

type Page = Result<'readEvents'>
type Query = NonNullable<Input<'readEvents'>['query']>

const EVENT_STREAM = 'text/event-stream'
/** The service sends something every 20 seconds. */
const SILENCE_MS = 45_000
/** Then a stream is tried again: perhaps it was only the service that did not answer. */
const POLLING_MS_MAX = 60_000
const PASSING = [408, 425, 429]

/** The events as they are published, without end. What has to be read again after a break is read again. */
export async function* follow(context: Context, options: FollowOptions = {}): AsyncGenerator<Page, void, void> {
  const { signal, listener, everyMs = 1_000, silenceMs = SILENCE_MS, onConnection } = options
  let { after } = options
  const queryOf = (): Query => ({ ...(after && { after }), ...(listener && { listener }) })
  if (after === 'now') {
    // At once, so that nothing is missed if the connection is lost before the first event.
    const { nextCursor } = (await call(context, 'readEvents', { query: { ...queryOf(), limit: 1 }, signal })).data
    after = nextCursor
    yield { records: [], nextCursor }
  }
  let state: 'streaming' | 'polling' = 'streaming'
  for (let losses = 0; ; losses += 1) {
    let hasCome = false
    let reason: string | undefined
    try {
      const pages =
        state === 'streaming' ? stream(context, queryOf(), silenceMs, signal) : poll(context, queryOf, everyMs, signal)
      for await (const page of pages) {
        if (!hasCome) onConnection?.({ state })
        hasCome = true
        losses = 0
        if (!page?.records.length) continue
        after = page.nextCursor
        yield page
      }
      if (state === 'streaming') reason = 'The stream ended.'
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error)) throw error
      reason = error instanceof Error ? error.message : String(error)
    }
    if (reason) onConnection?.({ state: 'lost', reason })
    state = state === 'streaming' && !hasCome ? 'polling' : 'streaming'
    await sleep(waitAfter(losses + 1, context.policy), signal)
  }
}

/** Nothing that the caller can do anything about: it passes by itself. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError || error instanceof TokenError)
    return error.status >= 500 || PASSING.includes(error.status)
  return error instanceof ConnectionError || error instanceof NoStream || !(error instanceof LodgewayError)
}

/** Something in between, or an older service, answers in another way. */
class NoStream extends LodgewayError {}

/** Undefined stands for a sign of life. */
async function* stream(context: Context, query: Query, timeoutMs: number, signal: AbortSignal | undefined) {
  const input = { query, signal, timeoutMs }
  const done = await perform(context, 'readEvents', input, { streams: true, headers: { accept: EVENT_STREAM } })
  const { response, watch } = done
  try {
    if (!response.ok) throw errorOf(done)
    if (!response.headers.get('content-type')?.startsWith(EVENT_STREAM)) throw new NoStream('There is no stream.')
    const decoder = new TextDecoder()
    let text = ''
    for await (const piece of response.body ?? []) {
      watch.rest()
      text += decoder.decode(piece, { stream: true })
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop() ?? ''
      for (const block of blocks) yield pageOf(block)
      watch.touch()
    }
  } finally {
    watch.release()
    await response.body?.cancel().catch(() => {})
  }
}

function pageOf(block: string): Page | undefined {
  const textOf = (name: string) =>
    [...block.matchAll(new RegExp(`^${name}: ?(.*)$`, 'gm'))].map(([, value]) => value).join('\n')
  const [id, data] = [textOf('id'), textOf('data')]
  return id && data ? { records: [JSON.parse(data)], nextCursor: id } : undefined
}

async function* poll(context: Context, queryOf: () => Query, everyMs: number, signal: AbortSignal | undefined) {
  const until = performance.now() + POLLING_MS_MAX
  while (performance.now() < until) {
    const { data } = await call(context, 'readEvents', { query: queryOf(), signal })
    yield data
    if (data.records.length === 0) await sleep(everyMs, signal)
  }
}
