import assert from 'node:assert/strict'
import { londonMoment } from '../../src/platform/london.ts'
import { payJob } from '../../src/settlement/jobs.ts'
import type { Asking, PaymentInstruction, PaymentOutcome, Payments } from '../../src/settlement/port.ts'
import type { TestService } from './service.ts'
import {
  aBalancedSchedule,
  approveFinance,
  authorise,
  settlementsOf,
  statusesOf as statusesOfBoth,
} from './settling.ts'
import { auditOf, aWorkspace, eventsOf, LENDER, WORKSPACES } from './workspaces.ts'

// Payments as tests have them made: by hand, so that the bank's answers come when, and as often as, a test wants them.
// Nothing is said here of the case but that it is approved.

export type Matter = { workspaceId: string; completionDate: string; advance: number }

export async function anAuthorised(service: TestService, accountNumber = '12345678'): Promise<Matter> {
  const { workspaceId } = await aWorkspace(service)
  await service.deps.db.query(
    `update lodgement_cases set status = 'PREPARED', approved_by = 'jo@harbour.example' where workspace_id = $1`,
    [workspaceId],
  )
  const schedule = await aBalancedSchedule(service, workspaceId, { accountNumber })
  assert.equal((await approveFinance(service, workspaceId)).status, 200)
  assert.equal((await authorise(service, workspaceId, schedule)).status, 200)
  return { workspaceId, ...schedule }
}

export const nineOn = ({ completionDate }: Matter) => londonMoment(completionDate, '09:00:00')

export async function pay(
  service: TestService,
  matter: Matter,
  payments: Payments,
  now = nineOn(matter),
): Promise<void> {
  const job = payJob(service.deps, payments)
  assert.ok(job.transactional === false, 'paying takes time, and no transaction waits for it')
  const context = { correlationId: 'c-1', now, signal: new AbortController().signal }
  await job.run(context, { workspaceId: matter.workspaceId })
}

type Call = { instruction: PaymentInstruction; asking: Asking }

/** A bank that writes down what it is asked. */
export function bankOf(
  answer: (asking: Asking) => PaymentOutcome | Promise<PaymentOutcome>,
): Payments & { calls: Call[] } {
  const calls: Call[] = []
  return {
    calls,
    async pay(instruction, asking) {
      calls.push({ instruction: structuredClone(instruction), asking })
      return answer(asking)
    },
  }
}

export const settling = () =>
  bankOf(({ now }) => ({ kind: 'settled', at: now, scheme: 'FPS', paymentReference: 'BANK-1' }))
export const refusing = () => bankOf(() => ({ kind: 'refused', reason: 'The payee’s bank knows no such account.' }))
export const NEVER_ASKED = bankOf(() => assert.fail('the bank was asked'))

export const statusesOf = async (service: TestService, { workspaceId }: Matter) => [
  ...(await statusesOfBoth(service, workspaceId)),
  ...(await settlementsOf(service, workspaceId)).map(({ status }) => status),
]

export const dueOf = (service: TestService, { workspaceId }: Matter) =>
  service.deps.db.query<{ due_at: Date }>('select due_at from due where key = $1', [`settlement.pay:${workspaceId}`])

export const submissionsOf = async (service: TestService, { workspaceId }: Matter) => {
  const [row] = await service.deps.db.query<{ count: number }>(
    'select count(*) from submissions join lodgement_cases using (lodgement_case_id) where workspace_id = $1',
    [workspaceId],
  )
  return row?.count
}

/** All that an answer could have changed. */
export const pictureOf = async (service: TestService, matter: Matter) => [
  await statusesOf(service, matter),
  await eventsOf(service, matter.workspaceId),
  await auditOf(service, matter.workspaceId),
  await dueOf(service, matter),
  await submissionsOf(service, matter),
]

export const cancel = (service: TestService, { workspaceId }: Matter) =>
  service.call('DELETE', `${WORKSPACES}/${workspaceId}/cancel-workspace`, {
    ...LENDER,
    json: { cancellationReason: 'TITLE_COMPLICATIONS' },
  })
