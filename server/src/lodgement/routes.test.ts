import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type TestService, testService } from '../../test/support/service.ts'
import {
  aSearchedWorkspace,
  aWorkspace,
  CASES,
  drain,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  OTHER_LENDER,
  readCase,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/support/workspaces.ts'

let service: TestService
before(async () => {
  service = await testService()
})

const read = (query: string, as = FIRM, headers: Record<string, string> = {}) =>
  service.call('GET', `${CASES}${query}`, { ...as, headers })

describe('GET /lodgement-cases', () => {
  it('answers one case, which exists from the start with the deed', async () => {
    const { workspaceId, workspaceReferenceId } = await aWorkspace(service)
    const record = await readCase(service, workspaceId)
    const [deed] = record.applications
    assert.deepEqual(record, {
      lodgementCaseId: record.lodgementCaseId,
      lodgementCaseStatus: 'CREATED',
      workspaceId,
      workspaceReferenceId,
      transactionType: 'REMORTGAGE',
      earlyCompletion: false,
      titles: [],
      applications: [
        {
          applicationId: deed?.applicationId,
          applicationType: 'MORTGAGE_DEED',
          status: 'DRAFT',
          priority: 1,
          auditAttributes: record.auditAttributes,
          attributes: { applicationType: 'MORTGAGE_DEED' },
        },
      ],
      auditAttributes: record.auditAttributes,
    })
    assert.deepEqual([record.auditAttributes.createdBy, record.auditAttributes.lastModifiedBy], [LENDER.as, LENDER.as])
  })

  it('shows title and search, and the discharge before the deed, once the registry has answered', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    const record = await readCase(service, workspaceId)
    assert.partialDeepStrictEqual(record, {
      lastTitleSearchStatus: 'SUCCESS',
      titles: [{ titleNumber: 'ST500678', tenure: 'FREEHOLD' }],
    })
    assert.deepEqual(
      record.applications.map(({ applicationType, status, priority }) => [applicationType, status, priority]),
      [
        ['MORTGAGE_DEED', 'DRAFT', 2],
        ['DISCHARGE', 'READY', 1],
      ],
    )
    assert.equal(new Set(record.applications.map(({ applicationId }) => applicationId)).size, 2)
  })

  it('shows why a search failed', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'DT501578')
    const { lastTitleSearchStatus, titleSearchFailure, titles } = await readCase(service, workspaceId)
    assert.deepEqual([lastTitleSearchStatus, titleSearchFailure], ['FAILED', 'CLOSED'])
    assert.deepEqual(Object.keys(titles[0] ?? {}).sort(), ['titleId', 'titleNumber'])
  })

  it('is the same for lender and law firm, and takes the id in capitals', async () => {
    const { workspaceId } = await aWorkspace(service)
    const seen = await readCase(service, workspaceId, FIRM)
    assert.deepEqual(await readCase(service, workspaceId.toUpperCase(), LENDER), seen)
  })

  it('answers 304 to who has it already, until the registry answers', async () => {
    const { workspaceId } = await aWorkspace(service)
    const query = `?workspace_id=${workspaceId}`
    const etag = (await read(query)).headers.get('etag') ?? ''
    const again = await read(query, LENDER, { 'if-none-match': etag })
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])
    await service.call('POST', `${WORKSPACES}/${workspaceId}/titles`, { ...FIRM, json: { titleNumber: 'ST500678' } })
    await drain(service)
    const changed = await read(query, LENDER, { 'if-none-match': etag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), etag)
  })

  for (const query of ['', '?workspace_id=', '?workspace_id=x', '?workspaceId=x', '?workspace_id=null']) {
    it(`answers 400 at workspace_id to "${query}"`, async () => {
      const answer = await read(query)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['workspace_id']])
    })
  }

  it('answers 400 to two workspaces at once', async () => {
    const answer = await read(`?workspace_id=${UNKNOWN_ID}&workspace_id=${UNKNOWN_ID}`)
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['workspace_id']])
  })

  it('answers 401 without a token and 403 without the scope, before it looks at the query', async () => {
    assert.equal((await service.call('GET', CASES)).status, 401)
    assert.equal((await service.call('GET', CASES, { headers: await narrowToken(service, FIRM.as) })).status, 403)
  })

  it('answers 404 at workspace_id to one that was never there, and to everybody else', async () => {
    const { workspaceId } = await aWorkspace(service)
    for (const [id, as] of [
      [UNKNOWN_ID, FIRM],
      [workspaceId, OTHER_FIRM],
      [workspaceId, OTHER_LENDER],
    ] as const) {
      const answer = await read(`?workspace_id=${id}`, as)
      assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['workspace_id']])
    }
  })
})
