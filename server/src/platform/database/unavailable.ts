import { Refusal, unavailable } from '../errors.ts'

export const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? ''

const CONNECTION_LOST = /^(08|57P|53)|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/
// What the driver says without a code.
const CONNECTION_LOST_MESSAGE =
  /^(Connection terminated|timeout (expired|exceeded when trying to connect)|Client .* not queryable|Cannot use a pool)/

/** An error that means that the database is out of reach becomes a refusal to be tried again; others stay. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof Refusal) return error // whatever its sentence says has ended
  const lost =
    CONNECTION_LOST.test(codeOf(error)) || (error instanceof Error && CONNECTION_LOST_MESSAGE.test(error.message))
  if (!lost) return error
  return Object.assign(unavailable('The database cannot be reached at the moment. Please try again.'), { cause: error })
}
