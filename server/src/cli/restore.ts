import { actorName } from '../audit/record.ts'
import type { AuditReport } from '../audit/verify.ts'
import { openStore } from '../platform/blobs/blobs.ts'
import { blobLocation } from '../platform/blobs/url.ts'
import { openDb } from '../platform/database/db.ts'
import { saveMaintenance } from '../platform/operations/state.ts'
import { type Commands, type Options, UsageError } from './input.ts'
import { commandConfig, onDatabase, openForCommand, operatorAt } from './operate.ts'
import { examineRestore, OUTSIDE, type RestoreReport } from './restore-examine.ts'

// `lodgeway restore begin` and `check`: what an operator runs on a database that was restored, before the service starts.

export const commands: Commands = {
  begin,

  check: onDatabase(async ({ db, config, options }) => {
    const { share, after, anchor } = optionsOf(options)
    const store = await openStore(blobLocation(config.blobUrl, config.dataDir))
    try {
      const hasSweep = options['sweep-orphans'] !== undefined
      const report = await examineRestore(db, store, { share, after, anchor, hasSweep, onProgress: progress() })
      if (!report.isWhole) process.exitCode = 1
      return options['json'] === undefined ? present(report) : JSON.stringify(report, undefined, 2)
    } finally {
      store.close()
    }
  }),
}

// More than any feed grows between the point in time and the disaster.
const POSITIONS_SKIPPED = 10_000_000

/** As the owner, because it moves a sequence. May be run again. */
async function begin(): Promise<string> {
  const database = await openForCommand(commandConfig())
  const db = openDb({ url: database.ownerUrl, poolSize: 1 })
  try {
    await saveMaintenance(db, true, actorName(operatorAt(new Date())))
    await db.query(
      `select setval(feed, nextval(feed) + ${POSITIONS_SKIPPED})
         from (select pg_get_serial_sequence('event_feed', 'position')::regclass as feed) sequence`,
    )
    return BEGUN
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    throw new Error('Only the owner of the tables can do this. Set DATABASE_OWNER_URL, the URL of that role.', {
      cause: error,
    })
  } finally {
    await db.close()
    await database.stop()
  }
}

const BEGUN = `Maintenance is on, so that partners are answered 503 until you switch it off.
Positions in the feed that readers may have stored after the restored point will not be used again.
Next: lodgeway restore check`

function optionsOf(options: Options) {
  const { sample = '100', after = '', anchor } = options
  const percent = Number(sample)
  if (!(percent >= 0 && percent <= 100)) throw new UsageError('--sample must be a number of percent: 0 to 100.')
  for (const [name, value] of Object.entries({ after, anchor })) {
    if (value && !/^[0-9a-f]{64}$/.test(value)) throw new UsageError(`--${name} must be a hash: 64 hexadecimal digits.`)
  }
  return { share: percent / 100, after, anchor }
}

const PROGRESS_MS = 5_000

function progress() {
  let shownAt = performance.now()
  return (done: number, sha256: string) => {
    if (performance.now() - shownAt < PROGRESS_MS) return
    shownAt = performance.now()
    process.stderr.write(`${done} files are checked. To go on from here: --after ${sha256}\n`)
  }
}

const MEGABYTE = 1_000_000
const megabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`

function present(report: RestoreReport): string {
  const { checkedAt, newestChange, newestEvent, files, audit, jobs, isWhole } = report
  const age = (at: Date) =>
    `${at.toISOString()}, ${Math.round((checkedAt.getTime() - at.getTime()) / 1000)} s before now`
  return [
    `Newest change  ${newestChange ? `${age(newestChange.at)} (${newestChange.what})` : 'none'}`,
    `Newest event   ${newestEvent ? `${age(newestEvent.at)} (${newestEvent.what})` : 'none'}`,
    `Files          ${files.named} with ${megabytes(files.namedBytes)}; ${files.read} of them read and compared`,
    ...files.problems.map(
      ({ sha256, problem, namedBy }) => `- File ${sha256} ${problem}. It is named by ${namedBy.join(', ')}.`,
    ),
    ...(files.problemCount > files.problems.length
      ? [`- ${files.problemCount - files.problems.length} more files have a problem.`]
      : []),
    ...(files.orphans ? [orphans(files)] : []),
    `Audit          ${auditLine(audit)}`,
    ...audit.findings.map((finding) => `- ${finding}`),
    ...audit.notices.map((notice) => `! ${notice}`),
    `Jobs           ${jobs.length ? `when \`work\` starts: ${jobs.map(({ job, count }) => `${count} ${job}`).join(', ')}` : 'none'}`,
    ...jobs.flatMap(({ job, workspaceIds }) => (OUTSIDE[job] ? [`! ${OUTSIDE[job]} ${workspaceIds.join(', ')}`] : [])),
    `What was restored is ${isWhole ? '' : 'NOT '}whole.`,
  ].join('\n')
}

function orphans(files: RestoreReport['files']): string {
  const what = `! ${files.orphans} files with ${megabytes(files.orphanBytes)} have no row: they were stored after the restored point.`
  const next = files.areOrphansSwept
    ? 'The nightly sweep removes them in a day.'
    : 'Add --sweep-orphans to have the nightly sweep remove them.'
  return `${what} ${next}`
}

const auditLine = ({ findings, entries, chains, newestAnchor }: AuditReport) =>
  `${findings.length ? 'NOT whole' : 'whole'}: ${entries} entries in ${chains} chains, newest anchor ${newestAnchor ?? 'none'}`
