import type { Caller } from '../auth/guard.ts'
import type { FieldError } from '../platform/errors.ts'

// What is logged of a request. In the sandbox everything but secrets. Elsewhere nothing that may identify a person: no path,
// no query, no body, no message, no name of a property that the caller made up.

export type Mode = 'sandbox' | 'live'

export const KEPT_HOURS: Record<Mode, number> = { sandbox: 7 * 24, live: 24 }
/** For how long an operator can switch the log on. */
export const LOG_HOURS_MAX = 24
const BODY_CHARACTERS_MAX = 16_384

export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const
export type StatusClass = (typeof STATUS_CLASSES)[number]

type Asked = {
  caller: Pick<Caller, 'person' | 'logUntil'>
  method: string
  /** Whether the sandbox itself sent it, to make its sample matters. */
  isOfSandbox: boolean
}

/** The pages of the console show the calls that they read with, so of a person's calls only changes are logged. */
export function isLogged({ caller, method, isOfSandbox }: Asked, mode: Mode, now: number): boolean {
  if (mode === 'live') return !caller.person && (caller.logUntil?.getTime() ?? 0) > now
  return !isOfSandbox && !(caller.person && (method === 'GET' || method === 'HEAD'))
}

export type LoggedError = { field?: string; message?: string }

/** Outside the sandbox without messages, because they may quote values, and without names that are not of the interface. */
export function errorsIn(errors: readonly FieldError[], mode: Mode, isName: (text: string) => boolean): LoggedError[] {
  if (mode === 'sandbox') return [...errors]
  return errors.map(({ field }) => (field === undefined ? {} : { field: knownPartsOf(field, isName) }))
}

const UNKNOWN_NAME = '…'
const PARTS = /[^.[\]]+/g

const knownPartsOf = (field: string, isName: (text: string) => boolean): string =>
  field.replaceAll(PARTS, (part) => (/^\d{1,4}$/.test(part) || isUuid(part) || isName(part) ? part : UNKNOWN_NAME))

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const TRACE_ID = /^[0-9a-f]{32}$/i

export const isUuid = (text: unknown): text is string => typeof text === 'string' && UUID.test(text)

/** Callers choose it, so outside the sandbox only an id of a machine is kept: anything else may be a name. */
export const correlationIdIn = (id: string, mode: Mode): string | undefined =>
  mode === 'sandbox' || isUuid(id) || TRACE_ID.test(id) ? id : undefined

/** Adds the names of fields and the fixed values in a schema, wherever they are in it. Routes share schemas: each is read once. */
export function addNamesIn(schema: unknown, names: Set<string>, seen: Set<object>): void {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return
  seen.add(schema)
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') for (const name of Object.keys(value)) names.add(name)
    if (keyword === 'enum' || keyword === 'const') for (const word of [value].flat()) names.add(String(word))
    addNamesIn(value, names, seen)
  }
}

export type LoggedBody = { text: string; isTruncated: boolean }

/** Cut before it is searched for secrets, because a caller may send a megabyte, and after it. */
export const bounded = (text: string, withoutSecrets: (text: string) => string): LoggedBody => ({
  text: withoutSecrets(text.slice(0, BODY_CHARACTERS_MAX)).slice(0, BODY_CHARACTERS_MAX).toWellFormed(),
  isTruncated: text.length > BODY_CHARACTERS_MAX,
})
