import { join } from 'node:path'
import { migrate } from '../../src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts'
import { rightsOf } from '../../src/rights.ts'
import { jobNames } from '../../src/worker.ts'
import { testDatabase } from '../fixtures/database.ts'
import { seededDatabase } from '../fixtures/seeded.ts'

export type ProofDatabase = { url: string; ownerUrl: string; stop(): Promise<void> }

/**
 * A migrated database, with `npm test` one of its own PostgreSQL. What is killed in these proofs is a node and not the
 * machine: PostgreSQL need not wait for the disk.
 */
export async function proofDatabase(folder: string, more: Record<string, string> = {}): Promise<ProofDatabase> {
  if (process.env['TEST_FOLDER'] !== undefined) {
    const { url, ownerUrl, drop } = await testDatabase()
    return { url, ownerUrl, stop: drop }
  }
  const settings = { fsync: 'off', ...more }
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'pg'), mode: 'own', settings })
  await migrate({ ...postgres, rights: rightsOf(), jobs: jobNames })
  return postgres
}

/** The same for a sandbox whose files are in the folder: with `npm test`, one that has its accounts and their reports. */
export async function proofSandbox(folder: string, options?: { reports: boolean }): Promise<ProofDatabase> {
  if (process.env['TEST_FOLDER'] === undefined) return proofDatabase(folder)
  const { url, ownerUrl, drop } = await seededDatabase(folder, options)
  return { url, ownerUrl, stop: drop }
}
