import { isDeepStrictEqual } from 'node:util'

type Schema = {
  type?: string
  const?: unknown
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: unknown
  oneOf?: readonly Schema[]
}

/** For a union whose tag is missing or wrong: a schema of what is valid in some branch, and refused by none of them. */
export function commonOf(tag: string, branches: readonly object[]): object {
  const values = (branches as readonly Schema[]).map(({ properties }) => properties?.[tag]?.const)
  const { properties = {}, ...common } = shared(branches as readonly Schema[])
  return {
    if: { properties: { [tag]: { enum: values } }, required: [tag] },
    else: { ...common, properties: { ...properties, [tag]: {} } },
  }
}

/** What all schemas demand alike. */
function shared(schemas: readonly Schema[]): Schema {
  const all = schemas.flatMap(alternativesOf)
  const [first = {}, ...others] = all
  if (others.every((one) => isDeepStrictEqual(one, first))) return first
  const { type } = first
  if (type === undefined || !others.every((one) => one.type === type)) return {}
  if (type !== 'object') return { type }
  const names = new Set(all.flatMap(({ properties = {} }) => Object.keys(properties)))
  return {
    type,
    properties: Object.fromEntries([...names].map((name) => [name, sharedProperty(all, name)])),
    required: (first.required ?? []).filter((name) => others.every(({ required }) => required?.includes(name))),
    ...(all.every(({ additionalProperties }) => additionalProperties === false) && { additionalProperties: false }),
  }
}

// A property that some branches do not have is left to the tag.
function sharedProperty(all: readonly Schema[], name: string): Schema {
  const found = all.flatMap(({ properties }) => properties?.[name] ?? [])
  return found.length === all.length ? shared(found) : {}
}

const alternativesOf = (schema: Schema): readonly Schema[] => schema.oneOf?.flatMap(alternativesOf) ?? [schema]
