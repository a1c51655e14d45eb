import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { readMigrations } from '../src/platform/database/migrations.ts'
import { emptyDatabase, type TestDatabase } from './fixtures/database.ts'

// Versions run side by side, so a migration only adds: nodes of the version before read and write the same tables. What
// is removed goes one release later, in a migration that names the first version that does not need it.

const LAST_OF_FIRST_VERSION = '0008_title_documents.sql'
const FIRST_VERSION = '1.0.0'

let database: TestDatabase
let client: pg.Client

const breaking = new Map<string, string[]>()

before(async () => {
  database = await emptyDatabase()
  client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
  for (const { name, sql } of await readMigrations()) breaking.set(name, await changesThatBreak(sql))
})
after(async () => {
  await client.end()
  await database.drop()
})

describe('a migration', () => {
  it('only adds, or names the first version that does not need what it removes', async () => {
    for (const { name, compatibleFrom } of await readMigrations()) {
      if (name <= LAST_OF_FIRST_VERSION || compatibleFrom !== FIRST_VERSION) continue
      assert.deepEqual(breaking.get(name), [], `${name} breaks nodes of the version before.`)
    }
  })

  const BREAKING: [sql: string, found: string][] = [
    ['drop table reports', 'reports.size was removed or renamed'],
    ['alter table reports drop column size', 'reports.size was removed or renamed'],
    ['alter table reports rename column size to bytes', 'reports.size was removed or renamed'],
    ['alter table reports rename to report_runs', 'reports.size was removed or renamed'],
    ['alter table reports alter column size type text', 'reports.size changed its type'],
    ['alter table workspaces alter column title_number set not null', 'workspaces.title_number no longer takes null'],
    ['alter table clients alter column enabled drop default', 'clients.enabled lost its default'],
    ['alter table reports add column pages int not null', 'reports.pages is new and must be given a value'],
    ['alter table reports add constraint small check (size < 9)', 'reports has a new constraint small'],
    ['alter table reports add unique (size)', 'reports has a new constraint reports_size_key'],
    ['create unique index once on reports (size)', 'reports has a new unique index once'],
    ['drop function audit_frontier()', 'function audit_frontier() was removed'],
    ['delete from due', 'rows are deleted'],
    ['truncate due', 'rows are deleted'],
  ]
  for (const [sql, finding] of BREAKING) {
    it(`may not: ${sql}`, async () => {
      const found = await undone(() => changesThatBreak(sql))
      assert.ok(found.includes(finding), found.join('\n'))
    })
  }

  const HARMLESS = [
    'create table pages (page int primary key, size bigint not null unique check (size > 0))',
    'alter table reports add column pages int',
    'alter table reports add column pages int not null default 1 check (pages > 0)',
    'alter table reports alter column size drop not null',
    'alter table subscribers drop constraint subscribers_kind_check',
    `alter table subscribers drop constraint subscribers_kind_check,
       add constraint subscribers_kind_check check (kind in ('LENDER', 'LAW_FIRM', 'BROKER'))`,
    'create index slow on reports (size)',
    'alter table reports add column pages int; create unique index new on reports (report_name, pages)',
    'drop index due_order',
    `update due set job = 'x'; -- delete from due`,
  ]
  for (const sql of HARMLESS) {
    it(`may: ${sql}`, async () => assert.deepEqual(await undone(() => changesThatBreak(sql)), []))
  }
})

async function undone<T>(work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  return work().finally(() => client.query('rollback'))
}

async function changesThatBreak(sql: string): Promise<string[]> {
  const was = await readCatalogue()
  await client.query(sql)
  const is = await readCatalogue()
  const removed = [...was.functions].filter((one) => !is.functions.has(one)).map((one) => `function ${one} was removed`)
  const deletes = /\b(delete\s+from|truncate)\b/i.test(sql.replace(/--.*$/gm, '')) ? ['rows are deleted'] : []
  return [...columnChanges(was, is), ...newRules(was, is), ...removed, ...deletes]
}

function columnChanges(was: Catalogue, is: Catalogue): string[] {
  const tables = new Set([...was.columns.values()].map(({ table }) => table))
  const changed = [...was.columns].flatMap(([name, before]) => {
    const now = is.columns.get(name)
    if (!now) return [`${name} was removed or renamed`]
    if (now.type !== before.type) return [`${name} changed its type`]
    if (now.required && !before.required) return [`${name} no longer takes null`]
    return before.filled && !now.filled ? [`${name} lost its default`] : []
  })
  const added = [...is.columns]
    .filter(([name, { table, required, filled }]) => !was.columns.has(name) && tables.has(table) && required && !filled)
    .map(([name]) => `${name} is new and must be given a value`)
  return [...changed, ...added]
}

// One of the same name as before is taken for a wider one, and one with a new column as a rule of that column.
function newRules(was: Catalogue, is: Catalogue): string[] {
  return is.rules
    .filter(({ table, name }) => !was.rules.some((one) => one.table === table && one.name === name))
    .filter(({ table, columns }) => columns.every((column) => was.columns.has(`${table}.${column}`)))
    .map(({ table, kind, name }) => `${table} has a new ${kind} ${name}`)
}

type Column = { table: string; column: string; type: string; required: boolean; filled: boolean }
type Rule = { table: string; kind: string; name: string; columns: string[] }
type Catalogue = { columns: Map<string, Column>; rules: Rule[]; functions: Set<string> }

async function readCatalogue(): Promise<Catalogue> {
  const { rows: columns } = await client.query<Column>(COLUMNS)
  const { rows: rules } = await client.query<Rule>(RULES)
  const { rows: functions } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace`,
  )
  return {
    columns: new Map(columns.map((one) => [`${one.table}.${one.column}`, one])),
    rules,
    functions: new Set(functions.map(({ name }) => name)),
  }
}

const COLUMNS = `
  select relname as table, attname as column, format_type(atttypid, atttypmod) as type, attnotnull as required,
    atthasdef or attidentity <> '' as filled
  from pg_attribute join pg_class on pg_class.oid = attrelid
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped`

const attributes = (table: string, numbers: string) =>
  `array(select attname::text from pg_attribute where attrelid = ${table} and attnum = any(${numbers}))`

const RULES = `
  select conrelid::regclass::text as table, 'constraint' as kind, conname as name,
    ${attributes('conrelid', 'conkey')} as columns
  from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0 and contype <> 'n'
  union all
  select indrelid::regclass::text, 'unique index', indexrelid::regclass::text, ${attributes('indrelid', 'indkey::int2[]')}
  from pg_index join pg_class on pg_class.oid = indrelid
  where relnamespace = 'public'::regnamespace and indisunique
    and not exists (select from pg_constraint where conindid = indexrelid)`
