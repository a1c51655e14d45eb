import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { atOnce, DAY_MS, NOON, type TestAudit, TOMORROW, testAudit } from '../../test/fixtures/audit.ts'
import { sealAudit } from './seal.ts'

let audit: TestAudit

before(async () => {
  audit = await testAudit()
})
after(() => audit.close())
beforeEach(() => audit.empty())

describe('verifyAudit', () => {
  const damages: { it: string; sql: string; finds: RegExp[] }[] = [
    {
      it: 'shows an altered entry',
      sql: `update audit_entries set entry = entry || '{"action":"nothing"}' where chain = $1 and seq = 2`,
      finds: [/^Chain \S+: entry 2 was altered/],
    },
    {
      it: 'shows an entry that was altered with its hash',
      sql: `update audit_entries set entry = '{}', hash = sha256('\\x02' || payload_hash || '{}') where chain = $1 and seq = 1`,
      finds: [/^Chain \S+: entry 2 was altered, or the hash of the one before it/],
    },
    {
      it: 'shows an altered payload',
      sql: `update audit_entries set payload = payload || '{"after":{}}' where chain = $1 and seq = 2`,
      finds: [/^Chain \S+: the payload of entry 2 was altered\.$/],
    },
    {
      it: 'shows a payload that was added later',
      sql: `update audit_entries set payload = '{}' where chain = $1 and seq = 3`,
      finds: [/^Chain \S+: the payload of entry 3 was altered\.$/],
    },
    {
      it: 'shows a payload that was altered with its hash',
      sql: `update audit_entries set payload = '{}', payload_hash = sha256('{}') where chain = $1 and seq = 2`,
      finds: [/^Chain \S+: entry 2 was altered/],
    },
    {
      it: 'shows an entry that was changed to format 1',
      sql: `update audit_entries set payload = null, payload_hash = null where chain = $1 and seq = 2`,
      finds: [/^Chain \S+: entry 2 was altered/],
    },
    {
      it: 'shows a deleted entry in the middle',
      sql: 'delete from audit_entries where chain = $1 and seq = 2',
      finds: [/^Chain \S+: entry 2 is missing/],
    },
    {
      it: 'shows deleted entries at the beginning',
      sql: 'delete from audit_entries where chain = $1 and seq <= 2',
      finds: [/^Chain \S+: entries 1 to 2 are missing/],
    },
    {
      it: 'shows a deleted entry at the end',
      sql: 'delete from audit_entries where chain = $1 and seq = 4',
      finds: [/^Chain \S+: entry 4 is missing/],
    },
    {
      it: 'shows a chain without any entry left',
      sql: 'delete from audit_entries where chain = $1',
      finds: [/^Chain \S+: entries 1 to 4 are missing/],
    },
    {
      it: 'shows a chain whose subscriber was deleted',
      sql: 'delete from subscribers where subscriber_id = $1',
      finds: [/^Chain \S+: what it belongs to is gone; its last entry is 4/],
    },
    {
      it: 'shows a head that was moved back',
      sql: `update subscribers set audit_seq = 2 where subscriber_id = $1`,
      finds: [/^Chain \S+: its head is at 2 and differs from its last entry 4/],
    },
  ]
  for (const damage of damages) {
    it(damage.it, async () => {
      const subscriberId = await audit.aSubscriber()
      for (let n = 0; n < 4; n++) await audit.record(subscriberId, n === 1 ? WITH_PAYLOAD : undefined)
      await audit.record(await audit.aSubscriber())
      await audit.assertWhole({ chains: 2, entries: 5 })
      await audit.owner.query(damage.sql, [subscriberId])
      assertFindings((await audit.verify()).findings, damage.finds, subscriberId)
    })
  }

  it('shows a whole chain that was deleted with its subscriber after an anchor', async () => {
    const [gone] = await sealedDays()
    await audit.owner.query('delete from audit_entries where chain = $1', [gone])
    await audit.owner.query('delete from subscribers where subscriber_id = $1', [gone])
    assertFindings((await audit.verify()).findings, [/^Anchor \d+ of 2026-03-02: it was altered/])
  })

  it('shows a chain that was rewritten from its beginning after an anchor', async () => {
    const [chain] = await sealedDays()
    await audit.owner.query(
      `with entry as (
         update audit_entries set entry = '{}', payload_hash = null, hash = sha256('{}') where chain = $1 returning hash)
       update subscribers set audit_hash = hash from entry where subscriber_id = $1`,
      [chain],
    )
    assertFindings((await audit.verify()).findings, [/^Anchor \d+ of 2026-03-02: it was altered/])
  })

  it('shows an anchor that was altered', async () => {
    for (const change of [`sealed_at = sealed_at - interval '1 hour'`, 'upto = upto - 1', 'chains = 7', `hash = 'x'`]) {
      await audit.empty()
      await sealedDays()
      await audit.owner.query(
        `update audit_anchors set ${change} where anchor_id = (select min(anchor_id) from audit_anchors)`,
      )
      assert.match((await audit.verify()).findings[0] ?? '', /^Anchor \d+ of 2026-03-02: it was altered/, change)
    }
  })

  it('shows an anchor that was deleted from between two others', async () => {
    await sealedDays()
    await sealAudit(audit.db, new Date(TOMORROW.getTime() + DAY_MS))
    await audit.owner.query('delete from audit_anchors where sealed_at = $1', [TOMORROW])
    assertFindings((await audit.verify()).findings, [/^Anchor \d+ of 2026-03-04: it was altered, or the one before it/])
  })

  it('accepts a chain with erased payloads, and counts them', async () => {
    const subscriberId = await audit.aSubscriber()
    for (let n = 0; n < 3; n++) await audit.record(subscriberId, n === 1 ? undefined : WITH_PAYLOAD)
    await sealAudit(audit.db, NOON)
    await audit.owner.query('update audit_entries set payload = null')
    await audit.assertWhole({ entries: 3, erased: 2, anchors: 1 })
  })

  it('accepts entries of format 1, and those of format 2 that follow them', async () => {
    const subscriberId = await audit.aSubscriber()
    for (const after of ['Ann', 'Bo']) {
      await audit.db.query(FORMAT_1, [subscriberId, JSON.stringify({ action: 'client added', after })])
    }
    await sealAudit(audit.db, NOON)
    await audit.record(subscriberId, WITH_PAYLOAD)
    await audit.assertWhole({ chains: 1, entries: 3, erased: 0, anchors: 1 })
    await audit.owner.query(`update audit_entries set entry = entry || '{"after":"Cy"}' where seq = 2`)
    const { findings } = await audit.verify()
    assert.match(findings[0] ?? '', /^Chain \S+: entry 2 was altered/)
  })

  it('shows an anchor from the future, and sealing continues', async () => {
    await audit.record(await audit.aSubscriber())
    await sealAudit(audit.db, new Date('2027-01-01T00:00:00Z'))
    const { findings } = await audit.verify({ now: NOON })
    assertFindings(findings, [/^Anchor \d+ of 2027-01-01: it is from the future\. Check the clocks/])
    assert.ok(await sealAudit(audit.db, TOMORROW))
    const { notices } = await audit.verify({ now: TOMORROW })
    assert.match(
      notices.join(),
      /^Anchor \d+ of 2026-03-03 follows one of 2027-01-01: the clock of a worker was wrong\.$/,
    )
  })

  it('names the days without an anchor', async () => {
    for (const date of ['02', '03', '06', '07', '09']) await sealAudit(audit.db, new Date(`2026-03-${date}T00:00:00Z`))
    const { findings, notices } = await audit.verify()
    assert.deepEqual(findings, [])
    assert.deepEqual(notices, [
      'No anchor was made from 2026-03-04 to 2026-03-05: no worker ran, or anchors were removed.',
      'No anchor was made from 2026-03-08 to 2026-03-08: no worker ran, or anchors were removed.',
    ])
  })

  it('shows that the newest anchors are missing from the second day on', async () => {
    await audit.record(await audit.aSubscriber())
    const none = await audit.verify({ now: new Date('2026-03-04T00:00:00Z') })
    assertFindings(none.findings, [
      /^No anchor was made since 2026-03-02: no worker runs, or the newest anchors were rem/,
    ])
    await sealAudit(audit.db, NOON)
    assert.deepEqual((await audit.verify({ now: new Date('2026-03-03T23:59:59Z') })).findings, [])
    const { findings } = await audit.verify({ now: new Date('2026-03-04T00:00:00Z') })
    assertFindings(findings, [/^No anchor was made since 2026-03-02/])
  })

  it('shows that an anchor whose hash was stored elsewhere is gone, although the rest is consistent', async () => {
    const chains = await sealedDays()
    const { newestAnchor: anchor = '' } = await audit.verify()
    assert.deepEqual((await audit.verify({ anchor })).findings, [])
    assert.deepEqual((await audit.verify({ anchor: anchor.toUpperCase() })).findings, [])
    await audit.owner.query('delete from audit_anchors where sealed_at = $1', [TOMORROW])
    await audit.owner.query('delete from audit_entries where chain = $1 and seq = 2', [chains[1]])
    await audit.owner.query(
      `update subscribers set audit_seq = 1, audit_hash = hash from audit_entries where chain = $1 and subscriber_id = $1`,
      [chains[1]],
    )
    await audit.assertWhole({ entries: 2, anchors: 1 })
    assertFindings((await audit.verify({ anchor })).findings, [/^No anchor has the hash [0-9a-f]{64}: it was removed/])
  })

  it('limits the number of findings', async () => {
    const chains = await Promise.all(Array.from({ length: 1_200 }, audit.aSubscriber))
    await atOnce(chains.length, (n) => audit.record(chains[n] ?? ''))
    await audit.owner.query(`update audit_entries set entry = '{}'`)
    const { findings } = await audit.verify()
    assert.equal(findings.length, 1_001)
    assert.match(findings.at(-1) ?? '', /There are more/)
  })
})

const WITH_PAYLOAD = { action: 'client disabled', ids: {}, before: { enabled: true }, after: { enabled: false } }

/** As version 1.0.0 writes an entry. */
const FORMAT_1 = `
  with head as (
    update subscribers set audit_seq = audit_seq + 1, audit_hash = sha256(audit_hash || convert_to($2::jsonb::text, 'UTF8'))
    where subscriber_id = $1 returning audit_seq, audit_hash)
  insert into audit_entries (chain, seq, entry, hash) select $1, audit_seq, $2::jsonb, audit_hash from head`

/** Two chains and two days: one chain moved on the first day only. */
async function sealedDays(): Promise<string[]> {
  const chains = [await audit.aSubscriber(), await audit.aSubscriber()]
  for (const chain of chains) await audit.record(chain)
  await sealAudit(audit.db, NOON)
  await audit.record(chains[1] ?? '')
  await sealAudit(audit.db, TOMORROW)
  await audit.assertWhole({ chains: 2, entries: 3, anchors: 2 })
  return chains
}

function assertFindings(found: string[], expected: RegExp[], named = ''): void {
  assert.equal(found.length, expected.length, found.join('\n'))
  for (const [index, pattern] of expected.entries()) assert.match(found[index] ?? '', pattern)
  for (const finding of found) assert.ok(finding.includes(named))
}
