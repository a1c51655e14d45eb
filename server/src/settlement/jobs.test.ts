import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  anAuthorised,
  bankOf,
  NEVER_ASKED,
  nineOn,
  pay,
  settling,
  snapshotOf,
  statusesOf,
  submissionsOf,
} from '../../test/fixtures/payments.ts'
import { askSchedule, readSchedule, setDate, settlementsOf } from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { auditOf, eventTypesOf } from '../../test/fixtures/workspaces.ts'
import { derivedId } from '../platform/derived-id.ts'

let service: TestService
before(async () => {
  service = await sharedService('idle')
})

describe('settlement.pay, where the bank settles', () => {
  it('ends the schedule, exchanges the funds, sends the case once, and tells both', async () => {
    const matter = await anAuthorised(service)
    const before = (await eventTypesOf(service, matter.workspaceId)).length
    await pay(service, matter, settling())
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_EXCHANGED', 'SETTLED', 'SETTLED'])
    const [settlement] = await settlementsOf(service, matter.workspaceId)
    const { lines, initiatedAt, settledAt, scheme, paymentReference } = settlement ?? assert.fail()
    assert.deepEqual(
      [initiatedAt, settledAt, scheme, paymentReference],
      [nineOn(matter), nineOn(matter), 'FPS', 'BANK-1'],
    )
    const { headers, body } = await askSchedule(service, matter.workspaceId)
    assert.deepEqual(body.records[0]?.settlement, {
      at: nineOn(matter).toISOString(),
      scheme: 'FPS',
      paymentReference: 'BANK-1',
    })
    const ifMatch = { headers: { 'if-match': headers.get('etag') ?? '' } }
    const id = body.records[0]?.financialSettlementScheduleId ?? ''
    assert.equal((await setDate(service, id, matter.completionDate, ifMatch)).status, 409, 'locked, and not stale')
    assert.deepEqual(
      lines.map(({ amountPence }) => amountPence),
      [206_000_00, 206_000_00],
    )
    assert.deepEqual((await eventTypesOf(service, matter.workspaceId)).slice(before), ['WORKSPACE_FUNDS_EXCHANGED'])
    assert.equal(await submissionsOf(service, matter), 1)
    const entries = (await auditOf(service, matter.workspaceId)).slice(-2)
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['payment initiated', 'payment settled'],
    )
  })

  it('tells the bank the whole schedule, under the id of the attempt', async () => {
    const matter = await anAuthorised(service)
    const bank = settling()
    await pay(service, matter, bank)
    const [{ instruction, asking } = assert.fail()] = bank.calls
    const { lineItems, financialSettlementScheduleId: scheduleId } = await readSchedule(service, matter.workspaceId)
    assert.equal(asking.messageId, derivedId('payment', scheduleId, 1), 'the same after the database was restored')
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
    const matter = await anAuthorised(service)
    const bank = settling()
    await Promise.all([pay(service, matter, bank), pay(service, matter, bank), pay(service, matter, bank)])
    assert.equal(new Set(bank.calls.map(({ asking }) => asking.messageId)).size, 1, 'all under one id')
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_EXCHANGED', 'SETTLED', 'SETTLED'])
    assert.equal(await submissionsOf(service, matter), 1)
    const before = await snapshotOf(service, matter)
    await pay(service, matter, NEVER_ASKED)
    assert.deepEqual(await snapshotOf(service, matter), before)
  })

  it('killed between asking and writing down, goes on with the same payment', async () => {
    const matter = await anAuthorised(service)
    const killed = bankOf(() => Promise.reject(new Error('killed')))
    await assert.rejects(pay(service, matter, killed), /killed/)
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_AUTHORISED', 'AUTHORISED', 'INITIATED'])
    const bank = settling()
    const muchLater = new Date(nineOn(matter).getTime() + 7_200_000)
    await pay(service, matter, bank, muchLater)
    assert.deepEqual(
      [bank.calls[0]?.instruction, bank.calls[0]?.asking.messageId, bank.calls[0]?.asking.firstAskedAt],
      [killed.calls[0]?.instruction, killed.calls[0]?.asking.messageId, nineOn(matter)],
    )
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_EXCHANGED', 'SETTLED', 'SETTLED'])
    assert.equal(
      (await auditOf(service, matter.workspaceId)).filter((one) => one.action === 'payment initiated').length,
      1,
    )
  })

  it('does not pay what does not balance, no matter who changed it', async () => {
    const matter = await anAuthorised(service)
    await service.deps.db.query(
      `update line_items set amount_pence = amount_pence + 1 from settlement_schedules s
        where s.schedule_id = line_items.schedule_id and type = 'SOURCE' and workspace_id = $1`,
      [matter.workspaceId],
    )
    await assert.rejects(pay(service, matter, NEVER_ASKED), /does not balance/)
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_AUTHORISED', 'AUTHORISED'])
  })

  it('has a database that lets no schedule be settled twice, whatever the code may think', async () => {
    const matter = await anAuthorised(service)
    await pay(service, matter, settling())
    const again = service.deps.db.query(
      `insert into settlements (settlement_id, schedule_id, workspace_id, status, lines, initiated_at)
       select gen_random_uuid(), schedule_id, workspace_id, 'INITIATED', '[]', now()
         from settlement_schedules where workspace_id = $1`,
      [matter.workspaceId],
    )
    await assert.rejects(again, /settlements_alive/)
  })
})
