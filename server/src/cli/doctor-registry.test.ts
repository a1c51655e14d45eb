import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { testDatabase } from '../../test/fixtures/database.ts'
import { accountAt, standIn } from '../../test/fixtures/gateway.ts'
import { readSettings } from '../hmlr/settings.ts'
import { saveAccount } from '../hmlr/store.ts'
import { openDb } from '../platform/database/db.ts'
import { openVault } from '../platform/vault.ts'
import { examineAccounts } from './doctor-registry.ts'

const PEPPER = 'p'.repeat(32)
const DAY_MS = 86_400_000

describe('the accounts of law firms', () => {
  it('are checked at the gateway, with the end of their certificates', async (t) => {
    const database = await testDatabase()
    const db = openDb({ url: database.url })
    const { gateway, env, close } = await standIn()
    t.after(async () => {
      await Promise.all([close(), db.close()])
      await database.drop()
    })
    const at = new Date()
    const add = async (name: string, daysLeft?: number, facts: { password?: string } = {}) => {
      const lawFirmId = randomUUID()
      await db.query(
        `insert into subscribers (subscriber_id, name, kind, status, created_at) values ($1, $2, 'LAW_FIRM', 'ACTIVE', now())`,
        [lawFirmId, name],
      )
      if (daysLeft === undefined) return
      const account = { ...accountAt(gateway, lawFirmId, at), ...facts }
      const certificateEndsAt = new Date(at.getTime() + (daysLeft + 0.5) * DAY_MS)
      await saveAccount(db, openVault(PEPPER), { ...account, certificateEndsAt })
    }
    await add('Ash', 400)
    await add('Birch', 20)
    await add('Cedar', 400, { password: 'wrong' })
    await add('Dogwood')
    const config = { hmlr: readSettings(env, []), secretPepper: PEPPER, sandbox: false, dataDir: '' }
    const found = await examineAccounts(db, config)
    assert.deepEqual(
      found.map(({ state, message }) => `${state}: ${message}`),
      [
        'ok: Ash: the gateway accepts it',
        'warning: The certificate of Birch ends in 20 days.',
        'ok: Birch: the gateway accepts it',
        `error: Cedar: The gateway refused the account ${gateway.accounts[0]?.username} (401).`,
        'warning: Dogwood has none.',
      ],
    )
  })
})
