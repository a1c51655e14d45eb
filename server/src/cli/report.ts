import { openBlobs } from '../platform/blobs/blobs.ts'
import { businessNow } from '../platform/operations/state.ts'
import { openReporter } from '../reports/generate.ts'
import { checkReportDate, endedDates } from '../reports/rules.ts'
import { listMissing } from '../reports/store.ts'
import { type Commands, type Options, UsageError } from './input.ts'
import { type Operation, onDatabase, operatorAt } from './operate.ts'
import { showProgress } from './progress.ts'

// `lodgeway report generate`: makes the reports that the nightly job would make. Existing reports are not changed.

export const commands: Commands = { generate: onDatabase(generate) }

async function generate({ config, db, options }: Operation): Promise<string> {
  const now = await businessNow(db)
  const date = dateOf(options, now)
  const missing = await listMissing(db, [date])
  if (missing.length === 0) return `Nothing is missing: all subscribers with reports have those of ${date}.`

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
  const done = `Made ${made.reports} reports of ${date} with ${made.rows} rows in all.`
  if (failures.length === 0) return done
  process.exitCode = 1
  return [done, `Failed for ${failures.length} of ${missing.length} subscribers:`, ...failures, AGAIN].join('\n')
}

const AGAIN = 'Run the command again to retry these; the next nightly run retries them too.'

function dateOf(options: Options, now: Date): string {
  const dates = endedDates(now)
  const [first, last] = [dates[0] ?? '', dates.at(-1) ?? '']
  const date = checkReportDate(options['date']) ?? last
  if (dates.includes(date)) return date
  throw new UsageError(
    `Reports can be made for ${first} to ${last}: days that have ended and whose reports are still served.`,
  )
}
