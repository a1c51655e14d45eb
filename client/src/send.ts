import { type About, ConnectionError, LodgewayError } from './errors.ts'
import { type RetryPolicy, retryAfterMs, sleep, waitAfter } from './retry.ts'
import type { Tokens } from './token.ts'
import { startWatch, type Watch } from './watch.ts'

/** A body that is created for each attempt. */
export type Body = {
  open(watch: Watch): ReadableStream<Uint8Array>
  /** Whether it can be opened: a stream can be read only once. */
  canOpen(): boolean
  /** Why it could not be read, if so. That is not an error of the connection. */
  failure(): Error | undefined
}

export type Outgoing = {
  about: About
  method: string
  url: string
  headers: Headers
  body?: string | Body | undefined
  signal?: AbortSignal | undefined
  /** How long an attempt may be silent. */
  timeoutMs: number
  /** Undefined where no token is needed. */
  tokens?: Tokens | undefined
  /** Whether it can safely be sent again when it is unknown whether it was done. */
  repeatsLost: boolean
  /** Whether the caller reads a successful response, and then releases the watch. */
  streams?: boolean
  /** Called when the response of an attempt was lost, so that it may have been done. */
  onLost?: () => void
}

export type Received = { response: Response; watch: Watch }
export type Send = (outgoing: Outgoing) => Promise<Received>

type Tried = { received: Received; lost?: never } | { received?: never; lost: unknown }

// Nothing was done: the service was too busy, down for maintenance, or did not get the whole request.
const NOT_DONE = [408, 429, 503]
// From something between client and service: it is unknown what was done.
const UNKNOWN = [502, 504]
// On a 503 of the service's own: it lost its database at the end of a change and could not find out whether it was done.
const OUTCOME_HEADER = 'x-outcome'

/** Sends a request until it is answered, another attempt makes no sense, or the policy allows no more. */
export const createSender =
  (fetch: typeof globalThis.fetch, policy: RetryPolicy): Send =>
  async (outgoing) => {
    const began = performance.now()
    let hasRenewed = false
    for (let attempt = 1; ; attempt += 1) {
      const token = await outgoing.tokens?.get(outgoing.signal)
      const tried = await attemptOnce(fetch, outgoing, token)
      if (isLost(tried)) outgoing.onLost?.()
      if (token && tried.received?.response.status === 401 && !hasRenewed && hasBody(outgoing)) {
        hasRenewed = true
        outgoing.tokens?.drop(token)
        continue
      }
      const retryAfter = tried.received && retryAfterMs(tried.received.response.headers)
      const wait = waitAfter(attempt, policy, retryAfter)
      const isInTime = attempt < policy.attempts && performance.now() - began + wait <= policy.totalMs
      if (!isInTime || !hasBody(outgoing) || !(await canRetry(tried, outgoing, attempt))) {
        if (tried.received) return tried.received
        throw new ConnectionError(attempt, outgoing.about, tried.lost)
      }
      await sleep(wait, outgoing.signal)
    }
  }

async function attemptOnce(fetch: typeof globalThis.fetch, outgoing: Outgoing, token?: string): Promise<Tried> {
  const { url, method, body, signal, timeoutMs, streams } = outgoing
  const watch = startWatch(timeoutMs, signal)
  const headers = new Headers(outgoing.headers)
  if (token) headers.set('authorization', `Bearer ${token}`)
  try {
    const content = typeof body === 'object' ? body.open(watch) : body
    const init: RequestInit = {
      method,
      headers,
      signal: watch.signal,
      ...(content && { body: content, duplex: 'half' }),
    }
    const response = await fetch(url, init)
    if (streams && response.ok) return { received: { response, watch } }
    const whole = await readWhole(response)
    watch.release()
    return { received: { response: whole, watch } }
  } catch (error) {
    watch.release()
    signal?.throwIfAborted()
    const failure = typeof body === 'object' ? body.failure() : undefined
    if (failure) throw new LodgewayError(`The file could not be read: ${failure.message}`, { cause: failure })
    return { lost: error }
  }
}

// Read here, so that a response that is cut off counts as lost.
async function readWhole(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer()
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  headers.delete('content-encoding') // it is decoded by now
  headers.delete('content-length')
  return new Response(bytes.byteLength ? bytes : null, { status, statusText, headers })
}

const isLost = ({ received }: Tried) =>
  !received || UNKNOWN.includes(received.response.status) || received.response.headers.get(OUTCOME_HEADER) === 'unknown'

const hasBody = ({ body }: Outgoing) => typeof body !== 'object' || body.canOpen()

async function canRetry(tried: Tried, { repeatsLost }: Outgoing, attempt: number): Promise<boolean> {
  if (!tried.received || isLost(tried)) return repeatsLost
  const { response } = tried.received
  return NOT_DONE.includes(response.status) || (attempt > 1 && (await isStillRunning(response)))
}

/** Our own first attempt, whose response was lost, is still running under this key. */
async function isStillRunning(response: Response): Promise<boolean> {
  if (response.status !== 409) return false
  const body = (await response
    .clone()
    .json()
    .catch(() => undefined)) as { errors?: { field?: string }[] } | undefined
  return body?.errors?.[0]?.field === 'Idempotency-Key'
}
