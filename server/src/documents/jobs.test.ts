import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type FakeClamd, fakeClamd } from '../../test/fakes/clamd.ts'
import { patchDeed } from '../../test/fixtures/approvals.ts'
import { aDeed, attach, listFiles, outcomeOf, readFile, uploaded } from '../../test/fixtures/documents.ts'
import { aPdf } from '../../test/fixtures/multipart.ts'
import { sharedService, type TestService, testService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  aWorkspace,
  drain,
  eventsOf,
  FIRM_ID,
  LENDER,
  LENDER_ID,
  move,
  setStatus,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import { processFileJob } from './jobs.ts'

// `idle` has no worker, so that a test can change the world while a file waits, and run the job itself.
let service: TestService
let idle: TestService
let scanned: TestService
let clamd: FakeClamd
before(async () => {
  clamd = await fakeClamd()
  ;[service, idle, scanned] = await Promise.all([
    sharedService('still'),
    sharedService('idle'),
    testService({ env: { CLAMD_URL: clamd.url } }),
  ])
})

async function work(workspaceId: string, fileId: string, others: Partial<TestService['deps']> = {}): Promise<void> {
  const job = processFileJob({ ...idle.deps, ...others })
  assert.ok(job.transactional === false, 'a scan takes time, and no transaction waits for it')
  const context = { correlationId: 'of the job', now: idle.deps.clock.now(), signal: AbortSignal.timeout(10_000) }
  await job.run(context, { workspaceId, fileId })
}

const toldOf = async (of: TestService, workspaceId: string) =>
  (await eventsOf(of, workspaceId)).filter(({ type }) => type.startsWith('FILE_'))

async function aPaperDeed(of: TestService): Promise<string> {
  const { workspaceId } = await aWorkspace(of)
  await patchDeed(of, workspaceId, { mortgageDeedReferenceType: 'PAPER' })
  return workspaceId
}

const attachDeed = (of: TestService, workspaceId: string, text = 'A deed') =>
  attach(of, workspaceId, 'MORTGAGE_DEED', 'MORTGAGE_DEED', { file: aPdf(text) })

describe('documents.process', () => {
  it('has a file succeed by itself, and tells both once, with its id and the request that brought it', async () => {
    const { workspaceId } = await aWorkspace(service)
    const headers = { 'x-request-correlation-id': 'brought-1' }
    const fileId = await uploaded(service, workspaceId, { headers })
    await drain(service)
    assert.equal(await outcomeOf(service, workspaceId, fileId), 'SUCCESS')
    assert.deepEqual(await toldOf(service, workspaceId), [
      {
        type: 'FILE_UPLOAD_SUCCEEDED',
        recipients: [LENDER_ID, FIRM_ID],
        data: { reference: 'REM-1', fileId },
        actor: 'system',
        correlationId: 'brought-1',
        message: null,
      },
    ])
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'file processed',
      ids: { workspaceId, fileId },
      before: { status: 'PENDING' },
      after: { status: 'SUCCESS' },
    })
  })

  it('changes nothing when it runs again', async () => {
    const { workspaceId } = await aWorkspace(idle)
    const fileId = await uploaded(idle, workspaceId)
    await work(workspaceId, fileId)
    const after = await readFile(idle, workspaceId, fileId)
    await work(workspaceId, fileId)
    assert.deepEqual(await readFile(idle, workspaceId, fileId), after)
    assert.equal((await toldOf(idle, workspaceId)).length, 1)
  })

  it('has a main document take the place of the one before, which is kept', async () => {
    const workspaceId = await aPaperDeed(idle)
    const first = await attachDeed(idle, workspaceId, 'first')
    const support = { documentCategory: 'SUPPORTING_DOCUMENT' }
    const evidence = await attach(idle, workspaceId, 'MORTGAGE_DEED', 'EVIDENCE', support)
    const second = await attachDeed(idle, workspaceId, 'second')
    for (const fileId of [first, evidence]) await work(workspaceId, fileId)
    assert.equal((await readFile(idle, workspaceId, first)).supersededBy, undefined, 'not before it succeeded')
    await work(workspaceId, second)
    const shown = (await listFiles(idle, workspaceId)).map(({ fileUploadStatus, supersededBy }) => [
      fileUploadStatus,
      supersededBy,
    ])
    assert.deepEqual(shown, [
      ['SUCCESS', second],
      ['SUCCESS', undefined],
      ['SUCCESS', undefined],
    ])
  })

  it('lets the last main document stand, whichever is judged first', async () => {
    const workspaceId = await aPaperDeed(idle)
    const ids = []
    for (const text of ['one', 'two', 'three']) ids.push(await attachDeed(idle, workspaceId, text))
    const [one = '', two = '', three = ''] = ids
    for (const fileId of [two, three, one]) await work(workspaceId, fileId)
    const supersededBy = async (fileId: string) => (await readFile(idle, workspaceId, fileId)).supersededBy
    assert.deepEqual(await Promise.all(ids.map(supersededBy)), [three, three, undefined])
  })

  it('lets the one before stand when the last is withdrawn while it waits', async () => {
    const workspaceId = await aPaperDeed(idle)
    const first = await attachDeed(idle, workspaceId, 'first')
    const second = await attachDeed(idle, workspaceId, 'second')
    const path = `${WORKSPACES}/${workspaceId}/files/${second}`
    assert.equal((await idle.call('DELETE', path, { as: 'sandbox-law-firm' })).status, 204)
    await work(workspaceId, second)
    await work(workspaceId, first)
    assert.equal(await outcomeOf(idle, workspaceId, second), 'WITHDRAWN')
    assert.equal((await readFile(idle, workspaceId, first)).supersededBy, undefined)
  })

  for (const [status, caseStatus, attached, alone] of [
    ['PREPARED', 'PREPARED', 'FAILED WORKSPACE_LOCKED', 'SUCCESS'],
    ['FUNDS_EXCHANGED', 'REGISTRATION_REJECTED', 'SUCCESS', 'SUCCESS'],
    ['CLOSED', 'REGISTERED', 'FAILED WORKSPACE_LOCKED', 'FAILED WORKSPACE_LOCKED'],
  ] as const) {
    it(`judges by the workspace as it then is: ${status}`, async () => {
      const workspaceId = await aPaperDeed(idle)
      const ids = [await attachDeed(idle, workspaceId), await uploaded(idle, workspaceId)]
      await setStatus(idle, workspaceId, status, caseStatus)
      for (const fileId of ids) await work(workspaceId, fileId)
      const outcomes = await Promise.all(ids.map((fileId) => outcomeOf(idle, workspaceId, fileId)))
      assert.deepEqual(outcomes, [attached, alone])
    })
  }

  it('has what still waits fail when the workspace was cancelled, and tells why', async () => {
    const workspaceId = await aPaperDeed(idle)
    const fileId = await attachDeed(idle, workspaceId)
    const json = { cancellationReason: 'TITLE_COMPLICATIONS' }
    const path = `${WORKSPACES}/${workspaceId}/cancel-workspace`
    assert.equal((await idle.call('DELETE', path, { ...LENDER, json })).status, 200)
    await work(workspaceId, fileId)
    assert.equal(await outcomeOf(idle, workspaceId, fileId), 'FAILED WORKSPACE_CANCELLED')
    const [event] = await toldOf(idle, workspaceId)
    assert.deepEqual(
      [event?.type, event?.message],
      ['FILE_UPLOAD_FAILED', 'An upload failed: the workspace was cancelled.'],
    )
  })

  it('has a document fail whose application was withdrawn meanwhile', async () => {
    const { workspaceId, applicationId } = await aDeed(idle)
    await patchDeed(idle, workspaceId, { mortgageDeedReferenceType: 'PAPER' })
    const fileId = await attachDeed(idle, workspaceId)
    const withdraw = `update lodgement_applications set status = 'WITHDRAWN' where application_id = $1`
    await idle.deps.db.query(withdraw, [applicationId])
    await work(workspaceId, fileId)
    assert.equal(await outcomeOf(idle, workspaceId, fileId), 'FAILED APPLICATION_WITHDRAWN')
  })
})

describe('documents.process with a virus scanner', () => {
  it('has the file scanned as it was sent', async () => {
    const { workspaceId } = await aWorkspace(scanned)
    const file = aPdf('to be scanned')
    const fileId = await uploaded(scanned, workspaceId, { file })
    await drain(scanned)
    assert.equal(await outcomeOf(scanned, workspaceId, fileId), 'SUCCESS')
    assert.deepEqual(clamd.scans.at(-1), file)
  })

  it('has a file fail in which a virus was found', async () => {
    const { workspaceId } = await aWorkspace(scanned)
    const fileId = await uploaded(scanned, workspaceId, { file: aPdf('EICAR') })
    await drain(scanned)
    assert.equal(await outcomeOf(scanned, workspaceId, fileId), 'FAILED INFECTED')
    const [event] = await toldOf(scanned, workspaceId)
    assert.equal(event?.message, 'An upload failed: a virus was found in the file.')
  })

  it('lets nothing pass unscanned: the file waits until the scanner is back', async () => {
    const { workspaceId } = await aWorkspace(scanned)
    clamd.mood = 'hangs up'
    const fileId = await uploaded(scanned, workspaceId)
    await drain(scanned)
    await move(scanned, 'PT10S')
    assert.equal(await outcomeOf(scanned, workspaceId, fileId), 'PENDING')
    clamd.mood = 'errs'
    await move(scanned, 'PT1H')
    assert.equal(await outcomeOf(scanned, workspaceId, fileId), 'PENDING')
    clamd.mood = 'looks'
    await move(scanned, 'PT15M')
    assert.equal(await outcomeOf(scanned, workspaceId, fileId), 'SUCCESS')
    assert.equal((await toldOf(scanned, workspaceId)).length, 1)
  })

  it('has a file wait, too, whose bytes the store does not give at the moment', async () => {
    const { workspaceId } = await aWorkspace(idle)
    const fileId = await uploaded(idle, workspaceId)
    const scanner = { scan: () => assert.fail('there is nothing to scan') }
    const blobs = { ...idle.deps.blobs, open: () => Promise.reject(new Error('the store is away')) }
    await work(workspaceId, fileId, { scanner, blobs })
    assert.equal(await outcomeOf(idle, workspaceId, fileId), 'PENDING')
    const due = await idle.deps.db.query('select job from due where key = $1', [`documents.process:${fileId}`])
    assert.deepEqual(due, [{ job: 'documents.process' }])
  })
})
