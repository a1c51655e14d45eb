import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { runSql, type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import type { Actor } from '../audit/record.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { type NewEvent, recordEvent } from './record.ts'
import { EVENT_TYPES } from './types.ts'

const AT = new Date('2026-03-02T12:00:00.000Z')
const ACTOR: Actor = { clientId: 'a-client', correlationId: 'corr-1', at: AT }
const LENDER = randomUUID()
const FIRM = randomUUID()

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

beforeEach(async () => void (await runSql(database.ownerUrl, 'delete from events')))

describe('recordEvent', () => {
  it('writes what happened, who did it and its recipients, at the time of the business clock', async () => {
    const workspaceId = randomUUID()
    const data = { partyId: randomUUID() }
    await record({
      type: 'REPRESENTATION_ADDED',
      workspaceId,
      recipients: [LENDER, FIRM],
      reference: 'R-1',
      data,
      message: 'Hello.',
    })
    const [row] = await stored()
    assert.match(String(row?.['event_id']), /^[0-9a-f-]{36}$/)
    assert.partialDeepStrictEqual(row, {
      type: 'REPRESENTATION_ADDED',
      workspace_id: workspaceId,
      told: [LENDER, FIRM],
      data: { reference: 'R-1', ...data },
      message: 'Hello.',
      actor: 'a-client',
      correlation_id: 'corr-1',
      at: AT,
    })
  })

  it('needs no workspace and leaves out what it was not given', async () => {
    await record({ type: 'REPORT_GENERATED', recipients: [LENDER] })
    const [row] = await stored()
    assert.deepEqual([row?.['workspace_id'], row?.['message'], row?.['data']], [null, null, {}])
  })

  it('names the person who acted before the client', async () => {
    await record({ type: 'WORKSPACE_CREATED', recipients: [] }, { ...ACTOR, actingUser: 'ann@example.com' })
    assert.equal((await stored())[0]?.['actor'], 'ann@example.com')
  })

  it('leaves nothing behind when the change is undone', async () => {
    const undone = db.transaction(async (tx) => {
      recordEvent(tx, { type: 'WORKSPACE_CREATED', recipients: [LENDER] }, ACTOR)
      throw new Error('changed my mind')
    })
    await assert.rejects(undone, /changed my mind/)
    assert.deepEqual(await stored(), [])
  })

  it('fails the commit of a change whose event cannot be written', async () => {
    await assert.rejects(record({ type: 'WORKSPACE_CREATED', recipients: ['nobody'] }), /uuid/)
  })
})

describe('the list of event types', () => {
  it('describes each in one sentence', () => {
    for (const [type, description] of Object.entries(EVENT_TYPES)) assert.match(description, /^[A-Z][^.]+\.$/, type)
  })
})

const record = (event: NewEvent, actor = ACTOR) => db.transaction(async (tx) => recordEvent(tx, event, actor))

const stored = () => db.query('select * from events order by seq')
