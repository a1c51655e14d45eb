import assert from 'node:assert/strict'
import { readFile as readText } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { filesPath, leftBehind, nothingSpooled, offer, readFile } from '../../test/fixtures/documents.ts'
import { BOUNDARY, fieldParts, filePart, formOf, formType, upload } from '../../test/fixtures/multipart.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { aWorkspace, errorsOf, FIRM, fieldsOf } from '../../test/fixtures/workspaces.ts'

// Forms as no honest client sends them: each is refused by an exact answer and leaves nothing behind.

let service: TestService
let path: string
let workspaceId: string
before(async () => {
  service = await sharedService('idle')
  workspaceId = (await aWorkspace(service)).workspaceId
  path = filesPath(workspaceId)
})

const send = (body: string | Uint8Array, contentType = formType()) =>
  service.call('POST', path, { ...FIRM, headers: { 'content-type': contentType }, body: Buffer.from(body) })

const GOOD = formOf([...fieldParts(offer()), filePart()])

async function leavesNothing(act: () => Promise<unknown>): Promise<void> {
  const before = await nothingSpooled(service)
  await act()
  assert.deepEqual(await leftBehind(service), before)
}

describe('a form that is broken', () => {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="deed.pdf"'
  const latin1 = GOOD.toString('latin1')
  const BROKEN: [what: string, body: string | Buffer, contentType?: string][] = [
    ['names no boundary', GOOD, 'multipart/form-data'],
    ['names an empty boundary', GOOD, 'multipart/form-data; boundary='],
    ['names two boundaries', GOOD, `${formType()}; boundary=other`],
    ['names another boundary than it has', GOOD, formType('other')],
    ['is empty', ''],
    ['holds no boundary', 'file=x&documentType=EVIDENCE'],
    ['is cut off before its end', GOOD.subarray(0, -4)],
    ['is cut off within the file', GOOD.subarray(0, -100)],
    ['is cut off within a header', `--${BOUNDARY}\r\nContent-Disp`],
    ['has a part without a name', latin1.replace('name="file"; ', '')],
    ['has a part without headers', latin1.replace(/Content-D[^\r]*\r\n/, '')],
    ['has a line break in a name', latin1.replace('deed.pdf', 'de\r\ned.pdf')],
    ['has a header twice', latin1.replace(disposition, `${disposition}\r\n${disposition}`)],
  ]
  for (const [what, body, contentType] of BROKEN) {
    it(`is refused where it ${what}`, () =>
      leavesNothing(async () => {
        const answer = await send(typeof body === 'string' ? Buffer.from(body, 'latin1') : body, contentType)
        assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['']], answer.text)
      }))
  }

  it('is told of beside the faults of the path', async () => {
    const headers = { 'content-type': formType() }
    const answer = await service.call('POST', filesPath('x'), { ...FIRM, headers, body: 'nothing' })
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['', 'workspace_id']])
  })

  it('is refused field by field, and whole where it has more parts than any form needs', () =>
    leavesNothing(async () => {
      const unknown = (length: number) => Array.from({ length }, (_, index) => ({ name: `x-${index}`, content: 'x' }))
      const answer = await send(formOf([...unknown(10), ...fieldParts(offer()), filePart()]))
      assert.deepEqual([answer.status, errorsOf(answer).length], [400, 10])
      const many = await send(formOf([...fieldParts(offer()), filePart(), ...unknown(1000)]))
      assert.deepEqual([many.status, errorsOf(many)], [400, [{ message: 'A form may have at most 20 parts.' }]])
    }))

  it('may bring a file of 41,943,040 bytes, which is then judged as a PDF, and none of 41,943,041', () =>
    leavesNothing(async () => {
      for (const [bytes, status] of [
        [41_943_040, 400],
        [41_943_041, 413],
      ] as const) {
        const answer = await send(formOf([...fieldParts(offer()), filePart(Buffer.alloc(bytes))]))
        assert.deepEqual([answer.status, fieldsOf(answer)], [status, ['file']], answer.text)
      }
    }))

  it('is too large where there is more than a mebibyte beside the file', () =>
    leavesNothing(async () => {
      for (const parts of [
        [filePart(), { name: 'documentType', content: 'x'.repeat(1_048_577) }],
        [filePart(), filePart('x'.repeat(1_048_577))],
        [filePart(), { name: 'x'.repeat(1_048_577), content: '' }],
      ]) {
        const answer = await send(formOf(parts))
        assert.deepEqual([answer.status, fieldsOf(answer)], [413, ['']])
        assert.equal(answer.headers.get('connection'), 'close')
      }
    }))

  for (const [what, value] of [
    ['NUL', 'a\u0000b'],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe])],
  ] as const) {
    it(`is refused at the field that holds ${what}`, async () => {
      const parts = [filePart(), ...fieldParts(offer()), { name: 'certificationType', content: value }]
      const answer = await send(formOf(parts))
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['certificationType']])
    })
  }
})

describe('the name of a file', () => {
  for (const [sent, kept] of [
    ['../../../etc/passwd', 'passwd.pdf'],
    ['..\\..\\deed.pdf', 'deed.pdf'],
    ['/', 'document.pdf'],
    ['de\u0000ed.pdf', 'deed.pdf'],
    ['de\ned\r.pdf', 'deed.pdf'],
    ['deed%0D%0A.pdf', 'deed.pdf'],
    ['a %22final%22 deed.pdf', 'a "final" deed.pdf'],
    ['deed\u202efdp.exe', 'deedfdp.exe.pdf'],
    ['é'.repeat(5000), `${'é'.repeat(251)}.pdf`],
    ['', 'document.pdf'],
  ] as const) {
    it(`is kept as ${JSON.stringify(kept.slice(0, 20))} where it came as ${JSON.stringify(sent.slice(0, 20))}`, async () => {
      const parts = [...fieldParts(offer()), filePart(undefined, { fileName: sent })]
      const { status, body, text } = await upload(service, path, { ...FIRM, parts })
      assert.equal(status, 202, text)
      assert.equal((await readFile(service, workspaceId, body.fileId)).fileName, kept)
    })
  }

  it('gets its ending by the migration where an earlier version stored it without', async () => {
    const { body } = await upload(service, path, { ...FIRM, fields: offer() })
    const migration = await readText(new URL('../../migrations/0014_file_names.sql', import.meta.url), 'utf8')
    for (const [before, after] of [
      ['DEED.PDF', 'DEED.pdf'],
      ['passwd', 'passwd.pdf'],
      ['x'.repeat(255), `${'x'.repeat(251)}.pdf`],
    ] as const) {
      await service.deps.db.transaction(async (tx) => {
        await tx.query('update files set file_name = $2 where file_id = $1', [body.fileId, before])
        await tx.query(migration)
      })
      assert.equal((await readFile(service, workspaceId, body.fileId)).fileName, after)
    }
  })
})
