import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  applicationsOf,
  aSearchedWorkspace,
  auditOf,
  aWorkspace,
  drain,
  eventsOf,
  eventTypesOf,
  FIRM,
  fieldsOf,
  LENDER,
  move,
  narrowToken,
  OTHER_FIRM,
  readCase,
  readWorkspace,
  setStatus,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'

type Added = { workspaceId: string; titleId: string; titleNumber: string; lastTitleSearchStatus: string }

let service: TestService
before(async () => {
  service = await sharedService('moved')
})

const path = (id: string) => `${WORKSPACES}/${id}/titles`
const add = (id: string, titleNumber: unknown, headers: Record<string, string> = {}) =>
  service.call<Added>('POST', path(id), { ...FIRM, json: { titleNumber }, headers })

describe('POST /workspaces/{workspace_id}/titles: 202', () => {
  it('answers at once that the search has begun, and the workspace shows it', async () => {
    const { workspaceId } = await aWorkspace(service)
    const { status, body } = await add(workspaceId, ' st 500 678 ')
    assert.equal(status, 202)
    const { titleId, ...rest } = body
    assert.deepEqual(rest, { workspaceId, titleNumber: 'ST500678', lastTitleSearchStatus: 'INITIATED' })
    const [title] = (await readWorkspace(service, workspaceId)).titles
    assert.deepEqual([title?.titleId, title?.titleNumber], [titleId, 'ST500678'])
  })

  it('records who added it', async () => {
    const { workspaceId } = await aWorkspace(service)
    const headers = { 'x-acting-user': 'ann@harbour.example', 'x-request-correlation-id': 'add-1' }
    const { body } = await add(workspaceId, 'ST500678', headers)
    await drain(service)
    const [, entry, begun] = await auditOf(service, workspaceId)
    assert.partialDeepStrictEqual(entry, {
      action: 'title added',
      actingUser: 'ann@harbour.example',
      clientId: 'sandbox-law-firm',
      correlationId: 'add-1',
      ids: { workspaceId, titleId: body.titleId },
      after: { titleNumber: 'ST500678' },
    })
    const change = { before: { status: 'INITIATED' }, after: { status: 'PENDING' } }
    assert.partialDeepStrictEqual(begun, { action: 'title search begun', ...change })
    for (const { correlationId } of (await eventsOf(service, workspaceId)).slice(2))
      assert.equal(correlationId, 'add-1')
  })

  it('searches once for one Idempotency-Key', async () => {
    const { workspaceId } = await aWorkspace(service)
    const headers = { 'idempotency-key': workspaceId }
    const first = await add(workspaceId, 'ST500678', headers)
    const again = await add(workspaceId, 'st500678', headers)
    assert.deepEqual([again.status, again.text], [202, first.text])
    assert.equal((await add(workspaceId, 'NF100001', headers)).status, 422)
  })

  for (const number of ['1', '123456', 'P7073', 'TGL312172', 'Z1Z', 'CYM123456T']) {
    it(`takes the number ${number}`, async () => {
      const { workspaceId } = await aWorkspace(service)
      assert.equal((await add(workspaceId, number)).body.titleNumber, number)
    })
  }

  it('puts another number in the place of one whose search failed', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'NF100001')
    const [old] = (await readWorkspace(service, workspaceId)).titles
    assert.equal(old?.lastTitleSearchStatus, 'FAILED')
    const { status, body } = await add(workspaceId, 'ST500678')
    assert.equal(status, 202)
    assert.notEqual(body.titleId, old?.titleId)
    await drain(service)
    const found = await readCase(service, workspaceId)
    assert.deepEqual(
      found.titles.map(({ titleNumber }) => titleNumber),
      ['ST500678'],
    )
    assert.deepEqual([found.lastTitleSearchStatus, found.titleSearchFailure], ['SUCCESS', undefined])
    assert.equal((await readWorkspace(service, workspaceId)).borrowersValidationStatus, 'VALID')
    const listed = await service.call<{ records: { titleNumber: string }[] }>('GET', `${WORKSPACES}?limit=1`, FIRM)
    assert.equal(listed.body.records[0]?.titleNumber, 'ST500678')
    const changes = (await auditOf(service, workspaceId)).find(({ action }) => action === 'title added')
    assert.deepEqual([changes?.before, changes?.after], [{ titleNumber: 'NF100001' }, { titleNumber: 'ST500678' }])
  })
})

describe('a title search', () => {
  for (const [number, tenure, status, applications] of [
    ['ST500678', 'FREEHOLD', 'VALID', ['DISCHARGE READY', 'MORTGAGE_DEED DRAFT']],
    ['ST500679', 'FREEHOLD', 'VALID', ['DISCHARGE READY', 'MORTGAGE_DEED DRAFT']],
    ['ST500681', 'FREEHOLD', 'VALID', ['DISCHARGE READY', 'MORTGAGE_DEED DRAFT']],
    ['DN514817', 'FREEHOLD', 'COUNT_INVALID', ['MORTGAGE_DEED DRAFT']],
    ['AB1208', 'FREEHOLD', 'INVALID', ['MORTGAGE_DEED DRAFT']],
    ['CO100001', 'FREEHOLD', 'TYPE_INVALID', ['MORTGAGE_DEED DRAFT']],
    ['RQ100001', 'FREEHOLD', 'COUNT_INVALID', ['MORTGAGE_DEED DRAFT']],
    ['CX100001', 'FREEHOLD', 'COUNT_INVALID', ['MORTGAGE_DEED DRAFT']],
    ['VF100001', 'FREEHOLD', 'COUNT_INVALID', ['MORTGAGE_DEED DRAFT']],
    ['SE100001', 'LEASEHOLD', 'COUNT_INVALID', ['MORTGAGE_DEED DRAFT']],
  ] as const) {
    it(`finds ${number}: ${tenure}, ${status} for William and Tracey Prynne, ${applications.join(', ')}`, async () => {
      const { workspaceId } = await aSearchedWorkspace(service, number)
      const found = await readCase(service, workspaceId)
      assert.equal(found.lastTitleSearchStatus, 'SUCCESS')
      assert.deepEqual([found.titles[0]?.titleNumber, found.titles[0]?.tenure], [number, tenure])
      assert.deepEqual(applicationsOf(found), applications)
      assert.equal((await readWorkspace(service, workspaceId)).borrowersValidationStatus, status)
    })
  }

  for (const [number, failure, message] of [
    ['NF100001', 'NOT_FOUND', 'The registry knows no title of this number.'],
    ['ZZ999999', 'NOT_FOUND', 'The registry knows no title of this number.'],
    ['DT501578', 'CLOSED', 'The title is closed.'],
    ['GR514443', 'PENDING_NEW_TITLE', 'The title is reserved for a registration that is not completed yet.'],
  ] as const) {
    it(`fails for ${number}: ${failure}`, async () => {
      const { workspaceId } = await aSearchedWorkspace(service, number)
      const found = await readCase(service, workspaceId)
      assert.deepEqual([found.lastTitleSearchStatus, found.titleSearchFailure], ['FAILED', failure])
      assert.deepEqual(applicationsOf(found), ['MORTGAGE_DEED DRAFT'])
      const { titles, borrowersValidationStatus } = await readWorkspace(service, workspaceId)
      assert.deepEqual([titles[0]?.lastTitleSearchStatus, borrowersValidationStatus], ['FAILED', 'PENDING'])
      const event = (await eventsOf(service, workspaceId)).at(-1)
      assert.deepEqual([event?.type, event?.message], ['TITLE_NOT_FOUND', message])
      const entry = (await auditOf(service, workspaceId)).at(-1)
      assert.deepEqual([entry?.action, entry?.after], ['title search failed', { status: 'FAILED', reason: failure }])
    })
  }

  it('takes an hour of the sandbox clock over SL100001 and is pending until then', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'SL100001')
    for (const advance of ['PT0S', 'PT30M', 'PT29M']) {
      await move(service, advance)
      assert.equal((await readCase(service, workspaceId)).lastTitleSearchStatus, 'PENDING', advance)
    }
    await move(service, 'PT1M')
    assert.equal((await readCase(service, workspaceId)).lastTitleSearchStatus, 'SUCCESS')
    assert.deepEqual((await eventTypesOf(service, workspaceId)).slice(2), [
      'TITLE_SEARCH_PENDING',
      'TITLE_DATA_RECEIVED',
    ])
  })
})

describe('POST /workspaces/{workspace_id}/titles: refused', () => {
  let own: string
  before(async () => {
    own = (await aWorkspace(service)).workspaceId
  })

  for (const [what, json, ...fields] of [
    ['nothing', {}, 'titleNumber'],
    ['null', { titleNumber: null }, 'titleNumber'],
    ['a number', { titleNumber: 500678 }, 'titleNumber'],
    ['a blank', { titleNumber: '  ' }, 'titleNumber'],
    ['four letters', { titleNumber: 'ABCD1' }, 'titleNumber'],
    ['seven digits', { titleNumber: 'ST1234567' }, 'titleNumber'],
    ['letters alone', { titleNumber: 'ABC' }, 'titleNumber'],
    ['another letter behind', { titleNumber: 'ST1X' }, 'titleNumber'],
    ['a property that it does not know', { titleNumber: 'ST1', tenure: 'FREEHOLD' }, 'tenure'],
  ] as const) {
    it(`answers 400 to ${what}`, async () => {
      const answer = await service.call('POST', path(own), { ...FIRM, json })
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
    })
  }

  it('answers 401 without a token; 403 without the scope and to a lender, before it looks at the body', async () => {
    assert.equal((await service.call('POST', path(own), { json: {} })).status, 401)
    const headers = await narrowToken(service, 'sandbox-law-firm')
    assert.equal((await service.call('POST', path(own), { json: {}, headers })).status, 403)
    const asLender = await service.call('POST', path(own), { ...LENDER, json: {} })
    assert.equal(asLender.status, 403)
    assert.match(asLender.text, /Only a law firm may do this/)
  })

  it('answers 404 to a workspace that was never there, and to another firm', async () => {
    const answers = [
      await add(UNKNOWN_ID, 'ST500678'),
      await service.call('POST', path(own), { ...OTHER_FIRM, json: { titleNumber: 'ST500678' } }),
    ]
    for (const answer of answers) assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['workspace_id']])
    assert.deepEqual((await readWorkspace(service, own)).titles, [])
  })

  for (const [number, status] of [
    ['SL100001', 'PENDING'],
    ['ST500678', 'SUCCESS'],
  ] as const) {
    it(`answers 409 at titleNumber to a second title while the first is ${status}`, async () => {
      const { workspaceId } = await aSearchedWorkspace(service, number)
      for (const second of ['ST500679', number]) {
        const answer = await add(workspaceId, second)
        assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['titleNumber']])
      }
      const [title, ...more] = (await readWorkspace(service, workspaceId)).titles
      assert.deepEqual([title?.titleNumber, title?.lastTitleSearchStatus, more], [number, status, []])
    })
  }

  it('lets one of two at the same time through', async () => {
    const { workspaceId } = await aWorkspace(service)
    const both = await Promise.all([add(workspaceId, 'ST500678'), add(workspaceId, 'ST500679')])
    assert.deepEqual(both.map(({ status }) => status).sort(), [202, 409])
  })

  for (const status of ['PREPARED', 'FUNDS_AUTHORISED', 'FUNDS_EXCHANGED', 'LODGED', 'CLOSED', 'CANCELLED']) {
    it(`answers 409 while the workspace is ${status}, a failed search or not`, async () => {
      const { workspaceId } = await aSearchedWorkspace(service, 'NF100001')
      await setStatus(service, workspaceId, status)
      const answer = await add(workspaceId, 'ST500678')
      assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['']])
      assert.match(answer.text, new RegExp(`The workspace is ${status}`))
    })
  }
})
