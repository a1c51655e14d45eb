import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { migrate } from '../src/platform/database/migrate.ts'
import { jobNames } from '../src/worker.ts'
import { type TestDatabase, testDatabase, withDatabase } from './fixtures/database.ts'
import { dumpSchema } from './scripts/schema-dump.ts'

const committed = await readFile(new URL('../schema.sql', import.meta.url), 'utf8')
const opened: TestDatabase[] = []
after(() => Promise.all(opened.map((database) => database.drop())))

describe('schema.sql', () => {
  it('is what the migrations add up to', async () => {
    const { ownerUrl } = await migratedDatabase()
    assertCurrent(await dumpSchema(ownerUrl))
  })
})

describe('migrate', () => {
  it('brings an empty database up to date, once, when five nodes do it at the same time', async () => {
    const { ownerUrl, url } = await emptyDatabase()
    const nodes = Array.from({ length: 5 }, () => migrate({ ownerUrl, url, jobs: jobNames }))
    const applied = await Promise.all(nodes)
    assert.equal(applied.filter((names) => names.length > 0).length, 1, 'one node applied all, the others waited')
    assertCurrent(await dumpSchema(ownerUrl))
  })

  it('does nothing the second time', async () => {
    const database = await migratedDatabase()
    assert.deepEqual(await migrate({ ...database, jobs: jobNames }), [])
  })

  it('refuses a migration that was changed after it was applied', async () => {
    const database = await migratedDatabase()
    await as(database.ownerUrl, "update schema_migrations set checksum = 'another' where name = '0001_ground.sql'")
    const refused = /0001_ground\.sql was changed after it was applied\. Add a new one instead/
    await assert.rejects(migrate({ ...database, jobs: jobNames }), refused)
  })

  it('refuses a database of a newer version', async () => {
    const database = await migratedDatabase()
    await as(database.ownerUrl, "insert into schema_migrations (name, checksum) values ('9999_future.sql', '')")
    await assert.rejects(migrate({ ...database, jobs: jobNames }), /newer version \(9999_future\.sql\)/)
  })
})

describe('the role of the service', async () => {
  const { url } = await migratedDatabase()
  const FORBIDDEN = [
    "update audit_entries set entry = '{}'",
    'delete from audit_entries',
    'truncate audit_entries',
    'drop table audit_entries',
    "update audit_anchors set hash = ''",
    'delete from audit_anchors',
    "insert into schema_migrations (name, checksum) values ('x', 'x')",
    'create table mine (id bigint)',
  ]
  for (const sql of FORBIDDEN) {
    it(`may not ${sql}`, () => assert.rejects(as(url, sql), /permission denied|must be owner/))
  }

  it('may add to the audit', async () => {
    await as(url, "insert into audit_entries (chain, seq, entry, hash) values (gen_random_uuid(), 1, '{}', '')")
  })
})

function assertCurrent(dump: string): void {
  if (dump === committed) return
  const were = committed.split('\n')
  const line = dump.split('\n').findIndex((text, index) => text !== were[index])
  const change = `line ${line + 1} is\n  ${were[line]}\nand should be\n  ${dump.split('\n')[line]}`
  assert.fail(`server/schema.sql is stale: run \`npm run schema\` and commit it. Its ${change}`)
}

async function migratedDatabase(): Promise<TestDatabase> {
  const database = await testDatabase()
  opened.push(database)
  return database
}

async function emptyDatabase(): Promise<{ url: string; ownerUrl: string }> {
  const { url, ownerUrl } = await migratedDatabase()
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  await as(ownerUrl, `create database ${name}`)
  const made = { url: withDatabase(url, name), ownerUrl: withDatabase(ownerUrl, name) }
  opened.push({ ...made, drop: () => as(withDatabase(ownerUrl, 'postgres'), `drop database ${name} with (force)`) })
  return made
}

async function as(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
