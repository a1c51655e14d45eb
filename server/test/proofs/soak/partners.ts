import { createClient, type Lodgeway } from '../../../../client/src/index.ts'
import { EVENT_TYPES, type EventType } from '../../../src/events/types.ts'
import type { Clock } from '../../../src/platform/jobs/clock.ts'
import { arrangeMoney } from '../../journeys/money.ts'
import { anOrder, completeCase, type Matter } from '../../journeys/steps.ts'

// A lender and a law firm, whose calls go to the nodes in turn. A call that meets a broken part is repeated by the client.

export type Partners = {
  lender: Lodgeway
  firm: Lodgeway
  counts: { requests: number; matters: number }
  /** The address of the node whose turn it is. */
  nextUrl(): string
  /** Both want to hear of every event. */
  register(webhookURI: string): Promise<void>
  /** From the order to authorised funds; time does the rest. Returns its id. */
  order(): Promise<string>
  /** One has been under way for long: the machine is busy, and no day may end, or its completion date would pass. */
  isSlow(): boolean
}

const RETRY = { attempts: 40, firstMs: 50, longestMs: 1_000, totalMs: 120_000 }
const SEARCH = { everyMs: 100 }
const SLOW_MS = 30_000

export function openPartners({ urls, clock }: { urls(): readonly string[]; clock: Clock }): Partners {
  const counts = { requests: 0, matters: 0 }
  const underWay = new Map<number, number>()
  let turn = 0
  const nextUrl = () => {
    const all = urls()
    return all[turn++ % all.length] ?? 'http://127.0.0.1:9' // none serves now: the client tries again
  }
  const balanced: typeof fetch = (input, init) => {
    counts.requests += 1
    const { pathname, search } = new URL(input as string)
    return fetch(nextUrl() + pathname + search, init)
  }
  const as = (clientId: string) =>
    createClient({
      baseUrl: 'http://lodgeway.example',
      clientId,
      clientSecret: `${clientId}-secret`,
      fetch: balanced,
      retry: RETRY,
    })
  const [lender, firm] = [as('sandbox-lender'), as('sandbox-law-firm')]

  return {
    lender,
    firm,
    counts,
    nextUrl,

    async register(webhookURI) {
      const eventTypes = Object.keys(EVENT_TYPES) as EventType[]
      for (const client of [lender, firm])
        await client.createNotificationRegistration({ body: { webhookURI, eventTypes } })
    },

    async order() {
      counts.matters += 1
      const number = counts.matters
      underWay.set(number, performance.now())
      try {
        const body = anOrder({ titleNumber: 'ST500678', reference: `MATTER-${number}` })
        const created = await lender.createRemortgageWorkspace({ body })
        await lender.waitForTitleSearch(created, SEARCH)
        const { workspaceId } = created
        // These steps need only the clock of a service.
        const matter = { lender, firm, workspaceId, service: { deps: { clock } } } as unknown as Matter
        await completeCase(matter)
        await arrangeMoney(matter)
        return workspaceId
      } finally {
        underWay.delete(number)
      }
    },

    isSlow: () => [...underWay.values()].some((since) => performance.now() - since > SLOW_MS),
  }
}
