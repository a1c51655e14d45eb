import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { ERRORS_MAX } from '../errors.ts'
import { commonOf } from './common.ts'

// The building blocks of wire schemas. A schema with a `title` becomes a named component of openapi.json.
// `x-contract` holds keywords for the document only: rules that code checks, with a better message or exactly.

/** Accepted in either case, stored and returned in lower case. */
export const Uuid = (options: object = {}) => Type.String({ format: 'uuid', 'x-transform': 'lower', ...options })

export const Timestamp = (options: object = {}) =>
  Type.String({ format: 'date-time', examples: ['2026-03-14T09:30:00.000Z'], ...options })

/** A time in a request. It reaches the handler in UTC, whatever its offset. */
export const Moment = (description: string) =>
  Timestamp({
    pattern: '^[12]',
    'x-expected': 'a time such as 2026-03-14T09:30:00Z',
    'x-transform': 'moment',
    description,
  })

export const CalendarDate = (options: object = {}) =>
  Type.String({ format: 'date', examples: ['2026-03-14'], ...options })

export const Email = (options: object = {}) => Type.String({ format: 'email', maxLength: 254, ...options })

/** One of a few words. With its `type` the validator can compare a list of them in one pass. */
export const Choice = <const Value extends string>(values: readonly Value[], options: object = {}) =>
  Type.Enum<Value[]>([...values], { type: 'string', ...options })

/** Decimal pounds; stored as whole pence. */
export const Pounds = (minimum: number, maximum: number, options: object = {}) =>
  Type.Number({
    minimum,
    maximum,
    format: 'decimal',
    'x-contract': { multipleOf: 0.01 }, // a validator's division is inexact for many amounts
    'x-expected': 'a number with at most two decimals',
    examples: [206_000],
    ...options,
  })

/** Text whose surrounding space is removed before it is measured. */
export const Text = (minLength: number, maxLength: number, options: object = {}) =>
  Type.String({
    minLength,
    maxLength,
    'x-transform': 'trim',
    ...(minLength > 0 && { 'x-contract': { pattern: '\\S' } }),
    ...options,
  })

/** The same without control, format and private-use characters and line breaks: none that a reader cannot see. */
export const PlainText = (minLength: number, maxLength: number, options: object = {}) =>
  Text(minLength, maxLength, { 'x-plain': 'text', ...options })

/** The same with at least one letter. */
export const NameText = (minLength: number, maxLength: number, options: object = {}) =>
  Text(minLength, maxLength, { 'x-plain': 'name', ...options })

/** A complete sentence that can be shown to people as it is. */
export const Sentence = (description: string, example: string) =>
  Type.String({ minLength: 1, pattern: '\\.$', description, examples: [example] })

/** A request object: an unknown property is refused, not ignored. */
export const Closed = <Properties extends TProperties>(properties: Properties, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/**
 * A union whose branches are distinguished by one property, so that errors name the exact field. Where that property is
 * missing or wrong, what all branches demand alike is still checked.
 */
export const OneOf = <const Branches extends readonly TSchema[]>(
  tag: string,
  branches: Branches,
  options: object = {},
) =>
  Type.Unsafe<Static<Branches[number]>>({
    type: 'object',
    required: [tag],
    discriminator: { propertyName: tag },
    oneOf: branches,
    'x-common': commonOf(tag, branches),
    ...options,
  })

/** A rule between fields, for `x-contract`. */
export const When = (condition: object, rule: object, otherwise?: object) => ({
  if: condition,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: rule,
  ...(otherwise && { else: otherwise }),
})

/** For `x-contract`: fields that are not expected. */
export const Without = (...names: string[]) => ({ properties: Object.fromEntries(names.map((name) => [name, false])) })

/** A response object: the contract test fails on a property that it does not name. */
export const Answer = <Properties extends TProperties>(title: string, properties: Properties, options: object = {}) =>
  Type.Object(properties, { title, additionalProperties: false, ...options })

export const ErrorBody = Answer(
  'ErrorBody',
  {
    errors: Type.Array(
      Answer('Fault', {
        field: Type.Optional(Type.String({ description: 'The field or parameter that is wrong, where there is one.' })),
        message: Sentence('What is wrong and what is expected, in plain words.', 'file_id must be a UUID.'),
      }),
      {
        minItems: 1,
        maxItems: ERRORS_MAX,
        description: 'Every error of its kind at once. Where there are more, the last says how many.',
      },
    ),
  },
  { examples: [{ errors: [{ field: 'date', message: 'date must have the format yyyy-mm-dd.' }] }] },
)

/** The limit of lists that grow with the history of a matter. It is far above what any has. */
export const HISTORY_ITEMS_MAX = 10_000

export const PAGE_RECORDS_DEFAULT = 50
export const PAGE_RECORDS_MAX = 100

/** Where a page ended. It is sealed, so a client can only store it and send it back. */
export const Cursor = (description: string, options: object = {}) =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]{59,2000}$',
    description,
    examples: ['DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc'],
    ...options,
  })

/** The query of every list. */
export const PageQuery = {
  cursor: Type.Optional(
    Cursor('The `nextCursor` of the page before.', { 'x-expected': 'the nextCursor of an earlier page' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_RECORDS_MAX,
      default: PAGE_RECORDS_DEFAULT,
      description: 'How many records at most.',
    }),
  ),
}

/** The response of every list. The last page has no `nextCursor`. */
export const Page = <Item extends TSchema>(title: string, item: Item) =>
  Answer(title, {
    records: Type.Array(item, {
      maxItems: PAGE_RECORDS_MAX,
      description: 'One page, `limit` records at most. Empty where there are none.',
    }),
    nextCursor: Type.Optional(Cursor('Goes into `cursor` to ask for the next page. Left out on the last.')),
  })

export type { Static, TSchema }
export { Type }
