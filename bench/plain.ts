import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fastify, { type FastifyInstance, type HTTPMethods } from 'fastify'
import pg from 'pg'
import { serveParent } from './helper.ts'
import { POOL_CONNECTIONS } from './pgbench.ts'

// The least that answers a request of the interface: a route of Fastify with the schemas of `openapi.json` and one query,
// without callers, rules, audit or events. It sends the answer of the service.

export type PlainRoute = {
  databaseUrl: string
  method: string
  /** As in `openapi.json`. */
  path: string
  statement: { text: string; values: (string | null)[] }
  status: number
  body: string
}

type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: object; $ref?: string }
type Content = { content?: Record<string, { schema: object }> }
type Document = {
  paths: Record<
    string,
    Record<string, { parameters?: Parameter[]; requestBody?: Content; responses: Record<string, Content> }>
  >
  components: { schemas: Record<string, object>; parameters: Record<string, Parameter> }
}

let app: FastifyInstance | undefined
let pool: pg.Pool | undefined

const stop = async () => {
  await app?.close()
  await pool?.end()
}

serveParent(
  {
    serve: async ({ databaseUrl, method, path, statement, status, body }: PlainRoute) => {
      await stop()
      const connections = new pg.Pool({ connectionString: databaseUrl, max: POOL_CONNECTIONS })
      pool = connections
      app = fastify({ ajv: { customOptions: { strict: false, validateFormats: false } } })
      const { schemas, ...schema } = schemasOf(method, path, status)
      for (const [$id, one] of Object.entries(schemas)) app.addSchema({ ...one, $id })
      const answer = JSON.parse(body)
      app.route({
        method: method as HTTPMethods,
        url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
        schema,
        handler: async (_, reply) => {
          await connections.query({ name: 'only', ...statement })
          reply.code(status)
          return answer
        },
      })
      return app.listen({ host: '127.0.0.1', port: 0 })
    },
  },
  stop,
)

function schemasOf(method: string, path: string, status: number) {
  const text = readFileSync(resolve(import.meta.dirname, '../openapi.json'), 'utf8')
  const { paths, components }: Document = JSON.parse(
    JSON.stringify(JSON.parse(text)).replaceAll(/"#\/components\/schemas\/([^"]+)"/g, '"$1#"'),
  )
  const operation = paths[path]?.[method.toLowerCase()]
  if (!operation) throw new Error(`openapi.json has no ${method} ${path}.`)
  const parameters = (operation.parameters ?? []).map((one) =>
    one.$ref ? (components.parameters[one.$ref.split('/').at(-1) ?? ''] ?? one) : one,
  )
  const objectOf = (where: Parameter['in']) => {
    const own = parameters.filter((one) => one.in === where)
    const required = own.filter((one) => one.required).map(({ name }) => name)
    return { type: 'object', properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])), required }
  }
  const json = ({ content }: Content = {}) => content?.['application/json']?.schema
  const [body, response] = [json(operation.requestBody), json(operation.responses[status])]
  return {
    schemas: components.schemas,
    params: objectOf('path'),
    querystring: objectOf('query'),
    ...(body && { body }),
    ...(response && { response: { [status]: response } }),
  }
}
