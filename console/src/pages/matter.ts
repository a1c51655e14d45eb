import type { Page } from '../page.ts'
import { html } from '../ui/html.ts'
import { TENURE_WORDS } from '../words.ts'

export const matter: Page = {
  async show({ api, params }) {
    const { reference, workspaceId, titles } = await api.getWorkspace({ path: { workspace_id: params['id'] ?? '' } })
    return {
      title: reference,
      live: `matter:${workspaceId}`,
      main: html`<h1>${reference}</h1>${titles.map(({ tenure }) => tenure && TENURE_WORDS[tenure])}`,
    }
  },
}
