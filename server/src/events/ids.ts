import { Uuid } from '../platform/http/schema.ts'

// The identifiers of the interface, and what each of them names. Events bear them, answers show them, paths ask for them.

const id = (description: string) => Uuid({ description })

/** As answers and events show them. */
export const Id = {
  workspaceId: id('The workspace. Paths and queries ask for it as `workspace_id`.'),
  lodgementCaseId: id('The one lodgement case of the workspace, there from its creation.'),
  titleId: id('The title of the workspace. A number that takes the place of one not found has a new id.'),
  partyId: id('The party, as the workspace lists it: a borrower, or a proprietor who leaves.'),
  proprietorId: id('The proprietor, as title reconciliation lists it: on the register, or coming to it.'),
  representationId: id('The representation. A party that is represented again has another.'),
  applicationId: id('The application. One that is needed again after it was withdrawn has a new id.'),
  fileId: id('The file, whatever its outcome.'),
  financialSettlementScheduleId: id('The one settlement schedule of the workspace, there from its creation.'),
  lineItemId: id('The line of the settlement schedule.'),
  requisitionId: id('The requisition. What the registry asks after an answer is another.'),
  subscriberId: id('The organisation on the platform.'),
  registrationId: id('The webhook registration. Paths ask for it as `registration_id`.'),
}

/** As paths and queries ask for them, each with where it is had from. What is not the caller's is not found. */
export const PathId = {
  workspace_id: id('A workspace that you created or take part in: its `workspaceId`.'),
  lodgement_case_id: id('The `lodgementCaseId` of a workspace of yours, from `GET …/lodgement-cases`.'),
  application_id: id('The `applicationId` of one of the applications of the case.'),
  title_id: id('The `titleId` of the title of the case.'),
  representation_id: id('The `representationId`, from the list of representations.'),
  file_id: id('The `fileId` that the upload answered.'),
  financial_settlement_schedule_id: id(
    'The `financialSettlementScheduleId` of a workspace of yours, from `GET …/financial-settlement-schedules`.',
  ),
  line_item_id: id('The `lineItemId` of one of the lines of the schedule.'),
  registration_id: id('The `registrationId` that registering the webhook answered.'),
  notification_id: id('The `notificationId`, from the list of deliveries.'),
}
