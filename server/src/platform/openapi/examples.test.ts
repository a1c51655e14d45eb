import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import type { JsonSchema } from './document.ts'
import { exampleOf, examplesByTag } from './examples.ts'

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)

describe('exampleOf', () => {
  it('prefers the example, default or choice of the schema', () => {
    assert.equal(exampleOf({ type: 'string', examples: ['EX1 1AA'], default: 'x' }), 'EX1 1AA')
    assert.equal(exampleOf({ type: 'integer', default: 50 }), 50)
    assert.equal(exampleOf({ const: 'BORROWER' }), 'BORROWER')
    assert.equal(exampleOf({ enum: ['PAPER', 'DIGITAL'] }), 'PAPER')
  })

  it('shows every property, also the optional ones', () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'boolean' }, b: { type: 'string' } } }
    assert.deepEqual(exampleOf(schema), { a: true, b: 'b' })
  })

  it('gives an identifier the same value in a path and in a body', () => {
    const uuid = { type: 'string', format: 'uuid' }
    assert.equal(exampleOf(uuid, 'workspace_id'), exampleOf(uuid, 'workspaceId'))
    assert.notEqual(exampleOf(uuid, 'workspaceId'), exampleOf(uuid, 'partyId'))
  })

  it('needs an example in a schema with a pattern', () => {
    assert.throws(() => exampleOf({ type: 'string', pattern: '^MD[0-9]+$' }, 'deed'), /deed has a pattern/)
  })

  it('always fits its schema', () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        const example = exampleOf(schema, 'name')
        assert.ok(ajv.validate(schema, example), `${JSON.stringify(example)} for ${JSON.stringify(schema)}`)
      }),
    )
  })
})

describe('examplesByTag', () => {
  it('gives one for each branch, by the value of the discriminator', () => {
    const branch = (kind: string): JsonSchema => ({ type: 'object', properties: { kind: { const: kind } } })
    const union = { discriminator: { propertyName: 'kind' }, oneOf: [branch('A'), branch('B')] }
    assert.deepEqual(examplesByTag(union), { A: { kind: 'A' }, B: { kind: 'B' } })
    assert.equal(examplesByTag(branch('A')), undefined)
  })
})

const range = (least: string, most: string) =>
  fc
    .tuple(fc.option(fc.nat(40), { nil: undefined }), fc.option(fc.nat(40), { nil: undefined }))
    .map(([from, length]): JsonSchema => {
      const bounds: JsonSchema = {}
      if (from !== undefined) bounds[least] = from
      if (length !== undefined) bounds[most] = (from ?? 0) + length
      return bounds
    })

const anySchema = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    range('minLength', 'maxLength').map((bounds) => ({ type: 'string', ...bounds })),
    range('minimum', 'maximum').map((bounds) => ({ type: 'number', ...bounds })),
    range('exclusiveMinimum', 'maximum').map((bounds) => ({ type: 'integer', ...bounds, maximum: 99 })),
    fc
      .constantFrom('uuid', 'date', 'date-time', 'duration', 'email', 'uri')
      .map((format) => ({ type: 'string', format })),
    fc.constantFrom('boolean', 'null', 'object').map((type) => ({ type })),
    fc
      .tuple(tie('schema'), range('minItems', 'maxItems'))
      .map(([items, bounds]) => ({ type: 'array', items, ...bounds })),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('schema'), { maxKeys: 4 }).map((properties) => ({
      type: 'object',
      required: Object.keys(properties),
      properties,
      additionalProperties: false,
    })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  ),
})).schema
