import { HMLR } from '../hmlr/settings.ts'
import { counts } from '../lodgement/attachments.ts'
import type { Fix } from './rules-advice.ts'
import {
  type Finding,
  failed,
  liveApplications,
  ofOne,
  passed,
  type ReadinessFacts,
  type ReviewedApplication,
  type Rule,
} from './rules-facts.ts'

// What the registry in use asks for in addition. The sandbox's registry asks for nothing.

export const REGISTRY_RULES = {
  'registry-takes-application': {
    approval: 'LODGEMENT',
    kind: 'BLOCKING',
    checks:
      'With HM Land Registry only: the deed is on paper and in whole pounds, a change of name has a `CORRESPONDENCE`, ' +
      'a restriction has form RX3 as its `EVIDENCE`, and there is no transfer.',
    fixedBy: ['update application', 'attach'],
    review: (facts: ReadinessFacts) =>
      facts.registry === HMLR
        ? liveApplications(facts).map(({ application, at }) => ofOne(application, taken(application, at)))
        : [],
  },
} as const satisfies Record<string, Rule>

const INT32_MAX = 2_147_483_647

function taken(application: ReviewedApplication, at: string): Finding {
  const { applicationId, applicationType, documents, transactionValuePence: pence = 0 } = application
  const live = documents.filter(counts)
  const attach = (documentType: 'CORRESPONDENCE' | 'EVIDENCE', says: string): Fix => {
    const documentCategory = documentType === 'EVIDENCE' ? 'APPLICATION_DOCUMENT' : 'SUPPORTING_DOCUMENT'
    return { do: 'attach', applicationId, documentType, documentCategory, says }
  }
  switch (applicationType) {
    case 'MORTGAGE_DEED': {
      if (application.mortgageDeedReferenceType === 'DIGITAL') {
        return failed(`${at}.mortgageDeedReferenceType`, 'A digital deed cannot be sent to HM Land Registry from here.')
      }
      if (pence % 100 === 0 && pence / 100 <= INT32_MAX) break
      const asked = { transactionValuePence: Math.round(pence / 100) * 100 }
      const fix: Fix = { do: 'update application', applicationId, asked, says: 'set transactionValue to whole pounds' }
      return failed(`${at}.transactionValue`, 'HM Land Registry takes whole pounds.', fix)
    }
    case 'CHANGE_OF_NAME':
      if (live.some(({ documentType }) => documentType === 'CORRESPONDENCE')) break
      return failed(
        `${at}.documents`,
        'HM Land Registry wants a letter with a change of name.',
        attach('CORRESPONDENCE', 'attach it as CORRESPONDENCE'),
      )
    case 'CANCEL_A_RESTRICTION':
      if (live.some((one) => one.documentType === 'EVIDENCE' && one.documentCategory === 'APPLICATION_DOCUMENT')) break
      return failed(`${at}.file`, 'HM Land Registry wants form RX3.', attach('EVIDENCE', 'attach it as EVIDENCE'))
    case 'TRANSFER_OF_WHOLE':
      return failed(at, 'A transfer cannot be sent to HM Land Registry from here yet.')
  }
  return passed(at, 'The registry takes it.')
}
