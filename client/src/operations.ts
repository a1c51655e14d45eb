// Long because it is generated from openapi.json. Renew it by `npm run -w client generate`; do not change it by hand.

/** Every operation by its id. */
export const OPERATIONS = {
  /**
   * The public keys that tokens are signed with.
   *
   * For services that verify tokens (RFC 7517). A key that no longer signs stays here while its tokens may still be valid. The answer may be cached for five minutes.
   */
  getJwks: {"method":"GET","path":"/.well-known/jwks.json","open":true},
  /**
   * Authorization server metadata (RFC 8414).
   *
   * Where to get tokens and which scopes exist, for clients that configure themselves.
   */
  getAuthorizationServerMetadata: {"method":"GET","path":"/.well-known/oauth-authorization-server","open":true},
  /**
   * Whether this node is alive.
   *
   * Checks only the process itself. Restart a node that no longer answers.
   */
  getLiveness: {"method":"GET","path":"/livez","open":true},
  /**
   * Get an access token.
   *
   * OAuth 2.0 client credentials (RFC 6749). The client authenticates by HTTP Basic or in the body, which may be a form or JSON.
   */
  issueToken: {"method":"POST","path":"/oauth/token","open":true},
  /**
   * Read what happened since the last time.
   *
   * In order; an event that commits late is never skipped. An event appears within a moment of its commit. When nothing is new, `nextCursor` is the same again. Events leave the feed after a time that the operator sets: 90 days by default, never less than 30. With `Accept: text/event-stream` the answer stays open and has each event as it is published: `data` is the event, `id` the cursor after it. To go on after a break, send that as `Last-Event-ID`, which browsers and most libraries do, or as `after`. A line with a colon comes every 20 seconds when nothing happens. The stream ends when the token expires or the node stops: open it again. At most 50 are open for a subscriber on a node.
   *
   * Needs the scope `view:notifications`.
   */
  readEvents: {"method":"GET","path":"/partner/api/notification/v1/events","pages":"after"},
  /**
   * Read one event.
   *
   * As the feed and a webhook have it, for as long as the service has it.
   *
   * Needs the scope `view:notifications`.
   */
  getEvent: {"method":"GET","path":"/partner/api/notification/v1/events/{event_id}"},
  /**
   * Put an event into the feed again, for one listener.
   *
   * The program finds it at the end of its feed within a moment, or when it comes back. Nobody else sees it. To send it to a registered webhook again, retry its delivery.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  repeatEvent: {"method":"POST","path":"/partner/api/notification/v1/events/{event_id}/repeat","key":true},
  /**
   * List the programs that read the feed under a name.
   *
   * Those that gave `listener` within the last day. `lodgeway listen` does, on a developer’s machine.
   *
   * Needs the scope `view:notifications`.
   */
  listListeners: {"method":"GET","path":"/partner/api/notification/v1/listeners"},
  /**
   * List your webhooks, newest first.
   *
   * All webhooks of your organisation, whichever client registered them. Shared secrets are not shown again.
   *
   * Needs the scope `view:notifications`.
   */
  listNotificationRegistrations: {"method":"GET","path":"/partner/api/notification/v1/notification-registrations","pages":"cursor"},
  /**
   * Register a webhook.
   *
   * It receives the events that happen from now on, once its address is verified: a `CHALLENGE` is sent to it at once, signed with the shared secret, and retried like any other delivery. In the sandbox an address of your own machine needs no challenge. The shared secret is in this response only.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  createNotificationRegistration: {"method":"POST","path":"/partner/api/notification/v1/notification-registrations","key":true},
  /**
   * Read a webhook.
   *
   * Its address, its event types and when its secret expires. The shared secret is not shown again.
   *
   * Needs the scope `view:notifications`.
   */
  getNotificationRegistration: {"method":"GET","path":"/partner/api/notification/v1/notification-registrations/{registration_id}"},
  /**
   * Change the address and the event types of a webhook.
   *
   * Replaces both at once. A new address is `UNVERIFIED` and is sent a `CHALLENGE`; waiting deliveries go to it once it is verified. The shared secret stays the same.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  updateNotificationRegistration: {"method":"PUT","path":"/partner/api/notification/v1/notification-registrations/{registration_id}"},
  /**
   * Delete a webhook and its waiting deliveries.
   *
   * Its deliveries are deleted with it. The feed still has the events.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  deleteNotificationRegistration: {"method":"DELETE","path":"/partner/api/notification/v1/notification-registrations/{registration_id}","gone":true},
  /**
   * Get a new shared secret.
   *
   * For 24 hours every delivery is signed with both the new and the previous secret.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  rotateNotificationSecret: {"method":"POST","path":"/partner/api/notification/v1/notification-registrations/{registration_id}/secret-rotation","key":true},
  /**
   * Send a test, or the challenge again.
   *
   * A signed delivery of the type `TEST`, or a new `CHALLENGE` while the address is `UNVERIFIED`. It is sent in the background; `GET …/notifications` shows the result. At most 20 a minute, together with registrations, changes of address and retries that send a challenge.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  testNotificationRegistration: {"method":"POST","path":"/partner/api/notification/v1/notification-registrations/{registration_id}/test","key":true},
  /**
   * List deliveries with their attempts, newest first.
   *
   * One for each event and each registration that subscribes to it. A failed attempt is repeated after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h. Until it is delivered or dead, later ones of the same workspace and registration wait. While the address is `UNVERIFIED`, all but challenges wait.
   *
   * Needs the scope `view:notifications`.
   */
  listNotifications: {"method":"GET","path":"/partner/api/notification/v1/notifications","pages":"cursor"},
  /**
   * Read a delivery with the bytes that are sent.
   *
   * The exact body, the headers of the last attempt, and what waits for what: deliveries about one workspace are sent to a registration in order.
   *
   * Needs the scope `view:notifications`.
   */
  getNotification: {"method":"GET","path":"/partner/api/notification/v1/notifications/{notification_id}"},
  /**
   * Send a dead or waiting delivery now.
   *
   * The schedule of attempts starts again. The receiver sees the same `webhook-id`.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  retryNotification: {"method":"POST","path":"/partner/api/notification/v1/notifications/{notification_id}/retry","key":true},
  /**
   * Send all failed deliveries that match now.
   *
   * Those that are dead, and those with their next attempt in the future; the oldest first, 1,000 at most. What waits behind them follows by itself. With `dryRun` they are counted only.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  retryNotifications: {"method":"POST","path":"/partner/api/notification/v1/notifications/retry","key":true},
  /**
   * List the business days of England and Wales.
   *
   * To choose a completion date: those from today to `latestCompletionDate` are accepted. Bank holidays are known for 2024 to 2031. To read on, ask again from the day after the last record.
   *
   * Needs the scope `view:workspaces`.
   */
  listBusinessDays: {"method":"GET","path":"/partner/api/platformconnect/v1/business-days"},
  /**
   * List what completes on a day, with its money.
   *
   * Each with whose turn it is and, where the payment was refused, why. Cancelled ones are left out.
   *
   * Needs the scope `view:financial_settlement_schedules`.
   */
  listCompletions: {"method":"GET","path":"/partner/api/platformconnect/v1/completions","pages":"cursor"},
  /**
   * Count what completes on the next business days.
   *
   * How many workspaces, how much money, and how many without authorised funds. Cancelled ones are left out.
   *
   * Needs the scope `view:financial_settlement_schedules`.
   */
  listCompletionDays: {"method":"GET","path":"/partner/api/platformconnect/v1/completions/days"},
  /**
   * Read the figures of the last 90 days.
   *
   * Open workspaces by status, the time from order to registration, who was waited for, what the registry asked, and how fast your webhooks answered. Counted each night, up to the end of the day before.
   *
   * Needs the scope `x-api:view:reports`.
   */
  getFigures: {"method":"GET","path":"/partner/api/platformconnect/v1/figures"},
  /**
   * Retrieve one figure as a table.
   *
   * The same numbers as `GET …/figures`, for a spreadsheet.
   *
   * Needs the scope `x-api:view:reports`.
   */
  getFigureContent: {"method":"GET","path":"/partner/api/platformconnect/v1/figures/{figure_name}/content","download":true},
  /**
   * Read the settlement schedule of a workspace.
   *
   * What comes in, where it goes, what that comes to and who approved it. The schedule is there from the creation of the workspace, at first without lines and without a date.
   *
   * Needs the scope `view:financial_settlement_schedules`.
   */
  getFinancialSettlementSchedules: {"method":"GET","path":"/partner/api/platformconnect/v1/financial-settlement-schedules"},
  /**
   * Set the completion date.
   *
   * Takes back the approval of the schedule. The same date again changes nothing.
   *
   * Only for law firms.
   *
   * Needs the scope `edit:financial_settlement_schedules`.
   */
  updateFinancialSettlementSchedule: {"method":"PATCH","path":"/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}"},
  /**
   * Add a line item to the settlement schedule.
   *
   * Withdraws the approval of the schedule. Published as `FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED`.
   *
   * Only for law firms.
   *
   * Needs the scope `edit:financial_settlement_schedules`.
   */
  addLineItem: {"method":"POST","path":"/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items","key":true},
  /**
   * Change a line item.
   *
   * Withdraws the approval of the schedule. Published as `FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED`. The same again changes nothing. `If-Match` takes the ETag of the line item, or that of the schedule in which it was read.
   *
   * Only for law firms.
   *
   * Needs the scope `edit:financial_settlement_schedules`.
   */
  updateLineItem: {"method":"PATCH","path":"/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items/{line_item_id}"},
  /**
   * Delete a line item.
   *
   * Withdraws the approval of the schedule. Published as `FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED`.
   *
   * Only for law firms.
   *
   * Needs the scope `edit:financial_settlement_schedules`.
   */
  deleteLineItem: {"method":"DELETE","path":"/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items/{line_item_id}","gone":true},
  /**
   * Confirm that a line was paid, or its money received.
   *
   * While the schedule is `PAYING`. For a `SOURCE` it means received, for a `DESTINATION` paid. Another confirmation replaces the one before; the same again changes nothing. With the last line the schedule is `SETTLED`, the funds are exchanged and the case is sent. Published as `LINE_ITEM_PAID`.
   *
   * Only for law firms.
   *
   * Needs the scope `edit:financial_settlement_schedules`.
   */
  confirmLineItemPayment: {"method":"PUT","path":"/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items/{line_item_id}/payment"},
  /**
   * Take back the confirmation of a line.
   *
   * Until the schedule is `SETTLED`. Published as `LINE_ITEM_UNPAID`; nothing happens to a line that is not confirmed.
   *
   * Only for law firms.
   *
   * Needs the scope `edit:financial_settlement_schedules`.
   */
  deleteLineItemPayment: {"method":"DELETE","path":"/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items/{line_item_id}/payment","gone":true},
  /**
   * Say that a schedule cannot be paid.
   *
   * While the schedule is `PAYING` and no line is confirmed. The authorisation of the funds is withdrawn as if a bank had refused, with the reason in `failure`; the lender may authorise again. Published as `WORKSPACE_FUNDS_UNAUTHORISED`.
   *
   * Only for law firms.
   *
   * Needs the scope `edit:financial_settlement_schedules`.
   */
  reportPaymentFailure: {"method":"POST","path":"/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/payment-failure","key":true},
  /**
   * Download the payments of a schedule as a file for the bank.
   *
   * The destinations, from the time when the funds are authorised. Every copy for one authorisation has the same `MsgId`, so that a bank can refuse a second one.
   *
   * Only for law firms.
   *
   * Needs the scope `view:financial_settlement_schedules`.
   */
  getPaymentFile: {"method":"GET","path":"/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/payment-file","download":true},
  /**
   * Read the lodgement case of a workspace.
   *
   * The case is there from the creation of the workspace, with its applications, their documents and the open requisition. Its progress at the registry shows in its status and in events.
   *
   * Needs the scope `x-api:view:lodgement_summary`.
   */
  getLodgementCases: {"method":"GET","path":"/partner/api/platformconnect/v1/lodgement-cases"},
  /**
   * Read a lodgement application.
   *
   * What was said of it, its main document and its fee. Its `ETag` is the one that a change may name in `If-Match`.
   *
   * Needs the scope `x-api:view:lodgement_summary`.
   */
  getLodgementApplication: {"method":"GET","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/applications/{application_id}"},
  /**
   * Update a lodgement application.
   *
   * Checked by its result, so fields that belong together can come together. A change takes back the approval of the case. The same again changes nothing. `isEffective` alone takes nothing back, and may also be sent while the case is `PREPARED` or `RESUBMISSION_PREPARED`: a case that waits for its digital deed is then sent at once.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:edit:lodgement_applications`.
   */
  updateLodgementApplication: {"method":"PATCH","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/applications/{application_id}"},
  /**
   * Upload a document and attach it to an application.
   *
   * The outcome is an event, `FILE_UPLOAD_SUCCEEDED` or `FILE_UPLOAD_FAILED`, and can be read. A document counts once it succeeded; a main document (`APPLICATION_DOCUMENT`, of a type that the application takes as that) then takes the place of the one before it. Every type goes with every category. The file is declared as `application/pdf`, as `application/octet-stream` or not at all, and must be a valid PDF: not encrypted, with 1 to 2,000 pages, without scripts, XFA forms, embedded files, and actions that leave the file by themselves. Repeated with the same `Idempotency-Key`, the boundary of the form may differ.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:create:attachments`.
   */
  attachDocument: {"method":"POST","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/applications/{application_id}/attachments","key":true,"upload":true},
  /**
   * Download the completion document of a case as a PDF.
   *
   * There once the title is registered, in part or in full; 404 at `document_type` before.
   *
   * Needs the scope `x-api:view:documents`.
   */
  getLodgementDocument: {"method":"GET","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/documents","download":true},
  /**
   * Say that the open requisition of a case needs no answer.
   *
   * For a requisition that came as a letter, without `points`: every letter of the registry counts as one. The case goes back to where it was before: `LODGED`, or `REQUISITION_SUBMITTED` while the registry still has an answer to an earlier one. Nothing is sent to the registry.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:edit:lodgement_applications`.
   */
  closeRequisition: {"method":"POST","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/requisition-closure","key":true},
  /**
   * Answer the open requisition of a case.
   *
   * Upload what is to go with it to the workspace first. The answer is sent to the registry in the background; what the registry makes of it is an event, and the status in `GET …/requisitions`.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:edit:lodgement_applications`.
   */
  replyToRequisition: {"method":"POST","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/requisition-reply","key":true},
  /**
   * List the requisitions of a case, oldest first.
   *
   * What the registry asked, what it was answered, and what happened to the answer.
   *
   * Needs the scope `x-api:view:lodgement_summary`.
   */
  listRequisitions: {"method":"GET","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/requisitions","pages":"cursor"},
  /**
   * Read the title documents of a title, newest first.
   *
   * The register is there once the title search succeeded, the completion document once the title is registered, in part or in full. Before that the list is empty.
   *
   * Needs the scope `view:title_documents`.
   */
  getTitleDocuments: {"method":"GET","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/titles/{title_id}/title-documents"},
  /**
   * Create a remortgage workspace.
   *
   * The law firm that the parties name sees it at once, and its lodgement case and settlement schedule are there. Where a title number is given, the title search starts at once; its outcome is an event.
   *
   * Only for lenders.
   *
   * Needs the scope `x-api:create:remortgage_workspaces`.
   */
  createRemortgageWorkspace: {"method":"POST","path":"/partner/api/platformconnect/v1/remortgage/workspaces","key":true},
  /**
   * Retrieve a report.
   *
   * Reports are made for each London date in the night after it, so the newest is yesterday’s. A report is served while it is less than 15 days old.
   *
   * Needs the scope `x-api:view:reports`.
   */
  getReportContent: {"method":"GET","path":"/partner/api/platformconnect/v1/reports/{report_name}/content","download":true},
  /**
   * List your own calls, newest first.
   *
   * The calls of all clients of your organisation, a moment after they were answered. The sandbox keeps all of them for 7 days. Elsewhere they are logged only while your operator has switched the log on for a client, at most 24 hours, and each is erased after 24 hours. Calls without a valid token, calls for this log and, in the console, calls that only read are never in it.
   *
   * Needs the scope `view:requests`.
   */
  listRequests: {"method":"GET","path":"/partner/api/platformconnect/v1/requests","pages":"cursor"},
  /**
   * Read one of your calls, and what followed it.
   *
   * In the sandbox with the bodies of request and answer, each up to 16,384 characters and without secrets. A form with a file has none.
   *
   * Needs the scope `view:requests`.
   */
  getRequest: {"method":"GET","path":"/partner/api/platformconnect/v1/requests/{request_id}"},
  /**
   * Count what your calls were refused for.
   *
   * By operation, status and field, over all calls in the log.
   *
   * Needs the scope `view:requests`.
   */
  countRequestErrors: {"method":"GET","path":"/partner/api/platformconnect/v1/requests/errors"},
  /**
   * Find the other side.
   *
   * The active organisations that you may see, by name: a lender sees the law firms, whose `subscriberId` names the participant of a new workspace; a law firm sees the lenders that it shares a workspace with.
   *
   * Needs the scope `view:workspaces`.
   */
  listSubscribers: {"method":"GET","path":"/partner/api/platformconnect/v1/subscribers","pages":"cursor"},
  /**
   * List the workspaces that you may see, newest first.
   *
   * A lender sees those that it created, a law firm those in which it acts. Where several filters are given, all must fit. With `q` the list has first what the reference begins with, then your own reference, and so on in the order of its description. With `borrower` the list is in the order of their names; otherwise with `changed_since` in the order of `lastModifiedAt`, with a completion date in the order of that, and with `turn` or `task` by `turn.dueAt` and then by `turn.since`, oldest first. To follow changes, ask with the newest `lastModifiedAt` that you have seen minus a minute, because a change may be committed after a later one; or read the event feed, which misses nothing.
   *
   * Needs the scope `view:workspaces`.
   */
  listWorkspaces: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces","pages":"cursor"},
  /**
   * Read a workspace.
   *
   * Its parties with who acts for them, its title, and what can be done with it now. Only the lender that created it and the law firm that acts can see it.
   *
   * Needs the scope `view:workspaces`.
   */
  getWorkspace: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}"},
  /**
   * Correct a workspace, or give it your own reference.
   *
   * The lender may change `reference` and `securityAddress` while the workspace is `CREATED`. The address is replaced as a whole, and another address withdraws the approval of the case. The event is `WORKSPACE_UPDATED`. Either side may set `ownReference` at any time: the other side sees nothing of it, and no event is published.
   *
   * Needs the scope `edit:workspaces`.
   */
  updateWorkspace: {"method":"PATCH","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}"},
  /**
   * Read who may approve a workspace, and whom four eyes keep from it.
   *
   * The people of your own organisation who may decide in the console, and for a law firm those who have changed the case or the money; and what the approval of the case must state. To a lender it shows who may authorise the funds.
   *
   * Needs the scope `view:workspaces`.
   */
  listApprovers: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/approvers"},
  /**
   * Cancel a workspace.
   *
   * Either side may, until money moves. The case is cancelled with it and its applications are withdrawn; what is still under way (representations, uploads, the title search) ends `FAILED`. The event is `WORKSPACE_CANCELLED`.
   *
   * Needs the scope `x-api:cancel:workspaces`.
   */
  cancelWorkspace: {"method":"DELETE","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/cancel-workspace"},
  /**
   * Read what was changed in a workspace, oldest first.
   *
   * From the audit: who changed what, with the values before and after. With the time of an approval in `since`, what a second approval has to look at. Changes of the case need `x-api:view:lodgement_summary` too, those of the money `view:financial_settlement_schedules`; without that scope they are left out, and a page may have fewer records.
   *
   * Needs the scope `view:workspaces`.
   */
  listChanges: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/changes","pages":"cursor"},
  /**
   * List what was confirmed in a workspace.
   *
   * Oldest first. One that was taken back or has lapsed is not listed; the audit keeps it.
   *
   * Needs the scope `view:workspaces`.
   */
  listConfirmations: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/confirmations","pages":"cursor"},
  /**
   * Confirm that a matter is right as it is, although a rule says otherwise.
   *
   * For rules of the kind `CONFIRMABLE`. A confirmation is for the facts as they are now: when they change it lapses. Needs the scope that approves what the rule belongs to. Published as `READINESS_CONFIRMED`.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:approve:lodgement_applications` or `x-api:approve:financial_settlement_schedules`.
   */
  confirmReadiness: {"method":"POST","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/confirmations","key":true},
  /**
   * Take back a confirmation.
   *
   * Takes back the approval that rests on it, too. Needs one of the two scopes that approve.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:approve:lodgement_applications` or `x-api:approve:financial_settlement_schedules`.
   */
  deleteConfirmation: {"method":"DELETE","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/confirmations/{confirmation_id}","gone":true},
  /**
   * Download everything about a workspace as proof.
   *
   * A ZIP with a summary as a PDF, the timeline, the case, approvals, payments, registers, all documents, and the audit with its chain of hashes. `lodgeway audit verify --pack FILE` checks it without the service. What you may not read is left out: `x-api:view:lodgement_summary` gives the case, `view:financial_settlement_schedules` the money, `view:title_documents` the registers, `x-api:view:documents` the documents. Of the audit the hashes of the rest stay, so that its chain can be checked.
   *
   * Needs the scope `view:workspaces`.
   */
  getEvidence: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/evidence","download":true},
  /**
   * List the files of a workspace, oldest first.
   *
   * Those of its applications among them, those that failed or were superseded or withdrawn, and the documents that the registry sent (`source`).
   *
   * Needs the scope `view:workspaces`.
   */
  listFiles: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/files","pages":"cursor"},
  /**
   * Upload a document to a workspace.
   *
   * The outcome is an event, `FILE_UPLOAD_SUCCEEDED` or `FILE_UPLOAD_FAILED`, and can be read. A document counts once it succeeded; a main document (`APPLICATION_DOCUMENT`, of a type that the application takes as that) then takes the place of the one before it. Every type goes with every category. The file is declared as `application/pdf`, as `application/octet-stream` or not at all, and must be a valid PDF: not encrypted, with 1 to 2,000 pages, without scripts, XFA forms, embedded files, and actions that leave the file by themselves. Repeated with the same `Idempotency-Key`, the boundary of the form may differ.
   *
   * With `applicationId`, which only law firms may send, it is attached to that application.
   *
   * Needs the scope `x-api:add:workspace_files`.
   */
  uploadFile: {"method":"POST","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/files","key":true,"upload":true},
  /**
   * Read what is known of a file.
   *
   * The outcome of an upload: `SUCCESS`, or `FAILED` with the reason. One that was superseded or withdrawn can still be read.
   *
   * Needs the scope `view:workspaces`.
   */
  getFile: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/files/{file_id}"},
  /**
   * Withdraw a file.
   *
   * It no longer counts and is not lodged. What the registry was given stays: a file of an answer cannot be withdrawn, and a document of an application only from the next submission, while the case is `REGISTRATION_REJECTED` (one of the discharge: `PARTIALLY_REGISTERED`); its content can still be read. The same again is 204 and changes nothing.
   *
   * Needs the scope `x-api:add:workspace_files`.
   */
  withdrawFile: {"method":"DELETE","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/files/{file_id}","gone":true},
  /**
   * Download a file.
   *
   * Only one whose upload status is `SUCCESS`, superseded or not, and one that was withdrawn after the registry was given it.
   *
   * Needs the scope `x-api:view:documents`.
   */
  getFileContent: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/files/{file_id}/content","download":true},
  /**
   * Approve the settlement schedule, or take its approval back.
   *
   * Needs the scope of its action. A schedule can be approved with at least one source and one destination, equal sums, and a completion date that is a business day not past.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:approve:financial_settlement_schedules` or `x-api:unapprove:financial_settlement_schedules`.
   */
  approveFinancialSettlementSchedule: {"method":"POST","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/financial-approvals","key":true},
  /**
   * Authorise the funds, or take the authorisation back.
   *
   * Date and amount are compared with the date of the schedule and the sum of its `Mortgage Advance` lines. Where they differ, nothing changes: `mismatches` says in what, and `authorised` whether funds are authorised all the same, by an earlier request. The payment is made at 09:00 in London on completion day, or at once after that hour. An authorisation can be taken back until that day begins.
   *
   * Only for lenders.
   *
   * Needs the scope `x-api:authorise:funds`.
   */
  authoriseFunds: {"method":"POST","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/funds-authorisation","key":true},
  /**
   * Approve the lodgement applications of a workspace, or take the approval back.
   *
   * The effect is committed with the answer. After a rejection the case is sent again at once, and after an early completion (`PARTIALLY_REGISTERED`) its discharge, which alone is then checked: it needs its `EVIDENCE`.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:approve:lodgement_applications` or `x-api:unapprove:lodgement_applications`.
   */
  approveLodgement: {"method":"POST","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/lodgement-approvals","key":true},
  /**
   * Undo that a party is an incoming or outgoing proprietor.
   *
   * An incoming proprietor is a `BORROWER` again. An outgoing one is no longer a party, and its proprietor is unmatched again. The applications of the case follow, and an approval of it is withdrawn. The event is `TITLE_RECONCILIATION_UPDATED`.
   *
   * Only for law firms.
   *
   * Needs the scope `edit:workspace_parties`.
   */
  removePartyRole: {"method":"DELETE","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/parties/{party_id}/role","gone":true},
  /**
   * Read what is planned for a workspace, the next first.
   *
   * What the service will do by itself, and when: the counterpart of the timeline. What others will do, such as the registry, is not known beforehand.
   *
   * Needs the scope `view:workspaces`.
   */
  getPlan: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/plan"},
  /**
   * Read what a workspace still needs before it can be approved.
   *
   * One record for each rule and each thing that it checks, passed or not, of both approvals. Those of the approval `FINANCIAL` are left out once the schedule is settled or cancelled.
   *
   * Needs the scope `view:workspaces`.
   */
  getWorkspaceReadiness: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/readiness","pages":"cursor"},
  /**
   * List the representations of a workspace, oldest first.
   *
   * Every one that was ever asked for, with what became of it: those that wait, failed or were superseded too.
   *
   * Needs the scope `view:workspaces`.
   */
  listRepresentations: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/representation","pages":"cursor"},
  /**
   * Say who represents a party.
   *
   * The outcome is an event, `REPRESENTATION_ADDED` or `REPRESENTATION_FAILED`, and can be read. A new active representation of a party supersedes the one before it.
   *
   * Only for law firms.
   *
   * Needs the scope `add:legal_representation_details`.
   */
  addRepresentation: {"method":"POST","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/representation","key":true},
  /**
   * Read a representation.
   *
   * The outcome of an accepted representation: `ACTIVE`, or `FAILED` with the reason. Its `ETag` is the one that a change may name in `If-Match`.
   *
   * Needs the scope `view:workspaces`.
   */
  getRepresentation: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/representation/{representation_id}"},
  /**
   * Change name and address of an external law firm.
   *
   * Applies at once, to every representation that shares the firm. The same again changes nothing.
   *
   * Only for law firms.
   *
   * Needs the scope `add:legal_representation_details`.
   */
  updateRepresentation: {"method":"PATCH","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/representation/{representation_id}"},
  /**
   * Read what happened to a workspace, oldest first.
   *
   * The same events as in webhooks and the feed, with who caused each and a sentence for people. Why the registry rejected a case is in the sentence of `LODGEMENT_REJECTED`.
   *
   * Needs the scope `view:workspaces`.
   */
  getTimeline: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/timeline","pages":"cursor"},
  /**
   * Read how borrowers and registered proprietors line up.
   *
   * Names that are equal but for case, accents, hyphens, quotes and honorifics link by themselves, organisations by their registration number first. A near match is shown for you to decide, and never accepted for you.
   *
   * Needs the scope `view:workspaces`.
   */
  getTitleReconciliation: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/title-reconciliation"},
  /**
   * Bring borrowers and registered proprietors into line.
   *
   * A party or proprietor is renamed and matched again, or marked as incoming or outgoing. The applications of the case follow, and an approval of it is taken back. Doing the same again is 200 and changes nothing.
   *
   * Only for law firms.
   *
   * Needs the scope `edit:workspace_parties`.
   */
  updateTitleReconciliation: {"method":"PATCH","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/title-reconciliation"},
  /**
   * Add a title to a workspace and search it.
   *
   * One title to a workspace; a number whose search failed gives way to the new one. The registry is asked in the background, and its answer is an event: `TITLE_DATA_RECEIVED` or `TITLE_NOT_FOUND`.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:add:workspace_titles`.
   */
  addTitle: {"method":"POST","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/titles","key":true},
  /**
   * Remove a wrong title from a workspace.
   *
   * Its search, its documents, the matches and the roles of parties are undone, and the applications that came from them are withdrawn. Incoming proprietors are borrowers again, outgoing ones are no longer parties. The charge keeps its facts and documents; an approval of the case is withdrawn. Then add the right title. The event is `TITLE_REMOVED`.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:add:workspace_titles`.
   */
  removeTitle: {"method":"DELETE","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/titles/{title_id}","gone":true},
  /**
   * Count the open workspaces by whose turn it is.
   *
   * Every count stops at 1000, so that it costs little. List them with the filters `turn` and `task`.
   *
   * Needs the scope `view:workspaces`.
   */
  countWorkspaces: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/counts"},
  /**
   * Whether to send requests here.
   *
   * 503 while the database or the blob store does not answer, a migration is missing, the clock is wrong, or the node is stopping.
   */
  getReadiness: {"method":"GET","path":"/readyz","open":true},
  /**
   * Read the service's clock.
   *
   * Real time plus the time by which it was moved. Tokens, rate limits and timeouts always use real time.
   */
  getClock: {"method":"GET","path":"/sandbox/v1/clock","open":true},
  /**
   * Move the clock and run the jobs that become due.
   *
   * Responds when nothing is left to do. `{"advance":"PT0S"}` runs what is due now; `{"to":"next"}` goes to the next thing that becomes due.
   */
  moveClock: {"method":"POST","path":"/sandbox/v1/clock","open":true},
  /**
   * Read what the clock will run, the next first.
   *
   * Set the clock to `at` and it runs. The jobs of one workspace are in its plan, in words.
   */
  listDue: {"method":"GET","path":"/sandbox/v1/due","open":true},
  /**
   * List the faults in force.
   *
   * For all clients, with how often each fault was injected.
   */
  listFaults: {"method":"GET","path":"/sandbox/v1/faults","open":true},
  /**
   * Inject faults into the requests and webhooks of a client.
   *
   * Replaces those in force. Each answer that meets one has the header `X-Injected-Fault`, and so has the request log. Faults never meet `/sandbox/v1`, the request log, the console, or scenarios. With several nodes all of them follow within two seconds.
   */
  setFaults: {"method":"PUT","path":"/sandbox/v1/faults/{client_id}","open":true},
  /**
   * End the faults of a client.
   *
   * At once. Nothing happens where there are none.
   */
  endFaults: {"method":"DELETE","path":"/sandbox/v1/faults/{client_id}","open":true,"gone":true},
  /**
   * Switch maintenance on or off.
   *
   * While it is on, the operations of partners answer 503. Tokens, health, the documentation, the sandbox operations and jobs continue.
   */
  setMaintenance: {"method":"POST","path":"/sandbox/v1/maintenance","open":true},
  /**
   * Reset the sandbox to its initial data and to real time.
   *
   * Removes everything and creates the initial data again, with dates relative to now. Tokens of the initial clients stay valid. Responds when all data is there.
   */
  resetSandbox: {"method":"POST","path":"/sandbox/v1/reset","open":true},
  /**
   * List the scenarios that can be played.
   *
   * Each is a whole matter: what is done by whom, and what the registry and the bank do.
   */
  listScenarios: {"method":"GET","path":"/sandbox/v1/scenarios","open":true},
  /**
   * Play a scenario, to the end or until a step.
   *
   * Orders a matter and takes it through its steps, with the calls that a lender and a law firm would make. It moves the clock of the whole sandbox. Read the run for its progress and outcome; runs wait for each other.
   */
  runScenario: {"method":"POST","path":"/sandbox/v1/scenarios/{name}","open":true,"key":true},
  /**
   * Read how far a scenario has come.
   *
   * Each step with its calls. A reset of the sandbox removes it.
   */
  getScenarioRun: {"method":"GET","path":"/sandbox/v1/scenarios/runs/{run_id}","open":true},
  /**
   * Add a subscriber with a client that holds every scope.
   *
   * Accepts an `Idempotency-Key`, like every POST of a partner.
   */
  addSandboxSubscriber: {"method":"POST","path":"/sandbox/v1/subscribers","open":true,"key":true},
  /**
   * Send your receiver a delivery that it must refuse, or one that it has seen.
   *
   * Sent at once, to the registered address and nowhere else. It is in no list of deliveries and is never repeated. A receiver that checks signatures refuses four of the six kinds with a 4xx.
   */
  sendTestDelivery: {"method":"POST","path":"/sandbox/v1/test-deliveries","open":true},
} as const
