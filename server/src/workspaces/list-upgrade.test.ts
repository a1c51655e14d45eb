import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { emptyDatabase, runSql, type TestDatabase } from '../../test/fixtures/database.ts'
import { readMigrations } from '../platform/database/migrations.ts'

// What the list of workspaces needs, for workspaces of the version before and for those that it still writes.

const MIGRATION = '0018_finding_workspaces.sql'
const [OLD, NEW] = ['a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002']
const [LENDER, FIRM] = ['b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-000000000002']

let database: TestDatabase
const run = (sql: string) => runSql<Record<string, unknown>>(database.ownerUrl, sql)

/** As the version before writes it: the case is lodged, and the newest event is of 4 March. */
const written = (id: string) => `
  insert into workspaces (workspace_id, workspace_reference_id, reference, status, security_address, postcode, lender_id,
      law_firm_id, borrowers_validation_status, created_at, created_by, last_modified_at, last_modified_by, status_since)
    values ('${id}', '${id}', 'REM', 'FUNDS_EXCHANGED', '{}', 'EX4 3AN', '${LENDER}', '${FIRM}', 'PENDING', '2026-03-01Z',
      'x', '2026-03-01Z', 'x', '2026-03-01Z');
  insert into lodgement_cases (lodgement_case_id, workspace_id, status, created_at, created_by, last_modified_at,
      last_modified_by) values (gen_random_uuid(), '${id}', 'CREATED', '2026-03-01Z', 'x', '2026-03-01Z', 'x');
  insert into parties (party_id, workspace_id, position, role, name) values (gen_random_uuid(), '${id}', 1, 'BORROWER', '{}');
  insert into events (event_id, type, workspace_id, told, data, actor, correlation_id, at)
    select gen_random_uuid(), 'x', '${id}', '{}', '{}', 'x', 'x', '2026-03-04Z'::timestamptz - day * interval '1 day'
      from generate_series(0, 2) day;
  update workspaces set status = 'LODGED' where workspace_id = '${id}';
  update lodgement_cases set status = 'LODGED' where workspace_id = '${id}'`

before(async () => {
  database = await emptyDatabase()
  for (const { name, sql } of await readMigrations()) {
    if (name === MIGRATION) {
      await run(`insert into subscribers (subscriber_id, name, kind, created_at)
        values ('${LENDER}', 'L', 'LENDER', now()), ('${FIRM}', 'F', 'LAW_FIRM', now())`)
      await run(written(OLD))
    }
    await run(sql)
  }
  await run(written(NEW))
})
after(() => database.drop())

describe('a workspace that the version before wrote', () => {
  for (const [what, id] of [
    ['before the upgrade', OLD],
    ['during the upgrade', NEW],
  ]) {
    it(`${what} has the status of its case, the time of its newest event and the sides of its parties`, async () => {
      const [found] = await run(`
        select w.lodgement_case_status as "caseStatus", a.status, a.last_event_at as "lastEventAt", p.lender_id as lender,
               p.law_firm_id as firm, p.search_name as "searchName"
          from workspaces w join workspace_activity a using (workspace_id) join parties p using (workspace_id)
         where workspace_id = '${id}'`)
      assert.deepEqual(found, {
        caseStatus: 'LODGED',
        status: 'LODGED',
        lastEventAt: new Date('2026-03-04T00:00:00Z'),
        lender: LENDER,
        firm: FIRM,
        searchName: null,
      })
    })
  }
})
