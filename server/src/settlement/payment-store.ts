import { randomUUID } from 'node:crypto'
import type { Connection, Transaction } from '../platform/database/db.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'
import type { PaymentOutcome } from './port.ts'
import type { LineItem } from './rules.ts'
import { countsAt } from './rules-funds.ts'

/** An attempt to have a schedule paid, of which the bank has not said yet what became of it. */
export type Attempt = { settlementId: string; lines: LineItem[]; initiatedAt: Date }

/** In a workspace that the caller has locked. */
export async function findAttempt(tx: Connection, workspaceId: string): Promise<Attempt | undefined> {
  const [attempt] = await tx.query<Attempt>(
    `select settlement_id as "settlementId", lines, initiated_at as "initiatedAt" from settlements
      where workspace_id = $1 and status = 'INITIATED'`,
    [workspaceId],
  )
  return attempt
}

/** With the lines as they are now, for they are what is paid, however often the bank has to be asked. */
export function insertAttempt(
  tx: Transaction,
  { scheduleId, workspaceId }: LockedWorkspace,
  lines: LineItem[],
  initiatedAt: Date,
): Attempt {
  const settlementId = randomUUID()
  tx.send(
    `insert into settlements (settlement_id, schedule_id, workspace_id, status, lines, initiated_at)
     values ($1, $2, $3, 'INITIATED', $4, $5)`,
    [settlementId, scheduleId, workspaceId, JSON.stringify(lines), initiatedAt],
  )
  return { settlementId, lines, initiatedAt }
}

export function saveSettled(
  tx: Transaction,
  settlementId: string,
  { at, scheme, paymentReference }: Extract<PaymentOutcome, { kind: 'settled' }>,
  now: Date,
): void {
  tx.send(
    `update settlements set status = 'SETTLED', settled_at = $2, scheme = $3, payment_reference = $4
      where settlement_id = $1`,
    [settlementId, countsAt(at, now), scheme, paymentReference],
  )
}

export function saveRefused(tx: Transaction, settlementId: string, reason: string): void {
  tx.send(`update settlements set status = 'REFUSED', failure_reason = $2 where settlement_id = $1`, [
    settlementId,
    reason,
  ])
}
