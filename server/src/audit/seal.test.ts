import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { pino } from 'pino'
import { ACTOR, DAY_MS, NOON, type TestAudit, TOMORROW, testAudit } from '../../test/fixtures/audit.ts'
import { isHeldUp } from '../../test/fixtures/database.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { planSeal, sealJob } from './jobs.ts'
import { recordSubscriberAudit } from './record.ts'
import { sealAudit } from './seal.ts'

let audit: TestAudit

before(async () => {
  audit = await testAudit()
})
after(() => audit.close())
beforeEach(() => audit.empty())

describe('sealAudit', () => {
  it('seals a day once, even when it is called several times at once', async () => {
    await audit.record(await audit.aSubscriber())
    const anchors = await Promise.all(Array.from({ length: 8 }, () => sealAudit(audit.db, NOON)))
    assert.equal(anchors.filter(Boolean).length, 1)
    assert.equal(await sealAudit(audit.db, new Date('2026-03-02T23:59:59Z')), undefined)
    await audit.assertWhole({ anchors: 1 })
  })

  it('waits for running writers, so that no entry is added behind the seal', async () => {
    const [slow, quick] = [await audit.aSubscriber(), await audit.aSubscriber()]
    const written = Promise.withResolvers<void>()
    const mayCommit = Promise.withResolvers<void>()
    const writer = audit.db.transaction(async (tx) => {
      recordSubscriberAudit(tx, slow, { action: 'client added', ids: {} }, ACTOR)
      await tx.query('select 1')
      written.resolve()
      await mayCommit.promise
    })
    await written.promise
    await audit.record(quick)
    const sealing = sealAudit(audit.db, NOON)
    await eventually(() => isHeldUp(audit.owner))
    mayCommit.resolve()
    await writer
    assert.equal((await sealing)?.chains, 2)
    await audit.assertWhole({ entries: 2, anchors: 1 })
  })

  it('chains the days, also one without entries', async () => {
    const subscriberId = await audit.aSubscriber()
    await audit.record(subscriberId)
    const first = await sealAudit(audit.db, NOON)
    const second = await sealAudit(audit.db, TOMORROW)
    await audit.record(subscriberId)
    const third = await sealAudit(audit.db, new Date(TOMORROW.getTime() + DAY_MS))
    assert.deepEqual([first?.chains, second?.chains, third?.chains], [1, 0, 1])
    const { newestAnchor } = await audit.assertWhole({ anchors: 3 })
    assert.equal(newestAnchor, third?.hash)
  })
})

describe('the job audit.seal', () => {
  const log = pino({ enabled: false })
  const context = (now: Date) => ({ now, correlationId: 'corr-2', signal: new AbortController().signal })
  const due = () => audit.db.query<{ job: string; at: Date }>('select job, due_at as at from due')

  it('seals the day once, even if it runs twice, and schedules itself for tomorrow', async () => {
    const seal = sealJob({ db: audit.db, log })
    assert.ok(seal.transactional === false)
    await Promise.all([seal.run(context(NOON), {}), seal.run(context(NOON), {})])
    await audit.assertWhole({ anchors: 1 })
    assert.deepEqual(await due(), [{ job: 'audit.seal', at: new Date('2026-03-03T00:00:00Z') }])
  })

  it('is scheduled at once if today is not sealed, otherwise for tomorrow', async () => {
    await planSeal(audit.db, NOON, 'corr-2')
    assert.deepEqual(await due(), [{ job: 'audit.seal', at: new Date('2026-03-02T00:00:00Z') }])
    await sealAudit(audit.db, NOON)
    await planSeal(audit.db, NOON, 'corr-2')
    assert.deepEqual(await due(), [{ job: 'audit.seal', at: new Date('2026-03-03T00:00:00Z') }])
  })
})
