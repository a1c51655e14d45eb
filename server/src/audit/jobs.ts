import type { Db } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { sealAudit } from './seal.ts'

const SEAL = 'audit.seal'
const DAY_MS = 86_400_000

/** Seals the audit once a day on the business clock. Not one transaction, as finding the frontier needs a short one. */
export const sealJob = ({ db, log }: Pick<Deps, 'db' | 'log'>): Job<object> =>
  job({
    name: SEAL,
    transactional: false,
    async run({ now, correlationId }) {
      await scheduleSeal(db, startOfDay(now) + DAY_MS, correlationId) // first, so that a failure today ends no routine
      const anchor = await sealAudit(db, now)
      if (anchor) log.info({ ...anchor, correlationId }, 'The audit was sealed.')
    },
  })

/** On the start of a worker: has today's seal made up where it is missing, and tomorrow's made. */
export async function planSeal(db: Db, now: Date, correlationId: string): Promise<void> {
  const [last] = await db.query<{ sealedAt: Date | null }>('select max(sealed_at) as "sealedAt" from audit_anchors')
  const today = startOfDay(now)
  const isSealed = (last?.sealedAt?.getTime() ?? 0) >= today
  await scheduleSeal(db, isSealed ? today + DAY_MS : today, correlationId)
}

const scheduleSeal = (db: Db, dueAt: number, correlationId: string) =>
  db.transaction(async (tx) => schedule(tx, new Date(dueAt), SEAL, {}, { correlationId }, SEAL))

const startOfDay = (time: Date): number => new Date(time).setUTCHours(0, 0, 0, 0)
