import type { JsonSchema, OpenApiDocument, Ref } from './document.ts'

/** One line of a table of fields. The path is dotted, as in the errors of the interface. */
export type Field = { path: string; schema: JsonSchema; isRequired: boolean; within?: string }

/** One branch of a union with discriminators, and the values that select it. */
export type Variant = { picks: string[]; schema: JsonSchema }

type Schemas = OpenApiDocument['components']['schemas']

/** All fields below a schema, at any depth. A schema within itself is not entered again. */
export function fieldsOf(schema: JsonSchema, schemas: Schemas, prefix = '', entered: readonly string[] = []): Field[] {
  const name = componentName(schema)
  if (name !== undefined && entered.includes(name)) return []
  const path = name === undefined ? entered : [...entered, name]
  const { properties = {}, required = [], items, allOf = [], oneOf = [], anyOf = [] } = follow(schema, schemas)
  const own = Object.entries(properties).flatMap(([property, one]) => {
    const field = prefix + property
    const below = fieldsOf(one, schemas, `${field}.`, path)
    return [{ path: field, schema: one, isRequired: required.includes(property) }, ...below]
  })
  const ofItems = items ? fieldsOf(items, schemas, `${prefix.replace(/\.$/, '')}[].`, path) : []
  const ofParts = allOf.flatMap((part) => fieldsOf(part, schemas, prefix, path))
  const ofBranches = [...oneOf, ...anyOf].flatMap((branch) =>
    fieldsOf(branch, schemas, prefix, path).map((field) => within(field, componentName(branch))),
  )
  return [...own, ...ofItems, ...ofParts, ...ofBranches]
}

/** The branches of a union, including those of nested unions; the schema itself if it is not a union. */
export function variantsOf(schema: JsonSchema, schemas: Schemas, picks: string[] = []): Variant[] {
  const { discriminator, oneOf } = follow(schema, schemas)
  if (!discriminator?.mapping || !oneOf) return [{ picks, schema }]
  return Object.entries(discriminator.mapping).flatMap(([value, $ref]) =>
    variantsOf({ $ref }, schemas, [...picks, `${discriminator.propertyName}: ${value}`]),
  )
}

/** The component that a reference names. */
export const componentName = ({ $ref }: Partial<Ref>): string | undefined => $ref?.split('/').at(-1)

export function follow(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = componentName(schema)
  return name === undefined ? schema : (schemas[name] ?? {})
}

/** A part of the document, which may be a reference to a component. */
export function resolve<T extends object>(part: T | Ref, components: Readonly<Record<string, T>>): T {
  if (!('$ref' in part)) return part
  const found = components[componentName(part) ?? '']
  if (!found) throw new Error(`There is nothing at ${part.$ref}.`)
  return found
}

const within = (field: Field, name: string | undefined): Field =>
  name === undefined || field.within !== undefined ? field : { ...field, within: name }
