import { actorName, recordAboutWorkspace } from '../audit/record.ts'
import { schedule } from '../platform/jobs/due.ts'
import { businessNow } from '../platform/operations/state.ts'
import { BLOCKS, ENDED, ENDED_STATUSES, ERASE_JOB, yearsBefore } from '../retention/rules.ts'
import {
  countDue,
  countErased,
  deleteHold,
  insertHold,
  isPaused,
  listHolds,
  listKept,
  lockMatter,
  savePaused,
} from '../retention/store.ts'
import { type Commands, first, required, UsageError, uuid } from './input.ts'
import { change, onDatabase, operatorAt } from './operate.ts'

const KEPT_LOOKED_AT = 100

const pause = (paused: boolean) =>
  onDatabase(async ({ db }) => {
    await savePaused(db, paused)
    return paused
      ? 'Erasing is paused: a run that is under way ends after its batch, and none does anything until you resume it.'
      : 'Erasing is resumed: the next run is in the night, or now with `lodgeway retention run`.'
  })

export const commands: Commands = {
  status: onDatabase(async ({ db, config }) => {
    const now = await businessNow(db)
    const lines = [
      `Erasing is ${(await isPaused(db)) ? 'PAUSED' : 'on'}. ${await countErased(db)} matters were erased.`,
    ]
    for (const status of ENDED_STATUSES) {
      const years = config.retention[ENDED[status]]
      const before = yearsBefore(now, years)
      const kept = await listKept(db, status, before, KEPT_LOOKED_AT)
      lines.push(`${status}: kept for ${years} years; ${await countDue(db, status, before)} are due.`)
      for (const { workspaceId, blocks, holdReason } of kept) {
        const why = blocks.map((block) => BLOCKS[block]).join('; ')
        lines.push(`  ${workspaceId} stays: ${why}${holdReason === null ? '' : `: ${holdReason}`}`)
      }
    }
    for (const { workspaceId, reason, heldBy, heldAt } of await listHolds(db)) {
      lines.push(`Hold on ${workspaceId} since ${heldAt.toISOString().slice(0, 10)} by ${heldBy}: ${reason}`)
    }
    return lines.join('\n')
  }),

  hold: onDatabase(async ({ db, names, options }) => {
    const [workspaceId, reason] = [idIn(names), required(options, 'reason')]
    await change(db, async (tx, actor) => {
      if (!(await lockMatter(tx, workspaceId))) throw unknown(workspaceId)
      insertHold(tx, workspaceId, reason, actorName(actor), actor.at)
      recordAboutWorkspace(tx, workspaceId, { action: 'hold set', ids: { workspaceId }, after: { reason } }, actor)
    })
    return `${workspaceId} is not erased until the hold is released.`
  }),

  release: onDatabase(async ({ db, names }) => {
    const workspaceId = idIn(names)
    await change(db, async (tx, actor) => {
      if (!(await lockMatter(tx, workspaceId))) throw unknown(workspaceId)
      if (!(await deleteHold(tx, workspaceId))) throw new UsageError(`There is no hold on ${workspaceId}.`)
      recordAboutWorkspace(tx, workspaceId, { action: 'hold released', ids: { workspaceId } }, actor)
    })
    return `The hold on ${workspaceId} is released. It is erased when its time is over.`
  }),

  pause: pause(true),
  resume: pause(false),

  run: onDatabase(async ({ db }) => {
    const { correlationId, at } = operatorAt(await businessNow(db))
    await db.transaction(async (tx) => schedule(tx, at, ERASE_JOB, {}, { correlationId }, ERASE_JOB))
    const paused = (await isPaused(db)) ? ' Erasing is paused, so it will do nothing: resume it first.' : ''
    return `A worker starts erasing within a second. Its log says what it erased (correlationId ${correlationId}).${paused}`
  }),
}

const idIn = (names: readonly string[]) =>
  uuid(first(names, 'the workspaceId'), 'a workspaceId', 'the interface, or lodgeway retention status')

const unknown = (workspaceId: string) => new UsageError(`There is no workspace ${workspaceId}.`)
