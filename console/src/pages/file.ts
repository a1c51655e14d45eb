import type { Page } from '../page.ts'

/** A file of a matter, to keep. It is never shown in the console's own window. */
export const file: Page = {
  async show({ api, params }) {
    const path = { workspace_id: params['id'] ?? '', file_id: params['file'] ?? '' }
    const { stream, headers } = await api.download('getFileContent', { path })
    const kept = ['content-type', 'content-length', 'content-disposition']
    return new Response(stream, {
      headers: kept.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ''] as [string, string]] : [])),
    })
  },
}
