import { londonDate } from '../jurisdiction/london.ts'
import { changeMatter } from '../matter/change.ts'
import { scheduleOf } from '../matter/matter.ts'
import type { Deps } from '../platform/deps.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { fundsRoutes } from './funds-routes.ts'
import { lineItemRoutes } from './line-routes.ts'
import { paymentRoutes } from './payment-routes.ts'
import { presentSchedule, presentSchedules } from './present.ts'
import { completionDateErrors } from './rules.ts'
import { Schedule, SchedulePath, Schedules, SchedulesQuery, UpdateScheduleRequest } from './schema.ts'
import { findSchedule } from './store.ts'

const url = `${PARTNER_PATH}/financial-settlement-schedules`
const tags = ['Settlement']

export function settlementRoutes(app: App, deps: Deps): void {
  const { db, clock } = deps

  app.route({
    method: 'GET',
    url,
    config: {
      scope: 'view:financial_settlement_schedules',
      refusals: { 404: 'No such workspace, or not one that you may see.' },
    },
    schema: {
      operationId: 'getFinancialSettlementSchedules',
      tags,
      summary: 'Read the settlement schedule of a workspace',
      description:
        'What comes in, where it goes, what that comes to and who approved it. The schedule is there from the creation ' +
        'of the workspace, at first without lines and without a date.',
      querystring: SchedulesQuery,
      answerHeaders: { ETag: 'Changes when the schedule does.' },
      response: { 200: Schedules },
    },
    handler: async (request, reply) => {
      const row = await findSchedule(db.read, request.caller, request.query.workspace_id)
      const shown = presentSchedules(row)
      // How it was paid is known when its status says that it was.
      return sendWithEtag(
        request,
        reply,
        shown,
        row.settlement ? presentSchedules({ ...row, settlement: null }) : shown,
      )
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:financial_settlement_schedule_id`,
    config: {
      scope: 'edit:financial_settlement_schedules',
      kinds: ['LAW_FIRM'],
      combinations: (body) => completionDateErrors(body, londonDate(clock.now())),
      refusals: {
        404: 'No such schedule (`financial_settlement_schedule_id`).',
        409: 'The workspace is not open for it.',
      },
    },
    schema: {
      operationId: 'updateFinancialSettlementSchedule',
      tags,
      summary: 'Set the completion date',
      description: 'Takes back the approval of the schedule. The same date again changes nothing.',
      params: SchedulePath,
      body: UpdateScheduleRequest,
      response: { 200: Schedule },
    },
    handler: (request, reply) => {
      const { completionDate } = request.body
      return changeMatter(deps, request, reply, {
        of: { scheduleId: request.params.financial_settlement_schedule_id },
        part: 'schedule',
        shown: (matter) => [presentSchedules(scheduleOf(matter))],
        decide: ({ workspace }) =>
          workspace.completionDate === completionDate ? [] : [{ kind: 'completion date set', completionDate }],
        answer: (matter) => presentSchedule(scheduleOf(matter)),
      })
    },
  })

  lineItemRoutes(app, deps)
  fundsRoutes(app, deps)
  paymentRoutes(app, deps)
}
