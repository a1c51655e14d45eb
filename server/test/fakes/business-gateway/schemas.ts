import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { FieldProblem } from './answers.ts'
import { DOCUMENT_TYPES } from './codes.ts'

// The schemas are ours, after the published contracts. They are stricter in one thing: a field that the contract does not
// have is refused, because a misspelt optional field would otherwise pass unseen.

export type Schema = Record<string, unknown>

export const text = (maxLength: number, more: Schema = {}): Schema => ({ type: 'string', maxLength, ...more })
export const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values })
export const listOf = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more })
export const mapOf = (values: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  additionalProperties: values,
  ...more,
})
export const object = (required: Record<string, Schema>, optional: Record<string, Schema> = {}): Schema => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false,
})
export const int32 = (minimum = -(2 ** 31), maximum = 2 ** 31 - 1): Schema => ({ type: 'integer', minimum, maximum })
export const boolean: Schema = { type: 'boolean' }
export const date: Schema = { type: 'string', format: 'date' }

export const CERTIFICATION = oneOf('CERTIFIED', 'CERTIFIED_BY_ANOTHER', 'NOT_CERTIFIED')
export const DOCUMENT_TYPE = oneOf(...DOCUMENT_TYPES)

const FILE_BYTES_MAX = 41_943_040

export const uploadRequest = object({
  data: object(
    {
      document_type: DOCUMENT_TYPE,
      file_length: { type: 'integer', minimum: 1, maximum: FILE_BYTES_MAX },
      file_sha256: text(44, { minLength: 44 }),
    },
    { additional_provider_filter: text(300, { minLength: 1 }) },
  ),
})

export const attachDocumentRequest = object({
  data: object({ document_id: { type: 'string' }, certification_statement_type: CERTIFICATION }),
})

export const attachMessageRequest = object({ data: object({ message_text: text(4034) }) })

export const acknowledgeRequest = object({
  data: listOf({ type: 'string', format: 'uuid' }, { minItems: 1, maxItems: 100 }),
})

const SUBJECT = { pattern: '^[A-Za-z0-9._@ -]*$' }
const MOMENT: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)?$',
}

/** Both spellings of the guide and the contract are taken. */
export const notificationsQuery = object(
  {},
  {
    status: oneOf('NEW', 'ACKNOWLEDGED'),
    additional_provider_filter: text(50, { minLength: 1 }),
    subject: text(128, SUBJECT),
    subject_type: text(64, SUBJECT),
    notification_type: text(255, SUBJECT),
    created_after: MOMENT,
    created_before: MOMENT,
    occurred_after: MOMENT,
    occurred_before: MOMENT,
    occured_after: MOMENT,
    occured_before: MOMENT,
    limit: { type: 'string', pattern: '^[1-9][0-9]{0,8}$' },
  },
)

const ajv = new Ajv({ allErrors: true, discriminator: true })
addFormats.default(ajv)
const compiled = new WeakMap<Schema, ValidateFunction>()

/** What does not fit, each with a JSON pointer to it. */
export function misfits(schema: Schema, value: unknown): FieldProblem[] {
  const check = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, check)
  return check(value) ? [] : (check.errors ?? []).map(problemOf)
}

function problemOf({ instancePath, keyword, params, message }: ErrorObject): FieldProblem {
  const property: unknown = params['missingProperty'] ?? params['additionalProperty']
  const pointer = property === undefined ? instancePath : `${instancePath}/${String(property)}`
  const name = pointer.slice(pointer.lastIndexOf('/') + 1).replaceAll('_', ' ')
  const subject = name.charAt(0).toUpperCase() + name.slice(1)
  if (keyword === 'required') return { type: 'OCV_L1A_000', pointer, detail: `${subject} must not be null` }
  if (keyword === 'additionalProperties')
    return { type: 'OCV_L1A_000', pointer, detail: `${subject} is not a known field` }
  return { type: 'OCV_L1A_000', pointer, detail: `${subject} ${message}` }
}
