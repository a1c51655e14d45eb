import type { Page } from '../page.ts'
import { html } from '../ui/html.ts'
import { dateTime, day, since } from '../ui/time.ts'

export const matters: Page = {
  async show({ api, now }) {
    const { records } = await api.listWorkspaces()
    return {
      title: 'Matters',
      live: 'matters',
      main: html`<h1>Matters</h1><table class="rows"><tbody>${records.map(
        ({ workspaceId, reference, createdAt, lastModifiedAt, completionDate }) =>
          html`<tr id="${workspaceId}"><td><a href="/console/matters/${workspaceId}">${reference}</a></td><td>${since(createdAt, now)}</td><td>${dateTime(lastModifiedAt)}</td><td>${completionDate && day(completionDate)}</td></tr>`,
      )}</tbody></table>`,
    }
  },
}
