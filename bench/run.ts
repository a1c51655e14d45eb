import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { deliveries, deliveryLatency } from './deliveries.ts'
import { type Figure, type Measurement, measure, type Pace } from './harness.ts'
import { jobStart } from './job-start.ts'
import { loggedReads } from './logging.ts'
import { pdfMeasurements } from './pdf-checks.ts'
import { readRow } from './read.ts'
import { machineOf, tableOf } from './report.ts'
import { reportMeasurements } from './reports.ts'
import { scaleMeasurements } from './scale.ts'
import { startTestbed, type Testbed } from './testbed.ts'
import { tokenIssue } from './token.ts'
import { uploadMeasurements } from './uploads.ts'
import { watchedReads } from './watching.ts'
import { workspaceMeasurements } from './workspaces.ts'
import { writeRow } from './write.ts'

// `npm run bench [-- name …]`: all measurements, or the named ones.

const MEASUREMENTS: Record<string, (testbed: Testbed) => Promise<Measurement>> = {
  token: tokenIssue,
  read: readRow,
  write: writeRow,
  watching: watchedReads,
  logging: loggedReads,
  'job-start': jobStart,
  deliveries,
  'delivery-latency': deliveryLatency,
  ...workspaceMeasurements,
  ...uploadMeasurements,
  ...pdfMeasurements,
}

/** Run only by name: they take minutes to prepare, and fill the database that the others use. */
const BY_NAME: typeof MEASUREMENTS = { ...scaleMeasurements, ...reportMeasurements }

const USAGE = `npm run bench [-- ${Object.keys({ ...MEASUREMENTS, ...BY_NAME }).join(' | ')} …] [options]

  scale-*            all whose names begin with this

  --rounds N         how many turns each side has (7)
  --seconds N        how long a turn lasts (2)
  --tries N          how often a turn is repeated at most while other processes use the machine (3)
  --json FILE        also write all results to a file
  --profile FOLDER   write a CPU profile of the service into a folder
`
const RUN_MS_MAX = 2_400_000

try {
  await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { names, pace, json, profile } = readArguments()
  const ended = AbortSignal.any([AbortSignal.timeout(RUN_MS_MAX), signalled()])
  const testbed = await startTestbed({ profileFolder: profile })
  try {
    const figures: Figure[] = []
    for (const name of names) {
      process.stderr.write(`${name} …\n`)
      const prepare = MEASUREMENTS[name] ?? BY_NAME[name]
      if (prepare) figures.push(await measure(await prepare(testbed), pace, testbed, ended))
    }
    const report = { takenAt: new Date().toISOString(), machine: await machineOf(testbed.owner), pace, figures }
    const text = `${JSON.stringify(report, undefined, 2)}\n`
    process.stdout.write(`${tableOf(figures)}\n${text}`)
    if (json) await writeFile(json, text)
  } finally {
    await testbed.stop()
  }
}

function readArguments() {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { ...text, default: '7' },
      seconds: { ...text, default: '2' },
      tries: { ...text, default: '3' },
      json: text,
      profile: text,
    },
  })
  const known = Object.keys({ ...MEASUREMENTS, ...BY_NAME })
  const isMeant = (asked: string) => (name: string) =>
    asked.endsWith('*') ? name.startsWith(asked.slice(0, -1)) : name === asked
  const unknown = positionals.filter((asked) => !known.some(isMeant(asked)))
  const pace: Pace = { rounds: Number(values.rounds), seconds: Number(values.seconds), tries: Number(values.tries) }
  const isPace = Object.values(pace).every((value) => Number.isInteger(value) && value > 0)
  if (unknown.length || !isPace) throw new Error(USAGE)
  const names = positionals.flatMap((asked) => known.filter(isMeant(asked)))
  return { names: names.length ? names : Object.keys(MEASUREMENTS), pace, ...values }
}

function signalled(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.abort(new Error('Interrupted.')))
  return controller.signal
}
