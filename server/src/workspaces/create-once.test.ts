import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import {
  aCreation,
  aWorkspace,
  CREATE,
  type Created,
  eventTypesOf,
  FIRM_ID,
  fieldsOf,
  LENDER,
  move,
  OTHER_LENDER,
  put,
} from '../../test/fixtures/workspaces.ts'
import type { Transaction } from '../platform/database/db.ts'
import { findFirmAndReference } from './store.ts'

let service: TestService
before(async () => {
  service = await testService()
})

const create = (key: string, json: unknown, as = LENDER) =>
  service.call<Created>('POST', CREATE, { ...as, json, headers: { 'idempotency-key': key } })

const idsOf = async (reference: string) => {
  const rows = await service.deps.db.query<{ id: string }>(
    'select workspace_id as id from workspaces where reference = $1 order by seq',
    [reference],
  )
  return rows.map(({ id }) => id)
}

describe('POST /remortgage/workspaces with an Idempotency-Key', () => {
  it('answers a repeat what it answered first, and does nothing again', async () => {
    const body = aCreation({ reference: 'ONCE', titleNumber: 'ST500678' })
    const first = await create('once', body)
    const again = await create('once', body)
    assert.deepEqual([again.status, again.text], [202, first.text])
    assert.deepEqual(await idsOf('ONCE'), [first.body.workspaceId])
    const created = (await eventTypesOf(service, first.body.workspaceId)).filter((type) => type === 'WORKSPACE_CREATED')
    assert.equal(created.length, 1)
  })

  it('creates one workspace for ten requests at the same time: each is answered with it, or told to wait', async () => {
    const body = aCreation({ reference: 'TEN' })
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('ten', body)))
    const ids = await idsOf('TEN')
    assert.equal(ids.length, 1)
    for (const { status, body } of answers) {
      if (status === 202) assert.equal(body.workspaceId, ids[0])
      else assert.equal(status, 409)
    }
    assert.equal((await create('ten', body)).body.workspaceId, ids[0])
  })

  it('answers a repeat also while another repeat is being answered', async () => {
    const body = aCreation({ reference: 'AGAIN' })
    const first = await create('again', body)
    const again = await service.deps.db.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [`${LENDER.as}\nagain`])
      return create('again', body)
    })
    assert.deepEqual([again.status, again.text], [202, first.text])
  })

  it('refuses the key for another request: 422', async () => {
    const body = aCreation({ reference: 'FIRST' })
    await create('other', body)
    for (const other of [put(body, 'reference', 'SECOND'), put(body, 'parties[0].partyDetails.surname', 'Prinne')]) {
      const answer = await create('other', other)
      assert.deepEqual([answer.status, fieldsOf(answer)], [422, ['Idempotency-Key']])
    }
    assert.deepEqual(await idsOf('SECOND'), [])
  })

  it('looks at the whole of a query, where one is ignored', async () => {
    const sent = { json: { kind: 'LENDER', name: 'Fen Bank' }, headers: { 'idempotency-key': 'queried' } }
    assert.equal((await service.call('POST', '/sandbox/v1/subscribers?a=1?b=2', sent)).status, 201)
    assert.equal((await service.call('POST', '/sandbox/v1/subscribers?a=1?b=3', sent)).status, 422)
  })

  it('takes what differs only in how it is written for the same request', async () => {
    const body = aCreation({ reference: 'SAME', titleNumber: 'ST500678' })
    const first = await create('written', body)
    const again = await create('written', put(put(body, 'reference', ' SAME '), 'property.titleNumber', 'st 500678'))
    assert.deepEqual([again.status, again.text], [202, first.text])
  })

  it('frees the key of a request that was refused', async () => {
    const body = aCreation({ reference: 'FREED' })
    assert.equal((await create('freed', put(body, 'property', undefined))).status, 400)
    const parties = put(body, 'parties[0].participants[0].id', '99999999-9999-4999-8999-999999999999')
    assert.equal((await create('freed', put(parties, 'parties[1]', undefined))).status, 400)
    assert.equal((await create('freed', body)).status, 202)
  })

  it('keeps the keys of two clients apart', async () => {
    const body = aCreation({ reference: 'APART' })
    const [one, other] = [await create('apart', body), await create('apart', body, OTHER_LENDER)]
    assert.deepEqual([one.status, other.status], [202, 202])
    assert.notEqual(one.body.workspaceId, other.body.workspaceId)
  })

  it('forgets the key after 24 hours of the business clock', async () => {
    const body = aCreation({ reference: 'DAILY' })
    const first = await create('daily', body)
    await move(service, 'PT23H')
    assert.equal((await create('daily', body)).text, first.text)
    await move(service, 'PT1H')
    assert.notEqual((await create('daily', body)).body.workspaceId, first.body.workspaceId)
  })
})

describe('the workspaceReferenceId', () => {
  it('is in no order', async () => {
    const made: string[] = []
    for (let n = 0; n < 12; n++) made.push((await aWorkspace(service)).workspaceReferenceId)
    assert.equal(new Set(made).size, made.length)
    assert.notDeepEqual(made, made.toSorted())
  })

  it('is one that no workspace has, and that no other creation was given at the same time', async () => {
    const { db } = service.deps
    const draw = async (tx: Transaction) => {
      await tx.query('select setseed(0.5)') // so that each draws the same references
      return (await findFirmAndReference(tx, FIRM_ID, 'LW26')).workspaceReferenceId
    }
    const [first, second] = await db.transaction(async (tx) => [await draw(tx), await db.transaction(draw)])
    assert.notEqual(first, second)
    const { workspaceId } = await aWorkspace(service)
    const sql = 'update workspaces set workspace_reference_id = $1 where workspace_id = $2'
    await db.query(sql, [first, workspaceId])
    assert.equal(await db.transaction(draw), second)
  })
})
