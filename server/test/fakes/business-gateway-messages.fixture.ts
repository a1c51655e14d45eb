// The smallest messages that pass every rule.

// biome-ignore lint/suspicious/noExplicitAny: a test changes any part of it
export type Json = any

export const PRYNNES: [string, string][] = [
  ['William', 'Prynne'],
  ['Tracey', 'Prynne'],
]

const address = { details: { type: 'UK', building_description: '12', post_town: 'Taunton', postcode: 'TA1 9QH' } }

const individual = (forenames: string, surname: string) => ({
  representation_type: 'LODGING_CONVEYANCER',
  address_for_service_option: 'PROVIDED_ADDRESS',
  addresses: ['home'],
  details: { type: 'PRIVATE_INDIVIDUAL', forenames, surname },
})

/** A remortgage: the old charge is discharged by its lender, a new one registered. */
export function remortgage(deed: string, titleNumber: string, reference: string, owners: [string, string][]): Json {
  const borrowers = Object.fromEntries(owners.map(([first, last], index) => [`b${index + 1}`, individual(first, last)]))
  const lender = {
    representation_type: 'LODGING_CONVEYANCER',
    address_for_service_option: 'NOT_REQUIRED',
    details: { type: 'OTHER_ORGANISATION', organisation_name: 'Northgate Building Society' },
  }
  const owned = Object.keys(borrowers).map((party_reference) => ({ party_reference, role: 'BORROWER' }))
  const metadata = { certification_statement_type: 'CERTIFIED', document_filename: 'deed.pdf' }
  return {
    data: {
      type: 'REGISTER_UPDATE',
      submission_warning_understood: true,
      customer_reference: reference,
      application_lodger: { email: 'clerk@firm.example', telephone: '01632 960001', type: 'CONVEYANCER' },
      applicants: Object.keys(borrowers),
      addresses: { home: address },
      parties: { ...borrowers, lender },
      documents: { deed: { document_id: deed, type: 'MRTG_DEED', document_metadata: metadata } },
      titles: {
        t1: {
          title_number: titleNumber,
          title_type: 'REGISTER_TITLE',
          disclosable_overriding_interests: false,
          scope_details: { scope: 'WHOLE' },
        },
      },
      transactions: {
        discharge: {
          type: 'DIS',
          priority: 1,
          fee_in_pence: 0,
          details: { type: 'DISCHARGE', discharge_submission_type: 'LENDER' },
          title_references: ['t1'],
        },
        charge: {
          type: 'C',
          priority: 2,
          fee_in_pence: 2000,
          details: { type: 'CHARGE', date: '2026-05-01', mdref: 'MD431C', value: 250_000 },
          documents: ['deed'],
          party_roles: [...owned, { party_reference: 'lender', role: 'LENDER' }],
          title_references: ['t1'],
        },
      },
    },
  }
}

/** The same, with a transfer: the first borrower stays, the second leaves, somebody else comes. */
export function transferOfEquity(body: Json, deed: string): Json {
  const { parties, documents, transactions, applicants } = body.data
  const role = (party_reference: string, name: string) => ({
    party_reference,
    role: name,
    ...(name === 'TRANSFEROR' && { capacity: 'REGISTERED_PROPRIETOR' }),
  })
  parties.new = individual('Ann', 'Vane')
  applicants.push('new')
  documents.tr1 = { ...documents.deed, document_id: deed, type: 'TR1' }
  transactions.transfer = {
    type: 'TOSV',
    priority: 2,
    fee_in_pence: 4000,
    details: {
      type: 'TRANSFER',
      date: '2026-05-01',
      value: 60_000,
      consideration_type: 'MONETARY_VALUE',
      additional_provisions_code: 'MANUAL_TR1_FORM',
      title_guarantee_code: 'FULL',
      trust_declaration_type: 'JOINT_TENANTS',
    },
    documents: ['tr1'],
    party_roles: [
      role('b1', 'TRANSFEROR'),
      role('b2', 'TRANSFEROR'),
      role('b1', 'TRANSFEREE'),
      role('new', 'TRANSFEREE'),
    ],
    title_references: ['t1'],
  }
  Object.assign(transactions.charge, {
    priority: 3,
    fee_in_pence: 0,
    party_roles: [role('b1', 'BORROWER'), role('new', 'BORROWER'), role('lender', 'LENDER')],
  })
  return body
}

const SECEXT = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'
const PASSWORD_TEXT = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText'

export const envelope = ({ username, password }: { username: string; password: string }, body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/">
  <soapenv:Header>
    <wsse:Security xmlns:wsse="${SECEXT}"><wsse:UsernameToken><wsse:Username>${username}</wsse:Username><wsse:Password Type="${PASSWORD_TEXT}">${password}</wsse:Password></wsse:UsernameToken></wsse:Security>
    <i18n:international xmlns:i18n="http://www.w3.org/2005/09/ws-i18n"><i18n:locale>en</i18n:locale></i18n:international>
  </soapenv:Header>
  <soapenv:Body>${body}</soapenv:Body>
</soapenv:Envelope>`

export const extractOf = (
  messageId: string,
  titleNumber: string,
  { plan = false, price = '8.00', reference = 'LW-1' }: { plan?: boolean; price?: string; reference?: string } = {},
) => `<ns3:performOCWithSummary xmlns:ns3="http://ocwithsummaryv2_1.ws.bg.lr.gov/" xmlns="http://www.oscre.org/ns/eReg-Final/2011/RequestOCWithSummaryV2_0"><arg0 xmlns=""
 xmlns:q="http://www.oscre.org/ns/eReg-Final/2011/RequestOCWithSummaryV2_0"><q:ID><q:MessageID>${messageId}</q:MessageID></q:ID><q:Product>
<q:SubjectProperty><q:TitleNumber>${titleNumber}</q:TitleNumber></q:SubjectProperty>
<q:ExpectedPrice><q:GrossPriceAmount>${price}</q:GrossPriceAmount></q:ExpectedPrice>
<q:ExternalReference><q:Reference>${reference}</q:Reference></q:ExternalReference>
<q:CustomerReference><q:Reference>${reference}</q:Reference></q:CustomerReference>
<q:TitleKnownOfficialCopy>
<q:ContinueIfTitleIsClosedAndContinuedIndicator>false</q:ContinueIfTitleIsClosedAndContinuedIndicator>
<q:NotifyIfPendingFirstRegistrationIndicator>false</q:NotifyIfPendingFirstRegistrationIndicator>
<q:NotifyIfPendingApplicationIndicator>false</q:NotifyIfPendingApplicationIndicator>
<q:SendBackDatedIndicator>false</q:SendBackDatedIndicator>
<q:ContinueIfActualFeeExceedsExpectedFeeIndicator>false</q:ContinueIfActualFeeExceedsExpectedFeeIndicator>
<q:IncludeTitlePlanIndicator>${plan}</q:IncludeTitlePlanIndicator>
</q:TitleKnownOfficialCopy></q:Product></arg0></ns3:performOCWithSummary>`

export const pollOf = (messageId: string) =>
  `<p:getResponse xmlns:p="http://poll.ocwithsummaryv2_1.ws.bg.lr.gov/"><arg0><q:ID xmlns:q="http://www.oscre.org/ns/eReg/MR01-20090605/PollRequest"><q:MessageID>${messageId}</q:MessageID></q:ID></arg0></p:getResponse>`
