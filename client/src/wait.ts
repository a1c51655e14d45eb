import { call } from './call.ts'
import { LodgewayError } from './errors.ts'
import type { Context } from './perform.ts'
import { sleep } from './retry.ts'
import type { Input, OperationId, Result } from './types.ts'

/**
 * How long to wait for an outcome, and how often to look.
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
  /** In all, in milliseconds: 60,000. Then a {@link WaitError} is thrown. */
  forMs?: number | undefined
  /** At most between two looks, in milliseconds: 2,000. The first come faster. */
  everyMs?: number | undefined
  /** Ends the waiting. */
  signal?: AbortSignal | undefined
}

/**
 * The outcome did not come in time. `last` is what was seen last; the request itself goes on.
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
 * An accepted request came to a bad end. `reason` says why, `record` is all there is to know.
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

/** Reads again and again until it is done. */
export async function poll<Seen>(
  read: () => Promise<Seen>,
  isDone: (seen: Seen) => boolean,
  { forMs = 60_000, everyMs = 2_000, signal }: WaitOptions = {},
): Promise<Seen> {
  const until = performance.now() + forMs
  for (let pause = Math.min(FIRST_MS, everyMs); ; pause = Math.min(pause * GROWTH, everyMs)) {
    const seen = await read()
    if (isDone(seen)) return seen
    if (performance.now() + pause > until) throw new WaitError(`The outcome did not come within ${forMs} ms.`, seen)
    await sleep(pause, signal)
  }
}

/** Calls an operation again and again until its answer is the one that is waited for. */
export const waitFor = <Id extends OperationId>(
  context: Context,
  id: Id,
  input: Input<Id>,
  isDone: (data: Result<Id>) => boolean,
  options: WaitOptions = {},
): Promise<Result<Id>> => {
  const { signal = input.signal } = options
  return poll(async () => (await call(context, id, { ...input, signal })).data, isDone, { ...options, signal })
}
