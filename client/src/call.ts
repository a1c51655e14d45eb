import type { ApiError } from './errors.ts'
import { type Context, errorOf, type LooseInput, operationOf, perform } from './perform.ts'
import type { AnyId, Input, OperationId, Result } from './types.ts'

/**
 * A whole response. The operation's own method returns only its `data`.
 *
 * @example
 * ```ts
 * import { createClient } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * const path = { workspace_id: 'ce4c…' }
 * const { data, etag } = await lodgeway.call('getTitleReconciliation', { path })
 * const [party] = data.parties
 * if (party) {
 *   // Fails with status 412 if somebody else has changed the parties since.
 *   const body = { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: party.partyId } as const
 *   await lodgeway.updateTitleReconciliation({ path, body, ifMatch: etag })
 * }
 * ```
 */
export interface Answer<Id extends AnyId> {
  data: Result<Id>
  status: number
  /** The version that was read, for `ifMatch` and `ifNoneMatch`. */
  etag: string | undefined
  correlationId: string
  headers: Headers
}

/**
 * The response to `ifNoneMatch` when nothing has changed.
 *
 * @example
 * ```ts
 * import { createClient } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * const input = { path: { workspace_id: 'ce4c…' } }
 * const seen = await lodgeway.call('getWorkspace', input)
 * const now = await lodgeway.call('getWorkspace', { ...input, ifNoneMatch: seen.etag ?? '' })
 * const workspace = now.status === 304 ? seen.data : now.data
 * ```
 */
export interface NotModified extends Omit<Answer<never>, 'data' | 'status'> {
  data?: undefined
  status: 304
}

/** Calls an operation. Throws if the service refuses it. */
export async function call<Id extends OperationId>(
  context: Context,
  id: Id,
  input: LooseInput & { ifNoneMatch?: string } = {},
): Promise<Answer<Id>> {
  const { method, path, gone } = operationOf(id)
  const findOutcome = LOST_OUTCOMES[id]
  const done = await perform(context, id, input, {
    ...(input.ifNoneMatch && { headers: { 'if-none-match': input.ifNoneMatch } }),
    ...(method === 'DELETE' && { repeatsLost: gone === true || findOutcome !== undefined }),
  })
  const { response, about } = done
  if (response.ok || response.status === 304) return answerOf(response, done.data, about.correlationId)
  const error = errorOf(done)
  if (!done.wasLost || method !== 'DELETE') throw error
  const { headers } = response
  if (gone && isGone(path, error)) return answerOf({ status: 204, headers }, undefined, about.correlationId)
  const outcome = await findOutcome?.((other, otherInput) => call(context, other, otherInput), input as never)
  if (outcome) return outcome as Answer<Id>
  throw error
}

type Read = <Id extends OperationId>(id: Id, input: Input<Id>) => Promise<Answer<Id>>

/**
 * A DELETE has no idempotency key. When its response is lost it is repeated, and the repeat of one that was done is
 * refused. These functions resolve the lost response: they read the current state and return the response if the DELETE
 * was done. One that deletes what its path ends with needs none: a 404 for the repeat says enough.
 */
const LOST_OUTCOMES: Partial<Record<AnyId, (read: Read, input: never) => Promise<object | undefined>>> = {
  // It answers what GET answers.
  async cancelWorkspace(read, { path }: Input<'cancelWorkspace'>) {
    const found = await read('getWorkspace', { path })
    return found.data.status === 'CANCELLED' ? found : undefined
  },
  // The party stays, so it is not its id that is gone.
  async removePartyRole(read, { path: { workspace_id, party_id } }: Input<'removePartyRole'>) {
    const found = await read('getWorkspace', { path: { workspace_id } })
    const party = found.data.parties.find(({ partyId }) => partyId === party_id)
    return !party || party.role === 'BORROWER' ? { ...found, data: undefined, status: 204 } : undefined
  },
}

/** Whether the last id of the path does not exist any more, while all others do. */
function isGone(path: string, error: ApiError): boolean {
  const [, last = ''] = /\{(\w+)\}$/.exec(path) ?? []
  return error.status === 404 && error.messageAt(last) !== undefined
}

const answerOf = <Id extends AnyId>(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  data: unknown,
  correlationId: string,
): Answer<Id> => ({
  data: data as Result<Id>,
  status,
  etag: headers.get('etag') ?? undefined,
  correlationId: headers.get('x-request-correlation-id') ?? correlationId,
  headers,
})
