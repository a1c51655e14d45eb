// Long because every title number of the sandbox is played here to its end.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { APPROVER, approve, approveAgain, patchDeed } from '../../test/fixtures/approvals.ts'
import {
  aSentCase,
  completionTextOf,
  timelineSince,
  titleDocumentsOf,
  UNTIL_REGISTERED,
  walk,
} from '../../test/fixtures/lodging.ts'
import { readReconciliation, reconcile, unmatchedNamed } from '../../test/fixtures/reconciliation.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  aCompany,
  aSearchedWorkspace,
  LENDER,
  readCase,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import { londonDate } from '../jurisdiction/london.ts'

// What each title number stands for, from the day of completion to its end, over HTTP and the sandbox's clock.

let service: TestService
before(async () => {
  service = await sharedService('moved')
})

const typesOf = async (workspaceId: string) => (await timelineSince(service, workspaceId)).map(({ type }) => type)

const messageOf = async (workspaceId: string, type: string) =>
  (await timelineSince(service, workspaceId)).findLast((one) => one.type === type)?.message ?? ''

const applicationsOf = async (workspaceId: string) =>
  (await readCase(service, workspaceId)).applications.map((one) => `${one.applicationType} ${one.status}`).sort()

const documentTypesOf = async (workspaceId: string) =>
  (await titleDocumentsOf(service, workspaceId)).map(({ documentType }) => documentType)

async function cancel(workspaceId: string): Promise<number> {
  const json = { cancellationReason: 'TITLE_COMPLICATIONS' }
  const path = `${WORKSPACES}/${workspaceId}/cancel-workspace`
  return (await service.call('DELETE', path, { ...LENDER, json })).status
}

const datesOf = async (workspaceId: string) => {
  const [row] = await service.deps.db.query<Record<'lodged' | 'registered' | 'discharged' | 'early', unknown>>(
    `select lodged_at as lodged, registered_at as registered, discharge_registered_at as discharged,
            early_completion as early from lodgement_cases where workspace_id = $1`,
    [workspaceId],
  )
  return row
}

type Registers = { chargesRegister: { registerEntry: { entryType: string; entryDate: string }[] } }

const SENT = ['WORKSPACE_FUNDS_EXCHANGED', 'LODGEMENT_SUBMITTED']
const REGISTERED = ['LODGEMENT_REGISTERED', 'WORKSPACE_CLOSED']

describe('ST500678', () => {
  it('is sent at once, accepted after a day, and registered from five days later with the old charge discharged', async () => {
    const workspaceId = await aSentCase(service, 'ST500678')
    const progress = await walk(service, workspaceId, 'PT0S', 'PT23H', 'PT1H', 'P4D', UNTIL_REGISTERED)
    assert.deepEqual(progress, [
      'FUNDS_EXCHANGED INITIATED',
      'FUNDS_EXCHANGED INITIATED',
      'LODGED LODGED',
      'LODGED LODGED',
      'CLOSED REGISTERED',
    ])
    assert.deepEqual(await typesOf(workspaceId), [...SENT, 'WORKSPACE_LODGED', ...REGISTERED])
    assert.deepEqual(await applicationsOf(workspaceId), ['DISCHARGE REGISTERED', 'MORTGAGE_DEED REGISTERED'])
    const { registryReference, priorityAt, earlyCompletion, applications } = await readCase(service, workspaceId)
    assert.match(registryReference ?? '', /^([A-Z][0-9]{3}[A-Z]{3}|[A-Z]{2}[0-9A-F]{5})$/)
    assert.match(await messageOf(workspaceId, 'WORKSPACE_LODGED'), new RegExp(registryReference ?? '-'))
    assert.equal(earlyCompletion, false)
    for (const { submittedBy } of applications) assert.equal(submittedBy, APPROVER)
    const { lodged, registered, discharged } = (await datesOf(workspaceId)) ?? {}
    assert.deepEqual(lodged, new Date(priorityAt ?? ''))
    assert.deepEqual(discharged, registered, 'the discharge was registered with the rest')
    assert.deepEqual(await documentTypesOf(workspaceId), ['TITLE_INFORMATION_DOCUMENT', 'TITLE_REGISTER'])
    const text = await completionTextOf(service, workspaceId)
    assert.match(text, /Title information document.*ST500678.*Proprietor: NORTHGATE BUILDING SOCIETY of Deeds Services/)
    assert.doesNotMatch(text, /EASTMOOR BANK/)
    const [{ registerExtract, editionDate } = assert.fail()] = await titleDocumentsOf(service, workspaceId)
    const { chargesRegister } = registerExtract.ocRegisterData as Registers
    const appliedOn = londonDate(new Date(priorityAt ?? ''))
    const newest = chargesRegister.registerEntry.slice(-2).map(({ entryType, entryDate }) => [entryType, entryDate])
    assert.deepEqual(newest, [
      ['Registered Charges', appliedOn],
      ['Chargee', appliedOn],
    ])
    assert.ok(appliedOn < editionDate, 'the edition is of the day of registration')
  })

  it('can no longer be cancelled at any step, for money has moved', async () => {
    const workspaceId = await aSentCase(service, 'ST500678')
    for (const advance of ['PT0S', 'P1D', UNTIL_REGISTERED]) {
      await walk(service, workspaceId, advance)
      assert.equal(await cancel(workspaceId), 409)
    }
  })

  it('is found by the next workspace as it was: what is registered changes only what the case shows', async () => {
    const registered = await aSentCase(service, 'ST500678')
    await walk(service, registered, UNTIL_REGISTERED)
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    const [register] = await titleDocumentsOf(service, workspaceId)
    assert.equal(register?.editionDate, '2012-06-11')
    assert.ok((await readCase(service, workspaceId)).applications.some((one) => one.applicationType === 'DISCHARGE'))
  })
})

describe('ST500679', () => {
  it('is registered in part, and in full when the discharge arrives a fortnight later', async () => {
    const workspaceId = await aSentCase(service, 'ST500679')
    assert.deepEqual(await walk(service, workspaceId, 'P1D', 'P9D'), ['LODGED LODGED', 'LODGED PARTIALLY_REGISTERED'])
    assert.deepEqual(await applicationsOf(workspaceId), ['DISCHARGE REJECTED', 'MORTGAGE_DEED REGISTERED'])
    assert.equal((await readCase(service, workspaceId)).earlyCompletion, true)
    const early = await completionTextOf(service, workspaceId)
    assert.match(early, /TAMARBRIDGE BUILDING SOCIETY.*NORTHGATE BUILDING SOCIETY/, 'the old charge, and the new')
    assert.equal((await datesOf(workspaceId))?.discharged, null)
    const { registered } = (await datesOf(workspaceId)) ?? {}

    assert.deepEqual(await walk(service, workspaceId, 'P9D', 'P5D'), [
      'LODGED PARTIALLY_REGISTERED',
      'CLOSED REGISTERED',
    ])
    assert.deepEqual(await applicationsOf(workspaceId), ['DISCHARGE REGISTERED', 'MORTGAGE_DEED REGISTERED'])
    const published = [...SENT, 'WORKSPACE_LODGED', 'LODGEMENT_PARTIALLY_REGISTERED', ...REGISTERED]
    assert.deepEqual(await typesOf(workspaceId), published)
    const late = await datesOf(workspaceId)
    assert.deepEqual([late?.registered, late?.early], [registered, true])
    assert.equal((late?.discharged as Date).getTime() - (registered as Date).getTime(), 14 * 86_400_000)
    const completed = 'TITLE_INFORMATION_DOCUMENT'
    const types = [`EARLY_COMPLETION_${completed}`, completed, completed, 'TITLE_REGISTER']
    assert.deepEqual(await documentTypesOf(workspaceId), types)
    const [discharged] = await titleDocumentsOf(service, workspaceId)
    assert.doesNotMatch(JSON.stringify(discharged), /Tamarbridge/i)
    assert.doesNotMatch(await completionTextOf(service, workspaceId), /TAMARBRIDGE/, 'the newest is downloaded')
  })
})

describe('ST500681', () => {
  it('has new proprietors and no restriction after a transfer of equity', async () => {
    const borrowers = [aBorrower('Tracey'), aBorrower('Oliver', 'Hart')]
    const workspaceId = await aSentCase(service, 'ST500681', {
      borrowers,
      async reconcile(id) {
        const seen = await readReconciliation(service, id)
        const { proprietorId } = unmatchedNamed(seen, 'William')
        const partyId = seen.parties[1]?.partyId
        await reconcile(service, id, { action: 'SET_AS_INCOMING_PROPRIETOR', partyId })
        await reconcile(service, id, { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId })
      },
    })
    assert.deepEqual(await walk(service, workspaceId, UNTIL_REGISTERED), ['CLOSED REGISTERED'])
    const text = await completionTextOf(service, workspaceId)
    assert.match(text, /PROPRIETOR: TRACEY PRYNNE and OLIVER HART of/)
    assert.doesNotMatch(text, /WILLIAM|RESTRICTION:|Price stated|EASTMOOR/)
  })
})

describe('LR100001', () => {
  it('needs no application for it, even with a transfer: it ends with the lender’s charge', async () => {
    const workspaceId = await aSentCase(service, 'LR100001', {
      borrowers: [aBorrower('Harriet', 'Bell')],
      async reconcile(id) {
        const { proprietorId } = unmatchedNamed(await readReconciliation(service, id), 'Simon')
        await reconcile(service, id, { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId })
      },
    })
    const [register] = await titleDocumentsOf(service, workspaceId)
    assert.match(JSON.stringify(register), /"chargeRestriction":.*in favour of Eastmoor Bank plc/)
    await walk(service, workspaceId, UNTIL_REGISTERED)
    const registered = ['DISCHARGE', 'MORTGAGE_DEED', 'TRANSFER_OF_WHOLE'].map((type) => `${type} REGISTERED`)
    assert.deepEqual(await applicationsOf(workspaceId), registered)
    assert.doesNotMatch(await completionTextOf(service, workspaceId), /RESTRICTION|EASTMOOR/)
  })
})

describe('TC100001, with two charges, and LH100001, a leasehold', () => {
  for (const [titleNumber, tenure] of [
    ['TC100001', 'FREEHOLD'],
    ['LH100001', 'LEASEHOLD'],
  ] as const) {
    it(`${titleNumber}: one discharge, and only the new charge afterwards`, async () => {
      const workspaceId = await aSentCase(service, titleNumber)
      assert.equal((await readCase(service, workspaceId)).titles[0]?.tenure, tenure)
      await walk(service, workspaceId, UNTIL_REGISTERED)
      assert.deepEqual(await applicationsOf(workspaceId), ['DISCHARGE REGISTERED', 'MORTGAGE_DEED REGISTERED'])
      assert.doesNotMatch(await completionTextOf(service, workspaceId), /EASTMOOR|TAMARBRIDGE/)
    })
  }
})

describe('DN514817', () => {
  it('has the new name after a change of name', async () => {
    const workspaceId = await aSentCase(service, 'DN514817', {
      borrowers: [aBorrower('Maria', 'Bueno')],
      async reconcile(id) {
        const { proprietorId } = unmatchedNamed(await readReconciliation(service, id), 'Maria')
        const proprietorDetails = { forenames: 'Maria', surname: 'Bueno' }
        const action = { action: 'UPDATE_PROPRIETOR_NAME', proprietorId, type: 'INDIVIDUAL', proprietorDetails }
        await reconcile(service, id, action)
      },
    })
    assert.deepEqual(await walk(service, workspaceId, UNTIL_REGISTERED), ['CLOSED REGISTERED'])
    assert.match(await completionTextOf(service, workspaceId), /PROPRIETOR: MARIA BUENO of/)
  })
})

describe('AB1208', () => {
  it('is the man’s alone after the company has left', async () => {
    const workspaceId = await aSentCase(service, 'AB1208', {
      borrowers: [aBorrower('Alan', 'Turner')],
      async reconcile(id) {
        const { proprietorId } = unmatchedNamed(await readReconciliation(service, id), 'Turner Holdings Limited')
        await reconcile(service, id, { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId })
      },
    })
    assert.deepEqual(await walk(service, workspaceId, UNTIL_REGISTERED), ['CLOSED REGISTERED'])
    assert.match(await completionTextOf(service, workspaceId), /PROPRIETOR: ALAN TURNER of/)
  })
})

describe('CO100001', () => {
  it('is registered for a company, with no discharge to wait for', async () => {
    const workspaceId = await aSentCase(service, 'CO100001')
    assert.deepEqual(await walk(service, workspaceId, 'P1D', UNTIL_REGISTERED), ['LODGED LODGED', 'CLOSED REGISTERED'])
    assert.equal((await datesOf(workspaceId))?.discharged, null)
    assert.match(await completionTextOf(service, workspaceId), /TURNER HOLDINGS LIMITED \(company number 02294747\)/)
  })

  it('is registered under the new name of a company that was renamed', async () => {
    const borrowers = [aCompany('Turner Group Limited', '02294747')]
    const workspaceId = await aSentCase(service, 'CO100001', { borrowers })
    assert.deepEqual(await walk(service, workspaceId, UNTIL_REGISTERED), ['CLOSED REGISTERED'])
    assert.match(await completionTextOf(service, workspaceId), /TURNER GROUP LIMITED \(company number 02294747\)/)
  })
})

describe('CX100001', () => {
  it('is cancelled two days after it was accepted, and its resubmission succeeds under a new message id', async () => {
    const workspaceId = await aSentCase(service, 'CX100001')
    assert.deepEqual(await walk(service, workspaceId, 'P1D', 'P2D'), [
      'LODGED LODGED',
      'FUNDS_EXCHANGED REGISTRATION_REJECTED',
    ])
    const message = await messageOf(workspaceId, 'LODGEMENT_REJECTED')
    assert.match(message, /cancelled the case: The deed that was lodged/)
    assert.deepEqual(await applicationsOf(workspaceId), ['MORTGAGE_DEED REJECTED'])
    const { registryReference, rejection } = await readCase(service, workspaceId)
    assert.partialDeepStrictEqual(rejection, { reason: 'CANCELLED_BY_REGISTRY', message })
    assert.match(rejection?.at ?? '', /Z$/)
    assert.equal((await approve(service, workspaceId)).status, 409, 'nothing was changed')
    await approveAgain(service, workspaceId)
    assert.deepEqual(await walk(service, workspaceId, 'PT0S'), ['FUNDS_EXCHANGED INITIATED'])
    const sentAgain = await readCase(service, workspaceId)
    assert.equal(sentAgain.registryReference, undefined, 'its priority is lost')
    assert.equal(sentAgain.rejection, undefined)
    assert.deepEqual(await walk(service, workspaceId, 'P1D', UNTIL_REGISTERED), ['LODGED LODGED', 'CLOSED REGISTERED'])
    assert.notEqual((await readCase(service, workspaceId)).registryReference, registryReference)
    const submissions = await service.deps.db.query(
      `select number, submission_id from submissions join lodgement_cases using (lodgement_case_id)
        where workspace_id = $1 order by number`,
      [workspaceId],
    )
    assert.deepEqual(
      submissions.map((row) => row['number']),
      [1, 2],
    )
    const again = [
      'READINESS_CONFIRMED',
      'LODGEMENT_CASE_PREPARED',
      'LODGEMENT_SUBMITTED',
      'WORKSPACE_LODGED',
      ...REGISTERED,
    ]
    assert.deepEqual(await typesOf(workspaceId), [...SENT, 'WORKSPACE_LODGED', 'LODGEMENT_REJECTED', ...again])
  })
})

describe('VF100001', () => {
  it('fails the validation until its deed has another reference', async () => {
    const workspaceId = await aSentCase(service, 'VF100001')
    const rejected = 'FUNDS_EXCHANGED REGISTRATION_REJECTED'
    assert.deepEqual(await walk(service, workspaceId, 'P1D'), [rejected])
    assert.match(await messageOf(workspaceId, 'LODGEMENT_REJECTED'), /at mortgageDeedReference: .* MD431C on record/)
    const { rejection } = await readCase(service, workspaceId)
    assert.partialDeepStrictEqual(rejection, { reason: 'VALIDATION_FAILED', field: 'mortgageDeedReference' })
    await approveAgain(service, workspaceId)
    assert.deepEqual(await walk(service, workspaceId, 'P1D'), [rejected])
    await patchDeed(service, workspaceId, { mortgageDeedReference: 'MD999Z' })
    assert.equal((await approve(service, workspaceId)).status, 202)
    assert.deepEqual(await walk(service, workspaceId, 'P1D', UNTIL_REGISTERED), ['LODGED LODGED', 'CLOSED REGISTERED'])
  })
})

describe('SE100001', () => {
  it('is retried after an hour each time the registry errs, and then goes on as usual', async () => {
    const workspaceId = await aSentCase(service, 'SE100001')
    const initiated = 'FUNDS_EXCHANGED INITIATED'
    const progress = await walk(service, workspaceId, 'PT1H', 'PT1H', 'PT23H', 'PT1H', UNTIL_REGISTERED)
    assert.deepEqual(progress, [initiated, initiated, initiated, 'LODGED LODGED', 'CLOSED REGISTERED'])
    assert.deepEqual(await typesOf(workspaceId), [...SENT, 'WORKSPACE_LODGED', ...REGISTERED], 'and was sent but once')
  })
})
