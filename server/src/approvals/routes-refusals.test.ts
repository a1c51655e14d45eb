import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { APPROVER, approvalsOf, approve, failuresOf, unapprove } from '../../test/fixtures/approvals.ts'
import { anApprovedCase, aReadyCase } from '../../test/fixtures/lodging.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  aWorkspace,
  errorsOf,
  eventsOf,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  readCase,
  setStatus,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
let readyOne: string
before(async () => {
  service = await sharedService('still')
  readyOne = await aReadyCase(service)
})

const send = (
  json: unknown,
  workspaceId = readyOne,
  as: { as?: string } = FIRM,
  headers: Record<string, string> = {},
) => service.call('POST', approvalsOf(workspaceId), { ...as, json, headers })

const good = (workspaceId = readyOne) => ({ action: 'APPROVE', workspaceId, approvedBy: APPROVER })

const APPROVE_SCOPE = 'x-api:approve:lodgement_applications'
const UNAPPROVE_SCOPE = 'x-api:unapprove:lodgement_applications'

const trace = async (workspaceId: string) => [
  await readCase(service, workspaceId),
  (await eventsOf(service, workspaceId)).length,
  (await auditOf(service, workspaceId)).length,
]

describe('POST /workspaces/{workspace_id}/lodgement-approvals, refused', () => {
  for (const [field, values] of Object.entries({
    action: [undefined, '', 'approve', 'REJECT', 'constructor', 1, null],
    workspaceId: [undefined, '', 'x', UNKNOWN_ID, 7, null],
    approvedBy: [
      undefined,
      '',
      'ann',
      'ann@',
      '@example.com',
      'ann example.com',
      7,
      null,
      `${'a'.repeat(250)}@b.example`,
    ],
    approvedAt: ['2026-01-01T00:00:00Z'],
  })) {
    it(`answers 400 at ${field} to what is not expected there`, async () => {
      const before = await trace(readyOne)
      for (const value of values) {
        const answer = await send({ ...good(), [field]: value })
        assert.deepEqual([answer.status, fieldsOf(answer)], [400, [field]], JSON.stringify(value))
      }
      assert.deepEqual(await trace(readyOne), before)
    })
  }

  it('answers 400 with all faults at once: another workspace than in the path beside the rest', async () => {
    const answer = await send({ action: 'x', workspaceId: UNKNOWN_ID, approvedBy: 'x', more: 1 })
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['action', 'approvedBy', 'more', 'workspaceId']])
    for (const body of [[], 'text', null]) assert.equal((await send(body)).status, 400)
  })

  it('answers 401 without a token, and 403 to a lender, whatever the body', async () => {
    assert.equal((await send(good(), readyOne, {})).status, 401)
    for (const body of [good(), {}]) assert.equal((await send(body, readyOne, LENDER)).status, 403)
  })

  for (const [scope, action, status] of [
    [APPROVE_SCOPE, 'UNAPPROVE', 403],
    [UNAPPROVE_SCOPE, 'APPROVE', 403],
    [APPROVE_SCOPE, 'other', 400],
    [UNAPPROVE_SCOPE, undefined, 400],
    [APPROVE_SCOPE, 'APPROVE', 400],
    [UNAPPROVE_SCOPE, 'UNAPPROVE', 400],
    ['view:workspaces', 'APPROVE', 403],
    ['view:workspaces', 'other', 403],
  ] as const) {
    it(`answers ${status} to ${action} with the scope ${scope} and another fault`, async () => {
      const headers = await narrowToken(service, FIRM.as, scope)
      const answer = await send({ ...good(), action, approvedBy: 'nobody' }, readyOne, {}, headers)
      assert.equal(answer.status, status)
      if (status === 403) assert.match(answer.headers.get('www-authenticate') ?? '', /insufficient_scope/)
    })
  }

  it('lets each action pass with its own scope alone', async () => {
    const workspaceId = await aReadyCase(service)
    for (const [scope, action] of [
      [APPROVE_SCOPE, 'APPROVE'],
      [UNAPPROVE_SCOPE, 'UNAPPROVE'],
    ] as const) {
      const headers = await narrowToken(service, FIRM.as, scope)
      assert.equal((await send({ ...good(workspaceId), action }, workspaceId, {}, headers)).status, 202)
    }
  })

  it('answers 404 at workspace_id to one that was never there, and to everybody else', async () => {
    for (const [workspaceId, as] of [
      [UNKNOWN_ID, FIRM],
      [readyOne, OTHER_FIRM],
    ] as const) {
      const answer = await send(good(workspaceId), workspaceId, as)
      assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['workspace_id']])
    }
  })

  it('answers 409 with one error for each failure, in the words of the readiness', async () => {
    const { workspaceId } = await aWorkspace(service)
    const before = await trace(workspaceId)
    const answer = await approve(service, workspaceId)
    const expected = (await failuresOf(service, workspaceId)).map(({ field, message }) => ({ field, message }))
    assert.deepEqual([answer.status, errorsOf(answer)], [409, expected])
    assert.ok(expected.length > 5)
    assert.deepEqual(await trace(workspaceId), before)
  })

  it('answers 409 to an approval of what is approved, and leaves the first as it is', async () => {
    const workspaceId = await anApprovedCase(service)
    const before = await trace(workspaceId)
    assert.equal((await approve(service, workspaceId, { approvedBy: 'other@harbour.example' })).status, 409)
    assert.deepEqual(await trace(workspaceId), before)
  })

  it('answers 409 to UNAPPROVE of what is not approved, or once funds are authorised', async () => {
    assert.equal((await unapprove(service, readyOne)).status, 409)
    const workspaceId = await anApprovedCase(service)
    for (const status of ['FUNDS_AUTHORISED', 'FUNDS_EXCHANGED']) {
      await setStatus(service, workspaceId, status, 'PREPARED')
      const before = await trace(workspaceId)
      const answer = await unapprove(service, workspaceId)
      assert.equal(answer.status, 409)
      assert.match(errorsOf(answer)[0]?.message ?? '', new RegExp(status))
      assert.deepEqual(await trace(workspaceId), before)
    }
  })

  it('answers 409 to both once the workspace is cancelled, and names what the case is', async () => {
    const { workspaceId } = await aWorkspace(service)
    const json = { cancellationReason: 'TITLE_COMPLICATIONS' }
    await service.call('DELETE', `${WORKSPACES}/${workspaceId}/cancel-workspace`, { ...FIRM, json })
    for (const answer of [await approve(service, workspaceId), await unapprove(service, workspaceId)]) {
      assert.equal(answer.status, 409)
      assert.deepEqual(errorsOf(answer).length, 1)
      assert.match(errorsOf(answer)[0]?.message ?? '', /CANCELLED/)
    }
  })
})
