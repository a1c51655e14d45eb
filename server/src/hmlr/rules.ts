import type { LodgedApplication, Lodgement } from '../registry/lodgement.ts'
import type { Name } from '../workspaces/names.ts'
import { documentCode, NAME_EVIDENCE } from './documents.ts'
import type { Lender, RegistryError } from './shapes.ts'
import { hasCharge, keyOf, transfereesOf } from './submission.ts'

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

const isOverseas = (name: Name) => name.type === 'ORGANISATION' && OVERSEAS_NUMBER.test(name.registrationNumber ?? '')

const isWholePounds = (pence: number) => pence % 100 === 0 && pence / 100 <= INT32_MAX

function applicationProblems(one: LodgedApplication, lodgement: Lodgement): (RegistryError | false)[] {
  const codes = one.documents.map((document) => documentCode(document, one.type))
  switch (one.type) {
    case 'MORTGAGE_DEED':
      return [
        one.deedReferenceType === 'DIGITAL' && at('mortgageDeedReferenceType', 'A digital deed cannot be sent.'),
        !isWholePounds(one.transactionValuePence) && at('transactionValue', 'The registry takes whole pounds.'),
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
      const { terms } = one
      const amounts = [terms?.considerationPence, terms?.valuePence, terms?.outstandingChargePence]
      const transferees = transfereesOf(lodgement)
      const addressed = (name: Name) =>
        lodgement.parties.some((party) => keyOf(party.name) === keyOf(name) && party.addressForService)
      return [
        !terms && at('terms', 'The registry needs the terms of the transfer.'),
        amounts.some((pence) => pence !== undefined && !isWholePounds(pence)) &&
          at('terms', 'The registry takes whole pounds.'),
        !!terms &&
          transferees.length > 1 &&
          !terms.heldAs &&
          at('terms', 'Two or more proprietors must say how they hold it.'),
        !transferees.every(addressed) &&
          at('addressForService', 'The registry needs an address of each new proprietor.'),
      ]
    }
    default:
      return []
  }
}
