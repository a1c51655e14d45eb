import { randomUUID } from 'node:crypto'
import { penceOf } from '../jurisdiction/money.ts'
import { changeMatter } from '../matter/change.ts'
import { scheduleOf } from '../matter/matter.ts'
import type { Deps } from '../platform/deps.ts'
import { etagOf } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { Type } from '../platform/http/schema.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { checkOpen } from '../workspaces/status.ts'
import { presentLine, presentSchedules } from './present.ts'
import {
  changeLine,
  checkRoom,
  LINE_ITEMS_MAX,
  type LineItem as Line,
  lineIn,
  lineItemChangeErrors,
  lineItemErrors,
} from './rules.ts'
import { LineItem, LineItemPath, LineItemRequest, SchedulePath, UpdateLineItemRequest } from './schema.ts'

const url = `${PARTNER_PATH}/financial-settlement-schedules/:financial_settlement_schedule_id/line-items`
const oneUrl = `${url}/:line_item_id`
const tags = ['Settlement']
const edit = { scope: 'edit:financial_settlement_schedules', kinds: ['LAW_FIRM'] } as const
const refusals = {
  404: 'No such schedule (`financial_settlement_schedule_id`), or no such line item in it (`line_item_id`).',
  409: 'The workspace is not open for it.',
}
const description = 'Withdraws the approval of the schedule. Published as `FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED`.'

export function lineItemRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url,
    config: {
      ...edit,
      combinations: lineItemErrors,
      refusals: {
        404: 'No such schedule (`financial_settlement_schedule_id`).',
        409: `The workspace is not open for it, or the schedule has ${LINE_ITEMS_MAX} line items already.`,
      },
    },
    schema: {
      operationId: 'addLineItem',
      tags,
      summary: 'Add a line item to the settlement schedule',
      description,
      params: SchedulePath,
      body: LineItemRequest,
      answerHeaders: { ETag: 'For the `If-Match` of a change.' },
      response: { 201: LineItem },
    },
    handler: (request, reply) => {
      const { amount, ...given } = request.body
      const line: Line = { lineItemId: randomUUID(), ...given, amountPence: penceOf(amount) }
      return changeMatter(deps, request, reply, {
        of: { scheduleId: request.params.financial_settlement_schedule_id },
        part: 'schedule',
        decide: ({ schedule }) => {
          checkRoom(schedule.lines)
          return [{ kind: 'line item added', line }]
        },
        answer: () => {
          reply.code(201).header('etag', etagOf(presentLine(line)))
          return presentLine(line)
        },
      })
    },
  })

  app.route({
    method: 'PATCH',
    url: oneUrl,
    config: { ...edit, combinations: lineItemChangeErrors, refusals },
    schema: {
      operationId: 'updateLineItem',
      tags,
      summary: 'Change a line item',
      description:
        `${description} The same again changes nothing. \`If-Match\` takes the ETag of the line item, or that of ` +
        'the schedule in which it was read.',
      params: LineItemPath,
      body: UpdateLineItemRequest,
      response: { 200: LineItem },
    },
    handler: (request, reply) => {
      const { financial_settlement_schedule_id: scheduleId, line_item_id: lineItemId } = request.params
      return changeMatter(deps, request, reply, {
        of: { scheduleId },
        part: 'schedule',
        shown: (matter) => [presentLine(lineIn(matter.schedule, lineItemId)), presentSchedules(scheduleOf(matter))],
        decide: (matter) => {
          const former = lineIn(matter.schedule, lineItemId)
          const line = changeLine(former, request.body)
          return line === former ? [] : [{ kind: 'line item changed', line }]
        },
        answer: (matter) => presentLine(lineIn(matter.schedule, lineItemId)),
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: oneUrl,
    config: { ...edit, refusals },
    schema: {
      operationId: 'deleteLineItem',
      tags,
      summary: 'Delete a line item',
      description,
      params: LineItemPath,
      response: { 204: Type.Null() },
    },
    handler: (request, reply) => {
      const { financial_settlement_schedule_id: scheduleId, line_item_id: lineItemId } = request.params
      return changeMatter(deps, request, reply, {
        of: { scheduleId },
        decide: (matter) => {
          lineIn(matter.schedule, lineItemId)
          checkOpen(matter.workspace.status, 'schedule', matter.lodgementCase.status)
          return [{ kind: 'line item deleted', lineItemId }]
        },
        answer: () => {
          reply.code(204)
          return null
        },
      })
    },
  })
}
