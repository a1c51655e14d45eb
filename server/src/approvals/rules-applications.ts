import { counts, isOutdated, MAIN_DOCUMENT_TYPES, mainDocument } from '../lodgement/attachments.ts'
import { assessedPence } from '../lodgement/fees.ts'
import type { Particulars } from '../lodgement/rules.ts'
import type { CaseStatus } from '../workspaces/status.ts'
import type { Fix } from './rules-advice.ts'
import {
  deeds,
  type Finding,
  failed,
  liveApplications,
  ofOne,
  passed,
  type ReadinessFacts,
  type ReviewedApplication,
  type Rule,
} from './rules-facts.ts'

// The rules about the applications and their documents.

const BLOCKING = { approval: 'LODGEMENT', kind: 'BLOCKING' } as const

export const APPLICATION_RULES = {
  'required-identity-evidence-provided': {
    ...BLOCKING,
    checks: 'There is an `IDENTITY_FORM` for each party that is not represented and gives evidence of identity.',
    fixedBy: ['attach'],
    review: (facts) => {
      const parties = representationsOf(facts).filter((one) => one.verificationOfIdentity === 'IDENTITY_EVIDENCE')
      const live = liveApplications(facts).map(({ application }) => application)
      const forms = live
        .flatMap(({ documents }) => documents.filter(counts))
        .filter(({ documentType }) => documentType === 'IDENTITY_FORM')
      const count = `needed ${parties.length}, attached ${forms.length}.`
      if (forms.length >= parties.length) {
        return [passed('applications', `There is an IDENTITY_FORM for each party that needs one: ${count}`)]
      }
      const fixes = live.slice(0, 1).map(({ applicationId }): Fix => {
        const form = { documentType: 'IDENTITY_FORM', documentCategory: 'SUPPORTING_DOCUMENT' } as const
        return { do: 'attach', applicationId, ...form, says: 'attach one to an application' }
      })
      const problem = `Each party that gives evidence of identity needs an IDENTITY_FORM: ${count}`
      return [failed('applications', problem, ...fixes)]
    },
  },

  'all-mandatory-documents-provided': {
    ...BLOCKING,
    checks:
      'The main document of each application is attached and has passed its checks. A discharge needs one (`EVIDENCE`) only when it is sent on its own, after an early completion.',
    fixedBy: ['attach'],
    review: (facts) =>
      liveApplications(facts).map(({ application, at }) =>
        ofOne(application, document(application, at, facts.caseStatus)),
      ),
  },

  'charge-must-have-non-negative-value': {
    ...BLOCKING,
    checks: 'The mortgage deed has a `transactionValue`, of 0 or more.',
    fixedBy: ['update application'],
    review: (facts) => deeds(facts).map(({ application, at }) => valued(application, at, 'The charge')),
  },

  'transfer-must-have-value': {
    ...BLOCKING,
    checks:
      'A transfer has a `transactionValue`, of 0 or more, or, where it is not for money, a `transactionValueBand`, so that its fee is known.',
    fixedBy: ['update application'],
    review: (facts) =>
      liveApplications(facts)
        .filter(({ application }) => application.applicationType === 'TRANSFER_OF_WHOLE')
        .map(({ application, at }) => valued(application, at, 'The transfer')),
  },

  'mdref-on-record': {
    ...BLOCKING,
    checks: 'The mortgage deed has a type, and a reference in the format of that type.',
    fixedBy: ['update application'],
    review: (facts) =>
      deeds(facts).map(({ application, at }) => {
        const { mortgageDeedReference = '', mortgageDeedReferenceType: type } = application
        if (!type) {
          const fix = update(application, { mortgageDeedReferenceType: 'PAPER' }, 'set mortgageDeedReferenceType')
          return ofOne(application, failed(`${at}.mortgageDeedReferenceType`, 'The deed has no type.', fix))
        }
        const field = `${at}.mortgageDeedReference`
        const { pattern, example } = DEED_REFERENCES[type]
        if (pattern.test(mortgageDeedReference)) return ofOne(application, passed(field, 'The deed has a reference.'))
        const problem = `The reference of a ${type} deed is one such as ${example}.`
        const fix = update(application, { mortgageDeedReference: example }, 'set mortgageDeedReference')
        return ofOne(application, failed(field, problem, fix))
      }),
  },

  'deed-is-effective': {
    approval: 'LODGEMENT',
    kind: 'BLOCKING_SUBMISSION',
    checks: 'A digital deed is effective. The case can be approved before, and is sent as soon as it is.',
    fixedBy: ['update application'],
    review: (facts) =>
      deeds(facts).map(({ application, at }) => {
        const field = `${at}.isEffective`
        const isDigital = application.mortgageDeedReferenceType === 'DIGITAL'
        if (!isDigital || application.isEffective === true) {
          return ofOne(application, passed(field, 'The deed is effective, or will be when it is dated.'))
        }
        const fix = update(application, { isEffective: true }, 'set isEffective once it is')
        return ofOne(application, failed(field, 'The DIGITAL deed is not effective yet.', fix))
      }),
  },
} as const satisfies Record<string, Rule>

const DEED_REFERENCES = {
  PAPER: { pattern: /^MD[0-9]{3,4}[A-Z]$/, example: 'MD431C' },
  DIGITAL: { pattern: /^e-MD[0-9]{3,4}[A-Z]$/, example: 'e-MD431C' },
}

/** Those of present parties: one of a party that reconciliation took away counts for nothing. */
const representationsOf = ({ parties, representations }: ReadinessFacts) =>
  representations.filter((one) => parties.some(({ partyId }) => partyId === one.partyId))

function document(application: ReviewedApplication, at: string, caseStatus: CaseStatus): Finding {
  const { applicationId, applicationType } = application
  const field = `${at}.file`
  const main = mainDocument(application)
  const types = MAIN_DOCUMENT_TYPES[applicationType]
  const [documentType = 'EVIDENCE'] = types
  const fix = { do: 'attach', applicationId, documentType, documentCategory: 'APPLICATION_DOCUMENT' } as const
  if (main && isOutdated(application, main)) {
    return failed(field, 'The deed was uploaded before it became DIGITAL.', { ...fix, says: 'upload it again' })
  }
  // Discharges are electronic as a rule, and follow by themselves.
  const needsNone = applicationType === 'DISCHARGE' && caseStatus !== 'PARTIALLY_REGISTERED'
  if (needsNone || (main && counts(main))) return passed(field, 'The documents are complete.')
  if (main) return failed(field, 'The main document is still being checked.')
  return failed(field, 'The main document is missing.', { ...fix, says: `attach it: ${types.join(' or ')}` })
}

function valued(application: ReviewedApplication, at: string, what: string): Finding {
  const field = `${at}.transactionValue`
  if (assessedPence(application) !== undefined) return ofOne(application, passed(field, `${what} has a value.`))
  const fix = update(application, { transactionValuePence: 0 }, 'set transactionValue, to 0 or more')
  return ofOne(application, failed(field, `${what} has no value.`, fix))
}

const update = ({ applicationId }: ReviewedApplication, asked: Particulars, says: string): Fix => ({
  do: 'update application',
  applicationId,
  asked,
  says,
})
