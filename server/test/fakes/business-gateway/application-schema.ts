import { TRANSACTION_TYPES } from './codes.ts'
import {
  boolean,
  CERTIFICATION,
  DOCUMENT_TYPE,
  date,
  int32,
  listOf,
  mapOf,
  object,
  oneOf,
  type Schema,
  text,
} from './schemas.ts'

const REFERENCE = text(50, { minLength: 1, pattern: '^[A-Za-z0-9-?,_]+$' })
const POSTCODE: Schema = {
  type: 'string',
  minLength: 1,
  pattern: '^([Gg][Ii][Rr] ?0[Aa]{2})|([A-Za-z]{1,2}[0-9][0-9A-Za-z]? ?[0-9][A-Za-z]{2})$',
}
const EMAIL =
  "^[a-zA-Z0-9!#$%'*+/=?^_{|}~&-]+(\\.[a-zA-Z0-9!#$%'*+/=?^_{|}~&-]+)*@([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?\\.)+[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$"

/** One of several objects, which differ by their `type`. */
const byType = (kinds: Record<string, Schema>): Schema => ({
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: Object.entries(kinds).map(([type, schema]) => ({
    ...schema,
    properties: { ...(schema['properties'] as object), type: { const: type } },
  })),
})

const careOf = { care_of_name: text(200) }
const buildingFields = {
  ...careOf,
  county: text(50),
  department_name: text(60),
  dependent_locality: text(35),
  dependent_street: text(80),
  double_dependent_locality: text(35),
  organisation_name: text(60),
  street: text(80),
  sub_building_description: text(40),
  uprn: { type: 'integer', minimum: 1 },
}
const overseasLines = { line2: text(35), line3: text(35), line4: text(35), line5: text(35) }

const address = object({
  details: byType({
    UK: object({ building_description: text(85), post_town: text(35), postcode: POSTCODE }, buildingFields),
    OVERSEAS: object({ country: text(35), line1: text(35) }, { ...careOf, ...overseasLines }),
    EMAIL: object({ email: text(254) }),
    DX: object({ exchange_name: text(20), number: text(10) }, careOf),
    BFPO: object({ number: text(10), service_number_rank: text(35), unit_regiment: text(35) }, careOf),
    PO_BOX: object({ number: text(20), post_town: text(35), postcode: POSTCODE }, careOf),
  }),
})

const name = text(366)
const overseasCompany = (version: 'v1' | 'v2') => {
  const exempt = { roe_id_exempt: boolean }
  return object(
    { organisation_name: name, incorporation_territory: text(254), ...(version === 'v2' && exempt) },
    { company_number: text(30), roe_id: { type: 'string', pattern: 'OE\\d{6}' }, ...(version === 'v1' && exempt) },
  )
}

const party = (version: 'v1' | 'v2') =>
  object(
    {
      address_for_service_option: oneOf('PROVIDED_ADDRESS', 'NOT_REQUIRED'),
      representation_type: oneOf('LODGING_CONVEYANCER', 'OTHER_CONVEYANCER', 'NOT_REPRESENTED', 'NOT_REQUIRED'),
      details: byType({
        PRIVATE_INDIVIDUAL: object({ surname: name }, { forenames: name }),
        UK_COMPANY: object({ organisation_name: name }, { company_number: text(30) }),
        OVERSEAS_COMPANY: overseasCompany(version),
        OTHER_ORGANISATION: object({ organisation_name: name }),
        UNKNOWN: object({ freeformat_name: name }),
      }),
    },
    {
      addresses: listOf(REFERENCE),
      identity_evidence_type: oneOf('EVIDENCE', 'VERIFIED', 'NOT_REQUIRED'),
      other_conveyancer: object({
        address_reference: REFERENCE,
        conveyancer_reference: text(25),
        full_name: text(200),
      }),
      register_action: oneOf('AMEND', 'REMOVE'),
    },
  )

const band = object({ lower_value_band: int32(0) }, { upper_value_band: int32(100_000) })
const amounts = {
  full_value_of_property: int32(),
  full_value_of_property_band: band,
  outstanding_charge: int32(),
  value: int32(0),
  value_band: band,
}
const transfer = {
  ...amounts,
  date,
  additional_provisions: text(10_000),
  additional_provisions_code: oneOf('NO_PROVISIONS', 'MANUAL_TR1_FORM', 'DETAILS_ENTERED'),
  consideration_description: text(200),
  consideration_type: oneOf('MONETARY_VALUE', 'NO_MONETARY_VALUE', 'OTHER'),
  title_guarantee_code: oneOf('FULL', 'LIMITED'),
  trust_declaration_type: oneOf('JOINT_TENANTS', 'TENANTS_IN_COMMON', 'TRUST_DETAILS', 'FORM_JO'),
  trust_details: text(300),
}
const controlRight = object({
  contractual_control_right_affects_transaction: oneOf('NOT_RELATED_TO_CCR', 'RELATED_TO_CCR_AND_CCI_SUBMITTED'),
})

const details = (version: 'v1' | 'v2') =>
  byType({
    AMOUNT: object({}, amounts),
    CHARGE: object({ date, value: int32() }, { mdref: text(10) }),
    DISCHARGE: object({ discharge_submission_type: oneOf('ATTACHED', 'LENDER', 'LATER') }),
    TRANSFER: object({}, transfer),
    ...(version === 'v2' && {
      AGREEDNOTICE: controlRight,
      AMENDMENTOFUNILATERALNOTICE: controlRight,
      RESTRICTION: controlRight,
      RESTRICTIONNONSTANDARD: controlRight,
      UNILATERALNOTICE: controlRight,
    }),
  })

const ROLES =
  'ATTORNEY TRANSFEROR TRANSFEREE LENDER BORROWER PERSONAL_REPRESENTATIVE ASSENTOR LANDLORD OFFICIAL_RECEIVER TRUSTEE_IN_BANKRUPTCY TENANT APPLICANT'
const CAPACITIES =
  'REGISTERED_PROPRIETOR ENTITLED_REGISTERED_PROPRIETOR ADDITIONAL_TRUSTEE INSOLVENCY_PRACTITIONER RECEIVER DEPUTY GUARDIAN PERSONAL_REPRESENTATIVE NOT_REQUIRED'

const partyRole = object(
  { party_reference: REFERENCE, role: oneOf(...ROLES.split(' ')) },
  { attorneys: listOf({ type: 'string' }, { maxItems: 4 }), capacity: oneOf(...CAPACITIES.split(' ')) },
)

const transaction = (version: 'v1' | 'v2') =>
  object(
    { fee_in_pence: int32(0), priority: int32(1, 20), type: oneOf(...TRANSACTION_TYPES) },
    {
      details: details(version),
      documents: listOf(REFERENCE),
      party_roles: listOf(partyRole),
      relates_to_new_title: boolean,
      title_references: listOf(text(9)),
    },
  )

const title = object(
  {
    disclosable_overriding_interests: boolean,
    scope_details: object({ scope: oneOf('WHOLE', 'PART') }, { part_description: text(100) }),
    title_number: text(9, { pattern: '^[A-Z]{0,3}[0-9]{1,6}[ZT]?$' }),
  },
  {
    property_address: object(
      { building_description: text(85) },
      {
        ...buildingFields,
        post_town: text(35),
        postcode: POSTCODE,
        type: oneOf('UK', 'OVERSEAS', 'EMAIL', 'DX', 'BFPO', 'PO_BOX'),
      },
    ),
    search_reference: text(9, {
      pattern: '^(00[1-9]|0[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])-[A-Za-z0-9]{2}-[A-Za-z0-9]{2}$',
    }),
    title_type: oneOf('REGISTER_TITLE', 'TRANSFEROR_TITLE', 'ADDITIONAL_TITLE', 'LANDLORD_TITLE', 'TENANT_TITLE'),
  },
)

const document = object(
  {
    document_id: { type: 'string', minLength: 1 },
    document_metadata: object({ certification_statement_type: CERTIFICATION, document_filename: text(255) }),
    type: DOCUMENT_TYPE,
  },
  { companies_house_certification: boolean },
)

const disagreement = object({
  comment: text(250, { minLength: 1 }),
  reason: oneOf('DISAGREE_WITH_REGISTER', 'HMLR_DATA_INCORRECT_OR_OUTDATED', 'EXCEPTION_NOT_COVERED_BY_BUSINESS_RULES'),
  validation_pointer: text(250, { minLength: 1 }),
  validation_type: text(250, { minLength: 1 }),
})

const application = (version: 'v1' | 'v2') =>
  object({
    data: object(
      {
        application_lodger: object(
          { email: text(254, { pattern: EMAIL }), type: oneOf('CONVEYANCER', 'NON_CONVEYANCER') },
          { telephone: text(50) },
        ),
        customer_reference: text(25),
        submission_warning_understood: boolean,
        titles: mapOf(title, { minProperties: 1, maxProperties: 199 }),
        transactions: mapOf(transaction(version), { minProperties: 1 }),
        type: oneOf('REGISTER_UPDATE', 'TRANSFER_OF_PART', 'DISPOSITIONARY_FIRST_LEASE', 'REMOVE_JP1'),
      },
      {
        additional_provider_filter: text(50, { pattern: '^\\w*$' }),
        addresses: mapOf(address),
        applicants: listOf(REFERENCE),
        disagree_with_validation_results: listOf(disagreement),
        documents: mapOf(document),
        jp1_reference: text(7, { minLength: 7, pattern: '^([a-zA-Z0-9]*)$' }),
        parties: mapOf(party(version)),
      },
    ),
  })

export const APPLICATION = { v1: application('v1'), v2: application('v2') }
