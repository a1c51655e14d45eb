import { TokenError } from './errors.ts'
import type { Send } from './send.ts'

/** Access tokens: fetched when first needed, kept, and renewed before they end. */
export type Tokens = {
  get(signal?: AbortSignal): Promise<string>
  /** The service did not take this one; the next `get` fetches another. */
  drop(token: string): void
}

export type Credentials = { tokenUrl: string; clientId: string; clientSecret: string; scope?: string | undefined }

type Kept = { token: string; renewAt: number }

const LEEWAY_MS_MAX = 60_000
const LEEWAY_SHARE = 0.1

export function createTokens(send: Send, credentials: Credentials, timeoutMs: number): Tokens {
  let kept: Kept | undefined
  let coming: Promise<Kept> | undefined

  // However many calls need one, it is asked for once.
  const renew = () => {
    coming ??= fetchToken(send, credentials, timeoutMs)
      .then((fresh) => {
        kept = fresh
        return fresh
      })
      .finally(() => {
        coming = undefined
      })
    return coming
  }

  return {
    async get(signal) {
      if (kept && performance.now() < kept.renewAt) return kept.token
      return (await unlessAborted(renew(), signal)).token
    },
    drop(token) {
      if (kept?.token === token) kept = undefined
    },
  }
}

async function fetchToken(send: Send, { tokenUrl, clientId, clientSecret, scope }: Credentials, timeoutMs: number) {
  const asked = performance.now()
  const { response } = await send({
    about: { operation: `POST ${tokenUrl}`, correlationId: crypto.randomUUID() },
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
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>
  const { access_token: token, expires_in: seconds = 300, error, error_description: description } = answer
  if (!response.ok || typeof token !== 'string') {
    throw new TokenError(response.status, String(error ?? `status ${response.status}`), String(description ?? ''))
  }
  const lifeMs = Number(seconds) * 1_000
  return { token, renewAt: asked + lifeMs - Math.min(LEEWAY_MS_MAX, lifeMs * LEEWAY_SHARE) }
}

// RFC 6749, 2.3.1: the two halves of Basic are form-encoded first.
const formEncoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)

/** One caller who gives up must not take the token away from the others who wait for it. */
function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}
