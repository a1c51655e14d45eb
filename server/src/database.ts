import { type Config, pathsOf } from './config.ts'
import { isMigrated } from './platform/database/migrations.ts'
import { describeError } from './platform/errors.ts'
import { type Process, rightsOf } from './rights.ts'

export type Database = { url: string; ownerUrl: string; embedded: boolean; stop(): Promise<void> }

/** The database of the settings, or the embedded one. `share` is for commands that may run at the same time as the service. */
export async function openDatabase(config: Config, mode: 'own' | 'share'): Promise<Database> {
  const { databaseUrl: url, databaseOwnerUrl } = config
  if (url) return { url, ownerUrl: databaseOwnerUrl ?? url, embedded: false, stop: async () => {} }
  const { startEmbeddedPostgres } = await import('./platform/embedded-postgres/embedded-postgres.ts')
  const postgres = await startEmbeddedPostgres({ folder: pathsOf(config).postgres, mode })
  return { url: postgres.url, ownerUrl: postgres.ownerUrl, embedded: true, stop: () => postgres.stop() }
}

/** Does nothing if the database is current, so that a node without the owner's role can start. */
export async function migrateIfNeeded(database: Database): Promise<string[]> {
  const { jobNames } = await import('./worker.ts')
  return (await isMigrated(database.url, jobNames).catch(doesNotAnswer)) ? [] : migrateDatabase(database)
}

/** Runs on a current database too: it verifies the checksums of migrations and updates the job queue. */
export async function migrateDatabase({ url, ownerUrl }: Database, process?: Process): Promise<string[]> {
  const { migrate } = await import('./platform/database/migrate.ts')
  const { jobNames } = await import('./worker.ts')
  return migrate({ ownerUrl, url, rights: rightsOf(process), jobs: jobNames }).catch((cause) => {
    if (cause instanceof AggregateError) doesNotAnswer(cause) // one error for each address of the host
    if (cause.code !== INSUFFICIENT_PRIVILEGE) throw cause
    const advice = 'Run `lodgeway migrate` with DATABASE_OWNER_URL, the URL of that role.'
    throw new Error(`Only the owner of the tables can bring the database up to this version. ${advice}`, { cause })
  })
}

/** `migrateIfNeeded` for a command that needs the tables but no queue. It loads no jobs if the database is current. */
export async function prepareTables(database: Database): Promise<void> {
  if (!(await isMigrated(database.url, []).catch(doesNotAnswer))) await migrateIfNeeded(database)
}

function doesNotAnswer(cause: unknown): never {
  throw new Error(`The database of DATABASE_URL cannot be used: ${describeError(cause)}`, { cause })
}

const INSUFFICIENT_PRIVILEGE = '42501'
