import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Schema } from '../fakes/business-gateway/schemas.ts'
import type { Contract } from './pack.ts'

const REF = '#/components/schemas/'

type Node = Record<string, unknown>

/** What is wrong with a body that is sent to a path. Undefined where the contract has no such path. */
export function checkerOf(contract: Contract) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: contract.name, components: { schemas: strict(contract.components.schemas) } })
  const checks = Object.entries(contract.paths).flatMap(([template, item]) =>
    Object.entries(item).flatMap(([method, { requestBody }]) => {
      const { $ref } = requestBody?.content?.['application/json']?.schema ?? {}
      if (typeof $ref !== 'string') return []
      const path = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      return [{ method: method.toUpperCase(), path, check: ajv.compile({ $ref: contract.name + $ref }) }]
    }),
  )
  return (method: string, path: string, body: unknown): string[] | undefined => {
    const { check } = checks.find((one) => one.method === method && one.path.test(path)) ?? {}
    if (!check) return undefined
    check(body)
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}

/** No property that a schema does not have, and of several schemas the one that the discriminator names. */
function strict(schemas: Record<string, Schema>): Record<string, unknown> {
  const bases = new Set(
    Object.values(schemas).flatMap(({ allOf }) => (allOf as Node[] | undefined)?.[0]?.['$ref'] ?? []),
  )
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const isWhole = ('properties' in schema || 'allOf' in schema) && !bases.has(REF + name)
      return [name, { ...(chosen(schema, schemas) as Node), ...(isWhole && { unevaluatedProperties: false }) }]
    }),
  )
}

/** As published, `oneOf` lists schemas that overlap, so that nothing fits exactly one of them. */
function chosen(node: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(node)) return node.map((one) => chosen(one, schemas))
  if (typeof node !== 'object' || node === null) return node
  const { oneOf, ...rest } = node as Node & { oneOf?: { $ref?: string }[] }
  const others = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, chosen(value, schemas)]))
  if (!oneOf) return others
  const mapping = mappingOf(oneOf[0]?.$ref, schemas)
  if (!mapping) return { ...others, oneOf }
  const choices = Object.entries(mapping).map(([type, $ref]) => ({
    if: { properties: { type: { const: type } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref },
  }))
  const types = { properties: { type: { enum: Object.keys(mapping) } }, required: ['type'] }
  return { ...others, allOf: [types, ...choices] }
}

function mappingOf($ref: string | undefined, schemas: Record<string, Schema>): Record<string, string> | undefined {
  const [base] = (schemas[$ref?.replace(REF, '') ?? '']?.['allOf'] ?? []) as { $ref?: string }[]
  const discriminator = schemas[base?.$ref?.replace(REF, '') ?? '']?.['discriminator']
  return (discriminator as { mapping?: Record<string, string> } | undefined)?.mapping
}
