import { createHash } from 'node:crypto'
import type { WebhookFaults } from '../notifications/dispatch.ts'
import type { Db } from '../platform/database/db.ts'
import { type CountedFault, draw, type Occasion } from './rules.ts'
import { listPlans, lockPlan, saveCounts } from './store.ts'

/** The faults in force. Which clients have some is read each second, so that all nodes follow within two. */
export type Faults = {
  /** What the next request of this client meets. */
  drawFor(clientId: string, occasion: Occasion, token?: string): Promise<readonly CountedFault[]>
  /** The clients of a subscriber that have faults. */
  clientsOf(subscriberId: string): readonly string[]
  has(clientId: string): boolean
  refresh(): Promise<void>
  stop(): void
}

const REFRESH_MS = 1_000
const TOKENS_MAX = 100

export async function followFaults(db: Db, onError: (error: unknown) => void): Promise<Faults> {
  let inForce = new Map<string, string>()

  async function refresh(): Promise<void> {
    inForce = new Map((await listPlans(db.read)).map(({ clientId, subscriberId }) => [clientId, subscriberId]))
  }

  const drawFor: Faults['drawFor'] = (clientId, occasion, token) =>
    db.transaction(async (tx) => {
      const plan = await lockPlan(tx, clientId)
      if (!plan) return []
      const digest = token === undefined ? '' : createHash('sha256').update(token).digest('base64')
      if (plan.tokens.includes(digest)) return plan.faults.filter(({ kind }) => kind === 'EXPIRED_TOKEN').slice(0, 1)
      const { faults, met } = draw(plan, occasion)
      const isExpired = met.some(({ kind }) => kind === 'EXPIRED_TOKEN')
      const tokens = isExpired ? [...plan.tokens, digest].slice(-TOKENS_MAX) : plan.tokens
      saveCounts(tx, { ...plan, faults, tokens })
      return met
    })

  await refresh()
  const timer = setInterval(() => refresh().catch(onError), REFRESH_MS)
  return {
    drawFor,
    clientsOf: (subscriberId) => [...inForce].flatMap(([client, owner]) => (owner === subscriberId ? [client] : [])),
    has: (clientId) => inForce.has(clientId),
    refresh,
    stop: () => clearInterval(timer),
  }
}

/** For the deliveries of a subscriber: the faults of any of its clients. A fault that cannot be drawn is not injected. */
export const webhookFaultsOf =
  ({ clientsOf, drawFor }: Faults): WebhookFaults =>
  async (subscriberId) => {
    const drawn = clientsOf(subscriberId).map((clientId) => drawFor(clientId, 'webhook').catch(() => []))
    const kinds = (await Promise.all(drawn)).flat().map(({ kind }) => kind)
    return { isDuplicate: kinds.includes('DUPLICATE_WEBHOOK'), isReordered: kinds.includes('REORDERED_WEBHOOK') }
  }
