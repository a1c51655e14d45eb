import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { before, describe, it } from 'node:test'
import { filesPath, listFiles } from '../../test/fixtures/documents.ts'
import { aPdf } from '../../test/fixtures/multipart.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { auditOf, aWorkspace, eventsOf, FIRM, LENDER, readCase, WORKSPACES } from '../../test/fixtures/workspaces.ts'
import { FETCH_JOB, type FetchPayload } from '../registry/documents.ts'
import type { DocumentOutcome, Registry } from '../registry/port.ts'
import { fetchDocumentJob } from './registry-jobs.ts'

// The job is run by hand, as often as a test wants. Only the registry is a fake.

let service: TestService
before(async () => {
  service = await sharedService('idle')
})

type Opening = Registry['openDocument']

const BYTES = Buffer.from(aPdf('A letter'))
const opening =
  (...chunks: Buffer[]): Opening =>
  async () => ({ kind: 'opened', stream: Readable.from(chunks) })

/** A workspace whose title was asked for, and a document that came with it. */
async function announced(): Promise<FetchPayload> {
  const { workspaceId } = await aWorkspace(service, { titleNumber: 'ST500678' })
  const [{ titleId } = assert.fail('no title')] = (await readCase(service, workspaceId)).titles
  const document = { documentId: 'ltr_1', kind: 'LETTER', name: 'LETTER 2026-06-05' } as const
  return { workspaceId, messageId: titleId, document, announcedAt: service.deps.clock.now().toISOString() }
}

async function fetch(payload: FetchPayload, openDocument: Opening): Promise<void> {
  const job = fetchDocumentJob(service.deps, { ...(openDocument && { openDocument }) })
  const context = { correlationId: 'c-1', now: service.deps.clock.now(), signal: AbortSignal.timeout(10_000) }
  if (job.transactional === false) await job.run(context, payload)
}

const plannedOf = ({ messageId, document }: FetchPayload) =>
  service.deps.db.query<{ at: Date }>('select due_at as at from due where key = $1', [
    `${FETCH_JOB}:${messageId}:${document.documentId}`,
  ])

const contentOf = ({ workspaceId }: FetchPayload, fileId: string, as = FIRM) =>
  service.call('GET', `${filesPath(workspaceId, fileId)}/content`, as)

describe('documents.fetch', () => {
  it('stores a document once, byte for byte, however often it is named and fetched', async () => {
    const payload = await announced()
    const { workspaceId } = payload
    await Promise.all([1, 2, 3].map(() => fetch(payload, opening(BYTES.subarray(0, 100), BYTES.subarray(100)))))
    await fetch(payload, () => assert.fail('it is stored already'))
    const [file = assert.fail('no file'), ...more] = await listFiles(service, workspaceId)
    assert.equal(more.length, 0)
    assert.partialDeepStrictEqual(file, {
      fileName: 'LETTER 2026-06-05.pdf',
      source: 'REGISTRY',
      registryDocumentKind: 'LETTER',
      documentType: 'CORRESPONDENCE',
      documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT',
      fileUploadStatus: 'SUCCESS',
      size: BYTES.length,
    })
    for (const reader of [FIRM, LENDER]) {
      assert.equal((await contentOf(payload, file.fileId, reader)).text, BYTES.toString())
    }
    const told = (await eventsOf(service, workspaceId)).filter(({ type }) => type === 'REGISTRY_DOCUMENT_RECEIVED')
    assert.deepEqual(
      told.map(({ data }) => data['fileId']),
      [file.fileId],
    )
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'registry document received',
      after: { status: 'SUCCESS', registryDocumentId: 'ltr_1' },
    })
    assert.equal((await service.call('DELETE', filesPath(workspaceId, file.fileId), FIRM)).status, 409)
  })

  it('stores what is no acceptable PDF, and does not serve it', async () => {
    const payload = await announced()
    await fetch(payload, opening(Buffer.from('PK\x03\x04')))
    const [file = assert.fail('no file')] = await listFiles(service, payload.workspaceId)
    assert.partialDeepStrictEqual(file, { fileUploadStatus: 'FAILED', failureReason: 'NOT_ACCEPTABLE' })
    assert.equal((await contentOf(payload, file.fileId)).status, 409)
    assert.match((await eventsOf(service, payload.workspaceId)).at(-1)?.message ?? '', /cannot be downloaded here/)
  })

  const broken = () =>
    Readable.from(
      (async function* () {
        yield BYTES.subarray(0, 100)
        throw new Error('The connection was lost.')
      })(),
    )
  const tomorrow = new Date(Date.now() + 86_400_000)
  for (const [what, outcome] of [
    ['the registry says so', () => ({ kind: 'later', askAgainAt: tomorrow })],
    ['the stream breaks off', () => ({ kind: 'opened', stream: broken() })],
    ['the stream is empty', () => ({ kind: 'opened', stream: Readable.from([]) })],
  ] as [string, () => DocumentOutcome][]) {
    it(`is tried again later when ${what}`, async () => {
      const payload = await announced()
      await fetch(payload, async () => outcome())
      assert.deepEqual(await listFiles(service, payload.workspaceId), [])
      const [due] = await plannedOf(payload)
      assert.ok(due && due.at > service.deps.clock.now())
    })
  }

  it('withdraws what came with a title that is removed, and stores nothing of it afterwards', async () => {
    const payload = await announced()
    const { workspaceId, messageId, document } = payload
    await fetch(payload, opening(BYTES))
    const removed = await service.call('DELETE', `${WORKSPACES}/${workspaceId}/titles/${messageId}`, FIRM)
    assert.equal(removed.status, 204)
    await fetch({ ...payload, document: { ...document, documentId: 'ltr_2' } }, opening(BYTES))
    assert.deepEqual(
      (await listFiles(service, workspaceId)).map(({ fileUploadStatus }) => fileUploadStatus),
      ['WITHDRAWN'],
    )
  })
})
