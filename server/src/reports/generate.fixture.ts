import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '../../test/fixtures/database.ts'
import { type Row, readReport } from '../../test/fixtures/reports.ts'
import { type Blobs, openBlobs } from '../platform/blobs/blobs.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { openReporter } from './generate.ts'
import type { ReportName } from './rules.ts'
import { listMissing } from './store.ts'

// The data behind reports, without a service: rows as a test needs them, on any day.

export type Reporting = {
  db: Db
  blobs: Blobs
  lenderId: string
  firmId: string
  /** Makes the missing reports of a date and returns how many were made. */
  make(date: string): Promise<number>
  read(name: ReportName, date: string, subscriberId?: string): Promise<Row[]>
  textOf(name: ReportName, date: string, subscriberId?: string): Promise<string>
  aWorkspace(facts?: Partial<WorkspaceFacts>): Promise<string>
  aSettlement(settledAt: string, amountsPence?: readonly number[]): Promise<string>
  close(): Promise<void>
}

export type WorkspaceFacts = {
  createdAt: string
  createdBy: string
  reference: string
  address: Record<string, string>
  postcode: string
}

const LONG_AGO = '2020-01-01T00:00:00Z'

export async function reporting(names: { lender?: string; firm?: string } = {}): Promise<Reporting> {
  const database = await testDatabase()
  const db = openDb({ url: database.url, poolSize: 6 })
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-reporting-'))
  const blobs = await openBlobs({ url: undefined, dataDir: folder })
  const [lenderId, firmId] = [randomUUID(), randomUUID()]
  await db.query(
    `insert into subscribers (subscriber_id, name, kind, created_at)
     values ($1, $3, 'LENDER', $5), ($2, $4, 'LAW_FIRM', $5)`,
    [lenderId, firmId, names.lender ?? 'A lender', names.firm ?? 'A firm', LONG_AGO],
  )
  const aWorkspace: Reporting['aWorkspace'] = (facts) => insertWorkspace(db, { lenderId, firmId }, facts)
  const textOf: Reporting['textOf'] = async (name, date, subscriberId = lenderId) => {
    const [run] = await db.query<{ sha256: string }>(
      'select sha256 from reports where report_name = $1 and report_date = $2 and subscriber_id = $3',
      [name, date, subscriberId],
    )
    const { stream } = await blobs.open(run?.sha256 ?? '')
    return Buffer.concat(await Array.fromAsync(stream)).toString()
  }

  return {
    db,
    blobs,
    lenderId,
    firmId,
    aWorkspace,
    textOf,
    async make(date) {
      const reporter = openReporter({ db, blobs })
      try {
        let made = 0
        for (const missing of await listMissing(db, [date])) {
          made += (await reporter.make(missing, { correlationId: 'test', at: new Date() })).length
        }
        return made
      } finally {
        await reporter.close()
      }
    },
    read: async (name, date, subscriberId) => readReport(await textOf(name, date, subscriberId)),
    async aSettlement(settledAt, amountsPence = [100]) {
      const workspaceId = await aWorkspace()
      await insertSettlement(db, workspaceId, settledAt, amountsPence)
      return workspaceId
    },
    async close() {
      await db.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function insertWorkspace(
  db: Db,
  { lenderId, firmId }: { lenderId: string; firmId: string },
  facts: Partial<WorkspaceFacts> = {},
): Promise<string> {
  const { createdAt = LONG_AGO, createdBy = 'a-client', reference = 'REM-1', postcode = 'EX4 3AN' } = facts
  const { address = { number: '83', street: 'Fore Street', town: 'Exeter' } } = facts
  const workspaceId = randomUUID()
  const [when, who] = [createdAt, createdBy]
  await db.transaction(async (tx) => {
    tx.send(
      `insert into workspaces (workspace_id, workspace_reference_id, reference, status, security_address, postcode,
         lender_id, law_firm_id, borrowers_validation_status, status_since, created_at, created_by, last_modified_at,
         last_modified_by)
       values ($1, $2, $3, 'CREATED', $4, $5, $6, $7, 'PENDING', $8, $8, $9, $8, $9)`,
      [workspaceId, `LW-${workspaceId}`, reference, address, postcode, lenderId, firmId, when, who],
    )
    tx.send(
      `insert into lodgement_cases (lodgement_case_id, workspace_id, status, created_at, created_by, last_modified_at,
         last_modified_by) values (gen_random_uuid(), $1, 'CREATED', $2, $3, $2, $3)`,
      [workspaceId, when, who],
    )
    tx.send(
      `insert into settlement_schedules (schedule_id, workspace_id, status, created_at, created_by, last_modified_at,
         last_modified_by) values (gen_random_uuid(), $1, 'DRAFT', $2, $3, $2, $3)`,
      [workspaceId, when, who],
    )
  })
  return workspaceId
}

const insertSettlement = (db: Db, workspaceId: string, settledAt: string, amountsPence: readonly number[]) =>
  db.query(
    `insert into settlements (settlement_id, schedule_id, workspace_id, status, lines, initiated_at, settled_at, scheme)
     select gen_random_uuid(), schedule_id, workspace_id, 'SETTLED', $2, $3, $3, 'CHAPS'
       from settlement_schedules where workspace_id = $1`,
    [
      workspaceId,
      JSON.stringify(
        amountsPence.map((amountPence) => ({
          lineItemId: randomUUID(),
          type: 'SOURCE',
          category: 'Mortgage Advance',
          amountPence,
          reference: 'REM-1',
        })),
      ),
      settledAt,
    ],
  )
