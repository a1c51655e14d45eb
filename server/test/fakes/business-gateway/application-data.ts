/** The part of an application that rules and registration read, once it fits the schema. */
export type ApplicationData = {
  type: 'REGISTER_UPDATE' | 'TRANSFER_OF_PART' | 'DISPOSITIONARY_FIRST_LEASE' | 'REMOVE_JP1'
  submission_warning_understood: boolean
  customer_reference: string
  additional_provider_filter?: string
  jp1_reference?: string
  application_lodger: { email: string; telephone?: string; type: 'CONVEYANCER' | 'NON_CONVEYANCER' }
  applicants?: string[]
  addresses?: Record<string, { details: AddressDetails }>
  documents?: Record<string, DocumentDetails>
  parties?: Record<string, Party>
  titles: Record<string, Title>
  transactions: Record<string, Transaction>
  disagree_with_validation_results?: { validation_type: string; validation_pointer: string }[]
}

export type AddressDetails = { type: string; postcode?: string; [line: string]: unknown }

export type DocumentDetails = {
  document_id: string
  type: string
  document_metadata: { certification_statement_type: string; document_filename: string }
  companies_house_certification?: boolean
}

export type Party = {
  address_for_service_option: 'PROVIDED_ADDRESS' | 'NOT_REQUIRED'
  representation_type: 'LODGING_CONVEYANCER' | 'OTHER_CONVEYANCER' | 'NOT_REPRESENTED' | 'NOT_REQUIRED'
  addresses?: string[]
  identity_evidence_type?: 'EVIDENCE' | 'VERIFIED' | 'NOT_REQUIRED'
  other_conveyancer?: { address_reference: string; conveyancer_reference: string; full_name: string }
  register_action?: 'AMEND' | 'REMOVE'
  details: {
    type: 'PRIVATE_INDIVIDUAL' | 'UK_COMPANY' | 'OVERSEAS_COMPANY' | 'OTHER_ORGANISATION' | 'UNKNOWN'
    forenames?: string
    surname?: string
    organisation_name?: string
    company_number?: string
    freeformat_name?: string
  }
}

export type Title = {
  title_number: string
  title_type?: string
  disclosable_overriding_interests: boolean
  scope_details: { scope: 'WHOLE' | 'PART'; part_description?: string }
}

export type Transaction = {
  type: string
  priority: number
  fee_in_pence: number
  documents?: string[]
  party_roles?: PartyRole[]
  title_references?: string[]
  relates_to_new_title?: boolean
  details?: Details
}

export type PartyRole = { party_reference: string; role: string; capacity?: string; attorneys?: string[] }

export type Band = { lower_value_band: number; upper_value_band?: number }

export type Details = {
  type: string
  date?: string
  mdref?: string
  value?: number
  value_band?: Band
  full_value_of_property?: number
  full_value_of_property_band?: Band
  discharge_submission_type?: 'ATTACHED' | 'LENDER' | 'LATER'
  additional_provisions_code?: string
  additional_provisions?: string
  consideration_type?: string
  consideration_description?: string
  trust_declaration_type?: string
  trust_details?: string
}

/** The transactions that transfer the whole of a title to others. */
export const TRANSFERS = ['T', 'TNV', 'TOSV', 'TOSNV', 'TSCV', 'TSCNV']

export const partiesIn = (data: ApplicationData, transaction: Transaction, ...roles: string[]): [string, Party][] =>
  (transaction.party_roles ?? [])
    .filter(({ role }) => roles.includes(role))
    .flatMap(({ party_reference: reference }): [string, Party][] => {
      const party = data.parties?.[reference]
      return party ? [[reference, party]] : []
    })

export const documentTypesOf = (data: ApplicationData, transaction: Transaction): string[] =>
  (transaction.documents ?? []).flatMap((reference) => data.documents?.[reference]?.type ?? [])

export const titleNumbersOf = (data: ApplicationData): string[] =>
  Object.values(data.titles).map(({ title_number }) => title_number)
