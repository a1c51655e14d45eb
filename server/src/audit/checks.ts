import type { Connection, Transaction } from '../platform/database/db.ts'
import type { AuditReport } from './verify.ts'

// Verifications that an operator asked for. They may take minutes, so a job does them and its outcome is read later.

export const VERIFY_JOB = 'audit.verify'

export type VerifyPayload = { checkId: string; anchor?: string }

export type AuditCheck = { askedBy: string; askedAt: Date; endedAt: Date | null; report: StoredReport | null }

/** Long lists are cut; `found` is how many there were. */
type StoredReport = AuditReport & { found: number }

const SENTENCES_MAX = 100

export function insertCheck(tx: Transaction, checkId: string, askedBy: string, at: Date): void {
  tx.send('insert into audit_checks (check_id, asked_by, asked_at) values ($1, $2, $3)', [checkId, askedBy, at])
}

export async function saveReport(connection: Connection, checkId: string, report: AuditReport, at: Date) {
  const [findings, notices] = [report.findings.slice(0, SENTENCES_MAX), report.notices.slice(0, SENTENCES_MAX)]
  const stored: StoredReport = { ...report, findings, notices, found: report.findings.length }
  await connection.query('update audit_checks set ended_at = $2, report = $3 where check_id = $1', [
    checkId,
    at,
    JSON.stringify(stored),
  ])
}

/** The newest one, running or ended. */
export async function findCheck(connection: Connection): Promise<AuditCheck | undefined> {
  const [row] = await connection.query<AuditCheck>(
    `select asked_by as "askedBy", asked_at as "askedAt", ended_at as "endedAt", report
       from audit_checks order by asked_at desc limit 1`,
  )
  return row
}

/** How many findings the last one had that ended; 0 if there was none. */
export async function findFindings(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ found: number }>(
    `select (report ->> 'found')::integer as found from audit_checks
      where report is not null order by asked_at desc limit 1`,
  )
  return row?.found ?? 0
}

export async function findNewestAnchor(connection: Connection) {
  const [row] = await connection.query<{ hash: string; sealedAt: Date; chains: number }>(
    `select encode(hash, 'hex') as hash, sealed_at as "sealedAt", chains from audit_anchors order by anchor_id desc limit 1`,
  )
  return row
}
