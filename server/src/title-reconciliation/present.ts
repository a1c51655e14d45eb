import type { Matter, Party } from '../workspaces/matter.ts'
import { detailsOf } from '../workspaces/names.ts'
import { nearestOf } from './match.ts'
import { type Action, linkedParties, unmatchedProprietors, validationStatusOf } from './rules.ts'
import type { TitleReconciliation, TitleReconciliationAnswer } from './schema.ts'
import { matchDetailOf, reasonsOf } from './similarity.ts'

export function presentReconciliation(matter: Matter): TitleReconciliation {
  const linked = linkedParties(matter)
  const unmatched = unmatchedProprietors(matter)
  return {
    borrowersValidationStatus: validationStatusOf(matter),
    parties: matter.parties.map((party) => presentParty(matter, party, linked.get(party.partyId))),
    unmatchedProprietors: unmatched.map(({ proprietorId, name, registeredName }) => ({
      proprietorId,
      type: name.type,
      proprietorDetails: detailsOf(name),
      registeredDetails: detailsOf(registeredName),
    })),
  }
}

type PresentedParty = TitleReconciliation['parties'][number]

function presentParty(matter: Matter, party: Party, linkedTo: string | undefined): PresentedParty {
  const { partyId, role, name } = party
  const proprietorId = party.proprietorId ?? linkedTo
  const shown = { partyId, type: name.type, role, partyDetails: detailsOf(name) }
  if (!matter.searched) return { ...shown, match: 'PENDING', similarity: [] }
  if (proprietorId) return { ...shown, match: 'MATCH', proprietorId, ...MATCHED_DETAIL[name.type], similarity: [] }
  return { ...shown, match: 'MISMATCH', ...nearness(matter, party) }
}

const MATCHED_DETAIL = {
  INDIVIDUAL: { matchDetail: { surname: 'MATCH', forenames: 'MATCH' } },
  ORGANISATION: {},
} as const

function nearness(matter: Matter, { name }: Party): Pick<PresentedParty, 'matchDetail' | 'similarity'> {
  const unmatched = unmatchedProprietors(matter).map(({ proprietorId, name, aliases }) => ({
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
export function presentChange(matter: Matter, action: Action): TitleReconciliationAnswer {
  switch (action.action) {
    case 'UPDATE_PARTY_NAME': {
      const { name } = partyOf(matter, (one) => one.partyId === action.partyId)
      return { action: action.action, partyId: action.partyId, type: name.type, partyDetails: detailsOf(name) }
    }
    case 'SET_AS_INCOMING_PROPRIETOR': {
      const { proprietorId = '' } = partyOf(matter, (one) => one.partyId === action.partyId)
      return { action: action.action, partyId: action.partyId, proprietorId, titleStatus: 'INCOMING' }
    }
    case 'SET_AS_OUTGOING_PROPRIETOR': {
      const leaves = (one: Party) => one.role === 'OUTGOING_PROPRIETOR' && one.proprietorId === action.proprietorId
      const { partyId, name } = partyOf(matter, leaves)
      const ids = { proprietorId: action.proprietorId, partyId }
      const details = { type: name.type, proprietorDetails: detailsOf(name) }
      return { action: action.action, ...ids, titleStatus: 'OUTGOING', ...details }
    }
    default: {
      const proprietor = matter.proprietors.find((one) => one.proprietorId === action.proprietorId)
      if (!proprietor) throw new Error('the renamed proprietor is gone')
      const { proprietorId, name } = proprietor
      return { action: action.action, proprietorId, type: name.type, proprietorDetails: detailsOf(name) }
    }
  }
}

function partyOf({ parties }: Matter, wanted: (party: Party) => boolean): Party {
  const party = parties.find(wanted)
  if (!party) throw new Error('the party that was just changed is gone')
  return party
}
