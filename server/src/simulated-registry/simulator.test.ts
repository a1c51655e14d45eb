import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { testDatabase } from '../../test/fixtures/database.ts'
import { A_DEED, aLodgement } from '../../test/fixtures/registry.ts'
import { openDb } from '../platform/database/db.ts'
import type { LodgedDocument, Lodgement } from '../registry/lodgement.ts'
import type { Documents, Registry, RegistryCall, SearchOutcome } from '../registry/port.ts'
import { simulatedRegistry } from './simulator.ts'
import { WORLD } from './world.ts'

const NOON = new Date('2026-05-01T12:00:00Z')
const minutesLater = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
const daysLater = (days: number) => minutesLater(days * 24 * 60)

let registry: Registry
const closing: (() => Promise<void>)[] = []
before(async () => {
  const database = await testDatabase()
  const db = openDb({ url: database.url })
  closing.push(db.close, database.drop)
  registry = simulatedRegistry({ db })
})
after(async () => {
  for (const close of closing) await close()
})

const BY = { correlationId: 'c-1', lawFirmId: 'firm-1', customerReference: 'LW260000001' }

const ask = (titleNumber: string, now = NOON): Promise<SearchOutcome> =>
  registry.searchTitle(titleNumber, { now, firstAskedAt: NOON, messageId: 'search-1', ...BY })

describe('searchTitle', () => {
  it('answers with the register as it was at the time of the call', async () => {
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

  it('takes an hour on the business clock for SL100001, however often and early it is asked', async () => {
    for (const minutes of [0, 1, 59, 30]) {
      assert.deepEqual(await ask('SL100001', minutesLater(minutes)), { kind: 'later', askAgainAt: minutesLater(60) })
    }
    const outcome = await ask('SL100001', minutesLater(60))
    assert.ok(outcome.kind === 'found')
    assert.deepEqual(outcome.officialCopyAt, minutesLater(60))
  })

  it('gives the same answer to a repeat, even a late one', async () => {
    for (const titleNumber of WORLD.keys()) {
      const late = minutesLater(600)
      assert.deepEqual(await ask(titleNumber, late), await ask(titleNumber, minutesLater(90)), titleNumber)
    }
  })

  it('returns copies: changing one does not change the register', async () => {
    const first = await ask('ST500678')
    assert.ok(first.kind === 'found')
    first.register.charges.length = 0
    const second = await ask('ST500678')
    assert.ok(second.kind === 'found')
    assert.equal(second.register.charges.length, 1)
  })
})

let messages = 0
const newMessageId = () => `message-${++messages}`

/** Each lodgement has its own workspace, unless the facts name another. */
const lodgementFor = (messageId: string, facts: Parameters<typeof aLodgement>[0] = {}): Lodgement =>
  aLodgement({ customerReference: `LW-${messageId}`, ...facts })

const call = (messageId: string, now = NOON, firstAskedAt = NOON): RegistryCall & Documents => ({
  now,
  firstAskedAt,
  messageId,
  ...BY,
  open: async () => assert.fail('nothing should be opened'),
})

async function lodged(facts: Parameters<typeof aLodgement>[0] = {}): Promise<string> {
  const messageId = newMessageId()
  assert.deepEqual(await registry.lodge(lodgementFor(messageId, facts), call(messageId)), { kind: 'received' })
  return messageId
}

const kindsAt = async (messageId: string, now: Date) =>
  (await registry.notices(call(messageId, now))).notices.map(({ kind }) => kind)

describe('lodge', () => {
  it('lodges once what is sent several times, also at once, under one message id', async () => {
    const messageId = newMessageId()
    const lodgement = lodgementFor(messageId)
    const sent = Array.from({ length: 5 }, (_, index) =>
      registry.lodge(lodgement, call(messageId, minutesLater(index))),
    )
    for (const outcome of await Promise.all(sent)) assert.deepEqual(outcome, { kind: 'received' })
    const first = await registry.notices(call(messageId, daysLater(30)))
    await registry.lodge(lodgement, call(messageId, daysLater(20)))
    assert.deepEqual(await registry.notices(call(messageId, daysLater(30))), first)
  })

  it('throws when a message id is used for another lodgement', async () => {
    const messageId = await lodged()
    const other = lodgementFor(messageId, { completedOn: '2026-05-02' })
    await assert.rejects(registry.lodge(other, call(messageId)), /Something else was lodged/)
  })

  it('fails twice for SE100001, for an hour each, and then receives it', async () => {
    const messageId = newMessageId()
    const lodgement = lodgementFor(messageId, { titleNumber: 'SE100001' })
    for (const [minutes, again] of [
      [0, 60],
      [59, 60],
      [60, 120],
      [119, 120],
    ] as const) {
      const outcome = await registry.lodge(lodgement, call(messageId, minutesLater(minutes)))
      assert.deepEqual(outcome, { kind: 'later', askAgainAt: minutesLater(again), because: 'REGISTRY_UNAVAILABLE' })
    }
    await assert.rejects(kindsAt(messageId, daysLater(1)), /Nothing was lodged/, 'nothing was stored')
    assert.deepEqual(await registry.lodge(lodgement, call(messageId, minutesLater(120))), { kind: 'received' })
    const { notices } = await registry.notices(call(messageId, daysLater(2)))
    assert.deepEqual(
      notices.map(({ kind, at }) => [kind, at]),
      [['accepted', new Date(minutesLater(120).getTime() + 86_400_000)]],
    )
  })

  it('reads every document to its end, and fails without one', async () => {
    const bytes = 'the deed'
    const document: LodgedDocument = {
      fileId: 'f-1',
      fileName: 'deed.pdf',
      documentType: 'MORTGAGE_DEED',
      documentCategory: 'APPLICATION_DOCUMENT',
      certificationType: 'ORIGINAL',
      sha256: hash('sha256', bytes),
      size: bytes.length,
    }
    const messageId = newMessageId()
    const lodgement = lodgementFor(messageId, { applications: [{ ...A_DEED, documents: [document] }] })
    const lodgeWith = (given: string) =>
      registry.lodge(lodgement, {
        ...call(messageId),
        open: async () => ({ size: given.length, stream: Readable.from([given]) }),
      })
    await assert.rejects(lodgeWith('another!'), /is not whole/)
    await assert.rejects(registry.lodge(lodgement, call(messageId)), /nothing should be opened/)
    assert.deepEqual(await lodgeWith(bytes), { kind: 'received' })
  })
})

describe('notices', () => {
  it('returns what has happened so far and when to ask again, until nothing more can come', async () => {
    const messageId = await lodged()
    assert.deepEqual(await registry.notices(call(messageId)), { notices: [], askAgainAt: daysLater(1) })
    const accepted = await registry.notices(call(messageId, daysLater(1)))
    assert.deepEqual([accepted.notices.map(({ kind }) => kind), accepted.askAgainAt], [['accepted'], daysLater(6)])
    const completed = await registry.notices(call(messageId, daysLater(6)))
    assert.deepEqual(completed.notices[0], accepted.notices[0])
    assert.equal(completed.notices[1]?.kind, 'completed')
    assert.equal(completed.askAgainAt, undefined)
  })

  it('counts from the whole minute in which it was received', async () => {
    const messageId = newMessageId()
    const now = new Date(NOON.getTime() + 59_999)
    await registry.lodge(lodgementFor(messageId), call(messageId, now))
    assert.deepEqual((await registry.notices(call(messageId))).askAgainAt, daysLater(1))
  })

  it('applies the scenario only to the first submission of a workspace', async () => {
    const first = await lodged({ titleNumber: 'CX100001', customerReference: 'LW-again' })
    const second = await lodged({ titleNumber: 'CX100001', customerReference: 'LW-again' })
    assert.deepEqual(await kindsAt(first, daysLater(9)), ['accepted', 'cancelled'])
    assert.deepEqual(await kindsAt(second, daysLater(9)), ['accepted', 'completed'])
  })

  it('gives each lodgement its own reference', async () => {
    const references = []
    for (const messageId of [await lodged(), await lodged()]) {
      const [accepted] = (await registry.notices(call(messageId, daysLater(1)))).notices
      references.push(accepted?.kind === 'accepted' && accepted.registryReference)
    }
    assert.notEqual(references[0], references[1])
  })
})

describe('reply', () => {
  const REPLY = { registryId: 'RQ-1', message: 'Here it is.', documents: [] }

  it('waits for the answer to a requisition, and then continues', async () => {
    const messageId = await lodged({ titleNumber: 'RQ100001' })
    const { notices, askAgainAt } = await registry.notices(call(messageId, daysLater(3)))
    assert.deepEqual([notices.at(-1)?.kind, askAgainAt], ['requisitioned', undefined])
    assert.deepEqual(await registry.reply(REPLY, call(messageId, daysLater(5))), { kind: 'received' })
    assert.deepEqual((await registry.notices(call(messageId, daysLater(5)))).askAgainAt, daysLater(6))
    const kinds = ['accepted', 'requisitioned', 'answer accepted', 'completed']
    assert.deepEqual(await kindsAt(messageId, daysLater(11)), kinds)
  })

  it('keeps the first of several answers', async () => {
    const messageId = await lodged({ titleNumber: 'RQ100001' })
    for (const days of [5, 7, 30]) {
      assert.deepEqual(await registry.reply(REPLY, call(messageId, daysLater(days))), { kind: 'received' })
    }
    const { notices } = await registry.notices(call(messageId, daysLater(40)))
    assert.deepEqual(notices.find(({ kind }) => kind === 'answer accepted')?.at, daysLater(6))
  })

  it('throws when an answer is for a requisition that was never raised', async () => {
    const messageId = await lodged({ titleNumber: 'RQ100001' })
    await assert.rejects(registry.reply(REPLY, call(messageId, daysLater(2))), /no requisition RQ-1/)
    await assert.rejects(registry.reply(REPLY, call('message-unknown')), /Nothing was lodged/)
  })
})
