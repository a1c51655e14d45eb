import { METHODS } from 'node:http'
import type { RouteOptions } from 'fastify'
import { Refusal } from '../errors.ts'
import type { App } from './http.ts'

/** A path that exists answers 405 with `Allow` to every method that it does not have. Must be called after all routes. */
export function addMethodNotAllowed(app: App, routes: readonly RouteOptions[]): void {
  const methodsOfPath = new Map<string, Set<string>>()
  for (const { url, method } of routes) {
    const methods = methodsOfPath.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    methodsOfPath.set(url, methods)
  }
  const all = METHODS.filter((method) => method !== 'CONNECT') // which names no path
  for (const method of all) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  for (const [url, methods] of methodsOfPath) {
    const allow = [...methods].sort().join(', ')
    app.route({
      url,
      method: all.filter((method) => !methods.has(method)),
      config: { scope: 'none', undocumented: true },
      onRequest: async () => {
        throw new Refusal('method_not_allowed', [{ message: `This path takes ${allow}.` }], { allow })
      },
      handler: () => {},
    })
  }
}
