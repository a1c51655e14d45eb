import type { Page } from '../page.ts'
import { html } from '../ui/html.ts'
import { adminView } from './admin-parts.ts'
import { countedAt, figurePlots } from './figures.ts'

const PATH = '/console/admin/figures'

/** The figures of all subscribers together: counts, and nothing of any matter. */
export const adminFigures: Page = {
  async show(visit) {
    const found = await visit.operator.figures()
    return adminView(
      visit,
      'Figures',
      html`<h1>Figures</h1><p class="lead">All subscribers, the last 90 days${countedAt(found)}.</p>${figurePlots(found, PATH)}`,
    )
  },
}

export const adminFigureFile: Page = {
  async show({ operator, params }) {
    const name = params['name'] ?? ''
    const { csv } = await operator.figureFile(name)
    return new Response(csv, {
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${name}.csv"`,
      },
    })
  },
}
