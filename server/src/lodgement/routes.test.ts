import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { attachChecked, liveApplications, PAPER_DEED, patchDeed } from '../../test/fixtures/approvals.ts'
import { partyNamed, readReconciliation, reconcile, unmatchedNamed } from '../../test/fixtures/reconciliation.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
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
  readWorkspace,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
before(async () => {
  service = await sharedService('still')
})

const read = (query: string, as = FIRM, headers: Record<string, string> = {}) =>
  service.call('GET', `${CASES}${query}`, { ...as, headers })

describe('GET /lodgement-cases', () => {
  it('answers one case, which exists from the start with the deed', async () => {
    const { workspaceId, workspaceReferenceId } = await aWorkspace(service)
    const record = await readCase(service, workspaceId)
    const [deed] = record.applications
    const { parties } = await readWorkspace(service, workspaceId)
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
          documents: [],
          parties,
        },
      ],
      approvals: [],
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

  it('shows each application with its file, all its documents and its attributes', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    await patchDeed(service, workspaceId, { ...PAPER_DEED, transactionValue: 206_000.07, isEffective: false })
    const [deed] = await liveApplications(service, workspaceId)
    assert.ok(deed)
    const facts = { ...deed, documentType: 'MORTGAGE_DEED' }
    const failed = await attachChecked(service, workspaceId, { ...facts, status: 'FAILED' })
    const older = await attachChecked(service, workspaceId, { ...facts, fileName: 'older.pdf' })
    const newer = await attachChecked(service, workspaceId, { ...facts, fileName: 'newer.pdf' })
    const waiting = await attachChecked(service, workspaceId, { ...facts, status: 'PENDING' })
    const form = { ...deed, documentType: 'IDENTITY_FORM', category: 'SUPPORTING_DOCUMENT' }
    const identity = await attachChecked(service, workspaceId, form)
    const [shown] = (await readCase(service, workspaceId)).applications
    assert.deepEqual(shown?.attributes, {
      applicationType: 'MORTGAGE_DEED',
      transactionValue: 206_000.07,
      landRegistryFee: 45,
      certificationType: 'ORIGINAL',
      mortgageDeedReference: 'MD431C',
      mortgageDeedReferenceType: 'PAPER',
      isEffective: false,
    })
    assert.deepEqual(
      shown?.documents.map(({ fileId, fileUploadStatus, documentType }) => [fileId, fileUploadStatus, documentType]),
      [
        [failed, 'FAILED', 'MORTGAGE_DEED'],
        [older, 'SUCCESS', 'MORTGAGE_DEED'],
        [newer, 'SUCCESS', 'MORTGAGE_DEED'],
        [waiting, 'PENDING', 'MORTGAGE_DEED'],
        [identity, 'SUCCESS', 'IDENTITY_FORM'],
      ],
    )
    const { documentType, documentCategory, certificationType, ...file } = shown?.documents[2] ?? {}
    assert.deepEqual(
      [documentType, documentCategory, certificationType],
      ['MORTGAGE_DEED', 'APPLICATION_DOCUMENT', 'ORIGINAL'],
    )
    assert.deepEqual(shown?.file, file)
    assert.deepEqual(Object.keys(file), ['fileId', 'fileName', 'fileUploadStatus', 'auditAttributes'])
    assert.equal(shown?.file?.fileName, 'newer.pdf')
  })

  it('shows whom each application concerns, and charges the transfer instead of the deed', async () => {
    const parties = [aBorrower('William'), aBorrower('Grace', 'Okafor')]
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500681', parties)
    await patchDeed(service, workspaceId, PAPER_DEED)
    const seen = await readReconciliation(service, workspaceId)
    const [grace, tracey] = [partyNamed(seen, 'Grace').partyId, unmatchedNamed(seen, 'Tracey').proprietorId]
    await reconcile(service, workspaceId, { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: grace })
    await reconcile(service, workspaceId, { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId: tracey })
    const { applications } = await readCase(service, workspaceId)
    const picture = applications.map(({ applicationType, parties, attributes }) => {
      const names = parties.map(
        ({ partyDetails, role }) => `${'forenames' in partyDetails && partyDetails.forenames} ${role}`,
      )
      return [applicationType, attributes['landRegistryFee'], names]
    })
    const [william, incoming, outgoing] = [
      'William BORROWER',
      'Grace INCOMING_PROPRIETOR',
      'Tracey OUTGOING_PROPRIETOR',
    ]
    assert.deepEqual(picture, [
      ['MORTGAGE_DEED', 0, [william, incoming]],
      ['DISCHARGE', 0, [william, outgoing]],
      ['TRANSFER_OF_WHOLE', undefined, [william, incoming, outgoing]],
      ['CANCEL_A_RESTRICTION', 0, [william, incoming, outgoing]],
    ])
  })

  it('shows whose name is changed', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'DN514817', [aBorrower('Maria', 'Bueno')])
    const seen = await readReconciliation(service, workspaceId)
    const { proprietorId } = unmatchedNamed(seen, 'Maria')
    const proprietorDetails = { forenames: 'Maria', surname: 'Bueno' }
    const rename = { action: 'UPDATE_PROPRIETOR_NAME', proprietorId, type: 'INDIVIDUAL', proprietorDetails }
    await reconcile(service, workspaceId, rename)
    const { applications } = await readCase(service, workspaceId)
    const change = applications.find(({ applicationType }) => applicationType === 'CHANGE_OF_NAME')
    assert.deepEqual(
      change?.parties.map(({ partyId }) => partyId),
      [partyNamed(seen, 'Maria').partyId],
    )
    assert.equal(change?.attributes['landRegistryFee'], 0)
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

  for (const query of ['', '?workspace_id=', '?workspace_id=x', '?workspace_id=null']) {
    it(`answers 400 at workspace_id to "${query}"`, async () => {
      const answer = await read(query)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['workspace_id']])
    })
  }

  it('names a parameter that is written differently next to the one that is missing', async () => {
    const answer = await read('?workspaceId=x')
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['workspaceId', 'workspace_id']])
  })

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
