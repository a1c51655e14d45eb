import { type Call, clientOf } from './api.ts'
import { type Assets, readAssets } from './assets.ts'
import type { Doors, Session } from './doors.ts'
import { createLive } from './live.ts'
import { operatorOf } from './operator.ts'
import { goTo, hasRole, type OpenVisit, type Page, type Route, type View, type Visit } from './page.ts'
import { errorView, forbidden, forged, notFound, undecided } from './pages/errors.ts'
import { routesOf } from './routes.ts'
import { shell } from './ui/shell.ts'

// The order of the checks of a request: origin, session, address, role.

export type Console = {
  answer(request: Request, correlationId: string): Promise<Response>
  /** Ends all streams. */
  stop(): void
}

export async function createConsole(doors: Doors): Promise<Console> {
  const assets = await readAssets()
  const live = createLive(doors)
  const routes = routesOf(live)
    .filter(({ onlySandbox }) => !onlySandbox || doors.sandbox)
    .map((route) => ({ ...route, pattern: patternOf(route.path) }))

  async function answer(request: Request, correlationId: string): Promise<Response> {
    const url = new URL(request.url)
    if (url.pathname === '/console') return goTo(START)
    const asset = assets.find(request)
    if (asset) return asset
    const calls: Call[] = []
    const [session, now] = await Promise.all([doors.signedIn(request), doors.sandboxClock?.() ?? new Date()])
    const visit = { request, url, params: {}, form: new URLSearchParams(), now, correlationId, doors, session }
    const reply = await replyTo(visit, calls).catch((error: unknown) => errorView(error, visit))
    return reply instanceof Response ? secured(reply) : page(reply, visit, calls, assets, routes)
  }

  async function replyTo(visit: OpenVisit, calls: Call[]): Promise<View | Response> {
    const { request, url, session, correlationId } = visit
    const isChange = request.method === 'POST'
    if (isChange && !doors.isFromOurPages(request)) return forged()
    const [route, params] = find(routes, url.pathname)
    const form = isChange && !hasFile(request) ? new URLSearchParams(await request.text()) : visit.form
    if (route?.role === 'anybody') return run(route.page, { ...visit, params, form })
    if (!session) return goTo(`/console/sign-in?returnTo=${encodeURIComponent(returnTo(visit))}`)
    if (!route) return notFound()
    const role = isChange ? (route.change ?? route.role) : route.role
    if (!hasRole(session, role)) return url.pathname === START ? goTo(startOf(session)) : forbidden(role)
    if (role === 'approver' && session.decides === 'never') return undecided()
    // Before the form is filled in, so that nothing is lost.
    if (role === 'approver' && session.decides === 'again' && !isChange)
      return goTo(`/console/step-up?returnTo=${encodeURIComponent(url.pathname + url.search)}`)
    const client = clientOf(doors, session, correlationId, calls)
    const operator = operatorOf(doors, session, correlationId)
    return run(route.page, { ...visit, params, form, session, ...client, operator } satisfies Visit)
  }

  return { answer, stop: live.stop }
}

/** Where everybody comes in. Those who may not read matters, such as operators, go on to their own page. */
const START = '/console/'

const startOf = (session: Session) => (hasRole(session, 'operator') ? '/console/admin' : '/console/me')

type Compiled = Route & { pattern: RegExp }

// `:id` is one part of the address.
const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)

function find(routes: readonly Compiled[], path: string): [Compiled | undefined, Record<string, string>] {
  for (const route of routes) {
    const found = route.pattern.exec(path)
    if (found) return [route, { ...found.groups }]
  }
  return [undefined, {}]
}

async function run<V extends OpenVisit>({ show, change, upload }: Page<V>, visit: V): Promise<View | Response> {
  if (visit.request.method !== 'POST') return show(visit)
  const act = hasFile(visit.request) ? upload : change
  return act ? act(visit) : notFound()
}

const hasFile = ({ headers }: Request) => headers.get('content-type')?.startsWith('multipart/form-data') ?? false

/** A page that was asked for is shown after signing in. A form is not sent again by itself. */
const returnTo = ({ request, url }: OpenVisit) => (request.method === 'POST' ? '/console/' : url.pathname + url.search)

function page(view: View, visit: OpenVisit, calls: readonly Call[], assets: Assets, routes: readonly Route[]) {
  const { status = 200, headers = {}, now = visit.now } = view
  const text = shell(view, { ...visit, now }, { calls, assets, nav: linksFor(visit.session, routes) }).text
  return secured(new Response(text, { status, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } }))
}

/** A page that a person may not see is not linked. */
const linksFor = (session: Session | undefined, routes: readonly Route[]) =>
  routes.flatMap(({ path, role, nav }) =>
    nav && role !== 'anybody' && session && hasRole(session, role) ? [{ path, label: nav }] : [],
  )

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

function secured(response: Response): Response {
  if (!response.headers.has('content-security-policy')) response.headers.set('content-security-policy', POLICY)
  response.headers.set('cross-origin-opener-policy', 'same-origin')
  response.headers.set('referrer-policy', 'same-origin')
  response.headers.set('cache-control', 'no-store')
  return response
}
