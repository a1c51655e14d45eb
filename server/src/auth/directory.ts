import type { Connection } from '../platform/database/db.ts'
import { type Eligibility, findEligibility } from './store.ts'

/** Who a client is and whether it may act, at most two seconds old on every node. */
export type Directory = { standingOf(clientId: string): Promise<Eligibility | undefined> | Eligibility | undefined }

const STANDING_MS_MAX = 2_000
const CACHED_CLIENTS_MAX = 10_000

type Entry = { standing: Eligibility | undefined; readAt: number }

export function createDirectory(connection: Connection): Directory {
  const entries = new Map<string, Entry>()
  const reading = new Map<string, Promise<Eligibility | undefined>>()

  async function read(clientId: string): Promise<Eligibility | undefined> {
    const readAt = performance.now()
    try {
      const standing = await findEligibility(connection, clientId)
      if (entries.size >= CACHED_CLIENTS_MAX) entries.clear()
      entries.set(clientId, { standing, readAt })
      return standing
    } finally {
      reading.delete(clientId)
    }
  }

  return {
    standingOf(clientId) {
      const entry = entries.get(clientId)
      if (entry && performance.now() - entry.readAt < STANDING_MS_MAX) return entry.standing
      let promise = reading.get(clientId)
      if (!promise) {
        promise = read(clientId)
        reading.set(clientId, promise)
      }
      return promise
    },
  }
}

export const mayAct = (standing: Eligibility | undefined): standing is Eligibility =>
  standing?.enabled === true && standing.status === 'ACTIVE'
