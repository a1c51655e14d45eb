import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { deliveries, deliveryLatency } from './deliveries.ts'
import { type Figure, type Measurement, measure, type Pace } from './harness.ts'
import { jobStart } from './job-start.ts'
import { type Line, linesOf, type Results, tableOf } from './lines.ts'
import { loggedReads } from './logging.ts'
import { machineOf } from './machine.ts'
import { wholeMatters } from './matters.ts'
import { mockMeasurements } from './mocks.ts'
import { operationMeasurements } from './operations.ts'
import { pdfMeasurements } from './pdf-checks.ts'
import { publish } from './publish.ts'
import { reportMeasurements } from './reports.ts'
import { scaleMeasurements } from './scale.ts'
import { startTimes } from './start.ts'
import { startTestbed, type Testbed } from './testbed.ts'
import { tokenIssue } from './token.ts'
import { uploadMeasurements } from './uploads.ts'
import { watchedReads } from './watching.ts'

// `npm run bench`: what docs/performance.md shows, which it renews. `npm run bench -- <name> …`: those that are named.

type Prepare = (testbed: Testbed) => Promise<Measurement>

const OPERATIONS = 'Operations, 32 connections'
const MOCKS = 'Beside mocks, 32 connections'
const RUN_MS_MAX = 2_400_000
const SERVE_MIB_MAX = 200
const RESULTS = resolve(import.meta.dirname, 'results.json')

/** All that `npm run bench` runs, by group. */
const GROUPS: Record<string, { title: string; measurements: Record<string, Prepare> }> = {
  operations: { title: OPERATIONS, measurements: operationMeasurements },
  mocks: { title: MOCKS, measurements: mockMeasurements },
}

/** Run only by name. Those of reports and scale take minutes to prepare, and fill the database that the others use. */
const BY_NAME: Record<string, Prepare> = {
  token: tokenIssue,
  watching: watchedReads,
  logging: loggedReads,
  'job-start': jobStart,
  deliveries,
  'delivery-latency': deliveryLatency,
  ...uploadMeasurements,
  ...pdfMeasurements,
  ...scaleMeasurements,
  ...reportMeasurements,
}

const OWN = ['start', 'operations', 'mocks', 'matters']
const NAMES = [...OWN, ...Object.values(GROUPS).flatMap(({ measurements }) => Object.keys(measurements))]
const USAGE = `npm run bench [-- ${[...NAMES, ...Object.keys(BY_NAME)].join(' | ')} …] [options]

  scale-*            all whose names begin with this

  --rounds N         how many turns each side has (3)
  --seconds N        how long a turn lasts (2)
  --tries N          how often a turn is repeated at most while others use the machine (4)
  --against FOLDER   another checkout whose start is measured in turns with this one's
  --json FILE        write the results to a file. Without names: bench/results.json, and from it docs/performance.md
  --profile FOLDER   write CPU profiles of the service into a folder
`

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : error}\n`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { names, pace, json, profile, against } = readArguments()
  const isWhole = names.length === 0
  const asked = isWhole ? OWN : names
  const ended = AbortSignal.any([AbortSignal.timeout(RUN_MS_MAX), signalled()])
  const lines: Line[] = []
  // One that fails does not end the run: the others took minutes.
  const attempt = async (name: string, measured: () => Promise<Line[]>) => {
    process.stderr.write(`${name} …\n`)
    try {
      lines.push(...progress(name, await measured()))
    } catch (error) {
      ended.throwIfAborted()
      process.stderr.write(`  ${name} failed: ${error instanceof Error ? error.stack : error}\n`)
      process.exitCode = 1
    }
  }
  if (asked.includes('start')) await attempt('start', () => startTimes(against)) // before anything else runs
  const testbed = await startTestbed({ profileFolder: profile })
  try {
    for (const { name, group, prepare } of wanted(asked)) {
      await attempt(name, async () => {
        const figure = await measure(await prepare(testbed), pace, testbed, ended)
        return [...linesOf(figure, group), ...memoryOf(name, figure)]
      })
    }
    if (asked.includes('matters')) await attempt('matters', () => wholeMatters(testbed, pace, ended))
    const { default: root } = await import('../server/package.json', { with: { type: 'json' } })
    const machine = await machineOf(testbed.owner)
    const results: Results = { takenAt: new Date().toISOString(), version: root.version, machine, lines }
    process.stdout.write(`\n${tableOf(lines)}`)
    const file = json ?? (isWhole ? RESULTS : undefined)
    if (file) await writeFile(file, `${JSON.stringify(results, undefined, 2)}\n`)
    if (isWhole && !json) await publish(results)
  } finally {
    await testbed.stop()
  }
}

function wanted(asked: readonly string[]): { name: string; group: string; prepare: Prepare }[] {
  const grouped = Object.entries(GROUPS).flatMap(([group, { title, measurements }]) =>
    Object.entries(measurements)
      .filter(([name]) => asked.includes(group) || asked.includes(name))
      .map(([name, prepare]) => ({ name, group: title, prepare })),
  )
  const others = Object.entries(BY_NAME).filter(([name]) => asked.includes(name))
  return [...grouped, ...others.map(([name, prepare]) => ({ name, group: 'Others', prepare }))]
}

function memoryOf(name: string, { service }: Figure): Line[] {
  if (name !== 'read') return []
  const value = Math.max(...service.rounds.map(({ peakMiB = 0 }) => (peakMiB * 2 ** 20) / 1e6))
  return [
    {
      group: OPERATIONS,
      what: 'memory of `serve` while it answers reads',
      value,
      unit: 'MB',
      goal: { atMost: SERVE_MIB_MAX },
    },
  ]
}

function progress(name: string, lines: Line[]): Line[] {
  for (const { what, value, unit, beside, cpuMicros, p99Ms, others } of lines) {
    const parts = [
      `${value.toPrecision(4)} ${unit}`,
      beside && `${beside.share.toFixed(2)} of ${beside.name}`,
      cpuMicros !== undefined && `CPU ${cpuMicros.toFixed(0)} µs`,
      p99Ms !== undefined && `p99 ${p99Ms.toFixed(1)} ms`,
      others !== undefined && `others ${(others * 100).toFixed(0)} %`,
    ]
    process.stderr.write(`  ${name}: ${what}: ${parts.filter(Boolean).join(', ')}\n`)
  }
  return lines
}

function readArguments() {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { ...text, default: '3' },
      seconds: { ...text, default: '2' },
      tries: { ...text, default: '4' },
      against: text,
      json: text,
      profile: text,
    },
  })
  const known = [...NAMES, ...Object.keys(BY_NAME)]
  const isMeant = (asked: string) => (name: string) =>
    asked.endsWith('*') ? name.startsWith(asked.slice(0, -1)) : name === asked
  const unknown = positionals.filter((asked) => !known.some(isMeant(asked)))
  const [rounds, seconds, tries] = [Number(values.rounds), Number(values.seconds), Number(values.tries)]
  const pace: Pace = { rounds, seconds, tries, warmUp: 2 }
  const isPace = Object.values(pace).every((value) => Number.isInteger(value) && value > 0)
  if (unknown.length || !isPace) throw new Error(USAGE)
  return { ...values, names: positionals.flatMap((asked) => known.filter(isMeant(asked))), pace }
}

function signalled(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.abort(new Error('Interrupted.')))
  return controller.signal
}
