import type { Page } from '../page.ts'

/** A file of a matter: to keep, or to look at in a window of its own (`?view`). All are PDFs that were checked. */
export const file: Page = {
  show: async ({ api, params, url }) => {
    const path = { workspace_id: params['id'] ?? '', file_id: params['file'] ?? '' }
    const response = sent(await api.download('getFileContent', { path }))
    if (!url.searchParams.has('view')) return response
    const disposition = response.headers.get('content-disposition') ?? ''
    response.headers.set('content-type', 'application/pdf')
    response.headers.set('content-disposition', disposition.replace('attachment', 'inline'))
    // A browser's reader of PDFs does not work below the policy of the pages.
    response.headers.set('content-security-policy', "frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
    return response
  },
}

/** Everything about a matter as one file. */
export const evidence: Page = {
  async show({ retrieve, params }) {
    const { body: stream, headers } = await retrieve('getEvidence', { workspace_id: params['id'] ?? '' })
    return sent({ stream, headers })
  },
}

const KEPT = ['content-type', 'content-length', 'content-disposition']

/** What was downloaded, as it came. */
export const sent = ({ stream, headers }: { stream: Response['body']; headers: Headers }): Response =>
  new Response(stream, {
    headers: KEPT.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ''] as [string, string]] : [])),
  })
