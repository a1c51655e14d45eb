// Long because one service serves all operations on requisitions.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Schemas } from '../../../client/src/index.ts'
import { EDITOR } from '../../test/fixtures/approvals.ts'
import { filesPath, uploaded } from '../../test/fixtures/documents.ts'
import { aSentCase, progressOf, reply, replyPath } from '../../test/fixtures/lodging.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  aWorkspace,
  CASES,
  drain,
  eventsOf,
  FIRM,
  fieldsOf,
  LENDER,
  move,
  narrowToken,
  OTHER_FIRM,
  readCase,
  UNKNOWN_ID,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
let workspaceId: string
let lodgementCaseId: string
before(async () => {
  service = await sharedService('moved')
  ;({ workspaceId, lodgementCaseId } = await aRequisitionedCase())
})

async function aRequisitionedCase(titleNumber = 'RQ100001') {
  const id = await aSentCase(service, titleNumber)
  await move(service, 'P3D')
  const { lodgementCaseId: caseId, requisition } = await readCase(service, id)
  assert.ok(requisition)
  return { workspaceId: id, lodgementCaseId: caseId, requisitionId: requisition.requisitionId }
}

const A_FILE = 'abcdef00-0000-4000-8000-000000000000'
const MESSAGE = 'Please find attached what you asked for.'

const post = (json: unknown, as: { as?: string } = FIRM, headers: Record<string, string> = {}) =>
  service.call('POST', replyPath(lodgementCaseId), { ...as, json, headers })

const setStatus = (fileId: string, status: string) =>
  service.deps.db.query(
    `update files set status = $2, failure_reason = case when $2 = 'FAILED' then 'INFECTED' end where file_id = $1`,
    [fileId, status],
  )

describe('GET /lodgement-cases/{lodgement_case_id}/requisitions', () => {
  const list = async (caseId: string, as = FIRM) =>
    service.call<Schemas['RequisitionPage']>('GET', `${CASES}/${caseId}/requisitions`, as)

  it('shows what was asked, what was answered and what happened to the answer, to both sides', async () => {
    const own = await aRequisitionedCase()
    const { requisition } = await readCase(service, own.workspaceId)
    const open = { ...requisition, status: 'OPEN', replies: [] }
    assert.deepEqual((await list(own.lodgementCaseId, LENDER)).body, { records: [open] })

    const fileIds = [await uploaded(service, own.workspaceId)]
    await drain(service)
    const sent = { json: { message: MESSAGE, fileIds }, headers: { 'x-acting-user': EDITOR } }
    await service.call('POST', replyPath(own.lodgementCaseId), { ...FIRM, ...sent })
    const [answered] = (await list(own.lodgementCaseId)).body.records
    const { at, ...reply } = answered?.replies[0] ?? {}
    assert.match(at ?? '', /Z$/)
    assert.deepEqual(reply, { by: EDITOR, message: MESSAGE, fileIds })
    assert.equal(answered?.status, 'ANSWERED')

    await move(service, 'P1D')
    assert.deepEqual((await list(own.lodgementCaseId)).body.records, [{ ...answered, status: 'ACCEPTED' }])
  })

  it('is empty before the registry has asked', async () => {
    const early = await readCase(service, (await aWorkspace(service)).workspaceId)
    const { status, body } = await list(early.lodgementCaseId)
    assert.deepEqual([status, body], [200, { records: [] }])
  })

  it('keeps what was sent: a file of an answer cannot be withdrawn', async () => {
    const own = await aRequisitionedCase()
    const [sent = '', other = ''] = [await uploaded(service, own.workspaceId), await uploaded(service, own.workspaceId)]
    await drain(service)
    await reply(service, own.workspaceId, { message: MESSAGE, fileIds: [sent] })
    const withdraw = (fileId: string) => service.call('DELETE', filesPath(own.workspaceId, fileId), FIRM)
    assert.deepEqual([(await withdraw(sent)).status, (await withdraw(other)).status], [409, 204])
    const content = (fileId: string) => service.call('GET', `${filesPath(own.workspaceId, fileId)}/content`, FIRM)
    assert.deepEqual([(await content(sent)).status, (await content(other)).status], [200, 409])
  })
})

describe('POST /lodgement-cases/{lodgement_case_id}/requisition-reply', () => {
  it('answers 202, moves the case, tells of it and records who answered what', async () => {
    const own = await aRequisitionedCase()
    const fileIds = [await uploaded(service, own.workspaceId), await uploaded(service, own.workspaceId)]
    await drain(service)
    const headers = { 'x-acting-user': EDITOR, 'x-request-correlation-id': 'reply-1' }
    const json = { message: `  ${MESSAGE}  `, fileIds: fileIds.map((id) => id.toUpperCase()) }
    const answer = await service.call('POST', replyPath(own.lodgementCaseId), { ...FIRM, json, headers })
    const { requisitionId } = own
    assert.deepEqual(
      [answer.status, answer.body],
      [202, { requisitionId, lodgementCaseStatus: 'REQUISITION_SUBMITTED' }],
    )
    await drain(service)
    assert.equal(await progressOf(service, own.workspaceId), 'REQUISITIONED REQUISITION_SUBMITTED')
    assert.equal((await readCase(service, own.workspaceId)).requisition, undefined, 'none is open')
    const [row] = await service.deps.db.query(
      `select status, answer, answer_file_ids, answered_by from requisitions where requisition_id = $1`,
      [requisitionId],
    )
    assert.deepEqual(row, { status: 'ANSWERED', answer: MESSAGE, answer_file_ids: fileIds, answered_by: EDITOR })
    const published = (await eventsOf(service, own.workspaceId)).at(-1)
    assert.partialDeepStrictEqual(published, {
      type: 'REQUISITION_ANSWERED',
      data: { lodgementCaseId: own.lodgementCaseId, requisitionId },
      actor: EDITOR,
      correlationId: 'reply-1',
    })
    assert.partialDeepStrictEqual((await auditOf(service, own.workspaceId)).at(-1), {
      action: 'requisition answered',
      actingUser: EDITOR,
      before: { caseStatus: 'REQUISITIONED' },
      after: { caseStatus: 'REQUISITION_SUBMITTED', message: MESSAGE, fileIds },
    })
  })

  it('takes 4,000 characters and no files, and repeats its answer to the same key', async () => {
    const own = await aRequisitionedCase()
    const sent = { ...FIRM, json: { message: 'x'.repeat(4_000) }, headers: { 'idempotency-key': 'reply-once' } }
    const first = await service.call('POST', replyPath(own.lodgementCaseId), sent)
    const again = await service.call('POST', replyPath(own.lodgementCaseId), sent)
    assert.deepEqual([first.status, again.status, again.body], [202, 202, first.body])
    const second = await service.call('POST', replyPath(own.lodgementCaseId), { ...FIRM, json: { message: 'More.' } })
    assert.deepEqual([second.status, fieldsOf(second)], [409, ['']], 'it is answered once')
  })

  for (const [what, json, fields] of [
    ['no message', {}, ['message']],
    ['an empty message', { message: '' }, ['message']],
    ['a blank message', { message: ' \n ' }, ['message']],
    ['4,001 characters', { message: 'x'.repeat(4_001) }, ['message']],
    ['a message that is no text', { message: 7 }, ['message']],
    ['null for the files', { message: 'x', fileIds: null }, ['fileIds']],
    ['one file not in a list', { message: 'x', fileIds: UNKNOWN_ID }, ['fileIds']],
    ['files that are no UUIDs', { message: 'x', fileIds: ['1', UNKNOWN_ID, 2] }, ['fileIds[0]', 'fileIds[2]']],
    ['21 files', { message: 'x', fileIds: Array.from({ length: 21 }, () => crypto.randomUUID()) }, ['fileIds']],
    ['a file named twice', { message: 'x', fileIds: [UNKNOWN_ID, UNKNOWN_ID] }, ['fileIds']],
    ['a file named twice in different cases', { message: 'x', fileIds: [A_FILE, A_FILE.toUpperCase()] }, ['fileIds']],
    ['what it does not know', { message: 'x', requisitionId: UNKNOWN_ID }, ['requisitionId']],
    ['several of these', { message: '', fileIds: ['x'], more: 1 }, ['fileIds[0]', 'message', 'more']],
  ] as const) {
    it(`answers 400 to ${what}`, async () => {
      const answer = await post(json)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, [...fields]])
    })
  }

  it('answers 400 to a case id that is no UUID, and to an acting user who has no address', async () => {
    const path = replyPath('x')
    const answer = await service.call('POST', path, {
      ...FIRM,
      json: { message: 'x' },
      headers: { 'x-acting-user': 'somebody' },
    })
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['X-Acting-User', 'lodgement_case_id']])
  })

  it('answers 401 without a token, 403 without the scope and to a lender', async () => {
    assert.equal((await post({ message: 'x' }, {})).status, 401)
    assert.equal((await post({ message: 'x' }, {}, await narrowToken(service, FIRM.as))).status, 403)
    assert.equal((await post({ message: 'x' }, LENDER)).status, 403)
  })

  it('answers 404 at a case that is not there or not yours, in the same words', async () => {
    const json = { message: 'x', fileIds: [UNKNOWN_ID] }
    const unknown = await service.call('POST', replyPath(UNKNOWN_ID), { ...FIRM, json })
    const foreign = await post(json, OTHER_FIRM)
    assert.deepEqual([unknown.status, fieldsOf(unknown)], [404, ['lodgement_case_id']])
    assert.deepEqual([foreign.status, foreign.text], [404, unknown.text])
  })

  it('answers 404 at every file that the workspace does not have, before it looks at anything else', async () => {
    const elsewhere = await uploaded(service, (await aWorkspace(service)).workspaceId)
    const pending = await uploaded(service, workspaceId)
    await drain(service)
    await setStatus(pending, 'PENDING')
    const answer = await post({ message: 'x', fileIds: [pending, UNKNOWN_ID, elsewhere] })
    assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['fileIds[1]', 'fileIds[2]']])
  })

  it('answers 409 at every file that has not passed its checks', async () => {
    const fileIds: string[] = []
    for (const status of ['SUCCESS', 'PENDING', 'FAILED', 'WITHDRAWN']) {
      const fileId = await uploaded(service, workspaceId)
      await drain(service)
      await setStatus(fileId, status)
      fileIds.push(fileId)
    }
    const answer = await post({ message: 'x', fileIds })
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['fileIds[1]', 'fileIds[2]', 'fileIds[3]']])
    assert.equal(await progressOf(service, workspaceId), 'REQUISITIONED REQUISITIONED')
  })

  it('answers 409 where nothing is open: too early, answered already, or ended', async () => {
    const early = await aWorkspace(service)
    assert.equal((await reply(service, early.workspaceId, { message: 'x' })).status, 409)
    const own = await aRequisitionedCase()
    assert.equal((await reply(service, own.workspaceId, { message: 'x' })).status, 202)
    assert.equal((await reply(service, own.workspaceId, { message: 'x' })).status, 409)
    await move(service, 'P6D')
    assert.equal(await progressOf(service, own.workspaceId), 'CLOSED REGISTERED')
    const ended = await reply(service, own.workspaceId, { message: 'x', fileIds: [UNKNOWN_ID] })
    assert.deepEqual([ended.status, fieldsOf(ended)], [409, ['']], 'before any file is looked for')
  })

  it('takes one of two answers that come at once', async () => {
    const own = await aRequisitionedCase()
    const answers = await Promise.all(
      [1, 2].map((turn) => reply(service, own.workspaceId, { message: `Answer ${turn}` })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409])
  })
})

describe('POST /lodgement-cases/{lodgement_case_id}/requisition-closure', () => {
  const BODY = { reason: 'It only informs.', confirmedBy: 'jo.marsh@harbour.example' }
  const close = (caseId: string, json: unknown = BODY, as = FIRM) =>
    service.call('POST', `${CASES}/${caseId}/requisition-closure`, {
      ...as,
      json,
      headers: { 'x-acting-user': EDITOR },
    })

  it('returns the case to where it was, publishes and records who said why', async () => {
    const own = await aRequisitionedCase('LT100001')
    const { requisition } = await readCase(service, own.workspaceId)
    assert.deepEqual([requisition?.points, requisition?.fileIds.length], [[], 1])
    const { status, body } = await close(own.lodgementCaseId)
    const { requisitionId } = own
    assert.deepEqual([status, body], [200, { requisitionId, lodgementCaseStatus: 'LODGED' }])
    assert.equal(await progressOf(service, own.workspaceId), 'LODGED LODGED')
    const data = { lodgementCaseId: own.lodgementCaseId, requisitionId }
    assert.partialDeepStrictEqual((await eventsOf(service, own.workspaceId)).slice(-2), [
      { type: 'REQUISITION_CLOSED', data },
      { type: 'WORKSPACE_LODGED' },
    ])
    assert.partialDeepStrictEqual((await auditOf(service, own.workspaceId)).at(-1), {
      action: 'requisition closed',
      ids: { requisitionId },
      before: { caseStatus: 'REQUISITIONED' },
      after: { caseStatus: 'LODGED', ...BODY },
    })
    assert.equal((await close(own.lodgementCaseId)).status, 409, 'once')
    await move(service, 'P8D')
    assert.equal(await progressOf(service, own.workspaceId), 'CLOSED REGISTERED')
  })

  it('is not needed where the registry goes on', async () => {
    const own = await aRequisitionedCase('LT100001')
    await move(service, 'P8D')
    assert.equal(await progressOf(service, own.workspaceId), 'CLOSED REGISTERED')
    const { body } = await service.call<Schemas['RequisitionPage']>(
      'GET',
      `${CASES}/${own.lodgementCaseId}/requisitions`,
      FIRM,
    )
    assert.deepEqual([body.records[0]?.status, body.records[0]?.closure], ['NO_ANSWER_NEEDED', undefined])
    assert.ok(
      (await auditOf(service, own.workspaceId)).some((one) => one.action === 'requisition closed by the registry'),
    )
  })

  for (const [what, send, expected] of [
    ['a requisition with points', () => close(lodgementCaseId), 409],
    ['a body without a reason', () => close(lodgementCaseId, { confirmedBy: BODY.confirmedBy }), 400],
    ['a lender', () => close(lodgementCaseId, BODY, LENDER), 403],
    ['another firm', () => close(lodgementCaseId, BODY, OTHER_FIRM), 404],
  ] as const) {
    it(`refuses ${what}: ${expected}`, async () => assert.equal((await send()).status, expected))
  }
})
