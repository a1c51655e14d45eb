/**
 * What is wrong with a delivery, or, more often, with the way it was handed over:
 *
 * - `secret-without-prefix`, `secret-prefix-doubled`, `secret-malformed`: the secret is not as it was given out
 * - `header-missing`, `header-malformed`: it is no delivery of the service, or something on the way took headers off
 * - `body-parsed`, `body-changed`: what came is not, byte for byte, what was signed
 * - `signature-mismatch`: another secret signed it, or somebody who has none
 * - `too-old`, `too-new`: a clock is wrong, or somebody sends an old delivery again
 * - `not-json`: the signature is right, but what it signs is no event
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
 * A delivery that must not be believed. `mistake` names what is wrong, the message what to do about it.
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
