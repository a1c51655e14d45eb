import { counts, mainDocument } from '../lodgement/attachments.ts'
import type { Address } from '../registry/register.ts'
import type { Category } from '../settlement/rules.ts'
import type { Fix } from './rules-advice.ts'
import {
  deeds,
  type Finding,
  failed,
  liveApplications,
  ofOne,
  passed,
  type ReadinessFacts,
  type Rule,
} from './rules-facts.ts'
import { inPounds } from './rules-financial.ts'
import { anyStays } from './rules-parties.ts'

// What is unusual but may be right: a person can confirm that it is. A confirmation is for the facts that `basis` names.

const LODGEMENT = { approval: 'LODGEMENT', kind: 'CONFIRMABLE' } as const
const FINANCIAL = { approval: 'FINANCIAL', kind: 'CONFIRMABLE' } as const

export const CONFIRMABLE_RULES = {
  'security-address-matches-register': {
    ...LODGEMENT,
    checks:
      'The security address has the postcode of the register, and its `flat`, `number` and `name` are in that address.',
    fixedBy: ['correct the order', 'remove the title'],
    basis: ({ securityAddress, register }) => [Object.entries(securityAddress).sort(), register?.titleId],
    review: ({ securityAddress, register }) => {
      const field = 'securityAddress'
      if (!register) return [passed(field, 'There is no register to compare the security address with yet.')]
      if (isSameAddress(securityAddress, register.address)) {
        return [passed(field, 'The security address is that of the register.')]
      }
      const { lines, postcode = 'no postcode' } = register.address
      const problem = `The security address is not that of the register: ${[...lines, postcode].join(', ')}.`
      return [
        failed(
          field,
          problem,
          { do: 'correct the order', says: 'have the lender correct it' },
          { do: 'remove the title', says: 'remove the title and add another' },
        ),
      ]
    },
  },

  'deed-is-certified': {
    ...LODGEMENT,
    checks: 'The document of the mortgage deed is an original or a certified copy, not a scan.',
    fixedBy: ['attach'],
    basis: (facts) => deeds(facts).map(({ application }) => mainDocument(application)?.fileId),
    review: (facts) =>
      deeds(facts).map(({ application, at }) => {
        const main = mainDocument(application)
        const isScan = main !== undefined && counts(main) && main.certificationType === 'SCANNED'
        if (!isScan) return ofOne(application, passed(`${at}.file`, 'The deed is not a scan.'))
        const deed = { documentType: 'MORTGAGE_DEED', documentCategory: 'APPLICATION_DOCUMENT' } as const
        const { applicationId } = application
        const fix: Fix = { do: 'attach', applicationId, ...deed, says: 'attach the original or a certified copy' }
        return ofOne(application, failed(`${at}.file`, 'The deed is a scan.', fix))
      }),
  },

  'some-proprietor-stays': {
    ...LODGEMENT,
    checks: 'At least one registered proprietor stays.',
    fixedBy: ['remove role'],
    basis: ({ proprietors }) => proprietors.filter(({ outgoing }) => outgoing).map(({ proprietorId }) => proprietorId),
    review: ({ searched, proprietors, parties }) => {
      const isSale = searched && proprietors.length > 0 && proprietors.every(({ outgoing }) => outgoing)
      if (!isSale) return [passed('parties', 'A registered proprietor stays, or none is known yet.')]
      return [failed('parties', 'Every registered proprietor is outgoing: that is a sale.', ...anyStays(parties))]
    },
  },

  'resubmission-was-changed': {
    ...LODGEMENT,
    checks: 'After a rejection, an application or a document of one was changed.',
    fixedBy: ['update application', 'attach'],
    basis: ({ lastSubmissionId }) => lastSubmissionId,
    review: (facts) => {
      if (facts.caseStatus !== 'REGISTRATION_REJECTED') return []
      // A change of it takes an application out of this status.
      if (liveApplications(facts).some(({ application }) => application.status !== 'REJECTED')) {
        return [passed('applications', 'An application was changed since the rejection.')]
      }
      const fixes = deeds(facts).map(({ application: { applicationId, transactionValuePence = 0 } }): Fix => {
        const asked = { transactionValuePence: transactionValuePence + 1 }
        return { do: 'update application', applicationId, asked, says: 'change an application or its documents' }
      })
      return [failed('applications', 'Nothing was changed since the registry rejected the case.', ...fixes)]
    },
  },

  'redemption-provided-for-registered-charge': {
    ...FINANCIAL,
    checks: 'Where the register shows a charge, the schedule has a `Redemption`.',
    fixedBy: ['add line item'],
    basis: ({ register, schedule }) => [
      register?.titleId,
      schedule.lines.filter(isOf('Redemption')).map(({ lineItemId, amountPence }) => [lineItemId, amountPence]),
    ],
    review: ({ register, schedule }) => {
      if (!register?.hasCharge) return [passed('lineItems', 'No charge to redeem is known.')]
      if (schedule.lines.some(isOf('Redemption'))) return [passed('lineItems', 'The schedule has a Redemption.')]
      const fix: Fix = { do: 'add line item', category: 'Redemption', says: 'add one' }
      return [failed('lineItems', 'The register shows a charge, and the schedule has no Redemption.', fix)]
    },
  },

  'advance-covers-deed': {
    ...FINANCIAL,
    checks: 'The `Mortgage Advance` lines come to the value of the mortgage deed.',
    fixedBy: ['update application', 'change line item', 'add line item'],
    basis: (facts) => [valuesOf(facts), advanceOf(facts)],
    review: (facts) =>
      deeds(facts)
        .slice(0, 1)
        .map(({ application }) => covered(facts, application)),
  },
} as const satisfies Record<string, Rule>

const isOf = (wanted: Category) => (line: { category: Category }) => line.category === wanted

const valuesOf = (facts: ReadinessFacts) => deeds(facts).map(({ application }) => application.transactionValuePence)

const advanceOf = ({ schedule: { lines } }: ReadinessFacts): number =>
  lines.filter(isOf('Mortgage Advance')).reduce((sum, { amountPence }) => sum + amountPence, 0)

type Deed = ReturnType<typeof deeds>[number]['application']

function covered(facts: ReadinessFacts, { applicationId, transactionValuePence }: Deed): Finding {
  const advance = advanceOf(facts)
  if (transactionValuePence === undefined || transactionValuePence === advance) {
    return passed('lineItems', 'The Mortgage Advance is the value of the deed, or that is not set yet.')
  }
  const asked = { transactionValuePence: advance }
  const line = facts.schedule.lines.find(isOf('Mortgage Advance'))
  const lineFix: Fix = line
    ? { do: 'change line item', lineItemId: line.lineItemId, says: 'change the Mortgage Advance' }
    : { do: 'add line item', category: 'Mortgage Advance', says: 'add a Mortgage Advance' }
  const valueFix: Fix = {
    do: 'update application',
    applicationId,
    asked,
    says: 'change the transactionValue of the deed',
  }
  const problem = `The deed secures ${inPounds(transactionValuePence)}, and the Mortgage Advance comes to ${inPounds(advance)}.`
  return failed('lineItems', problem, lineFix, valueFix)
}

/** The postcodes are equal, and each of `flat`, `number` and `name` is in the address as whole words. */
export function isSameAddress(given: Readonly<Record<string, string>>, { lines, postcode }: Address): boolean {
  const registered = lines.flatMap(wordsOf)
  return (
    postcode !== undefined &&
    compact(postcode) === compact(given['postcode'] ?? '') &&
    ['flat', 'number', 'name'].every((part) => has(registered, wordsOf(given[part] ?? '')))
  )
}

const compact = (postcode: string) => postcode.replace(/\s/g, '').toUpperCase()

/** Without accents and apostrophes, in upper case. */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toUpperCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** One after the other. */
const has = (words: readonly string[], wanted: readonly string[]): boolean =>
  words.some((_, at) => wanted.every((word, i) => words[at + i] === word)) || wanted.length === 0
