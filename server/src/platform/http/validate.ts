import { Ajv2020 as Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyRequest } from 'fastify'
import { type FieldError, Refusal } from '../errors.ts'
import { fieldErrorsOf, fieldWithin } from './field-errors.ts'
import { type PlainKind, plainProblem } from './plain.ts'

// Path, query, headers and body are validated together, so that one answer names everything that is wrong.

export type RequestSchemas = { params?: unknown; querystring?: unknown; body?: unknown; consumes?: readonly string[] }

/** In place of a body that could not be read, so that its error is reported with the others of the request. */
export class MalformedBody {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** A body that was read, with the errors that its schema cannot find. */
export class BodyWithErrors {
  readonly body: object
  readonly errors: readonly FieldError[]
  constructor(body: object, errors: readonly FieldError[]) {
    this.body = body
    this.errors = errors
  }
}

export type Check = (request: FastifyRequest) => FieldError[]

const CHARACTER_NUL = '\u0000'

/** Rules that a schema cannot express, or not with a good message. It gets any body and path, valid or not. */
export type Combinations = (body: unknown, params: unknown) => FieldError[]

/** `closedQuery`: whether a query parameter that the operation does not have is refused, not ignored. */
export type CheckOptions = { combinations?: Combinations | undefined; closedQuery?: boolean }

export function compileChecks(schemas: RequestSchemas, options: CheckOptions = {}): Check {
  const { combinations = () => [], closedQuery = false } = options
  const params = compile(strictAjv, schemas.params)
  const query = compile(queryAjv, schemas.querystring)
  const body = compile(strictAjv, schemas.body)
  const kind = schemas.consumes?.[0] ?? 'JSON'
  return (request) => [
    ...(params?.(request.params) ?? []),
    ...(query?.(request.query) ?? []),
    ...(closedQuery ? unknownParameters(schemas.querystring, request.query) : []),
    ...headerErrors(request),
    ...(body ? bodyErrors(body, kind, request.body, (input) => combinations(input, request.params)) : []),
  ]
}

/** For a handler that validates its query itself. */
export function checkParameters(schema: unknown, query: unknown): void {
  const errors = unknownParameters(schema, query)
  if (errors.length) throw new Refusal('invalid', errors)
}

/** A mistyped filter would otherwise return everything. */
function unknownParameters(schema: unknown, query: unknown): FieldError[] {
  const { properties = {} } = (schema ?? {}) as { properties?: object }
  const unknown = Object.keys(query ?? {}).filter((name) => !Object.hasOwn(properties, name))
  return unknown.map((name) => {
    const field = fieldWithin('', name)
    return { field, message: `${field} is not a parameter of this operation.` }
  })
}

export function checkRequest(request: FastifyRequest, checks: Check): void {
  const errors = checks(request)
  if (errors.length) throw new Refusal('invalid', errors)
}

const strictAjv = newAjv(false)
const queryAjv = newAjv(true) // a query is always text: only there does "10" mean 10
/** By the text of the schema: many operations have the same path, and a test starts many services. */
const compiled = new Map([strictAjv, queryAjv].map((ajv): [Ajv, Map<string, ValidateFunction>] => [ajv, new Map()]))

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
  ajv.addFormat('decimal', { type: 'number', validate: hasAtMostTwoDecimals })
  ajv.addKeyword({ keyword: 'x-common', macro: (common: AnySchemaObject) => common })
  ajv.addKeyword({
    keyword: 'x-plain',
    type: 'string',
    validate: (kind: PlainKind, text: string) => plainProblem(kind, text) === undefined,
  })
  for (const keyword of ['x-expected', 'x-contract', 'example']) ajv.addKeyword(keyword)
  ajv.addKeyword({
    keyword: 'x-transform',
    type: 'string',
    before: 'maxLength',
    modifying: true,
    validate: (how: keyof typeof TRANSFORMS, data: string, schema?: AnySchemaObject, at?: Parent) => {
      if (at) at.parentData[at.parentDataProperty] = TRANSFORMS[how](data, schema?.['maxLength'])
      return true
    },
  })
  return ajv
}

type Parent = { parentData: Record<string | number, unknown>; parentDataProperty: string | number }

const MOMENT = /^\d{4}-\d\d-\d\d[t\s]\S{5,40}(z|[+-]\d\d:?\d\d)$/i
const SQUEEZED_CHARACTERS_MAX = 200 // a longer one matches no pattern

const TRANSFORMS = {
  lower: (text: string) => text.toLowerCase(),
  /** No spaces, upper case: title numbers and postcodes. */
  squeeze: (text: string) =>
    text.length > SQUEEZED_CHARACTERS_MAX
      ? text
      : text.replace(/\s+/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  /** In UTC: PostgreSQL knows no offset of 16 hours. A leap second, which RFC 3339 allows, is taken as the one before it. */
  moment(text: string): string {
    if (!MOMENT.test(text)) return text
    const at = new Date(text.toUpperCase().replace(/\s/, 'T').replace(':60', ':59'))
    return Number.isNaN(at.getTime()) ? text : at.toISOString()
  },
  /** Accented letters in one form, and no surrounding space. */
  trim(text: string, charactersMax = 0): string {
    const trimmed = text.trim()
    return isCheapToNormalise(trimmed, charactersMax) ? trimmed.normalize('NFC') : trimmed
  },
}

const NORMALISING_RATIO_MAX = 4 // a letter and three accents become one character
const MANY_ACCENTS = /\p{M}{31}/u // the limit of Unicode's stream-safe text format

// Normalising takes quadratic time in the number of accents on one letter. A text too long in any form is left alone.
const isCheapToNormalise = (text: string, charactersMax: number) =>
  text.length <= charactersMax * NORMALISING_RATIO_MAX && !MANY_ACCENTS.test(text)

// At the start, except in the sandbox: the largest takes 140 ms, for which no request may stop the node.
function compile(ajv: Ajv, schema: unknown): ((data: unknown) => FieldError[]) | undefined {
  if (!schema) return undefined
  const validate = validatorOf(ajv, schema as object)
  const errorsOf = (data: unknown) => (validate(data) ? [] : fieldErrorsOf(validate.errors as ErrorObject[]))
  return (data) => (isStorable(data) ? errorsOf(data) : firstOfEachField(textErrors(data, ''), errorsOf(data)))
}

function validatorOf(ajv: Ajv, schema: object): ValidateFunction {
  const text = JSON.stringify(schema)
  const known = compiled.get(ajv)?.get(text) ?? ajv.compile(schema)
  compiled.get(ajv)?.set(text, known)
  return known
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
  const { body: input, errors: known } = body instanceof BodyWithErrors ? body : { body, errors: [] }
  return firstOfEachField(check(input), [...known, ...combinations(input)])
}

function firstOfEachField(errors: FieldError[], more: FieldError[]): FieldError[] {
  const reported = new Set(errors.map(({ field }) => field))
  return [...errors, ...more.filter(({ field }) => !reported.has(field))]
}

// PostgreSQL stores neither the character NUL nor half of a surrogate pair.
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes(CHARACTER_NUL)
  if (value === null || typeof value !== 'object') return true
  for (const item of Object.values(value)) if (!isStorable(item)) return false
  return true
}

function textErrors(value: unknown, field: string): FieldError[] {
  if (typeof value === 'string') {
    if (isStorable(value)) return []
    return [{ field, message: `${field} must be well-formed text without the character NUL.` }]
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => textErrors(item, `${field}[${index}]`))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, item]) => textErrors(item, fieldWithin(field, key)))
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255

// `X-Acting-User` matters only where the caller is known, the key only for a POST.
function headerErrors({ method, headers, route }: FastifyRequest): FieldError[] {
  const errors: FieldError[] = []
  const key = method === 'POST' ? headers['idempotency-key'] : undefined
  if (key !== undefined && (typeof key !== 'string' || key.length < 1 || key.length > IDEMPOTENCY_KEY_CHARACTERS_MAX)) {
    errors.push({ field: 'Idempotency-Key', message: 'Idempotency-Key must be 1 to 255 characters long.' })
  }
  const actor = route.scope === 'none' ? undefined : headers['x-acting-user']
  if (actor !== undefined && (typeof actor !== 'string' || actor.length > 254 || !EMAIL.test(actor))) {
    errors.push({ field: 'X-Acting-User', message: 'X-Acting-User must be the e-mail address of a person.' })
  }
  return errors
}

const AT_MOST_TWO_DECIMALS = /^-?\d+(\.\d{1,2})?$/

/** Uses the shortest text of the number, as the remainder of a division by 0.01 is inexact. */
export function hasAtMostTwoDecimals(value: number): boolean {
  return AT_MOST_TWO_DECIMALS.test(String(value))
}
