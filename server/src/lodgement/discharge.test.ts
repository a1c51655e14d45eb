import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { APPROVER, applicationPath, approve, EDITOR, failuresOf, unapprove } from '../../test/fixtures/approvals.ts'
import { applicationOf, attach, filesPath } from '../../test/fixtures/documents.ts'
import {
  aSentCase,
  completionTextOf,
  heldQueue,
  progressOf,
  timelineSince,
  titleDocumentsOf,
  UNTIL_REGISTERED,
  walk,
} from '../../test/fixtures/lodging.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { auditOf, drain, errorsOf, FIRM, fieldsOf, readCase, readWorkspace } from '../../test/fixtures/workspaces.ts'
import type { Notice } from '../registry/lodgement.ts'
import { watchJob } from './jobs.ts'

// ST500679 is completed early: all but the discharge, which the old lender sends 14 days later, or the law firm sooner.

let service: TestService
before(async () => {
  service = await sharedService('moved')
})

const IN_PART = 'LODGED PARTIALLY_REGISTERED'
const SUBMITTED = 'LODGED DISCHARGE_SUBMITTED'
const CLOSED = 'CLOSED REGISTERED'

async function registeredInPart(): Promise<string> {
  const workspaceId = await aSentCase(service, 'ST500679')
  assert.deepEqual(await walk(service, workspaceId, 'P1D', UNTIL_REGISTERED), ['LODGED LODGED', IN_PART])
  return workspaceId
}

/** With the form that discharges the old charge. */
async function withForm(workspaceId: string): Promise<string> {
  const headers = { 'x-acting-user': EDITOR }
  const fileId = await attach(service, workspaceId, 'DISCHARGE', 'EVIDENCE', { headers })
  await drain(service)
  return fileId
}

const dischargeOf = async (workspaceId: string) =>
  (await readCase(service, workspaceId)).applications.find((one) => one.applicationType === 'DISCHARGE')

const typesOf = async (workspaceId: string) => (await timelineSince(service, workspaceId)).map(({ type }) => type)

describe('a discharge of its own', () => {
  it('is sent at once when it is approved, and registers five days later', async () => {
    const workspaceId = await registeredInPart()
    const { registryReference, priorityAt } = await readCase(service, workspaceId)
    assert.equal((await dischargeOf(workspaceId))?.status, 'REJECTED')
    await withForm(workspaceId)
    assert.equal((await dischargeOf(workspaceId))?.status, 'READY')
    assert.equal((await readWorkspace(service, workspaceId)).readyForApproval, true)
    const { status, body } = await approve(service, workspaceId)
    assert.deepEqual([status, body.lodgementCaseStatus], [202, 'DISCHARGE_SUBMITTED'])
    assert.equal((await unapprove(service, workspaceId)).status, 409)
    assert.equal((await approve(service, workspaceId)).status, 409)
    await drain(service)
    const discharge = await dischargeOf(workspaceId)
    assert.deepEqual([discharge?.status, discharge?.submittedBy], ['SUBMITTED', APPROVER])

    assert.deepEqual(await walk(service, workspaceId, 'P4D', 'P1D'), [SUBMITTED, CLOSED])
    assert.equal((await dischargeOf(workspaceId))?.status, 'REGISTERED')
    const ended = await readCase(service, workspaceId)
    assert.deepEqual([ended.registryReference, ended.priorityAt], [registryReference, priorityAt])
    assert.deepEqual((await typesOf(workspaceId)).slice(4), [
      'FILE_UPLOAD_SUCCEEDED',
      'LODGEMENT_CASE_PREPARED',
      'LODGEMENT_SUBMITTED',
      'LODGEMENT_REGISTERED',
      'WORKSPACE_CLOSED',
    ])
    assert.deepEqual(
      (await titleDocumentsOf(service, workspaceId)).map(({ documentType }) => documentType),
      [
        'EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT',
        'TITLE_INFORMATION_DOCUMENT',
        'TITLE_INFORMATION_DOCUMENT',
        'TITLE_REGISTER',
      ],
    )
    assert.doesNotMatch(await completionTextOf(service, workspaceId), /TAMARBRIDGE/, 'the newest is downloaded')
    assert.deepEqual(await walk(service, workspaceId, 'P14D'), [CLOSED], 'the electronic one comes too late')
  })

  it('needs its form, and four eyes; nothing else is open', async () => {
    const workspaceId = await registeredInPart()
    const refused = await approve(service, workspaceId)
    const failures = await failuresOf(service, workspaceId)
    assert.deepEqual([refused.status, fieldsOf(refused)], [409, failures.map(({ field }) => field)])
    assert.deepEqual(
      failures.map(({ ruleId }) => ruleId),
      ['all-mandatory-documents-provided'],
    )
    const deed = await applicationOf(service, workspaceId, 'MORTGAGE_DEED')
    const changed = await service.call('PATCH', applicationPath(deed), { ...FIRM, json: { transactionValue: 1 } })
    assert.equal(changed.status, 409)
    const first = await withForm(workspaceId)
    assert.equal((await approve(service, workspaceId, { approvedBy: EDITOR })).status, 409)
    assert.equal((await service.call('DELETE', filesPath(workspaceId, first), FIRM)).status, 204)
    assert.equal((await dischargeOf(workspaceId))?.status, 'DRAFT')
    const again = await approve(service, workspaceId)
    assert.match(errorsOf(again)[0]?.message ?? '', /EVIDENCE/)
  })

  it('can be refused, which the case record says until it is sent again', async () => {
    const workspaceId = await registeredInPart()
    await withForm(workspaceId)
    await approve(service, workspaceId)
    await drain(service)
    const [own] = await service.deps.db.query<{ submissionId: string; content: object }>(
      `select submission_id as "submissionId", content from submissions join lodgement_cases using (lodgement_case_id)
        where workspace_id = $1 and kind = 'DISCHARGE'`,
      [workspaceId],
    )
    const discharge = await dischargeOf(workspaceId)
    const { applicationId = '', documents = [] } = discharge ?? {}
    const sent = { applicationId, type: 'DISCHARGE', priority: 1, documents: [{ fileId: documents[0]?.fileId }] }
    assert.partialDeepStrictEqual(own?.content, { applications: [sent] })

    const at = service.deps.clock.now()
    const faults = [{ field: 'applications[0].file', reason: 'The form is not dated.' }]
    const refused: Notice = { noticeId: 'n-1', at, kind: 'validation failed', faults }
    const registry = { notices: async () => ({ notices: [refused] }) }
    const job = watchJob({ ...service.deps, queue: heldQueue(service) }, registry)
    const context = { correlationId: 'c', now: at, signal: AbortSignal.timeout(10_000) }
    if (job.transactional === false) await job.run(context, { workspaceId, submissionId: own?.submissionId ?? '' })

    const rejected = await readCase(service, workspaceId)
    assert.deepEqual(
      [rejected.lodgementCaseStatus, (await dischargeOf(workspaceId))?.status],
      ['PARTIALLY_REGISTERED', 'REJECTED'],
    )
    assert.deepEqual(rejected.rejection, {
      at: at.toISOString(),
      reason: 'VALIDATION_FAILED',
      field: 'applications[0].file',
      message: "The registry's validation of the discharge failed at applications[0].file: The form is not dated.",
    })
    assert.equal((await auditOf(service, workspaceId)).at(-1)?.action, 'discharge refused by the registry')
    assert.equal((await approve(service, workspaceId)).status, 202)
    assert.deepEqual(await walk(service, workspaceId, 'PT0S', 'P5D'), [SUBMITTED, CLOSED])
    assert.equal((await readCase(service, workspaceId)).rejection, undefined)
  })

  it('is overtaken by the discharge that the old lender sends', async () => {
    const workspaceId = await registeredInPart()
    const [early] = await titleDocumentsOf(service, workspaceId)
    const twelveDaysLater = Date.parse(early?.officialCopyDateTime ?? '') + 12 * 86_400_000
    const hours = Math.ceil((twelveDaysLater - service.deps.clock.now().getTime()) / 3_600_000)
    await walk(service, workspaceId, `PT${hours}H`)
    await withForm(workspaceId)
    assert.equal((await approve(service, workspaceId)).status, 202)
    assert.deepEqual(await walk(service, workspaceId, 'P1D', 'P1D', 'P7D'), [SUBMITTED, CLOSED, CLOSED])
    assert.equal((await dischargeOf(workspaceId))?.status, 'REGISTERED')
    assert.equal((await titleDocumentsOf(service, workspaceId)).length, 4, 'it is registered once')
    assert.equal(await progressOf(service, workspaceId), CLOSED)
  })
})
