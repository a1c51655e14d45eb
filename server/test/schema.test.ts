import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, it } from 'node:test'
import { runSql, type TestDatabase, testDatabase } from './fixtures/database.ts'
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

const { url } = await migratedDatabase()

describe('the role of the service', () => {
  const FORBIDDEN = [
    "update audit_entries set entry = '{}'",
    'delete from audit_entries',
    'truncate audit_entries',
    'drop table audit_entries',
    "update audit_anchors set hash = ''",
    'delete from audit_anchors',
    'delete from subscribers',
    "insert into schema_migrations (name, checksum) values ('x', 'x')",
    'create table mine (id bigint)',
  ]
  for (const sql of FORBIDDEN) {
    it(`may not ${sql}`, () => assert.rejects(runSql(url, sql), /permission denied|must be owner/))
  }

  it('may add to the audit', async () => {
    await runSql(url, "insert into audit_entries (chain, seq, entry, hash) values (gen_random_uuid(), 1, '{}', '')")
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
