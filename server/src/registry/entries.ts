import { dayInWords, holders, pounds, upperName } from './entry-wording.ts'
import type { Charge, Lease, Note, Register, Restriction } from './register.ts'

/** One numbered entry of a register, as it is printed: upper-case names, dates in words, one string for each paragraph. */
export type Entry = { number: string; enteredOn: string; type: EntryType; text: string[]; about: Subject }

/** The entries of the three registers: of the property, its proprietorship, and the charges on it. */
export type Entries = { A: Entry[]; B: Entry[]; C: Entry[] }

export type EntryType =
  | 'Property Description'
  | 'Lease'
  | 'Rights'
  | 'Proprietor'
  | 'Price Paid'
  | 'Restriction'
  | 'Burden'
  | 'Registered Charges'
  | 'Chargee'

/** The part of the register that an entry is about, so that the summary can refer to the entry. */
export type Subject = Register | Lease | Note | Restriction | Charge

type Draft = Omit<Entry, 'number'>

export function entriesOf(register: Register): Entries {
  return {
    A: numbered([description(register), ...lease(register), ...register.rights.map(note('Rights'))]),
    B: numbered([proprietor(register), ...pricePaid(register), ...register.restrictions.map(restriction)]),
    C: numbered([...register.burdens.map(note('Burden')), ...register.charges.flatMap(charge)]),
  }
}

const numbered = (drafts: Draft[]): Entry[] => drafts.map((draft, index) => ({ number: String(index + 1), ...draft }))

function description(register: Register): Draft {
  const { registeredOn, property } = register
  return { enteredOn: registeredOn, type: 'Property Description', text: [property.description], about: register }
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
  return [{ enteredOn: registeredOn, type: 'Lease', text, about: lease }]
}

const note =
  (type: 'Rights' | 'Burden') =>
  (about: Note): Draft => ({ enteredOn: about.enteredOn, type, text: [about.text], about })

function proprietor(register: Register): Draft {
  const text = [`PROPRIETOR: ${holders(register.proprietors)}.`]
  return { enteredOn: register.proprietorsSince, type: 'Proprietor', text, about: register }
}

function pricePaid(register: Register): Draft[] {
  const { pricePaid, proprietorsSince } = register
  if (!pricePaid) return []
  const text = [`Price stated to have been paid on ${dayInWords(pricePaid.paidOn)}: ${pounds(pricePaid.pence)}.`]
  return [{ enteredOn: proprietorsSince, type: 'Price Paid', text, about: register }]
}

function restriction(about: Restriction): Draft {
  return { enteredOn: about.enteredOn, type: 'Restriction', text: [`RESTRICTION: ${about.text}`], about }
}

function charge(about: Charge): Draft[] {
  const { enteredOn } = about
  const deed = `REGISTERED CHARGE dated ${dayInWords(about.dated)}.`
  const chargee = `Proprietor: ${holders(about.chargees)}.`
  return [
    { enteredOn, type: 'Registered Charges', text: [deed], about },
    { enteredOn, type: 'Chargee', text: [chargee], about },
  ]
}
