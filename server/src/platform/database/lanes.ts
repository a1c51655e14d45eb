import pg from 'pg'
import { unavailable } from '../errors.ts'
import type { Connection } from './db.ts'
import { runStatement } from './statement.ts'
import { asUnavailable } from './unavailable.ts'

// Single-statement reads of all requests share few connections. All go to the first whose answers keep coming, for
// the more statements travel together the less each costs: two lanes in turn took 82 µs for a read, one 59 to 70.
// A slow statement holds up what was sent behind it; what comes later goes round it.

const STALLED_MS = 10

export function openLanes(settings: pg.ClientConfig, count: number): Connection & { close(): Promise<void> } {
  const lanes = Array.from({ length: count }, () => openLane(settings))
  let closed = false

  return {
    query(text, values) {
      if (closed) return Promise.reject(unavailable('The service is stopping. Please try again.'))
      return chooseLane(lanes).query(text, values) as never
    },
    async close() {
      closed = true
      await Promise.allSettled(lanes.map((lane) => lane.close()))
    },
  }
}

/** The first that moves; where none does, the one with the fewest waiting. */
export function chooseLane<L extends { moves(): boolean; waiting(): number }>(lanes: readonly L[]): L {
  const chosen = lanes.find((lane) => lane.moves()) ?? lanes.toSorted((a, b) => a.waiting() - b.waiting())[0]
  if (!chosen) throw new Error('There is no lane.')
  return chosen
}

/** A connection that is opened on its first use, and anew after it broke. */
function openLane(settings: pg.ClientConfig) {
  let client: pg.Client | undefined
  let opening: Promise<pg.Client> | undefined
  let waiting = 0
  let movedAt = 0

  function open(): Promise<pg.Client> {
    const opened = new pg.Client(settings)
    const mine = opened.connect().then(() => {
      client = opened
      return opened
    })
    const forget = () => {
      if (opening === mine) client = opening = undefined
    }
    opened.on('error', forget)
    opened.on('end', forget)
    mine.catch(forget)
    opening = mine
    return mine
  }

  const settled = () => {
    waiting--
    movedAt = performance.now()
  }

  return {
    moves: () => waiting === 0 || performance.now() - movedAt < STALLED_MS,
    waiting: () => waiting,
    query(text: string, values?: readonly unknown[]): Promise<unknown[]> {
      if (waiting++ === 0) movedAt = performance.now()
      if (client) return runStatement(client, text, values, settled)
      return (opening ?? open()).then(
        (opened) => runStatement(opened, text, values, settled),
        (error) => {
          settled()
          throw asUnavailable(error)
        },
      )
    },
    close: async () => (await opening)?.end(),
  }
}
