import { detailsOf } from '../workspaces/names.ts'
import type { Ownership, Party, PostalAddress } from '../workspaces/ownership.ts'
import { presentAddress, presentParty } from '../workspaces/present.ts'
import { nearestOf } from './match.ts'
import type { Action } from './rules.ts'
import { linkedParties, unmatchedProprietors, validationStatusOf } from './rules-links.ts'
import type { TitleReconciliation, TitleReconciliationAnswer } from './schema.ts'
import { matchDetailOf, reasonsOf } from './similarity.ts'

export function presentReconciliation(ownership: Ownership): TitleReconciliation {
  const linked = linkedParties(ownership)
  const unmatched = unmatchedProprietors(ownership)
  return {
    borrowersValidationStatus: validationStatusOf(ownership),
    parties: ownership.parties.map((party) => reconciledParty(ownership, party, linked.get(party.partyId))),
    unmatchedProprietors: unmatched.map(({ proprietorId, name, registeredName }) => ({
      proprietorId,
      type: name.type,
      proprietorDetails: detailsOf(name),
      registeredDetails: detailsOf(registeredName),
    })),
  }
}

type PresentedParty = TitleReconciliation['parties'][number]

function reconciledParty(ownership: Ownership, party: Party, linkedTo: string | undefined): PresentedParty {
  const { name } = party
  const proprietorId = party.proprietorId ?? linkedTo
  const shown = presentParty(party)
  if (!ownership.searched) return { ...shown, match: 'PENDING', similarity: [] }
  if (proprietorId) return { ...shown, match: 'MATCH', proprietorId, ...MATCHED_DETAIL[name.type], similarity: [] }
  return { ...shown, match: 'MISMATCH', ...nearness(ownership, party) }
}

const MATCHED_DETAIL = {
  INDIVIDUAL: { matchDetail: { surname: 'MATCH', forenames: 'MATCH' } },
  ORGANISATION: {},
} as const

function nearness(ownership: Ownership, { name }: Party): Pick<PresentedParty, 'matchDetail' | 'similarity'> {
  const unmatched = unmatchedProprietors(ownership).map(({ proprietorId, name, aliases }) => ({
    proprietorId,
    name: { ...name, aliases },
  }))
  const similarity = unmatched
    .map((one) => ({ proprietorId: one.proprietorId, reasons: reasonsOf(name, one.name) }))
    .filter(({ reasons }) => reasons.length > 0)
  if (name.type === 'ORGANISATION') return { similarity }
  return { matchDetail: matchDetailOf(name, nearestOf(name, unmatched)?.name), similarity }
}

/** What the action changed, in the words of the interface. */
export function presentChange(ownership: Ownership, action: Action): TitleReconciliationAnswer {
  switch (action.action) {
    case 'UPDATE_PARTY_NAME': {
      const party = partyOf(ownership, (one) => one.partyId === action.partyId)
      const { partyId, name } = party
      const renamed = { type: name.type, partyDetails: detailsOf(name) }
      return { action: action.action, partyId, ...renamed, ...addressGiven(action, party) }
    }
    case 'SET_AS_INCOMING_PROPRIETOR': {
      const party = partyOf(ownership, (one) => one.partyId === action.partyId)
      const { partyId, proprietorId = '' } = party
      return { action: action.action, partyId, proprietorId, titleStatus: 'INCOMING', ...addressGiven(action, party) }
    }
    case 'SET_AS_OUTGOING_PROPRIETOR': {
      const leaves = (one: Party) => one.role === 'OUTGOING_PROPRIETOR' && one.proprietorId === action.proprietorId
      const { partyId, name } = partyOf(ownership, leaves)
      const ids = { proprietorId: action.proprietorId, partyId }
      const details = { type: name.type, proprietorDetails: detailsOf(name) }
      return { action: action.action, ...ids, titleStatus: 'OUTGOING', ...details }
    }
    default: {
      const proprietor = ownership.proprietors.find((one) => one.proprietorId === action.proprietorId)
      if (!proprietor) throw new Error('the renamed proprietor is gone')
      const { proprietorId, name } = proprietor
      return { action: action.action, proprietorId, type: name.type, proprietorDetails: detailsOf(name) }
    }
  }
}

const addressGiven = (given: { addressForService?: PostalAddress }, { addressForService: address }: Party) =>
  given.addressForService && address ? { addressForService: presentAddress(address) } : {}

function partyOf({ parties }: Ownership, wanted: (party: Party) => boolean): Party {
  const party = parties.find(wanted)
  if (!party) throw new Error('the party that was just changed is gone')
  return party
}
