import type { Deps } from '../platform/deps.ts'
import type { App } from '../platform/http/http.ts'
import type { MovableClock } from '../platform/jobs/clock.ts'
import { holdClock, moveHeldClock } from '../platform/jobs/due.ts'
import { saveClockOffset } from '../platform/operations/state.ts'
import type { OnStep } from '../platform/operations/steps.ts'
import { MATTERS, type MatterFixture } from './fixtures.ts'
import { senderOf } from './send.ts'
import { begin, perform } from './steps.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Creates the matters through the interface, from weeks ago until now. The worker must be running. */
export const playMatters = (app: App, deps: Deps & { clock: MovableClock }, onStep: OnStep): Promise<void> =>
  holdClock(deps.db, async () => {
    const { db, clock } = deps
    const present = clock.now().getTime()
    const days = daysOf(MATTERS)
    const send = senderOf(app)
    const workspaceIds = new Map<MatterFixture, string>()
    const settle = together(async () => void (await moveHeldClock(deps, clock.now())))
    await saveClockOffset(db, clock, -((days[0]?.daysAgo ?? 0) + 1) * DAY_MS)
    for (const [done, { daysAgo, parts }] of days.entries()) {
      onStep('playing sample matters', { done, total: days.length })
      await moveHeldClock(deps, new Date(Math.max(clock.now().getTime() + HOUR_MS, present - daysAgo * DAY_MS)))
      for (const { matter } of parts) if (!workspaceIds.has(matter)) workspaceIds.set(matter, await begin(send, matter))
      await settle()
      const now = clock.now()
      // At once, so that the service and PostgreSQL work at the same time.
      await Promise.all(
        parts.map(async ({ matter, steps }) => {
          for (const step of steps) await perform({ send, settle, now }, workspaceIds.get(matter) ?? '', step)
        }),
      )
    }
    await moveHeldClock(deps, new Date(present))
    await saveClockOffset(db, clock, 0)
  })

/** Until they are complete, nothing of them needs to be on the disk: a start that was interrupted plays them again. */
export function playing() {
  let isPlaying = false
  return {
    mayLose: () => isPlaying,
    async whilePlaying(work: () => Promise<void>): Promise<void> {
      isPlaying = true
      await work().finally(() => {
        isPlaying = false
      })
    },
  }
}

/** Those who ask while it runs wait for one more run together, which sees what they did before they asked. */
function together(work: () => Promise<void>): () => Promise<void> {
  let running = Promise.resolve()
  let next: Promise<void> | undefined
  return () =>
    (next ??= running.then(() => {
      next = undefined
      running = work()
      return running
    }))
}

type Day = { daysAgo: number; parts: { matter: MatterFixture; steps: NonNullable<MatterFixture['steps']> }[] }

/** The steps of all matters on each day, in the order of time. */
function daysOf(matters: readonly MatterFixture[]): Day[] {
  const parts = matters.flatMap((matter) => {
    const { daysAgo, steps = [] } = matter
    const offsets = [...new Set([0, ...steps.map(({ afterDays = 0 }) => afterDays)])]
    return offsets.map((day) => ({
      matter,
      daysAgo: daysAgo - day,
      steps: steps.filter(({ afterDays = 0 }) => afterDays === day),
    }))
  })
  const days = Map.groupBy(parts, ({ daysAgo }) => daysAgo)
  return [...days].map(([daysAgo, parts]) => ({ daysAgo, parts })).toSorted((a, b) => b.daysAgo - a.daysAgo)
}
