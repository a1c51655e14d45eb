import type {
  LodgedApplication,
  LodgedDocument,
  LodgedParty,
  Lodgement,
  RegisteredName,
} from '../registry/lodgement.ts'
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

type Party = { reference: string; name: Name; lodged: LodgedParty | undefined }

export function submissionOf(lodgement: Lodgement, { account, lender, documentId }: Circumstances) {
  const parties = partiesOf(lodgement)
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
      applicants: parties.filter(({ lodged }) => lodged && lodged.role !== 'OUTGOING_PROPRIETOR').map(referenceOf),
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

const referenceOf = ({ reference }: Party) => reference

export const hasCharge = ({ applications }: Lodgement) => applications.some(({ type }) => type === 'MORTGAGE_DEED')

/** Everybody once, though they may be in several roles: borrowers, and who leaves, stays and comes. */
function partiesOf(lodgement: Lodgement): Party[] {
  const names = [...lodgement.parties.map(({ name }) => name), ...transferorsOf(lodgement)]
  const distinct = [...new Map(names.map((name) => [keyOf(name), name])).values()]
  return distinct.map((name, index) => ({
    reference: `party-${index + 1}`,
    name,
    lodged: lodgement.parties.find((one) => keyOf(one.name) === keyOf(name)),
  }))
}

/** Names that differ only in their case are of the same party. */
export const keyOf = (name: Name) =>
  (name.type === 'INDIVIDUAL' ? `${name.forenames} ${name.surname}` : name.organisationName).toUpperCase()

const transferOf = ({ applications }: Lodgement) => applications.find((one) => one.type === 'TRANSFER_OF_WHOLE')

/** Under the new name where that changes, as its own application says. In the order of the register. */
function presentNames({ applications }: Lodgement, registered: readonly RegisteredName[]): Name[] {
  const changes = applications.filter((one) => one.type === 'CHANGE_OF_NAME')
  return registered
    .toSorted((a, b) => a.position - b.position)
    .map(({ position, name }) => changes.find((one) => one.proprietor.position === position)?.newName ?? name)
}

/** All registered proprietors transfer, also those who stay. */
function transferorsOf(lodgement: Lodgement): Name[] {
  const { outgoing = [], remaining = [] } = transferOf(lodgement) ?? {}
  return presentNames(lodgement, [...outgoing, ...remaining])
}

/** Who stays receives the title together with who comes. */
export function transfereesOf(lodgement: Lodgement): Name[] {
  const { incoming = [], remaining = [] } = transferOf(lodgement) ?? {}
  return [...presentNames(lodgement, remaining), ...incoming]
}

function partyFrom({ reference, name, lodged }: Party, lodgement: Lodgement, addresses: Record<string, unknown>) {
  const isTransferee = transfereesOf(lodgement).some((one) => keyOf(one) === keyOf(name))
  const service = isTransferee ? lodged?.addressForService : undefined
  if (service) addresses[`${reference}-address`] = { details: ukAddress(service) }
  return {
    details: nameFrom(name),
    address_for_service_option: isTransferee ? 'PROVIDED_ADDRESS' : 'NOT_REQUIRED',
    ...(service && { addresses: [`${reference}-address`] }),
    ...representationFrom(reference, lodged, lodgement, addresses),
  }
}

function representationFrom(
  reference: string,
  lodged: LodgedParty | undefined,
  { lodgedBy }: Lodgement,
  addresses: Record<string, unknown>,
) {
  const { representedBy, firm, address, referenceNumber, verificationOfIdentity } = lodged?.representation ?? {}
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
  const referencesOf = (names: readonly Name[], role: string, capacity?: string) =>
    names.map((name) => {
      const found = parties.find((one) => keyOf(one.name) === keyOf(name))
      return { party_reference: found?.reference ?? '', role, ...(capacity && { capacity }) }
    })
  const inRole = (role: LodgedParty['role']) =>
    lodgement.parties.filter((one) => one.role === role).map(({ name }) => name)
  const borrowers = referencesOf(inRole('BORROWER'), 'BORROWER')
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
      return { type: 'C', ...common, details, party_roles: [...borrowers, { party_reference: LENDER, role: 'LENDER' }] }
    }
    case 'DISCHARGE': {
      const isAttached = documents.some((one) => documentCode(one, 'DISCHARGE') === 'DS1')
      const details = { type: 'DISCHARGE', discharge_submission_type: isAttached ? 'ATTACHED' : 'LENDER' }
      return { type: 'DIS', ...common, details, party_roles: borrowers }
    }
    case 'CHANGE_OF_NAME':
      return { type: 'CN', ...common, party_roles: referencesOf([application.newName], 'APPLICANT') }
    case 'CANCEL_A_RESTRICTION':
      return { type: 'CANR', ...common, party_roles: [] }
    case 'TRANSFER_OF_WHOLE': {
      const transferors = referencesOf(transferorsOf(lodgement), 'TRANSFEROR', 'REGISTERED_PROPRIETOR')
      const party_roles = [...transferors, ...referencesOf(transfereesOf(lodgement), 'TRANSFEREE')]
      return { ...transferFrom(application, lodgement.completedOn), ...common, party_roles }
    }
  }
}

type Transfer = Extract<LodgedApplication, { type: 'TRANSFER_OF_WHOLE' }>

/** `T` and `TNV` only where nobody stays; in the others a party may be transferor and transferee. */
function transferFrom({ remaining = [], terms }: Transfer, date: string) {
  const { titleGuarantee, considerationPence, valuePence, outstandingChargePence, heldAs } = terms ?? {}
  const isForValue = considerationPence !== undefined
  const type = remaining.length ? (isForValue ? 'TOSV' : 'TOSNV') : isForValue ? 'T' : 'TNV'
  const value = considerationPence ?? valuePence
  const details = {
    type: 'TRANSFER',
    date,
    additional_provisions_code: 'MANUAL_TR1_FORM',
    consideration_type: isForValue ? 'MONETARY_VALUE' : 'NO_MONETARY_VALUE',
    title_guarantee_code: titleGuarantee,
    ...(value !== undefined && { value: value / 100 }),
    ...(outstandingChargePence !== undefined && { outstanding_charge: outstandingChargePence / 100 }),
    ...(heldAs && { trust_declaration_type: heldAs }),
  }
  return { type, details }
}
