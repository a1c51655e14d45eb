import {
  ApiError,
  ConnectionError,
  LodgewayError,
  OutcomeError,
  TokenError,
  WaitError,
} from '../../client/src/index.ts'
import { WebhookError } from '../../client/src/webhooks.ts'
import { EXIT } from './failure.ts'
import { isLoopback } from './loopback.ts'

// An error as an exit code, and as the lines that a person reads.

export type Explained = { exitCode: number; lines: string[] }

/** Undefined for a bug, which needs its stack. `url` is the address of the service, where one was called. */
export function explain(error: unknown, url = ''): Explained | undefined {
  if (error instanceof ApiError) return { exitCode: EXIT.refused, lines: refusalLines(error, url) }
  if (error instanceof TokenError) {
    const guide = error.status >= 400 ? [`guide: ${url}${guideOf(401)}`] : []
    return { exitCode: EXIT.refused, lines: [error.message, ...guide] }
  }
  if (error instanceof WebhookError) return { exitCode: EXIT.refused, lines: [`${error.mistake}: ${error.message}`] }
  if (error instanceof OutcomeError || error instanceof WaitError) {
    return { exitCode: EXIT.failed, lines: [error.message] }
  }
  if (error instanceof ConnectionError) {
    return { exitCode: EXIT.unreachable, lines: [error.message, ...advice(error, url)] }
  }
  if (error instanceof LodgewayError) return { exitCode: EXIT.unreachable, lines: [error.message] }
  return undefined
}

function refusalLines({ status, errors, operation, correlationId, retryAfterSeconds }: ApiError, url: string) {
  const faults = errors.map(({ field, message }) => (field ? `${field}: ${message}` : message))
  return [
    `${operation} was answered with ${status}.`,
    ...faults.map((fault) => `  ${fault}`),
    ...(retryAfterSeconds === undefined ? [] : [`  It can be sent again after ${retryAfterSeconds} s.`]),
    `correlation id: ${correlationId}`,
    `guide: ${url}${guideOf(status)}`,
  ]
}

function advice({ idempotencyKey, operation }: ConnectionError, url: string): string[] {
  const mayBeDone = idempotencyKey && !operation.includes('/oauth/token')
  return [
    ...(mayBeDone ? [`It may have been done. Repeat it with header.Idempotency-Key=${idempotencyKey}`] : []),
    isLoopback(url) ? `Does the sandbox run at ${url}? \`npm start\` in the clone starts it.` : `Is ${url} right?`,
  ]
}

/** Statuses that share a section of the guide's page about errors, or have none. */
const SECTIONS: Readonly<Record<number, string>> = {
  405: '#405-406-415',
  406: '#405-406-415',
  408: '',
  413: '#413-416-431',
  415: '#405-406-415',
  416: '#413-416-431',
  431: '#413-416-431',
  500: '',
}

export const guideOf = (status: number): string => `/docs/guide/errors${SECTIONS[status] ?? `#${status}`}`
