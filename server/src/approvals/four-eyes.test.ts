import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import {
  APPROVER,
  applicationPath,
  approve,
  EDITOR,
  failuresOf,
  liveApplications,
  PAPER_DEED,
  patchDeed,
  unapprove,
} from '../../test/fixtures/approvals.ts'
import { attach, filesPath, uploaded } from '../../test/fixtures/documents.ts'
import { anApprovedCase, aReadyCase, exchange } from '../../test/fixtures/lodging.ts'
import { readReconciliation, unmatchedNamed } from '../../test/fixtures/reconciliation.ts'
import { approveFinance, aScheduleToApprove } from '../../test/fixtures/schedules.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  aSearchedWorkspace,
  aWorkspace,
  drain,
  FIRM,
  FIRM_ID,
  fieldsOf,
  readCase,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
let readyOne: string
before(async () => {
  service = await testService()
  readyOne = await aReadyCase(service)
})

describe('four eyes', () => {
  const setFourEyes = (on: boolean) =>
    service.deps.db.query('update subscribers set four_eyes = $2 where subscriber_id = $1', [FIRM_ID, on])

  it('refuse at approvedBy a person who changed an application or its documents, in capitals too', async () => {
    for (const approvedBy of [EDITOR, EDITOR.toUpperCase()]) {
      const answer = await approve(service, readyOne, { approvedBy })
      assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['approvedBy']])
    }
    assert.deepEqual(await failuresOf(service, readyOne), [], 'it is no row of the readiness')
  })

  it('are told beside what is not ready', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    await patchDeed(service, workspaceId, PAPER_DEED)
    const answer = await approve(service, workspaceId, { approvedBy: EDITOR })
    const failed = (await failuresOf(service, workspaceId)).map(({ field }) => field)
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, [...failed, 'approvedBy'].sort()])
  })

  it('remember everybody who made a change: a later one by another person, or by nobody named, clears nobody', async () => {
    const workspaceId = await aReadyCase(service)
    await patchDeed(service, workspaceId, { transactionValue: 7 }, 'third@harbour.example')
    const [deed] = await liveApplications(service, workspaceId)
    assert.ok(deed)
    await service.call('PATCH', applicationPath(deed), { ...FIRM, json: { transactionValue: 8 } })
    for (const approvedBy of [EDITOR, 'third@harbour.example']) {
      assert.equal((await approve(service, workspaceId, { approvedBy })).status, 409)
    }
    assert.equal((await approve(service, workspaceId)).status, 202)
  })

  it('remember them when the approval is taken back, by hand or by a change, until the case is sent', async () => {
    const workspaceId = await anApprovedCase(service)
    assert.equal((await unapprove(service, workspaceId)).status, 202)
    assert.equal((await approve(service, workspaceId, { approvedBy: EDITOR })).status, 409)
    assert.equal((await approve(service, workspaceId)).status, 202)
    await patchDeed(service, workspaceId, { transactionValue: 7 }, 'third@harbour.example')
    for (const approvedBy of [EDITOR, 'third@harbour.example']) {
      assert.equal((await approve(service, workspaceId, { approvedBy })).status, 409)
    }
    assert.equal((await approve(service, workspaceId)).status, 202)
    await exchange(service, workspaceId)
    await drain(service)
    assert.deepEqual(await changedBy(workspaceId), [], 'after it was sent')
  })

  it('do not count a change that changes nothing', async () => {
    const workspaceId = await aReadyCase(service)
    await patchDeed(service, workspaceId, PAPER_DEED, APPROVER)
    assert.equal((await approve(service, workspaceId, { approvedBy: APPROVER })).status, 202)
  })

  it('are closed where the firm does not want them', async () => {
    const workspaceId = await aReadyCase(service)
    await setFourEyes(false)
    try {
      assert.equal((await approve(service, workspaceId, { approvedBy: EDITOR })).status, 202)
    } finally {
      await setFourEyes(true)
    }
  })

  it('ask who uploaded or withdrew a document of an application, but not one of the workspace', async () => {
    const workspaceId = await aReadyCase(service)
    const by = (actingUser: string) => ({ headers: { 'x-acting-user': actingUser } })
    await uploaded(service, workspaceId, by('offers@harbour.example'))
    const fileId = await attach(service, workspaceId, 'DISCHARGE', 'EVIDENCE', by('uploads@harbour.example'))
    await drain(service)
    assert.deepEqual(await changedBy(workspaceId), [EDITOR, 'uploads@harbour.example'])
    const answer = await approve(service, workspaceId, { approvedBy: 'uploads@harbour.example' })
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['approvedBy']])
    await service.call('DELETE', filesPath(workspaceId, fileId), { ...FIRM, ...by('withdraws@harbour.example') })
    assert.deepEqual(await changedBy(workspaceId), [EDITOR, 'uploads@harbour.example', 'withdraws@harbour.example'])
  })

  it('ask whose reconciliation or removed title changed the applications, but not what the registry brought', async () => {
    const { workspaceId } = await aWorkspace(service, { parties: [aBorrower('William'), aBorrower('Tracey', 'Hart')] })
    await patchDeed(service, workspaceId, PAPER_DEED)
    const path = `${WORKSPACES}/${workspaceId}`
    await service.call('POST', `${path}/titles`, { ...FIRM, json: { titleNumber: 'ST500678' } })
    await drain(service)
    assert.equal((await readCase(service, workspaceId)).applications.length, 2, 'the deed and a discharge')
    assert.deepEqual(await changedBy(workspaceId), [EDITOR])
    const { proprietorId } = unmatchedNamed(await readReconciliation(service, workspaceId), 'Tracey')
    const rename = (surname: string) => ({
      action: 'UPDATE_PROPRIETOR_NAME',
      proprietorId,
      type: 'INDIVIDUAL',
      proprietorDetails: { forenames: 'Tracey', surname },
    })
    const headers = { 'x-acting-user': 'names@harbour.example' }
    await service.call('PATCH', `${path}/title-reconciliation`, { ...FIRM, headers, json: rename('Hart') })
    assert.deepEqual(await changedBy(workspaceId), [EDITOR, 'names@harbour.example'])
    const again = { 'x-acting-user': 'again@harbour.example' }
    await service.call('PATCH', `${path}/title-reconciliation`, { ...FIRM, headers: again, json: rename('Hurst') })
    await service.call('PATCH', `${path}/title-reconciliation`, { ...FIRM, json: rename('Prynne') })
    const people = [EDITOR, 'names@harbour.example', 'again@harbour.example']
    assert.deepEqual(await changedBy(workspaceId), people)
    const [title] = (await readCase(service, workspaceId)).titles
    const removes = { 'x-acting-user': 'removes@harbour.example' }
    await service.call('DELETE', `${path}/titles/${title?.titleId}`, { ...FIRM, headers: removes })
    assert.deepEqual(await changedBy(workspaceId), [...people, 'removes@harbour.example'])
  })

  it('find in the audit, when they are migrated, who changed a case before they were remembered', async () => {
    const [remembered, schedule] = [await changedBy(readyOne), await aScheduleToApprove(service)]
    const file = new URL('../../migrations/0012_four_eyes.sql', import.meta.url)
    const statements = (await readFile(file, 'utf8')).replace(/--.*/g, '').split(';')
    const updates = statements.filter((text) => text.trim().startsWith('update'))
    assert.equal(updates.length, 2)
    await service.deps.db.query(`update lodgement_cases set changed_by_users = '{}'`)
    await service.deps.db.query(`update settlement_schedules set changed_by_users = '{}'`)
    for (const text of updates) await service.deps.db.query(text)
    assert.deepEqual([remembered, await changedBy(readyOne)], [[EDITOR], [EDITOR]])
    const answer = await approveFinance(service, schedule.workspaceId, { approvedBy: EDITOR })
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['approvedBy']])
  })
})

async function changedBy(workspaceId: string): Promise<string[] | undefined> {
  const [row] = await service.deps.db.query<{ who: string[] }>(
    'select changed_by_users as who from lodgement_cases where workspace_id = $1',
    [workspaceId],
  )
  return row?.who
}
