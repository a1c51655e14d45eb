import { londonDate } from '../jurisdiction/london.ts'
import { confirmPayment, failPayment, paidOnErrors, takeBackPayment } from '../manual-payments/rules.ts'
import { FILE_FORMATS, paymentFileOf } from '../manual-payments/rules-file.ts'
import { findPayable } from '../manual-payments/store.ts'
import { FILE_ENDINGS, writeFile } from '../manual-payments/write-file.ts'
import { changeMatter } from '../matter/change.ts'
import { scheduleOf } from '../matter/matter.ts'
import type { Deps } from '../platform/deps.ts'
import { disposition } from '../platform/http/download.ts'
import type { App } from '../platform/http/http.ts'
import { Choice, Type } from '../platform/http/schema.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { ConfirmPaymentRequest, PaymentFailureRequest, PaymentFileContent } from './funds-schema.ts'
import { presentLine, presentSchedule } from './present.ts'
import { lineIn } from './rules.ts'
import { LineItem, LineItemPath, Schedule, SchedulePath } from './schema.ts'

const url = `${PARTNER_PATH}/financial-settlement-schedules/:financial_settlement_schedule_id`
const lineUrl = `${url}/line-items/:line_item_id/payment`
const tags = ['Settlement']
const edit = { scope: 'edit:financial_settlement_schedules', kinds: ['LAW_FIRM'], isDecision: true } as const
const NO_LINE = 'No such schedule (`financial_settlement_schedule_id`), or no such line item in it (`line_item_id`).'
const NO_SCHEDULE = 'No such schedule (`financial_settlement_schedule_id`).'

/** Where the law firm pays from its own client account (`PAYMENTS=manual`): what it says of each payment, and the file. */
export function paymentRoutes(app: App, deps: Deps): void {
  const { db, clock } = deps

  app.route({
    method: 'PUT',
    url: lineUrl,
    config: {
      ...edit,
      combinations: (body) => paidOnErrors(body, londonDate(clock.now())),
      refusals: {
        404: NO_LINE,
        409: 'The schedule is not `PAYING`, or this person has changed the line (`confirmedBy`).',
      },
    },
    schema: {
      operationId: 'confirmLineItemPayment',
      tags,
      summary: 'Confirm that a line was paid, or its money received',
      description:
        'While the schedule is `PAYING`. For a `SOURCE` it means received, for a `DESTINATION` paid. Another confirmation ' +
        'replaces the one before; the same again changes nothing. With the last line the schedule is `SETTLED`, the funds ' +
        'are exchanged and the case is sent. Published as `LINE_ITEM_PAID`.',
      params: LineItemPath,
      body: ConfirmPaymentRequest,
      response: { 200: LineItem },
    },
    handler: (request, reply) => {
      const { financial_settlement_schedule_id: scheduleId, line_item_id: lineItemId } = request.params
      return changeMatter(deps, request, reply, {
        of: { scheduleId },
        decide: (matter, _, { at }) =>
          confirmPayment(scheduleOf(matter), lineIn(matter.schedule, lineItemId), request.body, at),
        answer: ({ schedule }) => presentLine(lineIn(schedule, lineItemId)),
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: lineUrl,
    config: { ...edit, refusals: { 404: NO_LINE, 409: 'The schedule is not `PAYING`.' } },
    schema: {
      operationId: 'deleteLineItemPayment',
      tags,
      summary: 'Take back the confirmation of a line',
      description:
        'Until the schedule is `SETTLED`. Published as `LINE_ITEM_UNPAID`; nothing happens to a line that is not confirmed.',
      params: LineItemPath,
      response: { 204: Type.Null() },
    },
    handler: (request, reply) => {
      const { financial_settlement_schedule_id: scheduleId, line_item_id: lineItemId } = request.params
      return changeMatter(deps, request, reply, {
        of: { scheduleId },
        decide: (matter) => takeBackPayment(scheduleOf(matter), lineIn(matter.schedule, lineItemId)),
        answer: () => {
          reply.code(204)
          return null
        },
      })
    },
  })

  app.route({
    method: 'POST',
    url: `${url}/payment-failure`,
    config: {
      ...edit,
      refusals: { 404: NO_SCHEDULE, 409: 'The schedule is not `PAYING`, or a line of it is confirmed.' },
    },
    schema: {
      operationId: 'reportPaymentFailure',
      tags,
      summary: 'Say that a schedule cannot be paid',
      description:
        'While the schedule is `PAYING` and no line is confirmed. The authorisation of the funds is withdrawn as if a bank ' +
        'had refused, with the reason in `failure`; the lender may authorise again. Published as `WORKSPACE_FUNDS_UNAUTHORISED`.',
      params: SchedulePath,
      body: PaymentFailureRequest,
      response: { 200: Schedule },
    },
    handler: (request, reply) =>
      changeMatter(deps, request, reply, {
        of: { scheduleId: request.params.financial_settlement_schedule_id },
        decide: (matter) => failPayment(scheduleOf(matter), request.body),
        answer: (matter) => presentSchedule(scheduleOf(matter)),
      }),
  })

  app.route({
    method: 'GET',
    url: `${url}/payment-file`,
    config: {
      scope: 'view:financial_settlement_schedules',
      kinds: ['LAW_FIRM'],
      produces: ['application/octet-stream'],
      isMade: true,
      refusals: {
        404: NO_SCHEDULE,
        409: 'Funds are not authorised; the account that the law firm pays from is not set; or a name or a reference has a character that UK payments do not allow (`lineItems[1].bankAccount.accountName`).',
      },
    },
    schema: {
      operationId: 'getPaymentFile',
      tags,
      summary: 'Download the payments of a schedule as a file for the bank',
      description:
        'The destinations, from the time when the funds are authorised. Every copy for one authorisation has the same ' +
        '`MsgId`, so that a bank can refuse a second one.',
      params: SchedulePath,
      querystring: Type.Object({
        format: Choice(FILE_FORMATS, { description: '`PAIN_001` is the ISO 20022 message pain.001.001.09.' }),
      }),
      response: { 200: PaymentFileContent },
    },
    handler: async (request, reply) => {
      const { format } = request.query
      const { financial_settlement_schedule_id: scheduleId } = request.params
      const file = paymentFileOf(await findPayable(db.read, request.caller, scheduleId), format)
      const fileName = `payments_${scheduleId}_${file.executionDate}.${FILE_ENDINGS[format]}`
      reply.type('application/octet-stream').header('content-disposition', disposition(fileName))
      return reply.send(Buffer.from(writeFile[format](file, clock.now())))
    },
  })
}
