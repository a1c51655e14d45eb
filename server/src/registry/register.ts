import type { Tenure } from '../workspaces/shapes.ts'

/**
 * What the registry holds about one title, as plain data: it is stored as JSON, compared by value, and turned into a
 * later edition by copying it with other proprietors, charges or restrictions. Days are `yyyy-mm-dd`, money is pence,
 * and names are in title case, as long as in the registry. Entries are converted to upper case when they are written.
 */
export type Register = {
  titleNumber: string
  tenure: Tenure
  classOfTitleCode: ClassOfTitleCode
  district: string
  administrativeArea: string
  office: string
  /** The day on which this title number was first assigned. */
  registeredOn: string
  /** The day of the latest change to any entry. */
  editionDate: string
  property: { address: Address; description: string }
  /** The lease under which a leasehold title is held. */
  lease?: Lease
  /** Further entries of the property register, such as rights over other land. */
  rights: Note[]
  /** The day on which the present proprietors were registered. */
  proprietorsSince: string
  /** One to four, in the order of the register. */
  proprietors: Party[]
  pricePaid?: { pence: number; paidOn: string }
  restrictions: Restriction[]
  /** Entries of the charges register that secure no money, such as covenants. */
  burdens: Note[]
  /** In order of priority. */
  charges: Charge[]
  /** The entries in the registry's own words. Where it gave them, they are shown as they are and none is generated. */
  entries?: Record<'A' | 'B' | 'C', OwnEntry[]>
  /** Which kinds of entries the registry says there are, where it says so: the data here has not all of them. */
  indicators?: Readonly<Record<string, boolean>>
}

/** An entry as the registry wrote it. */
export type OwnEntry = {
  number: string
  enteredOn?: string
  /** What the registry calls it. */
  type?: string
  text: string[]
  /** The data of this register that it is the entry of. */
  of?: EntryOf
}

export type EntryOf =
  | { kind: 'Property Description' | 'Proprietor' | 'Price Paid' | 'Lease' }
  | { kind: 'Rights' | 'Burden' | 'Restriction' | 'Registered Charges' | 'Chargee'; index: number }

/** A register as it was at one moment. */
export type OfficialCopy = { register: Register; officialCopyAt: Date }

/** The registry's codes for the classes of title that can be charged to a lender. */
export type ClassOfTitleCode = '10' | '20' | '30' | '60' | '70' | '80' | '90'

/** A person or organisation in an entry: a proprietor of the land or of a charge, or a party to a lease. */
export type Party = Individual | Organisation

export type Individual = {
  type: 'INDIVIDUAL'
  /** Empty in the rare register that has only one name. */
  forenames: string
  surname: string
  /** Other registered names of the same person. */
  aliases: { forenames: string; surname: string }[]
  addresses: Address[]
}

export type Organisation = {
  type: 'ORGANISATION'
  organisationName: string
  registrationNumber?: string
  addresses: Address[]
}

export type Address = { lines: string[]; postcode?: string }

export type Charge = {
  chargeId: string
  /** The date of the deed. */
  dated: string
  enteredOn: string
  chargees: Party[]
}

export type Restriction = {
  type: 'OTHER' | 'JOINT_PROPRIETOR' | LendersRestriction
  enteredOn: string
  text: string
}

/** In favour of the proprietor of a charge. */
type LendersRestriction = 'CHARGE_RELATED' | 'CHARGE'

/** It ends with the lender's charge, so nobody applies to cancel it. */
export const isLenders = ({ type }: Pick<Restriction, 'type'>): boolean =>
  type === 'CHARGE_RELATED' || type === 'CHARGE'

export type Lease = { dated: string; term: string; rent?: string; parties: Party[] }

export type Note = { enteredOn: string; text: string }
