import type { Db } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { saveReport, VERIFY_JOB, type VerifyPayload } from './checks.ts'
import { sealAudit } from './seal.ts'
import { verifyAudit } from './verify.ts'

const SEAL = 'audit.seal'
const DAY_MS = 86_400_000

/** Seals the audit once a day on the business clock. Not transactional, as finding the frontier needs a short one. */
export const sealJob = ({ db, log }: Pick<Deps, 'db' | 'log'>): Job<object> =>
  job({
    name: SEAL,
    transactional: false,
    async run({ now, correlationId }) {
      await scheduleSeal(db, startOfDay(now) + DAY_MS, correlationId) // first, so that a failure today does not end it
      const anchor = await sealAudit(db, now)
      if (anchor) log.info({ ...anchor, correlationId }, 'The audit was sealed.')
    },
  })

/** What an operator asked for. It may take minutes, outside any transaction. */
export const verifyJob = ({ db }: Pick<Deps, 'db'>): Job<VerifyPayload> =>
  job({
    name: VERIFY_JOB,
    transactional: false,
    async run({ now }, { checkId, anchor }) {
      await saveReport(db, checkId, await verifyAudit(db, { now, ...(anchor && { anchor }) }), now)
    },
  })

/** When a worker starts: schedules today's seal if it is missing, otherwise tomorrow's. */
export async function planSeal(db: Db, now: Date, correlationId: string): Promise<void> {
  const today = startOfDay(now)
  const sealed = await db.query('select from audit_anchors where sealed_at >= $1 and sealed_at < $2 limit 1', [
    new Date(today),
    new Date(today + DAY_MS),
  ])
  await scheduleSeal(db, sealed.length ? today + DAY_MS : today, correlationId)
}

const scheduleSeal = (db: Db, dueAt: number, correlationId: string) =>
  db.transaction(async (tx) => schedule(tx, new Date(dueAt), SEAL, {}, { correlationId }, SEAL))

const startOfDay = (time: Date): number => new Date(time).setUTCHours(0, 0, 0, 0)
