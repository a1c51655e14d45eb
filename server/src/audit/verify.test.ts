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
      sql: `update audit_entries set entry = '{}', hash = sha256('{}') where chain = $1 and seq = 1`,
      finds: [/^Chain \S+: entry 2 was altered, or the hash of the one before it/],
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
      it: 'shows a chain whose subscriber is gone',
      sql: 'delete from subscribers where subscriber_id = $1',
      finds: [/^Chain \S+: what it belongs to is gone; its last entry is 4/],
    },
    {
      it: 'shows a head that was put back',
      sql: `update subscribers set audit_seq = 2 where subscriber_id = $1`,
      finds: [/^Chain \S+: its head stands at 2 and differs from its last entry 4/],
    },
  ]
  for (const damage of damages) {
    it(damage.it, async () => {
      const subscriberId = await audit.aSubscriber()
      for (let n = 0; n < 4; n++) await audit.record(subscriberId)
      await audit.record(await audit.aSubscriber())
      await audit.assertSound({ chains: 2, entries: 5 })
      await audit.owner.query(damage.sql, [subscriberId])
      assertFindings(await audit.findings(), damage.finds, subscriberId)
    })
  }

  it('shows a whole chain that was deleted with its subscriber after an anchor', async () => {
    const [gone] = await sealedDays()
    await audit.owner.query('delete from audit_entries where chain = $1', [gone])
    await audit.owner.query('delete from subscribers where subscriber_id = $1', [gone])
    assertFindings(await audit.findings(), [/^Anchor \d+ of 2026-03-02: it was altered/])
  })

  it('shows a chain that was written anew from its beginning after an anchor', async () => {
    const [chain] = await sealedDays()
    await audit.owner.query(
      `with entry as (update audit_entries set entry = '{}', hash = sha256('{}') where chain = $1 returning hash)
       update subscribers set audit_hash = hash from entry where subscriber_id = $1`,
      [chain],
    )
    assertFindings(await audit.findings(), [/^Anchor \d+ of 2026-03-02: it was altered/])
  })

  it('shows an anchor that was altered', async () => {
    for (const change of [`sealed_at = sealed_at - interval '1 hour'`, 'upto = upto - 1', 'chains = 7', `hash = 'x'`]) {
      await audit.empty()
      await sealedDays()
      await audit.owner.query(
        `update audit_anchors set ${change} where anchor_id = (select min(anchor_id) from audit_anchors)`,
      )
      assert.match((await audit.findings())[0] ?? '', /^Anchor \d+ of 2026-03-02: it was altered/, change)
    }
  })

  it('shows an anchor that was deleted from between two others', async () => {
    await sealedDays()
    await sealAudit(audit.db, new Date(TOMORROW.getTime() + DAY_MS))
    await audit.owner.query('delete from audit_anchors where sealed_at = $1', [TOMORROW])
    assertFindings(await audit.findings(), [/^Anchor \d+ of 2026-03-04: it was altered, or the one before it/])
  })

  it('does not drown whoever asks', async () => {
    const chains = await Promise.all(Array.from({ length: 1_200 }, audit.aSubscriber))
    await atOnce(chains.length, (n) => audit.record(chains[n] ?? ''))
    await audit.owner.query(`update audit_entries set entry = '{}'`)
    const told = await audit.findings()
    assert.equal(told.length, 1_001)
    assert.match(told.at(-1) ?? '', /There are more/)
  })
})

/** Two chains and two days: one chain moved on the first day only. */
async function sealedDays(): Promise<string[]> {
  const chains = [await audit.aSubscriber(), await audit.aSubscriber()]
  for (const chain of chains) await audit.record(chain)
  await sealAudit(audit.db, NOON)
  await audit.record(chains[1] ?? '')
  await sealAudit(audit.db, TOMORROW)
  await audit.assertSound({ chains: 2, entries: 3, anchors: 2 })
  return chains
}

function assertFindings(found: string[], expected: RegExp[], named = ''): void {
  assert.equal(found.length, expected.length, found.join('\n'))
  for (const [index, pattern] of expected.entries()) assert.match(found[index] ?? '', pattern)
  for (const finding of found) assert.ok(finding.includes(named))
}
