import type { Db } from '../server/src/platform/database/db.ts'
import type { Helper } from './helper.ts'
import type { Unit } from './lines.ts'
import { exchange, load } from './load.ts'
import { withOthers } from './machine.ts'
import type { Testbed } from './testbed.ts'

// A figure is a ratio: the rate of the service divided by the rate of the limit, measured in turns.

export type Sample = {
  perSecond: number
  /** CPU time of all threads of the server for each response. It also rises when other processes use the machine. */
  cpuMicros?: number
  p50Ms?: number
  p99Ms?: number
  /** The peak memory of the process that does the work. */
  peakMiB?: number
  /** By how much the memory of the server grew at most. */
  grownMb?: number
  /** The share of the machine that other processes used meanwhile. */
  othersShare?: number | undefined
}

export type Side = { name: string; run(seconds: number): Promise<Sample> }

export type Measurement = {
  name: string
  title: string
  service: Side
  limits: (Side & { goal?: number })[]
  unit?: Unit
  grownMbMax?: number
  /** For a measurement whose turns take as long as they need, whatever the pace. */
  roundsMax?: number
}

export type Figure = {
  name: string
  title: string
  service: Runs
  limits: (Runs & Share)[]
  unit?: Unit | undefined
  grownMbMax?: number | undefined
}
export type Runs = { side: string; perSecond: number; rounds: Sample[] }
/** `lowest` and `highest` are the shares of single rounds. */
export type Share = { share: number; lowest: number; highest: number; goal: number | undefined }

/** `warmUp`: seconds before the first turn. `tries`: how often a turn is repeated at most, while other processes disturb it. */
export type Pace = { rounds: number; seconds: number; tries: number; warmUp: number }

const OTHERS_SHARE_MAX = 0.1

/** Runs the sides in turns, each round in the opposite order of the one before, and takes the median of each. */
export async function measure(
  { name, title, service, limits, unit, grownMbMax, roundsMax = Number.POSITIVE_INFINITY }: Measurement,
  pace: Pace,
  { owner }: Pick<Testbed, 'owner'>,
  ended: AbortSignal,
): Promise<Figure> {
  const sides = [service, ...limits]
  const samples = new Map(sides.map((side): [Side, Sample[]] => [side, []]))
  for (const side of sides) await side.run(pace.warmUp) // so that hot code is compiled and caches are filled
  for (let round = 0; round < Math.min(pace.rounds, roundsMax); round++) {
    for (const side of round % 2 ? sides.toReversed() : sides) {
      ended.throwIfAborted()
      samples.get(side)?.push(await leastDisturbed(side, pace, owner))
    }
  }
  const runsOf = (side: Side): Runs => {
    const rounds = samples.get(side) ?? []
    return { side: side.name, perSecond: median(rounds.map(({ perSecond }) => perSecond)), rounds }
  }
  const own = runsOf(service)
  return {
    name,
    title,
    service: own,
    limits: limits.map((limit) => ({ ...runsOf(limit), ...shareOf(own, runsOf(limit)), goal: limit.goal })),
    unit,
    grownMbMax,
  }
}

/** Repeats a turn while other processes use the machine. Returns the first undisturbed turn, or the least disturbed. */
async function leastDisturbed(side: Side, { seconds, tries }: Pace, owner: Db): Promise<Sample> {
  let best: Sample = { perSecond: Number.NaN, othersShare: Number.POSITIVE_INFINITY }
  for (let turn = 0; turn < tries && (best.othersShare ?? 0) > OTHERS_SHARE_MAX; turn++) {
    await owner.query('checkpoint') // so that none happens during the measurement
    const { result, othersShare } = await withOthers(() => side.run(seconds))
    if ((othersShare ?? 0) < (best.othersShare ?? 0)) best = { ...result, othersShare }
  }
  return best
}

function shareOf(own: Runs, limit: Runs): Omit<Share, 'goal'> {
  const shares = own.rounds.map(({ perSecond }, round) => perSecond / (limit.rounds[round]?.perSecond ?? Number.NaN))
  return { share: own.perSecond / limit.perSecond, lowest: Math.min(...shares), highest: Math.max(...shares) }
}

export type HttpLoad = {
  requests: Buffer[]
  connections: number
  renew?: (request: Buffer) => void
  /** Each request can be sent once: a turn sends this many and removes them. */
  each?: number
}

/** The service under a load, and plain `node:http` that sends the bytes of the service's response to the same load. */
export async function httpSides({ service, raw }: Testbed, httpLoad: HttpLoad): Promise<{ service: Side; raw: Side }> {
  const response = await exchange(service.url, httpLoad.requests[0] ?? Buffer.of())
  const prepare = () => raw.ask('respondWith', response)
  return {
    service: { name: 'service', run: (seconds) => runHttp(service, httpLoad, seconds) },
    raw: {
      name: 'node:http alone',
      run: async (seconds) => {
        await prepare()
        return runHttp(raw, httpLoad, seconds)
      },
    },
  }
}

export async function runHttp(server: Helper & { url: string }, httpLoad: HttpLoad, seconds: number): Promise<Sample> {
  const { requests, each } = httpLoad
  if (each && requests.length < each) throw new Error('All requests were sent, and none can be sent again.')
  const before = await server.cpuMicros()
  const { perSecond, responses, p50Ms, p99Ms } = await load({
    ...httpLoad,
    requests: each ? requests.splice(0, each) : requests,
    once: each !== undefined,
    url: server.url,
    milliseconds: each ? Number.POSITIVE_INFINITY : seconds * 1000,
  })
  const cpuMicros = ((await server.cpuMicros()) - before) / responses
  return { perSecond, p50Ms, p99Ms, cpuMicros, peakMiB: (await server.memoryBytes()) / 2 ** 20 }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}
