import type { Db } from '../platform/database/db.ts'
import type { Asking, Registry, SearchOutcome } from '../registry/port.ts'
import { simulatedLodging } from './lodging.ts'
import { WORLD } from './world.ts'

/**
 * The land registry of the sandbox. Its answers follow from the title number, the business clock and what was lodged, so
 * a repeat, a late call or another process gets the answer that this one would have given.
 */
export const simulatedRegistry = (deps: { db: Db }): Registry => ({
  searchTitle: async (titleNumber, asking) => search(titleNumber, asking),
  ...simulatedLodging(deps),
})

function search(titleNumber: string, { now, firstAskedAt }: Asking): SearchOutcome {
  const holding = WORLD.get(titleNumber)
  if (!holding) return { kind: 'failed', reason: 'NOT_FOUND' }
  if (holding.kind === 'unavailable') return { kind: 'failed', reason: holding.reason }
  const answeredAt = new Date(firstAskedAt.getTime() + holding.answeredAfterMs)
  if (now < answeredAt) return { kind: 'later', askAgainAt: answeredAt }
  // A copy: whoever gets it may write in it.
  return { kind: 'found', register: structuredClone(holding.register), officialCopyAt: answeredAt }
}
