import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { migrate } from '../../src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts'
import { rightsOf } from '../../src/rights.ts'
import { replaceFile } from './replace-file.ts'
import { dumpSchema } from './schema-dump.ts'

// `npm run schema`: migrates an empty database and writes its schema to schema.sql.

const folder = await mkdtemp(join(tmpdir(), 'lodgeway-schema-'))
const postgres = await startEmbeddedPostgres({ folder, mode: 'own', settings: { fsync: 'off' } })
try {
  await migrate({ ...postgres, rights: rightsOf(), jobs: [] })
  await replaceFile(resolve(import.meta.dirname, '../../schema.sql'), await dumpSchema(postgres.ownerUrl))
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
