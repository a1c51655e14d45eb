import type { FastifyRequest, RouteOptions } from 'fastify'
import type { FieldError } from '../errors.ts'
import type { JsonSchema } from './document.ts'

// Not an identifier, choice, date or postcode, and below the minimum of every number in a query.
const MISFIT = '0'

/**
 * What the service answers to a request in which everything is wrong, from the same checks that validate requests. If
 * neither path nor query nor body can be wrong, a header is.
 */
export function errorsOfWrongRequest({ method, config = {}, schema = {} }: RouteOptions): FieldError[] {
  const { checks = () => [] } = config
  const request = {
    method,
    route: config,
    params: misfits(schema.params),
    query: misfits(schema.querystring),
    body: {},
  }
  const check = (headers: object) => checks({ ...request, headers } as object as FastifyRequest)
  const errors = [check({}), check({ 'x-acting-user': MISFIT })].find(({ length }) => length > 0)
  if (!errors) throw new Error('No wrong request could be generated for it, so it needs an example of its 400.')
  return errors
}

const misfits = (schema: unknown): Record<string, string> =>
  Object.fromEntries(Object.keys((schema as JsonSchema | undefined)?.properties ?? {}).map((name) => [name, MISFIT]))
