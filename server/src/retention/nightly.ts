import { setTimeout as delay } from 'node:timers/promises'
import type { Actor } from '../audit/record.ts'
import type { Db, Transaction } from '../platform/database/db.ts'
import { deleteInBatches } from '../platform/database/delete-in-batches.ts'
import { eraseIdentityFiles, eraseMatters } from './erase.ts'
import { daysBefore, ENDED, ENDED_STATUSES, type EndedStatus, yearsBefore } from './rules.ts'
import type { RetentionSettings } from './settings.ts'
import {
  deleteOldFeed,
  eraseOldPayloads,
  FIRST,
  findIdentityUpto,
  isPaused,
  listBlocks,
  lockDue,
  type Place,
  saveIdentityUpto,
} from './store.ts'

// Small transactions, and after each a rest that is as long as it took: half the time of one connection at most, so that
// requests hardly notice.

const MATTERS_AT_ONCE = 100
const REGISTRY_UPLOADS_DAYS = 180 // the registry deletes them then

export type Erased = {
  matters: number
  /** Whose time is over, but which something keeps. */
  kept: number
  identityFiles: number
  feedRows: number
  payloads: number
  ended: 'done' | 'paused' | 'stopped'
}

type Run = {
  settings: RetentionSettings
  actor: Actor
  /** Aborted when there is no more time: the next run continues. */
  signal: AbortSignal
  onBatch?: (soFar: Erased) => void
}

/** Erases everything whose time is over. Any number of processes may do so at once. */
export async function eraseDue(db: Db, { settings, actor, signal, onBatch = () => {} }: Run): Promise<Erased> {
  const erased: Erased = { matters: 0, kept: 0, identityFiles: 0, feedRows: 0, payloads: 0, ended: 'done' }
  const { at } = actor
  const identityBefore = yearsBefore(at, settings.identityYears)
  const identityAfter = await findIdentityUpto(db.read)
  const steps = [
    ...ENDED_STATUSES.map((status) =>
      inTurn({ status, before: yearsBefore(at, settings[ENDED[status]]) }, async (tx, free) => {
        if (free.length > 0) await eraseMatters(tx, free, status, actor)
        return { matters: free.length }
      }),
    ),
    ...ENDED_STATUSES.map((status) =>
      inTurn({ status, before: identityBefore, from: identityAfter }, async (tx, free) => {
        const erasedFiles = await eraseIdentityFiles(tx, free, actor)
        return { identityFiles: erasedFiles.reduce((sum, { files }) => sum + files, 0) }
      }),
    ),
    oldFeed(),
    async () => {
      await saveIdentityUpto(db, identityBefore)
      erased.payloads += await eraseOldPayloads(db, yearsBefore(at, settings.auditYears))
      await deleteLeftovers(db, settings, at)
      return false
    },
  ]
  for (const step of steps) {
    for (let isMore = true; isMore; ) {
      if (signal.aborted) return { ...erased, ended: 'stopped' }
      if (await isPaused(db.read)) return { ...erased, ended: 'paused' }
      const beganAt = performance.now()
      isMore = await step()
      onBatch(erased)
      if (isMore) await delay(performance.now() - beganAt, undefined, { signal }).catch(() => {})
    }
  }
  return erased

  /** Each does a batch, and returns whether there may be another. `work` gets the matters of a batch that nothing keeps. */
  function inTurn(
    { status, before, from }: { status: EndedStatus; before: Date; from?: Date },
    work: (tx: Transaction, free: string[]) => Promise<Partial<Record<'matters' | 'identityFiles', number>>>,
  ): () => Promise<boolean> {
    let after: Place = { ...FIRST, ...(from && { endedAt: from }) }
    return async () => {
      const { due, free, done } = await db.transaction(async (tx) => {
        const due = await lockDue(tx, { status, before, after, rows: MATTERS_AT_ONCE })
        const free = (await listBlocks(tx, idsOf(due))).filter(({ blocks }) => blocks.length === 0)
        return { due, free, done: await work(tx, idsOf(free)) }
      })
      erased.matters += done.matters ?? 0
      erased.identityFiles += done.identityFiles ?? 0
      if (done.matters !== undefined) erased.kept += due.length - free.length
      after = due.at(-1) ?? after
      return due.length === MATTERS_AT_ONCE
    }
  }

  function oldFeed(): () => Promise<boolean> {
    let after = 0
    return async () => {
      const { rows, upto } = await deleteOldFeed(db, daysBefore(at, settings.feedDays), after)
      erased.feedRows += rows
      after = upto ?? after
      return upto !== null
    }
  }
}

const idsOf = (matters: readonly { workspaceId: string }[]) => matters.map(({ workspaceId }) => workspaceId)

/** What the registry was asked and sent for titles and cases that were replaced, and logged calls about erased matters. */
async function deleteLeftovers(db: Db, { closedYears, cancelledYears }: RetentionSettings, now: Date): Promise<void> {
  const before = [yearsBefore(now, Math.max(closedYears, cancelledYears))]
  await deleteInBatches(db, 'hmlr_extracts', 'asked_at < $1', before)
  await deleteInBatches(db, 'hmlr_notifications', 'received_at < $1', before)
  await deleteInBatches(db, 'hmlr_uploads', 'uploaded_at < $1', [daysBefore(now, REGISTRY_UPLOADS_DAYS)])
  await deleteInBatches(db, 'requests', 'workspace_id in (select workspace_id from erased_matters)', [])
}
