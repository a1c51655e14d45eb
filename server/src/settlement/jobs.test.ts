import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type TestService, testService } from '../../test/support/service.ts'
import {
  aBalancedSchedule,
  approveFinance,
  authorise,
  businessDay,
  readSchedule,
  settlementsOf,
} from '../../test/support/settling.ts'
import {
  auditOf,
  aWorkspace,
  eventsOf,
  eventTypesOf,
  LENDER,
  readWorkspace,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/support/workspaces.ts'
import { londonMoment } from '../platform/london.ts'
import { payJob } from './jobs.ts'
import type { Asking, PaymentInstruction, PaymentOutcome, Payments } from './port.ts'
import { simulatedPayments } from './simulator.ts'

// The job is run by hand, so that its answers come when, and as often as, a test wants them. Only the bank is a fake,
// and nothing is said here of the case but that it is approved.

let service: TestService
before(async () => {
  service = await testService({ worker: false })
})

type Matter = { workspaceId: string; completionDate: string; advance: number }

async function anAuthorised(accountNumber = '12345678'): Promise<Matter> {
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

const nineOn = ({ completionDate }: Matter) => londonMoment(completionDate, '09:00:00')

async function pay(matter: Matter, payments: Payments, now = nineOn(matter)): Promise<void> {
  const job = payJob(service.deps, payments)
  assert.ok(job.transactional === false, 'paying takes time, and no transaction waits for it')
  const context = { correlationId: 'c-1', now, signal: new AbortController().signal }
  await job.run(context, { workspaceId: matter.workspaceId })
}

type Call = { instruction: PaymentInstruction; asking: Asking }

/** A bank that writes down what it is asked. */
function bankOf(answer: (asking: Asking) => PaymentOutcome | Promise<PaymentOutcome>): Payments & { calls: Call[] } {
  const calls: Call[] = []
  return {
    calls,
    async pay(instruction, asking) {
      calls.push({ instruction: structuredClone(instruction), asking })
      return answer(asking)
    },
  }
}

const settling = () => bankOf(({ now }) => ({ kind: 'settled', at: now, scheme: 'FPS', paymentReference: 'BANK-1' }))
const refusing = () => bankOf(() => ({ kind: 'refused', reason: 'The payee’s bank knows no such account.' }))
const NEVER_ASKED = bankOf(() => assert.fail('the bank was asked'))

const statusesOf = async ({ workspaceId }: Matter) => [
  (await readWorkspace(service, workspaceId)).status,
  (await readSchedule(service, workspaceId)).status,
  ...(await settlementsOf(service, workspaceId)).map(({ status }) => status),
]

const dueOf = ({ workspaceId }: Matter) =>
  service.deps.db.query<{ due_at: Date }>('select due_at from due where key = $1', [`settlement.pay:${workspaceId}`])

const submissionsOf = async ({ workspaceId }: Matter) => {
  const [row] = await service.deps.db.query<{ count: number }>(
    'select count(*) from submissions join lodgement_cases using (lodgement_case_id) where workspace_id = $1',
    [workspaceId],
  )
  return row?.count
}

/** All that an answer could have changed. */
const pictureOf = async (matter: Matter) => [
  await statusesOf(matter),
  await eventsOf(service, matter.workspaceId),
  await auditOf(service, matter.workspaceId),
  await dueOf(matter),
  await submissionsOf(matter),
]

const cancel = ({ workspaceId }: Matter) =>
  service.call('DELETE', `${WORKSPACES}/${workspaceId}/cancel-workspace`, {
    ...LENDER,
    json: { cancellationReason: 'TITLE_COMPLICATIONS' },
  })

describe('settlement.pay, where the bank settles', () => {
  it('ends the schedule, exchanges the funds, sends the case once, and tells both', async () => {
    const matter = await anAuthorised()
    const before = (await eventTypesOf(service, matter.workspaceId)).length
    await pay(matter, settling())
    assert.deepEqual(await statusesOf(matter), ['FUNDS_EXCHANGED', 'SETTLED', 'SETTLED'])
    const [settlement] = await settlementsOf(service, matter.workspaceId)
    const { lines, initiatedAt, settledAt, scheme, paymentReference } = settlement ?? assert.fail()
    assert.deepEqual(
      [initiatedAt, settledAt, scheme, paymentReference],
      [nineOn(matter), nineOn(matter), 'FPS', 'BANK-1'],
    )
    assert.deepEqual(
      lines.map(({ amountPence }) => amountPence),
      [206_000_00, 206_000_00],
    )
    assert.deepEqual((await eventTypesOf(service, matter.workspaceId)).slice(before), ['WORKSPACE_FUNDS_EXCHANGED'])
    assert.equal(await submissionsOf(matter), 1)
    const entries = (await auditOf(service, matter.workspaceId)).slice(-2)
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['payment initiated', 'payment settled'],
    )
  })

  it('tells the bank the whole schedule, under the id of the attempt', async () => {
    const matter = await anAuthorised()
    const bank = settling()
    await pay(matter, bank)
    const [{ instruction, asking } = assert.fail()] = bank.calls
    const { lineItems } = await readSchedule(service, matter.workspaceId)
    const [advance, redemption] = lineItems
    assert.partialDeepStrictEqual(instruction, {
      workspaceId: matter.workspaceId,
      reference: 'REM-1',
      completionDate: matter.completionDate,
      sources: [{ lineItemId: advance?.lineItemId, amountPence: 206_000_00 }],
      destinations: [{ lineItemId: redemption?.lineItemId, bankAccount: redemption?.bankAccount }],
    })
    const [settlement] = await settlementsOf(service, matter.workspaceId)
    assert.deepEqual([asking.messageId, asking.firstAskedAt], [settlement?.settlementId, nineOn(matter)])
  })

  it('run twice, at once or one after the other, pays once', async () => {
    const matter = await anAuthorised()
    const bank = settling()
    await Promise.all([pay(matter, bank), pay(matter, bank), pay(matter, bank)])
    assert.equal(new Set(bank.calls.map(({ asking }) => asking.messageId)).size, 1, 'all under one id')
    assert.deepEqual(await statusesOf(matter), ['FUNDS_EXCHANGED', 'SETTLED', 'SETTLED'])
    assert.equal(await submissionsOf(matter), 1)
    const before = await pictureOf(matter)
    await pay(matter, NEVER_ASKED)
    assert.deepEqual(await pictureOf(matter), before)
  })

  it('killed between asking and writing down, goes on with the same payment', async () => {
    const matter = await anAuthorised()
    const killed = bankOf(() => Promise.reject(new Error('killed')))
    await assert.rejects(pay(matter, killed), /killed/)
    assert.deepEqual(await statusesOf(matter), ['FUNDS_AUTHORISED', 'AUTHORISED', 'INITIATED'])
    const bank = settling()
    const muchLater = new Date(nineOn(matter).getTime() + 7_200_000)
    await pay(matter, bank, muchLater)
    assert.deepEqual(
      [bank.calls[0]?.instruction, bank.calls[0]?.asking.messageId, bank.calls[0]?.asking.firstAskedAt],
      [killed.calls[0]?.instruction, killed.calls[0]?.asking.messageId, nineOn(matter)],
    )
    assert.deepEqual(await statusesOf(matter), ['FUNDS_EXCHANGED', 'SETTLED', 'SETTLED'])
    assert.equal(
      (await auditOf(service, matter.workspaceId)).filter((one) => one.action === 'payment initiated').length,
      1,
    )
  })

  it('does not pay what does not balance, whoever made it so', async () => {
    const matter = await anAuthorised()
    await service.deps.db.query(
      `update line_items set amount_pence = amount_pence + 1 from settlement_schedules s
        where s.schedule_id = line_items.schedule_id and type = 'SOURCE' and workspace_id = $1`,
      [matter.workspaceId],
    )
    await assert.rejects(pay(matter, NEVER_ASKED), /does not balance/)
    assert.deepEqual(await statusesOf(matter), ['FUNDS_AUTHORISED', 'AUTHORISED'])
  })

  it('has a database that lets no schedule be settled twice, whatever the code may think', async () => {
    const matter = await anAuthorised()
    await pay(matter, settling())
    const again = service.deps.db.query(
      `insert into settlements (settlement_id, schedule_id, workspace_id, status, lines, initiated_at)
       select gen_random_uuid(), schedule_id, workspace_id, 'INITIATED', '[]', now()
         from settlement_schedules where workspace_id = $1`,
      [matter.workspaceId],
    )
    await assert.rejects(again, /settlements_alive/)
  })
})

describe('settlement.pay, where the bank refuses', () => {
  it('takes the authorisation back with the bank’s own words, and leaves the approvals', async () => {
    const matter = await anAuthorised()
    await pay(matter, refusing())
    assert.deepEqual(await statusesOf(matter), ['PREPARED', 'PREPARED', 'REFUSED'])
    const reason = 'The payee’s bank knows no such account.'
    assert.partialDeepStrictEqual((await eventsOf(service, matter.workspaceId)).at(-1), {
      type: 'WORKSPACE_FUNDS_UNAUTHORISED',
      message: reason,
      actor: 'system',
    })
    assert.partialDeepStrictEqual((await auditOf(service, matter.workspaceId)).at(-1), {
      action: 'payment refused',
      before: { status: 'FUNDS_AUTHORISED' },
      after: { status: 'PREPARED', reason },
    })
    assert.equal((await settlementsOf(service, matter.workspaceId))[0]?.failureReason, reason)
    assert.equal(await submissionsOf(matter), 0)
    const before = await pictureOf(matter)
    await pay(matter, NEVER_ASKED)
    assert.deepEqual(await pictureOf(matter), before)
  })

  it('pays a new attempt under a new id, once the lender authorised again', async () => {
    const matter = await anAuthorised()
    await pay(matter, refusing())
    assert.equal((await authorise(service, matter.workspaceId, matter)).body.authorised, true)
    await pay(matter, settling())
    assert.deepEqual(await statusesOf(matter), ['FUNDS_EXCHANGED', 'SETTLED', 'REFUSED', 'SETTLED'])
  })

  it('drops an answer about the attempt before', async () => {
    const matter = await anAuthorised()
    const bank = bankOf(async ({ now }) => {
      await pay(matter, refusing())
      assert.equal((await authorise(service, matter.workspaceId, matter)).body.authorised, true)
      return { kind: 'settled', at: now, scheme: 'FPS', paymentReference: 'BANK-LATE' }
    })
    await pay(matter, bank)
    assert.deepEqual(await statusesOf(matter), ['FUNDS_AUTHORISED', 'AUTHORISED', 'REFUSED'])
  })

  it('never pays before its hour, though a job of an earlier day comes again', async () => {
    const matter = await anAuthorised()
    const early = new Date(nineOn(matter).getTime() - 1)
    await pay(matter, NEVER_ASKED, early)
    assert.deepEqual(await dueOf(matter), [{ due_at: nineOn(matter) }])
    assert.deepEqual(await statusesOf(matter), ['FUNDS_AUTHORISED', 'AUTHORISED'])
  })
})

describe('settlement.pay, where the bank has no answer yet', () => {
  const ask = (matter: Matter) => {
    const askAgainAt = new Date(nineOn(matter).getTime() + 3_600_000)
    return { askAgainAt, bank: bankOf(() => ({ kind: 'later', askAgainAt })) }
  }

  it('asks again at the time that it names, and changes nothing meanwhile', async () => {
    const matter = await anAuthorised()
    const { askAgainAt, bank } = ask(matter)
    const before = await eventTypesOf(service, matter.workspaceId)
    await pay(matter, bank)
    assert.deepEqual(await dueOf(matter), [{ due_at: askAgainAt }])
    assert.deepEqual(await statusesOf(matter), ['FUNDS_AUTHORISED', 'AUTHORISED', 'INITIATED'])
    assert.deepEqual(await eventTypesOf(service, matter.workspaceId), before)
  })

  it('lets nobody cancel or take back meanwhile, for money may have moved', async () => {
    const matter = await anAuthorised()
    await pay(matter, ask(matter).bank)
    const before = await pictureOf(matter)
    assert.equal((await readWorkspace(service, matter.workspaceId)).canBeCancelled, false)
    assert.equal((await cancel(matter)).status, 409)
    const taken = await authorise(service, matter.workspaceId, { ...matter, authorised: false })
    assert.equal(taken.status, 409)
    assert.deepEqual(await pictureOf(matter), before)
  })
})

describe('settlement.pay, where there is nothing to pay', () => {
  it('ends without effect in a workspace that was cancelled, whose payment is planned no more', async () => {
    const matter = await anAuthorised()
    assert.equal((await cancel(matter)).status, 200)
    assert.deepEqual(await dueOf(matter), [])
    const before = await pictureOf(matter)
    await pay(matter, NEVER_ASKED)
    assert.deepEqual(await pictureOf(matter), before)
  })

  it('ends without effect where the authorisation was taken back', async () => {
    const matter = await anAuthorised()
    await authorise(service, matter.workspaceId, { ...matter, authorised: false })
    await pay(matter, NEVER_ASKED)
    assert.deepEqual(await statusesOf(matter), ['PREPARED', 'PREPARED'])
  })

  it('does nothing for a workspace that is not there', () =>
    pay({ workspaceId: UNKNOWN_ID, completionDate: businessDay(service, 0), advance: 1 }, NEVER_ASKED))

  it('fits the simulator', async () => {
    const matter = await anAuthorised()
    await pay(matter, simulatedPayments(service.deps))
    assert.deepEqual(await statusesOf(matter), ['FUNDS_EXCHANGED', 'SETTLED', 'SETTLED'])
  })
})
