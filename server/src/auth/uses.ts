import type { Connection } from '../platform/database/db.ts'

const NOTED_EVERY_MS = 60_000

/** Notes when clients call, each once a minute, so that operators see which are in use. It never delays a call. */
export function noteUses(connection: Connection, onError: (error: unknown) => void): (clientId: string) => void {
  const noted = new Map<string, number>()
  return (clientId) => {
    const now = performance.now()
    if (now - (noted.get(clientId) ?? Number.NEGATIVE_INFINITY) < NOTED_EVERY_MS) return
    noted.set(clientId, now)
    connection.query(NOTE, [clientId]).catch(onError)
  }
}

const NOTE = `
  insert into client_uses (client_id, used_at) values ($1, now())
  on conflict (client_id) do update set used_at = excluded.used_at`
