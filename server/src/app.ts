import type { RouteOptions } from 'fastify'
import { approvalRoutes } from './approvals/routes.ts'
import { createDirectory } from './auth/directory.ts'
import { addGuard } from './auth/guard.ts'
import type { SigningKeys } from './auth/keys.ts'
import { createLimiter, type Limiter, leasesOf } from './auth/limit.ts'
import { createPasses, type Passes } from './auth/passes.ts'
import { tokenRoutes } from './auth/routes.ts'
import { createIssuer, type TokenVerifier, verifierOfOther, verifierOfOwn } from './auth/tokens.ts'
import { noteUses } from './auth/uses.ts'
import { addressOf, type Config } from './config.ts'
import { consoleRoutes, referenceRoutes, startPage } from './console.ts'
import { fileRoutes } from './documents/routes.ts'
import { createWatch } from './events/watch.ts'
import { evidenceRoutes } from './evidence/routes.ts'
import type { Faults } from './faults/follow.ts'
import { addFaults } from './faults/inject.ts'
import { faultRoutes } from './faults/routes.ts'
import { figureRoutes } from './figures/routes.ts'
import { businessDayRoutes } from './jurisdiction/routes.ts'
import { requisitionRoutes } from './lodgement/requisition-routes.ts'
import { lodgementRoutes } from './lodgement/routes.ts'
import { feedRoutes } from './notifications/feed-routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { documentRoutes } from './openapi.ts'
import { OPERATOR_PATH } from './operator/parts.ts'
import { operatorRoutes } from './operator/routes.ts'
import type { Deps } from './platform/deps.ts'
import { type App, addRequestChecks, createApp } from './platform/http/http.ts'
import { addMethodNotAllowed } from './platform/http/methods.ts'
import { healthRoutes, type Readiness } from './platform/operations/health.ts'
import { addRequestMetrics, type Metrics } from './platform/operations/metrics.ts'
import type { ServiceState } from './platform/operations/state.ts'
import type { Telemetry } from './platform/operations/telemetry.ts'
import { reportRoutes } from './reports/routes.ts'
import { representationRoutes } from './representation/routes.ts'
import { addRequestLog } from './requests/record.ts'
import { requestRoutes } from './requests/routes.ts'
import { showRequests } from './requests/terminal.ts'
import { type Sandbox, sandboxRoutes } from './sandbox/routes.ts'
import { scenarioRoutes } from './scenarios/routes.ts'
import { createRuns } from './scenarios/runs.ts'
import { settlementRoutes } from './settlement/routes.ts'
import { subscriberRoutes } from './subscribers/routes.ts'
import { titleReconciliationRoutes } from './title-reconciliation/routes.ts'
import { titleRoutes } from './titles/routes.ts'
import { completionRoutes } from './worklist/completion-routes.ts'
import { worklistRoutes } from './worklist/routes.ts'
import { workspaceListRoutes } from './workspaces/list-routes.ts'
import { workspaceRoutes } from './workspaces/routes.ts'

export type AppParts = {
  config: Pick<
    Config,
    | 'host'
    | 'port'
    | 'trustProxy'
    | 'connectionsMax'
    | 'publicUrl'
    | 'audience'
    | 'otherIssuer'
    | 'tokenSeconds'
    | 'rateLimitPerMinute'
    | 'sandbox'
    | 'console'
  >
  deps: Deps
  state: ServiceState
  metrics: Metrics
  telemetry: Telemetry
  readiness: Readiness
  nodeId: string
  /** Undefined if another issuer is trusted. */
  own: { keys: SigningKeys; pepper: string } | undefined
  /** What operators change needs: the rights of the commands in the database, and the pepper of client secrets. */
  operator: { deps: Deps; pepper: string }
  /** Undefined outside the sandbox, whose routes then do not exist. */
  sandbox: (Sandbox & { faults: Faults }) | undefined
  isStopping: () => boolean
  isDraining: () => boolean
  /** Writes a line for each request, for a person at the terminal. */
  onRequest?: ((line: string) => void) | undefined
  /** Additional routes of tests and benchmarks. */
  extra?: (app: App, deps: Deps, passes: Passes) => void
}

/** The HTTP application: conventions, guard, and one line for each feature. */
export async function buildApp(parts: AppParts): Promise<{ app: App; routes: readonly RouteOptions[] }> {
  const { config, deps, state, metrics, telemetry, readiness, own, operator, sandbox, isStopping, isDraining } = parts
  const { trustProxy, connectionsMax } = config
  const app = await createApp({
    compilesLate: config.sandbox,
    log: deps.log,
    trustProxy,
    connectionsMax,
    isStopping,
    isDraining,
  })
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  addRequestMetrics(app, metrics)
  telemetry.addRequestSpans(app)
  addRequestLog(app, { ...deps, metrics, mode: config.sandbox ? 'sandbox' : 'live' })
  if (parts.onRequest) showRequests(app, parts.onRequest)

  const directory = createDirectory(deps.db.auth)
  const passes = createPasses()
  const claims = { issuer: config.otherIssuer?.issuer ?? config.publicUrl, audience: config.audience }
  addGuard(app, {
    verifier: verifierOf(config, own, claims),
    passes,
    directory,
    state,
    limiter: limiterOf(config, deps),
    onUse: noteUses(deps.db, (err) => deps.log.warn({ err }, 'The use of a client was not noted.')),
  })
  const beforeIssue = sandbox && addFaults(app, sandbox.faults)
  // A 405 would show everybody which paths operators have.
  const shown = () => routes.filter(({ url }) => !url.startsWith(OPERATOR_PATH))
  addRequestChecks(app, shown)

  if (own) {
    const issuer = createIssuer(own.keys, claims, config.tokenSeconds)
    const { publicUrl, tokenSeconds } = config
    tokenRoutes(app, { directory, issuer, ...own, publicUrl, tokenSeconds, ...(beforeIssue && { beforeIssue }) })
  }
  healthRoutes(app, readiness, parts.nodeId)
  workspaceRoutes(app, deps)
  workspaceListRoutes(app, deps)
  worklistRoutes(app, deps)
  completionRoutes(app, deps)
  subscriberRoutes(app, deps)
  titleRoutes(app, deps)
  titleReconciliationRoutes(app, deps)
  representationRoutes(app, deps)
  lodgementRoutes(app, deps)
  await fileRoutes(app, deps)
  requisitionRoutes(app, deps)
  approvalRoutes(app, deps)
  settlementRoutes(app, deps)
  businessDayRoutes(app, deps)
  reportRoutes(app, deps)
  evidenceRoutes(app, deps)
  figureRoutes(app, deps)
  const { watch, stop } = createWatch(deps)
  app.addHook('onClose', async () => stop())
  requestRoutes(app, deps)
  notificationRoutes(app, deps)
  feedRoutes(app, deps, watch)
  const addresses = [config.publicUrl, addressOf(config.host, config)]
  const runs = sandbox && createRuns(app, sandbox)
  if (sandbox && runs) {
    const hosts = addresses.map((address) => new URL(address).hostname)
    sandboxRoutes(app, sandbox, hosts)
    scenarioRoutes(app, sandbox, runs, hosts)
    const isOperation = (name: string) => routes.some(({ schema }) => schema?.operationId === name)
    faultRoutes(app, { ...sandbox, names: hosts, isOperation })
  }
  if (config.console) {
    const settings = { ...config, ...config.console }
    operatorRoutes(app, { ...operator, state, settings })
    consoleRoutes(app, { deps, passes, watch, state, runs, settings })
  }
  startPage(app, config.console ? '/console/' : '/docs')
  parts.extra?.(app, deps, passes)
  referenceRoutes(app, { document: documentRoutes(app, [...routes]), publicUrl: config.publicUrl })

  await app.after()
  addMethodNotAllowed(app, shown())
  return { app, routes }
}

function limiterOf({ rateLimitPerMinute: perMinute }: AppParts['config'], { db, log }: Deps): Limiter | undefined {
  if (perMinute === 0) return undefined
  const onError = (err: unknown) => log.warn({ err }, 'This node counts the requests of a client alone for a minute.')
  return createLimiter({ perMinute, lease: leasesOf(db.auth, perMinute), onError })
}

function verifierOf(
  { otherIssuer }: AppParts['config'],
  own: AppParts['own'],
  claims: { issuer: string; audience: string },
): TokenVerifier {
  if (otherIssuer) return verifierOfOther(otherIssuer.jwksUrl, claims)
  if (own) return verifierOfOwn(own.keys, claims)
  throw new Error('There is neither a signing key nor another issuer to trust.')
}
