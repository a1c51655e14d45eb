import { type Actor, recordSubscriberAudit } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import { invalid, notFound } from '../platform/errors.ts'
import { maskAccount } from '../settlement/present.ts'
import type { BankAccount } from '../settlement/rules.ts'
import { clientAccountErrors } from './rules-file.ts'
import { lockPayer, saveAccount } from './store.ts'

/** Sets the account that a law firm pays from. The audit keeps its last digits alone. */
export async function setAccount(tx: Transaction, subscriberId: string, account: BankAccount, actor: Actor) {
  const payer = await lockPayer(tx, subscriberId)
  if (!payer) throw notFound('subscriberId', 'There is no such subscriber.')
  const [wrong] = payer.kind === 'LAW_FIRM' ? clientAccountErrors(account) : ['only a law firm pays from an account']
  if (wrong) throw invalid({ message: `The account cannot be set: ${wrong}.` })
  saveAccount(tx, subscriberId, account)
  const change = { before: pictureAccount(payer.account), after: pictureAccount(account) }
  recordSubscriberAudit(tx, subscriberId, { action: 'client account set', ids: { subscriberId }, ...change }, actor)
}

const pictureAccount = (account: BankAccount | null) =>
  account ? { ...account, accountNumber: maskAccount(account.accountNumber) } : {}
