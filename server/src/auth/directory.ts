import type { Connection } from '../platform/database/db.ts'
import { findStanding, type Standing } from './store.ts'

/** Who a client is and whether it may act, at most two seconds old on every node. */
export type Directory = { standingOf(clientId: string): Promise<Standing | undefined> | Standing | undefined }

const STANDING_MS_MAX = 2_000
const CACHED_CLIENTS_MAX = 10_000

type Entry = { standing: Standing | undefined; readAt: number }

export function createDirectory(connection: Connection): Directory {
  const entries = new Map<string, Entry>()
  const reading = new Map<string, Promise<Standing | undefined>>()

  async function read(clientId: string): Promise<Standing | undefined> {
    const readAt = performance.now()
    try {
      const standing = await findStanding(connection, clientId)
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

export const mayAct = (standing: Standing | undefined): standing is Standing =>
  standing?.enabled === true && standing.status === 'ACTIVE'
