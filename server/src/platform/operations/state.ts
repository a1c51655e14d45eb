import type { Connection } from '../database/db.ts'
import type { MovableClock } from '../jobs/clock.ts'

/** What an operator switches without a restart: read each second, so that all nodes follow within two. */
export type ServiceState = { maintenance(): boolean; refresh(): Promise<void>; stop(): void }

const REFRESH_MS = 1_000

export async function followState(
  connection: Connection,
  clock: MovableClock | undefined,
  onError: (error: unknown) => void,
): Promise<ServiceState> {
  let maintenance = false

  async function refresh(): Promise<void> {
    const offsetBefore = clock?.offsetMs()
    const [row] = await connection.query<{ maintenance: boolean; clockOffsetMs: number }>(
      'select maintenance, clock_offset_ms as "clockOffsetMs" from service_state',
    )
    if (!row) return
    maintenance = row.maintenance
    // Unless this process moved the clock while it was being read.
    if (clock?.offsetMs() === offsetBefore) clock?.setOffsetMs(row.clockOffsetMs)
  }

  await refresh()
  const timer = setInterval(() => refresh().catch(onError), REFRESH_MS)
  return { maintenance: () => maintenance, refresh, stop: () => clearInterval(timer) }
}

/** The time on the business clock, for who asks once and follows nothing: a command. */
export async function businessNow(connection: Connection): Promise<Date> {
  const [row] = await connection.query<{ offsetMs: number }>('select clock_offset_ms as "offsetMs" from service_state')
  return new Date(Date.now() + (row?.offsetMs ?? 0))
}

/** Stored before it is felt, so that whoever reads the row meanwhile never puts this process's clock back. */
export async function saveClockOffset(connection: Connection, clock: MovableClock, offsetMs: number): Promise<void> {
  await connection.query('update service_state set clock_offset_ms = $1', [offsetMs])
  clock.setOffsetMs(offsetMs)
}

export const saveMaintenance = (connection: Connection, enabled: boolean) =>
  connection.query('update service_state set maintenance = $1', [enabled])
