import { type Dispatcher, request } from 'undici'
import type { Attempt } from './rules.ts'
import { checkUri, type SsrfPolicy } from './ssrf-policy.ts'

const RESPONSE_MS_MAX = 5_000
const RESPONSE_BYTES_MAX = 1_024

export type Message = { uri: string; headers: Record<string, string>; body: string }

/** Sends one message and returns the result. `at` is on the business clock; all else is real time. */
export async function post(
  { dispatcher, ssrfPolicy }: { dispatcher: Dispatcher; ssrfPolicy: SsrfPolicy },
  { uri, headers, body }: Message,
  at: Date,
): Promise<Attempt> {
  const began = performance.now()
  const sent = { ...headers, 'content-type': 'application/json', 'user-agent': 'Lodgeway-Webhooks/1' }
  const attempt = (result: Omit<Attempt, 'at' | 'durationMs' | 'headers'>): Attempt => ({
    at: at.toISOString(),
    durationMs: Math.round(performance.now() - began),
    ...result,
    headers: sent,
  })
  const signal = AbortSignal.timeout(RESPONSE_MS_MAX)
  try {
    checkUri(uri, ssrfPolicy)
    const received = await request(uri, {
      dispatcher,
      signal,
      method: 'POST',
      headers: sent,
      body,
    })
    const response = await beginningOf(received.body)
    return attempt({ status: received.statusCode, ...(response && { response }) })
  } catch (error) {
    return attempt({ error: sentenceOf(error) })
  }
}

/** The status is known by now, so a body that breaks off or is too long is cut. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= RESPONSE_BYTES_MAX) break
    }
  } catch {}
  const text = Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX).toString('utf8')
  return text.replaceAll('\u0000', '\ufffd')
}

const TOO_LATE = `The receiver did not answer within ${RESPONSE_MS_MAX / 1_000} seconds.`

const SENTENCES: Record<string, string> = {
  FORBIDDEN_ADDRESS: 'This address must not be called.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response came.',
  UND_ERR_SOCKET: 'The connection was closed before a response came.',
  ENOTFOUND: 'The name of the host has no address.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  UND_ERR_CONNECT_TIMEOUT: TOO_LATE,
}

function sentenceOf(error: unknown): string {
  const { name, code, cause } = (error ?? {}) as { name?: string; code?: unknown; cause?: { code?: unknown } }
  if (name === 'TimeoutError') return TOO_LATE
  const reason = String(code ?? cause?.code ?? 'unknown')
  return SENTENCES[reason] ?? `The connection failed (${reason}).`
}
