import type { Deps } from '../platform/deps.ts'
import type { App } from '../platform/http/http.ts'
import type { MovableClock } from '../platform/jobs/clock.ts'
import { moveClock } from '../platform/jobs/due.ts'
import { saveClockOffset } from '../platform/operations/state.ts'
import { MATTERS, type MatterFixture } from './fixtures.ts'
import { senderOf } from './send.ts'
import { begin, perform } from './steps.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** Tells the stories through the interface, from weeks ago until now. The worker must be running. */
export async function playMatters(app: App, deps: Deps & { clock: MovableClock }): Promise<void> {
  const { db, clock } = deps
  const present = clock.now().getTime()
  const chapters = chaptersOf(MATTERS)
  const send = senderOf(app)
  const workspaceIds = new Map<MatterFixture, string>()
  await saveClockOffset(db, clock, -((chapters[0]?.daysAgo ?? 0) + 1) * DAY_MS)
  for (const { story, deeds, daysAgo } of chapters) {
    await moveClock(deps, (now) => new Date(Math.max(now.getTime() + HOUR_MS, present - daysAgo * DAY_MS)))
    const workspaceId = workspaceIds.get(story) ?? (await begin(send, story))
    workspaceIds.set(story, workspaceId)
    const settle = async () => void (await moveClock(deps, (now) => now))
    await settle()
    for (const deed of deeds) await perform({ send, settle, now: clock.now() }, workspaceId, deed)
  }
  await moveClock(deps, () => new Date(present))
  await saveClockOffset(db, clock, 0)
}

type Chapter = { story: MatterFixture; daysAgo: number; deeds: NonNullable<MatterFixture['deeds']> }

/** What happens on one day of a story, all stories together in the order of time. */
function chaptersOf(stories: readonly MatterFixture[]): Chapter[] {
  const chapters = stories.flatMap((story) => {
    const { daysAgo, deeds = [] } = story
    const days = [...new Set([0, ...deeds.map(({ afterDays = 0 }) => afterDays)])]
    return days.map((day) => ({
      story,
      daysAgo: daysAgo - day,
      deeds: deeds.filter(({ afterDays = 0 }) => afterDays === day),
    }))
  })
  return chapters.toSorted((a, b) => b.daysAgo - a.daysAgo)
}
