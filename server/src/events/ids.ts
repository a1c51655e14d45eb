import { Uuid } from '../platform/http/schema.ts'

// The identifiers of the interface: events and responses contain them, paths and queries ask for them.

const id = (description: string) => Uuid({ description })

/** In responses and events. */
export const Id = {
  workspaceId: id('The workspace. Paths and queries ask for it as `workspace_id`.'),
  lodgementCaseId: id('The lodgement case. A workspace has exactly one, from its creation.'),
  titleId: id('The title of the workspace. A title that replaces another one has a new id.'),
  partyId: id('The party, as the workspace lists it: a borrower, or an outgoing proprietor.'),
  proprietorId: id('The proprietor, as title reconciliation lists it: registered or incoming.'),
  representationId: id('The representation. A party that is represented again gets a new one.'),
  applicationId: id('The application. If it is needed again after being withdrawn, it has a new id.'),
  fileId: id('The file, whatever its outcome.'),
  financialSettlementScheduleId: id('The settlement schedule. A workspace has exactly one, from its creation.'),
  lineItemId: id('The line of the settlement schedule.'),
  confirmationId: id('The confirmation of a readiness rule.'),
  requisitionId: id('The requisition. A further question of the registry is a new requisition.'),
  subscriberId: id('The organisation on the platform.'),
  registrationId: id('The webhook registration. Paths ask for it as `registration_id`.'),
}

/** In paths and queries, with where to get each. An identifier of another subscriber's data is not found. */
export const PathId = {
  workspace_id: id('The `workspaceId` of a workspace that you created or take part in.'),
  lodgement_case_id: id('The `lodgementCaseId` of a workspace of yours, from `GET …/lodgement-cases`.'),
  application_id: id('The `applicationId` of one of the applications of the case.'),
  title_id: id('The `titleId` of the title of the case.'),
  party_id: id('The `partyId` of one of the parties of the workspace.'),
  representation_id: id('The `representationId`, from the list of representations.'),
  file_id: id('The `fileId` in the response to the upload.'),
  financial_settlement_schedule_id: id(
    'The `financialSettlementScheduleId` of a workspace of yours, from `GET …/financial-settlement-schedules`.',
  ),
  confirmation_id: id('The `confirmationId`, from the list of confirmations.'),
  line_item_id: id('The `lineItemId` of one of the lines of the schedule.'),
  registration_id: id('The `registrationId` in the response to the registration of the webhook.'),
  notification_id: id('The `notificationId`, from the list of deliveries.'),
  event_id: id('The `id` of an event, from the feed or a webhook.'),
}
