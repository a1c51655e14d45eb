import { isOverseas, isWholePounds, roundedToPounds, transferProblems, WHOLE_POUNDS } from '../hmlr/rules.ts'
import { HMLR } from '../hmlr/settings.ts'
import { counts } from '../lodgement/attachments.ts'
import type { Particulars } from '../lodgement/rules.ts'
import { detailsOf } from '../workspaces/names.ts'
import type { Party } from '../workspaces/ownership.ts'
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
import { canBeGiven } from './rules-parties.ts'

// What the registry in use asks for in addition. The sandbox's registry asks for nothing.

const BLOCKING = { approval: 'LODGEMENT', kind: 'BLOCKING' } as const
const usesHmlr = ({ registry }: ReadinessFacts) => registry === HMLR

export const REGISTRY_RULES = {
  'registry-takes-parties': {
    ...BLOCKING,
    checks:
      'With HM Land Registry only: each party to whom a title is transferred has an `addressForService`, also who stays; ' +
      'no party is an overseas company, or represented by another law firm of the platform; the operator has set how ' +
      'the lender is named.',
    fixedBy: ['reconcile', 'represent'],
    review: (facts) =>
      usesHmlr(facts)
        ? [...facts.parties.map((party, i) => takenParty(party, `parties[${i}]`, facts)), lender(facts)]
        : [],
  },

  'registry-takes-application': {
    ...BLOCKING,
    checks:
      'With HM Land Registry only: the deed is on paper, amounts are in whole pounds, a change of name has a ' +
      '`CORRESPONDENCE`, a restriction has form RX3 as its `EVIDENCE`, and a transfer has its `titleGuarantee`, ' +
      '`considerationType` and, for two or more proprietors, its `trustDeclaration`.',
    fixedBy: ['update application', 'attach'],
    review: (facts) =>
      usesHmlr(facts)
        ? liveApplications(facts).flatMap(({ application, at }) => {
            const found = problemsOf(application, at, facts)
            const findings = found.length ? found : [passed(at, 'The registry takes it.')]
            return findings.map((finding) => ofOne(application, finding))
          })
        : [],
  },
} as const satisfies Record<string, Rule>

const ELSEWHERE = 'Lodge this matter in the registry’s own portal.'

function takenParty(party: Party, at: string, facts: ReadinessFacts): Finding {
  const { partyId, name, role, addressForService } = party
  if (isOverseas(name)) {
    const problem = `An overseas company cannot be lodged with HM Land Registry from here. ${ELSEWHERE}`
    return failed(`${at}.partyDetails`, problem)
  }
  const firm = facts.representations.find((one) => one.partyId === partyId)?.subscriberId
  if (firm !== undefined && firm !== facts.lawFirmId) {
    const problem = 'HM Land Registry needs the address of the other law firm, which the platform does not know.'
    const says = 'add it as an external law firm'
    return failed(`${at}.representation`, problem, { do: 'represent', partyId, says })
  }
  const isTransfer = liveApplications(facts).some((one) => one.application.applicationType === 'TRANSFER_OF_WHOLE')
  if (isTransfer && role !== 'OUTGOING_PROPRIETOR' && !addressForService) {
    const problem = 'HM Land Registry needs an address for service of each party to whom a title is transferred.'
    return failed(`${at}.addressForService`, problem, ...addressing(party))
  }
  return passed(at, 'The registry takes this party.')
}

const AN_ADDRESS = { number: '1', street: 'High Street', town: 'Ely', postcode: 'CB79QZ' }

/** With the action that the party was, or can be, named with. */
function addressing({ partyId, name, role }: Party): Fix[] {
  const given = { partyId, addressForService: AN_ADDRESS }
  if (role === 'INCOMING_PROPRIETOR') {
    const action = { action: 'SET_AS_INCOMING_PROPRIETOR', ...given } as const
    return [{ do: 'reconcile', action, says: 'set addressForService with SET_AS_INCOMING_PROPRIETOR' }]
  }
  if (!canBeGiven(name)) return []
  const action = { action: 'UPDATE_PARTY_NAME', ...given, type: name.type, partyDetails: detailsOf(name) } as const
  return [{ do: 'reconcile', action, says: 'set addressForService with UPDATE_PARTY_NAME, under the same name' }]
}

function lender({ isLenderSet }: ReadinessFacts): Finding {
  if (isLenderSet) return passed('lender', 'The registry knows how the lender is named.')
  const problem =
    'It is not set how HM Land Registry knows this lender. Ask the operator: `lodgeway registry lender` sets it.'
  return failed('lender', problem)
}

function problemsOf(application: ReviewedApplication, at: string, facts: ReadinessFacts): Finding[] {
  const { applicationId, applicationType, documents, transactionValuePence: pence = 0 } = application
  const live = documents.filter(counts)
  const attach = (documentType: 'CORRESPONDENCE' | 'EVIDENCE', says: string): Fix => {
    const documentCategory = documentType === 'EVIDENCE' ? 'APPLICATION_DOCUMENT' : 'SUPPORTING_DOCUMENT'
    return { do: 'attach', applicationId, documentType, documentCategory, says }
  }
  const update = (asked: Particulars, says: string): Fix => ({ do: 'update application', applicationId, asked, says })
  switch (applicationType) {
    case 'MORTGAGE_DEED': {
      const problems: Finding[] = []
      if (application.mortgageDeedReferenceType === 'DIGITAL') {
        const problem = 'A digital deed cannot be sent to HM Land Registry from here.'
        const fix = update(
          { mortgageDeedReferenceType: 'PAPER' },
          'set mortgageDeedReferenceType to PAPER, with a paper deed',
        )
        problems.push(failed(`${at}.mortgageDeedReferenceType`, problem, fix))
      }
      if (!isWholePounds(pence)) {
        const fix = update({ transactionValuePence: roundedToPounds(pence) }, 'set transactionValue to whole pounds')
        problems.push(failed(`${at}.transactionValue`, `HM Land Registry ${WHOLE_POUNDS}.`, fix))
      }
      return problems
    }
    case 'CHANGE_OF_NAME':
      if (live.some(({ documentType }) => documentType === 'CORRESPONDENCE')) return []
      return [
        failed(
          `${at}.documents`,
          'HM Land Registry wants a letter with a change of name.',
          attach('CORRESPONDENCE', 'attach it as CORRESPONDENCE'),
        ),
      ]
    case 'CANCEL_A_RESTRICTION':
      if (live.some((one) => one.documentType === 'EVIDENCE' && one.documentCategory === 'APPLICATION_DOCUMENT'))
        return []
      return [failed(`${at}.file`, 'HM Land Registry wants form RX3.', attach('EVIDENCE', 'attach it as EVIDENCE'))]
    case 'TRANSFER_OF_WHOLE': {
      const transferees = facts.parties.filter(({ role }) => role !== 'OUTGOING_PROPRIETOR').length
      return transferProblems(application, transferees).map(({ field, needs, example }) =>
        failed(`${at}.${field}`, `HM Land Registry ${needs}.`, update(example, `set ${field}`)),
      )
    }
    case 'DISCHARGE':
      return []
  }
}
