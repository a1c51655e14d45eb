import type pg from 'pg'
import type { Db } from './db.ts'

const RECONNECT_MS = 1_000

/** Calls back for each NOTIFY of a channel, and after each time that some may have been missed. */
export function listen(db: Pick<Db, 'dedicated'>, channel: string, heard: () => void): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client | undefined
  let connecting = connect()

  async function connect(): Promise<void> {
    try {
      client = await db.dedicated()
      client.on('notification', heard)
      client.once('end', reconnect)
      await client.query(`listen ${channel}`)
      heard()
    } catch {
      reconnect()
    }
  }

  function reconnect(): void {
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      connecting = connect()
    }, RECONNECT_MS)
  }

  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await connecting
      await client?.end().catch(() => {})
    },
  }
}
