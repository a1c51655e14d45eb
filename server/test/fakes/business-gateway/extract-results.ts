import { type Entries, type Entry, type EntryType, entriesOf, type Subject } from '../../../src/registry/entries.ts'
import { dayInWords, pounds } from '../../../src/registry/entry-wording.ts'
import type { Address, Charge, Lease, Party, Register, Restriction } from '../../../src/registry/register.ts'
import { pdfOf, zipOf } from './files.ts'
import { indicatorsOf } from './indicators.ts'
import type { Extract } from './state.ts'
import { el, optionalEl, type Xml } from './xml.ts'

type SubRegister = keyof Entries

/** A successful result: the official copy as a PDF, or with the title plan as a ZIP, and the register as data. */
export function resultOf(
  { externalReference, isWithPlan, readyAt }: Extract,
  { register, classOfTitle, price, attachment: format }: Delivery,
): Xml {
  const entries = entriesOf(register)
  return el('Results', [
    el('ExternalReference', [el('Reference', externalReference)]),
    el('ActualPrice', [el('GrossPriceAmount', (price / 100).toFixed(2))]),
    el('Attachment', [attachment(register, entries, isWithPlan ? 'with plan' : format)]),
    summary(register, classOfTitle, entries, readyAt),
    registers(register, entries),
  ])
}

type Delivery = { register: Register; classOfTitle: string; price: number; attachment: 'PDF' | 'ZIP' }

function attachment(register: Register, entries: Entries, delivered: 'PDF' | 'ZIP' | 'with plan'): Xml {
  const { titleNumber } = register
  const lines = Object.entries(entries).flatMap(([code, list]: [string, Entry[]]) => [
    `Register ${code}`,
    ...list.flatMap(({ number, text }) => text.map((one, index) => (index ? one : `${number} ${one}`))),
  ])
  const copy = pdfOf([`OFFICIAL COPY OF REGISTER OF TITLE ${titleNumber}`, ...lines])
  const plan = { name: `${titleNumber}_plan.pdf`, bytes: pdfOf([`TITLE PLAN OF ${titleNumber}`]) }
  const files = [{ name: `${titleNumber}_register.pdf`, bytes: copy }, ...(delivered === 'with plan' ? [plan] : [])]
  const [format, bytes] = delivered === 'PDF' ? ['PDF', copy] : ['ZIP', zipOf(files)]
  const attributes = ` filename="${titleNumber}.${format.toLowerCase()}" format="${format}"`
  return el('EmbeddedFileBinaryObject', bytes.toString('base64'), attributes)
}

function summary(register: Register, classOfTitle: string, entries: Entries, at: Date): Xml {
  const { lease, pricePaid, restrictions, charges } = register
  const unidentified = [
    ...register.rights.map((one) => entryDetails(entries, 'A', 'Rights', one)),
    ...register.burdens.map((one) => entryDetails(entries, 'C', 'Burden', one)),
  ]
  return el('OCSummaryData', [
    el('OfficialCopyDateTime', at.toISOString()),
    el('EditionDate', register.editionDate),
    pricePaid && el('PricePaidEntry', [pricePaidEntry(register, pricePaid, entries)]),
    addressOf('PropertyAddress', register.property.address),
    titleOf(register, classOfTitle),
    indicatorsOf(register),
    el('Proprietorship', [
      el('CurrentProprietorshipDate', register.proprietorsSince),
      ...register.proprietors.map((one) => partyOf('RegisteredProprietorParty', one)),
    ]),
    lease && el('Lease', [leaseEntry(lease, entries)]),
    restrictions.length > 0
      ? el(
          'RestrictionDetails',
          restrictions.map((one) => restrictionEntry(one, entries)),
        )
      : undefined,
    charges.length > 0
      ? el(
          'Charge',
          charges.map((one) => chargeEntry(one, entries)),
        )
      : undefined,
    unidentified.length > 0 ? el('UnidentifiedEntry', unidentified) : undefined,
  ])
}

function titleOf(register: Register, classOfTitle: string): Xml {
  const { postcode } = register.property.address
  return el('Title', [
    el('TitleNumber', register.titleNumber),
    el('ClassOfTitleCode', classOfTitle),
    el('CommonholdIndicator', false),
    el('TitleRegistrationDetails', [
      el('DistrictName', register.district),
      el('AdministrativeArea', register.administrativeArea),
      el('LandRegistryOfficeName', register.office),
      el('LatestEditionDate', register.editionDate),
      postcode === undefined ? undefined : el('PostcodeZone', [el('Postcode', postcode)]),
      el('RegistrationDate', register.registeredOn),
    ]),
  ])
}

const addressOf = (name: string, { lines, postcode }: Address): Xml =>
  el(name, [
    postcode === undefined ? undefined : el('PostcodeZone', [el('Postcode', postcode)]),
    el(
      'AddressLine',
      lines.map((line) => el('Line', line)),
    ),
  ])

function partyOf(name: string, party: Party): Xml {
  const addresses = party.addresses.map((one) => addressOf('Address', one))
  if (party.type === 'INDIVIDUAL') {
    const aliases = party.aliases.map((one) => el('Alias', nameOf(one)))
    return el(name, [el('PrivateIndividual', [el('Name', nameOf(party)), ...aliases]), ...addresses])
  }
  const { organisationName, registrationNumber } = party
  const number = optionalEl('CompanyRegistrationNumber', registrationNumber)
  return el(name, [el('Organization', [el('Name', organisationName), number]), ...addresses])
}

const nameOf = ({ forenames, surname }: { forenames: string; surname: string }) => [
  forenames === '' ? undefined : el('ForenamesName', forenames),
  el('SurnameName', surname),
]

function pricePaidEntry(
  register: Register,
  { pence, paidOn }: { pence: number; paidOn: string },
  entries: Entries,
): Xml {
  return entryDetails(entries, 'B', 'Price Paid', register, [el('Amount', pounds(pence)), el('Date', paidOn)])
}

function leaseEntry(lease: Lease, entries: Entries): Xml {
  return el('LeaseEntry', [
    el('LeaseTerm', lease.term),
    el('LeaseDate', dayInWords(lease.dated)),
    optionalEl('Rent', lease.rent),
    ...lease.parties.map((one) => partyOf('LeaseParty', one)),
    entryDetails(entries, 'A', 'Lease', lease),
  ])
}

const RESTRICTIONS = {
  OTHER: ['NonChargeRestriction', '0'],
  JOINT_PROPRIETOR: ['NonChargeRestriction', '10'],
  CHARGE_RELATED: ['ChargeRelatedRestriction', '20'],
  CHARGE: ['ChargeRestriction', '30'],
} as const

function restrictionEntry(one: Restriction, entries: Entries): Xml {
  const [name, code] = RESTRICTIONS[one.type]
  const content = [el('RestrictionTypeCode', code), entryDetails(entries, 'B', 'Restriction', one)]
  return el('RestrictionEntry', [el(name, content)])
}

function chargeEntry(one: Charge, entries: Entries): Xml {
  return el('ChargeEntry', [
    el('ChargeID', one.chargeId),
    el('ChargeDate', one.dated),
    el('RegisteredCharge', [entryDetails(entries, 'C', 'Registered Charges', one)]),
    el('ChargeProprietor', [
      ...one.chargees.map((chargee) => partyOf('ChargeeParty', chargee)),
      entryDetails(entries, 'C', 'Chargee', one),
    ]),
  ])
}

function entryDetails(entries: Entries, code: SubRegister, type: EntryType, about: Subject, infills?: Xml[]): Xml {
  const entry = entries[code].find((one) => one.kind === type && one.about === about)
  if (!entry) throw new Error(`There is no entry ${type}.`)
  return el('EntryDetails', [
    el('EntryNumber', entry.number),
    el('EntryText', entry.text.join(' ')),
    optionalEl('RegistrationDate', entry.enteredOn),
    el('SubRegisterCode', code),
    infills && el('Infills', infills),
  ])
}

/** The entries as they are printed. */
function registers(register: Register, entries: Entries): Xml {
  const district = el('DistrictDetails', [el('EntryText', `${register.administrativeArea} : ${register.district}`)])
  const list = (code: SubRegister) =>
    entries[code].map(({ number, enteredOn, kind, text }) =>
      el('RegisterEntry', [
        el('EntryNumber', number),
        optionalEl('EntryDate', enteredOn),
        optionalEl('EntryType', kind),
        ...text.map((one) => el('EntryText', one)),
      ]),
    )
  return el('OCRegisterData', [
    el('PropertyRegister', [district, ...list('A')]),
    el('ProprietorshipRegister', list('B')),
    entries.C.length > 0 ? el('ChargesRegister', list('C')) : undefined,
  ])
}
