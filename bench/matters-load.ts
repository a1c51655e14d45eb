import { setTimeout as delay } from 'node:timers/promises'
import { loadGuide } from './guide.ts'
import { serveParent } from './helper.ts'
import { spreadOf } from './load.ts'

// Both sides of many matters at once, in a process of its own: the guide's code, from the order to the authorised funds.

export type Batch = {
  url: string
  count: number
  /** How many are under way at most, or how many begin in a second. */
  pace: { atOnce: number } | { perSecond: number }
}

export type Played = {
  workspaceIds: string[]
  seconds: number
  /** Of every request but uploads, and of uploads, from sending to the head of the answer. */
  requests: Times
  uploads: Times
}
type Times = { count: number; p50Ms: number; p99Ms: number; maxMs: number }

const guide = await loadGuide()
let [requests, uploads]: [number[], number[]] = [[], []]

const { fetch } = globalThis
globalThis.fetch = async (input, init) => {
  const sentAt = performance.now()
  const response = await fetch(input, init)
  const isUpload = (input instanceof Request ? input.url : String(input)).endsWith('/attachments')
  const times = isUpload ? uploads : requests
  times.push(performance.now() - sentAt)
  return response
}

serveParent({
  play: async ({ url, count, pace }: Batch): Promise<Played> => {
    requests = []
    uploads = []
    const workspaceIds: string[] = []
    const play = async () => {
      const matter = await guide.newMatter(url)
      await guide.represent(matter)
      await guide.prepare(matter)
      await guide.approve(matter)
      await guide.fund(matter)
      workspaceIds.push(matter.workspaceId)
    }
    const startedAt = performance.now()
    await ('atOnce' in pace ? playAtOnce(play, count, pace.atOnce) : playPaced(play, count, pace.perSecond))
    const seconds = (performance.now() - startedAt) / 1000
    return { workspaceIds, seconds, requests: timesOf(requests), uploads: timesOf(uploads) }
  },
})

async function playAtOnce(play: () => Promise<void>, count: number, atOnce: number): Promise<void> {
  let left = count
  const hand = async () => {
    while (left-- > 0) await play()
  }
  await Promise.all(Array.from({ length: atOnce }, hand))
}

/** One begins after the other, whether those before it are done or not. */
async function playPaced(play: () => Promise<void>, count: number, perSecond: number): Promise<void> {
  const startedAt = performance.now()
  const matters = Array.from({ length: count }, async (_, index) => {
    await delay(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()))
    await play()
  })
  await Promise.all(matters)
}

const timesOf = (times: readonly number[]): Times => ({
  count: times.length,
  ...spreadOf(times),
  maxMs: times.reduce((most, time) => Math.max(most, time), 0),
})
