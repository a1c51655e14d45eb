import { type Action, linkedParties, reconcile } from '../../src/title-reconciliation/rules.ts'
import type { Matter, Proprietor } from '../../src/workspaces/matter.ts'
import { detailsOf, type Individual, type Name, type Organisation } from '../../src/workspaces/names.ts'

// Borrowers and proprietors without a database: party 1, party 2 … and proprietor 1, proprietor 2 …

/** The last word is the surname. */
export function person(text: string): Individual {
  const words = text.split(' ')
  const surname = words.pop() ?? ''
  return { type: 'INDIVIDUAL', forenames: words.join(' '), surname }
}

export const company = (organisationName: string, registrationNumber?: string): Organisation => ({
  type: 'ORGANISATION',
  organisationName,
  ...(registrationNumber === undefined ? {} : { registrationNumber }),
})

type Given = string | Name
const named = (given: Given): Name => (typeof given === 'string' ? person(given) : given)

/** A matter whose title was searched; a test names who borrows and who owns. */
export const aMatter = (borrowers: readonly Given[], proprietors: readonly Given[] = []): Matter => ({
  searched: true,
  parties: borrowers.map((given, i) => ({ partyId: `party ${i + 1}`, role: 'BORROWER', name: named(given) })),
  proprietors: proprietors.map((given, i) => aProprietor(i + 1, named(given))),
})

const aProprietor = (number: number, name: Name): Proprietor => ({
  proprietorId: `proprietor ${number}`,
  name,
  registeredName: name,
  aliases: [],
  outgoing: false,
})

export const beforeSearch = (matter: Matter): Matter => ({ ...matter, searched: false, proprietors: [] })

const proprietorRename =
  <const A extends 'UPDATE_PROPRIETOR_NAME' | 'UPDATE_OUTGOING_PROPRIETOR_NAME'>(action: A) =>
  (proprietorId: string, given: Given) => {
    const name = named(given)
    return { action, proprietorId, type: name.type, proprietorDetails: detailsOf(name) }
  }

export const renameProprietor = proprietorRename('UPDATE_PROPRIETOR_NAME')
export const renameOutgoing = proprietorRename('UPDATE_OUTGOING_PROPRIETOR_NAME')
export const setIncoming = (partyId: string): Action => ({ action: 'SET_AS_INCOMING_PROPRIETOR', partyId })
export const setOutgoing = (proprietorId: string): Action => ({ action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId })

export function renameParty(partyId: string, given: Given): Action {
  const name = named(given)
  return { action: 'UPDATE_PARTY_NAME', partyId, type: name.type, partyDetails: detailsOf(name) }
}

/** One action after the other. What the first, second … brings into being is `new 1`, `new 2` … */
export const after = (matter: Matter, ...actions: Action[]): Matter =>
  actions.reduce((state, action, i) => reconcile(state, action, newIds(i + 1)), matter)

export const newIds = (number: number) => ({ partyId: `new party ${number}`, proprietorId: `new proprietor ${number}` })

/** Who is what, one line for each: what a person would want to see of a matter. */
export function pictureOf(matter: Matter): string[] {
  const linked = linkedParties(matter)
  return [
    ...matter.parties.map(({ partyId, name, role, proprietorId = linked.get(partyId) }) => {
      const whose = proprietorId === undefined ? '' : ` = ${proprietorId}`
      return `${partyId}: ${textOf(name)}, ${role}${whose}`
    }),
    ...matter.proprietors.map(
      ({ proprietorId, name, outgoing }) => `${proprietorId}: ${textOf(name)}${outgoing ? ', outgoing' : ''}`,
    ),
  ]
}

const textOf = (name: Name) => Object.values(detailsOf(name)).join(' ')
