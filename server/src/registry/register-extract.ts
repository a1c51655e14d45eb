import { type Entries, type Entry, type EntryType, entriesOf, type Subject } from './entries.ts'
import { pounds } from './entry-wording.ts'
import type { Address, Charge, Lease, OfficialCopy, Party, Register, Restriction } from './register.ts'
import { registerEntryIndicators } from './register-indicators.ts'

/**
 * A register as JSON, in the shape of `registerExtract` in the Property Data Trust Framework's third schema, which
 * mirrors the registry's own extract: a summary for programs, then the entries as they are printed. Where the schema allows
 * one item or a list, this is always a list.
 */
export function registerExtract({ register, officialCopyAt }: OfficialCopy) {
  const entries = entriesOf(register)
  return { ocSummaryData: summary(register, officialCopyAt, entries), ocRegisterData: registers(register, entries) }
}

function summary(register: Register, officialCopyAt: Date, entries: Entries) {
  const { pricePaid, lease, restrictions, charges } = register
  const unidentified = [...allDetails(entries, 'A', 'Rights'), ...allDetails(entries, 'C', 'Burden')]
  return {
    officialCopyDateTime: officialCopyAt.toISOString(),
    editionDate: register.editionDate,
    ...(pricePaid && { pricePaidEntry: pricePaidEntry(register, pricePaid, entries) }),
    propertyAddress: [address(register.property.address)],
    title: title(register),
    registerEntryIndicators: registerEntryIndicators(register),
    proprietorship: {
      currentProprietorshipDate: register.proprietorsSince,
      registeredProprietorParty: register.proprietors.map(party),
    },
    ...(lease && { lease: { leaseEntry: [leaseEntry(lease, entries)] } }),
    ...(restrictions.length > 0 && {
      restrictionDetails: { restrictionEntry: restrictions.map((one) => restrictionEntry(one, entries)) },
    }),
    ...(charges.length > 0 && { charge: { chargeEntry: charges.map((one) => chargeEntry(one, entries)) } }),
    ...(unidentified.length > 0 && { unidentifiedEntry: { entryDetails: unidentified } }),
  }
}

function title(register: Register) {
  const { postcode } = register.property.address
  return {
    titleNumber: register.titleNumber,
    classOfTitleCode: register.classOfTitleCode,
    commonholdIndicator: false,
    titleRegistrationDetails: {
      districtName: register.district,
      administrativeArea: register.administrativeArea,
      landRegistryOfficeName: register.office,
      latestEditionDate: register.editionDate,
      ...(postcode && { postcodeZone: [{ postcode }] }),
      registrationDate: register.registeredOn,
    },
  }
}

function pricePaidEntry(register: Register, { pence, paidOn }: { pence: number; paidOn: string }, entries: Entries) {
  const infills = { amount: pounds(pence), date: paidOn }
  return { entryDetails: { ...detailsAbout(entries, 'B', 'Price Paid', register), infills } }
}

function leaseEntry(lease: Lease, entries: Entries) {
  return {
    leaseTerm: lease.term,
    leaseDate: lease.dated,
    ...(lease.rent && { rent: lease.rent }),
    leaseParty: lease.parties.map(party),
    entryDetails: detailsAbout(entries, 'A', 'Lease', lease),
  }
}

const RESTRICTIONS = {
  OTHER: { key: 'nonChargeRestriction', code: '0' },
  JOINT_PROPRIETOR: { key: 'nonChargeRestriction', code: '10' },
  CHARGE_RELATED: { key: 'chargeRelatedRestriction', code: '20' },
  CHARGE: { key: 'chargeRestriction', code: '30' },
} as const

function restrictionEntry(restriction: Restriction, entries: Entries) {
  const { key, code } = RESTRICTIONS[restriction.type]
  return { [key]: { restrictionTypeCode: code, entryDetails: detailsAbout(entries, 'B', 'Restriction', restriction) } }
}

function chargeEntry(charge: Charge, entries: Entries) {
  const deed = detailsAbout(entries, 'C', 'Registered Charges', charge)
  return {
    chargeId: charge.chargeId,
    chargeDate: charge.dated,
    registeredCharge: { entryDetails: { ...deed, infills: { chargeDate: charge.dated } } },
    chargeProprietor: {
      chargeeParty: charge.chargees.map(party),
      entryDetails: detailsAbout(entries, 'C', 'Chargee', charge),
    },
  }
}

function party(one: Party) {
  const where = { address: one.addresses.map(address) }
  if (one.type === 'INDIVIDUAL')
    return { privateIndividual: { name: name(one), alias: one.aliases.map(name) }, ...where }
  const { organisationName, registrationNumber } = one
  return {
    organization: {
      name: organisationName,
      ...(registrationNumber && { companyRegistrationNumber: registrationNumber }),
    },
    ...where,
  }
}

function name({ forenames, surname }: { forenames: string; surname: string }) {
  return { ...(forenames && { forenamesName: forenames }), surnameName: surname }
}

function address({ lines, postcode }: Address) {
  return { ...(postcode && { postcodeZone: { postcode } }), addressLine: { line: lines } }
}

function registers(register: Register, { A, B, C }: Entries) {
  const district = [register.administrativeArea, register.district].map((one) => one.toUpperCase()).join(' : ')
  return {
    propertyRegister: { districtDetails: { entryText: [district] }, registerEntry: A.map(registerEntry) },
    proprietorshipRegister: { registerEntry: B.map(registerEntry) },
    ...(C.length > 0 && { chargesRegister: { registerEntry: C.map(registerEntry) } }),
  }
}

const registerEntry = ({ number, enteredOn, kind, type = kind, text }: Entry) => ({
  entryNumber: number,
  ...(enteredOn && { entryDate: enteredOn }),
  ...(type && { entryType: type }),
  entryText: text,
})

type Letter = keyof Entries

function detailsAbout(entries: Entries, letter: Letter, kind: EntryType, subject: Subject) {
  const entry = entries[letter].find((one) => one.kind === kind && one.about === subject)
  if (!entry) throw new Error(`the ${letter} register has no entry of type ${kind} for the summary`)
  return details(letter, entry)
}

const allDetails = (entries: Entries, letter: Letter, kind: EntryType) =>
  entries[letter].filter((entry) => entry.kind === kind).map((entry) => details(letter, entry))

const details = (letter: Letter, { number, enteredOn, text }: Entry) => ({
  entryNumber: number,
  entryText: text.join('\n'),
  ...(enteredOn && { registrationDate: enteredOn }),
  subRegisterCode: letter,
})
