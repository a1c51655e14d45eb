import { type App, send } from '../mount.ts'
import { createSite, type SiteParts } from './site.ts'

const BOTH = ['text/html', 'text/markdown']
const PATHS = {
  '/llms.txt': ['text/plain', 'text/markdown'],
  '/docs': BOTH,
  '/docs/guide': BOTH,
  '/docs/guide/:name': BOTH,
  '/docs/operations/:name': BOTH,
  '/docs/a/:name': ['text/css', 'text/javascript'],
}

/** Adds the reference and the guide to an application, with or without the console. */
export function mountReference(app: App, parts: SiteParts): void {
  app.register(async (scope) => {
    const site = await createSite(parts)
    for (const [url, produces] of Object.entries(PATHS))
      scope.route({
        method: ['GET'],
        url,
        config: { scope: 'none', undocumented: true, produces },
        handler: async ({ url: path, headers }, reply) => {
          const { accept = '', 'accept-encoding': encoding = '' } = headers
          const wanted = { accept, 'accept-encoding': String(encoding) }
          return send(reply, await site.answer(new Request(parts.publicUrl + path, { headers: wanted })))
        },
      })
  })
}
