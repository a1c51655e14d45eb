import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { startGateway } from '../../test/fakes/business-gateway/gateway.ts'
import { testDatabase } from '../../test/fixtures/database.ts'
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
    const gateway = await startGateway()
    const folder = await mkdtemp(join(tmpdir(), 'lodgeway-doctor-'))
    t.after(async () => {
      await Promise.all([gateway.close(), db.close(), rm(folder, { recursive: true })])
      await database.drop()
    })
    await writeFile(join(folder, 'ca.pem'), gateway.ca)
    const env = {
      HMLR_EXTRACT_PRICE_PENCE: '700',
      HMLR_REST_URL: gateway.restUrl,
      HMLR_CA_FILE: join(folder, 'ca.pem'),
    }
    const [{ username, password } = assert.fail('no account')] = gateway.accounts
    const at = new Date()
    const add = async (name: string, daysLeft?: number, secret = password) => {
      const lawFirmId = randomUUID()
      await db.query(
        `insert into subscribers (subscriber_id, name, kind, status, created_at) values ($1, $2, 'LAW_FIRM', 'ACTIVE', now())`,
        [lawFirmId, name],
      )
      if (daysLeft === undefined) return
      await saveAccount(db, openVault(PEPPER), {
        lawFirmId,
        username,
        password: secret,
        certificate: gateway.clientCert,
        key: gateway.clientKey,
        certificateEndsAt: new Date(at.getTime() + (daysLeft + 0.5) * DAY_MS),
        telephone: '01632 960000',
        warningUnderstoodBy: 'jo@a.example',
        warningUnderstoodAt: at,
        changedAt: at,
      })
    }
    await add('Ash', 400)
    await add('Birch', 20)
    await add('Cedar', 400, 'wrong')
    await add('Dogwood')
    const config = { hmlr: readSettings(env, []), secretPepper: PEPPER, sandbox: false, dataDir: folder }
    const found = await examineAccounts(db, config)
    assert.deepEqual(
      found.map(({ state, message }) => `${state}: ${message}`),
      [
        'ok: Ash: the gateway accepts it',
        'warning: The certificate of Birch ends in 20 days.',
        'ok: Birch: the gateway accepts it',
        `error: Cedar: The gateway refused the account ${username} (401).`,
        'warning: Dogwood has none.',
      ],
    )
  })
})
