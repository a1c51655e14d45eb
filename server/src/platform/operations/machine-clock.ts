import type { Logger } from 'pino'
import type { Connection } from '../database/db.ts'
import { unavailable } from '../errors.ts'

/**
 * The clock of this machine, compared with the database's. While the two differ too much, it gives no time: with a wrong
 * one, reports would be made before the end of their day, and the audit sealed and money paid too early.
 */
export type MachineClock = {
  /** Milliseconds since 1970. Throws while the clock is wrong. */
  now(): number
  isRight(): boolean
  /** How far it is ahead of the database's clock; negative if it is behind. */
  aheadMs(): number
  /** The listener is called about once a second. */
  onTick(listener: () => void): void
  stop(): void
}

export const CLOCK_DIFFERENCE_MS_MAX = 5_000
const COMPARE_MS = 60_000
const TICK_MS = 1_000

type Options = {
  connection: Connection
  log: Pick<Logger, 'error' | 'info'>
  /** The machine's own time, in milliseconds since 1970. */
  read?: () => number
  /** A monotonic clock, in milliseconds since any time. */
  steady?: () => number
  tickMs?: number
}

/** Compares at the start, every minute, and each second while the clock is wrong. */
export async function watchMachineClock(options: Options): Promise<MachineClock> {
  const { connection, log, read = Date.now, steady = () => performance.now(), tickMs = TICK_MS } = options
  const listeners: (() => void)[] = []
  let comparison = await askDatabaseTime(connection, steady)
  let comparing = false
  let wasRight = true

  // A monotonic clock continues the database's time, so a change of the machine's clock shows at once.
  const aheadMs = () => read() - (comparison.databaseMs + steady() - comparison.at)
  const isRight = () => Math.abs(aheadMs()) <= CLOCK_DIFFERENCE_MS_MAX + comparison.uncertainMs

  function tick(): void {
    const isOld = steady() - comparison.at >= COMPARE_MS
    if (isOld || !isRight()) void compare()
    report()
    for (const listener of listeners) listener()
  }

  async function compare(): Promise<void> {
    if (comparing) return
    comparing = true
    // While the database is down the last comparison counts; readiness reports that it is down.
    comparison = await askDatabaseTime(connection, steady).catch(() => comparison)
    comparing = false
  }

  function report(): void {
    if (isRight() === wasRight) return
    wasRight = !wasRight
    const about = { aheadSeconds: Math.round(aheadMs()) / 1000 }
    if (wasRight) log.info(about, 'The clock of this machine is right again.')
    else log.error(about, 'The clock of this machine is wrong: this node is not ready and runs no jobs.')
  }

  report()
  const timer = setInterval(tick, tickMs)
  return {
    now() {
      if (!isRight()) throw unavailable('The clock of this node is wrong. Please try again.')
      return read()
    },
    isRight,
    aheadMs,
    onTick: (listener) => void listeners.push(listener),
    stop: () => clearInterval(timer),
  }
}

type Comparison = { databaseMs: number; at: number; uncertainMs: number }

/** The database's time, the moment on the steady clock, and how far off that may be: half of the round trip. */
export async function askDatabaseTime(connection: Connection, steady: () => number): Promise<Comparison> {
  const sentAt = steady()
  const [row] = await connection.query<{ at: Date }>('select clock_timestamp() as at')
  const uncertainMs = (steady() - sentAt) / 2
  return { databaseMs: row?.at.getTime() ?? Number.NaN, at: sentAt + uncertainMs, uncertainMs }
}
