import { type Command, type Options, operatorAt, UsageError } from './operate.ts'
import { openBlobs } from './platform/blobs/blobs.ts'
import { showProgress } from './platform/operations/progress.ts'
import { businessNow } from './platform/operations/state.ts'
import { openReporter } from './reports/generate.ts'
import { checkReportDate, endedDates } from './reports/rules.ts'
import { listMissing } from './reports/store.ts'

// `lodgeway report generate`: makes by hand what the nightly job makes by itself. What is there already is left alone.

export const reportGenerate: Command = async ({ config, db, options }) => {
  const now = await businessNow(db)
  const date = dateOf(options, now)
  const missing = await listMissing(db, [date])
  if (missing.length === 0) return `Nothing is missing: the reports of ${date} are there for all who have reports.`

  const actor = operatorAt(now)
  const blobs = await openBlobs({ url: config.blobUrl, dataDir: config.dataDir })
  const reporter = openReporter({ db, blobs })
  const progress = showProgress(process.stderr, missing.length)
  const failures: string[] = []
  const made = { reports: 0, rows: 0 }
  try {
    for (const one of missing) {
      try {
        const runs = await reporter.make(one, actor)
        made.reports += runs.length
        for (const { rowCount } of runs) made.rows += rowCount
      } catch (error) {
        failures.push(`- ${one.subscriberName}: ${error instanceof Error ? error.message : error}`)
      }
      progress.step(one.subscriberName)
    }
  } finally {
    progress.end()
    await reporter.close()
    blobs.close()
  }
  const said = `Made ${made.reports} reports of ${date} with ${made.rows} rows in all.`
  if (failures.length === 0) return said
  process.exitCode = 1
  return [said, `Not for ${failures.length} of ${missing.length} subscribers:`, ...failures, AGAIN].join('\n')
}

const AGAIN = 'Say the same again to try these anew; the next night does so, too.'

function dateOf(options: Options, now: Date): string {
  const dates = endedDates(now)
  const [first, last] = [dates[0] ?? '', dates.at(-1) ?? '']
  const date = checkReportDate(options['date']) ?? last
  if (dates.includes(date)) return date
  throw new UsageError(`Reports can be made of ${first} to ${last}: of days that have ended, while they are served.`)
}
