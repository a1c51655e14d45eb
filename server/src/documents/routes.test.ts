import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { patchDeed } from '../../test/fixtures/approvals.ts'
import { attach, filesPath, listFiles, offer, outcomeOf, readFile, uploaded } from '../../test/fixtures/documents.ts'
import { aSentCase } from '../../test/fixtures/lodging.ts'
import { aPdf } from '../../test/fixtures/multipart.ts'
import { sharedService, type TestService, testService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  aWorkspace,
  drain,
  eventsOf,
  FIRM,
  FIRM_ID,
  fieldsOf,
  LENDER,
  LENDER_ID,
  move,
  narrowToken,
  OTHER_FIRM,
  readCase,
  setStatus,
  UNKNOWN_ID,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
let idle: TestService
before(async () => {
  ;[service, idle] = await Promise.all([testService(), sharedService('idle')])
})

/** A workspace with one file that has succeeded. */
async function aFile(file = aPdf(), fileName = 'An offer – “final”.pdf') {
  const { workspaceId } = await aWorkspace(service)
  const fileId = await uploaded(service, workspaceId, { file, fileName })
  await drain(service)
  return { workspaceId, fileId, path: filesPath(workspaceId, fileId) }
}

describe('GET …/workspaces/{workspace_id}/files', () => {
  it('shows them oldest first, page by page, to both', async () => {
    const { workspaceId } = await aWorkspace(service)
    const ids = []
    for (const text of ['one', 'two', 'three']) ids.push(await uploaded(service, workspaceId, { file: aPdf(text) }))
    for (const as of [LENDER, FIRM]) {
      const shown = (await listFiles(service, workspaceId, as)).map(({ fileId }) => fileId)
      assert.deepEqual(shown, ids)
    }
    type Page = { records: { fileId: string }[]; nextCursor?: string }
    const first = await service.call<Page>('GET', `${filesPath(workspaceId)}?limit=2`, LENDER)
    assert.equal(first.body.records.length, 2)
    const rest = await service.call<Page>('GET', `${filesPath(workspaceId)}?cursor=${first.body.nextCursor}`, LENDER)
    assert.deepEqual([rest.body.records.map(({ fileId }) => fileId), rest.body.nextCursor], [ids.slice(2), undefined])
  })

  it('is empty before any is uploaded', async () => {
    const { workspaceId } = await aWorkspace(service)
    assert.deepEqual(await listFiles(service, workspaceId), [])
  })

  it('needs the scope, and a workspace of the caller', async () => {
    const { workspaceId } = await aWorkspace(service)
    const headers = await narrowToken(service, 'sandbox-law-firm')
    assert.equal((await service.call('GET', filesPath(workspaceId), { headers })).status, 403)
    const stranger = await service.call('GET', filesPath(workspaceId), OTHER_FIRM)
    assert.deepEqual([stranger.status, fieldsOf(stranger)], [404, ['workspace_id']])
  })
})

describe('GET …/files/{file_id}', () => {
  it('shows a file, with an ETag that changes with it', async () => {
    const { workspaceId } = await aWorkspace(service)
    const fileId = await uploaded(service, workspaceId)
    const path = filesPath(workspaceId, fileId)
    const { fileUploadStatus } = await readFile(service, workspaceId, fileId)
    assert.ok(['PENDING', 'SUCCESS'].includes(fileUploadStatus))
    await drain(service)
    const answer = await service.call('GET', path, LENDER)
    const etag = answer.headers.get('etag') ?? ''
    const again = await service.call('GET', path, { ...LENDER, headers: { 'if-none-match': etag } })
    assert.deepEqual([answer.status, again.status], [200, 304])
    assert.equal((await service.call('DELETE', path, FIRM)).status, 204)
    assert.notEqual((await service.call('GET', path, LENDER)).headers.get('etag'), etag)
  })

  it('knows no file of another workspace', async () => {
    const { workspaceId, fileId } = await aFile()
    const other = await aWorkspace(service)
    for (const path of [filesPath(other.workspaceId, fileId), filesPath(workspaceId, UNKNOWN_ID)]) {
      for (const suffix of ['', '/content']) {
        const answer = await service.call('GET', path + suffix, LENDER)
        assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['file_id']])
      }
    }
    const bad = await service.call('GET', filesPath('x', 'y'), LENDER)
    assert.deepEqual([bad.status, fieldsOf(bad)], [400, ['file_id', 'workspace_id']])
  })
})

describe('GET …/files/{file_id}/content', () => {
  it('gives back the bytes as an attachment, whole and in parts', async () => {
    const file = aPdf('to be downloaded')
    const { path } = await aFile(file)
    const content = `${path}/content`
    const answer = await service.call('GET', content, LENDER)
    assert.deepEqual([answer.status, answer.text], [200, file.toString()])
    const sha256 = createHash('sha256').update(file).digest('hex')
    assert.deepEqual(
      ['content-type', 'content-length', 'etag', 'accept-ranges', 'content-disposition'].map((name) =>
        answer.headers.get(name),
      ),
      [
        'application/octet-stream',
        String(file.length),
        `"${sha256}"`,
        'bytes',
        `attachment; filename="An offer _ _final_.pdf"; filename*=UTF-8''An%20offer%20%E2%80%93%20%E2%80%9Cfinal%E2%80%9D.pdf`,
      ],
    )
    const part = await service.call('GET', content, { ...FIRM, headers: { range: 'bytes=5-7' } })
    assert.deepEqual([part.status, part.text], [206, '1.7'])
    const beyond = await service.call('GET', content, { ...FIRM, headers: { range: `bytes=${file.length}-` } })
    assert.equal(beyond.status, 416)
    const known = await service.call('GET', content, { ...FIRM, headers: { 'if-none-match': `"${sha256}"` } })
    assert.equal(known.status, 304)
    const head = await service.call('HEAD', content, FIRM)
    assert.deepEqual([head.status, head.headers.get('content-length'), head.text], [200, String(file.length), ''])
    for (const [accept, status] of [
      ['application/pdf', 200],
      ['image/png', 406],
    ] as const) {
      assert.equal((await service.call('GET', content, { ...FIRM, headers: { accept } })).status, status)
    }
  })

  it('needs its own scope', async () => {
    const { path } = await aFile()
    const headers = await narrowToken(service, 'sandbox-law-firm', 'view:workspaces')
    assert.equal((await service.call('GET', `${path}/content`, { headers })).status, 403)
    assert.equal((await service.call('GET', path, { headers })).status, 200)
  })

  it('is 409 for a file that waits, failed or was withdrawn', async () => {
    const { workspaceId } = await aWorkspace(idle)
    const fileId = await uploaded(idle, workspaceId)
    const path = filesPath(workspaceId, fileId)
    for (const [status, reason] of [
      ['PENDING', null],
      ['FAILED', 'WORKSPACE_LOCKED'],
      ['WITHDRAWN', null],
    ]) {
      const set = 'update files set status = $2, failure_reason = $3 where file_id = $1'
      await idle.deps.db.query(set, [fileId, status, reason])
      assert.equal((await idle.call('GET', `${path}/content`, FIRM)).status, 409, `${status}`)
    }
  })
})

describe('DELETE …/files/{file_id}', () => {
  it('withdraws a file and tells of it once, however often it is asked', async () => {
    const { workspaceId, fileId, path } = await aFile()
    const headers = { 'x-acting-user': 'ann@example.com', 'x-request-correlation-id': 'withdrawn-1' }
    const answer = await service.call('DELETE', path, { ...FIRM, headers })
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.equal(await outcomeOf(service, workspaceId, fileId), 'WITHDRAWN')
    assert.equal((await readFile(service, workspaceId, fileId)).auditAttributes.lastModifiedBy, 'ann@example.com')
    assert.equal((await service.call('DELETE', path, FIRM)).status, 204)
    const told = (await eventsOf(service, workspaceId)).filter(({ type }) => type === 'FILE_WITHDRAWN')
    assert.deepEqual(told, [
      {
        type: 'FILE_WITHDRAWN',
        recipients: [LENDER_ID, FIRM_ID],
        data: { reference: 'REM-1', fileId },
        actor: 'ann@example.com',
        correlationId: 'withdrawn-1',
        message: null,
      },
    ])
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'file withdrawn',
      ids: { workspaceId, fileId },
      before: { status: 'SUCCESS' },
      after: { status: 'WITHDRAWN' },
    })
  })

  it('takes a main document from its application', async () => {
    const { workspaceId } = await aWorkspace(service)
    await patchDeed(service, workspaceId, { mortgageDeedReferenceType: 'PAPER' })
    const fileId = await attach(service, workspaceId, 'MORTGAGE_DEED', 'MORTGAGE_DEED')
    await drain(service)
    type WithFile = { file?: { fileId: string } }
    const mainOf = async () =>
      ((await readCase(service, workspaceId)).applications[0] as unknown as WithFile).file?.fileId
    assert.equal(await mainOf(), fileId)
    assert.equal((await service.call('DELETE', filesPath(workspaceId, fileId), FIRM)).status, 204)
    assert.equal(await mainOf(), undefined)
  })

  it('leaves a document out of the next submission while the case is rejected, and what was sent readable', async () => {
    const workspaceId = await aSentCase(service, 'CX100001')
    const { fileId = '' } = (await readCase(service, workspaceId)).applications[0]?.file ?? {}
    const path = filesPath(workspaceId, fileId)
    assert.equal((await service.call('DELETE', path, FIRM)).status, 409, 'the registry has it')
    await move(service, 'P3D')
    assert.equal((await service.call('DELETE', path, FIRM)).status, 204)
    assert.equal(await outcomeOf(service, workspaceId, fileId), 'WITHDRAWN')
    assert.equal((await service.call('GET', `${path}/content`, LENDER)).status, 200)
  })

  it('is for the subscriber that uploaded it, with the scope', async () => {
    const { workspaceId, fileId, path } = await aFile()
    const headers = await narrowToken(service, 'sandbox-law-firm', 'view:workspaces')
    assert.equal((await service.call('DELETE', path, { headers })).status, 403)
    assert.equal((await service.call('DELETE', path, LENDER)).status, 409)
    assert.equal((await service.call('DELETE', path, OTHER_FIRM)).status, 404)
    assert.equal(await outcomeOf(service, workspaceId, fileId), 'SUCCESS')
    const own = await uploaded(service, workspaceId, { ...LENDER, fields: offer() })
    assert.equal((await service.call('DELETE', filesPath(workspaceId, own), LENDER)).status, 204)
  })

  it('is 409 where the upload failed, or the workspace is not open for it', async () => {
    const { workspaceId } = await aWorkspace(idle)
    await patchDeed(idle, workspaceId, { mortgageDeedReferenceType: 'PAPER' })
    const attached = filesPath(workspaceId, await attach(idle, workspaceId, 'MORTGAGE_DEED', 'MORTGAGE_DEED'))
    const alone = filesPath(workspaceId, await uploaded(idle, workspaceId))
    await setStatus(idle, workspaceId, 'PREPARED', 'PREPARED')
    assert.equal((await idle.call('DELETE', attached, FIRM)).status, 409)
    assert.equal((await idle.call('DELETE', alone, FIRM)).status, 204)
    await setStatus(idle, workspaceId, 'CLOSED', 'REGISTERED')
    assert.equal((await idle.call('DELETE', alone, FIRM)).status, 409)
    await setStatus(idle, workspaceId, 'CREATED')
    const fail = `update files set status = 'FAILED', failure_reason = 'INFECTED' where workspace_id = $1`
    await idle.deps.db.query(fail, [workspaceId])
    assert.equal((await idle.call('DELETE', attached, FIRM)).status, 409)
  })
})
