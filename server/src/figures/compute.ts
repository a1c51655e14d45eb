import type { Db } from '../platform/database/db.ts'
import { boundsOf, daysToCount, daysUntil } from './rules.ts'
import { deleteDaysBefore, listCountedDays, saveDay, saveDocuments } from './store.ts'

/**
 * Counts what is not counted yet and what may have changed, for all subscribers. It may run any number of times. Each day
 * is a transaction of its own: after an upgrade there are 90.
 */
export async function computeFigures(db: Db, now: Date): Promise<void> {
  const [oldest = ''] = daysUntil(now)
  for (const day of daysToCount(now, await listCountedDays(db))) {
    await db.transaction(async (tx) => saveDay(tx, day))
  }
  await db.transaction(async (tx) => {
    deleteDaysBefore(tx, oldest)
    saveDocuments(tx, now, boundsOf(oldest).since)
  })
}
