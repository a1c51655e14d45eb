import type { LodgedApplication, LodgedDocument, LodgedParty, Lodgement, ValueBand } from '../registry/lodgement.ts'
import type { Name } from '../workspaces/names.ts'
import { CERTIFICATIONS, documentCode } from './documents.ts'
import type { Account, Lender } from './shapes.ts'

// A lodgement as the body of a submission. Version 1 and 2 of the service take the same one: what differs between them is
// about overseas companies and notices, which are not lodged here. Pure.

export type Circumstances = {
  account: Pick<Account, 'telephone'>
  lender: Lender | undefined
  /** The gateway's id of a document, by its SHA-256 and the registry's code for its type. */
  documentId(sha256: string, code: string): string
}

const TITLE = 'title'
const LENDER = 'lender'

type Party = LodgedParty & { reference: string }

export function submissionOf(lodgement: Lodgement, { account, lender, documentId }: Circumstances) {
  const parties = lodgement.parties.map((one, index): Party => ({ ...one, reference: `party-${index + 1}` }))
  const addresses: Record<string, unknown> = {}
  const documents = lodgement.applications.flatMap(({ type, documents }) =>
    documents.map((document) => [document.fileId, documentFrom(document, documentCode(document, type), documentId)]),
  )
  return {
    data: {
      type: 'REGISTER_UPDATE',
      submission_warning_understood: true,
      customer_reference: lodgement.customerReference,
      application_lodger: { email: lodgement.submittedBy, telephone: account.telephone, type: 'CONVEYANCER' },
      applicants: parties.filter(isOwnerAfter).map(({ reference }) => reference),
      titles: {
        [TITLE]: {
          title_number: lodgement.titleNumber,
          title_type: 'REGISTER_TITLE',
          disclosable_overriding_interests: lodgement.disclosableOverridingInterests === true,
          scope_details: { scope: 'WHOLE' },
        },
      },
      parties: {
        ...Object.fromEntries(parties.map((one) => [one.reference, partyFrom(one, lodgement, addresses)])),
        ...(hasCharge(lodgement) && { [LENDER]: lenderFrom(lodgement.lender, lender) }),
      },
      ...(Object.keys(addresses).length > 0 && { addresses }),
      documents: Object.fromEntries(documents),
      transactions: Object.fromEntries(
        lodgement.applications.map((one) => [one.applicationId, transactionFrom(one, lodgement, parties)]),
      ),
    },
  }
}

export const hasCharge = ({ applications }: Lodgement) => applications.some(({ type }) => type === 'MORTGAGE_DEED')

const isTransfer = ({ applications }: Lodgement) => applications.some(({ type }) => type === 'TRANSFER_OF_WHOLE')

/** Who owns the title before and after. Who stays is transferor and transferee. */
const isOwnerBefore = ({ position }: LodgedParty) => position !== undefined
export const isOwnerAfter = ({ role }: LodgedParty) => role !== 'OUTGOING_PROPRIETOR'

function partyFrom(party: Party, lodgement: Lodgement, addresses: Record<string, unknown>) {
  const { reference, name, addressForService: address } = party
  const isTransferee = isTransfer(lodgement) && isOwnerAfter(party)
  if (isTransferee && address) addresses[`${reference}-address`] = { details: ukAddress(address) }
  return {
    details: nameFrom(name),
    address_for_service_option: isTransferee ? 'PROVIDED_ADDRESS' : 'NOT_REQUIRED',
    ...(isTransferee && { addresses: [`${reference}-address`] }),
    ...representationFrom(party, lodgement, addresses),
  }
}

function representationFrom(
  { reference, representation }: Party,
  { lodgedBy }: Lodgement,
  addresses: Record<string, unknown>,
) {
  const { representedBy, firm, address, referenceNumber, verificationOfIdentity } = representation ?? {}
  if (representedBy === 'NOT_REPRESENTED') {
    const isVerified = verificationOfIdentity === 'LAW_FIRM_CERTIFIED'
    return { representation_type: 'NOT_REPRESENTED', identity_evidence_type: isVerified ? 'VERIFIED' : 'EVIDENCE' }
  }
  if (!address || firm === lodgedBy) return { representation_type: 'LODGING_CONVEYANCER' }
  addresses[`${reference}-firm`] = { details: ukAddress(address) }
  return {
    representation_type: 'OTHER_CONVEYANCER',
    other_conveyancer: {
      full_name: firm ?? '',
      conveyancer_reference: (referenceNumber ?? '').slice(0, 25),
      address_reference: `${reference}-firm`,
    },
  }
}

function nameFrom(name: Name) {
  if (name.type === 'INDIVIDUAL') {
    const { forenames, surname } = name
    return { type: 'PRIVATE_INDIVIDUAL', ...(forenames && { forenames }), surname }
  }
  const { organisationName: organisation_name, registrationNumber: company_number } = name
  return company_number
    ? { type: 'UK_COMPANY', organisation_name, company_number }
    : { type: 'OTHER_ORGANISATION', organisation_name }
}

/** With a deed reference the registry has the lender's address. */
const lenderFrom = (organisation_name: string, lender: Lender | undefined) => ({
  details: {
    type: lender?.kind ?? 'OTHER_ORGANISATION',
    organisation_name,
    ...(lender?.companyNumber && { company_number: lender.companyNumber }),
  },
  address_for_service_option: 'NOT_REQUIRED',
  representation_type: 'LODGING_CONVEYANCER',
})

function ukAddress({ flat, name, number, street, locality, town, county, postcode }: Record<string, string>) {
  const building = [name, number].filter(Boolean).join(', ') || street
  return {
    type: 'UK',
    building_description: building,
    ...(flat && { sub_building_description: flat }),
    ...(street && building !== street && { street }),
    ...(locality && { dependent_locality: locality.slice(0, 35) }),
    post_town: town,
    ...(county && { county: county.slice(0, 50) }),
    postcode,
  }
}

function documentFrom(document: LodgedDocument, type: string, documentId: Circumstances['documentId']) {
  const { sha256, fileName, certificationType } = document
  return {
    document_id: documentId(sha256, type),
    type,
    document_metadata: {
      certification_statement_type: CERTIFICATIONS[certificationType],
      document_filename: fileName,
    },
    ...(type === 'CERT_REG_CH' && { companies_house_certification: true }),
  }
}

function transactionFrom(application: LodgedApplication, lodgement: Lodgement, parties: readonly Party[]) {
  const { priority, feePence, documents } = application
  const inRole = (role: string, is: (party: Party) => boolean, capacity?: string) =>
    parties.filter(is).map(({ reference }) => ({ party_reference: reference, role, ...(capacity && { capacity }) }))
  const common = {
    priority,
    fee_in_pence: feePence ?? 0,
    title_references: [TITLE],
    documents: documents.map(({ fileId }) => fileId),
  }
  switch (application.type) {
    case 'MORTGAGE_DEED': {
      const { deedReference: mdref, transactionValuePence } = application
      const details = { type: 'CHARGE', date: lodgement.completedOn, mdref, value: transactionValuePence / 100 }
      const party_roles = [...inRole('BORROWER', isOwnerAfter), { party_reference: LENDER, role: 'LENDER' }]
      return { type: 'C', ...common, details, party_roles }
    }
    case 'DISCHARGE': {
      const isAttached = documents.some((one) => documentCode(one, 'DISCHARGE') === 'DS1')
      const details = { type: 'DISCHARGE', discharge_submission_type: isAttached ? 'ATTACHED' : 'LENDER' }
      return { type: 'DIS', ...common, details, party_roles: inRole('BORROWER', isOwnerBefore) }
    }
    case 'CHANGE_OF_NAME': {
      const { position } = application.proprietor
      return { type: 'CN', ...common, party_roles: inRole('APPLICANT', (one) => one.position === position) }
    }
    case 'CANCEL_A_RESTRICTION':
      return { type: 'CANR', ...common, party_roles: [] }
    case 'TRANSFER_OF_WHOLE': {
      const party_roles = [
        ...inRole('TRANSFEROR', isOwnerBefore, 'REGISTERED_PROPRIETOR'),
        ...inRole('TRANSFEREE', isOwnerAfter),
      ]
      const somebodyStays = parties.some((one) => isOwnerBefore(one) && isOwnerAfter(one))
      const type = TRANSFERS[somebodyStays ? 'of a share' : 'of the whole']
      const details = transferDetails(application, lodgement.completedOn)
      const isForMoney = application.terms?.considerationType === 'MONETARY_VALUE'
      return { type: isForMoney ? type.forMoney : type.not, ...common, details, party_roles }
    }
  }
}

/** Only where somebody stays may a party be transferor and transferee. */
const TRANSFERS = {
  'of a share': { forMoney: 'TOSV', not: 'TOSNV' },
  'of the whole': { forMoney: 'T', not: 'TNV' },
}

type Transfer = Extract<LodgedApplication, { type: 'TRANSFER_OF_WHOLE' }>

function transferDetails({ transactionValuePence: pence, terms = {} }: Transfer, date: string) {
  const { considerationType, considerationDescription, trustDeclaration, trustDetails } = terms
  const { titleGuarantee, transactionValueBand: band, outstandingChargePence: outstanding } = terms
  return {
    type: 'TRANSFER',
    date,
    additional_provisions_code: 'MANUAL_TR1_FORM',
    title_guarantee_code: titleGuarantee,
    consideration_type: considerationType,
    ...(considerationType === 'OTHER' && { consideration_description: considerationDescription }),
    ...(trustDeclaration && { trust_declaration_type: trustDeclaration }),
    ...(trustDeclaration === 'TRUST_DETAILS' && { trust_details: trustDetails }),
    ...(pence !== undefined ? { value: pence / 100 } : band && { value_band: BANDS[band] }),
    ...(outstanding !== undefined && { outstanding_charge: outstanding / 100 }),
  }
}

const BANDS: Record<ValueBand, { lower_value_band: number; upper_value_band?: number }> = {
  UP_TO_100000: { lower_value_band: 0, upper_value_band: 100_000 },
  UP_TO_200000: { lower_value_band: 100_001, upper_value_band: 200_000 },
  UP_TO_500000: { lower_value_band: 200_001, upper_value_band: 500_000 },
  UP_TO_1000000: { lower_value_band: 500_001, upper_value_band: 1_000_000 },
  ABOVE_1000000: { lower_value_band: 1_000_001 },
}
