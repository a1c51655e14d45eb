import { isDeepStrictEqual } from 'node:util'
import type { Causes } from '../lodgement/rules.ts'
import { conflict, type FieldError, invalid, notFound } from '../platform/errors.ts'
import type { Matter, Party, Proprietor } from '../workspaces/matter.ts'
import { type Name, nameFrom, type PartyDetails, type PartyType } from '../workspaces/names.ts'
import { pair } from './match.ts'
import { isSameWording } from './names.ts'

// The borrowers of the workspace and the registered proprietors of the title, and what brings them into line.
// Who is linked to whom follows from names and roles alone, so undoing a cause undoes all that came of it.

export type Action =
  | { action: 'UPDATE_PARTY_NAME'; partyId: string; type: PartyType; partyDetails: PartyDetails }
  | { action: 'SET_AS_INCOMING_PROPRIETOR'; partyId: string }
  | { action: 'SET_AS_OUTGOING_PROPRIETOR'; proprietorId: string }
  | { action: 'UPDATE_PROPRIETOR_NAME'; proprietorId: string; type: PartyType; proprietorDetails: PartyDetails }
  | {
      action: 'UPDATE_OUTGOING_PROPRIETOR_NAME'
      proprietorId: string
      type: PartyType
      proprietorDetails: PartyDetails
    }

/** Ids for what an action may bring into being, drawn by the caller. */
export type NewIds = { partyId: string; proprietorId: string }

export const PROPRIETORS_MAX = 4

/** The matter after the action: the very same one where nothing changes. */
export function reconcile(matter: Matter, action: Action, newIds: NewIds): Matter {
  const next = apply(matter, action, newIds)
  return isDeepStrictEqual(next, matter) ? matter : next
}

function apply(matter: Matter, action: Action, newIds: NewIds): Matter {
  switch (action.action) {
    case 'UPDATE_PARTY_NAME':
      return renameParty(matter, findParty(matter, action.partyId), action)
    case 'SET_AS_INCOMING_PROPRIETOR':
      return setIncoming(matter, findParty(matter, action.partyId), newIds)
    case 'SET_AS_OUTGOING_PROPRIETOR':
      return setOutgoing(matter, findProprietor(matter, action.proprietorId), newIds)
    case 'UPDATE_PROPRIETOR_NAME':
      return renameProprietor(matter, findProprietor(matter, action.proprietorId), action)
    case 'UPDATE_OUTGOING_PROPRIETOR_NAME':
      return renameOutgoing(matter, findProprietor(matter, action.proprietorId), action)
  }
}

type Rename<Details extends string> = { type: PartyType } & Record<Details, PartyDetails>

function renameParty(matter: Matter, party: Party, { type, partyDetails }: Rename<'partyDetails'>): Matter {
  checkType(type, party.name)
  if (party.role === 'OUTGOING_PROPRIETOR') {
    throw conflict({
      field: 'partyId',
      message: 'This party is an outgoing proprietor: rename the proprietor instead.',
    })
  }
  const name = nameFrom(type, partyDetails)
  // Where nobody free on the register bears the new name, the party stays what it was, under another name.
  const next = join(matter, { partyId: party.partyId, role: 'BORROWER', name })
  if (!next) return replaceParty(matter, { ...party, name })
  refuseAny(countErrors(matter, next))
  return next
}

/** The matter with the party as a proprietor of its name whom no other party is: one who stays, or who now does. */
function join(matter: Matter, party: Party): Matter | undefined {
  const linked = linksOf({ ...matter, parties: matter.parties.filter(({ partyId }) => partyId !== party.partyId) })
  const free = matter.proprietors.filter(({ proprietorId }) => !linked.has(proprietorId))
  const staying = free.filter(({ outgoing }) => !outgoing)
  if (pair([party], staying).length) return replaceParty(matter, party)
  const [leaving] = pair(
    [party],
    free.filter(({ outgoing }) => outgoing),
  )
  return leaving && join(stay(matter, leaving.proprietorId), party)
}

/** A proprietor who was leaving stays, and the party that stood for leaving goes. */
function stay(matter: Matter, proprietorId: string): Matter {
  const parties = matter.parties.filter((one) => !standsFor(one, proprietorId))
  return changeProprietor({ ...matter, parties }, proprietorId, { outgoing: false })
}

function setIncoming(matter: Matter, party: Party, { proprietorId }: NewIds): Matter {
  if (!matter.searched) throw noTitleYet()
  if (party.role === 'INCOMING_PROPRIETOR') return matter
  const isMatched = party.role === 'OUTGOING_PROPRIETOR' || linkedParties(matter).has(party.partyId)
  const next = replaceParty(matter, { ...party, role: 'INCOMING_PROPRIETOR', proprietorId })
  refuseAny([
    ...(isMatched ? [{ field: 'partyId', message: 'This party is matched to a proprietor already.' }] : []),
    ...(party.name.type === 'ORGANISATION'
      ? [{ field: 'partyId', message: 'An organisation cannot be an incoming proprietor.' }]
      : []),
    ...countErrors(matter, next),
  ])
  return next
}

function setOutgoing(matter: Matter, proprietor: Found, { partyId }: NewIds): Matter {
  const { proprietorId } = proprietor
  if (proprietor.incoming || linksOf(matter).has(proprietorId)) {
    throw conflict({ field: 'proprietorId', message: 'This proprietor is matched to a party.' })
  }
  if (proprietor.outgoing) return matter
  const party: Party = { partyId, role: 'OUTGOING_PROPRIETOR', name: proprietor.name, proprietorId }
  return changeProprietor({ ...matter, parties: [...matter.parties, party] }, proprietorId, { outgoing: true })
}

function renameProprietor(matter: Matter, proprietor: Found, given: Rename<'proprietorDetails'>): Matter {
  checkType(given.type, proprietor.name)
  if (proprietor.incoming) {
    throw conflict({ field: 'proprietorId', message: 'This proprietor is incoming: rename the party instead.' })
  }
  if (proprietor.outgoing) {
    const message = 'This proprietor is outgoing: UPDATE_OUTGOING_PROPRIETOR_NAME renames it.'
    throw conflict({ field: 'proprietorId', message })
  }
  return withProprietorName(matter, proprietor, nameFrom(given.type, given.proprietorDetails))
}

function renameOutgoing(matter: Matter, proprietor: Found, given: Rename<'proprietorDetails'>): Matter {
  checkType(given.type, proprietor.name)
  if (!proprietor.outgoing) {
    throw conflict({ field: 'proprietorId', message: 'This proprietor is not outgoing.' })
  }
  return withProprietorName(matter, proprietor, nameFrom(given.type, given.proprietorDetails))
}

function withProprietorName(matter: Matter, { proprietorId }: Found, name: Name): Matter {
  const parties = matter.parties.map((one) => (standsFor(one, proprietorId) ? { ...one, name } : one))
  return changeProprietor({ ...matter, parties }, proprietorId, { name })
}

const standsFor = (party: Party, proprietorId: string) =>
  party.role === 'OUTGOING_PROPRIETOR' && party.proprietorId === proprietorId

function changeProprietor(matter: Matter, proprietorId: string, facts: Partial<Proprietor>): Matter {
  const change = (one: Proprietor) => (one.proprietorId === proprietorId ? { ...one, ...facts } : one)
  return { ...matter, proprietors: matter.proprietors.map(change) }
}

/** Party by party, the proprietor that its name links it to. */
export function linkedParties(matter: Matter): Map<string, string> {
  if (!matter.searched) return new Map()
  const borrowers = matter.parties.filter(({ role }) => role === 'BORROWER')
  const staying = matter.proprietors.filter(({ outgoing }) => !outgoing)
  return new Map(pair(borrowers, staying).map(({ partyId, proprietorId }) => [partyId, proprietorId]))
}

const linksOf = (matter: Matter) => new Set(linkedParties(matter).values())

export const unmatchedProprietors = (matter: Matter): Proprietor[] => {
  const linked = linksOf(matter)
  return matter.proprietors.filter(({ proprietorId, outgoing }) => !outgoing && !linked.has(proprietorId))
}

/** The first that fits, in this order. */
export function validationStatusOf(matter: Matter) {
  if (!matter.searched) return 'PENDING'
  const linked = linkedParties(matter)
  const borrowers = matter.parties.filter(({ role, partyId }) => role === 'BORROWER' && !linked.has(partyId))
  const proprietors = unmatchedProprietors(matter)
  if (!borrowers.length && !proprietors.length) return 'VALID'
  const types = new Set(borrowers.map(({ name }) => name.type))
  const shareType = proprietors.some(({ name }) => types.has(name.type))
  if (borrowers.length && proprietors.length && !shareType) return 'TYPE_INVALID'
  return borrowers.length === proprietors.length ? 'INVALID' : 'COUNT_INVALID'
}

export const isTransfer = ({ parties }: Matter): boolean => parties.some(({ role }) => role !== 'BORROWER')

/** What the case has to register because of this. */
export const causesOf = (matter: Matter): Pick<Causes, 'transfer' | 'renamedProprietorIds'> => ({
  transfer: isTransfer(matter),
  renamedProprietorIds: matter.proprietors
    .filter(({ name, registeredName }) => !isSameWording(name, registeredName))
    .map(({ proprietorId }) => proprietorId),
})

/** Registered, less those who leave, and those who come. */
export const proprietorCount = ({ proprietors, parties }: Matter): number =>
  proprietors.filter(({ outgoing }) => !outgoing).length +
  parties.filter(({ role }) => role === 'INCOMING_PROPRIETOR').length

/** Refused where an action would bring in one too many; who were too many before it is for the approval to say. */
function countErrors(before: Matter, after: Matter): FieldError[] {
  if (proprietorCount(after) <= Math.max(PROPRIETORS_MAX, proprietorCount(before))) return []
  return [{ field: 'partyId', message: `A title can have at most ${PROPRIETORS_MAX} proprietors.` }]
}

function refuseAny(faults: FieldError[]): void {
  if (faults.length) throw conflict(...faults)
}

function replaceParty(matter: Matter, party: Party): Matter {
  return { ...matter, parties: matter.parties.map((one) => (one.partyId === party.partyId ? party : one)) }
}

function findParty({ parties }: Matter, partyId: string): Party {
  const party = parties.find((one) => one.partyId === partyId)
  if (party) return party
  throw notFound('partyId', 'There is no such party in this workspace.')
}

type Found = Pick<Proprietor, 'proprietorId' | 'name' | 'outgoing'> & { incoming: boolean }

/** An incoming proprietor is found, too: it has an id, and some actions refuse it. Before a search nobody is known. */
function findProprietor({ searched, proprietors, parties }: Matter, proprietorId: string): Found {
  if (!searched) throw noTitleYet()
  const registered = proprietors.find((one) => one.proprietorId === proprietorId)
  if (registered) return { ...registered, incoming: false }
  const party = parties.find((one) => one.role === 'INCOMING_PROPRIETOR' && one.proprietorId === proprietorId)
  if (party) return { proprietorId, name: party.name, outgoing: false, incoming: true }
  throw notFound('proprietorId', 'There is no such proprietor in this workspace.')
}

function checkType(type: PartyType, { type: stored }: Name): void {
  if (type !== stored) throw invalid({ field: 'type', message: `type must be ${stored}, as it is recorded.` })
}

const noTitleYet = () =>
  conflict({ message: 'No title search has succeeded yet, so there are no proprietors to reconcile with.' })
