import { WebhookError } from './webhook-error.ts'

const PREFIX = 'whsec_'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
// What the Standard Webhooks scheme allows. The service's own keys have 32.
const KEY_BYTES_MIN = 24
const KEY_BYTES_MAX = 64

/** The key of a secret. Throws an error that says what is wrong with it, and never shows any of it. */
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
      `The secret must start with ${PREFIX}: use the whole sharedSecret, as the service issued it.`,
    )
  }
  const encoded = secret.slice(PREFIX.length)
  if (encoded.startsWith(PREFIX)) {
    throw new WebhookError(
      'secret-prefix-doubled',
      `The secret starts with ${PREFIX} twice: it was pasted with its prefix after an existing prefix.`,
    )
  }
  const key = Buffer.from(encoded, 'base64')
  if (!BASE64.test(encoded)) {
    throw new WebhookError('secret-malformed', `What follows ${PREFIX} is not base64. Was the secret encoded or cut?`)
  }
  if (key.length < KEY_BYTES_MIN || key.length > KEY_BYTES_MAX) {
    throw new WebhookError(
      'secret-malformed',
      `What follows ${PREFIX} has ${key.length} bytes, not ${KEY_BYTES_MIN} to ${KEY_BYTES_MAX}. Was it cut?`,
    )
  }
  return key
}
