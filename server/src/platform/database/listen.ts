import type pg from 'pg'
import type { Db } from './db.ts'

const RECONNECT_MS = 1_000
const HEARTBEAT_MS = 5_000
const SILENT_HEARTBEATS_MAX = 3

/** Calls back for each NOTIFY of a channel, and after each time that some may have been missed. */
export function listen(
  db: Pick<Db, 'dedicated'>,
  channel: string,
  heard: () => void,
  heartbeatMs = HEARTBEAT_MS,
): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client | undefined
  let connecting = connect()

  async function connect(): Promise<void> {
    try {
      client = await db.dedicated({ silentMsMax: heartbeatMs * SILENT_HEARTBEATS_MAX })
      client.on('notification', heard)
      client.once('end', reconnect)
      beatOn(client)
      await client.query(`listen ${channel}`)
      heard()
    } catch {
      reconnect()
    }
  }

  // The silence of a connection that only listens says nothing. While a question is not answered no other is sent.
  function beatOn(beating: pg.Client): void {
    let next: NodeJS.Timeout | undefined
    const beat = () => {
      const asked = () => beating.query('select 1').then(beat, () => {})
      next = setTimeout(asked, heartbeatMs).unref()
    }
    beating.once('end', () => clearTimeout(next))
    beat()
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
