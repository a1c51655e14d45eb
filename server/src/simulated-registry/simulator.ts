import type { Db } from '../platform/database/db.ts'
import type { Registry, RegistryCall, SearchOutcome } from '../registry/port.ts'
import { simulatedLodging } from './lodging.ts'
import { WORLD } from './world.ts'

/**
 * The land registry of the sandbox. Its results depend only on the title number, the business clock and what was lodged, so
 * a repeat, a late call or another process gets the same result.
 */
export const simulatedRegistry = (deps: { db: Db }): Registry => ({
  searchTitle: async (titleNumber, call) => search(titleNumber, call),
  ...simulatedLodging(deps),
})

function search(titleNumber: string, { now, firstAskedAt }: RegistryCall): SearchOutcome {
  const holding = WORLD.get(titleNumber)
  if (!holding) return { kind: 'failed', reason: 'NOT_FOUND' }
  if (holding.kind === 'unavailable') return { kind: 'failed', reason: holding.reason }
  const answeredAt = new Date(firstAskedAt.getTime() + holding.answeredAfterMs)
  if (now < answeredAt) return { kind: 'later', askAgainAt: answeredAt }
  // A copy, because the caller may change it.
  return { kind: 'found', register: structuredClone(holding.register), officialCopyAt: answeredAt }
}
