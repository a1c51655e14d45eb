import type { Deps } from '../platform/deps.ts'
import type { App } from '../platform/http/http.ts'
import { PAGE_RECORDS_DEFAULT } from '../platform/http/schema.ts'
import { latestCompletionDate } from '../settlement/rules.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { businessDaysFrom } from './business-days.ts'
import { londonDate } from './london.ts'
import { BusinessDays, BusinessDaysQuery } from './schema.ts'

export function businessDayRoutes(app: App, { clock }: Pick<Deps, 'clock'>): void {
  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/business-days`,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'listBusinessDays',
      tags: ['Settlement'],
      summary: 'List the business days of England and Wales',
      description:
        'To choose a completion date: those from today to `latestCompletionDate` are accepted. Bank holidays are known ' +
        'for 2024 to 2031. To read on, ask again from the day after the last record.',
      querystring: BusinessDaysQuery,
      response: { 200: BusinessDays },
    },
    handler: async ({ query }) => {
      const today = londonDate(clock.now())
      const days = businessDaysFrom(query.from ?? today, query.limit ?? PAGE_RECORDS_DEFAULT)
      return { records: days.map((date) => ({ date })), latestCompletionDate: latestCompletionDate(today) }
    },
  })
}
