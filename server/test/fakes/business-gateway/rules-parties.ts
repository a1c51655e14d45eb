import type { FieldProblem } from './answers.ts'
import { type ApplicationData, documentTypesOf, type Party } from './application-data.ts'
import { problem } from './rule-input.ts'

const POSTAL = ['UK', 'OVERSEAS', 'PO_BOX', 'BFPO']
const IDENTITY_FORMS = ['ID1', 'ID2', 'ID3', 'ID4', 'ID5', 'ID_EV', 'ID_FRM', 'EVIDENCE']
const ADDRESSES_MAX = 3

export function partyRules(data: ApplicationData): FieldProblem[] {
  const parties = Object.entries(data.parties ?? {})
  return [...parties.flatMap(([reference, party]) => ofOne(data, reference, party)), ...identityEvidence(data)]
}

function ofOne(data: ApplicationData, reference: string, party: Party): FieldProblem[] {
  const pointer = `/data/parties/${reference}`
  const { representation_type: representation, details } = party
  const uses = Object.values(data.transactions).flatMap((transaction) =>
    (transaction.party_roles ?? [])
      .filter(({ party_reference: one }) => one === reference)
      .map(({ role, capacity }) => ({ role, capacity, transaction })),
  )
  const isUsedAs = (...roles: string[]) => uses.some(({ role }) => roles.includes(role))
  const found: FieldProblem[] = []
  const check = (isFine: boolean, type: string, detail: string, field = '') =>
    isFine || found.push(problem(type, detail, pointer + field))

  check(
    !(isUsedAs('BORROWER', 'TRANSFEROR', 'TRANSFEREE') && representation === 'NOT_REQUIRED'),
    'party-representation-type-is-valid',
    'A borrower, transferor or transferee has a representation',
    '/representation_type',
  )
  check(
    !(data.application_lodger.type === 'NON_CONVEYANCER' && representation === 'LODGING_CONVEYANCER'),
    'party-representation-type-is-valid',
    'A lodger who is not a conveyancer represents nobody',
    '/representation_type',
  )
  check(
    (representation === 'OTHER_CONVEYANCER') === (party.other_conveyancer !== undefined),
    'party-representation-type-is-valid',
    'Another conveyancer is named where there is one',
    '/other_conveyancer',
  )
  check(
    representation !== 'NOT_REPRESENTED' || party.identity_evidence_type !== undefined,
    'identity-evidence-has-type',
    'An unrepresented party has a type of identity evidence',
    '/identity_evidence_type',
  )
  check(
    !(details.type === 'UNKNOWN' && data.applicants?.includes(reference)),
    'applicant-not-unknown-type',
    'Applicant must not be of type UNKNOWN',
    '/details/type',
  )
  check(
    uses.every(({ role, capacity }) => !['LANDLORD', 'TENANT', 'TRANSFEROR'].includes(role) || capacity !== undefined),
    'capacity-provided',
    'The capacity of a landlord, tenant or transferor is provided',
  )
  check(isAddressed(data, party, uses), 'address-for-service-option-is-valid', 'The address for service is not valid')
  const needsNumber = uses.some(
    ({ role, transaction: { type, details } }) =>
      role !== 'BORROWER' && !(role === 'LENDER' && (type === 'DIS' || type === 'DP' || details?.mdref)),
  )
  check(
    details.type !== 'UK_COMPANY' || details.company_number !== undefined || !needsNumber,
    'uk-company-has-company-number',
    'A UK company has its number',
    '/details/company_number',
  )
  return found
}

type Use = { role: string; transaction: { type: string; details?: { mdref?: string } | undefined } }

/** Lenders and transferees have an address; not so a lender of a discharge, or of a charge with an MD reference. */
function isAddressed(data: ApplicationData, party: Party, uses: readonly Use[]): boolean {
  const { addresses = [], address_for_service_option: option } = party
  const isNeeded = uses.some(
    ({ role, transaction: { type, details } }) =>
      role === 'TRANSFEREE' || (role === 'LENDER' && !['DIS', 'DP'].includes(type) && !details?.mdref),
  )
  const isPostal = addresses.some((one) => POSTAL.includes(data.addresses?.[one]?.details.type ?? ''))
  if (addresses.length > ADDRESSES_MAX) return false
  return option === 'PROVIDED_ADDRESS' ? isPostal : !isNeeded
}

function identityEvidence(data: ApplicationData): FieldProblem[] {
  const promised = Object.values(data.parties ?? {}).filter((one) => one.identity_evidence_type === 'EVIDENCE').length
  const given = Object.values(data.transactions).flatMap((one) => documentTypesOf(data, one))
  if (given.filter((type) => IDENTITY_FORMS.includes(type)).length >= promised) return []
  return [problem('required-identity-evidence-provided', 'An identity form is provided for each unrepresented party')]
}
