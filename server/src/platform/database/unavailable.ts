import { Refusal, unavailable } from '../errors.ts'

export const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? ''

// 25006: the server only reads, as it is a standby.
const LOST = /^(08|57P|25P03|25P04|25006)|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/
// Messages of the driver without a code.
const LOST_MESSAGE =
  /^(Connection terminated|timeout (expired|exceeded when trying to connect)|Client .* not queryable|Cannot use a pool)/
const OUT_OF_RESOURCES = /^53/
const LOCK_TIMEOUT = '55P03'
const STATEMENT_TIMEOUT = '57014'

export const isConnectionLost = (error: unknown): boolean =>
  LOST.test(codeOf(error)) || (error instanceof Error && LOST_MESSAGE.test(error.message))

/** Turns a temporary error of the database into a refusal that can be retried; returns other errors as they are. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof Refusal) return error
  const message = messageOf(error)
  return message
    ? Object.assign(unavailable(`${message} Nothing was done. Please try again.`), { cause: error })
    : error
}

function messageOf(error: unknown): string | undefined {
  const code = codeOf(error)
  if (code === LOCK_TIMEOUT) return 'Another change has locked a record that this request needs.'
  if (code === STATEMENT_TIMEOUT) return 'The database took too long.'
  if (isConnectionLost(error) || OUT_OF_RESOURCES.test(code)) return 'The database cannot be reached at the moment.'
  return undefined
}
