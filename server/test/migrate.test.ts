import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { getConstructionPlans, PgBoss as OldPgBoss } from 'pg-boss-12.34'
import { migrate } from '../src/platform/database/migrate.ts'
import { compareMigrations, isMigrated } from '../src/platform/database/migrations.ts'
import { rightsOf } from '../src/rights.ts'
import { jobNames } from '../src/worker.ts'
import { emptyDatabase, runSql, type TestDatabase, testDatabase } from './fixtures/database.ts'
import { dumpSchema } from './scripts/schema-dump.ts'

const removals: (() => Promise<unknown>)[] = []
after(() => Promise.all(removals.map((remove) => remove())))

describe('migrate', { concurrency: 3 }, () => {
  it('brings an empty database up to date, once, when five nodes do it at the same time', async () => {
    const database = await opened(emptyDatabase())
    const nodes = Array.from({ length: 5 }, () => migrateTo(database))
    const applied = await Promise.all(nodes)
    assert.equal(applied.filter((names) => names.length > 0).length, 1, 'one node applied all, the others waited')
    assert.equal(await dumpSchema(database.ownerUrl), await dumpSchema((await opened(testDatabase())).ownerUrl))
  })

  it('applies nothing the second time, and sets the queues up as this version needs them', async () => {
    const database = await opened(testDatabase())
    const settings = 'select name, retention_seconds, heartbeat_seconds from pgboss.queue order by name'
    const before = await runSql(database.ownerUrl, settings)
    await runSql(database.ownerUrl, 'update pgboss.queue set retention_seconds = 60, heartbeat_seconds = null')
    assert.deepEqual(await migrateTo(database), [])
    assert.deepEqual(await runSql(database.ownerUrl, settings), before)
  })

  it('refuses a migration that was changed after it was applied, on a database that is otherwise current', async () => {
    const database = await opened(testDatabase())
    await runSql(database.ownerUrl, `update schema_migrations set checksum = 'x' where name = '0001_ground.sql'`)
    const refusal = /0001_ground\.sql was changed after it was applied\. Restore it, and add a new one instead\./
    await assert.rejects(migrateTo(database), refusal)
    await assert.rejects(isMigrated(database.url, jobNames), refusal)
  })

  it('applies a lower number after a higher one, and needs no number in between', async () => {
    const { ownerUrl } = await opened(emptyDatabase())
    const folder = await mkdtemp(join(tmpdir(), 'lodgeway-migrations-'))
    removals.push(() => rm(folder, { recursive: true }))
    const add = (name: string) => writeFile(join(folder, `${name}.sql`), `create table ${name.slice(5)} ()`)
    const run = () =>
      migrate({ ownerUrl, url: ownerUrl, rights: rightsOf(), jobs: [], folder: pathToFileURL(`${folder}/`) })
    await Promise.all([add('0001_one'), add('0007_seven')])
    assert.deepEqual(await run(), ['0001_one.sql', '0007_seven.sql'])
    await add('0003_three')
    assert.deepEqual(await run(), ['0003_three.sql'])
  })

  it('undoes a migration that waits too long for a table, and says what to do', async () => {
    const database = await opened(testDatabase())
    const { ownerUrl } = database
    const undo = `drop index title_documents_of_title; delete from schema_migrations where name like '0008%'`
    await runSql(ownerUrl, undo)
    const reader = new pg.Client({ connectionString: ownerUrl })
    await reader.connect()
    await reader.query('begin; lock table title_documents in row exclusive mode')
    const busy =
      /0008_title_documents\.sql failed and was undone: a table was in use for more than 0\.1 s\. Run migrate/
    await assert.rejects(migrate({ ...database, rights: rightsOf(), jobs: jobNames, tableWaitMs: 100 }), busy)
    await reader.end()
    assert.deepEqual(await migrateTo(database), ['0008_title_documents.sql'])
  })
})

describe('a database that a newer version migrated', () => {
  const known = [{ name: '0001_one.sql', sql: '', checksum: 'a', compatibleFrom: null }]
  const compare = (compatibleFrom: string | null, version: string) => {
    const rows = [...known, { name: '0002_two.sql', checksum: 'b', compatibleFrom }]
    return compareMigrations(async () => rows as never, known, version)
  }

  it('is accepted if each unknown migration is compatible with this version', async () => {
    for (const version of ['1.0.0', '1.9.0', '1.10.0']) {
      assert.deepEqual(await compare('1.0.0', version), { pending: [], newer: ['0002_two.sql'] })
    }
    assert.deepEqual((await compare('1.9.0', '1.10.0')).newer, ['0002_two.sql'])
  })

  it('is refused with a sentence if one is not', async () => {
    const refusal =
      /newer version \(0002_two\.sql\), and version 1\.9\.0 cannot run on it\. Start the newer version, or/
    for (const from of [null, '1.9.1', '1.10.0']) await assert.rejects(compare(from, '1.9.0'), refusal)
  })

  it('is left as it is by migrate', async () => {
    const database = await opened(testDatabase())
    await runSql(
      database.ownerUrl,
      `insert into schema_migrations (name, checksum, compatible_from) values ('9999_future.sql', '', '1.0.0');
       update pgboss.queue set retention_seconds = 60; revoke select on due from lodgeway`,
    )
    assert.ok(await isMigrated(database.url, jobNames), 'a node starts')
    assert.deepEqual(await migrateTo(database), [])
    const [kept] = await runSql(
      database.ownerUrl,
      `select max(retention_seconds) as seconds, has_table_privilege('lodgeway', 'due', 'select') as may from pgboss.queue`,
    )
    assert.deepEqual(kept, { seconds: 60, may: false })
  })
})

describe('the job queue of pg-boss 12.34', () => {
  it('is upgraded by two nodes at once, with the jobs that wait in it', async () => {
    const database = await opened(testDatabase())
    const { ownerUrl, url } = database
    await runSql(ownerUrl, `drop schema pgboss cascade; ${getConstructionPlans('pgboss')}`)
    const [name = ''] = jobNames
    await using old = await started(new OldPgBoss({ connectionString: ownerUrl, ...QUIET, migrate: false }))
    await old.boss.createQueue(name, { retentionSeconds: 60 })
    const id = await old.boss.send(name, { correlationId: 'old', payload: {} })
    assert.equal(await old.boss.schemaVersion(), 42)
    assert.equal(await isMigrated(url, jobNames), false)

    assert.deepEqual(await Promise.all([migrateTo(database), migrateTo(database)]), [[], []])
    assert.ok(await isMigrated(url, jobNames))
    const later = await old.boss.send(name, { correlationId: 'later', payload: {} }) // by a node that still runs
    await using now = await started(new PgBoss({ connectionString: url, ...QUIET, migrate: false }))
    const fetched = await now.boss.fetch(name, { batchSize: 2 })
    assert.deepEqual(new Set(fetched.map((job) => job.id)), new Set([id, later]))
    assert.ok(((await now.boss.getQueue(name))?.retentionSeconds ?? 0) > 60)
    const drift = await now.boss.detectSchemaDrift()
    assert.ok(drift.ok, JSON.stringify(drift))
  })

  it('refuses one of a newer pg-boss', async () => {
    const { ownerUrl, url } = await opened(testDatabase())
    await runSql(ownerUrl, 'update pgboss.version set version = 999')
    const refusal = /tables of the job queue are of a newer version \(999; this one knows/
    await assert.rejects(isMigrated(url, jobNames), refusal)
    await assert.rejects(migrate({ ownerUrl, url, rights: rightsOf(), jobs: jobNames }), refusal)
  })
})

const QUIET = { max: 1, supervise: false, schedule: false }

const migrateTo = (database: TestDatabase) => migrate({ ...database, rights: rightsOf(), jobs: jobNames })

async function opened(opening: Promise<TestDatabase>): Promise<TestDatabase> {
  const database = await opening
  removals.push(() => database.drop())
  return database
}

async function started<Boss extends { start(): Promise<unknown>; stop(how: object): Promise<void> }>(boss: Boss) {
  await boss.start()
  return { boss, [Symbol.asyncDispose]: () => boss.stop({ graceful: false }) }
}
