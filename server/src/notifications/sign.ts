import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// Standard Webhooks: an HMAC-SHA-256 of id, time and body with each valid secret.

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newSharedSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

export function signedHeaders(
  secrets: readonly string[],
  { id, body, sentAt }: { id: string; body: string; sentAt: Date },
): Record<string, string> {
  const seconds = String(Math.floor(sentAt.getTime() / 1000))
  const signatures = secrets.map((secret) => `v1,${hmac(secret, `${id}.${seconds}.${body}`)}`)
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') }
}

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(text)
    .digest('base64')

/** The text a receiver must return to show that it wants the deliveries. */
export const newChallenge = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** White space around it is ignored: many frameworks end a response with a line break. */
export const isAnswerTo = (challenge: string, response: string): boolean =>
  timingSafeEqual(digest(challenge), digest(response.trim()))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
