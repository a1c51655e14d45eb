import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  aWorkspace,
  FIRM,
  fieldsOf,
  LENDER,
  LENDER_ID,
  narrowToken,
  OTHER_FIRM,
  OTHER_FIRM_ID,
} from '../../test/fixtures/workspaces.ts'

type Directory = { records: { subscriberId: string; name: string; kind: string }[]; nextCursor?: string }

let service: TestService
before(async () => {
  service = await testService({ worker: false })
  for (const name of ['Élan & Marsh (Solicitors) LLP', 'élan conveyancing', 'Zebra 100% Law']) {
    const { status } = await service.call('POST', '/sandbox/v1/subscribers', { json: { kind: 'LAW_FIRM', name } })
    assert.equal(status, 201)
  }
  await aWorkspace(service)
})

const find = (query = '', as = LENDER) => service.call<Directory>('GET', `${PARTNER}/subscribers${query}`, as)
const namesOf = ({ body }: { body: Directory }) => body.records.map(({ name }) => name)

const HARBOUR = 'Harbour Conveyancing LLP'
const QUAYSIDE = 'Quayside Law Ltd'
const [ELAN, ELAN_AND_MARSH, ZEBRA] = ['élan conveyancing', 'Élan & Marsh (Solicitors) LLP', 'Zebra 100% Law']

describe('GET /subscribers', () => {
  it('shows a lender every active law firm by name, and nothing else about it', async () => {
    const { body } = await find()
    assert.deepEqual(namesOf({ body }), [HARBOUR, QUAYSIDE, ZEBRA, ELAN_AND_MARSH, ELAN])
    assert.deepEqual(body.records[1], { subscriberId: OTHER_FIRM_ID, name: QUAYSIDE, kind: 'LAW_FIRM' })
    await service.deps.db.query(`update subscribers set status = 'SUSPENDED' where subscriber_id = $1`, [OTHER_FIRM_ID])
    assert.ok(!namesOf(await find()).includes(QUAYSIDE))
    await service.deps.db.query(`update subscribers set status = 'ACTIVE' where subscriber_id = $1`, [OTHER_FIRM_ID])
  })

  it('shows a law firm the lenders that it shares a workspace with', async () => {
    const entry = { subscriberId: LENDER_ID, name: 'Northgate Building Society', kind: 'LENDER' }
    assert.deepEqual((await find('', FIRM)).body, { records: [entry] })
    assert.deepEqual((await find('', OTHER_FIRM)).body, { records: [] })
    await aWorkspace(service, { parties: [aBorrower('Ann', 'Lee', OTHER_FIRM_ID)] })
    assert.deepEqual((await find('?name=north', OTHER_FIRM)).body, { records: [entry] })
  })

  for (const [name, ...found] of [
    ['harb', HARBOUR],
    ['CONV', HARBOUR, ELAN],
    ['Law%20L', QUAYSIDE],
    ['%C3%A9lan', ELAN_AND_MARSH, ELAN],
    ['soli', ELAN_AND_MARSH],
    ['100%25', ZEBRA],
    ['.*'],
    ['onveyancing'],
    ['lan'],
  ]) {
    it(`finds ${JSON.stringify(found)} by name=${name}`, async () => {
      assert.deepEqual(namesOf(await find(`?name=${name}`)), found)
    })
  }

  it('answers an empty list for a kind that the caller may not see', async () => {
    assert.deepEqual((await find('?kind=LENDER')).body, { records: [] })
    assert.deepEqual((await find('?kind=LAW_FIRM', FIRM)).body, { records: [] })
    assert.equal((await find('?kind=LAW_FIRM')).body.records.length, 5)
  })

  it('goes page by page, without gap or repeat', async () => {
    const names: string[] = []
    let cursor = ''
    do {
      const { body } = await find(`?limit=2${cursor}`)
      names.push(...namesOf({ body }))
      cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
    } while (cursor)
    assert.deepEqual(names, namesOf(await find()))
  })

  for (const [query, field] of [
    ['kind=BANK', 'kind'],
    ['name=', 'name'],
    ['limit=0', 'limit'],
    [`cursor=${'A'.repeat(59)}`, 'cursor'],
  ]) {
    it(`answers 400 to ${query?.slice(0, 20)}`, async () => {
      const answer = await find(`?${query}`)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, [field]])
    })
  }

  it('needs the scope', async () => {
    const headers = await narrowToken(service, 'sandbox-lender')
    assert.equal((await service.call('GET', `${PARTNER}/subscribers`, { headers })).status, 403)
  })
})
