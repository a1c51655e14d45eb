import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  aCreation,
  aSearchedWorkspace,
  aWorkspace,
  CREATE,
  type Created,
  drain,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  OTHER_LENDER,
  readWorkspace,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
let own: string
before(async () => {
  service = await sharedService('still')
  own = (await aSearchedWorkspace(service, 'ST500678')).workspaceId
})

const read = (id: string, as = LENDER, headers: Record<string, string> = {}) =>
  service.call('GET', `${WORKSPACES}/${id}`, { ...as, headers })

describe('GET /workspaces/{workspace_id}', () => {
  it('shows what the search brought: tenure, status, and that borrowers and proprietors line up', async () => {
    const { titles, borrowersValidationStatus, auditAttributes } = await readWorkspace(service, own)
    assert.partialDeepStrictEqual(titles, [
      { titleNumber: 'ST500678', tenure: 'FREEHOLD', lastTitleSearchStatus: 'SUCCESS' },
    ])
    assert.equal(borrowersValidationStatus, 'VALID')
    assert.deepEqual([auditAttributes.createdBy, auditAttributes.lastModifiedBy], ['sandbox-lender', 'system'])
    assert.ok(auditAttributes.lastModifiedAt >= auditAttributes.createdAt)
  })

  it('takes the id in capitals', async () => {
    assert.equal((await read(own.toUpperCase())).body['workspaceId'], own)
  })

  it('leaves out what has no value', async () => {
    const { workspaceId } = await aWorkspace(service)
    const { text, body } = await read(workspaceId)
    assert.ok(!text.includes('null') && !('completionDate' in body), text)
  })

  it('answers 304 to who has it already, until it changes', async () => {
    const { workspaceId } = await aWorkspace(service)
    const etag = (await read(workspaceId)).headers.get('etag') ?? ''
    const again = await read(workspaceId, FIRM, { 'if-none-match': etag })
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])
    await service.call('POST', `${WORKSPACES}/${workspaceId}/titles`, { ...FIRM, json: { titleNumber: 'NF100001' } })
    assert.equal((await read(workspaceId, FIRM, { 'if-none-match': etag })).status, 200)
  })

  it('answers 400 to what is no UUID', async () => {
    for (const id of ['1', `${own}0`, `{${own}}`, '%20']) {
      const answer = await read(id)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['workspace_id']], id)
    }
  })

  it('answers 401 without a token, and 403 without the scope, whatever the workspace', async () => {
    assert.equal((await service.call('GET', `${WORKSPACES}/${own}`)).status, 401)
    const headers = await narrowToken(service, 'sandbox-lender')
    for (const id of [own, UNKNOWN_ID, 'x']) {
      assert.equal((await service.call('GET', `${WORKSPACES}/${id}`, { headers })).status, 403)
    }
  })

  it('answers 404 at workspace_id to one that was never there, and to everybody else', async () => {
    const answers = [await read(UNKNOWN_ID), await read(own, OTHER_LENDER), await read(own, OTHER_FIRM)]
    for (const answer of answers) assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['workspace_id']])
  })
})

type Timeline = { records: Record<'at' | 'type' | 'by' | 'correlationId' | 'message', string>[]; nextCursor?: string }

const timeline = (id: string, query = '', as = FIRM) =>
  service.call<Timeline>('GET', `${WORKSPACES}/${id}/timeline${query}`, as)

describe('GET /workspaces/{workspace_id}/timeline', () => {
  it('tells what happened, oldest first, with who did it and a sentence', async () => {
    const { status, body } = await timeline(own)
    assert.equal(status, 200)
    assert.deepEqual(
      body.records.map(({ type, by }) => [type, by]),
      [
        ['WORKSPACE_CREATED', 'sandbox-lender'],
        ['WORKSPACE_PARTICIPANT_ADDED', 'sandbox-lender'],
        ['TITLE_SEARCH_PENDING', 'system'],
        ['TITLE_DATA_RECEIVED', 'system'],
        ['LODGEMENT_APPLICATION_UPDATED', 'system'],
      ],
    )
    for (const { message } of body.records) assert.match(message, /^[A-Z].*\.$/)
    assert.deepEqual(
      body.records.map(({ at }) => at),
      body.records.map(({ at }) => at).sort(),
    )
    assert.deepEqual((await timeline(own, '', LENDER)).body, body, 'the lender sees the same')
  })

  it('has the correlation id of the request that caused it, through the job too', async () => {
    const headers = { 'x-request-correlation-id': 'the-cause', 'x-acting-user': 'ann@northgate.example' }
    const json = aCreation({ titleNumber: 'ST500678' })
    const { body } = await service.call<Created>('POST', CREATE, { ...LENDER, json, headers })
    await drain(service)
    const { records } = (await timeline(body.workspaceId)).body
    assert.equal(records.length, 5)
    assert.deepEqual(new Set(records.map(({ correlationId }) => correlationId)), new Set(['the-cause']))
    assert.deepEqual(
      records.slice(0, 2).map(({ by }) => by),
      ['ann@northgate.example', 'ann@northgate.example'],
    )
  })

  it('comes in pages that leave out and repeat nothing', async () => {
    const whole = (await timeline(own)).body.records
    const pages: Timeline[] = []
    let cursor: string | undefined
    do {
      const { body } = await timeline(own, `?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      pages.push(body)
      cursor = body.nextCursor
    } while (cursor)
    assert.deepEqual(
      pages.map(({ records }) => records.length),
      [2, 2, 1],
    )
    assert.deepEqual(
      pages.flatMap(({ records }) => records),
      whole,
    )
  })

  it('is 400 where the cursor belongs to another list or another subscriber', async () => {
    const { body } = await timeline(own, '?limit=1')
    const elsewhere = await service.call('GET', `${WORKSPACES}/${own}/representation?cursor=${body.nextCursor}`, LENDER)
    assert.deepEqual([elsewhere.status, fieldsOf(elsewhere)], [400, ['cursor']])
    const path = `${WORKSPACES}/${own}/timeline?cursor=${body.nextCursor}`
    const byAnother = await service.call('GET', path, OTHER_LENDER)
    assert.deepEqual([byAnother.status, fieldsOf(byAnother)], [400, ['cursor']])
  })

  it('answers 400, 401, 403 and 404 in this order', async () => {
    for (const [query, field] of [
      ['?cursor=x', 'cursor'],
      ['?cursor=', 'cursor'],
      ['?limit=0', 'limit'],
      ['?limit=101', 'limit'],
    ] as const) {
      const answer = await timeline(UNKNOWN_ID, query)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, [field]], query)
    }
    assert.equal((await service.call('GET', `${WORKSPACES}/${own}/timeline?limit=0`)).status, 401)
    const headers = await narrowToken(service, 'sandbox-law-firm')
    assert.equal((await service.call('GET', `${WORKSPACES}/${own}/timeline?limit=0`, { headers })).status, 403)
    for (const answer of [await timeline(UNKNOWN_ID), await timeline(own, '', OTHER_FIRM)]) {
      assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['workspace_id']])
    }
  })
})
