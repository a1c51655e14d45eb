import type { OpenRegistry } from '../../src/registry/port.ts'
import type { OpenPayments } from '../../src/settlement/port.ts'

// The smallest module that `REGISTRY` and `PAYMENTS` may name: a registry that knows no title, a bank that is closed.

const HOUR_MS = 3_600_000
const later = (now: Date) => ({ kind: 'later', askAgainAt: new Date(now.getTime() + HOUR_MS) }) as const

export const openRegistry: OpenRegistry = () => ({
  searchTitle: async () => ({ kind: 'failed', reason: 'NOT_FOUND' }),
  lodge: async (_, { now }) => later(now),
  notices: async () => ({ notices: [] }),
  reply: async (_, { now }) => later(now),
})

export const openPayments: OpenPayments = () => ({ pay: async (_, { now }) => later(now) })
