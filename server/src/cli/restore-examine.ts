import { type AuditReport, verifyAudit } from '../audit/verify.ts'
import { REPLY_JOB, SUBMIT_JOB } from '../lodgement/rules-registry.ts'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import { type BlobInspection, type BlobProblem, inspectBlobs } from '../platform/blobs/inspect.ts'
import type { Connection, Db } from '../platform/database/db.ts'
import { businessNow } from '../platform/operations/state.ts'
import { PAY_JOB } from '../settlement/plan.ts'

// What a restored database holds, whether its files are there, and what happens when the service starts on it.

export type RestoreReport = {
  checkedAt: Date
  /** What is later than these was lost. */
  newestChange: Newest | undefined
  newestEvent: Newest | undefined
  files: Omit<BlobInspection, 'problems'> & {
    problems: (BlobProblem & { namedBy: string[] })[]
    /** Whether those without a row are given to the nightly sweep. */
    areOrphansSwept: boolean
  }
  audit: AuditReport
  /** What runs as soon as `work` starts. Only of jobs that reach outside, some of their workspaces. */
  jobs: { job: string; count: number; oldest: Date; workspaceIds: string[] }[]
  isWhole: boolean
}

type Newest = { at: Date; what: string }

/** Jobs whose effect is outside the database, and may have been done already: what an operator should know of them. */
export const OUTSIDE: Readonly<Record<string, string>> = {
  [PAY_JOB]:
    'The bank is asked to pay, under the same message id as before. Ask it whether it has paid, for workspaces',
  [SUBMIT_JOB]: 'Cases are sent to the registry, under the same message id as before. Workspaces',
  [REPLY_JOB]: 'Answers are sent to the registry, perhaps for the second time. Workspaces',
}

type Options = {
  share: number
  after: string
  anchor: string | undefined
  hasSweep: boolean
  onProgress: (done: number, sha256: string) => void
}

export async function examineRestore(db: Db, store: BlobStore, options: Options): Promise<RestoreReport> {
  const checkedAt = await businessNow(db)
  const { share, after, onProgress, anchor, hasSweep: areOrphansSwept } = options
  // Once it has a row, the nightly sweep removes it like any file that nothing names.
  const onOrphan = ({ sha256, size }: { sha256: string; size: number }) =>
    db.query('insert into blobs (sha256, size) values ($1, $2) on conflict do nothing', [sha256, size])
  const files = await inspectBlobs(db, store, { share, after, onProgress, ...(areOrphansSwept && { onOrphan }) })
  const problems = []
  for (const one of files.problems) problems.push({ ...one, namedBy: await namesOf(db, one.sha256) })
  const [newestChange] = await db.query<Newest>(NEWEST_CHANGE)
  const [newestEvent] = await db.query<Newest>(NEWEST_EVENT)
  const audit = await verifyAudit(db, { now: await newestTime(db, checkedAt), ...(anchor && { anchor }) })
  const jobs = await db.query<RestoreReport['jobs'][number]>(JOBS, [checkedAt, Object.keys(OUTSIDE)])
  const isWhole = files.problemCount === 0 && audit.findings.length === 0
  return { checkedAt, newestChange, newestEvent, files: { ...files, problems, areOrphansSwept }, audit, jobs, isWhole }
}

const NEWEST_CHANGE = `
  select (entry ->> 'at')::timestamptz as at, entry ->> 'action' as what from audit_entries order by entry_id desc limit 1`
const NEWEST_EVENT = 'select at, type as what from events order by seq desc limit 1'

/** The audit is verified as of then: that no anchor was made since is no finding. */
async function newestTime(connection: Connection, checkedAt: Date): Promise<Date> {
  const [row] = await connection.query<{ at: Date | null }>(
    `select least($1::timestamptz, greatest((select at from (${NEWEST_CHANGE}) newest), max(sealed_at))) as at from audit_anchors`,
    [checkedAt],
  )
  return row?.at ?? checkedAt
}

async function namesOf(connection: Connection, sha256: string): Promise<string[]> {
  const rows = await connection.query<{ name: string }>(NAMES, [sha256])
  return rows.map(({ name }) => name)
}

const NAMES = `
  select format('file %s of workspace %s', file_id, workspace_id) as name from files where sha256 = $1
  union all select format('%s of %s of subscriber %s', report_name, report_date, subscriber_id) from reports where sha256 = $1
  union all select format('title document %s of case %s', title_document_id, lodgement_case_id)
    from title_documents where sha256 = $1
  limit 5`

const JOBS = `
  with jobs as (
    select name as job, data #>> '{payload,workspaceId}' as workspace, created_on as at
      from pgboss.job where state < 'completed' and data ? 'correlationId' and name <> 'dead'
    union all select job, payload #>> '{payload,workspaceId}', due_at from due where due_at <= $1)
  select job, count(*) as count, min(at) as oldest,
         coalesce((array_agg(workspace) filter (where job = any($2)))[1:100], '{}') as "workspaceIds"
    from jobs group by job order by job`
