import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { dueOf } from '../../test/fixtures/payments.ts'
import { anAuthorisedMatter, statusesOf } from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  applicationsOf,
  aSearchedWorkspace,
  auditOf,
  aWorkspace,
  drain,
  errorsOf,
  eventsOf,
  FIRM,
  FIRM_ID,
  fieldsOf,
  LENDER,
  LENDER_ID,
  move,
  narrowToken,
  OTHER_FIRM,
  OTHER_LENDER,
  readCase,
  readWorkspace,
  type ShownWorkspace,
  setStatus,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import { WORKSPACE_STATUSES } from './status.ts'

let service: TestService
before(async () => {
  service = await sharedService('still')
})

const GOOD = { cancellationReason: 'TITLE_COMPLICATIONS' }
const path = (id: string) => `${WORKSPACES}/${id}/cancel-workspace`
const cancel = (id: string, json: unknown = GOOD, as = LENDER, headers: Record<string, string> = {}) =>
  service.call<ShownWorkspace>('DELETE', path(id), { ...as, json, headers })

describe('DELETE /workspaces/{workspace_id}/cancel-workspace: 200', () => {
  it('answers the workspace as GET now shows it', async () => {
    const { workspaceId } = await aWorkspace(service)
    const { status, body } = await cancel(workspaceId)
    assert.equal(status, 200)
    assert.deepEqual([body.status, body.canBeCancelled, body.isLocked], ['CANCELLED', false, false])
    assert.deepEqual(body, await readWorkspace(service, workspaceId))
    const { cancellation } = body
    assert.deepEqual({ ...cancellation, at: '' }, { reason: 'TITLE_COMPLICATIONS', at: '', by: LENDER.as })
    assert.match(cancellation?.at ?? '', /Z$/)
  })

  for (const json of [
    { cancellationReason: 'APPLICANT_DECIDED_NOT_TO_PROCEED' },
    { cancellationReason: 'TITLE_COMPLICATIONS' },
    { cancellationReason: 'LAW_FIRM_NO_LONGER_ACTING' },
    { cancellationReason: 'LENDER_DECIDED_NOT_TO_PROCEED' },
    { cancellationReason: 'LOAN_INVOLVES_MULTIPLE_TITLES' },
    { cancellationReason: 'OTHER', cancellationNotesForOther: 'é'.repeat(100) },
  ]) {
    it(`takes ${json.cancellationReason} as the reason, and records it`, async () => {
      const { workspaceId } = await aWorkspace(service)
      assert.equal((await cancel(workspaceId, json)).status, 200)
      const entry = (await auditOf(service, workspaceId)).at(-1)
      assert.partialDeepStrictEqual(entry, {
        action: 'workspace cancelled',
        before: { status: 'CREATED' },
        after: { status: 'CANCELLED', ...json },
      })
    })
  }

  it('ends the case and withdraws its applications', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    assert.deepEqual(applicationsOf(await readCase(service, workspaceId)), ['DISCHARGE READY', 'MORTGAGE_DEED DRAFT'])
    await cancel(workspaceId)
    const ended = await readCase(service, workspaceId)
    assert.equal(ended.lodgementCaseStatus, 'CANCELLED')
    assert.deepEqual(applicationsOf(ended).sort(), ['DISCHARGE WITHDRAWN', 'MORTGAGE_DEED WITHDRAWN'])
    for (const application of ended.applications) assert.ok(!('priority' in application))
    assert.equal(ended.lastTitleSearchStatus, 'SUCCESS', 'what the registry answered stays')
  })

  it('ends a search that was not answered: its answer, an hour later, changes nothing', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'SL100001')
    assert.equal((await readCase(service, workspaceId)).lastTitleSearchStatus, 'PENDING')
    await cancel(workspaceId)
    const ended = await readCase(service, workspaceId)
    assert.deepEqual([ended.lastTitleSearchStatus, ended.titleSearchFailure], ['FAILED', undefined])
    await move(service, 'PT2H')
    assert.deepEqual(await readCase(service, workspaceId), ended)
    assert.equal((await eventsOf(service, workspaceId)).at(-1)?.type, 'WORKSPACE_CANCELLED')
  })

  it('tells both of it, names who did it, and not what was noted', async () => {
    const { workspaceId, reference } = await aWorkspace(service)
    const headers = { 'x-acting-user': 'ann@harbour.example', 'x-request-correlation-id': 'cancel-1' }
    const json = { cancellationReason: 'OTHER', cancellationNotesForOther: 'Mr Prynne has died.' }
    const { body } = await cancel(workspaceId, json, FIRM, headers)
    const event = (await eventsOf(service, workspaceId)).at(-1)
    assert.deepEqual(event, {
      type: 'WORKSPACE_CANCELLED',
      recipients: [LENDER_ID, FIRM_ID],
      data: { reference },
      actor: 'ann@harbour.example',
      correlationId: 'cancel-1',
      message: 'The workspace was cancelled: OTHER.',
    })
    assert.equal(body.auditAttributes.lastModifiedBy, 'ann@harbour.example')
    const { reason, notes, by } = body.cancellation ?? {}
    assert.deepEqual([reason, notes, by], ['OTHER', 'Mr Prynne has died.', 'ann@harbour.example'])
    assert.equal((await readCase(service, workspaceId)).auditAttributes.lastModifiedBy, 'ann@harbour.example')
  })

  for (const status of ['PREPARED', 'FUNDS_AUTHORISED']) {
    it(`may happen to a workspace that is ${status}`, async () => {
      const { workspaceId } = await aWorkspace(service)
      await setStatus(service, workspaceId, status)
      assert.equal((await cancel(workspaceId)).body.status, 'CANCELLED')
    })
  }

  it('releases the schedule of one whose funds are authorised, and publishes that before the cancellation', async () => {
    const matter = await anAuthorisedMatter(service)
    const { workspaceId } = matter
    const published = (await eventsOf(service, workspaceId)).length
    assert.equal((await cancel(workspaceId)).status, 200)
    assert.deepEqual(await statusesOf(service, workspaceId), ['CANCELLED', 'CANCELLED'])
    assert.deepEqual(
      (await eventsOf(service, workspaceId)).slice(published).map(({ type }) => type),
      ['WORKSPACE_FUNDS_UNAUTHORISED', 'WORKSPACE_CANCELLED'],
    )
    // What the reports show as `funds_authorised`.
    const [schedule] = await service.deps.db.query(
      'select authorised_at, authorised_by from settlement_schedules where workspace_id = $1',
      [workspaceId],
    )
    assert.deepEqual(schedule, { authorised_at: null, authorised_by: null })
    assert.deepEqual(await dueOf(service, matter), [], 'nothing is planned to be paid')
  })

  it('leaves other workspaces alone', async () => {
    const [one, other] = [await aWorkspace(service), await aWorkspace(service)]
    const untouched = [await readWorkspace(service, other.workspaceId), await readCase(service, other.workspaceId)]
    await cancel(one.workspaceId)
    assert.deepEqual(
      [await readWorkspace(service, other.workspaceId), await readCase(service, other.workspaceId)],
      untouched,
    )
  })
})

describe('DELETE /workspaces/{workspace_id}/cancel-workspace: refused', () => {
  let own: string
  before(async () => {
    own = (await aWorkspace(service)).workspaceId
  })

  for (const [what, json, ...fields] of [
    ['no reason', {}, 'cancellationReason'],
    ['an unknown reason', { cancellationReason: 'BORED' }, 'cancellationReason'],
    ['null as the reason', { cancellationReason: null }, 'cancellationReason'],
    ['OTHER without notes', { cancellationReason: 'OTHER' }, 'cancellationNotesForOther'],
    ['blank notes', { ...GOOD, cancellationNotesForOther: ' ' }, 'cancellationNotesForOther'],
    ['notes too long', { ...GOOD, cancellationNotesForOther: 'x'.repeat(101) }, 'cancellationNotesForOther'],
    ['notes that are no text', { ...GOOD, cancellationNotesForOther: 5 }, 'cancellationNotesForOther'],
    ['an unknown property', { ...GOOD, reason: 'x' }, 'reason'],
    [
      'all wrong',
      { cancellationNotesForOther: '', reason: 'x' },
      'cancellationNotesForOther',
      'cancellationReason',
      'reason',
    ],
  ] as const) {
    it(`answers 400 to ${what}`, async () => {
      const answer = await cancel(own, json)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
      assert.equal((await readWorkspace(service, own)).status, 'CREATED')
    })
  }

  it('answers 400 without a body, and to one that is no JSON', async () => {
    assert.equal((await service.call('DELETE', path(own), LENDER)).status, 400)
    const headers = { 'content-type': 'application/json' }
    assert.equal((await service.call('DELETE', path(own), { ...LENDER, headers, body: '{' })).status, 400)
    assert.equal((await service.call('DELETE', path('x'), { ...LENDER, json: GOOD })).status, 400)
  })

  it('answers 401 without a token, and 403 without the scope, before it looks at the body', async () => {
    assert.equal((await service.call('DELETE', path(own), { json: {} })).status, 401)
    const headers = await narrowToken(service, 'sandbox-lender')
    assert.equal((await service.call('DELETE', path(own), { json: {}, headers })).status, 403)
  })

  it('answers 404 to one that was never there, and to everybody else', async () => {
    for (const [id, as] of [
      [UNKNOWN_ID, LENDER],
      [own, OTHER_LENDER],
      [own, OTHER_FIRM],
    ] as const) {
      const answer = await cancel(id, GOOD, as)
      assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['workspace_id']])
    }
    assert.equal((await readWorkspace(service, own)).status, 'CREATED')
  })

  for (const status of WORKSPACE_STATUSES.slice(3)) {
    it(`answers 409 to a workspace that is ${status}, and changes nothing`, async () => {
      const { workspaceId } = await aWorkspace(service)
      await setStatus(service, workspaceId, status)
      const untouched = [await readCase(service, workspaceId), (await auditOf(service, workspaceId)).length]
      const answer = await cancel(workspaceId)
      const message = `The workspace is ${status} and can no longer be cancelled.`
      assert.deepEqual([answer.status, errorsOf(answer)], [409, [{ message }]])
      assert.deepEqual([await readCase(service, workspaceId), (await auditOf(service, workspaceId)).length], untouched)
    })
  }

  it('answers 409 the second time, and one of two at the same time', async () => {
    const { workspaceId } = await aWorkspace(service, { titleNumber: 'ST500678' })
    const both = await Promise.all([cancel(workspaceId), cancel(workspaceId, GOOD, FIRM)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await cancel(workspaceId)).status, 409)
    await drain(service)
    const cancelled = (await eventsOf(service, workspaceId)).filter(({ type }) => type === 'WORKSPACE_CANCELLED')
    assert.equal(cancelled.length, 1)
  })
})
