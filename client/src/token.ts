import { TokenError } from './errors.ts'
import type { Send } from './send.ts'

/** Access tokens: fetched when first needed, cached, and renewed before they expire. */
export type Tokens = {
  get(signal?: AbortSignal): Promise<string>
  /** The service refused this one. The next `get` fetches another. */
  drop(token: string): void
}

export type Credentials = { tokenUrl: string; clientId: string; clientSecret: string; scope?: string | undefined }

type Cached = { token: string; renewAt: number }

const LEEWAY_MS_MAX = 60_000
const LEEWAY_SHARE = 0.1

export function createTokens(send: Send, credentials: Credentials, timeoutMs: number): Tokens {
  let cached: Cached | undefined
  let pending: Promise<Cached> | undefined

  // One request, however many calls wait for a token.
  const renew = () => {
    pending ??= fetchToken(send, credentials, timeoutMs)
      .then((fresh) => {
        cached = fresh
        return fresh
      })
      .finally(() => {
        pending = undefined
      })
    return pending
  }

  return {
    async get(signal) {
      if (cached && performance.now() < cached.renewAt) return cached.token
      return (await unlessAborted(renew(), signal)).token
    },
    drop(token) {
      if (cached?.token === token) cached = undefined
    },
  }
}

async function fetchToken(send: Send, { tokenUrl, clientId, clientSecret, scope }: Credentials, timeoutMs: number) {
  const requestedAt = performance.now()
  const { origin, pathname } = new URL(tokenUrl)
  const { response } = await send({
    about: { operation: `POST ${pathname}`, address: origin, correlationId: crypto.randomUUID() },
    method: 'POST',
    url: tokenUrl,
    headers: new Headers({
      accept: 'application/json',
      authorization: `Basic ${btoa(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    }),
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) }).toString(),
    timeoutMs,
    repeatsLost: true,
  })
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>
  const { access_token: token, expires_in: seconds = 300, error, error_description: description } = body
  if (!response.ok || typeof token !== 'string') {
    const code = String(error ?? `status ${response.status}`)
    throw new TokenError(response.status, code, String(description ?? ''), tokenUrl)
  }
  const lifeMs = Number(seconds) * 1_000
  return { token, renewAt: requestedAt + lifeMs - Math.min(LEEWAY_MS_MAX, lifeMs * LEEWAY_SHARE) }
}

// RFC 6749, 2.3.1: the two halves of Basic are form-encoded first.
const formEncoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)

/** A caller that is aborted must not cancel the request for others that wait for the token. */
function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}
