import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { ACTOR, atOnce, DAY_MS, NOON, type TestAudit, testAudit } from '../../test/fixtures/audit.ts'
import { actorName, recordSubscriberAudit } from './record.ts'
import { sealAudit } from './seal.ts'

let audit: TestAudit

before(async () => {
  audit = await testAudit()
})
after(() => audit.close())
beforeEach(() => audit.empty())

describe('recordSubscriberAudit', () => {
  it('writes who did what, when, and how it looked before and after', async () => {
    const subscriberId = await audit.aSubscriber()
    const entry = {
      action: 'client disabled',
      ids: { clientId: 'x' },
      before: { enabled: true },
      after: { enabled: false },
    }
    await audit.record(subscriberId, entry)
    const [row] = await audit.db.query('select chain, seq, entry from audit_entries')
    assert.deepEqual(row, {
      chain: subscriberId,
      seq: 1,
      entry: {
        ...entry,
        at: '2026-03-02T12:00:00.000Z',
        clientId: 'a-client',
        actingUser: 'ann@example.com',
        correlationId: 'corr-1',
      },
    })
  })

  it('leaves no entry behind when the change is undone', async () => {
    const subscriberId = await audit.aSubscriber()
    const undone = audit.db.transaction(async (tx) => {
      recordSubscriberAudit(tx, subscriberId, { action: 'client added', ids: {} }, ACTOR)
      throw new Error('changed my mind')
    })
    await assert.rejects(undone, /changed my mind/)
    await audit.assertSound({ entries: 0 })
  })

  it('fails the commit for a subscriber who does not exist', async () => {
    await assert.rejects(audit.record(randomUUID()), /null value in column "seq"/)
  })

  it('keeps one chain whole under 16 writers at once', async () => {
    const subscriberId = await audit.aSubscriber()
    await atOnce(200, () => audit.record(subscriberId))
    await audit.assertSound({ chains: 1, entries: 200 })
  })

  it('keeps many chains whole under 16 writers at once, and a seal among them', async () => {
    const chains = await Promise.all(Array.from({ length: 10 }, audit.aSubscriber))
    await atOnce(200, async (n) => {
      await audit.record(chains[n % chains.length] ?? '')
      if (n % 50 === 25) await sealAudit(audit.db, new Date(NOON.getTime() + n * DAY_MS))
    })
    const [row] = await audit.db.query<{ anchors: number }>('select count(*) as anchors from audit_anchors')
    assert.ok(row && row.anchors > 0)
    await audit.assertSound({ chains: 10, entries: 200 })
  })

  it('is append-only for the role of the service', async () => {
    await audit.record(await audit.aSubscriber())
    for (const change of [
      `update audit_entries set entry = '{}'`,
      'delete from audit_entries',
      'truncate audit_entries',
    ]) {
      await assert.rejects(audit.db.query(change), /permission denied/)
    }
    await sealAudit(audit.db, NOON)
    await assert.rejects(audit.db.query('delete from audit_anchors'), /permission denied/)
    await audit.owner.query('delete from audit_entries')
  })
})

describe('nameOf', () => {
  it('is the person where one is named, otherwise the client, otherwise the system', () => {
    assert.equal(actorName(ACTOR), 'ann@example.com')
    assert.equal(actorName({ clientId: 'a-client', correlationId: 'c', at: NOON }), 'a-client')
    assert.equal(actorName({ correlationId: 'c', at: NOON }), 'system')
  })
})
