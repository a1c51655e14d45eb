import boss from 'pg-boss/package.json' with { type: 'json' }
import type { Read } from '../database/migrations.ts'

// A separate file, so that a command that enqueues nothing does not load pg-boss.

/** Whether the database has pg-boss's tables of this version, and a queue for each job. */
export async function isQueueInstalled(read: Read, jobs: readonly string[]): Promise<boolean> {
  const [installed] = await read<{ version: number }>('select version from pgboss.version')
  refuseNewerQueue(installed?.version)
  const queues = new Set((await read<{ name: string }>('select name from pgboss.queue')).map(({ name }) => name))
  return installed?.version === boss.pgboss.schema && jobs.every((name) => queues.has(name))
}

export function refuseNewerQueue(version = 0): void {
  const { schema } = boss.pgboss
  if (version <= schema) return
  throw new Error(
    `The tables of the job queue are of a newer version (${version}; this one knows ${schema}). ` +
      'Start the newer version, or restore the backup that was made before the upgrade.',
  )
}
