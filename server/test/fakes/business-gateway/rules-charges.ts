import type { FieldProblem } from './answers.ts'
import { type ApplicationData, partiesIn, TRANSFERS, type Transaction } from './application-data.ts'
import { problem, type RuleInput } from './rule-input.ts'
import { isSameName } from './titles.ts'

const CHARGES = ['C', 'COP', 'SBC']
const CHARGE_FEE_MIN = 2000
const MD_REFERENCE = /^MD[A-Z0-9]{2,8}$/

const hasTransfer = ({ transactions }: ApplicationData) =>
  Object.values(transactions).some(({ type }) => TRANSFERS.includes(type))

export function chargeRules(input: RuleInput): FieldProblem[] {
  return Object.entries(input.data.transactions).flatMap(([reference, one]) => {
    if (['DIS', 'DP'].includes(one.type)) return discharge(reference, one)
    return CHARGES.includes(one.type) ? charge(input, reference, one) : []
  })
}

const discharge = (reference: string, { fee_in_pence: fee }: Transaction): FieldProblem[] =>
  fee === 0
    ? []
    : [
        problem(
          'discharge-fee-zero',
          'Discharge transaction must have a fee of 0',
          `/data/transactions/${reference}/fee_in_pence`,
        ),
      ]

function charge(input: RuleInput, reference: string, one: Transaction): FieldProblem[] {
  const { data } = input
  const pointer = `/data/transactions/${reference}`
  const { mdref, value = 0 } = one.details ?? {}
  const lenders = partiesIn(data, one, 'LENDER')
  const borrowers = partiesIn(data, one, 'BORROWER')
  const found: FieldProblem[] = []
  const check = (isFine: boolean, type: string, detail: string, field = '') =>
    isFine || found.push(problem(type, detail, pointer + field))

  check(lenders.length > 0, 'charge-has-valid-lender', 'The charge has no lender', '/party_roles')
  check(!mdref || lenders.length <= 1, 'unique-lender', 'Each charge should only have one lender', '/party_roles')
  check(
    new Set(lenders.map(([party]) => party)).size === lenders.length,
    'no-duplicate-lender-refs-on-charge',
    'Lender references must be unique',
    '/party_roles',
  )
  check(
    borrowers.length > 0 || (hasTransfer(data) && one.type !== 'SBC'),
    'transaction-has-valid-borrower',
    'The charge has no borrower',
    '/party_roles',
  )
  check(
    !mdref || MD_REFERENCE.test(mdref),
    'mdref-on-record',
    `MD Ref ${mdref} does not exist on record`,
    '/details/mdref',
  )
  check(value >= 0, 'charge-must-have-non-negative-value', 'Charge value must be 0 or greater', '/details/value')
  const isFeeRight = hasTransfer(data) ? one.fee_in_pence === 0 : one.fee_in_pence >= CHARGE_FEE_MIN
  const feeDetail = hasTransfer(data)
    ? 'Fee must be 0 pence for a charge accompanied by a Scale Fee transaction'
    : 'Fee for a charge transaction must be at least 2,000 pence'
  check(isFeeRight, 'CHARGE-FEE', feeDetail, '/fee_in_pence')
  return hasTransfer(data) || one.type === 'SBC' ? found : [...found, ...unmatched(input, pointer, one)]
}

/** Every proprietor is a borrower, unless a change of name or a death explains why not. */
function unmatched({ data, registerOf }: RuleInput, pointer: string, one: Transaction): FieldProblem[] {
  const borrowers = partiesIn(data, one, 'BORROWER').map(([, party]) => party)
  const proprietors = (one.title_references ?? []).flatMap(
    (title) => registerOf(data.titles[title]?.title_number ?? '')?.proprietors ?? [],
  )
  const left = proprietors.filter((proprietor) => !borrowers.some((party) => isSameName(party, proprietor)))
  const explained = Object.values(data.transactions).filter(({ type }) => ['CN', 'DJP', 'DSP'].includes(type)).length
  if (left.length <= explained) return []
  const detail = 'A proprietor was not matched to a borrower'
  return [problem('all-proprietors-matched-to-borrowers', detail, `${pointer}/party_roles`)]
}
