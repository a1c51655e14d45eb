import { presentConfirmation } from '../approvals/present.ts'
import type { Caller } from '../auth/guard.ts'
import { presentFile } from '../documents/present.ts'
import { type FileRow, listFiles } from '../documents/store.ts'
import { describeEvent } from '../events/types.ts'
import { presentCase, presentRequisitionRecord } from '../lodgement/present.ts'
import { findCase } from '../lodgement/records.ts'
import { listRequisitions } from '../lodgement/store.ts'
import { findMatter } from '../matter/load.ts'
import type { Connection } from '../platform/database/db.ts'
import { unavailable } from '../platform/errors.ts'
import type { Bounds } from '../platform/http/page.ts'
import { presentSchedule } from '../settlement/present.ts'
import { findSchedule } from '../settlement/store.ts'
import { linkedParties } from '../title-reconciliation/rules-links.ts'
import { presentDocument } from '../titles/present.ts'
import { listTitleDocuments } from '../titles/store.ts'
import { listTimeline } from '../workspaces/list.ts'
import { presentTimeline, presentWorkspace } from '../workspaces/present.ts'
import { findWorkspace } from '../workspaces/store.ts'
import { findHead } from './store.ts'

const TRIES_MAX = 5
const ROWS_AT_ONCE = 100

/** What the caller may read of a matter, as the interface shows it, all of one moment. */
export type Snapshot = Awaited<ReturnType<typeof readParts>> & { head: { seq: number; hash: string } }

type May = (part: string) => boolean

/** Read again if it was changed meanwhile: every change moves the head of the audit. */
export async function readMatter(connection: Connection, caller: Caller, workspaceId: string, may: May) {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const head = await findHead(connection, caller, workspaceId)
    const parts = await readParts(connection, caller, workspaceId, may)
    const { seq } = await findHead(connection, caller, workspaceId)
    if (seq === head.seq) return { ...parts, head } satisfies Snapshot
  }
  throw unavailable('The workspace changes too often at the moment. Please try again.')
}

async function readParts(connection: Connection, caller: Caller, workspaceId: string, may: May) {
  const [workspace, { confirmations }, found, timeline, files, money] = await Promise.all([
    findWorkspace(connection, caller, workspaceId),
    findMatter(connection, { workspaceId }, caller),
    findCase(connection, caller, workspaceId),
    all((page) => listTimeline(connection, caller, workspaceId, page)),
    all((page) => listFiles(connection, caller, workspaceId, page)),
    may('payments') ? findSchedule(connection, caller, workspaceId) : undefined,
  ])
  const { lodgementCaseId, titleId } = found
  const [requisitions, documents] = await Promise.all([
    may('case') ? all((page) => listRequisitions(connection, caller, lodgementCaseId, page)) : [],
    may('registers') && titleId !== null
      ? listTitleDocuments(connection, caller, lodgementCaseId, titleId, undefined)
      : [],
  ])
  const lodgementCase = may('case') ? presentCase(found, linkedParties(found)) : undefined
  const schedule = money && presentSchedule(money)
  return {
    workspace: presentWorkspace(workspace),
    timeline: timeline.map(presentTimeline(describeEvent)),
    lodgementCase: lodgementCase && { ...lodgementCase, requisitions: requisitions.map(presentRequisitionRecord) },
    schedule,
    approvals: {
      ...(lodgementCase && { lodgement: lodgementCase.approvals }),
      ...(schedule && { financial: schedule.approvals }),
      confirmations: confirmations.map(presentConfirmation),
    },
    registers: documents.map((row) => ({
      shown: presentDocument(row),
      sha256: may('documents') ? row.sha256 : null,
    })),
    files: files satisfies FileRow[],
    shownFiles: files.map(presentFile),
  }
}

async function all<Row extends { seq: number }>(list: (page: Bounds) => Promise<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await list({ after: rows.at(-1)?.seq ?? null, rows: ROWS_AT_ONCE })
    rows.push(...page)
    if (page.length < ROWS_AT_ONCE) return rows
  }
}
