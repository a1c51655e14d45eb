import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { before, describe, it } from 'node:test'
import {
  aDeed,
  evidence,
  filesPath,
  leftBehind,
  nothingSpooled,
  offer,
  readFile,
  uploaded,
} from '../../test/fixtures/documents.ts'
import { aPdf, fieldParts, filePart, type UploadOptions, upload } from '../../test/fixtures/multipart.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  aWorkspace,
  errorsOf,
  eventTypesOf,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
} from '../../test/fixtures/workspaces.ts'

// Without a worker, so that an upload stays as it was accepted.
let service: TestService
before(async () => {
  service = await sharedService('idle')
})

const send = (workspaceId: string, options: UploadOptions = {}) =>
  upload(service, filesPath(workspaceId), { ...FIRM, fields: offer(), ...options })

describe('POST …/workspaces/{workspace_id}/files', () => {
  it('accepts a document of the workspace and keeps its bytes', async () => {
    const { workspaceId } = await aWorkspace(service)
    const headers = { 'x-acting-user': 'case.handler@example.com', 'x-request-correlation-id': 'upload-1' }
    const file = aPdf('an offer')
    const { status, body } = await send(workspaceId, { ...LENDER, headers, file, fileName: '../offers/Überblick.pdf' })
    assert.deepEqual([status, Object.keys(body)], [202, ['fileId']])
    const sha256 = createHash('sha256').update(file).digest('hex')
    const { auditAttributes, ...shown } = await readFile(service, workspaceId, body.fileId)
    assert.deepEqual(shown, {
      fileId: body.fileId,
      fileName: 'Überblick.pdf',
      ...offer(),
      certificationType: 'SCANNED',
      size: file.length,
      sha256,
      fileUploadStatus: 'PENDING',
      source: 'UPLOAD',
    })
    assert.equal(auditAttributes.createdBy, 'case.handler@example.com')
    const { stream } = await service.deps.blobs.open(sha256)
    assert.deepEqual(Buffer.concat(await stream.toArray()), file)
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'file uploaded',
      clientId: 'sandbox-lender',
      actingUser: 'case.handler@example.com',
      correlationId: 'upload-1',
      ids: { workspaceId, fileId: body.fileId },
      after: { status: 'PENDING', sha256 },
    })
    assert.deepEqual(
      (await eventTypesOf(service, workspaceId)).filter((type) => type.startsWith('FILE')),
      [],
    )
  })

  it('attaches to an application, and notes who did for four eyes', async () => {
    const { workspaceId, applicationId } = await aDeed(service)
    const fields = evidence({ applicationId: applicationId.toUpperCase(), certificationType: 'ORIGINAL' })
    const { body } = await send(workspaceId, { fields, headers: { 'x-acting-user': 'ann@example.com' } })
    const shown = await readFile(service, workspaceId, body.fileId)
    assert.deepEqual([shown.applicationId, shown.certificationType], [applicationId, 'ORIGINAL'])
    const changedBy = () =>
      service.deps.db
        .query<{ by: string[] }>('select changed_by_users as by from lodgement_cases where workspace_id = $1', [
          workspaceId,
        ])
        .then(([row]) => row?.by)
    assert.deepEqual(await changedBy(), ['ann@example.com'])
    await uploaded(service, workspaceId, { headers: { 'x-acting-user': 'bob@example.com' } })
    assert.deepEqual(await changedBy(), ['ann@example.com'], 'a document of the workspace is none of an application')
    await send(workspaceId, { fields })
    assert.deepEqual(await changedBy(), ['ann@example.com'], 'a change without the header removes nobody')
  })

  it('takes fields in any order, also after the file', async () => {
    const { workspaceId } = await aWorkspace(service)
    const [type, category] = fieldParts(offer())
    assert.ok(type && category)
    for (const parts of [
      [filePart(), type, category],
      [type, filePart(), category],
      [category, type, filePart()],
    ]) {
      assert.equal((await send(workspaceId, { parts })).status, 202)
    }
  })

  for (const contentType of ['application/octet-stream', 'Application/PDF; name=x', undefined]) {
    it(`judges a file declared as ${contentType} by its content`, async () => {
      const { workspaceId } = await aWorkspace(service)
      const { contentType: _, ...undeclared } = filePart()
      const file = contentType ? filePart(undefined, { contentType }) : undeclared
      assert.equal((await send(workspaceId, { parts: [file, ...fieldParts(offer())] })).status, 202)
    })
  }

  it('takes a part of this name for the file where it has no file name', async () => {
    const { workspaceId } = await aWorkspace(service)
    const parts = [{ name: 'file', content: aPdf() }, ...fieldParts(offer())]
    const { body } = await send(workspaceId, { parts })
    assert.equal((await readFile(service, workspaceId, body.fileId)).fileName, 'document.pdf')
  })

  const REFUSED: [what: string, options: UploadOptions, fields: string[]][] = [
    ['no fields', { fields: {} }, ['documentCategory', 'documentType']],
    ['unknown fields', { fields: offer({ colour: 'red', ['__proto__']: 'y' }) }, ['__proto__', 'colour']],
    ['another documentType', { fields: offer({ documentType: 'DEED' }) }, ['documentType']],
    ['another documentCategory', { fields: offer({ documentCategory: '' }) }, ['documentCategory']],
    ['another certificationType', { fields: offer({ certificationType: 'COPY' }) }, ['certificationType']],
    ['an applicationId that is no UUID', { fields: evidence({ applicationId: 'x' }) }, ['applicationId']],
    ['no file', { parts: fieldParts(offer()) }, ['file']],
    ['two files', { parts: [...fieldParts(offer()), filePart(), filePart()] }, ['file']],
    ['an empty file', { file: '' }, ['file']],
    ['a file that is declared as something else', { contentType: 'text/plain' }, ['file']],
    [
      'a field twice',
      { parts: [...fieldParts(offer()), ...fieldParts(offer()), filePart()] },
      ['documentCategory', 'documentType'],
    ],
    [
      'a file in another field',
      { parts: [...fieldParts(offer()), filePart(), filePart('x', { name: 'certificationType' })] },
      ['certificationType'],
    ],
    [
      'everything at once',
      { fields: { colour: 'red' }, file: '', headers: { 'x-acting-user': 'ann' } },
      ['X-Acting-User', 'colour', 'documentCategory', 'documentType', 'file'],
    ],
  ]
  for (const [what, options, fields] of REFUSED) {
    it(`refuses ${what} and leaves nothing behind`, async () => {
      const { workspaceId } = await aWorkspace(service)
      const before = await nothingSpooled(service)
      const answer = await send(workspaceId, options)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields], answer.text)
      assert.deepEqual(await leftBehind(service), before)
    })
  }

  it('tells faults of path, headers and form together', async () => {
    const headers = { 'idempotency-key': 'x'.repeat(256) }
    const answer = await upload(service, filesPath('x'), { ...FIRM, fields: { colour: 'red' }, headers })
    const fields = ['Idempotency-Key', 'colour', 'documentCategory', 'documentType', 'workspace_id']
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
  })

  it('tells why a file is no acceptable PDF, and leaves nothing behind', async () => {
    const { workspaceId } = await aWorkspace(service)
    const before = await nothingSpooled(service)
    const answer = await send(workspaceId, { file: 'not a PDF' })
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['file']])
    assert.match(errorsOf(answer)[0]?.message ?? '', /^[A-Z].+\.$/)
    assert.deepEqual(await leftBehind(service), before)
  })

  it('needs a token, its scope, and another content type than JSON', async () => {
    const { workspaceId } = await aWorkspace(service)
    assert.equal((await upload(service, filesPath(workspaceId), { fields: offer() })).status, 401)
    const headers = await narrowToken(service, 'sandbox-law-firm')
    assert.equal((await upload(service, filesPath(workspaceId), { headers, fields: offer() })).status, 403)
    const json = await service.call('POST', filesPath(workspaceId), { ...FIRM, json: offer({ file: 'x' }) })
    assert.equal(json.status, 415)
    const other = { headers: { 'content-type': 'multipart/mixed; boundary=x' }, body: '--x--' }
    assert.equal((await service.call('POST', filesPath(workspaceId), { ...FIRM, ...other })).status, 415)
    const nothing = await service.call('POST', filesPath(workspaceId), FIRM)
    assert.deepEqual([nothing.status, fieldsOf(nothing)], [400, ['']])
  })
})
