import { AsyncLocalStorage } from 'node:async_hooks'

/** Where present work is in a trace: its span, as in the header `traceparent`, and when the trace began, in real time. */
export type Trace = { parent: string; beganAt: number }

const present = new AsyncLocalStorage<Trace>()

/** What this work enqueues and records is in the same trace. Undefined where traces are off. */
export const presentTrace = (): Trace | undefined => present.getStore()

export const inTrace = <T>(trace: Trace, work: () => T): T => present.run(trace, work)
