import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { ACTOR, atOnce, DAY_MS, NOON, type TestAudit, testAudit } from '../../test/fixtures/audit.ts'
import { actorName, recordSubscriberAudit } from './record.ts'
import { sealAudit } from './seal.ts'

let audit: TestAudit

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

before(async () => {
  audit = await testAudit()
})
after(() => audit.close())
beforeEach(() => audit.empty())

describe('recordSubscriberAudit', () => {
  it('records who did what and when, with the state before and after', async () => {
    const subscriberId = await audit.aSubscriber()
    const entry = {
      action: 'client disabled',
      ids: { clientId: 'x' },
      before: { enabled: true },
      after: { enabled: false },
    }
    await audit.record(subscriberId, entry)
    const [row] = await audit.db.query(`select chain, seq, entry, payload - 'salt' as payload from audit_entries`)
    const { before, after, ...what } = entry
    assert.deepEqual(row, {
      chain: subscriberId,
      seq: 1,
      entry: {
        ...what,
        at: '2026-03-02T12:00:00.000Z',
        clientId: 'a-client',
        actingUser: 'ann@example.com',
        correlationId: 'corr-1',
      },
      payload: { before, after },
    })
  })

  it('hashes the previous entry, the header and the hash of the payload, so that it verifies without the payload', async () => {
    const subscriberId = await audit.aSubscriber()
    for (const after of [{ name: 'Ann' }, undefined]) {
      await audit.record(subscriberId, { action: 'client added', ids: {}, ...(after && { after }) })
    }
    const entries = await audit.db.query<Record<'header' | 'payload', string> & Record<'payloadHash' | 'hash', Buffer>>(
      `select entry::text as header, coalesce(payload::text, '') as payload, payload_hash as "payloadHash", hash
       from audit_entries order by seq`,
    )
    let previous: Buffer = Buffer.alloc(0)
    for (const { header, payload, payloadHash, hash } of entries) {
      assert.deepEqual(payloadHash, sha256(Buffer.from(payload)))
      assert.deepEqual(hash, sha256(Buffer.concat([previous, Buffer.of(2), payloadHash, Buffer.from(header)])))
      previous = hash
    }
  })

  it('salts a payload, so that equal payloads have different hashes', async () => {
    const subscriberId = await audit.aSubscriber()
    const entry = { action: 'client added', ids: {}, after: { name: 'Ann' } }
    for (let n = 0; n < 2; n++) await audit.record(subscriberId, entry)
    const [row] = await audit.db.query('select count(distinct payload_hash) as different from audit_entries')
    assert.deepEqual(row, { different: 2 })
  })

  it('leaves no entry behind when the change is rolled back', async () => {
    const subscriberId = await audit.aSubscriber()
    const undone = audit.db.transaction(async (tx) => {
      recordSubscriberAudit(tx, subscriberId, { action: 'client added', ids: {} }, ACTOR)
      throw new Error('changed my mind')
    })
    await assert.rejects(undone, /changed my mind/)
    await audit.assertWhole({ entries: 0 })
  })

  it('fails the commit for a subscriber that does not exist', async () => {
    await assert.rejects(audit.record(randomUUID()), /null value in column "seq"/)
  })

  it('keeps one chain intact with 16 writers at once', async () => {
    const subscriberId = await audit.aSubscriber()
    await atOnce(200, () => audit.record(subscriberId))
    await audit.assertWhole({ chains: 1, entries: 200 })
  })

  it('keeps many chains intact with 16 writers at once and a seal in between', async () => {
    const chains = await Promise.all(Array.from({ length: 10 }, audit.aSubscriber))
    await atOnce(200, async (n) => {
      await audit.record(chains[n % chains.length] ?? '')
      if (n % 50 === 25) await sealAudit(audit.db, new Date(NOON.getTime() + n * DAY_MS))
    })
    const [row] = await audit.db.query<{ anchors: number }>('select count(*) as anchors from audit_anchors')
    assert.ok(row && row.anchors > 0)
    await audit.assertWhole({ chains: 10, entries: 200 })
  })

  it('is append-only for the role of the service', async () => {
    await audit.record(await audit.aSubscriber())
    for (const change of [
      `update audit_entries set entry = '{}'`,
      'update audit_entries set payload = null',
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

describe('actorName', () => {
  it('is the person if one is named, otherwise the client, otherwise the system', () => {
    assert.equal(actorName(ACTOR), 'ann@example.com')
    assert.equal(actorName({ clientId: 'a-client', correlationId: 'c', at: NOON }), 'a-client')
    assert.equal(actorName({ correlationId: 'c', at: NOON }), 'system')
  })
})
