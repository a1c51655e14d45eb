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

/** What each title number is for. The guide has the same words. */
export const TITLE_NOTES: Readonly<Record<string, string>> = {
  ST500678: 'everything succeeds: the old charge is discharged, the new one registered',
  ST500679:
    "early completion: registered in part; the old lender's discharge follows 14 days later, unless you lodge a DS1 before",
  ST500681: 'with a restriction: try a transfer of equity',
  DN514817: 'try a change of name',
  AB1208: 'a person and a company: not VALID until the one who is not a borrower is set as outgoing',
  CO100001: 'a company alone, without an old charge',
  RQ100001: 'requisitioned once; registered after the answer',
  LT100001: 'gets a letter that needs no answer: close the requisition; registered either way',
  CX100001: 'cancelled by the registry; changed (or confirmed) and sent again, it succeeds',
  VF100001: "fails the registry's checks at mortgageDeedReference; with another reference it is accepted",
  SE100001: 'the registry fails twice, an hour apart, then accepts',
  SL100001: 'the search is answered after one hour',
  LR100001: 'a restriction of the old lender, which ends with its charge: no application cancels it',
  TC100001: 'two old charges, and one DISCHARGE for both',
  LH100001: 'a leasehold; everything succeeds',
  AD100001: 'without a postcode, so no address that you order matches: try 14 Kingfisher Rise, EX5 7AD, and confirm it',
  RC100001: 'try an order for Saltmarsh Homes Limited, its new name, with the same number',
  DD100001: 'try a digital deed, with a reference such as e-MD431C',
  DT501578: 'the search fails: CLOSED',
  GR514443: 'the search fails: PENDING_NEW_TITLE',
  NF100001: 'the search fails: NOT_FOUND',
}

function registered(register: Register): Holding {
  return { kind: 'registered', register, answeredAfterMs: SLOW.get(register.titleNumber) ?? 0 }
}
