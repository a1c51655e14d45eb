/**
 * What is wrong with a delivery or, more often, with how it was passed to `verifyWebhook`:
 *
 * - `secret-without-prefix`, `secret-prefix-doubled`, `secret-malformed`: the secret is not as the service issued it
 * - `header-missing`, `header-malformed`: it is not a delivery of the service, or a proxy removed headers
 * - `body-parsed`, `body-changed`: the body is not, byte for byte, what was signed
 * - `signature-mismatch`: it was signed with another secret, or by somebody else
 * - `too-old`, `too-new`: a clock is wrong, or an old delivery was replayed
 * - `not-json`: the signature is valid, but the body is not an event
 *
 * @example
 * ```ts
 * import type { WebhookMistake } from '@lodgeway/client/webhooks'
 *
 * const isOurs = (mistake: WebhookMistake) => mistake.startsWith('secret-') || mistake.startsWith('body-')
 * ```
 */
export type WebhookMistake =
  | 'secret-without-prefix'
  | 'secret-prefix-doubled'
  | 'secret-malformed'
  | 'header-missing'
  | 'header-malformed'
  | 'body-parsed'
  | 'body-changed'
  | 'signature-mismatch'
  | 'too-old'
  | 'too-new'
  | 'not-json'

/**
 * A delivery that must not be trusted. `mistake` names what is wrong, and the message says what to do.
 *
 * @example
 * ```ts
 * import { verifyWebhook, WebhookError } from '@lodgeway/client/webhooks'
 *
 * const statusFor = (delivery: Parameters<typeof verifyWebhook>[0]): number => {
 *   try {
 *     verifyWebhook(delivery)
 *     return 204
 *   } catch (error) {
 *     if (!(error instanceof WebhookError)) throw error
 *     process.stderr.write(`${error.mistake}: ${error.message}\n`)
 *     return 400
 *   }
 * }
 * ```
 */
export class WebhookError extends Error {
  override name = 'WebhookError'
  readonly mistake: WebhookMistake

  constructor(mistake: WebhookMistake, message: string) {
    super(message)
    this.mistake = mistake
  }
}
