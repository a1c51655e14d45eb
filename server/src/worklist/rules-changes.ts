import { isDeepStrictEqual } from 'node:util'
import type { Scope } from '../auth/scopes.ts'

// What changed in a workspace, from the states before and after each change that the audit has.

export type Entry = {
  ids: Readonly<Record<string, string>>
  before: unknown
  after: unknown
}

/** The scope that reads what an entry is about, elsewhere in the interface. */
export function scopeOf({ ids }: Pick<Entry, 'ids'>): Scope {
  if (OF_MONEY.some((name) => name in ids)) return 'view:financial_settlement_schedules'
  return OF_CASE.some((name) => name in ids) ? 'x-api:view:lodgement_summary' : 'view:workspaces'
}

const OF_MONEY = ['financialSettlementScheduleId', 'lineItemId', 'settlementId']
const OF_CASE = ['lodgementCaseId', 'applicationId', 'submissionId']

type Value = string | number | boolean

export type FieldChange = { field: string; before?: Value; after?: Value }

/** Each field that has another value than before, or had or has one at all. */
export function fieldChangesOf({ before, after }: Pick<Entry, 'before' | 'after'>): FieldChange[] {
  const [former, present] = [valuesOf(before), valuesOf(after)]
  return [...new Set([...former.keys(), ...present.keys()])].flatMap((field) => {
    const [was, is] = [former.get(field), present.get(field)]
    return isDeepStrictEqual(was, is)
      ? []
      : [{ field, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }]
  })
}

/** By their place: `parties[1].name.surname`. */
function valuesOf(state: unknown, at = ''): Map<string, Value> {
  if (typeof state === 'string' || typeof state === 'number' || typeof state === 'boolean')
    return new Map([[at, state]])
  if (typeof state !== 'object' || state === null) return new Map()
  const places = Array.isArray(state)
    ? state.map((one, i) => [`${at}[${i}]`, one] as const)
    : Object.entries(state).map(([name, one]) => [at ? `${at}.${name}` : name, one] as const)
  return new Map(places.flatMap(([place, one]) => [...valuesOf(one, place)]))
}
