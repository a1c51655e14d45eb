import type { SubscriberKind } from '../auth/store.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import type { BankAccount } from '../settlement/rules.ts'
import { LINES } from '../settlement/store.ts'
import { scheduleNotFound } from '../workspaces/store.ts'
import type { Payable } from './rules-file.ts'

/** Only the law firm of the matter pays it. */
export async function findPayable(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  scheduleId: string,
): Promise<Payable> {
  const [row] = await connection.query<Payable>(
    `select s.schedule_id as "scheduleId", s.status, w.completion_date as "completionDate", s.authorised_at as "authorisedAt",
            ${LINES} as lines, f.client_account as "clientAccount"
       from settlement_schedules s join workspaces w using (workspace_id) join subscribers f on f.subscriber_id = w.law_firm_id
      where s.schedule_id = $1 and w.law_firm_id = $2`,
    [scheduleId, subscriberId],
  )
  if (!row) throw scheduleNotFound()
  return row
}

export type Payer = { kind: SubscriberKind; account: BankAccount | null }

export async function lockPayer(tx: Transaction, subscriberId: string): Promise<Payer | undefined> {
  const [payer] = await tx.query<Payer>(
    'select kind, client_account as account from subscribers where subscriber_id = $1 for no key update',
    [subscriberId],
  )
  return payer
}

export function saveAccount(tx: Transaction, subscriberId: string, account: BankAccount): void {
  tx.send('update subscribers set client_account = $2 where subscriber_id = $1', [subscriberId, account])
}
