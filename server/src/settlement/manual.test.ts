import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { APPROVER, EDITOR } from '../../test/fixtures/approvals.ts'
import {
  anAuthorised,
  cancel,
  type Matter,
  NEVER_ASKED,
  nineOn,
  pay,
  snapshotOf,
  statusesOf,
  submissionsOf,
} from '../../test/fixtures/payments.ts'
import {
  aScheduleToApprove,
  authorise,
  linePath,
  readSchedule,
  SCHEDULES,
  type ShownLine,
  type ShownSchedule,
} from '../../test/fixtures/schedules.ts'
import { type Answer, type TestService, testService } from '../../test/fixtures/service.ts'
import { auditOf, eventsOf, FIRM, LENDER, put, readWorkspace, UNKNOWN_ID } from '../../test/fixtures/workspaces.ts'
import { londonDate } from '../jurisdiction/london.ts'
import { manualPayments } from '../manual-payments/manual.ts'

// The law firm pays from its own account. The job is called by the test.

let service: TestService
before(async () => {
  service = await testService({ worker: false })
})

const today = () => londonDate(service.deps.clock.now())
const aPayment = () => ({ paidOn: today(), bankReference: 'FPS 4471/2026', confirmedBy: APPROVER })

/** On completion day, with the ids of its advance and its redemption. */
async function aPayingMatter() {
  const matter = await anAuthorised(service)
  const { financialSettlementScheduleId: scheduleId, lineItems } = await readSchedule(service, matter.workspaceId)
  await pay(service, matter, manualPayments)
  const [source = '', destination = ''] = lineItems.map(({ lineItemId }) => lineItemId)
  return { ...matter, scheduleId, source, destination }
}

type Paying = Matter & { scheduleId: string }
type Options = { as?: string; headers?: Record<string, string> }

const paymentPath = ({ scheduleId }: Paying, lineItemId: string) => `${linePath(scheduleId, lineItemId)}/payment`
const confirm = (matter: Paying, lineItemId: string, json: unknown = aPayment(), options: Options = {}) =>
  service.call<ShownLine>('PUT', paymentPath(matter, lineItemId), { ...FIRM, json, ...options })
const takeBack = (matter: Paying, lineItemId: string) => service.call('DELETE', paymentPath(matter, lineItemId), FIRM)
const fail = ({ scheduleId }: Paying, reason = 'The account is closed.'): Promise<Answer<ShownSchedule>> =>
  service.call('POST', `${SCHEDULES}/${scheduleId}/payment-failure`, {
    ...FIRM,
    json: { reason, confirmedBy: APPROVER },
  })
const fieldsOf = ({ body }: Answer) => (body as { errors: { field?: string }[] }).errors.map(({ field }) => field)

const lastEvents = async ({ workspaceId }: Matter, count: number) =>
  (await eventsOf(service, workspaceId)).slice(-count).map(({ type, message }) => [type, message])

describe('completion day where the law firm pays', () => {
  it('pays nothing: the schedule is PAYING, once, and can be neither cancelled nor taken back', async () => {
    const matter = await aPayingMatter()
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_AUTHORISED', 'PAYING', 'INITIATED'])
    assert.equal((await lastEvents(matter, 1))[0]?.[0], 'SETTLEMENT_DUE')
    const before = await snapshotOf(service, matter)
    await pay(service, matter, NEVER_ASKED)
    assert.equal((await cancel(service, matter)).status, 409)
    assert.equal((await authorise(service, matter.workspaceId, { ...matter, authorised: false })).status, 409)
    assert.deepEqual(await snapshotOf(service, matter), before)
    assert.equal((await readWorkspace(service, matter.workspaceId)).canBeCancelled, false)
  })
})

describe('PUT and DELETE …/line-items/{line_item_id}/payment', () => {
  it('confirm each line; the last one settles the schedule and sends the case', async () => {
    const matter = await aPayingMatter()
    const { status, body, text } = await confirm(matter, matter.source)
    assert.equal(status, 200, text)
    assert.deepEqual(body.payment, { ...aPayment(), confirmedAt: body.payment?.confirmedAt })
    assert.deepEqual((await readSchedule(service, matter.workspaceId)).lineItems[0], body)
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_AUTHORISED', 'PAYING', 'INITIATED'])
    assert.equal((await confirm(matter, matter.destination)).status, 200)
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_EXCHANGED', 'SETTLED', 'SETTLED'])
    assert.equal(await submissionsOf(service, matter), 1)
    assert.deepEqual(await lastEvents(matter, 3), [
      ['LINE_ITEM_PAID', `Mortgage Advance was received on ${today()}.`],
      ['LINE_ITEM_PAID', `Redemption was paid on ${today()}.`],
      ['WORKSPACE_FUNDS_EXCHANGED', null],
    ])
    const audit = (await auditOf(service, matter.workspaceId)).slice(-3)
    assert.deepEqual(
      audit.map(({ action }) => action),
      ['payment confirmed', 'payment confirmed', 'payment settled'],
    )
    for (const answer of [await confirm(matter, matter.source), await takeBack(matter, matter.source)]) {
      assert.equal(answer.status, 409)
    }
  })

  it('replace and take back what was confirmed, and change nothing when said again', async () => {
    const matter = await aPayingMatter()
    await confirm(matter, matter.source)
    const before = await snapshotOf(service, matter)
    await confirm(matter, matter.source)
    assert.equal((await takeBack(matter, matter.destination)).status, 204)
    assert.deepEqual(await snapshotOf(service, matter), before)
    const { body } = await confirm(matter, matter.source, put(aPayment(), 'bankReference', 'CHAPS-9'))
    assert.equal(body.payment?.bankReference, 'CHAPS-9')
    assert.equal((await takeBack(matter, matter.source)).status, 204)
    assert.equal((await readSchedule(service, matter.workspaceId)).lineItems[0]?.payment, undefined)
    assert.deepEqual((await lastEvents(matter, 1))[0], [
      'LINE_ITEM_UNPAID',
      'It was taken back that Mortgage Advance was received.',
    ])
    assert.deepEqual((await auditOf(service, matter.workspaceId)).at(-1)?.after, {})
    await confirm(matter, matter.destination)
    assert.equal((await readSchedule(service, matter.workspaceId)).status, 'PAYING', 'the advance is open again')
  })

  it('refuse who changed that line, whatever the case of the address; who changed another line may', async () => {
    const matter = await aPayingMatter()
    const answer = await confirm(matter, matter.source, put(aPayment(), 'confirmedBy', EDITOR.toUpperCase()))
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['confirmedBy']])
    await service.deps.db.query(`update line_items set changed_by_users = '{}' where line_item_id = $1`, [
      matter.source,
    ])
    assert.equal((await confirm(matter, matter.source, put(aPayment(), 'confirmedBy', EDITOR))).status, 200)
  })

  for (const [what, path, value, field] of [
    ['a day in the future', 'paidOn', '2999-01-01', 'paidOn'],
    ['no day', 'paidOn', undefined, 'paidOn'],
    ['no date', 'paidOn', '1 June', 'paidOn'],
    ['a blank reference', 'bankReference', ' ', 'bankReference'],
    ['a reference too long', 'bankReference', 'x'.repeat(36), 'bankReference'],
    ['a reference with an accent', 'bankReference', 'réf', 'bankReference'],
    ['nobody', 'confirmedBy', 'ann', 'confirmedBy'],
    ['an unknown property', 'amount', 1, 'amount'],
  ] as const) {
    it(`refuse ${what}`, async () => {
      const ids = { workspaceId: '', completionDate: '', advance: 0, scheduleId: UNKNOWN_ID }
      const answer = await confirm(ids, UNKNOWN_ID, put(aPayment(), path, value))
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, [field]])
    })
  }

  it('take the longest reference, are of the law firm alone, and only where the schedule is PAYING', async () => {
    const matter = await aPayingMatter()
    const long = put(aPayment(), 'bankReference', 'x'.repeat(35))
    assert.equal((await confirm(matter, matter.source, long)).status, 200)
    assert.equal((await confirm(matter, matter.source, aPayment(), LENDER)).status, 403)
    assert.deepEqual(fieldsOf(await confirm(matter, UNKNOWN_ID)), ['line_item_id'])
    const other = await anAuthorised(service)
    const { financialSettlementScheduleId: scheduleId, lineItems } = await readSchedule(service, other.workspaceId)
    const answer = await confirm({ ...other, scheduleId }, lineItems[0]?.lineItemId ?? '')
    assert.match(answer.text, /is AUTHORISED/)
    assert.equal(answer.status, 409)
  })
})

describe('POST …/payment-failure', () => {
  it('withdraws the authorisation with the reason; authorised again, it is paid again', async () => {
    const matter = await aPayingMatter()
    const { status, body, text } = await fail(matter, 'The bank returned it')
    assert.equal(status, 200, text)
    assert.partialDeepStrictEqual(body, { status: 'PREPARED', failure: { reason: 'The bank returned it' } })
    assert.deepEqual(await statusesOf(service, matter), ['PREPARED', 'PREPARED', 'REFUSED'])
    assert.deepEqual(await lastEvents(matter, 1), [['WORKSPACE_FUNDS_UNAUTHORISED', 'The bank returned it']])
    assert.partialDeepStrictEqual((await auditOf(service, matter.workspaceId)).at(-1), {
      action: 'payment refused',
      after: { reason: 'The bank returned it', confirmedBy: APPROVER },
    })
    assert.equal((await fail(matter)).status, 409, 'it is not PAYING')
    await authorise(service, matter.workspaceId, matter)
    await pay(service, matter, manualPayments, new Date(nineOn(matter).getTime() + 1))
    assert.deepEqual(await statusesOf(service, matter), ['FUNDS_AUTHORISED', 'PAYING', 'REFUSED', 'INITIATED'])
    assert.equal((await readSchedule(service, matter.workspaceId)).failure, undefined)
  })

  it('is refused while a line is confirmed', async () => {
    const matter = await aPayingMatter()
    await confirm(matter, matter.source)
    assert.equal((await fail(matter)).status, 409)
    await takeBack(matter, matter.source)
    assert.equal((await fail(matter)).status, 200)
  })
})

describe('GET …/payment-file', () => {
  const fileOf = (scheduleId: string, format: string, as = FIRM) =>
    service.call<string>('GET', `${SCHEDULES}/${scheduleId}/payment-file?format=${format}`, as)

  it('is for the law firm, in two formats, from the time when funds are authorised', async () => {
    const matter = await anAuthorised(service)
    const { financialSettlementScheduleId: id } = await readSchedule(service, matter.workspaceId)
    const xml = await fileOf(id, 'PAIN_001')
    assert.equal(xml.status, 200, xml.text)
    assert.match(xml.text, /<InstdAmt Ccy="GBP">206000\.00<\/InstdAmt>/)
    const name = `payments_${id}_${matter.completionDate}.xml`
    assert.equal(xml.headers.get('content-disposition'), `attachment; filename="${name}"`)
    assert.match((await fileOf(id, 'CSV')).text, /,12345678,206000\.00,GBP,/)
    assert.equal((await fileOf(id, 'CSV', LENDER)).status, 403)
    assert.deepEqual(fieldsOf(await fileOf(id, 'PDF')), ['format'])
  })

  it('is refused for a name with an accent, without authorised funds, and until the firm’s account is set', async () => {
    const matter = await aPayingMatter()
    const { db } = service.deps
    await db.query(`update line_items set bank_account = bank_account || '{"accountName": "Siân Rees"}'`)
    const accented = await fileOf(matter.scheduleId, 'PAIN_001')
    assert.deepEqual([accented.status, fieldsOf(accented)], [409, ['lineItems[1].bankAccount.accountName']])
    await db.query('update subscribers set client_account = null')
    const unset = await fileOf(matter.scheduleId, 'CSV')
    assert.deepEqual([unset.status, /not set/.test(unset.text)], [409, true])
    await fail(matter)
    const draft = await fileOf(matter.scheduleId, 'CSV')
    assert.deepEqual([draft.status, /is PREPARED/.test(draft.text)], [409, true])
  })
})

describe('a line', () => {
  it('remembers everybody who changed it, and nobody who changed another', async () => {
    const { scheduleId } = await aScheduleToApprove(service)
    const { db } = service.deps
    const query =
      'select line_item_id as id, changed_by_users as users from line_items where schedule_id = $1 order by seq'
    const read = () => db.query<{ id: string; users: string[] }>(query, [scheduleId])
    const [first] = await read()
    for (const user of ['Kim@harbour.example', undefined]) {
      const headers = user ? { 'x-acting-user': user } : {}
      const path = linePath(scheduleId, first?.id)
      await service.call('PATCH', path, { ...FIRM, headers, json: { amount: user ? 1 : 2 } })
    }
    assert.deepEqual(
      (await read()).map(({ users }) => users),
      [[EDITOR, 'kim@harbour.example'], [EDITOR]],
    )
  })
})
