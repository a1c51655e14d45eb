import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { openApiOf } from '../src/openapi.ts'
import { hasAtMostTwoDecimals } from '../src/platform/http/validate.ts'
import type { JsonSchema } from '../src/platform/openapi/document.ts'
import { exampleOf } from '../src/platform/openapi/examples.ts'
import { pathOf } from '../src/platform/openapi/operation.ts'
import { readRoutes } from '../src/route-manifest.ts'

// The document and the service must accept the same bodies, rules between fields included. Bodies are valid ones with a
// field or two left out, blank, or with another value.

/** Rules that JSON Schema cannot express. */
const NOT_IN_THE_CONTRACT: Record<string, string> = {
  updateFinancialSettlementSchedule: 'a business day that is not past',
  moveClock: 'a time that is not past; the handler checks it',
  issueToken: 'validated by RFC 6749, in its own words',
  setFaults: 'options that the kind of a fault has, and operations that exist',
}

const routes = await readRoutes()
const document = await openApiOf(routes)
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addFormat('binary', true)
ajv.addFormat('decimal', true)
ajv.removeKeyword('multipleOf')
ajv.addKeyword({
  keyword: 'multipleOf',
  type: 'number',
  validate: (_: number, value: number) => hasAtMostTwoDecimals(value),
})
ajv.addSchema({ ...document, $id: 'contract' })

describe('the contract of a body', () => {
  for (const route of routes) {
    const { operationId, body, consumes = ['application/json'] } = route.schema ?? {}
    if (!body || !operationId || route.config?.undocumented || operationId in NOT_IN_THE_CONTRACT) continue
    it(`${operationId}: accepts what the service accepts, and nothing else`, () => {
      const seen = new Set<boolean>()
      const isInContract = contractOf(route, consumes[0] ?? '')
      fc.assert(
        fc.property(nearlyValid(body as JsonSchema, 'body'), (given) => {
          const byContract = isInContract(given) // before the service, which trims texts
          seen.add(byContract)
          assert.equal(errorsOf(route, given).length === 0, byContract, JSON.stringify(given))
        }),
        { numRuns: 500, seed: 1 },
      )
      assert.ok(seen.has(true), 'some are valid')
    })
  }
})

describe('a query parameter that the operation does not have', () => {
  it('is refused by every operation with a scope, and ignored elsewhere', () => {
    for (const route of routes) {
      const { scope, validatesItself, checks } = route.config ?? {}
      const query = { 'no-such-parameter': '1' }
      const request = { method: route.method, route: route.config, params: {}, query, headers: {} }
      const errors = checks?.(request as object as FastifyRequest) ?? []
      const isRefused = errors.some(({ field }) => field === 'no-such-parameter')
      assert.equal(isRefused, scope !== 'none' && !validatesItself, `${route.method} ${route.url}`)
    }
    const self = routes.filter(({ config }) => config?.validatesItself).map(({ schema }) => schema?.operationId)
    assert.deepEqual(new Set(self), new Set(['issueToken', 'getReportContent']))
  })
})

function contractOf({ url, method }: RouteOptions, type: string): (body: unknown) => boolean {
  const { requestBody } = document.paths[pathOf(url)]?.[String(method).toLowerCase() as 'post'] ?? {}
  const { schema } = requestBody?.content[type] ?? {}
  assert.ok(schema)
  return ajv.compile(schema.$ref ? { $ref: `contract${schema.$ref}` } : schema)
}

function errorsOf({ method, config, schema }: RouteOptions, body: unknown) {
  const params = exampleOf((schema?.params ?? {}) as JsonSchema)
  const request = { method, route: config, params, query: {}, headers: {}, body: structuredClone(body) }
  return config?.checks?.(request as object as FastifyRequest) ?? []
}

function nearlyValid(schema: JsonSchema, name: string): fc.Arbitrary<unknown> {
  const { oneOf, properties, items, enum: choices, maxItems = 3 } = schema
  if (oneOf) return fc.oneof(...oneOf.map((branch) => nearlyValid(branch, name)))
  if (choices) return fc.constantFrom(...choices, ...(name === 'type' ? [] : ['UNKNOWN']))
  if (properties) return nearlyWhole(properties)
  if (items) return fc.uniqueArray(nearlyValid(items, name), { maxLength: Math.min(maxItems, 3) })
  const example = exampleOf(schema, name)
  if (schema.type === 'string' && schema.const === undefined) {
    return fc.oneof({ arbitrary: fc.constant(example), weight: 15 }, fc.constantFrom('', '   '))
  }
  if (schema.type === 'number') return fc.constantFrom(example, example, 0.07, 1.005, 180_250.57)
  return fc.constant(example)
}

function nearlyWhole(properties: Record<string, JsonSchema>): fc.Arbitrary<object> {
  const whole = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, nearlyValid(one, name)])),
  )
  return fc.tuple(whole, fc.subarray(Object.keys(properties))).map(([body, left]) => {
    const without = left.length > 4 ? left.slice(0, 1) : left
    return Object.fromEntries(Object.entries(body).filter(([name]) => !without.includes(name)))
  })
}
