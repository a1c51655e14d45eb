import { createHmac, timingSafeEqual } from 'node:crypto'
import type { webhooks } from './schema.ts'
import { WebhookError } from './webhook-error.ts'
import { keyOf } from './webhook-secret.ts'

/* biome-ignore lint/performance/noBarrelFile: a receiver needs one import */
export { WebhookError, type WebhookMistake } from './webhook-error.ts'

/**
 * An event as it is delivered. `type` determines which ids its `data` has.
 *
 * @example
 * ```ts
 * import type { WebhookEvent } from '@lodgeway/client/webhooks'
 *
 * const workspaceOf = (event: WebhookEvent) => ('workspaceId' in event.data ? event.data.workspaceId : undefined)
 * const isCreation = (event: WebhookEvent<'WORKSPACE_CREATED' | 'TEST'>) => event.type === 'WORKSPACE_CREATED'
 * ```
 */
export type WebhookEvent<Type extends keyof webhooks = keyof webhooks> = {
  [Each in Type]: webhooks[Each]['post']['requestBody']['content']['application/json']
}[Type]

/**
 * A delivery as it was received.
 *
 * @example
 * ```ts
 * import type { Delivery } from '@lodgeway/client/webhooks'
 *
 * const fromRequest = async (request: Request): Promise<Delivery> => ({
 *   secret: process.env['LODGEWAY_WEBHOOK_SECRET'] ?? '',
 *   headers: request.headers,
 *   body: await request.text(),
 * })
 * ```
 */
export interface Delivery {
  /** `sharedSecret` as the service issued it. Two of them during a rotation: either may have signed. */
  secret: string | readonly string[]
  /** The request's headers, as Node or `fetch` has them. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body as it was received: the bytes, or the text before it is parsed. */
  body: string | Uint8Array
  /** How far the time of sending may differ, in seconds. Default: 300. */
  toleranceSeconds?: number | undefined
  /** The time, for tests. */
  now?: Date | undefined
}

const TOLERANCE_SECONDS = 300

/**
 * Verifies that a delivery comes from the service and is recent, and returns its event. Otherwise throws a
 * {@link WebhookError} that names the mistake. The service delivers at least once: `webhook-id` is the same in every attempt.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { text } from 'node:stream/consumers'
 * import { answerTo, verifyWebhook } from '@lodgeway/client/webhooks'
 *
 * const secret = process.env['LODGEWAY_WEBHOOK_SECRET'] ?? ''
 * createServer(async (request, response) => {
 *   const event = verifyWebhook({ secret, headers: request.headers, body: await text(request) })
 *   if (event.type === 'REPRESENTATION_FAILED') process.stdout.write(`${event.data.representationId}\n`)
 *   response.writeHead(200).end(answerTo(event))
 * }).listen(3000)
 * ```
 */
export function verifyWebhook({ secret, headers, body, toleranceSeconds, now }: Delivery): WebhookEvent {
  const keys = (typeof secret === 'string' ? [secret] : secret).map(keyOf)
  const { id, timestamp, signatures } = readHeaders(headers)
  const bytes = bytesOf(body)
  const isSigned = (content: Uint8Array) => keys.some((key) => matches(key, `${id}.${timestamp}.`, content, signatures))
  if (!isSigned(bytes)) throw unsigned(bytes, isSigned)
  checkTime(Number(timestamp), now ?? new Date(), toleranceSeconds ?? TOLERANCE_SECONDS)
  const event = parse(bytes)
  if (!event) throw new WebhookError('not-json', 'The body is signed, but it is not a JSON object.')
  return event as WebhookEvent
}

/**
 * What to sign: an event as text, and the id that is the same in every attempt.
 *
 * @example
 * ```ts
 * import type { Signable } from '@lodgeway/client/webhooks'
 *
 * const delivery: Signable = { secret: 'whsec_…', id: 'e9d1…', body: '{"id":"e9d1…"}', sentAt: new Date() }
 * ```
 */
export interface Signable {
  secret: string
  id: string
  body: string
  /** Default: now. */
  sentAt?: Date | undefined
}

/**
 * The headers with which the service would send this delivery. For the tests of your receiver.
 *
 * @example
 * ```ts
 * import { signWebhook } from '@lodgeway/client/webhooks'
 *
 * const body = JSON.stringify({ id: 'e9d1…', type: 'TEST', timestamp: '2026-03-14T09:30:00.000Z', data: {} })
 * const headers = signWebhook({ secret: process.env['LODGEWAY_WEBHOOK_SECRET'] ?? '', id: 'e9d1…', body })
 * await fetch('http://127.0.0.1:3000/hooks', { method: 'POST', headers, body })
 * ```
 */
export function signWebhook({ secret, id, body, sentAt = new Date() }: Signable): Record<string, string> {
  const seconds = String(Math.floor(sentAt.getTime() / 1_000))
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` }
}

/**
 * The body of your response: the value of a `CHALLENGE`, which verifies your address, and an empty string for any other event. Pass
 * it what {@link verifyWebhook} returned: an unsigned challenge is not from the service.
 *
 * @example
 * ```ts
 * import { answerTo, verifyWebhook } from '@lodgeway/client/webhooks'
 *
 * const receive = async (request: Request): Promise<Response> => {
 *   const secret = process.env['LODGEWAY_WEBHOOK_SECRET'] ?? ''
 *   const event = verifyWebhook({ secret, headers: request.headers, body: await request.text() })
 *   return new Response(answerTo(event))
 * }
 * ```
 */
export const answerTo = (event: WebhookEvent): string => (event.type === 'CHALLENGE' ? event.data.challenge : '')

function readHeaders(headers: Delivery['headers']): { id: string; timestamp: string; signatures: Buffer[] } {
  const headerOf = (name: string) => {
    if (headers instanceof Headers) return headers.get(name) ?? ''
    const [, value = ''] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
    return typeof value === 'string' ? value : (value[0] ?? '')
  }
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
  const [id = '', timestamp = '', signature = ''] = names.map(headerOf)
  const missing = names.filter((name) => headerOf(name) === '')
  if (missing.length) {
    throw new WebhookError('header-missing', `The request has no ${missing.join(', ')}. Does a proxy remove headers?`)
  }
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookError('header-malformed', 'webhook-timestamp must be whole seconds since 1970.')
  }
  const signatures = [...signature.matchAll(/(?:^| )v1,(\S+)/g)].map(([, one = '']) => Buffer.from(one, 'base64'))
  if (signatures.length === 0) {
    throw new WebhookError('header-malformed', 'webhook-signature must contain at least one signature, v1,…')
  }
  return { id, timestamp, signatures }
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return body
  throw new WebhookError(
    'body-parsed',
    'The body was already parsed, but the signature is over the original bytes. Read the raw body before any ' +
      'JSON parser: express.raw() instead of express.json(), or await request.text().',
  )
}

function matches(key: Buffer, prefix: string, content: Uint8Array, signatures: readonly Buffer[]): boolean {
  const expected = createHmac('sha256', key).update(prefix).update(content).digest()
  return signatures.some((one) => one.length === expected.length && timingSafeEqual(one, expected))
}

/** Why a signature does not match. A changed body is never trusted, but the mistake can be named. */
function unsigned(bytes: Uint8Array, isSigned: (content: Uint8Array) => boolean): WebhookError {
  const parsed = parse(bytes)
  const sent = parsed && Buffer.from(JSON.stringify(parsed))
  const trimmed = Buffer.from(new TextDecoder().decode(bytes).trim())
  if ((sent && isSigned(sent)) || isSigned(trimmed)) {
    return new WebhookError(
      'body-changed',
      'The body was parsed and serialised again, or white space was added, before it was verified. The signature ' +
        'matches the bytes as they were sent: pass the raw body.',
    )
  }
  const isRewritten = sent !== undefined && !sent.equals(bytes)
  return new WebhookError(
    'signature-mismatch',
    `The signature was made with another secret, or the body is not the one that was sent. ${
      isRewritten
        ? 'The body is not formatted as the service sends it: was it parsed and serialised again?'
        : 'Is this the secret of this registration, and the one since its last rotation?'
    }`,
  )
}

function parse(bytes: Uint8Array): object | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function checkTime(sentSeconds: number, now: Date, tolerance: number): void {
  const age = Math.round(now.getTime() / 1_000 - sentSeconds)
  if (Math.abs(age) <= tolerance) return
  const span = `${Math.abs(age)} s, and ${tolerance} s are allowed`
  if (age > 0) {
    const message = `It was sent too long ago: ${span}. Your clock is fast by that much, or the delivery was replayed.`
    throw new WebhookError('too-old', message)
  }
  throw new WebhookError('too-new', `It was sent in the future: ${span}. Your clock is slow by that much.`)
}
