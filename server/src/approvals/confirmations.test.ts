import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Schemas } from '../../../client/src/index.ts'
import {
  APPROVER,
  approve,
  confirm,
  EDITOR,
  failuresOf,
  makeReady,
  patchDeed,
  readinessOf,
} from '../../test/fixtures/approvals.ts'
import {
  aPreparedMatter,
  approveFinance,
  authorise,
  OTHER_ADVANCE,
  readSchedule,
  statusesOf,
} from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  aWorkspace,
  drain,
  errorsOf,
  eventsOf,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  readCase,
  readWorkspace,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
let elsewhere: string
before(async () => {
  service = await sharedService('still')
  elsewhere = await orderedElsewhere()
})

/** The title is not at the postcode of the order. */
async function orderedElsewhere(): Promise<string> {
  const { workspaceId } = await aWorkspace(service, { titleNumber: 'ST500678', postcode: 'EX4 3AN' })
  await drain(service)
  return workspaceId
}

const pathOf = (workspaceId: string, confirmationId?: string) =>
  `${WORKSPACES}/${workspaceId}/confirmations${confirmationId ? `/${confirmationId}` : ''}`

const ADDRESS = { ruleId: 'security-address-matches-register', field: 'securityAddress' }

const list = async (workspaceId: string, as = FIRM) => {
  const { body } = await service.call<{ records: Schemas['Confirmation'][] }>('GET', pathOf(workspaceId), as)
  return body.records
}

const takeBack = (workspaceId: string, confirmationId: string) =>
  service.call('DELETE', pathOf(workspaceId, confirmationId), FIRM)

describe('POST /workspaces/{workspace_id}/confirmations', () => {
  it('lets a case be approved whose address is not that of the register, and is seen by both sides', async () => {
    const workspaceId = await orderedElsewhere()
    await assert.rejects(makeReady(service, workspaceId), /security-address-matches-register/)
    const { status, body } = await confirm(service, workspaceId, ADDRESS, {
      headers: { 'x-acting-user': 'case@harbour.example' },
    })
    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body, { ...ADDRESS, approval: 'LODGEMENT', confirmedBy: APPROVER })
    assert.deepEqual(await list(workspaceId), [body])
    assert.deepEqual(await list(workspaceId, LENDER), [body])
    const record = (await readinessOf(service, workspaceId)).find(({ ruleId }) => ruleId === ADDRESS.ruleId)
    assert.partialDeepStrictEqual(record, {
      passed: true,
      outcome: 'CONFIRMED',
      kind: 'CONFIRMABLE',
      confirmation: body,
    })
    assert.equal((await readWorkspace(service, workspaceId)).readyForApproval, true)
    const event = (await eventsOf(service, workspaceId)).at(-1)
    assert.deepEqual([event?.type, event?.data['confirmationId']], ['READINESS_CONFIRMED', body.confirmationId])
    const entry = (await auditOf(service, workspaceId)).at(-1)
    const { reason, confirmedBy } = body
    assert.deepEqual([entry?.action, entry?.after], ['readiness confirmed', { ...ADDRESS, reason, confirmedBy }])
    const eyes = await approve(service, workspaceId, { approvedBy: 'case@harbour.example' })
    assert.deepEqual([eyes.status, fieldsOf(eyes)], [409, ['approvedBy']])
    assert.equal((await approve(service, workspaceId)).status, 202, 'by the person of confirmedBy')
  })

  it('answers 409 to a second one, and to a rule that passes', async () => {
    const workspaceId = await orderedElsewhere()
    assert.equal((await confirm(service, workspaceId, ADDRESS)).status, 201)
    assert.equal((await confirm(service, workspaceId, ADDRESS)).status, 409)
    assert.equal(
      (await confirm(service, workspaceId, { ruleId: 'some-proprietor-stays', field: 'parties' })).status,
      409,
    )
  })

  for (const [what, facts, status, fields] of [
    ['without a field', { ...ADDRESS, field: undefined }, 400, ['field']],
    ['without a reason', { ...ADDRESS, reason: ' ' }, 400, ['reason']],
    ['with a reason too long', { ...ADDRESS, reason: 'x'.repeat(501) }, 400, ['reason']],
    ['by nobody', { ...ADDRESS, confirmedBy: 'me' }, 400, ['confirmedBy']],
    ['of an unknown rule', { ...ADDRESS, ruleId: 'constructor' }, 404, ['ruleId']],
    ['of a rule that must pass', { ruleId: 'proprietor-count', field: 'parties' }, 404, ['ruleId']],
    ['of a record that is not there', { ...ADDRESS, field: 'parties[0]' }, 404, ['field']],
  ] as const) {
    it(`answers ${status} to one ${what}`, async () => {
      const answer = await confirm(service, elsewhere, facts)
      assert.deepEqual([answer.status, fieldsOf(answer)], [status, fields])
    })
  }

  it('answers 403 to a lender, and without the scope that approves what the rule belongs to', async () => {
    const send = async (scope: string, facts: object) => {
      const headers = await narrowToken(service, FIRM.as, scope)
      return (await service.call('POST', pathOf(elsewhere), { headers, json: facts })).status
    }
    assert.equal((await service.call('POST', pathOf(elsewhere), { ...LENDER, json: {} })).status, 403)
    assert.equal(await send('x-api:approve:lodgement_applications', OTHER_ADVANCE), 403)
    assert.equal(await send('x-api:approve:financial_settlement_schedules', ADDRESS), 403)
    assert.equal(await send('view:workspaces', {}), 403)
    for (const scope of ['lodgement_applications', 'financial_settlement_schedules']) {
      assert.equal(await send(`x-api:approve:${scope}`, { ruleId: 'unknown' }), 400, 'either of an unknown rule')
    }
  })

  it('answers 404 to a workspace that was never there, and to every other firm', async () => {
    const answers = [
      await confirm(service, UNKNOWN_ID, ADDRESS),
      await service.call('GET', pathOf(elsewhere), OTHER_FIRM),
    ]
    for (const answer of answers) assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['workspace_id']])
  })
})

describe('DELETE /workspaces/{workspace_id}/confirmations/{confirmation_id}', () => {
  it('takes back the approval that rests on it, and is 404 the second time', async () => {
    const workspaceId = await orderedElsewhere()
    const { body } = await confirm(service, workspaceId, ADDRESS)
    await makeReady(service, workspaceId)
    assert.equal((await approve(service, workspaceId)).status, 202)
    assert.equal((await takeBack(workspaceId, body.confirmationId)).status, 204)
    assert.equal((await readCase(service, workspaceId)).lodgementCaseStatus, 'CREATED')
    assert.deepEqual(await list(workspaceId), [])
    assert.deepEqual(
      (await failuresOf(service, workspaceId)).map(({ ruleId }) => ruleId),
      [ADDRESS.ruleId],
    )
    const again = await takeBack(workspaceId, body.confirmationId)
    assert.deepEqual([again.status, fieldsOf(again)], [404, ['confirmation_id']])
  })
})

describe('a confirmation of the financial approval', () => {
  it('can be given after the lodgement approval, lapses with its facts, and stays once funds are authorised', async () => {
    const matter = await aPreparedMatter(service)
    const { workspaceId } = matter
    await approve(service, workspaceId, { action: 'UNAPPROVE' })
    await patchDeed(service, workspaceId, { transactionValue: 100 })
    assert.deepEqual(await statusesOf(service, workspaceId), ['CREATED', 'DRAFT'], 'the advance is another sum')
    await approve(service, workspaceId)
    const refused = await approveFinance(service, workspaceId)
    const failures = await failuresOf(service, workspaceId, 'FINANCIAL')
    assert.deepEqual(
      errorsOf(refused),
      failures.map(({ field, message }) => ({ field, message })),
    )
    const editing = { headers: { 'x-acting-user': EDITOR } }
    assert.equal((await confirm(service, workspaceId, OTHER_ADVANCE, editing)).status, 201)
    assert.equal((await readCase(service, workspaceId)).lodgementCaseStatus, 'PREPARED', 'no approval is withdrawn')
    assert.equal((await approveFinance(service, workspaceId)).status, 200)

    await approve(service, workspaceId, { action: 'UNAPPROVE' })
    await patchDeed(service, workspaceId, { transactionValue: 101 })
    assert.deepEqual([(await readSchedule(service, workspaceId)).status, await list(workspaceId)], ['DRAFT', []])

    const { body } = await confirm(service, workspaceId, OTHER_ADVANCE)
    await approve(service, workspaceId)
    await approveFinance(service, workspaceId)
    assert.equal((await authorise(service, workspaceId, matter)).status, 200)
    assert.equal((await takeBack(workspaceId, body.confirmationId)).status, 409)
  })
})
