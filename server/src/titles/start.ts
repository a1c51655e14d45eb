import { randomUUID } from 'node:crypto'
import type { Actor } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Queue } from '../platform/jobs/queue.ts'
import { replaceTitle } from './store.ts'

export const SEARCH_JOB = 'titles.search'

export type SearchPayload = { workspaceId: string; titleId: string }

/** Records the title and queues its search, in the caller's transaction. */
export async function startSearch(
  tx: Transaction,
  queue: Queue,
  { workspaceId, titleNumber }: { workspaceId: string; titleNumber: string },
  actor: Actor,
): Promise<string> {
  const titleId = randomUUID()
  replaceTitle(tx, workspaceId, titleId, titleNumber)
  const payload: SearchPayload = { workspaceId, titleId }
  await queue.enqueue(tx, SEARCH_JOB, payload, actor)
  return titleId
}
