import type { RouteOptions } from 'fastify'
import { Refusal } from '../errors.ts'
import type { App } from './http.ts'

// A path that exists answers 405 with `Allow` to every method that it does not have. A route for each of those methods would be
// thousands, and take more of a start than all other routes.

/** By the address of a request that no route takes. `readRoutes` is called once, when all routes are there. */
export function createMissing(readRoutes: () => readonly RouteOptions[]): (address: string) => Refusal {
  let paths: readonly Path[] | undefined
  return (address) => {
    paths ??= pathsOf(readRoutes())
    const [path = ''] = address.split('?', 1)
    const found = paths.find(({ pattern }) => pattern.test(decodeURI(path)))
    return found ? notAllowed(found) : new Refusal('not_found', [{ message: 'There is nothing at this path.' }])
  }
}

/** Where a path is also an example of another one, that one would take its methods. Must be called after all routes. */
export function addMethodNotAllowed(app: App, routes: readonly RouteOptions[]): void {
  const paths = pathsOf(routes)
  for (const path of paths) {
    const others = paths.filter(({ pattern }) => pattern.test(path.url)).flatMap(({ methods }) => [...methods])
    const method = [...new Set(others)].filter((one) => !path.methods.has(one))
    if (method.length === 0) continue
    app.route({
      url: path.url,
      method,
      config: { scope: 'none', undocumented: true },
      onRequest: async () => {
        throw notAllowed(path)
      },
      handler: () => {},
    })
  }
}

type Path = { url: string; methods: Set<string>; pattern: RegExp }

/** As the router prefers them: a fixed part before a parameter. */
function pathsOf(routes: readonly RouteOptions[]): Path[] {
  const ofUrl = Map.groupBy(routes, ({ url }) => url)
  const order = (url: string) => url.replace(/:\w+|\*/g, '\uffff')
  return [...ofUrl.keys()]
    .sort((one, other) => (order(one) < order(other) ? -1 : 1))
    .map((url) => ({
      url,
      methods: new Set(ofUrl.get(url)?.flatMap(({ method }) => method)),
      pattern: new RegExp(`^${url.replaceAll('.', '\\.').replaceAll('*', '.*').replace(/:\w+/g, '[^/]*')}$`, 's'),
    }))
}

function notAllowed({ methods }: Path): Refusal {
  const allow = [...methods].sort().join(', ')
  return new Refusal('method_not_allowed', [{ message: `This path takes ${allow}.` }], { allow })
}
