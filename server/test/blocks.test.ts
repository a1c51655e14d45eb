import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterEach, before, describe, it } from 'node:test'
import { RULES, type RuleId } from '../src/approvals/rules.ts'
import { saveLender } from '../src/hmlr/store.ts'
import { keepRegistry } from '../src/platform/operations/state.ts'
import { makeRejected, patchDeed, readinessOf } from './fixtures/approvals.ts'
import { attach } from './fixtures/documents.ts'
import { upload } from './fixtures/multipart.ts'
import { readReconciliation, reconcile } from './fixtures/reconciliation.ts'
import { accepted } from './fixtures/representations.ts'
import { ADVANCE, addLine, businessDay, REDEMPTION, readSchedule, scheduleIdOf } from './fixtures/schedules.ts'
import { PARTNER, type TestService, testService } from './fixtures/service.ts'
import {
  aBorrower,
  aSearchedWorkspace,
  aWorkspace,
  drain,
  FIRM,
  LENDER,
  LENDER_ID,
  readCase,
} from './fixtures/workspaces.ts'
import { BLOCKS_PAGE, blocksPage, EXAMPLES, operationOf } from './scripts/blocks.ts'

describe('docs/guide/what-blocks.md', () => {
  it('matches the rules: `npm run blocks` updates it', async () => {
    assert.equal(await readFile(BLOCKS_PAGE, 'utf8'), blocksPage())
  })
})

let service: TestService
before(async () => {
  service = await testService()
})

const MARIA = aBorrower('Maria', 'Santos')

/** DN514817 has one proprietor, Maria Santos, and no charge. */
const searched = async (...parties: unknown[]) =>
  (await aSearchedWorkspace(service, 'DN514817', parties.length ? parties : [MARIA])).workspaceId

/** Grace comes to Maria's title. Or Maria leaves it, and Grace has not come yet. */
async function transferred(action: 'SET_AS_INCOMING_PROPRIETOR' | 'SET_AS_OUTGOING_PROPRIETOR'): Promise<string> {
  const workspaceId = await searched(aBorrower('Grace', 'Okafor'))
  const { parties, unmatchedProprietors } = await readReconciliation(service, workspaceId)
  const { partyId } = parties[0] ?? assert.fail()
  const { proprietorId } = unmatchedProprietors[0] ?? assert.fail()
  await reconcile(service, workspaceId, { action, ...(action.includes('INCOMING') ? { partyId } : { proprietorId }) })
  return workspaceId
}

async function withLines(...lines: object[]): Promise<string> {
  const workspaceId = await searched()
  const scheduleId = await scheduleIdOf(service, workspaceId)
  for (const line of lines) assert.equal((await addLine(service, scheduleId, line)).status, 201)
  return workspaceId
}

async function withDeed(facts: object): Promise<string> {
  const workspaceId = await searched()
  await patchDeed(service, workspaceId, facts)
  return workspaceId
}

/** The rules of another registry than the sandbox's. */
const useRegistry = (name: string) => keepRegistry(service.deps.db, name)

/** A matter that each rule blocks. */
const BLOCKED: Record<RuleId, () => Promise<string>> = {
  'title-must-be-valid': async () => (await aWorkspace(service)).workspaceId,
  'all-proprietors-matched-to-borrowers': () => searched(aBorrower('Mary', 'Santos')),
  'proprietor-count': () => transferred('SET_AS_OUTGOING_PROPRIETOR'),
  'party-representation-type-is-valid': () => searched(),
  'required-identity-evidence-provided': async () => {
    const workspaceId = await searched()
    const { parties } = await readReconciliation(service, workspaceId)
    const how = { representedBy: 'NOT_REPRESENTED', verificationOfIdentity: 'IDENTITY_EVIDENCE' }
    await accepted(service, workspaceId, { partyId: parties[0]?.partyId ?? '', ...how })
    await drain(service)
    return workspaceId
  },
  'all-mandatory-documents-provided': () => searched(),
  'charge-must-have-non-negative-value': () => searched(),
  'transfer-must-have-value': () => transferred('SET_AS_INCOMING_PROPRIETOR'),
  'mdref-on-record': () => searched(),
  'deed-is-effective': () => withDeed({ mortgageDeedReferenceType: 'DIGITAL', mortgageDeedReference: 'e-MD431C' }),
  'registry-takes-parties': async () => {
    await useRegistry('hmlr')
    await saveLender(service.deps.db, LENDER_ID, { kind: 'OTHER_ORGANISATION', companyNumber: null })
    return transferred('SET_AS_INCOMING_PROPRIETOR')
  },
  'registry-takes-application': async () => {
    await useRegistry('hmlr')
    return withDeed({ transactionValue: 206_000.1 })
  },
  'schedule-has-source': () => searched(),
  'schedule-has-destination': () => searched(),
  'schedule-balances': () => withLines(ADVANCE, { ...REDEMPTION, amount: 1 }),
  'completion-date-is-valid': () => searched(),
  'security-address-matches-register': async () => {
    const facts = { titleNumber: 'DN514817', postcode: 'EX4 3AN', parties: [MARIA] }
    const { workspaceId } = await aWorkspace(service, facts)
    await drain(service)
    return workspaceId
  },
  'deed-is-certified': async () => {
    const workspaceId = await searched()
    await attach(service, workspaceId, 'MORTGAGE_DEED', 'MORTGAGE_DEED', { certificationType: 'SCANNED' })
    await drain(service)
    return workspaceId
  },
  'some-proprietor-stays': () => transferred('SET_AS_OUTGOING_PROPRIETOR'),
  'resubmission-was-changed': async () => {
    const workspaceId = await searched()
    await makeRejected(service, workspaceId)
    return workspaceId
  },
  'redemption-provided-for-registered-charge': async () => (await aSearchedWorkspace(service, 'ST500678')).workspaceId,
  'advance-covers-deed': () => withDeed({ transactionValue: 206_000 }),
}

describe('the example of', () => {
  afterEach(() => useRegistry('simulator'))
  for (const ruleId of Object.keys(RULES) as RuleId[]) {
    it(`${ruleId} fixes it`, async () => {
      const workspaceId = await BLOCKED[ruleId]()
      const outcomes = async () =>
        (await readinessOf(service, workspaceId)).filter((one) => one.ruleId === ruleId).map(({ passed }) => passed)
      assert.ok((await outcomes()).includes(false), 'blocked before')
      const { status, text } = await send(workspaceId, ruleId)
      assert.ok(status < 300, text)
      await drain(service)
      assert.ok((await outcomes()).every((passed) => passed))
    })
  }
})

async function send(workspaceId: string, ruleId: RuleId) {
  const { do: what, body } = EXAMPLES[ruleId]
  const { method, path } = operationOf(what)
  const { lodgementCaseId, applications } = await readCase(service, workspaceId)
  const { financialSettlementScheduleId, lineItems } = await readSchedule(service, workspaceId)
  const transfer = applications.find(({ applicationType }) => applicationType === 'TRANSFER_OF_WHOLE')
  const application = ruleId === 'transfer-must-have-value' ? transfer : applications[0]
  const ids: Record<string, string> = {
    workspace_id: workspaceId,
    lodgement_case_id: lodgementCaseId,
    application_id: application?.applicationId ?? '',
    financial_settlement_schedule_id: financialSettlementScheduleId,
    line_item_id: lineItems.at(-1)?.lineItemId ?? '',
  }
  const url = PARTNER + path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? assert.fail(name))
  if (what === 'attach') return upload(service, url, { ...FIRM, fields: body as Record<string, string> })
  const { parties } = await readReconciliation(service, workspaceId)
  const json = {
    ...body,
    ...('partyId' in body && { partyId: parties[0]?.partyId }),
    ...('completionDate' in body && { completionDate: businessDay(service, 5) }),
  }
  return service.call(method, url, { ...(what === 'correct the order' ? LENDER : FIRM), json })
}
