import type { Connection, Transaction } from '../platform/database/db.ts'
import type { CountedFault } from './rules.ts'

// All times are real: faults end whatever the clock of the sandbox shows.

export type Plan = {
  clientId: string
  subscriberId: string
  seed: number
  faults: CountedFault[]
  /** Digests of tokens that count as expired. */
  tokens: string[]
  endsAt: Date
}

const COLUMNS = `client_id as "clientId", subscriber_id as "subscriberId", seed, faults, tokens, ends_at as "endsAt"`

export const listPlans = (connection: Connection): Promise<Plan[]> =>
  connection.query(`select ${COLUMNS} from sandbox_faults where ends_at > clock_timestamp() order by client_id`)

/** Replaces what is in force for the client. Undefined if there is no such client. */
export async function savePlan(
  connection: Connection,
  { clientId, seed, faults }: Pick<Plan, 'clientId' | 'seed' | 'faults'>,
  seconds: number,
): Promise<Plan | undefined> {
  const [row] = await connection.query<Plan>(
    `insert into sandbox_faults (client_id, subscriber_id, seed, faults, ends_at)
     select client_id, subscriber_id, $2, $3, clock_timestamp() + make_interval(secs => $4)
       from clients where client_id = $1
     on conflict (client_id) do update
       set seed = excluded.seed, faults = excluded.faults, tokens = '{}', ends_at = excluded.ends_at
     returning ${COLUMNS}`,
    [clientId, seed, JSON.stringify(faults), seconds],
  )
  return row
}

export const endPlan = (connection: Connection, clientId: string) =>
  connection.query('update sandbox_faults set ends_at = least(ends_at, clock_timestamp()) where client_id = $1', [
    clientId,
  ])

/** Locked, so that the requests of a client are counted one after the other, on all nodes. */
export async function lockPlan(tx: Transaction, clientId: string): Promise<Plan | undefined> {
  const [row] = await tx.query<Plan>(
    `select ${COLUMNS} from sandbox_faults where client_id = $1 and ends_at > clock_timestamp() for no key update`,
    [clientId],
  )
  return row
}

export const saveCounts = (tx: Transaction, { clientId, faults, tokens }: Plan): void =>
  tx.send('update sandbox_faults set faults = $2, tokens = $3 where client_id = $1', [
    clientId,
    JSON.stringify(faults),
    tokens,
  ])
