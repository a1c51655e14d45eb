import { Ajv2020 as Ajv, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyRequest } from 'fastify'
import { type FieldError, Refusal } from '../errors.ts'
import { isWholePence } from '../money.ts'
import { faultsOf } from './faults.ts'
import { isCursor } from './page.ts'

// Path, query, headers and body are judged together, so that one answer tells all that is wrong.

export type RequestSchemas = { params?: unknown; querystring?: unknown; body?: unknown; consumes?: readonly string[] }

/** Stands for a body that could not be read, so that it is told beside the other faults of the request. */
export class MalformedBody {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** A body that was read, and what is wrong with it beyond what its schema can see. */
export class FaultyBody {
  readonly body: object
  readonly faults: readonly FieldError[]
  constructor(body: object, faults: readonly FieldError[]) {
    this.body = body
    this.faults = faults
  }
}

type Check = (request: FastifyRequest) => FieldError[]

const CHARACTER_NUL = '\u0000'
const NESTING_MAX = 16 // what is far deeper would overflow the stack of whoever walks through it

/** What no schema can judge: it is given whatever came as the body and in the path, sound or not. */
export type Combinations = (body: unknown, params: unknown) => FieldError[]

export function compileChecks(schemas: RequestSchemas, combinations: Combinations = () => []): Check {
  const params = compile(strictAjv, schemas.params)
  const query = compile(queryAjv, schemas.querystring)
  const body = compile(strictAjv, schemas.body)
  const kind = schemas.consumes?.[0] ?? 'JSON'
  return (request) => [
    ...(params?.(request.params) ?? []),
    ...(query?.(request.query) ?? []),
    ...headerErrors(request),
    ...(body ? bodyErrors(body, kind, request.body, (given) => combinations(given, request.params)) : []),
  ]
}

export function checkRequest(request: FastifyRequest, checks: Check): void {
  const faults = checks(request)
  if (faults.length) throw new Refusal('invalid', faults)
}

const strictAjv = newAjv(false)
const queryAjv = newAjv(true) // a query is text by nature: only there may "10" stand for 10

function newAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    coerceTypes,
    discriminator: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
  })
  addFormats.default(ajv)
  ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i)
  ajv.addFormat('binary', true)
  ajv.addFormat('cursor', isCursor)
  ajv.addFormat('decimal', { type: 'number', validate: isWholePence })
  for (const keyword of ['x-expected', 'example']) ajv.addKeyword(keyword)
  ajv.addKeyword({
    keyword: 'x-transform',
    type: 'string',
    before: 'maxLength',
    modifying: true,
    validate: (how: keyof typeof TRANSFORMS, data: string, _schema: unknown, at?: Place) => {
      if (at) at.parentData[at.parentDataProperty] = TRANSFORMS[how](data)
      return true
    },
  })
  return ajv
}

type Place = { parentData: Record<string | number, unknown>; parentDataProperty: string | number }

const TRANSFORMS = {
  lower: (text: string) => text.toLowerCase(),
  /** Spaces out, letters up: title numbers and postcodes. */
  squeeze: (text: string) => text.replace(/\s+/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  /** One way of writing an accented letter, and no space around. */
  trim: (text: string) => text.normalize('NFC').trim(),
}

function compile(ajv: Ajv, schema: unknown): ((data: unknown) => FieldError[]) | undefined {
  if (!schema) return undefined
  const validate = ajv.compile(schema as object)
  const judge = (data: unknown) => (validate(data) ? [] : faultsOf(validate.errors as ErrorObject[]))
  return (data) => {
    if (isStorable(data, NESTING_MAX)) return judge(data)
    return isShallow(data, NESTING_MAX) ? beside(textErrors(data, ''), judge(data)) : [TOO_DEEP]
  }
}

function bodyErrors(
  check: (data: unknown) => FieldError[],
  kind: string,
  body: unknown,
  combinations: (body: unknown) => FieldError[],
): FieldError[] {
  if (body instanceof MalformedBody) return [{ message: body.message }]
  if (body === undefined || body === null) return [{ message: `A ${kind} body is required.` }]
  if (typeof body !== 'object' || Array.isArray(body)) return [{ message: 'The body must be a JSON object.' }]
  const { body: given, faults: known } = body instanceof FaultyBody ? body : { body, faults: [] }
  return beside(check(given), [...known, ...combinations(given)])
}

// Of one field only what was found first is told.
function beside(faults: FieldError[], more: FieldError[]): FieldError[] {
  const told = new Set(faults.map(({ field }) => field))
  return [...faults, ...more.filter(({ field }) => !told.has(field))]
}

// PostgreSQL keeps neither the character NUL nor half of a surrogate pair.
function isStorable(value: unknown, depthLeft: number): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes(CHARACTER_NUL)
  if (value === null || typeof value !== 'object') return true
  if (depthLeft === 0) return false
  for (const item of Object.values(value)) if (!isStorable(item, depthLeft - 1)) return false
  return true
}

const isShallow = (value: unknown, depthLeft: number): boolean =>
  value === null ||
  typeof value !== 'object' ||
  (depthLeft > 0 && Object.values(value).every((item) => isShallow(item, depthLeft - 1)))

const TOO_DEEP: FieldError = { message: `The body may be nested ${NESTING_MAX} deep at most.` }

function textErrors(value: unknown, field: string): FieldError[] {
  if (typeof value === 'string') {
    if (isStorable(value, 0)) return []
    return [{ field, message: `${field} must be well-formed text without the character NUL.` }]
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => textErrors(item, `${field}[${index}]`))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, item]) => textErrors(item, field ? `${field}.${key}` : key))
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255

// The header of a person means something where a caller is known, the key where something is done.
function headerErrors({ method, headers, route }: FastifyRequest): FieldError[] {
  const faults: FieldError[] = []
  const key = method === 'POST' ? headers['idempotency-key'] : undefined
  if (key !== undefined && (typeof key !== 'string' || key.length < 1 || key.length > IDEMPOTENCY_KEY_CHARACTERS_MAX)) {
    faults.push({ field: 'Idempotency-Key', message: 'Idempotency-Key must be 1 to 255 characters long.' })
  }
  const actor = route.scope === 'none' ? undefined : headers['x-acting-user']
  if (actor !== undefined && (typeof actor !== 'string' || actor.length > 254 || !EMAIL.test(actor))) {
    faults.push({ field: 'X-Acting-User', message: 'X-Acting-User must be the e-mail address of a person.' })
  }
  return faults
}
