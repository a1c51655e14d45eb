import { businessDaysFrom } from '../jurisdiction/business-days.ts'
import { londonDate } from '../jurisdiction/london.ts'
import { poundsOf } from '../jurisdiction/money.ts'
import type { Deps } from '../platform/deps.ts'
import type { App } from '../platform/http/http.ts'
import { type Bounds, pageOf } from '../platform/http/page.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { presentTurn } from '../workspaces/present.ts'
import { CompletionDays, CompletionDaysQuery, CompletionsPage, CompletionsQuery } from './completion-schema.ts'
import { type CompletionRow, countCompletions, listCompletions } from './completions.ts'

const tags = ['Settlement']
const config = { scope: 'view:financial_settlement_schedules' } as const
const DAYS_DEFAULT = 10

export function completionRoutes(app: App, { db, vault, clock }: Pick<Deps, 'db' | 'vault' | 'clock'>): void {
  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/completions/days`,
    config,
    schema: {
      operationId: 'listCompletionDays',
      tags,
      summary: 'Count what completes on the next business days',
      description:
        'How many workspaces, how much money, and how many without authorised funds. Cancelled ones are left out.',
      querystring: CompletionDaysQuery,
      response: { 200: CompletionDays },
    },
    handler: async ({ caller, query }) => {
      const dates = businessDaysFrom(query.from ?? londonDate(clock.now()), query.limit ?? DAYS_DEFAULT)
      const days = await countCompletions(db.read, caller, dates)
      return { records: days.map(({ pence, ...day }) => ({ ...day, amount: poundsOf(pence) })) }
    },
  })

  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/completions`,
    config,
    schema: {
      operationId: 'listCompletions',
      tags,
      summary: 'List what completes on a day, with its money',
      description: 'Each with whose turn it is and, where the payment was refused, why. Cancelled ones are left out.',
      querystring: CompletionsQuery,
      response: { 200: CompletionsPage },
    },
    handler: (request) =>
      pageOf(
        vault,
        request,
        (bounds: Bounds) => listCompletions(db.read, request.caller, request.query.date, bounds),
        presentCompletion,
      ),
  })
}

const presentCompletion = ({ seq: _, pence, refusal, turn, ...row }: CompletionRow) => ({
  ...row,
  amount: poundsOf(pence),
  ...(refusal !== null && { refusal }),
  ...(turn && { turn: presentTurn(turn) }),
})
