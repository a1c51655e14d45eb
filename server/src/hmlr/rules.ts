import type { LodgedApplication, Lodgement, TransferTerms } from '../registry/lodgement.ts'
import type { Name } from '../workspaces/names.ts'
import { documentCode, NAME_EVIDENCE } from './documents.ts'
import type { Lender, RegistryError } from './shapes.ts'
import { hasCharge, isOwnerAfter } from './submission.ts'

/** What keeps a lodgement from being sent: what the gateway has no field for, and what it needs and we do not have. */
export function problemsOf(lodgement: Lodgement, lender: Lender | undefined): RegistryError[] {
  const { disclosableOverridingInterests: interests, applications } = lodgement
  const problems = [
    interests === undefined &&
      at('disclosableOverridingInterests', 'The registry needs to know whether there are any.'),
    interests && at('disclosableOverridingInterests', 'An application that needs form DI cannot be sent.'),
    hasCharge(lodgement) &&
      !lender &&
      at('lender', 'The operator has not set how the lender is named to the registry.'),
    !EMAIL.test(lodgement.submittedBy) && at('approvedBy', 'The registry needs an e-mail address.'),
    ...lodgement.parties.map(({ representation }) => {
      if (!representation) return at('representations', 'The registry needs to know who represents each party.')
      const { representedBy, firm, address } = representation
      const isElsewhere = representedBy !== 'NOT_REPRESENTED' && firm !== lodgement.lodgedBy && !address
      return isElsewhere && at('representations', `The registry needs the address of ${firm ?? 'the other firm'}.`)
    }),
    ...lodgement.parties.map(({ name }) => isOverseas(name) && at('parties', 'An overseas company cannot be lodged.')),
    ...applications.flatMap((one) => [
      one.feePence === undefined && at('fee', 'The registry needs to know the fee.'),
      ...applicationProblems(one, lodgement),
    ]),
  ]
  return problems.filter((one) => !!one)
}

/** In the shape of the registry's own errors, but at a field of ours. */
const at = (field: string, detail: string): RegistryError => ({ detail, pointer: field })

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const INT32_MAX = 2_147_483_647
const OVERSEAS_NUMBER = /^(FC|SF|NF|OE|BR)/

export const isOverseas = (name: Name) =>
  name.type === 'ORGANISATION' && OVERSEAS_NUMBER.test(name.registrationNumber ?? '')

export const isWholePounds = (pence: number) => pence % 100 === 0 && pence / 100 <= INT32_MAX

type Transfer = TransferTerms & { transactionValuePence?: number }

/** What the registry wants of the terms of a transfer: the field, why, and an example of it. */
export function transferProblems(transfer: Transfer, transferees: number) {
  const { considerationType, trustDeclaration, transactionValuePence = 0, outstandingChargePence = 0 } = transfer
  const isMissing = {
    description: considerationType === 'OTHER' && !transfer.considerationDescription,
    declaration: transferees > 1 && !trustDeclaration,
    details: trustDeclaration === 'TRUST_DETAILS' && !transfer.trustDetails,
  }
  const problems: [isProblem: boolean, example: Transfer, needs: string][] = [
    [!transfer.titleGuarantee, { titleGuarantee: 'FULL' }, 'needs the title guarantee of a transfer'],
    [!considerationType, { considerationType: 'NO_MONETARY_VALUE' }, 'needs to know whether a transfer is for money'],
    [isMissing.description, { considerationDescription: 'A release.' }, 'needs to know what a transfer is for'],
    [isMissing.declaration, { trustDeclaration: 'JOINT_TENANTS' }, 'needs to know how two or more proprietors hold'],
    [isMissing.details, { trustDetails: 'In shares of 60% and 40%.' }, 'needs the details of the trust'],
    [
      !isWholePounds(transactionValuePence),
      { transactionValuePence: roundedToPounds(transactionValuePence) },
      WHOLE_POUNDS,
    ],
    [
      !isWholePounds(outstandingChargePence),
      { outstandingChargePence: roundedToPounds(outstandingChargePence) },
      WHOLE_POUNDS,
    ],
  ]
  return problems
    .filter(([isProblem]) => isProblem)
    .map(([, example, needs]) => ({ field: Object.keys(example).join().replace('Pence', ''), needs, example }))
}

export const WHOLE_POUNDS = 'takes whole pounds, up to 2,147,483,647'

export const roundedToPounds = (pence: number) => Math.round(pence / 100) * 100

function applicationProblems(one: LodgedApplication, lodgement: Lodgement): (RegistryError | false)[] {
  const codes = one.documents.map((document) => documentCode(document, one.type))
  switch (one.type) {
    case 'MORTGAGE_DEED':
      return [
        one.deedReferenceType === 'DIGITAL' && at('mortgageDeedReferenceType', 'A digital deed cannot be sent.'),
        !isWholePounds(one.transactionValuePence) && at('transactionValue', `The registry ${WHOLE_POUNDS}.`),
      ]
    case 'CHANGE_OF_NAME':
      return [
        !codes.includes('CORRES') && at('documents', 'A change of name needs a CORRESPONDENCE.'),
        !codes.some((code) => NAME_EVIDENCE.includes(code)) && at('documents', 'A change of name needs evidence.'),
      ]
    case 'CANCEL_A_RESTRICTION':
      return [
        !codes.includes('RX3') && at('documents', 'Cancelling a restriction needs form RX3, attached as EVIDENCE.'),
      ]
    case 'TRANSFER_OF_WHOLE': {
      const { terms, transactionValuePence = 0 } = one
      const transferees = lodgement.parties.filter(isOwnerAfter)
      const problems = transferProblems({ ...terms, transactionValuePence }, transferees.length)
      return [
        ...problems.map(({ field, needs }) => at(field, `The registry ${needs}.`)),
        transferees.some(({ addressForService }) => !addressForService) &&
          at('addressForService', 'The registry needs an address for service of each new proprietor.'),
      ]
    }
    default:
      return []
  }
}
