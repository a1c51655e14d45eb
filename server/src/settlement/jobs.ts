import { changeMatterInJob } from '../matter/change.ts'
import { isPaymentUnderWay } from '../matter/matter.ts'
import type { Deps } from '../platform/deps.ts'
import { derivedId } from '../platform/derived-id.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { PAY_JOB, type PayPayload, planPayment } from './plan.ts'
import type { Payments } from './port.ts'
import { endPayment, initiatePayment, instructionOf, settlesAt } from './rules-funds.ts'
import { countPayments } from './store.ts'

/**
 * Has an authorised schedule paid and writes down the outcome. The payment comes between two transactions, not in
 * one: the first says for good under which id and what, the second ends it. An answer that comes twice or late changes
 * nothing.
 */
export const payJob = ({ db, queue }: Pick<Deps, 'db' | 'queue'>, payments: Payments): Job<PayPayload> =>
  job<PayPayload>({
    name: PAY_JOB,
    transactional: false,
    concurrency: 4,
    retries: RETRIES,
    async run({ correlationId, now }, payload) {
      const { workspaceId } = payload
      const actor = { correlationId, at: now }
      const begun = await db.transaction(async (tx) => {
        const also = () => countPayments(tx, workspaceId)
        const matter = await changeMatterInJob(tx, queue, { workspaceId, actor, also }, (present, attempts) => {
          const settlementId = derivedId('payment', present.schedule.scheduleId, attempts + 1)
          const { status, completionDate } = present.workspace
          const { lines } = present.schedule
          const isUnderWay = isPaymentUnderWay(present)
          return initiatePayment({ status, completionDate, lines, isPaymentUnderWay: isUnderWay }, now, settlementId)
        })
        const { status, completionDate } = matter?.workspace ?? {}
        if (!matter || status !== 'FUNDS_AUTHORISED' || !completionDate) return undefined
        if (matter.schedule.status === 'PAYING') return undefined
        const [settlement] = matter.settlements
        if (!settlement) return planPayment(tx, queue, settlesAt(completionDate), payload, actor)
        return { settlement, instruction: instructionOf({ ...matter.workspace, completionDate }, settlement.lines) }
      })
      if (!begun) return
      const { settlementId, initiatedAt: firstAskedAt } = begun.settlement
      const asking = { now, firstAskedAt, messageId: settlementId, correlationId }
      const outcome = await payments.pay(begun.instruction, asking)
      await db.transaction(async (tx) => {
        let isUnderWay = false
        await changeMatterInJob(tx, queue, { workspaceId, actor }, ({ settlements, schedule }) => {
          const isAsked = schedule.status === 'AUTHORISED'
          const underWay = settlements.find((one) => isAsked && one.settlementId === settlementId)
          isUnderWay = underWay !== undefined
          return endPayment(underWay, outcome)
        })
        if (isUnderWay && outcome.kind === 'later') await planPayment(tx, queue, outcome.askAgainAt, payload, actor)
      })
    },
  })

const RETRIES = 20 // what was authorised must end, however often its worker is killed under it
