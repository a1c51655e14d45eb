import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import {
  approve,
  attachChecked,
  failuresOf,
  liveApplications,
  PAPER_DEED,
  patchDeed,
  type Readiness,
  readinessOf,
} from '../../test/fixtures/approvals.ts'
import { aReadyCase } from '../../test/fixtures/lodging.ts'
import { accepted, EXTERNAL, OWN, UNREPRESENTED } from '../../test/fixtures/representations.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  aSearchedWorkspace,
  aWorkspace,
  drain,
  errorsOf,
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
before(async () => {
  service = await sharedService('still')
})

type Shown = { records: Readiness[]; nextCursor?: string }

const read = (workspaceId: string, query = '', as: { as?: string } = FIRM, headers: Record<string, string> = {}) =>
  service.call<Shown>('GET', `${WORKSPACES}/${workspaceId}/readiness${query}`, { ...as, headers })

describe('GET /workspaces/{workspace_id}/readiness', () => {
  it('shows one record for each rule and thing, passed or not, the same to lender and law firm', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    const { status, body } = await read(workspaceId)
    assert.equal(status, 200)
    assert.deepEqual(
      body.records.map(({ ruleId, outcome, field }) => `${outcome} ${ruleId} ${field}`),
      [
        'PASSED title-must-be-valid titles[0]',
        'PASSED all-proprietors-matched-to-borrowers parties[0]',
        'PASSED all-proprietors-matched-to-borrowers parties[1]',
        'PASSED proprietor-count parties',
        'FAILED party-representation-type-is-valid parties[0].representation',
        'FAILED party-representation-type-is-valid parties[1].representation',
        'PASSED required-identity-evidence-provided applications',
        'FAILED all-mandatory-documents-provided applications[0].file',
        'PASSED all-mandatory-documents-provided applications[1].file',
        'FAILED charge-must-have-non-negative-value applications[0].transactionValue',
        'FAILED mdref-on-record applications[0].mortgageDeedReferenceType',
        'PASSED deed-is-effective applications[0].isEffective',
        'FAILED schedule-has-source lineItems',
        'FAILED schedule-has-destination lineItems',
        'PASSED schedule-balances lineItems',
        'FAILED completion-date-is-valid completionDate',
        'PASSED security-address-matches-register securityAddress',
        'PASSED deed-is-certified applications[0].file',
        'PASSED some-proprietor-stays parties',
        'FAILED redemption-provided-for-registered-charge lineItems',
        'PASSED advance-covers-deed lineItems',
      ],
    )
    assert.deepEqual((await read(workspaceId, '', LENDER)).body, body)
    assert.equal((await readWorkspace(service, workspaceId)).readyForApproval, false)
  })

  it('passes every rule of a case that is ready, and of no other', async () => {
    const workspaceId = await aReadyCase(service)
    assert.deepEqual(await failuresOf(service, workspaceId), [])
    await patchDeed(service, workspaceId, { mortgageDeedReference: 'none' })
    assert.deepEqual(
      (await failuresOf(service, workspaceId)).map(({ field }) => field),
      ['applications[0].mortgageDeedReference'],
    )
    assert.equal((await readWorkspace(service, workspaceId)).readyForApproval, false)
    await patchDeed(service, workspaceId, PAPER_DEED)
    assert.equal((await readWorkspace(service, workspaceId)).readyForApproval, true)
  })

  it('comes in pages that leave out and repeat nothing', async () => {
    const { workspaceId } = await aWorkspace(service)
    const whole = await readinessOf(service, workspaceId)
    const seen: Readiness[] = []
    let cursor: string | undefined
    do {
      const { body } = await read(workspaceId, `?limit=4${cursor ? `&cursor=${cursor}` : ''}`)
      assert.ok(body.records.length <= 4)
      seen.push(...body.records)
      cursor = body.nextCursor
    } while (cursor)
    assert.deepEqual(seen, whole)
    assert.ok(whole.length > 4)
  })

  it('answers 400, 401, 403 and 404', async () => {
    const { workspaceId } = await aWorkspace(service)
    const wrong = await read('x', '?limit=0&cursor=x')
    assert.deepEqual([wrong.status, fieldsOf(wrong)], [400, ['cursor', 'limit', 'workspace_id']])
    assert.equal((await read(workspaceId, '', {})).status, 401)
    assert.equal((await read(workspaceId, '', {}, await narrowToken(service, FIRM.as))).status, 403)
    for (const answer of [await read(UNKNOWN_ID), await read(workspaceId, '', OTHER_FIRM)]) {
      assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['workspace_id']])
    }
  })
})

const EVIDENCED = { ...UNREPRESENTED, verificationOfIdentity: 'IDENTITY_EVIDENCE' }

/** How far a case has come: a title and its borrowers, who acts for each, what is known of the deed, what is attached. */
const aCase = fc.record({
  titleNumber: fc.constantFrom(undefined, 'ST500678', 'ST500678', 'ST500678', 'ST500681', 'NF100001'),
  second: fc.constantFrom('Tracey', 'Tracey', 'Grace'),
  acting: fc.array(fc.constantFrom(undefined, OWN, EXTERNAL, UNREPRESENTED, EVIDENCED), { minLength: 2, maxLength: 2 }),
  deed: fc.subarray(Object.keys(PAPER_DEED)),
  digital: fc.boolean(),
  documents: fc.subarray(['MORTGAGE_DEED', 'IDENTITY_FORM', 'IDENTITY_FORM'] as const),
})

describe('readiness and approval', () => {
  it('tell the very same failures, whatever the case', async () => {
    const seen = { approved: 0, refused: 0 }
    const law = fc.asyncProperty(aCase, async ({ titleNumber, second, acting, deed, digital, documents }) => {
      const parties = [aBorrower('William'), aBorrower(second)]
      const { workspaceId } = await aWorkspace(service, { parties, ...(titleNumber && { titleNumber }) })
      const known = await readWorkspace(service, workspaceId)
      for (const [i, { partyId }] of known.parties.entries()) {
        if (acting[i]) await accepted(service, workspaceId, { partyId, ...acting[i] })
      }
      await drain(service)
      const facts = Object.fromEntries(Object.entries(PAPER_DEED).filter(([name]) => deed.includes(name)))
      const type = digital && deed.includes('mortgageDeedReferenceType') && { mortgageDeedReferenceType: 'DIGITAL' }
      await patchDeed(service, workspaceId, { ...facts, ...type })
      const [application] = await liveApplications(service, workspaceId)
      for (const documentType of documents) {
        const category = documentType === 'MORTGAGE_DEED' ? 'APPLICATION_DOCUMENT' : 'SUPPORTING_DOCUMENT'
        if (application) await attachChecked(service, workspaceId, { ...application, documentType, category })
      }

      const failures = (await failuresOf(service, workspaceId)).map(({ field, message }) => ({ field, message }))
      const { readyForApproval } = await readWorkspace(service, workspaceId)
      const answer = await approve(service, workspaceId)
      assert.deepEqual(errorsOf(answer), failures)
      assert.equal(answer.status, failures.length ? 409 : 202)
      assert.equal(readyForApproval, failures.length === 0)
      const { lodgementCaseStatus } = await readCase(service, workspaceId)
      assert.equal(lodgementCaseStatus, failures.length ? 'CREATED' : 'PREPARED')
      seen[failures.length ? 'refused' : 'approved'] += 1
    })
    const complete: typeof aCase extends fc.Arbitrary<infer Case> ? Case : never = {
      titleNumber: 'ST500678',
      second: 'Tracey',
      acting: [OWN, EVIDENCED],
      deed: Object.keys(PAPER_DEED),
      digital: false,
      documents: ['MORTGAGE_DEED', 'IDENTITY_FORM'],
    }
    await fc.assert(law, { numRuns: 24, examples: [[complete]] })
    assert.ok(seen.approved > 0 && seen.refused > 0, JSON.stringify(seen))
  })
})
