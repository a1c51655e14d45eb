import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { filesPath, leftBehind, listFiles, offer } from '../../test/fixtures/documents.ts'
import { aPdf, fieldParts, filePart, type UploadOptions, upload } from '../../test/fixtures/multipart.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { aWorkspace, FIRM, fieldsOf, LENDER, setStatus } from '../../test/fixtures/workspaces.ts'

let service: TestService
before(async () => {
  service = await sharedService('idle')
})

const KEY = { 'idempotency-key': 'a-key' }

/** A workspace, and how to send to it with a key of its own. */
async function aPlace() {
  const { workspaceId } = await aWorkspace(service)
  const headers = { 'idempotency-key': `of ${workspaceId}` }
  const send = (options: UploadOptions = {}) =>
    upload(service, filesPath(workspaceId), { ...FIRM, headers, fields: offer(), ...options })
  return { workspaceId, send }
}

describe('an upload with an Idempotency-Key', () => {
  it('answers a repeat what it answered first, whatever the boundary, the order of fields and the file’s name', async () => {
    const { workspaceId, send } = await aPlace()
    const first = await send()
    assert.equal(first.status, 202)
    const [type, category] = fieldParts(offer())
    assert.ok(type && category)
    for (const repeat of [
      await send(),
      await send({ boundary: 'another' }),
      await send({ parts: [filePart(undefined, { fileName: 'another.pdf' }), category, type] }),
    ]) {
      assert.deepEqual([repeat.status, repeat.body], [202, first.body])
    }
    assert.equal((await listFiles(service, workspaceId)).length, 1)
    assert.equal((await leftBehind(service)).spool, 0)
  })

  it('answers a repeat although the workspace was closed meanwhile', async () => {
    const { workspaceId, send } = await aPlace()
    const first = await send()
    await setStatus(service, workspaceId, 'CLOSED', 'REGISTERED')
    assert.deepEqual((await send()).body, first.body)
  })

  it('is 422 with another file, another field or another path', async () => {
    const { send } = await aPlace()
    assert.equal((await send()).status, 202)
    for (const other of [{ file: aPdf('another') }, { fields: offer({ documentType: 'REDEMPTION_STATEMENT' }) }]) {
      const answer = await send(other)
      assert.deepEqual([answer.status, fieldsOf(answer)], [422, ['Idempotency-Key']])
    }
    const [one, two] = [await aWorkspace(service), await aWorkspace(service)]
    const [first, second] = [
      await upload(service, filesPath(one.workspaceId), { ...LENDER, headers: KEY, fields: offer() }),
      await upload(service, filesPath(two.workspaceId), { ...LENDER, headers: KEY, fields: offer() }),
    ]
    assert.deepEqual([first.status, second.status], [202, 422])
    assert.equal((await leftBehind(service)).spool, 0)
  })

  it('is free again after a refusal', async () => {
    const { send } = await aPlace()
    assert.equal((await send({ file: 'not a PDF' })).status, 400)
    assert.equal((await send()).status, 202)
  })

  it('makes one file of many that come at once', async () => {
    const { workspaceId, send } = await aPlace()
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => send({ boundary: `b${index}` })))
    const accepted = answers.filter(({ status }) => status === 202)
    assert.ok(accepted.length > 0)
    assert.equal(new Set(accepted.map(({ body }) => body.fileId)).size, 1)
    assert.deepEqual(
      [...new Set(answers.map(({ status }) => status))].filter((status) => ![202, 409].includes(status)),
      [],
    )
    assert.equal((await listFiles(service, workspaceId)).length, 1)
  })
})
