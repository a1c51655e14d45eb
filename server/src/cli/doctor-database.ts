import type { Config } from '../config.ts'
import { type Database, hasDatabase } from '../database.ts'
import { HMLR } from '../hmlr/settings.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { isMigrated } from '../platform/database/migrations.ts'
import { describeError } from '../platform/errors.ts'
import { askDatabaseTime, CLOCK_DIFFERENCE_MS_MAX } from '../platform/operations/machine-clock.ts'
import { listNodes, type RunningNode } from '../platform/operations/nodes.ts'
import { checkPepper, pepperOf } from '../secrets.ts'
import { jobNames } from '../worker.ts'
import { examineAccounts } from './doctor-registry.ts'
import { type Finding, failure, ok, versionFinding, warning } from './finding.ts'
import { openForCommand } from './operate.ts'

const OVERDUE_MINUTES_MAX = 5
const POSTGRES_VERSION_MIN = 15

/** The part of `lodgeway doctor` that checks the database, and finds the nodes that run on it. */
export async function examineDatabase(config: Config): Promise<{ findings: Finding[]; nodeIds: string[] }> {
  if (!(await hasDatabase(config))) {
    return { findings: [ok('database', 'none yet; the first start creates one')], nodeIds: [] }
  }
  let database: Database
  try {
    database = await openForCommand(config)
  } catch (error) {
    const fix = 'Check DATA_DIR: does another program use it, is the disk full, can this user write there?'
    return { findings: [failure('database', describeError(error), fix)], nodeIds: [] }
  }
  const db = openDb({ url: database.url, poolSize: 1 })
  try {
    const nodes = (await listNodes(db).catch(() => [])).filter(({ isSilent }) => !isSilent) // none before `migrate`
    const findings = [
      await server(db, database),
      ...(await roles(db)),
      ...(await migrations(db, database, config, nodes)),
      await clock(db),
    ]
    return { findings, nodeIds: nodes.map(({ nodeId }) => nodeId) }
  } catch (error) {
    const fix =
      'Check DATABASE_URL: host, port, role, password, and that the server accepts connections from this machine.'
    return { findings: [failure('database', `It does not respond: ${describeError(error)}`, fix)], nodeIds: [] }
  } finally {
    await db.close()
    await database.stop()
  }
}

async function server(db: Db, { embedded }: Database): Promise<Finding> {
  const [row] = await db.query<{ version: string }>(`select current_setting('server_version') as version`)
  const version = row?.version ?? ''
  if (Number.parseInt(version, 10) < POSTGRES_VERSION_MIN) {
    const fix = `Move to PostgreSQL ${POSTGRES_VERSION_MIN} or newer.`
    return failure('database', `PostgreSQL ${version} is too old.`, fix)
  }
  const finding = versionFinding('database', 'PostgreSQL', version, 'it holds real data')
  return embedded ? { ...finding, message: `${finding.message} This is the embedded one.` } : finding
}

/** The catalogue shows who may alter a table, whatever the roles are called. */
async function roles(db: Db): Promise<Finding[]> {
  const [row] = await db.query<{ role: string; owned: number }>(
    `select current_user as role, count(*) as owned from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and pg_has_role(current_user, relowner, 'member')`,
  )
  if (!row?.owned) return []
  const fix = 'Give the service its own role in DATABASE_URL (docs/operations.md); keep the owner’s for `migrate`.'
  const message = `The service runs as ${row.role}, which owns the tables and could therefore alter the audit.`
  return [warning('roles', message, fix)]
}

type Nodes = readonly RunningNode[]

async function migrations(db: Db, { url }: Database, config: Config, nodes: Nodes): Promise<Finding[]> {
  const migrated = await isMigrated(url, jobNames).catch(describeError)
  if (typeof migrated === 'string') return [failure('migrations', migrated, 'Run the version that migrated it.')]
  if (!migrated)
    return [failure('migrations', 'The database does not have the schema of this version.', 'Run `lodgeway migrate`.')]
  const accounts = config.registry === HMLR ? await examineAccounts(db, config) : []
  return [
    ok('migrations', 'the database is current'),
    ...(await pepper(db, config)),
    ...(await jobs(db, config, nodes)),
    ...accounts,
  ]
}

async function pepper(db: Db, config: Config): Promise<Finding[]> {
  try {
    await checkPepper(db, await pepperOf(config))
    return []
  } catch (error) {
    return [failure('pepper', describeError(error), 'It is the same on every node and never changes.')]
  }
}

async function jobs(db: Db, { sandbox }: Config, nodes: Nodes): Promise<Finding[]> {
  const [row] = await db.query<{ dead: number; overdue: number }>(
    `select (select count(*) from pgboss.job where name = 'dead' and state = 'created') as dead,
            (select count(*) from due, service_state
              where due_at < now() + clock_offset_ms * interval '1 millisecond'
                           - interval '${OVERDUE_MINUTES_MAX} minutes') as overdue`,
  )
  const findings: Finding[] = []
  if (row?.dead) {
    const fix = 'List them with `lodgeway job dead`, fix the cause, then run `lodgeway job retry all`.'
    findings.push(warning('jobs', `${row.dead} jobs failed too often and are dead letters.`, fix))
  }
  if (row?.overdue) {
    const message = `${row.overdue} jobs are more than ${OVERDUE_MINUTES_MAX} minutes overdue.`
    const isWorking = nodes.some(({ roles }) => roles.includes('work'))
    const start = sandbox ? 'Start the sandbox, which then runs them: npm start' : 'Start a worker: `lodgeway work`.'
    const log = 'A worker runs, so it is behind or they fail: look at its log.'
    findings.push(warning('jobs', message, isWorking ? log : start))
  }
  return findings.length ? findings : [ok('jobs', 'none is dead, none overdue')]
}

async function clock(db: Db): Promise<Finding> {
  const { databaseMs, at } = await askDatabaseTime(db, () => performance.now())
  const ms = Math.abs(Date.now() - (databaseMs + performance.now() - at))
  if (ms <= CLOCK_DIFFERENCE_MS_MAX) return ok('clock', 'this machine and the database agree')
  const message = `This machine and the database differ by ${(ms / 1000).toFixed(1)} seconds.`
  return failure(
    'clock',
    message,
    'Synchronise both with a time server (NTP). Until then a node is not ready and runs no jobs.',
  )
}
