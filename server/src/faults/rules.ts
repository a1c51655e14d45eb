import { createHash } from 'node:crypto'
import type { FieldError } from '../platform/errors.ts'

// Faults that the sandbox injects, so that integrators can try what their software does. Nothing is random: the seed and the
// number of the request decide.

export const REQUEST_KINDS = [
  'UNAVAILABLE',
  'TOO_MANY',
  'EXPIRED_TOKEN',
  'DELAY',
  'LOST_ANSWER',
  'NEW_FIELD',
  'NEW_VALUE',
] as const
export const WEBHOOK_KINDS = ['DUPLICATE_WEBHOOK', 'REORDERED_WEBHOOK'] as const
export const FAULT_KINDS = [...REQUEST_KINDS, ...WEBHOOK_KINDS] as const

type WebhookKind = (typeof WEBHOOK_KINDS)[number]
export type FaultKind = (typeof FAULT_KINDS)[number]

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const DELAY_MS_MAX = 10_000
export const RETRY_AFTER_SECONDS_MAX = 60
/** Only where they are named: without a token a client can do nothing at all. */
const TOKEN_OPERATION = 'issueToken'

export type Fault = {
  kind: FaultKind
  share?: number
  times?: number
  operations?: string[]
  methods?: (typeof METHODS)[number][]
  retryAfterSeconds?: number
  delayMs?: number
  field?: string
}

/** With how many requests it could have met, and how many it met. */
export type CountedFault = Fault & { seen: number; injected: number }

export type Occasion = { operation: string; method: string } | 'webhook'

/** The faults that this request or delivery meets, with the new counts: none after one that refuses it or loses its answer. */
export function draw(
  { seed, faults }: { seed: number; faults: readonly CountedFault[] },
  occasion: Occasion,
): { faults: CountedFault[]; met: CountedFault[] } {
  const met: CountedFault[] = []
  const counted = faults.map((fault, index) => {
    if (met.some(ends) || !concerns(fault, occasion)) return fault
    const seen = fault.seen + 1
    const { share = 1, times = Infinity } = fault
    if (fault.injected >= times || chance(seed, index, seen) >= share) return { ...fault, seen }
    const injected = { ...fault, seen, injected: fault.injected + 1 }
    met.push(injected)
    return injected
  })
  return { faults: counted, met }
}

const ENDING: readonly FaultKind[] = ['UNAVAILABLE', 'TOO_MANY', 'EXPIRED_TOKEN', 'LOST_ANSWER']
const ends = ({ kind }: Fault) => ENDING.includes(kind)

const isOfWebhooks = (kind: FaultKind): kind is WebhookKind => WEBHOOK_KINDS.some((one) => one === kind)

function concerns({ kind, operations, methods }: Fault, occasion: Occasion): boolean {
  if (occasion === 'webhook' || isOfWebhooks(kind)) return occasion === 'webhook' && isOfWebhooks(kind)
  const { operation, method } = occasion
  if (operation === TOKEN_OPERATION && kind === 'EXPIRED_TOKEN') return false
  if (methods && !methods.some((one) => one === method)) return false
  return operations ? operations.includes(operation) : operation !== TOKEN_OPERATION
}

/** From 0 to 1, the same for the same numbers. */
const chance = (...numbers: number[]): number =>
  createHash('sha256').update(numbers.join(':')).digest().readUInt32BE() / 2 ** 32

const OPTIONS: Partial<Record<keyof Fault, readonly FaultKind[]>> = {
  retryAfterSeconds: ['UNAVAILABLE', 'TOO_MANY'],
  delayMs: ['DELAY'],
  field: ['NEW_VALUE'],
  operations: REQUEST_KINDS,
  methods: REQUEST_KINDS,
}

/** Options that a fault of its kind does not have, and operations that do not exist. */
export function faultErrors(faults: readonly Partial<Fault>[], isOperation: (name: string) => boolean): FieldError[] {
  return faults.flatMap((fault, index) => {
    const errors = Object.entries(OPTIONS).flatMap(([name, kinds]) =>
      fault.kind === undefined || fault[name as keyof Fault] === undefined || kinds.includes(fault.kind)
        ? []
        : [{ field: `faults[${index}].${name}`, message: `${name} is only for ${kinds.join(', ')}.` }],
    )
    const unknown = [fault.operations ?? []].flat().filter((name) => !isOperation(name))
    const message = `${unknown.join(', ')} must be an operationId of openapi.json, such as getWorkspace.`
    return unknown.length > 0 ? [...errors, { field: `faults[${index}].operations`, message }] : errors
  })
}

export const NEW_FIELD = 'fieldOfAFutureVersion'
export const NEW_VALUE = 'VALUE_OF_A_FUTURE_VERSION'

/** A JSON answer as a future version might give it. Anything else is returned as it is. */
export function altered(payload: string, faults: readonly Fault[]): string {
  const added = faults.some(({ kind }) => kind === 'NEW_FIELD')
  const fields = faults.flatMap(({ kind, field = 'status' }) => (kind === 'NEW_VALUE' ? [field] : []))
  if (!payload.startsWith('{') || (!added && fields.length === 0)) return payload
  return JSON.stringify(JSON.parse(payload), (key, value: unknown) => {
    if (typeof value === 'string' && fields.includes(key)) return NEW_VALUE
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return added && isObject ? { ...value, [NEW_FIELD]: NEW_VALUE } : value
  })
}
