import { setTimeout as delay } from 'node:timers/promises'
import type { Lodgeway } from '../../../../client/src/index.ts'
import { londonDate } from '../../../src/jurisdiction/london.ts'
import type { Clock } from '../../../src/platform/jobs/clock.ts'
import { REPORT_NAMES } from '../../../src/reports/rules.ts'
import { PEOPLE } from '../../../src/sandbox/accounts.ts'
import { aBrowser } from '../../fixtures/browser.ts'
import type { Partners } from './partners.ts'

// What partners do all day, each kind at its own pace: whole matters, lists, reports, the feed and its streams, and people at
// the console.

export type Load = {
  /** What went wrong although it was repeated. */
  failed: string[]
  /** Begins nothing new, and waits for what is under way. */
  stop(): Promise<void>
}

/** Once in so many milliseconds, and how many streams stay open. */
export type Pace = { matterMs: number; readMs: number; pageMs: number; streams: number }

const MATTERS_AT_ONCE_MAX = 12
const READS_AT_ONCE_MAX = 4
const PAGES_OF_A_SESSION = 40
const LISTED = { query: { limit: 20 } }
const WORKSPACES_SEEN_MAX = 200
const DAY_MS = 86_400_000

export function startLoad(partners: Partners, clock: Clock, { matterMs, readMs, pageMs, streams }: Pace): Load {
  const failed: string[] = []
  const workspaceIds: string[] = []
  const ended = new AbortController()
  const { signal } = ended
  const underWay = new Set<Promise<void>>()

  /** Again and again at this pace, until the load ends. One that fails is noted. */
  function every(ms: number, what: string, atOnceMax: number, work: () => Promise<unknown>): void {
    let running = 0
    const timer = setInterval(() => {
      if (running >= atOnceMax) return
      running += 1
      const done: Promise<void> = work()
        .catch((error: Error) => void failed.push(`${what}: ${error.message.slice(0, 300)}`))
        .then(() => {
          running -= 1
          underWay.delete(done)
        })
      underWay.add(done)
    }, ms)
    signal.addEventListener('abort', () => clearInterval(timer))
  }

  const reads = readsOf(partners, clock, workspaceIds)
  let read = 0
  every(matterMs, 'matter', MATTERS_AT_ONCE_MAX, async () => {
    workspaceIds.push(await partners.order())
    if (workspaceIds.length > WORKSPACES_SEEN_MAX) workspaceIds.shift()
  })
  every(readMs, 'read', READS_AT_ONCE_MAX, async () => reads[read++ % reads.length]?.())
  every(pageMs, 'page', 1, visitor(partners, workspaceIds))
  const { lender, firm } = partners
  const streaming = Array.from({ length: streams }, (_, index) =>
    follow(index % 2 ? lender : firm, signal).catch((error: Error) => {
      if (!signal.aborted) failed.push(`stream: ${error.message}`)
    }),
  )
  return {
    failed,
    async stop() {
      ended.abort()
      await Promise.all([...underWay, ...streaming])
    },
  }
}

/** The feed, as it is published, until the load ends. */
async function follow(client: Lodgeway, signal: AbortSignal): Promise<void> {
  for await (const _ of client.follow({ after: 'now', signal }));
}

function readsOf({ lender, firm }: Partners, clock: Clock, workspaceIds: readonly string[]) {
  const ofOne = (call: (input: { path: { workspace_id: string } }) => Promise<unknown>) => async () => {
    const id = workspaceIds[Math.floor(Math.random() * workspaceIds.length)]
    if (id) await call({ path: { workspace_id: id } })
  }
  return [
    () => lender.listWorkspaces(LISTED),
    () => firm.listWorkspaces({ query: { limit: 20, status: 'LODGED' } }),
    () => firm.listCompletions({ query: { date: londonDate(clock.now()), limit: 20 } }),
    () => firm.countWorkspaces(),
    ofOne((input) => lender.getWorkspace(input)),
    ofOne((input) => firm.getTimeline(input)),
    () => firm.readEvents({ query: { limit: 50 } }),
    () => lender.listNotifications(LISTED),
    ofOne((input) => firm.getTitleReconciliation(input)),
    async () => {
      const path = { report_name: REPORT_NAMES[Math.floor(Math.random() * REPORT_NAMES.length)] ?? REPORT_NAMES[0] }
      const date = londonDate(new Date(clock.now().getTime() - 3 * DAY_MS)) // made by now, after a kill too
      const { stream } = await lender.download('getReportContent', { path, query: { date } })
      for await (const _ of stream); // its checksum is verified at its end
    },
  ]
}

const PAGES = ['/console/', '/console/matters', '/console/completions', '/console/reports', '/console/figures']

/** Somebody at the console, who signs in again after some pages, leaves the session behind, and keeps one page live. */
function visitor({ nextUrl, counts }: Partners, workspaceIds: readonly string[]): () => Promise<void> {
  const person = PEOPLE.find(({ name }) => name === 'Sam Reid')?.id ?? ''
  let browser = aBrowser()
  let pages = 0
  let live = new AbortController()

  async function signIn(url: string): Promise<void> {
    live.abort()
    live = new AbortController()
    browser = aBrowser()
    const { body } = await browser.post(`${url}/console/sign-in`, { person, returnTo: '/console/' })
    await body?.cancel()
    const stream = await browser.send(`${url}/console/live?topic=matters`, { signal: live.signal })
    stream.text().catch(() => {}) // read until the next one signs in
  }

  return async () => {
    const url = nextUrl()
    try {
      if (pages % PAGES_OF_A_SESSION === 0) await signIn(url)
      const id = workspaceIds.at(-1)
      const page = PAGES[pages % (PAGES.length + 1)] ?? (id ? `/console/matters/${id}` : '/console/')
      counts.requests += 1
      const response = await browser.open(url + page)
      await response.text()
      if (response.status === 200) pages += 1
      else await delay(200)
    } catch {
      pages = 0 // that node was killed: signs in at the next
    }
  }
}
