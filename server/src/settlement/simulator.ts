import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../platform/database/db.ts'
import type { FinalOutcome, PaymentInstruction, Payments } from './port.ts'

/** What an account number makes happen, as test cards do. `docs/payment-port.md` lists them; every other one is paid. */
export const REFUSED_ACCOUNT = '00000000'
export const SLOW_ACCOUNT = '11111111'

/** In words. The guide has the same. */
export const ACCOUNT_NOTES: Readonly<Record<string, string>> = {
  [REFUSED_ACCOUNT]: 'the bank refuses the whole payment and names this line, and the authorisation is withdrawn',
  [SLOW_ACCOUNT]: 'the bank fails twice, an hour apart, then pays',
}

const HOUR_MS = 3_600_000
const ERRORS_OF_SLOW = 2

/**
 * The bank of the sandbox. It remembers its instructions, by message id, and its answers follow from that and the
 * business clock: a repeat, a late call or another process gets the answer that this one would have given.
 */
export const simulatedPayments = ({ db }: { db: Db }): Payments => ({
  async pay(instruction, { messageId, now, firstAskedAt: receivedAt }) {
    const known = await remember(db, messageId, instruction, receivedAt)
    if (!isDeepStrictEqual(known, instruction)) throw new Error(`The payment ${messageId} was another before.`)
    const outcome = outcomeOf(instruction, messageId, receivedAt)
    if (outcome.kind !== 'settled' || now >= outcome.at) return outcome
    const hours = Math.floor((now.getTime() - receivedAt.getTime()) / HOUR_MS) + 1
    return { kind: 'later', askAgainAt: new Date(receivedAt.getTime() + hours * HOUR_MS) }
  },
})

/** What becomes of it in the end, decided when it is received. */
function outcomeOf({ destinations }: PaymentInstruction, messageId: string, receivedAt: Date): FinalOutcome {
  const lineTo = (account: string) => destinations.find(({ bankAccount }) => bankAccount.accountNumber === account)
  const refused = lineTo(REFUSED_ACCOUNT)
  if (refused) {
    const reason = 'The bank refused the payment: an account is closed.'
    return { kind: 'refused', reason, lineItemId: refused.lineItemId }
  }
  const at = new Date(receivedAt.getTime() + (lineTo(SLOW_ACCOUNT) ? ERRORS_OF_SLOW * HOUR_MS : 0))
  const paymentReference = `SIM-${messageId.replaceAll('-', '').slice(0, 12).toUpperCase()}`
  return { kind: 'settled', at, scheme: 'CHAPS', paymentReference }
}

// What it knows already stays as it is, and is what the statement returns.
async function remember(db: Db, messageId: string, instruction: PaymentInstruction, receivedAt: Date) {
  const [row] = await db.query<{ known: PaymentInstruction }>(
    `insert into simulated_payments (message_id, instruction, received_at) values ($1, $2, $3)
     on conflict (message_id) do update set message_id = excluded.message_id returning instruction as known`,
    [messageId, instruction, receivedAt],
  )
  return row?.known
}
