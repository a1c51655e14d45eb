import type { Page } from '../page.ts'
import { html } from '../ui/html.ts'

export const worklist: Page = {
  show: async () => ({ title: 'Worklist', live: 'matters', main: html`<h1>Worklist</h1>` }),
}
