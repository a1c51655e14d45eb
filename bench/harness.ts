import type { Db } from '../server/src/platform/database/db.ts'
import type { Ground } from './ground.ts'
import type { Helper } from './helper.ts'
import { exchange, load } from './load.ts'
import { withOthers } from './machine.ts'

// A figure is a ratio: what the service does in a second against what the limit does, in turns.

export type Sample = {
  perSecond: number
  /** Of the process that answers, for each answer: all its threads. Where others use the machine it rises, too. */
  cpuMicros?: number
  p50Ms?: number
  p99Ms?: number
  /** The most memory that the process which does the work ever had. */
  peakMiB?: number
  /** By how much the memory of the process that answers had grown at most. */
  grownMb?: number
  /** Which share of the machine others used meanwhile. */
  othersShare?: number | undefined
}

export type Side = { name: string; run(seconds: number): Promise<Sample> }

export type Measurement = {
  name: string
  title: string
  service: Side
  limits: (Side & { goal?: number })[]
  grownMbMax?: number
  /** Where a turn takes as long as it takes, whatever the pace. */
  roundsMax?: number
}

export type Figure = {
  name: string
  title: string
  service: Runs
  limits: (Runs & Share)[]
  grownMbMax: number | undefined
}
export type Runs = { side: string; perSecond: number; rounds: Sample[] }
/** `lowest` and `highest` are the shares of single rounds. */
export type Share = { share: number; lowest: number; highest: number; goal: number | undefined }

/** `tries`: how often a turn is taken at most, while others disturb it. */
export type Pace = { rounds: number; seconds: number; tries: number }

const WARM_UP_SECONDS = 5
const OTHERS_SHARE_MAX = 0.1

/** Runs the sides in turns, each round in the opposite order of the one before, and takes the median of each. */
export async function measure(
  { name, title, service, limits, grownMbMax, roundsMax = Number.POSITIVE_INFINITY }: Measurement,
  pace: Pace,
  { owner }: Ground,
  ended: AbortSignal,
): Promise<Figure> {
  const sides = [service, ...limits]
  const samples = new Map(sides.map((side): [Side, Sample[]] => [side, []]))
  for (const side of sides) await side.run(WARM_UP_SECONDS) // compiles what runs often, fills what is cached
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
    grownMbMax,
  }
}

/** A turn, repeated when others used the machine: the first that had the machine to itself, or the least disturbed. */
async function leastDisturbed(side: Side, { seconds, tries }: Pace, owner: Db): Promise<Sample> {
  let best: Sample = { perSecond: Number.NaN, othersShare: Number.POSITIVE_INFINITY }
  for (let turn = 0; turn < tries && (best.othersShare ?? 0) > OTHERS_SHARE_MAX; turn++) {
    await owner.query('checkpoint') // so that none falls into the time that is measured
    const { result, othersShare } = await withOthers(() => side.run(seconds))
    if ((othersShare ?? 0) < (best.othersShare ?? 0)) best = { ...result, othersShare }
  }
  return best
}

function shareOf(own: Runs, limit: Runs): Omit<Share, 'goal'> {
  const shares = own.rounds.map(({ perSecond }, round) => perSecond / (limit.rounds[round]?.perSecond ?? Number.NaN))
  return { share: own.perSecond / limit.perSecond, lowest: Math.min(...shares), highest: Math.max(...shares) }
}

export type HttpLoad = { requests: readonly Buffer[]; connections: number; freshen?: (request: Buffer) => void }

/** The service under a load, and `node:http` alone that answers the same load with the bytes of the service's answer. */
export async function httpSides({ service, raw }: Ground, given: HttpLoad): Promise<{ service: Side; raw: Side }> {
  const answer = await exchange(service.url, given.requests[0] ?? Buffer.of())
  const prepare = () => raw.ask('answerWith', answer)
  return {
    service: { name: 'service', run: (seconds) => runHttp(service, given, seconds) },
    raw: {
      name: 'node:http alone',
      run: async (seconds) => {
        await prepare()
        return runHttp(raw, given, seconds)
      },
    },
  }
}

export async function runHttp(server: Helper & { url: string }, given: HttpLoad, seconds: number): Promise<Sample> {
  const before = await server.cpuMicros()
  const { perSecond, answers, p50Ms, p99Ms } = await load({ ...given, url: server.url, milliseconds: seconds * 1000 })
  return { perSecond, p50Ms, p99Ms, cpuMicros: ((await server.cpuMicros()) - before) / answers }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}
