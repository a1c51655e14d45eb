import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SearchOutcome } from './port.ts'
import { simulatedRegistry } from './simulator.ts'
import { WORLD } from './world.ts'

const NOON = new Date('2026-05-01T12:00:00Z')
const minutesLater = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)

const ask = (titleNumber: string, now = NOON): Promise<SearchOutcome> =>
  simulatedRegistry.searchTitle(titleNumber, { now, firstAskedAt: NOON, messageId: 'search-1', correlationId: 'c-1' })

describe('searchTitle', () => {
  it('answers with the register, as it stood when it was asked for', async () => {
    const outcome = await ask('ST500678')
    assert.ok(outcome.kind === 'found')
    assert.equal(outcome.register.titleNumber, 'ST500678')
    assert.deepEqual(outcome.officialCopyAt, NOON)
  })

  for (const [titleNumber, reason] of [
    ['DT501578', 'CLOSED'],
    ['GR514443', 'PENDING_NEW_TITLE'],
    ['NF100001', 'NOT_FOUND'],
    ['ZZ999999', 'NOT_FOUND'],
    ['__proto__', 'NOT_FOUND'],
  ] as const) {
    it(`says ${reason} of ${titleNumber}`, async () => {
      assert.deepEqual(await ask(titleNumber), { kind: 'failed', reason })
    })
  }

  it('takes an hour of the business clock over SL100001, however often and early it is asked', async () => {
    for (const minutes of [0, 1, 59, 30]) {
      assert.deepEqual(await ask('SL100001', minutesLater(minutes)), { kind: 'later', askAgainAt: minutesLater(60) })
    }
    const outcome = await ask('SL100001', minutesLater(60))
    assert.ok(outcome.kind === 'found')
    assert.deepEqual(outcome.officialCopyAt, minutesLater(60))
  })

  it('gives the same answer to a repeat, a late one too', async () => {
    for (const titleNumber of WORLD.keys()) {
      const late = minutesLater(600)
      assert.deepEqual(await ask(titleNumber, late), await ask(titleNumber, minutesLater(90)), titleNumber)
    }
  })

  it('hands out copies: writing in one leaves the register as it is', async () => {
    const first = await ask('ST500678')
    assert.ok(first.kind === 'found')
    first.register.charges.length = 0
    const second = await ask('ST500678')
    assert.ok(second.kind === 'found')
    assert.equal(second.register.charges.length, 1)
  })
})
