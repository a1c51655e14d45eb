import type { FastifyRequest, RouteOptions } from 'fastify'
import type { FieldError } from '../errors.ts'
import type { JsonSchema } from './document.ts'

// No identifier, no choice, no date, no postcode, and less than the least number that any query takes.
const MISFIT = '0'

/**
 * What the service says of a request in which nothing fits: the very checks are asked that judge requests. Where
 * neither path nor query nor body can be wrong, a header is.
 */
export function faultsOfWrongRequest({ method, config = {}, schema = {} }: RouteOptions): FieldError[] {
  const { checks = () => [] } = config
  const request = {
    method,
    route: config,
    params: misfits(schema.params),
    query: misfits(schema.querystring),
    body: {},
  }
  const asked = (headers: object) => checks({ ...request, headers } as object as FastifyRequest)
  const faults = [asked({}), asked({ 'x-acting-user': MISFIT })].find(({ length }) => length > 0)
  if (!faults) throw new Error('No wrong request to it could be made up, so it needs an example of its 400.')
  return faults
}

const misfits = (schema: unknown): Record<string, string> =>
  Object.fromEntries(Object.keys((schema as JsonSchema | undefined)?.properties ?? {}).map((name) => [name, MISFIT]))
