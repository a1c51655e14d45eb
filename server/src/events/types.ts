/** Every type of event with its meaning, in the order of a workspace's life. The list is closed. */
export const EVENT_TYPES = {
  WORKSPACE_CREATED: 'A workspace was created.',
  WORKSPACE_PARTICIPANT_ADDED: 'A law firm was named as a participant of a workspace.',
  WORKSPACE_UPDATED: 'The lender changed the reference or the security address of a workspace.',
  TITLE_SEARCH_PENDING: 'The registry was asked for a title and has not answered yet.',
  TITLE_DATA_RECEIVED: 'The registry answered with the register of the title.',
  TITLE_NOT_FOUND: 'The title search failed: the title is unknown, closed or still pending.',
  TITLE_REMOVED: 'The title was removed from a workspace, with all that came from it.',
  TITLE_RECONCILIATION_UPDATED: 'A party or a proprietor was renamed, or set as incoming or outgoing, or no longer is.',
  REPRESENTATION_ADDED: 'A representation of a party became active.',
  REPRESENTATION_FAILED: 'A representation that was queued could not become active.',
  REPRESENTATION_UPDATED: 'The details of an external law firm were changed.',
  FILE_UPLOAD_SUCCEEDED: 'An uploaded file passed its checks.',
  FILE_UPLOAD_FAILED: 'An uploaded file did not pass its checks, or came too late.',
  FILE_WITHDRAWN: 'A file was withdrawn and no longer counts.',
  LODGEMENT_APPLICATION_UPDATED: 'An application of the lodgement case was added, changed or withdrawn.',
  READINESS_CONFIRMED: 'A person confirmed that a matter is right as it is, although a readiness rule says otherwise.',
  LODGEMENT_CASE_PREPARED: 'The lodgement case was approved, for its first submission or a later one.',
  LODGEMENT_CASE_UNAPPROVED: 'The approval of the lodgement case was taken back, by a user or because of a change.',
  FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED: 'The completion date or a line item of the settlement schedule was changed.',
  FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED: 'The settlement schedule was approved.',
  FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED: 'The approval of the settlement schedule was taken back.',
  WORKSPACE_PREPARED: 'The lodgement case and the settlement schedule of a workspace are both approved.',
  WORKSPACE_REVERTED_TO_CREATED: 'An approval of a prepared workspace was taken back.',
  WORKSPACE_FUNDS_AUTHORISED: 'The lender authorised the funds.',
  WORKSPACE_FUNDS_UNAUTHORISED: 'The authorisation of the funds was taken back, or the payment was refused.',
  SETTLEMENT_DUE: 'Completion day: the law firm pays from its own account, and confirms each line.',
  LINE_ITEM_PAID: 'The law firm confirmed that a line was paid, or that the money of a source was received.',
  LINE_ITEM_UNPAID: 'The confirmation of a line was taken back.',
  WORKSPACE_FUNDS_EXCHANGED: 'The payment settled.',
  LODGEMENT_WAITING: 'The lodgement case is sent as soon as its digital deed is effective (`isEffective`).',
  REGISTRY_WAITING: 'The registry cannot be asked: the law firm has no account there, or the registry refuses it.',
  LODGEMENT_SUBMITTED: 'The lodgement case was sent to the registry.',
  WORKSPACE_LODGED: 'The registry accepted the case with priority.',
  WORKSPACE_REQUISITIONED: 'The registry raised a requisition.',
  REQUISITION_DUE_SOON: 'A requisition is still open 10, 5 or 1 business days before its answer is due.',
  REQUISITION_ANSWERED: 'A requisition was answered.',
  REQUISITION_CLOSED: 'A person read a letter of the registry, and said that it needs no answer.',
  REGISTRY_DOCUMENT_RECEIVED:
    'The registry sent a document: a letter, a completion document or a copy of the register.',
  LODGEMENT_REJECTED: 'The registry rejected or cancelled the case.',
  LODGEMENT_PARTIALLY_REGISTERED: 'The registry completed the case except for the discharge.',
  LODGEMENT_REGISTERED: 'The registry completed the case.',
  WORKSPACE_CLOSED: 'The case is registered and the workspace closed.',
  WORKSPACE_CANCELLED: 'A workspace was cancelled.',
  REPORT_GENERATED: 'A report is ready to be retrieved.',
  SECRET_EXPIRY: 'The shared secret of a webhook registration expires in 30, 7 or 1 days.',
} as const

/** How many identifiers an event may have. */
export const EVENT_DATA_MAX = 20

export type EventType = keyof typeof EVENT_TYPES

/** The general description of a type, for events without their own message. */
export const describeEvent = (type: string): string => EVENT_TYPES[type as EventType] ?? type
