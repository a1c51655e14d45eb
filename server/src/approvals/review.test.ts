import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  applicationPath,
  approve,
  attachChecked,
  liveApplications,
  makeApproved,
  makeRejected,
  PAPER_DEED,
  patchDeed,
} from '../../test/fixtures/approvals.ts'
import { attach, filesPath, uploaded } from '../../test/fixtures/documents.ts'
import { anApprovedCase } from '../../test/fixtures/lodging.ts'
import { partyNamed, readReconciliation, reconcile } from '../../test/fixtures/reconciliation.ts'
import { A_FIRM, ANOTHER_FIRM, accepted, EXTERNAL, OWN, pathOf } from '../../test/fixtures/representations.ts'
import { aPreparedMatter } from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  applicationsOf,
  aSearchedWorkspace,
  auditOf,
  drain,
  eventTypesOf,
  FIRM,
  LENDER,
  readCase,
  readWorkspace,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
before(async () => {
  service = await sharedService('still')
})

const BOTH_READY = ['DISCHARGE READY', 'MORTGAGE_DEED READY']

async function rename(workspaceId: string, forenames: string, surname: string) {
  const { partyId } = partyNamed(await readReconciliation(service, workspaceId), 'Tracey')
  const partyDetails = { forenames, surname }
  return reconcile(service, workspaceId, { action: 'UPDATE_PARTY_NAME', partyId, type: 'INDIVIDUAL', partyDetails })
}

const firstParty = async (workspaceId: string) => (await readWorkspace(service, workspaceId)).parties[0]?.partyId ?? ''

/** What touches an approval, where the applications then stand, and whether the case could be approved again. */
const CHANGES: [what: string, change: (workspaceId: string) => Promise<unknown>, left: string[], ready: boolean][] = [
  ['another value of the charge', (id) => patchDeed(service, id, { transactionValue: 1 }), BOTH_READY, true],
  [
    'a deed reference that is none',
    (id) => patchDeed(service, id, { mortgageDeedReference: 'none' }),
    ['DISCHARGE READY', 'MORTGAGE_DEED DRAFT'],
    false,
  ],
  ['a borrower renamed, and still the same to the register', (id) => rename(id, 'TRACEY', 'Prynne'), BOTH_READY, true],
  ['a borrower renamed, and no longer matched', (id) => rename(id, 'Tracey', 'Prinne'), BOTH_READY, false],
  [
    'a proprietor renamed, whose change of name is to be registered',
    async (id) => {
      const { proprietorId } = partyNamed(await readReconciliation(service, id), 'Tracey')
      const proprietorDetails = { forenames: 'Tracey', surname: 'Hart' }
      const action = { action: 'UPDATE_PROPRIETOR_NAME', proprietorId, type: 'INDIVIDUAL', proprietorDetails }
      await reconcile(service, id, action)
    },
    ['DISCHARGE READY', 'CHANGE_OF_NAME DRAFT', 'MORTGAGE_DEED READY'],
    false,
  ],
  [
    'another representation that becomes active',
    async (id) => accepted(service, id, { partyId: await firstParty(id), ...EXTERNAL }),
    BOTH_READY,
    true,
  ],
  [
    'a document of an application that passes its checks',
    (id) => attach(service, id, 'DISCHARGE', 'EVIDENCE'),
    BOTH_READY,
    true,
  ],
  [
    'a main document withdrawn',
    async (id) => {
      const { applications } = await readCase(service, id)
      const file = applications.find((one) => one.applicationType === 'MORTGAGE_DEED')?.file
      const { status } = await service.call('DELETE', filesPath(id, file?.fileId), FIRM)
      assert.equal(status, 204)
    },
    ['DISCHARGE READY', 'MORTGAGE_DEED DRAFT'],
    false,
  ],
]

describe('an approval', () => {
  for (const [what, change, left, ready] of CHANGES) {
    it(`is taken back by ${what}`, async () => {
      const workspaceId = await anApprovedCase(service)
      const told = (await eventTypesOf(service, workspaceId)).length
      await change(workspaceId)
      await drain(service)
      const record = await readCase(service, workspaceId)
      assert.deepEqual([record.lodgementCaseStatus, applicationsOf(record)], ['CREATED', left])
      const types = (await eventTypesOf(service, workspaceId)).slice(told)
      assert.equal(types.filter((type) => type === 'LODGEMENT_CASE_UNAPPROVED').length, 1, types.join())
      const actions = (await auditOf(service, workspaceId)).map(({ action }) => action)
      assert.equal(actions.filter((action) => action === 'lodgement case unapproved').length, 1)
      const workspace = await readWorkspace(service, workspaceId)
      assert.partialDeepStrictEqual(workspace, { status: 'CREATED', canBeUnapproved: false, readyForApproval: ready })
      assert.equal((await approve(service, workspaceId)).status, ready ? 202 : 409)
    })
  }

  it('is taken back by another name of an external firm that acts, and not by the same again', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    const external = await accepted(service, workspaceId, { partyId: await firstParty(workspaceId), ...EXTERNAL })
    await drain(service)
    await makeApproved(service, workspaceId)
    const patch = (json: object) => service.call('PATCH', pathOf(workspaceId, external), { ...FIRM, json })
    assert.equal((await patch(A_FIRM)).status, 200)
    assert.equal((await readCase(service, workspaceId)).lodgementCaseStatus, 'PREPARED')
    assert.equal((await patch(ANOTHER_FIRM)).status, 200)
    const record = await readCase(service, workspaceId)
    assert.deepEqual([record.lodgementCaseStatus, applicationsOf(record)], ['CREATED', BOTH_READY])
  })

  it('is not touched by what changes nothing, nor by a document of the workspace', async () => {
    const workspaceId = await anApprovedCase(service)
    for (const json of [{}, PAPER_DEED]) await patchDeed(service, workspaceId, json)
    await rename(workspaceId, 'Tracey', 'Prynne')
    await uploaded(service, workspaceId)
    await uploaded(service, workspaceId, LENDER)
    await drain(service)
    const record = await readCase(service, workspaceId)
    assert.equal(record.lodgementCaseStatus, 'PREPARED')
    assert.deepEqual(applicationsOf(record), ['DISCHARGE APPROVED', 'MORTGAGE_DEED APPROVED'])
  })
})

describe('an application', () => {
  it('is READY as soon as it has what it needs of its own, and DRAFT when it no longer has', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    const deedIs = async () => applicationsOf(await readCase(service, workspaceId)).at(-1)
    await patchDeed(service, workspaceId, PAPER_DEED)
    assert.equal(await deedIs(), 'MORTGAGE_DEED DRAFT')
    const [deed] = await liveApplications(service, workspaceId)
    assert.ok(deed)
    await attachChecked(service, workspaceId, { ...deed, documentType: 'MORTGAGE_DEED' })
    assert.equal(await deedIs(), 'MORTGAGE_DEED READY', 'although no party is represented')
    const digital = { mortgageDeedReferenceType: 'DIGITAL', mortgageDeedReference: 'e-MD431C' }
    await patchDeed(service, workspaceId, { mortgageDeedReferenceType: 'DIGITAL' })
    assert.equal(await deedIs(), 'MORTGAGE_DEED DRAFT', 'with the reference of a paper deed')
    await patchDeed(service, workspaceId, digital)
    assert.equal(await deedIs(), 'MORTGAGE_DEED DRAFT', 'with the document of a paper deed')
    await attachChecked(service, workspaceId, { ...deed, documentType: 'MORTGAGE_DEED' })
    assert.equal(await deedIs(), 'MORTGAGE_DEED READY', 'although the deed is not effective yet')
    assert.equal((await readWorkspace(service, workspaceId)).readyForApproval, false)
    for (const { partyId } of (await readWorkspace(service, workspaceId)).parties) {
      await accepted(service, workspaceId, { partyId, ...OWN })
    }
    await drain(service)
    assert.equal((await readWorkspace(service, workspaceId)).readyForApproval, true)
    assert.equal((await approve(service, workspaceId)).status, 202)
  })

  it('that the registry rejected is reviewed again when it is changed, and only then', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    await makeRejected(service, workspaceId)
    const seen = async () => applicationsOf(await readCase(service, workspaceId))
    await patchDeed(service, workspaceId, {})
    assert.deepEqual(await seen(), ['DISCHARGE REJECTED', 'MORTGAGE_DEED REJECTED'])
    await patchDeed(service, workspaceId, { mortgageDeedReference: 'none' })
    assert.deepEqual(await seen(), ['DISCHARGE REJECTED', 'MORTGAGE_DEED DRAFT'])
    assert.equal((await approve(service, workspaceId)).status, 409)
    await patchDeed(service, workspaceId, { mortgageDeedReference: 'MD432C' })
    assert.deepEqual(await seen(), ['DISCHARGE REJECTED', 'MORTGAGE_DEED READY'])
    assert.equal((await rename(workspaceId, 'Tracey', 'Hart')).status, 409, 'the parties stay as they are')
  })
})

describe('a workspace that is prepared', () => {
  it('refuses changes to what was approved until that is taken back', async () => {
    const { workspaceId } = await aPreparedMatter(service)
    assert.equal((await readWorkspace(service, workspaceId)).status, 'PREPARED')
    const [deed] = await liveApplications(service, workspaceId)
    assert.ok(deed)
    assert.equal(
      (await service.call('PATCH', applicationPath(deed), { ...FIRM, json: { transactionValue: 5 } })).status,
      409,
    )
    assert.equal((await rename(workspaceId, 'Tracey', 'Hart')).status, 409)
    assert.equal((await readCase(service, workspaceId)).lodgementCaseStatus, 'PREPARED')
  })
})
