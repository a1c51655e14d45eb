import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../audit/record.ts'
import { actorOf } from '../auth/actor.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { checkIfMatch, etagOf } from '../platform/http/etag.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import type { Queue } from '../platform/jobs/queue.ts'
import { planDayEnd } from '../worklist/store.ts'
import { withTurn } from '../worklist/turn.ts'
import { checkOpen, type Part } from '../workspaces/status.ts'
import { applyChanges } from './apply.ts'
import { readinessFactsOf } from './consequences.ts'
import { lockAnyMatter, lockMatter, type MatterKey } from './load.ts'
import type { Change, Matter } from './matter.ts'
import { saveMatter } from './save.ts'

/** What a request does to a matter. `Also` is what it needs to know beside the matter itself. */
export type Request<Also, Answer> = {
  of: MatterKey
  also?: (tx: Transaction) => Promise<Also>
  /** What the caller can have read: `If-Match` must name one of these, and the first one's ETag is answered. */
  shown?: (matter: Matter, also: Also) => readonly unknown[]
  /** What must be open for changes. */
  part?: Part | ((matter: Matter) => Part)
  decide: (matter: Matter, also: Also, actor: Actor) => readonly Change[]
  /** From the matter as it is afterwards. */
  answer: (matter: Matter, also: Also, context: { actor: Actor; tx: Transaction }) => Answer | Promise<Answer>
}

/**
 * The one door for requests that change a matter. Locks and loads it, which must be the caller's (404), compares
 * `If-Match` (412), asks whether it is open (409), has a pure function decide what changes, and writes that with all that
 * follows from it. One transaction of two round trips.
 */
export const changeMatter = <Also, Answer>(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { of, also, shown, part, decide, answer }: Request<Also, Answer>,
): Promise<Answer> =>
  idempotentTransaction(deps, request, reply, async (tx) => {
    const actor = actorOf(request, deps.clock)
    const [before, rest] = await Promise.all([lockMatter(tx, of, request.caller), also?.(tx) as Promise<Also>])
    if (shown) checkIfMatch(request, ...shown(before, rest).map((one) => () => one))
    const touched = typeof part === 'function' ? part(before) : part
    if (touched) checkOpen(before.workspace.status, touched, before.lodgementCase.status)
    const after = await applyChanges(tx, deps.queue, before, decide(before, rest, actor), actor)
    if (shown) reply.header('etag', etagOf(shown(after, rest)[0]))
    return answer(after, rest, { actor, tx })
  })

/** The same door for jobs. Undefined where there is no such matter; a decision of nothing changes nothing. */
export async function changeMatterInJob<Also>(
  tx: Transaction,
  queue: Queue,
  { workspaceId, actor, also }: { workspaceId: string; actor: Actor; also?: (tx: Transaction) => Promise<Also> },
  decide: (matter: Matter, also: Also) => readonly Change[],
): Promise<Matter | undefined> {
  const [matter, rest] = await Promise.all([lockAnyMatter(tx, workspaceId), also?.(tx) as Promise<Also>])
  return matter && applyChanges(tx, queue, matter, decide(matter, rest), actor)
}

/**
 * Decides again whose turn it is, where no change did: a day has ended, or a node of the version before made the change,
 * which is the last one then.
 */
export async function refreshTurn(
  tx: Transaction,
  { workspaceId, lastModifiedAt }: { workspaceId: string; lastModifiedAt?: Date },
  actor: Pick<Actor, 'at' | 'correlationId'>,
): Promise<void> {
  const matter = await lockAnyMatter(tx, workspaceId)
  if (!matter) return
  const readiness = readinessFactsOf(matter, actor.at)
  saveMatter(tx, matter, withTurn(matter, readiness, lastModifiedAt ?? actor.at))
  const { completionDate } = matter.workspace
  if (completionDate !== null && completionDate >= readiness.today)
    planDayEnd(tx, { workspaceId, completionDate }, actor)
}
