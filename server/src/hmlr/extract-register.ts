import type {
  Address,
  Charge,
  ClassOfTitleCode,
  EntryOf,
  Lease,
  OwnEntry,
  Party,
  Register,
  Restriction,
} from '../registry/register.ts'
import { child, children, textOf } from './xml.ts'

// A register extract as our register data. The entries stay in the registry's own words. Pure.

const TENURES: Readonly<Record<string, Register['tenure']>> = {
  10: 'FREEHOLD',
  20: 'FREEHOLD',
  30: 'FREEHOLD',
  60: 'LEASEHOLD',
  70: 'LEASEHOLD',
  80: 'LEASEHOLD',
  90: 'LEASEHOLD',
}

type Letter = 'A' | 'B' | 'C'
type Entries = Record<Letter, OwnEntry[]>

/** Undefined where the class of title cannot be charged to a lender. */
export function registerFrom(summary: unknown, data: unknown): Register | undefined {
  const title = child(summary, 'Title')
  const code = textOf(title, 'ClassOfTitleCode') ?? ''
  const tenure = TENURES[code]
  if (!tenure) return undefined
  const details = child(title, 'TitleRegistrationDetails')
  const entries = entriesIn(data)
  const editionDate = dayOf(textOf(summary, 'EditionDate')) ?? needed(details, 'LatestEditionDate')
  const registeredOn = dayOf(textOf(details, 'RegistrationDate')) ?? entries.A[0]?.enteredOn ?? editionDate
  const description = named(entries, 'A', /property description/i) ?? entries.A[0]
  const proprietor =
    named(entries, 'B', /proprietor/i) ?? entries.B.find(({ text }) => /^\W*PROPRIETOR/.test(text[0] ?? ''))
  mark(description, { kind: 'Property Description' })
  mark(proprietor, { kind: 'Proprietor' })
  const known = { entries, editionDate }
  const lease = leaseIn(summary, known)
  const pricePaid = pricePaidIn(summary, known)
  const restrictions = restrictionsIn(summary, known)
  const charges = chargesIn(summary, known)
  const since = dayOf(textOf(summary, 'Proprietorship', 'CurrentProprietorshipDate'))
  return {
    titleNumber: needed(title, 'TitleNumber'),
    tenure,
    classOfTitleCode: code as ClassOfTitleCode,
    district: textOf(details, 'DistrictName') ?? '',
    administrativeArea: textOf(details, 'AdministrativeArea') ?? '',
    office: textOf(details, 'LandRegistryOfficeName') ?? '',
    registeredOn,
    editionDate,
    property: { address: propertyAddress(summary, details), description: description?.text.join(' ') ?? '' },
    ...(lease && { lease }),
    rights: notesIn(entries.A, 'Rights', registeredOn),
    proprietorsSince: since ?? proprietor?.enteredOn ?? registeredOn,
    proprietors: children(child(summary, 'Proprietorship'), 'RegisteredProprietorParty').map(partyFrom),
    ...(pricePaid && { pricePaid }),
    restrictions,
    burdens: notesIn(entries.C, 'Burden', registeredOn),
    charges,
    entries,
    indicators: indicatorsIn(child(summary, 'RegisterEntryIndicators')),
  }
}

function entriesIn(data: unknown): Entries {
  const of = (name: string) => {
    const register = child(data, name)
    const schedules = children(register, 'Schedule').flatMap((schedule) => {
      const type = textOf(schedule, 'ScheduleType')
      return children(schedule, 'ScheduleEntry').map((one) => ({ ...entryFrom(one), ...(type && { type }) }))
    })
    return [...children(register, 'RegisterEntry').map(entryFrom), ...schedules]
  }
  return { A: of('PropertyRegister'), B: of('ProprietorshipRegister'), C: of('ChargesRegister') }
}

function entryFrom(entry: unknown): OwnEntry {
  const enteredOn = dayOf(textOf(entry, 'EntryDate') ?? textOf(entry, 'RegistrationDate'))
  const type = textOf(entry, 'EntryType')
  const text = children(entry, 'EntryText').filter((one): one is string => typeof one === 'string')
  return { number: textOf(entry, 'EntryNumber') ?? '', ...(enteredOn && { enteredOn }), ...(type && { type }), text }
}

const named = (entries: Entries, letter: Letter, type: RegExp) =>
  entries[letter].find((one) => type.test(one.type ?? ''))

function mark(entry: OwnEntry | undefined, of: EntryOf): void {
  if (entry && !entry.of) entry.of = of
}

type Known = { entries: Entries; editionDate: string }

/** The entry that the summary describes. Where the register lacks it, the summary has its words. */
function detailed({ entries, editionDate }: Known, details: unknown, letter: Letter, of: EntryOf) {
  const described = entryFrom(details)
  const code = textOf(details, 'SubRegisterCode')
  const list = entries[code === 'A' || code === 'B' || code === 'C' ? code : letter]
  const found = list.find((one) => one.number === described.number && !one.of)
  if (found) found.of = of
  else entries[letter].push({ ...described, of })
  const enteredOn = described.enteredOn ?? found?.enteredOn ?? editionDate
  return { enteredOn, text: described.text.join(' ') || (found?.text.join(' ') ?? '') }
}

/** What is left after the summary's own entries were taken out. */
function notesIn(entries: OwnEntry[], kind: 'Rights' | 'Burden', registeredOn: string) {
  return entries
    .filter(({ of }) => !of)
    .map((entry, index) => {
      entry.of = { kind, index }
      return { enteredOn: entry.enteredOn ?? registeredOn, text: entry.text.join(' ') }
    })
}

const RESTRICTIONS = [
  ['NonChargeRestriction', 'OTHER'],
  ['ChargeRelatedRestriction', 'CHARGE_RELATED'],
  ['ChargeRestriction', 'CHARGE'],
] as const
const JOINT_PROPRIETOR = '10'

function restrictionsIn(summary: unknown, known: Known): Restriction[] {
  const entries = children(child(summary, 'RestrictionDetails'), 'RestrictionEntry')
  return entries.flatMap((entry, index) =>
    RESTRICTIONS.flatMap(([name, usual]) => {
      const one = child(entry, name)
      if (one === undefined) return []
      const isJoint = usual === 'OTHER' && textOf(one, 'RestrictionTypeCode') === JOINT_PROPRIETOR
      const found = detailed(known, child(one, 'EntryDetails'), 'B', { kind: 'Restriction', index })
      return [
        { type: isJoint ? 'JOINT_PROPRIETOR' : usual, ...found, text: found.text.replace(/^RESTRICTION:\s*/i, '') },
      ]
    }),
  )
}

function chargesIn(summary: unknown, known: Known): Charge[] {
  return children(child(summary, 'Charge'), 'ChargeEntry').map((entry, index) => {
    const deedDetails = child(entry, 'RegisteredCharge', 'EntryDetails')
    const deed = detailed(known, deedDetails, 'C', { kind: 'Registered Charges', index })
    const proprietor = child(entry, 'ChargeProprietor')
    detailed(known, child(proprietor, 'EntryDetails'), 'C', { kind: 'Chargee', index })
    const dated = dayOf(textOf(entry, 'ChargeDate') ?? textOf(deedDetails, 'Infills', 'ChargeDate'))
    return {
      chargeId: textOf(entry, 'ChargeID') ?? `C${textOf(deedDetails, 'EntryNumber') ?? index + 1}`,
      dated: dated ?? deed.enteredOn,
      enteredOn: deed.enteredOn,
      chargees: children(proprietor, 'ChargeeParty').map(partyFrom),
    }
  })
}

function leaseIn(summary: unknown, known: Known): Lease | undefined {
  const entry = child(summary, 'Lease', 'LeaseEntry')
  if (entry === undefined) return undefined
  detailed(known, child(entry, 'EntryDetails'), 'A', { kind: 'Lease' })
  const dated = textOf(entry, 'LeaseDate') ?? ''
  const rent = textOf(entry, 'Rent')
  return {
    dated: dayOf(dated) ?? dated,
    term: textOf(entry, 'LeaseTerm') ?? '',
    ...(rent && { rent }),
    parties: children(entry, 'LeaseParty').map(partyFrom),
  }
}

function pricePaidIn(summary: unknown, known: Known): Register['pricePaid'] {
  const details = child(summary, 'PricePaidEntry', 'EntryDetails')
  const amount = /£?\s*([\d,]+(?:\.\d\d)?)/.exec(textOf(details, 'Infills', 'Amount') ?? '')?.[1]
  if (!amount) return undefined
  const { enteredOn } = detailed(known, details, 'B', { kind: 'Price Paid' })
  const paidOn = dayOf(textOf(details, 'Infills', 'Date')) ?? enteredOn
  return { pence: Math.round(Number(amount.replaceAll(',', '')) * 100), paidOn }
}

function partyFrom(party: unknown): Party {
  const addresses = children(party, 'Address').map(addressFrom)
  const person = child(party, 'PrivateIndividual')
  if (person === undefined) {
    const organisation = child(party, 'Organization')
    const registrationNumber = textOf(organisation, 'CompanyRegistrationNumber')
    const name = {
      organisationName: textOf(organisation, 'Name') ?? '',
      ...(registrationNumber && { registrationNumber }),
    }
    return { type: 'ORGANISATION', ...name, addresses }
  }
  const aliases = children(person, 'Alias').map(personName)
  return { type: 'INDIVIDUAL', ...personName(child(person, 'Name')), aliases, addresses }
}

const personName = (name: unknown) => ({
  forenames: titleCase(textOf(name, 'ForenamesName') ?? ''),
  surname: titleCase(textOf(name, 'SurnameName') ?? ''),
})

/** Only where all of it is in capitals: otherwise the register knows better. */
export function titleCase(text: string): string {
  if (text !== text.toUpperCase()) return text
  return text
    .toLowerCase()
    .replaceAll(/(^|[\s'’-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
    .replaceAll(/\bMc(\p{L})/gu, (_, letter: string) => `Mc${letter.toUpperCase()}`)
}

function addressFrom(address: unknown): Address {
  const postcode = textOf(address, 'PostcodeZone', 'Postcode')
  const lines = children(child(address, 'AddressLine'), 'Line').filter((one): one is string => !!one)
  return { lines: lines.filter((line) => line !== postcode), ...(postcode && { postcode }) }
}

function propertyAddress(summary: unknown, details: unknown): Address {
  const address = addressFrom(child(summary, 'PropertyAddress'))
  const postcodes = children(details, 'PostcodeZone').map((zone) => textOf(zone, 'Postcode'))
  const [only] = postcodes.length === 1 ? postcodes : []
  return address.postcode || !only ? address : { ...address, postcode: only }
}

/** `LeaseHoldTitleIndicator` as `leaseHoldTitleIndicator`, `CCBIIndicator` as `ccbiIndicator`. */
function indicatorsIn(indicators: unknown): Record<string, boolean> {
  const flags = Object.entries((indicators ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    flags.map(([name, value]) => [
      name.replace(/^([A-Z]+(?=[A-Z][a-z])|[A-Z])/, (start) => start.toLowerCase()),
      value === 'true' || value === '1',
    ]),
  )
}

/** `yyyy-mm-dd` from that, with or without a time, or from `dd.mm.yyyy`. */
export function dayOf(text: string | undefined): string | undefined {
  const [, iso] = /^(\d{4}-\d\d-\d\d)/.exec(text ?? '') ?? []
  const [, day, month, year] = /^(\d\d)[./](\d\d)[./](\d{4})$/.exec(text ?? '') ?? []
  return iso ?? (year ? `${year}-${month}-${day}` : undefined)
}

function needed(node: unknown, name: string): string {
  const text = textOf(node, name)
  if (!text) throw new Error(`The register extract has no ${name}.`)
  return text
}
