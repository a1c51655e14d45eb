import { call } from './call.ts'
import { LodgewayError } from './errors.ts'
import type { Context } from './perform.ts'
import { sleep } from './retry.ts'
import type { Input, OperationId, Result } from './types.ts'

/**
 * How long to wait for an outcome, and how often to poll.
 *
 * @example
 * ```ts
 * import { createClient, type WaitOptions } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * const patient: WaitOptions = { forMs: 3_600_000, everyMs: 30_000 }
 * await lodgeway.waitForTitleSearch({ workspaceId: 'ce4c…' }, patient)
 * ```
 */
export interface WaitOptions {
  /** The total time in milliseconds, after which a {@link WaitError} is thrown. Default: 60,000. */
  forMs?: number | undefined
  /** The longest time between two polls, in milliseconds. The first ones are faster. Default: 2,000. */
  everyMs?: number | undefined
  /** Aborts the wait. */
  signal?: AbortSignal | undefined
}

/**
 * The outcome was not known in time. `last` is the last state that was read. The request itself continues.
 *
 * @example
 * ```ts
 * import { createClient, WaitError } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * await lodgeway.waitForTitleSearch({ workspaceId: 'ce4c…' }).catch((error: unknown) => {
 *   if (error instanceof WaitError) process.stderr.write(`Not yet: ${JSON.stringify(error.last)}\n`)
 *   else throw error
 * })
 * ```
 */
export class WaitError extends LodgewayError {
  override name = 'WaitError'
  readonly last: unknown

  constructor(message: string, last: unknown) {
    super(message)
    this.last = last
  }
}

/**
 * An accepted request failed. `reason` says why, and `record` has all details.
 *
 * @example
 * ```ts
 * import { createClient, OutcomeError } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * await lodgeway.waitForTitleSearch({ workspaceId: 'ce4c…' }).catch((error: unknown) => {
 *   if (error instanceof OutcomeError && error.reason === 'CLOSED') process.stderr.write('That title is closed.\n')
 *   else throw error
 * })
 * ```
 */
export class OutcomeError<Record = unknown> extends LodgewayError {
  override name = 'OutcomeError'
  readonly reason: string
  readonly record: Record

  constructor(what: string, reason: string, record: Record) {
    super(`${what} failed: ${reason}.`)
    this.reason = reason
    this.record = record
  }
}

const FIRST_MS = 100
const GROWTH = 1.5

/** What is waited for, for the message when the time is over. */
type Awaited<Seen> = {
  /** Such as `The upload of file f was not checked`. */
  what: string
  statusOf(seen: Seen): string | undefined
}

/** Reads repeatedly until it is done. */
export async function poll<Seen>(
  { what, statusOf }: Awaited<Seen>,
  read: () => Promise<Seen>,
  isDone: (seen: Seen) => boolean,
  { forMs = 60_000, everyMs = 2_000, signal }: WaitOptions = {},
): Promise<Seen> {
  const until = performance.now() + forMs
  for (let pause = Math.min(FIRST_MS, everyMs); ; pause = Math.min(pause * GROWTH, everyMs)) {
    const seen = await read()
    if (isDone(seen)) return seen
    if (performance.now() + pause > until) {
      const status = statusOf(seen)
      const last = status === undefined ? 'see `last` for what was read' : `the last status was ${status}`
      throw new WaitError(`${what} within ${forMs / 1_000} s: ${last}.`, seen)
    }
    await sleep(pause, signal)
  }
}

/** Calls an operation repeatedly until its result is the expected one. */
export const waitFor = <Id extends OperationId>(
  context: Context,
  id: Id,
  input: Input<Id>,
  isDone: (data: Result<Id>) => boolean,
  options: WaitOptions = {},
): Promise<Result<Id>> => {
  const { signal = input.signal } = options
  const waited: Awaited<Result<Id>> = {
    what: `${id} did not return what is waited for`,
    statusOf: (seen) => (seen as { status?: string } | undefined)?.status,
  }
  return poll(waited, async () => (await call(context, id, { ...input, signal })).data, isDone, { ...options, signal })
}
