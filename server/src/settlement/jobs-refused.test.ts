import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  anAuthorised,
  bankOf,
  cancel,
  dueOf,
  type Matter,
  NEVER_ASKED,
  nineOn,
  pay,
  refusing,
  settling,
  snapshotOf,
  statusesOf,
  submissionsOf,
} from '../../test/fixtures/payments.ts'
import { authorise, businessDay, readSchedule, settlementsOf } from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { auditOf, eventsOf, eventTypesOf, readWorkspace, UNKNOWN_ID } from '../../test/fixtures/workspaces.ts'
import { REFUSED_ACCOUNT, simulatedPayments } from './simulator.ts'

let service: TestService
before(async () => {
  service = await sharedService('idle')
})

describe('settlement.pay, where the bank refuses', () => {
  it('takes the authorisation back with the bank’s own words, and leaves the approvals', async () => {
    const matter = await anAuthorised(service)
    await pay(service, matter, refusing())
    assert.deepEqual(await statusesOf(service, matter), ['PREPARED', 'PREPARED', 'REFUSED'])
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
    assert.equal(await submissionsOf(service, matter), 0)
    const before = await snapshotOf(service, matter)
    await pay(service, matter, NEVER_ASKED)
    assert.deepEqual(await snapshotOf(service, matter), before)
  })

  it('shows on the schedule which line was refused until funds are authorised again, and never the account', async () => {
    const matter = await anAuthorised(service, REFUSED_ACCOUNT)
    const { workspaceId } = matter
    await pay(service, matter, simulatedPayments(service.deps))
    const { failure, lineItems } = await readSchedule(service, workspaceId)
    const reason = 'The bank refused the payment: an account is closed.'
    const lineItemId = lineItems.find(({ type }) => type === 'DESTINATION')?.lineItemId
    assert.deepEqual(failure, { at: nineOn(matter).toISOString(), lineItemId, reason })
    assert.equal((await eventsOf(service, workspaceId)).at(-1)?.message, `${reason} Payee: Redemption.`)
    assert.equal((await auditOf(service, workspaceId)).at(-1)?.ids['lineItemId'], lineItemId)
    await authorise(service, workspaceId, { ...matter, advance: 1 })
    assert.ok((await readSchedule(service, workspaceId)).failure, 'a mismatch authorises nothing')
    await authorise(service, workspaceId, matter)
    assert.equal((await readSchedule(service, workspaceId)).failure, undefined)
    await authorise(service, workspaceId, { ...matter, authorised: false })
    assert.equal((await readSchedule(service, workspaceId)).failure, undefined, 'and it does not come back')
  })

  it('pays a new attempt under a new id, once the lender authorised again', async () => {
    const matter = await anAuthorised(service)
    await pay(service, matter, refusing())
    assert.equal((await authorise(service, matter.workspaceId, matter)).body.authorised, true)
    await pay(service, matter, settling(), new Date(nineOn(matter).getTime() + 60_000))
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_EXCHANGED', 'SETTLED', 'REFUSED', 'SETTLED'])
  })

  it('drops an answer about the attempt before', async () => {
    const matter = await anAuthorised(service)
    const bank = bankOf(async ({ now }) => {
      await pay(service, matter, refusing())
      assert.equal((await authorise(service, matter.workspaceId, matter)).body.authorised, true)
      return { kind: 'settled', at: now, scheme: 'FPS', paymentReference: 'BANK-LATE' }
    })
    await pay(service, matter, bank)
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_AUTHORISED', 'AUTHORISED', 'REFUSED'])
  })

  it('never pays before its hour, though a job of an earlier day comes again', async () => {
    const matter = await anAuthorised(service)
    const early = new Date(nineOn(matter).getTime() - 1)
    await pay(service, matter, NEVER_ASKED, early)
    assert.deepEqual(await dueOf(service, matter), [{ due_at: nineOn(matter) }])
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_AUTHORISED', 'AUTHORISED'])
  })
})

describe('settlement.pay, where the bank has no answer yet', () => {
  const ask = (matter: Matter) => {
    const askAgainAt = new Date(nineOn(matter).getTime() + 3_600_000)
    return { askAgainAt, bank: bankOf(() => ({ kind: 'later', askAgainAt })) }
  }

  it('asks again at the time that it names, and changes nothing meanwhile', async () => {
    const matter = await anAuthorised(service)
    const { askAgainAt, bank } = ask(matter)
    const before = await eventTypesOf(service, matter.workspaceId)
    await pay(service, matter, bank)
    assert.deepEqual(await dueOf(service, matter), [{ due_at: askAgainAt }])
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_AUTHORISED', 'AUTHORISED', 'INITIATED'])
    assert.deepEqual(await eventTypesOf(service, matter.workspaceId), before)
  })

  it('lets nobody cancel or take back meanwhile, for money may have moved', async () => {
    const matter = await anAuthorised(service)
    await pay(service, matter, ask(matter).bank)
    const before = await snapshotOf(service, matter)
    assert.equal((await readWorkspace(service, matter.workspaceId)).canBeCancelled, false)
    assert.equal((await cancel(service, matter)).status, 409)
    const taken = await authorise(service, matter.workspaceId, { ...matter, authorised: false })
    assert.equal(taken.status, 409)
    assert.deepEqual(await snapshotOf(service, matter), before)
  })
})

describe('settlement.pay, where there is nothing to pay', () => {
  it('ends without effect in a workspace that was cancelled, whose payment is planned no more', async () => {
    const matter = await anAuthorised(service)
    assert.equal((await cancel(service, matter)).status, 200)
    assert.deepEqual(await dueOf(service, matter), [])
    const before = await snapshotOf(service, matter)
    await pay(service, matter, NEVER_ASKED)
    assert.deepEqual(await snapshotOf(service, matter), before)
  })

  it('ends without effect where the authorisation was taken back', async () => {
    const matter = await anAuthorised(service)
    await authorise(service, matter.workspaceId, { ...matter, authorised: false })
    await pay(service, matter, NEVER_ASKED)
    assert.deepEqual(await statusesOf(service, matter), ['PREPARED', 'PREPARED'])
  })

  it('does nothing for a workspace that is not there', () =>
    pay(service, { workspaceId: UNKNOWN_ID, completionDate: businessDay(service, 0), advance: 1 }, NEVER_ASKED))

  it('fits the simulator', async () => {
    const matter = await anAuthorised(service)
    await pay(service, matter, simulatedPayments(service.deps))
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_EXCHANGED', 'SETTLED', 'SETTLED'])
  })
})
