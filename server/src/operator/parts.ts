import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, recordPersonAudit } from '../audit/record.ts'
import { actorOf } from '../auth/actor.ts'
import type { ConsoleSettings } from '../people/settings.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { conflict } from '../platform/errors.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import type { ServiceState } from '../platform/operations/state.ts'

// What the routes of operators share.

export const OPERATOR_PATH = '/operator/v1'

export const VIEW = { scope: 'operator:view', undocumented: true } as const
export const RUN = { scope: 'operator:run', undocumented: true } as const
export const CHANGE = { scope: 'operator:change', undocumented: true } as const

export type OperatorParts = {
  /** With the rights of the commands in the database. */
  deps: Deps
  state: ServiceState
  pepper: string
  settings: ConsoleSettings & { publicUrl: string }
}

type Work<T> = (tx: Transaction, actor: Actor) => Promise<T> | T

/** One change in one transaction, in the operator's name. Sent twice with one key, it is done once. */
export const changerOf =
  (deps: Deps) =>
  <T>(request: FastifyRequest, reply: FastifyReply, work: Work<T>) =>
    idempotentTransaction(
      deps,
      request,
      reply,
      async (tx) => (await work(tx, actorOf(request, deps.clock))) ?? {},
    ).catch(explainRights)

/** `serve` may have a role that changes no accounts. */
export function explainRights(error: unknown): never {
  const isForbidden = error instanceof Error && 'code' in error && error.code === '42501'
  if (!isForbidden) throw error
  const message = 'The role of this node in the database may not do this: set OPERATOR_DATABASE_URL, or use a command.'
  throw conflict({ message })
}

/** What concerns the service as a whole is an entry in the chain of the operator who did it. */
export function recordByOperator(
  { operator }: Pick<FastifyRequest, 'operator'>,
  tx: Transaction,
  action: string,
  actor: Actor,
  after?: Readonly<Record<string, string | number>>,
): void {
  const personId = operator?.operatorId ?? ''
  recordPersonAudit(tx, personId, { action, ids: { personId }, ...(after && { after }) }, actor)
}
