import type { SearchFailure } from '../registry/port.ts'
import type { Register } from '../registry/register.ts'
import { CHARGED_TITLES } from './world-charged.ts'
import { COMPANY_TITLES } from './world-companies.ts'
import { HOUSEHOLD_TITLES } from './world-titles.ts'

/** What the simulator knows about one title number, and how long it takes to answer. */
export type Holding =
  | { kind: 'registered'; register: Register; answeredAfterMs: number }
  | { kind: 'unavailable'; reason: SearchFailure }

const HOUR_MS = 3_600_000
const SLOW: ReadonlyMap<string, number> = new Map([['SL100001', HOUR_MS]])

/**
 * The simulator's titles, as data. Title numbers work like test card numbers: the number decides what will happen.
 * `docs/registry-port.md` lists them; any number that is not here is not found.
 */
export const WORLD: ReadonlyMap<string, Holding> = new Map<string, Holding>([
  ...[...CHARGED_TITLES, ...HOUSEHOLD_TITLES, ...COMPANY_TITLES].map((register): [string, Holding] => [
    register.titleNumber,
    registered(register),
  ]),
  ['DT501578', { kind: 'unavailable', reason: 'CLOSED' }],
  ['GR514443', { kind: 'unavailable', reason: 'PENDING_NEW_TITLE' }],
  ['NF100001', { kind: 'unavailable', reason: 'NOT_FOUND' }],
])

function registered(register: Register): Holding {
  return { kind: 'registered', register, answeredAfterMs: SLOW.get(register.titleNumber) ?? 0 }
}
