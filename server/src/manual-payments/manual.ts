import type { Payments } from '../settlement/port.ts'

/** `PAYMENTS=manual`: on completion day each law firm pays from its own client account, and confirms each line. */
export const manualPayments: Payments = { pay: async () => ({ kind: 'manual' }) }
