import type { Answer } from './call.ts'
import type { AnyId, Input, OperationId } from './types.ts'

/** Reads what there is now; gives the answer of the lost attempt if that was done, nothing otherwise. */
type Look = (read: Read, input: never) => Promise<object | undefined>
type Read = <Id extends OperationId>(id: Id, input: Input<Id>) => Promise<Answer<Id>>

/**
 * A DELETE bears no idempotency key. When its connection is lost, it is repeated, and the repeat of one that was done is
 * refused. So these look whether what was wished for is so. What answers 204 needs no look: that there is nothing left to
 * delete (404) says enough.
 */
export const AFTERMATH: Partial<Record<AnyId, Look>> = {
  // It answers what GET answers.
  async cancelWorkspace(read, { path }: Input<'cancelWorkspace'>) {
    const found = await read('getWorkspace', { path })
    return found.data.status === 'CANCELLED' ? found : undefined
  },
}
