import type { Causes } from '../lodgement/rules.ts'
import type { Name } from '../workspaces/names.ts'
import type { Ownership, Proprietor } from '../workspaces/ownership.ts'
import { pair } from './match.ts'
import { isSameWording } from './names.ts'

// Who is linked to whom, and what follows from it.

export const PROPRIETORS_MAX = 4

/** Party by party, the proprietor that its name links it to. */
export function linkedParties(ownership: Ownership): Map<string, string> {
  if (!ownership.searched) return new Map()
  const borrowers = ownership.parties.filter(({ role }) => role === 'BORROWER')
  const staying = ownership.proprietors.filter(({ outgoing }) => !outgoing)
  return new Map(pair(borrowers, staying).map(({ partyId, proprietorId }) => [partyId, proprietorId]))
}

export const linksOf = (ownership: Ownership) => new Set(linkedParties(ownership).values())

export const unmatchedProprietors = (ownership: Ownership): Proprietor[] => {
  const linked = linksOf(ownership)
  return ownership.proprietors.filter(({ proprietorId, outgoing }) => !outgoing && !linked.has(proprietorId))
}

/** The first that fits, in this order. */
export function validationStatusOf(ownership: Ownership) {
  if (!ownership.searched) return 'PENDING'
  const linked = linkedParties(ownership)
  const borrowers = ownership.parties.filter(({ role, partyId }) => role === 'BORROWER' && !linked.has(partyId))
  const proprietors = unmatchedProprietors(ownership)
  if (!borrowers.length && !proprietors.length) return 'VALID'
  const types = new Set(borrowers.map(({ name }) => name.type))
  const shareType = proprietors.some(({ name }) => types.has(name.type))
  if (borrowers.length && proprietors.length && !shareType) return 'TYPE_INVALID'
  return borrowers.length === proprietors.length ? 'INVALID' : 'COUNT_INVALID'
}

export const isTransfer = ({ parties }: Ownership): boolean => parties.some(({ role }) => role !== 'BORROWER')

/** With their present names: a company that is linked by its number may have taken the name of its party. */
export function presentlyNamed(ownership: Ownership): Proprietor[] {
  const linked = linkedParties(ownership)
  return ownership.proprietors.map((one) => {
    const party = ownership.parties.find(({ partyId }) => linked.get(partyId) === one.proprietorId)
    if (party?.name.type !== 'ORGANISATION' || isSameWording(party.name, one.registeredName)) return one
    return { ...one, name: party.name }
  })
}

/** Names as the register writes them, where they are the same: the registry may know them under no other. */
export const asRegistered = <P extends { name: Name }>({ proprietors }: Ownership, parties: readonly P[]): P[] =>
  parties.map((party) => {
    const same = proprietors.find(({ registeredName }) => isSameWording(party.name, registeredName))
    return same ? { ...party, name: same.registeredName } : party
  })

/** What the case has to register because of this. */
export const causesOf = (ownership: Ownership): Pick<Causes, 'transfer' | 'renamedProprietorIds'> => ({
  transfer: isTransfer(ownership),
  renamedProprietorIds: presentlyNamed(ownership)
    .filter(({ name, registeredName }) => !isSameWording(name, registeredName))
    .map(({ proprietorId }) => proprietorId),
})

/** Registered, less those who leave, and those who come. */
export const proprietorCount = ({ proprietors, parties }: Ownership): number =>
  proprietors.filter(({ outgoing }) => !outgoing).length +
  parties.filter(({ role }) => role === 'INCOMING_PROPRIETOR').length
