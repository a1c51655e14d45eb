import type { Connection } from '../database/db.ts'
import type { MovableClock } from '../jobs/clock.ts'

/** Settings that an operator changes without a restart. Read each second, so that all nodes follow within two. */
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
    // Unless this process moved the clock during the read.
    if (clock?.offsetMs() === offsetBefore) clock?.setOffsetMs(row.clockOffsetMs)
  }

  await refresh()
  const timer = setInterval(() => refresh().catch(onError), REFRESH_MS)
  return { maintenance: () => maintenance, refresh, stop: () => clearInterval(timer) }
}

/** Records which registry the nodes use. They all have the same setting. */
export const keepRegistry = (connection: Connection, registry: string | undefined) =>
  connection.query('update service_state set registry = $1 where registry is distinct from $1', [registry ?? null])

/** The time on the business clock, for a command. It uses the database's clock, as the machine's may be wrong. */
export async function businessNow(connection: Connection): Promise<Date> {
  const [row] = await connection.query<{ now: Date }>(
    `select clock_timestamp() + clock_offset_ms * interval '1 millisecond' as now from service_state`,
  )
  if (!row) throw new Error('The table service_state is empty. Restore the database from a backup.')
  return row.now
}

/** Stored before it takes effect, so that a concurrent refresh never puts this process's clock back. */
export async function saveClockOffset(connection: Connection, clock: MovableClock, offsetMs: number): Promise<void> {
  await connection.query('update service_state set clock_offset_ms = $1', [offsetMs])
  clock.setOffsetMs(offsetMs)
}

/** With who switched it, and since when it is so, in real time. Nothing happens if it is so already. */
export const saveMaintenance = (connection: Connection, enabled: boolean, by: string) =>
  connection.query(
    `update service_state set maintenance = $1, maintenance_by = $2, maintenance_since = now()
      where maintenance <> $1`,
    [enabled, by],
  )

export type Maintenance = { enabled: boolean; by: string | null; since: Date | null }

export async function findMaintenance(connection: Connection): Promise<Maintenance> {
  const [row] = await connection.query<Maintenance>(
    'select maintenance as enabled, maintenance_by as by, maintenance_since as since from service_state',
  )
  return row ?? { enabled: false, by: null, since: null }
}

/** The canary: a value that was sealed with the pepper of this database. */
export async function findPepperCanary(connection: Connection): Promise<Buffer | undefined> {
  const [row] = await connection.query<{ sealed: Buffer | null }>('select pepper_canary as sealed from service_state')
  return row?.sealed ?? undefined
}

/** Stores the canary unless there is one, and returns the stored one. */
export async function keepPepperCanary(connection: Connection, sealed: Buffer): Promise<Buffer> {
  const [row] = await connection.query<{ sealed: Buffer }>(
    'update service_state set pepper_canary = coalesce(pepper_canary, $1) returning pepper_canary as sealed',
    [sealed],
  )
  return row?.sealed ?? sealed
}
