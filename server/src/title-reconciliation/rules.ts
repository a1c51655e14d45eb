import { isDeepStrictEqual } from 'node:util'
import { conflict, type FieldError, invalid, notFound } from '../platform/errors.ts'
import { type Name, nameFrom, type PartyDetails, type PartyType } from '../workspaces/names.ts'
import type { Ownership, Party, PostalAddress, Proprietor } from '../workspaces/ownership.ts'
import { addressOf } from '../workspaces/rules.ts'
import { pair } from './match.ts'
import { linkedParties, linksOf, PROPRIETORS_MAX, proprietorCount } from './rules-links.ts'

// The borrowers of the workspace and the registered proprietors of the title, and what brings them into line.
// Who is linked to whom follows from names and roles alone, so undoing a cause undoes all that came of it.

export type Action =
  | ({ action: 'UPDATE_PARTY_NAME'; partyId: string; type: PartyType; partyDetails: PartyDetails } & Addressed)
  | ({ action: 'SET_AS_INCOMING_PROPRIETOR'; partyId: string } & Addressed)
  | { action: 'SET_AS_OUTGOING_PROPRIETOR'; proprietorId: string }
  | { action: 'UPDATE_PROPRIETOR_NAME'; proprietorId: string; type: PartyType; proprietorDetails: PartyDetails }
  | {
      action: 'UPDATE_OUTGOING_PROPRIETOR_NAME'
      proprietorId: string
      type: PartyType
      proprietorDetails: PartyDetails
    }

type Addressed = { addressForService?: PostalAddress }

/** What an action comes to: the parties and proprietors as it leaves them. */
export type ReconciliationChange = {
  kind: 'title reconciled'
  action: Action['action'] | 'REMOVE_ROLE'
  parties: readonly Party[]
  proprietors: readonly Proprietor[]
}

/** Nothing where nothing changes. */
export function decideReconciliation(before: Ownership, action: Action, newIds: NewIds): ReconciliationChange[] {
  const after = reconcile(before, action, newIds)
  if (after === before) return []
  return [{ kind: 'title reconciled', action: action.action, parties: after.parties, proprietors: after.proprietors }]
}

/** A party that comes is a borrower again; one that leaves goes, and its proprietor stays. */
export function decideRoleRemoval(before: Ownership, party: Party): ReconciliationChange[] {
  const after = withoutRole(before, party)
  refuseAny(countErrors(before, after, 'party_id'))
  return [{ kind: 'title reconciled', action: 'REMOVE_ROLE', parties: after.parties, proprietors: after.proprietors }]
}

function withoutRole(ownership: Ownership, party: Party): Ownership {
  switch (party.role) {
    case 'INCOMING_PROPRIETOR':
      return replaceParty(ownership, borrowerOf(party))
    case 'OUTGOING_PROPRIETOR':
      return stay(ownership, party.proprietorId ?? '')
    case 'BORROWER':
      throw conflict({ field: 'party_id', message: 'This party is a plain borrower: it has no role to remove.' })
  }
}

/** Without a title nobody comes and nobody leaves. */
export const withoutRoles = (parties: readonly Party[]): Party[] =>
  parties
    .filter(({ role }) => role !== 'OUTGOING_PROPRIETOR')
    .map((one) => (one.role === 'BORROWER' ? one : borrowerOf(one)))

const borrowerOf = ({ proprietorId: _, ...party }: Party): Party => ({ ...party, role: 'BORROWER' })

/** Ids for what an action may bring into being, drawn by the caller. */
export type NewIds = { partyId: string; proprietorId: string }

/** The ownership after the action: the very same one where nothing changes. */
export function reconcile(ownership: Ownership, action: Action, newIds: NewIds): Ownership {
  const next = apply(ownership, action, newIds)
  return isDeepStrictEqual(next, ownership) ? ownership : next
}

function apply(ownership: Ownership, action: Action, newIds: NewIds): Ownership {
  switch (action.action) {
    case 'UPDATE_PARTY_NAME':
      return renameParty(ownership, findParty(ownership, action.partyId), action)
    case 'SET_AS_INCOMING_PROPRIETOR':
      return setIncoming(ownership, findParty(ownership, action.partyId), action, newIds)
    case 'SET_AS_OUTGOING_PROPRIETOR':
      return setOutgoing(ownership, findProprietor(ownership, action.proprietorId), newIds)
    case 'UPDATE_PROPRIETOR_NAME':
      return renameProprietor(ownership, findProprietor(ownership, action.proprietorId), action)
    case 'UPDATE_OUTGOING_PROPRIETOR_NAME':
      return renameOutgoing(ownership, findProprietor(ownership, action.proprietorId), action)
  }
}

type Rename<Details extends string> = { type: PartyType } & Record<Details, PartyDetails>

function renameParty(ownership: Ownership, party: Party, given: Rename<'partyDetails'> & Addressed): Ownership {
  const { type, partyDetails } = given
  checkType(type, party.name)
  if (party.role === 'OUTGOING_PROPRIETOR') {
    throw conflict({
      field: 'partyId',
      message: 'This party is an outgoing proprietor: rename the proprietor instead.',
    })
  }
  const renamed = { ...party, name: nameFrom(type, partyDetails), ...addressIn(given) }
  // Where nobody free on the register has the new name, the party stays what it was, under another name.
  const next = join(ownership, borrowerOf(renamed))
  if (!next) return replaceParty(ownership, renamed)
  refuseAny(countErrors(ownership, next))
  return next
}

/** What is left out stays as it is. */
const addressIn = ({ addressForService: address }: Addressed): Addressed =>
  address ? { addressForService: addressOf(address) } : {}

/** The ownership with the party as a proprietor of its name whom no other party is: one who stays, or who now does. */
function join(ownership: Ownership, party: Party): Ownership | undefined {
  const linked = linksOf({
    ...ownership,
    parties: ownership.parties.filter(({ partyId }) => partyId !== party.partyId),
  })
  const free = ownership.proprietors.filter(({ proprietorId }) => !linked.has(proprietorId))
  const staying = free.filter(({ outgoing }) => !outgoing)
  if (pair([party], staying).length) return replaceParty(ownership, party)
  const [leaving] = pair(
    [party],
    free.filter(({ outgoing }) => outgoing),
  )
  return leaving && join(stay(ownership, leaving.proprietorId), party)
}

/** A proprietor who was leaving stays, and the party that stood for leaving goes. */
function stay(ownership: Ownership, proprietorId: string): Ownership {
  const parties = ownership.parties.filter((one) => !standsFor(one, proprietorId))
  return changeProprietor({ ...ownership, parties }, proprietorId, { outgoing: false })
}

function setIncoming(ownership: Ownership, party: Party, given: Addressed, { proprietorId }: NewIds): Ownership {
  if (!ownership.searched) throw noTitleYet()
  const addressed = { ...party, ...addressIn(given) }
  if (party.role === 'INCOMING_PROPRIETOR') return replaceParty(ownership, addressed)
  const isMatched = party.role === 'OUTGOING_PROPRIETOR' || linkedParties(ownership).has(party.partyId)
  const next = replaceParty(ownership, { ...addressed, role: 'INCOMING_PROPRIETOR', proprietorId })
  refuseAny([
    ...(isMatched ? [{ field: 'partyId', message: 'This party is matched to a proprietor already.' }] : []),
    ...countErrors(ownership, next),
  ])
  return next
}

function setOutgoing(ownership: Ownership, proprietor: Found, { partyId }: NewIds): Ownership {
  const { proprietorId } = proprietor
  if (proprietor.incoming || linksOf(ownership).has(proprietorId)) {
    throw conflict({ field: 'proprietorId', message: 'This proprietor is matched to a party.' })
  }
  if (proprietor.outgoing) return ownership
  const party: Party = { partyId, role: 'OUTGOING_PROPRIETOR', name: proprietor.name, proprietorId }
  return changeProprietor({ ...ownership, parties: [...ownership.parties, party] }, proprietorId, { outgoing: true })
}

function renameProprietor(ownership: Ownership, proprietor: Found, given: Rename<'proprietorDetails'>): Ownership {
  checkType(given.type, proprietor.name)
  if (proprietor.incoming) {
    throw conflict({ field: 'proprietorId', message: 'This proprietor is incoming: rename the party instead.' })
  }
  if (proprietor.outgoing) {
    const message = 'This proprietor is outgoing: UPDATE_OUTGOING_PROPRIETOR_NAME renames it.'
    throw conflict({ field: 'proprietorId', message })
  }
  return withProprietorName(ownership, proprietor, nameFrom(given.type, given.proprietorDetails))
}

function renameOutgoing(ownership: Ownership, proprietor: Found, given: Rename<'proprietorDetails'>): Ownership {
  checkType(given.type, proprietor.name)
  if (!proprietor.outgoing) {
    throw conflict({ field: 'proprietorId', message: 'This proprietor is not outgoing.' })
  }
  return withProprietorName(ownership, proprietor, nameFrom(given.type, given.proprietorDetails))
}

function withProprietorName(ownership: Ownership, { proprietorId }: Found, name: Name): Ownership {
  const parties = ownership.parties.map((one) => (standsFor(one, proprietorId) ? { ...one, name } : one))
  return changeProprietor({ ...ownership, parties }, proprietorId, { name })
}

const standsFor = (party: Party, proprietorId: string) =>
  party.role === 'OUTGOING_PROPRIETOR' && party.proprietorId === proprietorId

function changeProprietor(ownership: Ownership, proprietorId: string, facts: Partial<Proprietor>): Ownership {
  const change = (one: Proprietor) => (one.proprietorId === proprietorId ? { ...one, ...facts } : one)
  return { ...ownership, proprietors: ownership.proprietors.map(change) }
}

/** Refused where an action would bring in one too many; who were too many before it is for the approval to say. */
function countErrors(before: Ownership, after: Ownership, field = 'partyId'): FieldError[] {
  if (proprietorCount(after) <= Math.max(PROPRIETORS_MAX, proprietorCount(before))) return []
  return [{ field, message: `A title can have at most ${PROPRIETORS_MAX} proprietors.` }]
}

function refuseAny(faults: FieldError[]): void {
  if (faults.length) throw conflict(...faults)
}

function replaceParty(ownership: Ownership, party: Party): Ownership {
  return { ...ownership, parties: ownership.parties.map((one) => (one.partyId === party.partyId ? party : one)) }
}

function findParty({ parties }: Ownership, partyId: string): Party {
  const party = parties.find((one) => one.partyId === partyId)
  if (party) return party
  throw notFound('partyId', 'There is no such party in this workspace.')
}

type Found = Pick<Proprietor, 'proprietorId' | 'name' | 'outgoing'> & { incoming: boolean }

/** An incoming proprietor is found, too: it has an id, and some actions refuse it. Before a search nobody is known. */
function findProprietor({ searched, proprietors, parties }: Ownership, proprietorId: string): Found {
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
