import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aDestination, anAdvance } from '../../test/fixtures/line-items.ts'
import type { LineItem } from '../settlement/rules.ts'
import { SCHEDULE_STATUSES } from '../workspaces/status.ts'
import { confirmPayment, failPayment, type Paying, paidOnErrors, takeBackPayment } from './rules.ts'

const AT = new Date('2026-06-01T10:00:00Z')
const CONFIRMED = { paidOn: '2026-06-01', bankReference: 'FPS 4471', confirmedBy: 'ann@harbour.example' }
const PAYMENT = { ...CONFIRMED, confirmedAt: AT }
const source: LineItem = { ...anAdvance(100), changedBy: ['Sam@harbour.example'.toLowerCase()] }
const destination: LineItem = { ...aDestination(100), changedBy: [] }
const PAID = { ...source, payment: PAYMENT }

const paying = (facts: Partial<Paying> = {}): Paying => ({
  status: 'PAYING',
  lines: [source, destination],
  changedBy: ['sam@harbour.example', 'kim@harbour.example'],
  fourEyes: true,
  settlementId: 's',
  ...facts,
})

describe('paidOnErrors', () => {
  for (const [what, paidOn, errors] of [
    ['today', '2026-06-01', 0],
    ['an earlier day', '2026-05-29', 0],
    ['tomorrow', '2026-06-02', 1],
    ['what is not a date, which the schema refuses', 7, 0],
  ] as const) {
    it(`finds ${errors} wrong with ${what}`, () =>
      assert.equal(paidOnErrors({ paidOn }, '2026-06-01').filter(({ field }) => field === 'paidOn').length, errors))
  }
})

describe('confirmPayment', () => {
  const confirm = (facts: Partial<Paying>, line = source, by = CONFIRMED.confirmedBy) =>
    confirmPayment(paying(facts), line, { ...CONFIRMED, confirmedBy: by }, AT)

  it('keeps who confirmed it and when; the last line settles the schedule', () => {
    const { lineItemId } = source
    const confirmed = { kind: 'payment confirmed', lineItemId, payment: PAYMENT }
    const settled = { kind: 'payment settled', settlementId: 's', outcome: { at: AT } }
    assert.deepEqual(confirm({}), [confirmed])
    assert.deepEqual(confirm({ lines: [source, { ...destination, payment: PAYMENT }] }), [confirmed, settled])
  })

  it('changes nothing when the same is said again, and replaces what differs', () => {
    const lines = [PAID, destination]
    assert.deepEqual(confirm({ lines }, PAID), [])
    assert.equal(confirm({ lines }, PAID, 'jo@harbour.example').length, 1)
    const other = { ...CONFIRMED, bankReference: 'FPS 4472' }
    assert.equal(confirmPayment(paying({ lines }), PAID, other, AT).length, 1)
  })

  const { changedBy: _, ...unknown } = source
  for (const [what, by, line, fourEyes, isRefused] of [
    ['who changed the line', 'SAM@harbour.example', source, true, true],
    ['who changed it, where the firm does not want four eyes', 'sam@harbour.example', source, false, false],
    ['who changed another line', 'kim@harbour.example', source, true, false],
    [
      'who changed the schedule, where it is not known who changed the line',
      'kim@harbour.example',
      unknown,
      true,
      true,
    ],
    ['anybody else', 'ann@harbour.example', unknown, true, false],
  ] as const) {
    it(`${isRefused ? 'refuses' : 'accepts'} a person ${what}`, () => {
      const act = () => confirm({ fourEyes }, line, by)
      if (!isRefused) return void assert.equal(act().length, 1)
      const message = 'confirmedBy must be a person who has not changed this line.'
      assert.throws(act, { reason: 'conflict', fieldErrors: [{ field: 'confirmedBy', message }] })
    })
  }
})

describe('takeBackPayment', () => {
  it('takes back what was confirmed, and nothing else', () => {
    const taken = { kind: 'payment confirmation taken back', lineItemId: source.lineItemId }
    assert.deepEqual(takeBackPayment(paying(), PAID), [taken])
    assert.deepEqual(takeBackPayment(paying(), destination), [])
  })
})

describe('failPayment', () => {
  const failure = { reason: 'The account is closed.', confirmedBy: 'ann@harbour.example' }

  it('refuses the payment with the reason of the person, unless a line is confirmed', () => {
    assert.deepEqual(failPayment(paying(), failure), [{ kind: 'payment refused', settlementId: 's', ...failure }])
    assert.throws(() => failPayment(paying({ lines: [PAID, destination] }), failure), { reason: 'conflict' })
  })
})

describe('a schedule that is not PAYING', () => {
  for (const status of SCHEDULE_STATUSES.filter((one) => one !== 'PAYING')) {
    it(`has nothing to confirm while it is ${status}`, () => {
      const other = paying({ status })
      const error = { reason: 'conflict', message: new RegExp(`is ${status}`) }
      assert.throws(() => confirmPayment(other, source, CONFIRMED, AT), error)
      assert.throws(() => takeBackPayment(other, PAID), error)
      assert.throws(() => failPayment(other, { reason: 'No.', confirmedBy: 'ann@harbour.example' }), error)
    })
  }
})
