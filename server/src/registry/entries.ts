import { dayInWords, holders, pounds, upperName } from './entry-wording.ts'
import type { Charge, EntryOf, Lease, Note, OwnEntry, Register, Restriction } from './register.ts'

/**
 * One numbered entry of a register, as it is printed: upper-case names, dates in words, one string for each paragraph. In
 * the registry's own words it may have no date, another name for its type, or be about nothing in the data.
 */
export type Entry = {
  number: string
  enteredOn?: string
  kind?: EntryType
  /** Where the registry calls it by another name than its kind. */
  type?: string
  text: string[]
  about?: Subject
}

/** The entries of the three registers: of the property, its proprietorship, and the charges on it. */
export type Entries = { A: Entry[]; B: Entry[]; C: Entry[] }

export type EntryType = EntryOf['kind']

/** The part of the register that an entry is about, so that the summary can refer to the entry. */
export type Subject = Register | Lease | Note | Restriction | Charge

type Draft = Omit<Entry, 'number'>

export function entriesOf(register: Register): Entries {
  if (register.entries) return mapEntries(register.entries, (own) => asWritten(register, own))
  return {
    A: numbered([description(register), ...lease(register), ...register.rights.map(note('Rights'))]),
    B: numbered([proprietor(register), ...pricePaid(register), ...register.restrictions.map(restriction)]),
    C: numbered([...register.burdens.map(note('Burden')), ...register.charges.flatMap(charge)]),
  }
}

const mapEntries = ({ A, B, C }: Record<'A' | 'B' | 'C', OwnEntry[]>, map: (own: OwnEntry) => Entry): Entries => ({
  A: A.map(map),
  B: B.map(map),
  C: C.map(map),
})

function asWritten(register: Register, { of, ...entry }: OwnEntry): Entry {
  const about = of && subjectOf(register, of)
  return { ...entry, ...(of && { kind: of.kind }), ...(about && { about }) }
}

function subjectOf(register: Register, of: EntryOf): Subject | undefined {
  switch (of.kind) {
    case 'Rights':
      return register.rights[of.index]
    case 'Burden':
      return register.burdens[of.index]
    case 'Restriction':
      return register.restrictions[of.index]
    case 'Registered Charges':
    case 'Chargee':
      return register.charges[of.index]
    case 'Lease':
      return register.lease
    default:
      return register
  }
}

const numbered = (drafts: Draft[]): Entry[] => drafts.map((draft, index) => ({ number: String(index + 1), ...draft }))

function description(register: Register): Draft {
  const { registeredOn, property } = register
  return { enteredOn: registeredOn, kind: 'Property Description', text: [property.description], about: register }
}

function lease({ registeredOn, lease }: Register): Draft[] {
  if (!lease) return []
  const parties = lease.parties.map((party, index) => `(${index + 1}) ${upperName(party)}`).join(' ')
  const text = [
    'The lease under which the land is held:',
    `Date: ${dayInWords(lease.dated)}`,
    `Term: ${lease.term}`,
    ...(lease.rent ? [`Rent: ${lease.rent}`] : []),
    `Parties: ${parties}`,
  ]
  return [{ enteredOn: registeredOn, kind: 'Lease', text, about: lease }]
}

const note =
  (kind: 'Rights' | 'Burden') =>
  (about: Note): Draft => ({ enteredOn: about.enteredOn, kind, text: [about.text], about })

function proprietor(register: Register): Draft {
  const text = [`PROPRIETOR: ${holders(register.proprietors)}.`]
  return { enteredOn: register.proprietorsSince, kind: 'Proprietor', text, about: register }
}

function pricePaid(register: Register): Draft[] {
  const { pricePaid, proprietorsSince } = register
  if (!pricePaid) return []
  const text = [`Price stated to have been paid on ${dayInWords(pricePaid.paidOn)}: ${pounds(pricePaid.pence)}.`]
  return [{ enteredOn: proprietorsSince, kind: 'Price Paid', text, about: register }]
}

function restriction(about: Restriction): Draft {
  return { enteredOn: about.enteredOn, kind: 'Restriction', text: [`RESTRICTION: ${about.text}`], about }
}

function charge(about: Charge): Draft[] {
  const { enteredOn } = about
  const deed = `REGISTERED CHARGE dated ${dayInWords(about.dated)}.`
  const chargee = `Proprietor: ${holders(about.chargees)}.`
  return [
    { enteredOn, kind: 'Registered Charges', text: [deed], about },
    { enteredOn, kind: 'Chargee', text: [chargee], about },
  ]
}
