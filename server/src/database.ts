import { type Config, pathsOf } from './config.ts'
import { isMigrated } from './platform/database/migrations.ts'
import { isConnectionLost } from './platform/database/unavailable.ts'
import { describeError } from './platform/errors.ts'
import type { OnStep } from './platform/operations/steps.ts'
import { type Process, rightsOf } from './rights.ts'

export type Database = { url: string; ownerUrl: string; embedded: boolean; stop(): Promise<void> }

type Watchers = {
  onStep?: OnStep | undefined
  /** The folder of the embedded database was deleted. */
  onLost?: (() => void) | undefined
  /** Called when a process of the embedded database was started, which takes a while. */
  meanwhile?: (() => void) | undefined
}

/** The database of the settings, or the embedded one. `share` is for commands that may run at the same time as the service. */
export async function openDatabase(
  config: Config,
  mode: 'own' | 'share',
  { onStep, onLost, meanwhile }: Watchers = {},
): Promise<Database> {
  const { databaseUrl: url, databaseOwnerUrl } = config
  if (url) return { url, ownerUrl: databaseOwnerUrl ?? url, embedded: false, stop: async () => {} }
  const { startEmbeddedPostgres } = await import('./platform/embedded-postgres/embedded-postgres.ts')
  const watchers = { ...(onStep && { onStep }), ...(onLost && { onLost }), ...(meanwhile && { meanwhile }) }
  const postgres = await startEmbeddedPostgres({ folder: pathsOf(config).postgres, mode, ...watchers })
  return { url: postgres.url, ownerUrl: postgres.ownerUrl, embedded: true, stop: () => postgres.stop() }
}

/** Whether there is a database to open: the embedded one may not have been created. */
export async function hasDatabase(config: Config): Promise<boolean> {
  if (config.databaseUrl) return true
  const { hasCluster } = await import('./platform/embedded-postgres/cluster.ts')
  return hasCluster(pathsOf(config).postgres).catch(() => true) // opening it will say what is wrong
}

/** Does nothing if the database is current, so that a node without the owner's role can start. */
export async function migrateIfNeeded(database: Database, onStep: OnStep = () => {}): Promise<string[]> {
  const { jobNames } = await import('./worker.ts')
  if (await isMigrated(database.url, jobNames).catch(doesNotAnswer('DATABASE_URL', database.url))) return []
  onStep('creating the tables of this version')
  return migrateDatabase(database)
}

/** Runs on a current database too: it verifies the checksums of migrations and updates the job queue. */
export async function migrateDatabase({ url, ownerUrl }: Database, process?: Process): Promise<string[]> {
  const { migrate } = await import('./platform/database/migrate.ts')
  const { jobNames } = await import('./worker.ts')
  return migrate({ ownerUrl, url, rights: rightsOf(process), jobs: jobNames }).catch((cause) => {
    const setting = ownerUrl === url ? 'DATABASE_URL' : 'DATABASE_OWNER_URL'
    if (isNotThere(cause)) doesNotAnswer(setting, ownerUrl)(cause)
    if (cause.code !== INSUFFICIENT_PRIVILEGE) throw cause
    const advice = 'Run `lodgeway migrate` with DATABASE_OWNER_URL, the URL of that role.'
    throw new Error(`Only the owner of the tables can bring the database up to this version. ${advice}`, { cause })
  })
}

/** `migrateIfNeeded` for a command that needs the tables but no queue. It loads no jobs if the database is current. */
export async function prepareTables(database: Database): Promise<void> {
  if (!(await isMigrated(database.url, []).catch(doesNotAnswer('DATABASE_URL', database.url))))
    await migrateIfNeeded(database)
}

/** No server, no such database, or nobody whom it lets in. With several addresses of a host there is an error for each. */
const isNotThere = (error: unknown): boolean =>
  error instanceof AggregateError || isConnectionLost(error) || /^(28|3D)/.test((error as { code?: string }).code ?? '')

const doesNotAnswer =
  (setting: string, url: string) =>
  (cause: unknown): never => {
    const { host, pathname } = new URL(url)
    throw new Error(`The database of ${setting}, ${host}${pathname}, cannot be used: ${describeError(cause)}`, {
      cause,
    })
  }

const INSUFFICIENT_PRIVILEGE = '42501'
