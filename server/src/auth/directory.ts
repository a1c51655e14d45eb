import type { Connection } from '../platform/database/db.ts'
import { type Eligibility, findEligibility } from './store.ts'

/** What is known about each client and whether it may act, at most two seconds old on every node. */
export type Directory = { eligibilityOf(clientId: string): Promise<Eligibility | undefined> | Eligibility | undefined }

const ELIGIBILITY_MS_MAX = 2_000
const CACHED_CLIENTS_MAX = 10_000

type Entry = { eligibility: Eligibility | undefined; readAt: number }

export function createDirectory(connection: Connection): Directory {
  const entries = new Map<string, Entry>()
  const reading = new Map<string, Promise<Eligibility | undefined>>()

  async function read(clientId: string): Promise<Eligibility | undefined> {
    const readAt = performance.now()
    try {
      const eligibility = await findEligibility(connection, clientId)
      if (entries.size >= CACHED_CLIENTS_MAX) entries.clear()
      entries.set(clientId, { eligibility, readAt })
      return eligibility
    } finally {
      reading.delete(clientId)
    }
  }

  return {
    eligibilityOf(clientId) {
      const entry = entries.get(clientId)
      if (entry && performance.now() - entry.readAt < ELIGIBILITY_MS_MAX) return entry.eligibility
      let promise = reading.get(clientId)
      if (!promise) {
        promise = read(clientId)
        reading.set(clientId, promise)
      }
      return promise
    },
  }
}

export const mayAct = (eligibility: Eligibility | undefined): eligibility is Eligibility =>
  eligibility?.enabled === true && eligibility.status === 'ACTIVE'
