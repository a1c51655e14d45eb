import type { IncomingMessage } from 'node:http'
import { resolve } from 'node:path'
import type { Doors } from '../../console/src/doors.ts'
import { mountConsole } from '../../console/src/mount.ts'
import { mountReference } from '../../console/src/reference/mount.ts'
import type { SiteParts } from '../../console/src/reference/site.ts'
import type { Passes } from './auth/passes.ts'
import type { Config } from './config.ts'
import type { Watch } from './events/watch.ts'
import { clientFetcherOf, fetcherOf, sourceOf } from './people/fetch-as.ts'
import { protectPages } from './people/protect.ts'
import { openProvider } from './people/provider.ts'
import { isFromOurPages } from './people/rules-origin.ts'
import { createSessions } from './people/sessions.ts'
import type { ConsoleSettings } from './people/settings.ts'
import { createSignIn } from './people/sign-in.ts'
import { listPeopleById } from './people/store.ts'
import type { Deps } from './platform/deps.ts'
import { Refusal } from './platform/errors.ts'
import { liftDeadline } from './platform/http/connections.ts'
import type { App } from './platform/http/http.ts'
import type { ServiceState } from './platform/operations/state.ts'
import { createRequestWatch } from './requests/watch.ts'
import { PEOPLE } from './sandbox/accounts.ts'
import type { Runs } from './scenarios/runs.ts'
import { specimens } from './scenarios/specimens.ts'

type Parts = {
  deps: Deps
  passes: Passes
  watch: Watch
  /** Undefined outside the sandbox. */
  runs: Runs | undefined
  state: Pick<ServiceState, 'maintenance'>
  settings: ConsoleSettings & Pick<Config, 'sandbox' | 'publicUrl'>
}

/** Adds the console at `/console`: what the pages need of the service, and nothing more. */
export function consoleRoutes(app: App, { deps, passes, watch, state, runs, settings }: Parts): void {
  const { db, clock, log } = deps
  const { sandbox, publicUrl } = settings
  const sessions = createSessions(deps, settings)
  const warn = (message: string) => log.warn(message)
  const provider = settings.provider && openProvider({ ...settings.provider, publicUrl, warn })
  const signIn = createSignIn({ ...deps, settings, sessions, provider })
  const people = () =>
    listPeopleById(
      db.read,
      PEOPLE.map(({ id }) => id),
    )

  const requestWatch = createRequestWatch(deps)
  app.addHook('onClose', async () => requestWatch.stop())

  app.register(async (scoped) => {
    const pages = scoped as unknown as App
    protectPages(pages, settings)
    const doors: Doors = {
      signedIn: sessions.signedIn,
      isFromOurPages: ({ method, headers }) =>
        isFromOurPages({ method, site: headers.get('sec-fetch-site'), origin: headers.get('origin') }, publicUrl),
      fetchAs: fetcherOf({ app, passes }),
      sourceOf,
      publicUrl,
      ...(sandbox && {
        sandboxClock: async () => clock.now(),
        fetchAsClient: clientFetcherOf({ app, passes }, db.read),
      }),
      ...(runs && { sandbox: { specimens: specimens(), watchRuns: runs.watch } }),
      isUnderMaintenance: state.maintenance,
      watch,
      watchRequests: requestWatch.watch,
      report: (err) => log.error({ err }, 'unexpected error'),
      sessions,
      signIn: { ...signIn, ...(sandbox && { people }), ...(provider && { provider }) },
    }
    mountConsole(pages, doors, (raw) => liftDeadline(raw as IncomingMessage))
  })
}

const NOTHING = 'There is nothing at this path. /docs describes the interface, /openapi.json does it for programs.'
const GUIDE = resolve(import.meta.dirname, '../../docs/guide')

/** The reference and the guide at `/docs`. */
export const referenceRoutes = (app: App, parts: Omit<SiteParts, 'guideFolder'>): void =>
  mountReference(app as unknown as Parameters<typeof mountReference>[0], { ...parts, guideFolder: GUIDE })

/** A browser that opens the service is led to the console or, where that is off, to the reference. */
export function startPage(app: App, target: '/console/' | '/docs'): void {
  app.route({
    method: 'GET',
    url: '/',
    config: { scope: 'none', undocumented: true, produces: ['text/html'] },
    handler: (request, reply) => {
      if (request.headers.accept?.includes('text/html')) return reply.redirect(target, 303)
      throw new Refusal('not_found', [{ message: NOTHING }])
    },
  })
}
