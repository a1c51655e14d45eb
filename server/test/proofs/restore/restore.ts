import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { RestoreReport } from '../../../src/cli/restore-examine.ts'
import { type Processes, processesIn } from '../../cluster/processes.ts'
import { findBackupPrograms } from '../../cluster/programs.ts'
import { runSql } from '../../fixtures/database.ts'
import type { Asked, Audited } from '../failover/history.ts'
import { addPartners, startLoad } from '../failover/load.ts'
import {
  type ArchivedPostgres,
  archiveSettings,
  createPostgres,
  placeForPostgres,
  postgresIn,
} from './archived-postgres.ts'
import { compareWithRestored } from './lost.ts'
import { type Files, openFiles, type Service, serviceOn } from './service.ts'

const run = promisify(execFile)
const PER_SECOND = 30
const BEFORE_BACKUP_MS = 15_000
const BEFORE_POINT_MS = 20_000
const AFTER_POINT_MS = 75_000
const READY_MS_MAX = 180_000
/** Of pgbench, whose tables of this scale are about 750 MB, so that times are those of a database of some size. */
const OTHER_DATA_SCALE = 50
const ADVICE =
  'PostgreSQL or pgBackRest is missing. Install them: apt-get update && apt-get install --yes postgresql pgbackrest'

const say = (line: string) => void process.stderr.write(`${line}\n`)

/** Backs up while serving, loses the machine, and restores it to a point in time, and then to the end of its archive. */
export async function proveRestore() {
  const programs = await findBackupPrograms()
  if (!programs) return { skipped: ADVICE }
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-restore-'))
  await chmod(folder, 0o755) // PostgreSQL's user looks into it
  const processes = processesIn(folder)
  const end = async () => {
    for (const name of await processes.noted()) processes.signal(await processes.pids(name), 'SIGKILL')
    await delay(500)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end().finally(() => process.exit(1)))
  try {
    return await drill({ folder, programs, processes, files: await openFiles(folder, programs.versitygw, processes) })
  } finally {
    await end()
  }
}

type Place = {
  folder: string
  programs: { postgres: string; pgbackrest: string }
  processes: Processes
  files: Files
}

async function drill(place: Place) {
  const first = await createPostgres(await prepared(place), 'first')
  const service = await serviceOn(place)
  await service.command(first, 'migrate')
  const [pgbench, { port }] = [join(place.programs.postgres, 'pgbench'), new URL(first.superuserUrl)]
  const other = [
    '--initialize',
    '--quiet',
    '--init-steps=dtGvp',
    `--scale=${OTHER_DATA_SCALE}`,
    '--host=127.0.0.1',
    `--port=${port}`,
    '--username=postgres',
  ]
  await run(pgbench, [...other, 'postgres'], {
    env: { ...process.env, PGPASSWORD: new URL(first.superuserUrl).password },
  })
  await service.start(first)
  const load = await startLoad(
    service,
    await addPartners({ command: (...args) => service.command(first, ...args) }),
    PER_SECOND,
  )
  say('serving')
  await delay(BEFORE_BACKUP_MS)
  const backupSeconds = await seconds(() => first.pgbackrest('backup', '--type=full'))
  say(`backed up in ${backupSeconds} s`)
  await delay(BEFORE_POINT_MS)
  const point = await pointIn(first)
  await delay(AFTER_POINT_MS)
  const sizes = await sizesOf(first)
  for (const name of ['serve', 'work', first.name]) place.processes.signal(await place.processes.pids(name), 'SIGKILL')
  const disaster = performance.now()
  await rm(first.data, { recursive: true, force: true, maxRetries: 5 })
  say('the machine is lost')
  await load.stop()
  await ended(place.processes, ['serve', 'work', first.name])

  const inTime = await restored(place, 'in-time', [
    `--type=time`,
    `--target=${point.time}`,
    '--target-action=promote',
    '--archive-mode=off',
  ])
  const inTimeFound = await examine(service, inTime.postgres, place.files, load.asked, { disaster, point: point.at })
  say(`to ${point.time}: ${JSON.stringify(inTimeFound.comparison)}`)
  await stop(place.processes, inTime.postgres.name)

  const latest = await restored(place, 'latest', [])
  await service.command(latest.postgres, 'restore', 'begin')
  const latestFound = await examine(service, latest.postgres, place.files, load.asked, { disaster })
  say(`to the end of the archive: ${JSON.stringify(latestFound.comparison)}`)
  if (latestFound.comparison.found <= inTimeFound.comparison.found) {
    say('not as promised: the end of the archive has nothing after the point in time')
    process.exitCode = 1
  }
  const startSeconds = await seconds(() => service.start(latest.postgres))
  await service.command(latest.postgres, 'maintenance', 'off')
  const secondsToService = Math.round((performance.now() - latest.startedAt) / 100) / 10
  const after = await finishJobs(latest.postgres)
  const audit = (await service.command(latest.postgres, 'audit', 'verify')).trim().split('\n').at(-1)
  const { archive_timeout: archiveTimeout } = await archiveSettings()
  return {
    requests: load.asked.length,
    ...sizes,
    backupSeconds,
    pointInTime: { restoreSeconds: inTime.seconds, ...inTimeFound },
    endOfArchive: { restoreSeconds: latest.seconds, archiveTimeout, ...latestFound },
    startSeconds,
    secondsFromRestoreToService: secondsToService,
    ...after,
    audit,
  }
}

async function prepared(place: Place): Promise<Place> {
  await placeForPostgres(place)
  return place
}

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return Math.round((performance.now() - startedAt) / 100) / 10
}

/** A moment, on the clock of the database and on ours. */
async function pointIn({ superuserUrl }: ArchivedPostgres): Promise<{ time: string; at: number }> {
  const [row] = await runSql<{ time: string; ms: number }>(
    superuserUrl,
    `select now()::text as time, extract(epoch from now()) * 1000 as ms`,
  )
  return { time: row?.time ?? '', at: Number(row?.ms) - performance.timeOrigin }
}

async function sizesOf({ superuserUrl, pgbackrest }: ArchivedPostgres) {
  const [row] = await runSql<{ database: number; all: number }>(
    superuserUrl,
    `select pg_database_size('lodgeway')::float8 as database, (select sum(pg_database_size(oid))::float8 from pg_database) as all`,
  )
  const [stanza] = JSON.parse(await pgbackrest('info', '--output=json')) as {
    backup: { info: { repository: { delta: number } } }[]
  }[]
  const megabytes = (bytes = 0) => Math.round(bytes / 1e6)
  return {
    megabytesOfService: megabytes(row?.database),
    megabytesInAll: megabytes(row?.all),
    megabytesOfBackup: megabytes(stanza?.backup.at(-1)?.info.repository.delta),
  }
}

async function restored(place: Place, name: string, options: readonly string[]) {
  const startedAt = performance.now()
  const postgres = await postgresIn(place, name)
  const copied = await seconds(() => postgres.pgbackrest('restore', ...options))
  const replayed = await seconds(() => postgres.start())
  say(`${name}: copied in ${copied} s, replayed in ${replayed} s`)
  return { postgres, startedAt, seconds: { copied, replayed } }
}

const AUDITED = `
  select entry ->> 'correlationId' as id, entry ->> 'action' as action, count(*)::int as count
    from audit_entries group by 1, 2`

/** As an operator does, and then as only the client can: it knows what was acknowledged. */
async function examine(
  service: Service,
  postgres: ArchivedPostgres,
  { inFolder }: Files,
  asked: readonly Asked[],
  times: Parameters<typeof compareWithRestored>[2],
) {
  const check = async (...options: string[]): Promise<RestoreReport> =>
    JSON.parse(await service.command(postgres, 'restore', 'check', '--json', ...options)) as RestoreReport
  const startedAt = performance.now()
  const { files, audit, jobs, isWhole } = await check()
  const checkSeconds = Math.round((performance.now() - startedAt) / 100) / 10
  const onDisk = await service.commandWith(inFolder, postgres, 'restore', 'check')
  const comparison = compareWithRestored(asked, await runSql<Audited>(postgres.ownerUrl, AUDITED), times)
  const { lostBefore, foundAfter, lostOutOfOrder, ...counts } = comparison
  for (const line of [...lostBefore, ...foundAfter, ...lostOutOfOrder]) say(`not as promised: ${line}`)
  const wrong = lostBefore.length + foundAfter.length + lostOutOfOrder.length
  if (wrong || !isWhole) process.exitCode = 1
  return {
    comparison: { ...counts, wrong },
    checkSeconds,
    files: files.named,
    filesWithProblems: files.problemCount,
    orphans: files.orphans,
    onDisk: onDisk.trim().split('\n').at(-1),
    auditEntries: audit.entries,
    jobsToRun: jobs.reduce((sum, { count }) => sum + count, 0),
  }
}

const UNFINISHED = `
  select ((select count(*) from pgboss.job where state < 'completed' and data ? 'correlationId' and name <> 'dead')
        + (select count(*) from events where unpublished))::int as unfinished,
         (select count(*)::int from pgboss.job where name = 'dead' and state = 'created') as dead`

async function finishJobs({ ownerUrl }: ArchivedPostgres) {
  const deadline = performance.now() + READY_MS_MAX
  for (;;) {
    const [row] = await runSql<{ unfinished: number; dead: number }>(ownerUrl, UNFINISHED)
    if (row?.unfinished === 0 || performance.now() > deadline)
      return { unfinishedJobs: row?.unfinished, deadJobs: row?.dead }
    await delay(500)
  }
}

async function ended(processes: Processes, names: readonly string[]): Promise<void> {
  for (const name of names) while (await processes.runs(name)) await delay(20)
}

async function stop(processes: Processes, name: string): Promise<void> {
  processes.signal((await processes.pids(name)).slice(0, 1), 'SIGINT') // of PostgreSQL: fast, without waiting for sessions
  await ended(processes, [name])
}
