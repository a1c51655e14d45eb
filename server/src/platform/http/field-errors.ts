import type { ErrorObject } from 'ajv/dist/2020.js'
import type { FieldError } from '../errors.ts'
import { type PlainKind, plainProblem } from './plain.ts'

/** Turns what the validator found into sentences for people, each with its dotted field. */
export function fieldErrorsOf(found: readonly ErrorObject[]): FieldError[] {
  const seen = new Set<string>()
  const errors: FieldError[] = []
  for (const error of found) {
    if (SAYS_NOTHING_NEW.has(error.keyword) || isOfChoice(error)) continue
    const field = fieldOf(error)
    const message = `${field} ${expectation(error)}.`
    const isMissingTag = error.keyword === 'discriminator' && seen.has(`${field} is required.`)
    if (isMissingTag || seen.has(message)) continue
    seen.add(message)
    errors.push({ field, message })
  }
  return errors
}

// These only summarise what another error of the same request says exactly.
const SAYS_NOTHING_NEW = new Set(['oneOf', 'anyOf', 'allOf', 'if', 'not', 'x-common'])

// A value that is not text is not one of the choices either, and that sentence says more.
const isOfChoice = ({ keyword, parentSchema }: ErrorObject) =>
  keyword === 'type' && parentSchema?.['enum'] !== undefined

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const place = path.reduce((field, part) => (/^\d+$/.test(part) ? `${field}[${part}]` : fieldWithin(field, part)), '')
  const own = error.params['missingProperty'] ?? error.params['additionalProperty'] ?? error.params['tag']
  return typeof own === 'string' ? fieldWithin(place, own) : place
}

const NAME_CHARACTERS_MAX = 100

/** The dotted name of a property within a field. The caller chose it, so a long one is cut. */
export function fieldWithin(field: string, name: string): string {
  const short = name.length > NAME_CHARACTERS_MAX ? `${name.slice(0, NAME_CHARACTERS_MAX)}…` : name
  return field ? `${field}.${short}` : short
}

function expectation(error: ErrorObject): string {
  const schema = (error.parentSchema ?? {}) as Record<string, unknown>
  const sentence = SENTENCES[error.keyword]
  if (CHECKS_OF_THE_VALUE.has(error.keyword) && typeof schema['x-expected'] === 'string') {
    return `must be ${schema['x-expected']}`
  }
  return sentence ? sentence(error, schema) : (error.message ?? 'is not valid')
}

const CHECKS_OF_THE_VALUE = new Set(['pattern', 'format', 'multipleOf'])

type Sentence = (error: ErrorObject, schema: Record<string, unknown>) => string

const length: Sentence = (_, schema) => `must be ${amount(schema['minLength'], schema['maxLength'], 'character')} long`
const items: Sentence = (_, schema) => `must have ${amount(schema['minItems'], schema['maxItems'], 'item')}`
const bounds: Sentence = (_, schema) => `must be ${range(schema['minimum'], schema['maximum'])}`

const SENTENCES: Record<string, Sentence> = {
  required: () => 'is required',
  additionalProperties: () => 'is not expected here',
  unevaluatedProperties: () => 'is not expected here',
  type: (error) => `must be ${TYPES[String(error.params['type'])] ?? error.params['type']}`,
  enum: (error) => `must be ${oneOf(error.params['allowedValues'])}`,
  const: (error) => `must be ${error.params['allowedValue']}`,
  discriminator: (_, schema) => discriminated(schema),
  minLength: length,
  maxLength: length,
  minItems: items,
  maxItems: items,
  minimum: bounds,
  maximum: bounds,
  uniqueItems: () => 'must not hold the same value twice',
  multipleOf: (error) => `must be a multiple of ${error.params['multipleOf']}`,
  format: (error) => `must be ${FORMATS[String(error.params['format'])] ?? error.params['format']}`,
  pattern: (error) => `must match ${error.params['pattern']}`,
  'x-plain': ({ data }, schema) => plainProblem(schema['x-plain'] as PlainKind, String(data)) ?? 'is not valid',
}

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

const FORMATS: Record<string, string> = {
  uuid: 'a UUID',
  email: 'an e-mail address',
  date: 'a date in the format yyyy-mm-dd',
  'date-time': 'a time such as 2026-03-14T09:30:00Z',
}

const amount = (min: unknown, max: unknown, unit: string): string =>
  `${range(min, max)} ${(max ?? min) === 1 ? unit : `${unit}s`}`

function range(min: unknown, max: unknown): string {
  if (min === max) return `exactly ${min}`
  if (min === undefined) return `at most ${max}`
  return max === undefined ? `at least ${min}` : `${min} to ${max}`
}

const oneOf = (values: unknown): string =>
  Array.isArray(values) && values.length === 1 ? String(values[0]) : `one of ${(values as unknown[]).join(', ')}`

// The values of a discriminator are in the branches of its union.
function discriminated(schema: Record<string, unknown>): string {
  const tag = (schema['discriminator'] as { propertyName: string }).propertyName
  const branches = (schema['oneOf'] ?? []) as { properties?: Record<string, { const?: unknown; enum?: unknown[] }> }[]
  const values = branches.flatMap(({ properties }) => properties?.[tag]?.enum ?? [properties?.[tag]?.const])
  return `must be ${oneOf(values)}`
}
