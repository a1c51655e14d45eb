import { WebhookError } from './webhook-error.ts'

const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
// What the Standard Webhooks scheme allows. The service's own have 32.
const KEY_BYTES_MIN = 24
const KEY_BYTES_MAX = 64

/** The key in a secret; names what is wrong with one that holds none. Never shows any of it. */
export function keyOf(secret: string): Buffer {
  if (typeof secret !== 'string' || secret === '') {
    throw new WebhookError('secret-malformed', 'The secret is missing. Is the setting that holds it set?')
  }
  if (secret !== secret.trim() || /^["'`]|["'`]$/.test(secret)) {
    throw new WebhookError('secret-malformed', 'The secret has white space or quotes around it. Remove them.')
  }
  if (!secret.startsWith(PREFIX)) {
    throw new WebhookError(
      'secret-without-prefix',
      `The secret must begin with ${PREFIX}: give sharedSecret whole, as the service gave it.`,
    )
  }
  const encoded = secret.slice(PREFIX.length)
  if (encoded.startsWith(PREFIX)) {
    throw new WebhookError(
      'secret-prefix-doubled',
      `The secret begins with ${PREFIX} twice: it was pasted with its prefix to where the prefix already stood.`,
    )
  }
  const key = Buffer.from(encoded, 'base64')
  if (!BASE64.test(encoded)) {
    throw new WebhookError('secret-malformed', `What follows ${PREFIX} is no base64. Was the secret encoded or cut?`)
  }
  if (key.length < KEY_BYTES_MIN || key.length > KEY_BYTES_MAX) {
    throw new WebhookError(
      'secret-malformed',
      `What follows ${PREFIX} holds ${key.length} bytes, not ${KEY_BYTES_MIN} to ${KEY_BYTES_MAX}. Was it cut?`,
    )
  }
  return key
}
