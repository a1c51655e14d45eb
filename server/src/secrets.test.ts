import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { type TestDatabase, testDatabase } from '../test/fixtures/database.ts'
import { type Db, openDb } from './platform/database/db.ts'
import { openVault } from './platform/vault.ts'
import { checkPepper, usePepper } from './secrets.ts'

const [RIGHT, WRONG] = ['r'.repeat(32), 'w'.repeat(32)]
const REFUSED = /^Error: SECRET_PEPPER is not the one that this database was set up with\./

let database: TestDatabase
let db: Db
before(async () => {
  database = await testDatabase()
  db = openDb({ url: database.url })
})
after(async () => {
  await db.close()
  await database.drop()
})

describe('a pepper', () => {
  it('is checked against a webhook’s secret where an older version left no canary', async () => {
    await db.query(
      `insert into subscribers (subscriber_id, name, kind, created_at) values ($1, 'A', 'LENDER', now())`,
      [SUBSCRIBER],
    )
    const registrationId = randomUUID()
    await db.query(
      `insert into notification_registrations (registration_id, subscriber_id, webhook_uri, event_types, secret,
         secret_expires_at, created_at) values ($1, $2, 'https://a.example', '{}', $3, now(), now())`,
      [registrationId, SUBSCRIBER, openVault(RIGHT).seal('secret', registrationId)],
    )
    await assert.rejects(usePepper(db, WRONG), REFUSED)
    assert.equal(await checkPepper(db, RIGHT), false)
    await db.query('delete from notification_registrations')
  })

  it('belongs to the database from its first use, on every node, and any other is refused', async () => {
    await Promise.all(Array.from({ length: 4 }, () => usePepper(db, RIGHT)))
    assert.equal(await checkPepper(db, RIGHT), true)
    await assert.rejects(usePepper(db, WRONG), REFUSED)
    await assert.rejects(checkPepper(db, WRONG), REFUSED)
    await usePepper(db, RIGHT)
  })
})

const SUBSCRIBER = randomUUID()
