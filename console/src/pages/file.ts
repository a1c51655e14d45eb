import type { Download } from '../../../client/src/index.ts'
import type { Page } from '../page.ts'

/** A file of a matter, to keep. It is never shown in the console's own window. */
export const file: Page = {
  show: async ({ api, params }) => {
    const path = { workspace_id: params['id'] ?? '', file_id: params['file'] ?? '' }
    return sent(await api.download('getFileContent', { path }))
  },
}

/** Everything about a matter as one file. */
export const evidence: Page = {
  show: async ({ api, params }) =>
    sent(await api.download('getEvidence', { path: { workspace_id: params['id'] ?? '' } })),
}

const KEPT = ['content-type', 'content-length', 'content-disposition']

const sent = ({ stream, headers }: Download): Response =>
  new Response(stream, {
    headers: KEPT.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ''] as [string, string]] : [])),
  })
