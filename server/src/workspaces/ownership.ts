import type { Name } from './names.ts'

/** Who borrows and who owns: what reconciliation, the case and its approval all look at. */
export type Ownership = {
  /** Whether a title search has succeeded; before that there is nobody to match with. */
  searched: boolean
  parties: readonly Party[]
  proprietors: readonly Proprietor[]
}

export type Party = {
  partyId: string
  role: PartyRole
  name: Name
  /** Of an incoming proprietor its new id, of an outgoing one that of the proprietor who leaves. */
  proprietorId?: string
  /** Where the registry writes to a new proprietor. */
  addressForService?: PostalAddress
}

export type PostalAddress = Readonly<Record<string, string>> & { postcode: string }

export const PARTY_ROLES = ['BORROWER', 'INCOMING_PROPRIETOR', 'OUTGOING_PROPRIETOR'] as const
export type PartyRole = (typeof PARTY_ROLES)[number]

export type Proprietor = {
  proprietorId: string
  /** The present name; the registered one is stored as well. */
  name: Name
  registeredName: Name
  aliases: readonly string[]
  outgoing: boolean
}
