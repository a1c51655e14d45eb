import { penceOf } from '../jurisdiction/money.ts'
import { changeMatter } from '../matter/change.ts'
import type { Matter } from '../matter/matter.ts'
import type { Deps } from '../platform/deps.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { linkedParties } from '../title-reconciliation/rules-links.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { presentApplication, presentCase } from './present.ts'
import { applicationAmong, findApplication, findCase } from './records.ts'
import { isEffectAlone, type Particulars, particularsOf, partOfUpdate, updateApplication } from './rules.ts'
import { Application, ApplicationPath, LodgementCaseQuery, LodgementCases, UpdateApplicationRequest } from './schema.ts'

const url = `${PARTNER_PATH}/lodgement-cases`
const tags = ['Lodgement']
const noSuchOne = { 404: 'No such case (`lodgement_case_id`), or no such application in it (`application_id`).' }

export function lodgementRoutes(app: App, deps: Deps): void {
  const { db } = deps

  app.route({
    method: 'GET',
    url,
    config: {
      scope: 'x-api:view:lodgement_summary',
      refusals: { 404: 'No such workspace, or not one that you may see.' },
    },
    schema: {
      operationId: 'getLodgementCases',
      tags,
      summary: 'Read the lodgement case of a workspace',
      description:
        'The case is there from the creation of the workspace, with its applications, their documents and the open ' +
        'requisition. Its progress at the registry shows in its status and in events.',
      querystring: LodgementCaseQuery,
      answerHeaders: { ETag: 'Changes when the case does.' },
      response: { 200: LodgementCases },
    },
    handler: async (request, reply) => {
      const row = await findCase(db.read, request.caller, request.query.workspace_id)
      return sendWithEtag(request, reply, { records: [presentCase(row, linkedParties(row))] })
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:lodgement_case_id/applications/:application_id`,
    config: { scope: 'x-api:view:lodgement_summary', refusals: noSuchOne },
    schema: {
      operationId: 'getLodgementApplication',
      tags,
      summary: 'Read a lodgement application',
      description:
        'What was said of it, its main document and its fee. Its `ETag` is the one that a change may name in `If-Match`.',
      params: ApplicationPath,
      response: { 200: Application },
    },
    handler: async (request, reply) => {
      const { lodgement_case_id: caseId, application_id: applicationId } = request.params
      const found = await findApplication(db.read, request.caller, caseId, applicationId)
      return sendWithEtag(request, reply, presentApplication(found))
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:lodgement_case_id/applications/:application_id`,
    config: {
      scope: 'x-api:edit:lodgement_applications',
      kinds: ['LAW_FIRM'],
      refusals: {
        ...noSuchOne,
        409: 'The workspace is not open for it, the application is withdrawn, or a digital deed has no reference (`mortgageDeedReference`).',
      },
    },
    schema: {
      operationId: 'updateLodgementApplication',
      tags,
      summary: 'Update a lodgement application',
      description:
        'Checked by its result, so fields that belong together can come together. A change takes back the approval of the case. ' +
        'The same again changes nothing. `isEffective` alone takes nothing back, and may also be sent while the case is ' +
        '`PREPARED` or `RESUBMISSION_PREPARED`: a case that waits for its digital deed is then sent at once.',
      params: ApplicationPath,
      body: UpdateApplicationRequest,
      response: { 200: Application },
    },
    handler: (request, reply) => {
      const { lodgement_case_id: lodgementCaseId, application_id: applicationId } = request.params
      const present = ({ applications }: Matter) => presentApplication(applicationAmong(applications, applicationId))
      return changeMatter(deps, request, reply, {
        of: { lodgementCaseId },
        part: ({ applications }) =>
          partOfUpdate(applicationAmong(applications, applicationId).application, request.body),
        shown: (matter) => [present(matter)],
        decide: ({ applications }) => {
          const { application } = applicationAmong(applications, applicationId)
          const before = particularsOf(application)
          const after = updateApplication(application, before, askedOf(request.body))
          const kind = isEffectAlone(request.body) ? 'deed effect updated' : 'application updated'
          return after === before ? [] : [{ kind, applicationId, before, after }]
        },
        answer: present,
      })
    },
  })
}

const askedOf = ({ transactionValue, outstandingCharge, ...asked }: UpdateApplicationRequest): Particulars => ({
  ...asked,
  ...(transactionValue !== undefined && { transactionValuePence: penceOf(transactionValue) }),
  ...(outstandingCharge !== undefined && { outstandingChargePence: penceOf(outstandingCharge) }),
})
