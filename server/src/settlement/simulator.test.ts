import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { aDestination, anAdvance } from '../../test/fixtures/line-items.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import type { PaymentInstruction } from './port.ts'
import { instructionOf } from './rules-funds.ts'
import { REFUSED_ACCOUNT, SLOW_ACCOUNT, simulatedPayments } from './simulator.ts'

let service: TestService
before(async () => {
  service = await testService({ http: false, worker: false })
})

const NINE = new Date('2026-05-01T08:00:00Z')
const later = (hours: number) => new Date(NINE.getTime() + hours * 3_600_000)

const toAccounts = (...accounts: string[]): PaymentInstruction =>
  instructionOf({ workspaceId: 'w', reference: 'REM-1', lenderId: 'l', lawFirmId: 'f', completionDate: '2026-05-01' }, [
    anAdvance(accounts.length),
    ...accounts.map((account) => aDestination(1, account)),
  ])

// A new one for each call: what it knows is in the database, not in a process.
const pay = (instruction: PaymentInstruction, messageId: string, now = NINE) =>
  simulatedPayments(service.deps).pay(instruction, { now, firstAskedAt: NINE, messageId, correlationId: 'c' })

describe('simulatedPayments', () => {
  it('settles at once, with the scheme and a reference of its own', async () => {
    const messageId = randomUUID()
    const outcome = await pay(toAccounts('12345678', '87654321'), messageId)
    const paymentReference = `SIM-${messageId.replaceAll('-', '').slice(0, 12).toUpperCase()}`
    assert.deepEqual(outcome, { kind: 'settled', at: NINE, scheme: 'CHAPS', paymentReference })
  })

  it('answers a repeat as the first time, however late and from wherever it comes', async () => {
    const messageId = randomUUID()
    const instruction = toAccounts('12345678')
    const first = await pay(instruction, messageId)
    assert.deepEqual(await Promise.all([pay(instruction, messageId, later(50)), pay(instruction, messageId)]), [
      first,
      first,
    ])
  })

  it('takes two of the same at once for one', async () => {
    const messageId = randomUUID()
    const instruction = toAccounts('12345678')
    const [one, two] = await Promise.all([pay(instruction, messageId), pay(instruction, messageId, later(1))])
    assert.deepEqual(one, two)
  })

  it('takes no other payment under an id that it knows', async () => {
    const messageId = randomUUID()
    await pay(toAccounts('12345678'), messageId)
    await assert.rejects(pay(toAccounts('12345678'), messageId), /was another before/, 'other lines have other ids')
  })

  it('refuses all where one account is closed, for good, and names the line but no account', async () => {
    const messageId = randomUUID()
    const instruction = toAccounts('12345678', REFUSED_ACCOUNT, SLOW_ACCOUNT)
    const { lineItemId } = instruction.destinations[1] ?? {}
    const refused = { kind: 'refused', reason: 'The bank refused the payment: an account is closed.', lineItemId }
    assert.deepEqual(
      [await pay(instruction, messageId), await pay(instruction, messageId, later(99))],
      [refused, refused],
    )
  })

  it('errs twice, an hour apart, where it is slow, and then settles', async () => {
    const messageId = randomUUID()
    const instruction = toAccounts(SLOW_ACCOUNT)
    const ask = (hours: number) => pay(instruction, messageId, later(hours))
    assert.deepEqual(await ask(0), { kind: 'later', askAgainAt: later(1) })
    assert.deepEqual(await ask(0.5), { kind: 'later', askAgainAt: later(1) }, 'asked too early')
    assert.deepEqual(await ask(1), { kind: 'later', askAgainAt: later(2) })
    assert.partialDeepStrictEqual(await ask(2), { kind: 'settled', at: later(2) })
    assert.partialDeepStrictEqual(await ask(9), { kind: 'settled', at: later(2) })
  })

  it('has its test accounts in docs/payment-port.md', () => {
    const page = readFileSync(new URL('../../../docs/payment-port.md', import.meta.url), 'utf8')
    for (const account of [REFUSED_ACCOUNT, SLOW_ACCOUNT]) assert.ok(page.includes(`\`${account}\``), account)
  })
})
