import type pg from 'pg'
import type { Db } from './db.ts'

const RECONNECT_MS = 1_000
const HEARTBEAT_MS = 5_000
const SILENT_HEARTBEATS_MAX = 3

/** Calls back for each NOTIFY of a channel, and whenever one may have been missed. */
export function listen(
  db: Pick<Db, 'dedicated'>,
  channel: string,
  onNotify: () => void,
  heartbeatMs = HEARTBEAT_MS,
): { stop(): Promise<void> } {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let client: pg.Client | undefined
  let connecting = connect()

  async function connect(): Promise<void> {
    try {
      client = await db.dedicated({ silentMsMax: heartbeatMs * SILENT_HEARTBEATS_MAX })
      client.on('notification', onNotify)
      client.once('end', reconnect)
      startHeartbeat(client)
      await client.query(`listen ${channel}`)
      onNotify()
    } catch {
      reconnect()
    }
  }

  // A connection that only listens may be silent or broken; a heartbeat shows which. The next one waits for the answer.
  function startHeartbeat(listening: pg.Client): void {
    let next: NodeJS.Timeout | undefined
    const beat = () => {
      const send = () => listening.query('select 1').then(beat, () => {})
      next = setTimeout(send, heartbeatMs).unref()
    }
    listening.once('end', () => clearTimeout(next))
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
