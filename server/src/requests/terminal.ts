import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../platform/http/http.ts'
import { withoutSecrets } from '../platform/operations/log.ts'
import { timeOf } from '../platform/operations/terminal.ts'

/** What pages and monitors ask for by themselves. */
const QUIET = /^\/(livez|readyz|favicon|(console|docs)\/a\/|console\/live)/
const CHARACTERS_MAX = 240

/** Writes a short line for each request that comes over the network: for the terminal of the sandbox. */
export function showRequests(app: App, write: (line: string) => void): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (request.raw.socket instanceof Socket && !QUIET.test(request.url)) write(`${lineOf(request, reply)}\n`)
    done()
  })
}

function lineOf(
  { method, url, clientId, logDraft }: FastifyRequest,
  { statusCode, elapsedTime }: FastifyReply,
): string {
  const ms = `${Math.round(elapsedTime)} ms`.padStart(7)
  const [error] = logDraft?.errors ?? []
  const line = `${timeOf(new Date())}  ${method.padEnd(6)} ${statusCode} ${ms}  ${clientId || '-'}  ${withoutSecrets(url)}`
  return readable(error ? `${line}  ${error.message}` : line)
}

// A message may quote what the caller sent, which must not control the terminal.
const readable = (line: string) => line.slice(0, CHARACTERS_MAX).replaceAll(/\p{Cc}/gu, '·')
