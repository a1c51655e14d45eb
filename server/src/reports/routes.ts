import type { Deps } from '../platform/deps.ts'
import { sendBlob } from '../platform/http/download.ts'
import type { App } from '../platform/http/http.ts'
import { checkParameters } from '../platform/http/validate.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { checkReportDate, checkReportName, chooseRun, reportFileName } from './rules.ts'
import { ReportContent, ReportPath, ReportQuery } from './schema.ts'
import { listRuns } from './store.ts'

export function reportRoutes(app: App, { db, clock, blobs }: Deps): void {
  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/reports/:report_name/content`,
    config: {
      scope: 'x-api:view:reports',
      produces: ['application/octet-stream'],
      validatesItself: true, // the report's name is checked before the format of the date
      refusals: {
        400: '`date` has the wrong format; or, if the date is right, there is a query parameter that this operation does not have.',
        404: 'There is no report with this name (`reportName`) or for this date (`requestedDate`), or it was never generated for the subscriber (`subscriberId`).',
      },
    },
    schema: {
      operationId: 'getReportContent',
      tags: ['Reports'],
      summary: 'Retrieve a report',
      description:
        'Reports are made for each London date in the night after it, so the newest is yesterday’s. A report is served ' +
        'while it is less than 15 days old.',
      answerHeaders: {
        'X-Report-Row-Count': 'How many rows follow the header row.',
        'X-Report-Sha256': 'The SHA-256 of the whole file.',
      },
      examples: {
        400: { errors: [{ field: 'date', message: 'date must have the format yyyy-mm-dd.' }] },
        404: { errors: [{ field: 'requestedDate', message: 'There is no report for 2026-03-01.' }] },
      },
      params: ReportPath,
      querystring: ReportQuery,
      response: { 200: ReportContent },
    },
    handler: async (request, reply) => {
      const name = checkReportName(request.params.report_name)
      const date = checkReportDate(request.query.date)
      checkParameters(ReportQuery, request.query)
      const { subscriberId } = request.caller
      const run = chooseRun(await listRuns(db.read, subscriberId, name), date, clock.now())
      reply.header('x-report-row-count', String(run.rowCount)).header('x-report-sha256', run.sha256)
      return sendBlob(request, reply, blobs, { ...run, fileName: reportFileName(name, subscriberId, run.reportDate) })
    },
  })
}
