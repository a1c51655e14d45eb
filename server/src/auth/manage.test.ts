import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ACTOR } from '../../test/fixtures/audit.ts'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { addClient, addSubscriber, retireOldSecret, rotateSecret, setEnabled, setScopes, setStatus } from './manage.ts'

const PEPPER = 'p'.repeat(32)
let database: TestDatabase
let db: Db
let subscriberId: string
before(async () => {
  database = await testDatabase()
  db = openDb({ url: database.url })
  await db.transaction(async (tx) => {
    const input = { name: 'Westbrook', kind: 'LENDER', fourEyes: true, reports: true } as const
    subscriberId = addSubscriber(tx, input, ACTOR).subscriberId
    addClient(tx, PEPPER, { subscriberId, clientId: 'west', scopes: ['view:workspaces'] }, ACTOR)
  })
})
after(async () => {
  await db.close()
  await database.drop()
})

const entries = async () => {
  const rows = await db.query<{ entry: { action: string; before?: object; after?: object } }>(
    `select entry || coalesce(payload - 'salt', '{}') as entry from audit_entries where chain = $1 order by seq`,
    [subscriberId],
  )
  return rows.map(({ entry: { action, before, after } }) => [action, before, after])
}

describe('what an operator does', () => {
  it('is audited with the state before and after', async () => {
    const known = (await entries()).length
    await db.transaction((tx) => setStatus(tx, subscriberId, 'SUSPENDED', ACTOR))
    await db.transaction((tx) => setStatus(tx, subscriberId, 'ACTIVE', ACTOR))
    await db.transaction((tx) => setEnabled(tx, 'west', false, ACTOR))
    await db.transaction((tx) => setEnabled(tx, 'west', true, ACTOR))
    for (let turn = 0; turn < 2; turn++) await db.transaction((tx) => rotateSecret(tx, PEPPER, 'west', ACTOR))
    await db.transaction((tx) => retireOldSecret(tx, 'west', ACTOR))
    await db.transaction((tx) => setScopes(tx, 'west', ['edit:workspaces'], ACTOR))
    assert.deepEqual((await entries()).slice(known), [
      ['subscriber suspended', { status: 'ACTIVE' }, { status: 'SUSPENDED' }],
      ['subscriber resumed', { status: 'SUSPENDED' }, { status: 'ACTIVE' }],
      ['client disabled', { enabled: true }, { enabled: false }],
      ['client enabled', { enabled: false }, { enabled: true }],
      ['client rotated', { liveSecrets: 1 }, { liveSecrets: 2 }],
      ['client rotated', { liveSecrets: 2 }, { liveSecrets: 2 }],
      ['old client secret retired', { liveSecrets: 2 }, { liveSecrets: 1 }],
      ['client scopes set', { scopes: ['view:workspaces'] }, { scopes: ['edit:workspaces'] }],
    ])
  })

  it('leaves at most two live secrets, also after concurrent rotations, and counts them correctly', async () => {
    const known = (await entries()).length
    await Promise.all([1, 2, 3].map(() => db.transaction((tx) => rotateSecret(tx, PEPPER, 'west', ACTOR))))
    assert.deepEqual(await db.query(`select count(*) from client_secrets where client_id = 'west'`), [{ count: 2 }])
    const counted = (await entries()).slice(known).map(([, before, after]) => [before, after])
    const [one, two] = [{ liveSecrets: 1 }, { liveSecrets: 2 }]
    assert.deepEqual(counted, [
      [one, two],
      [two, two],
      [two, two],
    ])
  })

  it('is refused for a subscriber or a client that does not exist', async () => {
    const nobody = '99999999-9999-4999-8999-999999999999'
    const missing = { reason: 'not_found' }
    await assert.rejects(
      db.transaction((tx) => setStatus(tx, nobody, 'SUSPENDED', ACTOR)),
      missing,
    )
    await assert.rejects(
      db.transaction((tx) => setEnabled(tx, 'nobody', false, ACTOR)),
      missing,
    )
    await assert.rejects(
      db.transaction((tx) => rotateSecret(tx, PEPPER, 'nobody', ACTOR)),
      missing,
    )
  })
})
