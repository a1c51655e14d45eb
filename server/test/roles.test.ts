import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { before, describe, it } from 'node:test'
import { addDays, londonMoment } from '../src/jurisdiction/london.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { PLACES } from '../src/retention/erase.ts'
import { DELETED_FROM, type Process, rightsOf } from '../src/rights.ts'
import { jobNames } from '../src/worker.ts'
import { runSql } from './fixtures/database.ts'
import { eventually } from './fixtures/eventually.ts'
import { passesOf, sessionOf } from './fixtures/people.ts'
import {
  ADVANCE,
  addLine,
  anAuthorisedMatter,
  aSchedule,
  businessDay,
  linePath,
  setClock,
} from './fixtures/schedules.ts'
import { type TestService, testService } from './fixtures/service.ts'
import { aReceiver, aRegistration, feedOf, REGISTRATIONS } from './fixtures/webhooks.ts'
import { FIRM, LENDER, LENDER_ID, OTHER_FIRM_ID } from './fixtures/workspaces.ts'

// `serve` and `work` with separate roles in the database, in addition to the one role for everything.

const SOURCES = resolve(import.meta.dirname, '../src')

let serve: TestService
const passes = passesOf()
const urls: Record<Process | 'everything', string> = { everything: '', serve: '', work: '' }

before(async () => {
  const all = await testService({ worker: false, reports: true })
  const { DATABASE_URL = '', DATABASE_OWNER_URL: ownerUrl = '', DATA_DIR = '', PORT = '' } = all.env
  urls.everything = DATABASE_URL
  for (const process of ['serve', 'work'] as const) {
    const url = new URL(DATABASE_URL)
    url.username = `lodgeway_${process}_${randomUUID().replaceAll('-', '')}`
    url.password = 'secret'
    await runSql(ownerUrl, `create role ${url.username} login password 'secret'`)
    await migrate({ ownerUrl, url: url.href, rights: rightsOf(process), jobs: jobNames })
    urls[process] = url.href
  }
  const shared = { DATABASE_OWNER_URL: ownerUrl, DATA_DIR, PUBLIC_URL: `http://127.0.0.1:${PORT}` }
  serve = await testService({ env: { ...shared, DATABASE_URL: urls.serve }, worker: false, extra: passes.extra })
  await testService({ env: { ...shared, DATABASE_URL: urls.work }, http: false })
})

describe('serve and work with separate roles', () => {
  it('take a matter from the order to the payment and the registry, make reports and seal the audit', async () => {
    const completionDate = businessDay(serve, 1)
    const { workspaceId } = await anAuthorisedMatter(serve, { completionDate })
    await setClock(serve, londonMoment(addDays(completionDate, 1), '09:00:00'))
    assert.deepEqual(
      await runSql(
        urls.serve,
        `select (select count(*)::int from settlements where workspace_id = '${workspaceId}' and status = 'SETTLED') as paid,
          (select count(*)::int from submissions) as sent, exists (select from reports) as reported,
          exists (select from audit_anchors) as sealed`,
      ),
      [{ paid: 1, sent: 1, reported: true, sealed: true }],
    )
    await eventually(async () => (await feedOf(serve)).records.length > 0)
    const dead = await runSql(urls.everything, `select from pgboss.job where name = 'dead' and state = 'created'`)
    assert.deepEqual(dead, [])
  })

  it('delete what may be deleted', async () => {
    const { scheduleId } = await aSchedule(serve)
    const { lineItemId } = (await addLine(serve, scheduleId, ADVANCE)).body as { lineItemId: string }
    assert.equal((await serve.call('DELETE', linePath(scheduleId, lineItemId), FIRM)).status, 204)
    const { registrationId } = await aRegistration(serve, (await aReceiver()).url)
    assert.equal((await serve.call('DELETE', `${REGISTRATIONS}/${registrationId}`, LENDER)).status, 204)
  })

  it('let operators change accounts in the console with the role of the commands alone', async () => {
    const { DATA_DIR = '', DATABASE_OWNER_URL = '' } = serve.env
    const env = { DATA_DIR, DATABASE_OWNER_URL, PUBLIC_URL: serve.url, DATABASE_URL: urls.serve }
    const withRole = passesOf()
    await testService({
      env: { ...env, OPERATOR_DATABASE_URL: urls.everything },
      worker: false,
      extra: withRole.extra,
    })
    const suspend = async ({ fetchAs }: ReturnType<typeof passesOf>, status: string) => {
      const response = await fetchAs(sessionOf('Toni Grant'))(
        `${serve.url}/operator/v1/subscribers/${OTHER_FIRM_ID}/status`,
        { method: 'POST', body: JSON.stringify({ status }), headers: { 'content-type': 'application/json' } },
      )
      return [response.status, await response.text()] as const
    }
    const [refused, why] = await suspend(passes, 'SUSPENDED')
    assert.equal(refused, 409)
    assert.match(why, /set OPERATOR_DATABASE_URL, or use a command/)
    for (const status of ['SUSPENDED', 'ACTIVE']) assert.equal((await suspend(withRole, status))[0], 200)
  })

  const FORBIDDEN: Record<Process, string[]> = {
    serve: [
      `update clients set scopes = '{}'`,
      `insert into client_secrets (client_id, hash, created_at) values ('sandbox-lender', '', now())`,
      `update subscribers set four_eyes = false`,
      `insert into audit_anchors (sealed_at, upto, chains, hash) values (now(), 0, 0, '')`,
      'insert into erased_matters select from workspaces',
      'delete from workspaces',
      'update reports set size = 0',
      'delete from reports',
      'update pgboss.job set priority = 1',
      'delete from pgboss.job',
    ],
    work: [
      `update clients set enabled = true`,
      'delete from client_secrets',
      `update subscribers set status = 'ACTIVE'`,
    ],
  }
  for (const process of ['serve', 'work'] as const) {
    for (const sql of FORBIDDEN[process]) {
      it(`${process} may not ${sql}`, () => assert.rejects(runSql(urls[process], sql), /permission denied/))
    }
    it(`${process} may move the head of an audit chain`, async () => {
      await runSql(urls[process], `update subscribers set audit_seq = audit_seq where subscriber_id = '${LENDER_ID}'`)
    })
  }
})

describe('rows are deleted', () => {
  it('by each role from the tables that are listed, and from no other', async () => {
    for (const process of ['everything', 'serve', 'work'] as const) {
      const rows = await runSql<{ name: string }>(
        urls[process],
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
          and has_table_privilege(oid, 'delete')`,
      )
      const listed = Object.keys(DELETED_FROM).filter(
        (table) => process === 'everything' || DELETED_FROM[table]?.includes(process),
      )
      assert.deepEqual(rows.map(({ name }) => name).sort(), listed.sort(), process)
    }
  })

  // The writer of a matter names its table at run time, as does what erases one.
  const BY_MATTER = PLACES.map(({ table }) => table)

  it('by the code from those same tables', () => {
    const sources = globSync('**/*.ts', { cwd: SOURCES }).filter((path) => !path.endsWith('.test.ts'))
    const found = sources.flatMap((path) => {
      const text = readFileSync(resolve(SOURCES, path), 'utf8')
      return [...text.matchAll(/\bdelete from (\w+)\b(?!\.)|\bdeleteInBatches\(\s*\w+,\s*'(\w+)'/gi)].map(
        ([, one, other]) => one ?? other ?? '',
      )
    })
    assert.deepEqual([...new Set([...found, ...BY_MATTER])].sort(), Object.keys(DELETED_FROM).sort())
  })
})
