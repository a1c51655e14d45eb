import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type ActiveRepresentation,
  type JudgedApplication,
  RULES,
  type RuleId,
  type Standing,
} from '../../src/approvals/rules.ts'
import type { Attachment, AttachmentType } from '../../src/lodgement/attachments.ts'
import type { ApplicationType } from '../../src/lodgement/rules.ts'
import { aMatter } from './matters.ts'

// Cases as they are judged, without a database. Each is ready but for what a test says of it.

export const ready = (facts: Partial<Standing> = {}): Standing => ({
  ...aMatter(['William Prynne', 'Tracey Prynne'], ['William Prynne', 'Tracey Prynne']),
  searchStatus: 'SUCCESS',
  representations: [represented('party 1'), represented('party 2')],
  applications: [aDeed(), anApplication('DISCHARGE')],
  ...facts,
})

export const represented = (partyId: string, facts: Partial<ActiveRepresentation> = {}): ActiveRepresentation => ({
  partyId,
  representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM',
  ...facts,
})

export const EXTERNAL = { representedBy: 'EXTERNAL_LAW_FIRM' } as const
export const CERTIFIED = {
  representedBy: 'NOT_REPRESENTED',
  verificationOfIdentity: 'LAW_FIRM_CERTIFIED',
} as const
export const EVIDENCED = { representedBy: 'NOT_REPRESENTED', verificationOfIdentity: 'IDENTITY_EVIDENCE' } as const

export const anApplication = (
  applicationType: ApplicationType,
  facts: Partial<JudgedApplication> = {},
): JudgedApplication => ({
  applicationId: applicationType,
  applicationType,
  status: 'DRAFT',
  documents: [],
  ...facts,
})

export const aDeed = (facts: Partial<JudgedApplication> = {}): JudgedApplication =>
  anApplication('MORTGAGE_DEED', {
    transactionValuePence: 206_000_00,
    mortgageDeedReference: 'MD431C',
    mortgageDeedReferenceType: 'PAPER',
    documents: [aDocument('MORTGAGE_DEED')],
    ...facts,
  })

export const aDocument = (documentType: AttachmentType, facts: Partial<Attachment> = {}): Attachment => ({
  documentType,
  documentCategory: 'APPLICATION_DOCUMENT',
  status: 'SUCCESS',
  ...facts,
})

export const aForm = (facts: Partial<Attachment> = {}): Attachment =>
  aDocument('IDENTITY_FORM', { documentCategory: 'SUPPORTING_DOCUMENT', ...facts })

/** A copy without one of its facts. */
export function without<T extends object, K extends keyof T>(whole: T, ...names: K[]): Omit<T, K> {
  const rest = Object.entries(whole).filter(([name]) => !names.includes(name as K))
  return Object.fromEntries(rest) as Omit<T, K>
}

/** Where a rule fails, and where it passes. */
export type Case = [what: string, standing: Standing, failed: string[], passed: string[]]

export function rule(ruleId: RuleId, cases: Case[]): void {
  describe(ruleId, () => {
    for (const [what, standing, failed, passed] of cases) {
      it(`${failed.length ? 'refuses' : 'passes'} ${what}`, () => {
        const findings = RULES[ruleId](standing)
        const fields = (verdict: boolean) => findings.filter((one) => one.passed === verdict).map(({ field }) => field)
        assert.deepEqual([fields(false), fields(true)], [failed, passed])
        for (const { message } of findings) assert.match(message, /^\S.*\.$/)
      })
    }
  })
}
