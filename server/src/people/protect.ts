import type { FastifyError } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Refusal, STATUS_OF_REASON } from '../platform/errors.ts'
import { refusalOf } from '../platform/http/answer-error.ts'
import type { App } from '../platform/http/http.ts'
import { CONSOLE_PATH } from './rules.ts'
import { checkConsoleHost } from './rules-origin.ts'

// What holds for every answer below /console.

const ATTEMPTS_PER_MINUTE_MAX = 20

/** The pages have a policy of their own; nothing else runs anything. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

export function protectPages(app: App, settings: { publicUrl: string; sandbox: boolean }): void {
  const attempts = new RateLimiterMemory({ points: ATTEMPTS_PER_MINUTE_MAX, duration: 60 })

  app.addHook('onRequest', async ({ method, url, host, ip }) => {
    checkConsoleHost(host, settings)
    if (!isAttempt(method, url)) return
    await attempts.consume(ip).catch(({ msBeforeNext }: { msBeforeNext: number }) => {
      const seconds = String(Math.max(1, Math.ceil(msBeforeNext / 1_000)))
      const message = `More than ${ATTEMPTS_PER_MINUTE_MAX} attempts to sign in within a minute. Please wait ${seconds} s.`
      throw new Refusal('too_many', [{ message }], { 'retry-after': seconds })
    })
  })

  app.addHook('onSend', async (_, reply) => {
    for (const [name, value] of Object.entries(HEADERS)) if (!reply.hasHeader(name)) reply.header(name, value)
  })

  // For what is refused before there is a page. The messages are ours alone.
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = error instanceof Refusal ? error : refusalOf(error)
    if (!refusal) request.log.error({ err: error }, 'unexpected error')
    const message = refusal?.message ?? 'Something went wrong on our side.'
    reply
      .code(refusal ? STATUS_OF_REASON[refusal.reason] : 500)
      .headers(refusal?.headers ?? {})
      .type('text/plain; charset=utf-8')
      .send(`${message}\n${request.id}\n`)
  })
}

function isAttempt(method: string, url: string): boolean {
  const [path = ''] = url.split('?')
  if (path === `${CONSOLE_PATH}/signed-in`) return true
  return method === 'POST' && (path === `${CONSOLE_PATH}/sign-in` || path.startsWith(`${CONSOLE_PATH}/link/`))
}
