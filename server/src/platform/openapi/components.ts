import type { Answered, ComponentMap, Header, JsonSchema, OAuth2Scheme, Parameter, Ref } from './document.ts'
import { ANSWER_HEADERS, REQUEST_HEADERS } from './headers.ts'
import { newSchemas } from './schemas.ts'

export type Components = ReturnType<typeof newComponents>

/** What several operations share. Each use returns a reference, and only what is used is written. */
export function newComponents() {
  const schemas = newSchemas()
  const parameters = new Map<string, Parameter>()
  const headers = new Map<string, Header>()
  const responses = new Map<string, Answered>()

  return {
    schema: (schema: JsonSchema): JsonSchema => schemas.place(schema),
    requestHeader(name: string): Ref {
      addKnown(parameters, name, REQUEST_HEADERS)
      return { $ref: `#/components/parameters/${name}` }
    },
    answerHeader(name: string): Ref {
      addKnown(headers, name, ANSWER_HEADERS)
      return { $ref: `#/components/headers/${name}` }
    },
    response(name: string, make: () => Answered): Ref {
      if (!responses.has(name)) responses.set(name, make())
      return { $ref: `#/components/responses/${name}` }
    },
    written: (oauth2: OAuth2Scheme): ComponentMap => ({
      securitySchemes: { oauth2 },
      parameters: byName(parameters),
      headers: byName(headers),
      responses: byName(responses),
      schemas: schemas.all(),
    }),
  }
}

function addKnown<T>(used: Map<string, T>, name: string, known: Readonly<Record<string, T>>): void {
  const one = known[name]
  if (!one) throw new Error(`There is no header ${name} among the conventions.`)
  used.set(name, one)
}

const byName = <T>(map: ReadonlyMap<string, T>): Record<string, T> =>
  Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))
