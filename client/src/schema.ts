// Long because it is generated from openapi.json. Renew it by `npm run -w client generate`; do not change it by hand.
export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public keys that tokens are signed with
         * @description For services that verify tokens (RFC 7517). A key that no longer signs stays here while its tokens may still be valid. The answer may be cached for five minutes.
         */
        get: operations["getJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Authorization server metadata (RFC 8414)
         * @description Where to get tokens and which scopes exist, for clients that configure themselves.
         */
        get: operations["getAuthorizationServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether this node is alive
         * @description Checks only the process itself. Restart a node that no longer answers.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an access token
         * @description OAuth 2.0 client credentials (RFC 6749). The client authenticates by HTTP Basic or in the body, which may be a form or JSON.
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/notification/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened since the last time
         * @description In order; an event that commits late is never skipped. An event appears within a moment of its commit. When nothing is new, `nextCursor` is the same again. Events leave the feed after a time that the operator sets: 90 days by default, never less than 30. With `Accept: text/event-stream` the answer stays open and has each event as it is published: `data` is the event, `id` the cursor after it. To go on after a break, send that as `Last-Event-ID`, which browsers and most libraries do, or as `after`. A line with a colon comes every 20 seconds when nothing happens. The stream ends when the token expires or the node stops: open it again. At most 50 are open for a subscriber on a node.
         */
        get: operations["readEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/notification/v1/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one event
         * @description As the feed and a webhook have it, for as long as the service has it.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/notification/v1/events/{event_id}/repeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put an event into the feed again, for one listener
         * @description The program finds it at the end of its feed within a moment, or when it comes back. Nobody else sees it. To send it to a registered webhook again, retry its delivery.
         */
        post: operations["repeatEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/notification/v1/listeners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the programs that read the feed under a name
         * @description Those that gave `listener` within the last day. `lodgeway listen` does, on a developer’s machine.
         */
        get: operations["listListeners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/notification/v1/notification-registrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your webhooks, newest first
         * @description All webhooks of your organisation, whichever client registered them. Shared secrets are not shown again.
         */
        get: operations["listNotificationRegistrations"];
        put?: never;
        /**
         * Register a webhook
         * @description It receives the events that happen from now on, once its address is verified: a `CHALLENGE` is sent to it at once, signed with the shared secret, and retried like any other delivery. In the sandbox an address of your own machine needs no challenge. The shared secret is in this response only.
         */
        post: operations["createNotificationRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/notification/v1/notification-registrations/{registration_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description Its address, its event types and when its secret expires. The shared secret is not shown again.
         */
        get: operations["getNotificationRegistration"];
        /**
         * Change the address and the event types of a webhook
         * @description Replaces both at once. A new address is `UNVERIFIED` and is sent a `CHALLENGE`; waiting deliveries go to it once it is verified. The shared secret stays the same.
         */
        put: operations["updateNotificationRegistration"];
        post?: never;
        /**
         * Delete a webhook and its waiting deliveries
         * @description Its deliveries are deleted with it. The feed still has the events.
         */
        delete: operations["deleteNotificationRegistration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/notification/v1/notification-registrations/{registration_id}/secret-rotation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a new shared secret
         * @description For 24 hours every delivery is signed with both the new and the previous secret.
         */
        post: operations["rotateNotificationSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/notification/v1/notification-registrations/{registration_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test, or the challenge again
         * @description A signed delivery of the type `TEST`, or a new `CHALLENGE` while the address is `UNVERIFIED`. It is sent in the background; `GET …/notifications` shows the result. At most 20 a minute, together with registrations, changes of address and retries that send a challenge.
         */
        post: operations["testNotificationRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/notification/v1/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries with their attempts, newest first
         * @description One for each event and each registration that subscribes to it. A failed attempt is repeated after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h. Until it is delivered or dead, later ones of the same workspace and registration wait. While the address is `UNVERIFIED`, all but challenges wait.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/notification/v1/notifications/{notification_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery with the bytes that are sent
         * @description The exact body, the headers of the last attempt, and what waits for what: deliveries about one workspace are sent to a registration in order.
         */
        get: operations["getNotification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/notification/v1/notifications/{notification_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a dead or waiting delivery now
         * @description The schedule of attempts starts again. The receiver sees the same `webhook-id`.
         */
        post: operations["retryNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/notification/v1/notifications/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send all failed deliveries that match now
         * @description Those that are dead, and those with their next attempt in the future; the oldest first, 1,000 at most. What waits behind them follows by itself. With `dryRun` they are counted only.
         */
        post: operations["retryNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/business-days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the business days of England and Wales
         * @description To choose a completion date: those from today to `latestCompletionDate` are accepted. Bank holidays are known for 2024 to 2031. To read on, ask again from the day after the last record.
         */
        get: operations["listBusinessDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what completes on a day, with its money
         * @description Each with whose turn it is and, where the payment was refused, why. Cancelled ones are left out.
         */
        get: operations["listCompletions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/completions/days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what completes on the next business days
         * @description How many workspaces, how much money, and how many without authorised funds. Cancelled ones are left out.
         */
        get: operations["listCompletionDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the figures of the last 90 days
         * @description Open workspaces by status, the time from order to registration, who was waited for, what the registry asked, and how fast your webhooks answered. Counted each night, up to the end of the day before.
         */
        get: operations["getFigures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/figures/{figure_name}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve one figure as a table
         * @description The same numbers as `GET …/figures`, for a spreadsheet.
         */
        get: operations["getFigureContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/financial-settlement-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settlement schedule of a workspace
         * @description What comes in, where it goes, what that comes to and who approved it. The schedule is there from the creation of the workspace, at first without lines and without a date.
         */
        get: operations["getFinancialSettlementSchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the completion date
         * @description Takes back the approval of the schedule. The same date again changes nothing.
         *
         *     Only for law firms.
         */
        patch: operations["updateFinancialSettlementSchedule"];
        trace?: never;
    };
    "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a line item to the settlement schedule
         * @description Withdraws the approval of the schedule. Published as `FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED`.
         *
         *     Only for law firms.
         */
        post: operations["addLineItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items/{line_item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a line item
         * @description Withdraws the approval of the schedule. Published as `FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED`.
         *
         *     Only for law firms.
         */
        delete: operations["deleteLineItem"];
        options?: never;
        head?: never;
        /**
         * Change a line item
         * @description Withdraws the approval of the schedule. Published as `FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED`. The same again changes nothing. `If-Match` takes the ETag of the line item, or that of the schedule in which it was read.
         *
         *     Only for law firms.
         */
        patch: operations["updateLineItem"];
        trace?: never;
    };
    "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items/{line_item_id}/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Confirm that a line was paid, or its money received
         * @description While the schedule is `PAYING`. For a `SOURCE` it means received, for a `DESTINATION` paid. Another confirmation replaces the one before; the same again changes nothing. With the last line the schedule is `SETTLED`, the funds are exchanged and the case is sent. Published as `LINE_ITEM_PAID`.
         *
         *     Only for law firms.
         */
        put: operations["confirmLineItemPayment"];
        post?: never;
        /**
         * Take back the confirmation of a line
         * @description Until the schedule is `SETTLED`. Published as `LINE_ITEM_UNPAID`; nothing happens to a line that is not confirmed.
         *
         *     Only for law firms.
         */
        delete: operations["deleteLineItemPayment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/payment-failure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that a schedule cannot be paid
         * @description While the schedule is `PAYING` and no line is confirmed. The authorisation of the funds is withdrawn as if a bank had refused, with the reason in `failure`; the lender may authorise again. Published as `WORKSPACE_FUNDS_UNAUTHORISED`.
         *
         *     Only for law firms.
         */
        post: operations["reportPaymentFailure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/payment-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the payments of a schedule as a file for the bank
         * @description The destinations, from the time when the funds are authorised. Every copy for one authorisation has the same `MsgId`, so that a bank can refuse a second one.
         *
         *     Only for law firms.
         */
        get: operations["getPaymentFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/lodgement-cases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the lodgement case of a workspace
         * @description The case is there from the creation of the workspace, with its applications, their documents and the open requisition. Its progress at the registry shows in its status and in events.
         */
        get: operations["getLodgementCases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/applications/{application_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a lodgement application
         * @description What was said of it, its main document and its fee. Its `ETag` is the one that a change may name in `If-Match`.
         */
        get: operations["getLodgementApplication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a lodgement application
         * @description Checked by its result, so fields that belong together can come together. A change takes back the approval of the case. The same again changes nothing. `isEffective` alone takes nothing back, and may also be sent while the case is `PREPARED` or `RESUBMISSION_PREPARED`: a case that waits for its digital deed is then sent at once.
         *
         *     Only for law firms.
         */
        patch: operations["updateLodgementApplication"];
        trace?: never;
    };
    "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/applications/{application_id}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a document and attach it to an application
         * @description The outcome is an event, `FILE_UPLOAD_SUCCEEDED` or `FILE_UPLOAD_FAILED`, and can be read. A document counts once it succeeded; a main document (`APPLICATION_DOCUMENT`, of a type that the application takes as that) then takes the place of the one before it. Every type goes with every category. The file is declared as `application/pdf`, as `application/octet-stream` or not at all, and must be a valid PDF: not encrypted, with 1 to 2,000 pages, without scripts, XFA forms, embedded files, and actions that leave the file by themselves. Repeated with the same `Idempotency-Key`, the boundary of the form may differ.
         *
         *     Only for law firms.
         */
        post: operations["attachDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the completion document of a case as a PDF
         * @description There once the title is registered, in part or in full; 404 at `document_type` before.
         */
        get: operations["getLodgementDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/requisition-closure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that the open requisition of a case needs no answer
         * @description For a requisition that came as a letter, without `points`: every letter of the registry counts as one. The case goes back to where it was before: `LODGED`, or `REQUISITION_SUBMITTED` while the registry still has an answer to an earlier one. Nothing is sent to the registry.
         *
         *     Only for law firms.
         */
        post: operations["closeRequisition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/requisition-reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer the open requisition of a case
         * @description Upload what is to go with it to the workspace first. The answer is sent to the registry in the background; what the registry makes of it is an event, and the status in `GET …/requisitions`.
         *
         *     Only for law firms.
         */
        post: operations["replyToRequisition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/requisitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requisitions of a case, oldest first
         * @description What the registry asked, what it was answered, and what happened to the answer.
         */
        get: operations["listRequisitions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/titles/{title_id}/title-documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the title documents of a title, newest first
         * @description The register is there once the title search succeeded, the completion document once the title is registered, in part or in full. Before that the list is empty.
         */
        get: operations["getTitleDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/remortgage/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a remortgage workspace
         * @description The law firm that the parties name sees it at once, and its lodgement case and settlement schedule are there. Where a title number is given, the title search starts at once; its outcome is an event.
         *
         *     Only for lenders.
         */
        post: operations["createRemortgageWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/reports/{report_name}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a report
         * @description Reports are made for each London date in the night after it, so the newest is yesterday’s. A report is served while it is less than 15 days old.
         */
        get: operations["getReportContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own calls, newest first
         * @description The calls of all clients of your organisation, a moment after they were answered. The sandbox keeps all of them for 7 days. Elsewhere they are logged only while your operator has switched the log on for a client, at most 24 hours, and each is erased after 24 hours. Calls without a valid token, calls for this log and, in the console, calls that only read are never in it.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one of your calls, and what followed it
         * @description In the sandbox with the bodies of request and answer, each up to 16,384 characters and without secrets. A form with a file has none.
         */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/requests/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what your calls were refused for
         * @description By operation, status and field, over all calls in the log.
         */
        get: operations["countRequestErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/subscribers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the other side
         * @description The active organisations that you may see, by name: a lender sees the law firms, whose `subscriberId` names the participant of a new workspace; a law firm sees the lenders that it shares a workspace with.
         */
        get: operations["listSubscribers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspaces that you may see, newest first
         * @description A lender sees those that it created, a law firm those in which it acts. Where several filters are given, all must fit. With `q` the list has first what the reference begins with, then your own reference, and so on in the order of its description. With `borrower` the list is in the order of their names; otherwise with `changed_since` in the order of `lastModifiedAt`, with a completion date in the order of that, and with `turn` or `task` by `turn.dueAt` and then by `turn.since`, oldest first. To follow changes, ask with the newest `lastModifiedAt` that you have seen minus a minute, because a change may be committed after a later one; or read the event feed, which misses nothing.
         */
        get: operations["listWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a workspace
         * @description Its parties with who acts for them, its title, and what can be done with it now. Only the lender that created it and the law firm that acts can see it.
         */
        get: operations["getWorkspace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Correct a workspace, or give it your own reference
         * @description The lender may change `reference` and `securityAddress` while the workspace is `CREATED`. The address is replaced as a whole, and another address withdraws the approval of the case. The event is `WORKSPACE_UPDATED`. Either side may set `ownReference` at any time: the other side sees nothing of it, and no event is published.
         */
        patch: operations["updateWorkspace"];
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/approvers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who may approve a workspace, and whom four eyes keep from it
         * @description The people of your own organisation who may decide in the console, and for a law firm those who have changed the case or the money; and what the approval of the case must state. To a lender it shows who may authorise the funds.
         */
        get: operations["listApprovers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/cancel-workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel a workspace
         * @description Either side may, until money moves. The case is cancelled with it and its applications are withdrawn; what is still under way (representations, uploads, the title search) ends `FAILED`. The event is `WORKSPACE_CANCELLED`.
         */
        delete: operations["cancelWorkspace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was changed in a workspace, oldest first
         * @description From the audit: who changed what, with the values before and after. With the time of an approval in `since`, what a second approval has to look at. Changes of the case need `x-api:view:lodgement_summary` too, those of the money `view:financial_settlement_schedules`; without that scope they are left out, and a page may have fewer records.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/confirmations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was confirmed in a workspace
         * @description Oldest first. One that was taken back or has lapsed is not listed; the audit keeps it.
         */
        get: operations["listConfirmations"];
        put?: never;
        /**
         * Confirm that a matter is right as it is, although a rule says otherwise
         * @description For rules of the kind `CONFIRMABLE`. A confirmation is for the facts as they are now: when they change it lapses. Needs the scope that approves what the rule belongs to. Published as `READINESS_CONFIRMED`.
         *
         *     Only for law firms.
         */
        post: operations["confirmReadiness"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/confirmations/{confirmation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take back a confirmation
         * @description Takes back the approval that rests on it, too. Needs one of the two scopes that approve.
         *
         *     Only for law firms.
         */
        delete: operations["deleteConfirmation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download everything about a workspace as proof
         * @description A ZIP with a summary as a PDF, the timeline, the case, approvals, payments, registers, all documents, and the audit with its chain of hashes. `lodgeway audit verify --pack FILE` checks it without the service. What you may not read is left out: `x-api:view:lodgement_summary` gives the case, `view:financial_settlement_schedules` the money, `view:title_documents` the registers, `x-api:view:documents` the documents. Of the audit the hashes of the rest stay, so that its chain can be checked.
         */
        get: operations["getEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a workspace, oldest first
         * @description Those of its applications among them, those that failed or were superseded or withdrawn, and the documents that the registry sent (`source`).
         */
        get: operations["listFiles"];
        put?: never;
        /**
         * Upload a document to a workspace
         * @description The outcome is an event, `FILE_UPLOAD_SUCCEEDED` or `FILE_UPLOAD_FAILED`, and can be read. A document counts once it succeeded; a main document (`APPLICATION_DOCUMENT`, of a type that the application takes as that) then takes the place of the one before it. Every type goes with every category. The file is declared as `application/pdf`, as `application/octet-stream` or not at all, and must be a valid PDF: not encrypted, with 1 to 2,000 pages, without scripts, XFA forms, embedded files, and actions that leave the file by themselves. Repeated with the same `Idempotency-Key`, the boundary of the form may differ.
         *
         *     With `applicationId`, which only law firms may send, it is attached to that application.
         */
        post: operations["uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is known of a file
         * @description The outcome of an upload: `SUCCESS`, or `FAILED` with the reason. One that was superseded or withdrawn can still be read.
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        /**
         * Withdraw a file
         * @description It no longer counts and is not lodged. What the registry was given stays: a file of an answer cannot be withdrawn, and a document of an application only from the next submission, while the case is `REGISTRATION_REJECTED` (one of the discharge: `PARTIALLY_REGISTERED`); its content can still be read. The same again is 204 and changes nothing.
         */
        delete: operations["withdrawFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/files/{file_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Only one whose upload status is `SUCCESS`, superseded or not, and one that was withdrawn after the registry was given it.
         */
        get: operations["getFileContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/financial-approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve the settlement schedule, or take its approval back
         * @description Needs the scope of its action. A schedule can be approved with at least one source and one destination, equal sums, and a completion date that is a business day not past.
         *
         *     Only for law firms.
         */
        post: operations["approveFinancialSettlementSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/funds-authorisation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Authorise the funds, or take the authorisation back
         * @description Date and amount are compared with the date of the schedule and the sum of its `Mortgage Advance` lines. Where they differ, nothing changes: `mismatches` says in what, and `authorised` whether funds are authorised all the same, by an earlier request. The payment is made at 09:00 in London on completion day, or at once after that hour. An authorisation can be taken back until that day begins.
         *
         *     Only for lenders.
         */
        post: operations["authoriseFunds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/lodgement-approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve the lodgement applications of a workspace, or take the approval back
         * @description The effect is committed with the answer. After a rejection the case is sent again at once, and after an early completion (`PARTIALLY_REGISTERED`) its discharge, which alone is then checked: it needs its `EVIDENCE`.
         *
         *     Only for law firms.
         */
        post: operations["approveLodgement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/parties/{party_id}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Undo that a party is an incoming or outgoing proprietor
         * @description An incoming proprietor is a `BORROWER` again. An outgoing one is no longer a party, and its proprietor is unmatched again. The applications of the case follow, and an approval of it is withdrawn. The event is `TITLE_RECONCILIATION_UPDATED`.
         *
         *     Only for law firms.
         */
        delete: operations["removePartyRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what is planned for a workspace, the next first
         * @description What the service will do by itself, and when: the counterpart of the timeline. What others will do, such as the registry, is not known beforehand.
         */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/readiness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a workspace still needs before it can be approved
         * @description One record for each rule and each thing that it checks, passed or not, of both approvals. Those of the approval `FINANCIAL` are left out once the schedule is settled or cancelled.
         */
        get: operations["getWorkspaceReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/representation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the representations of a workspace, oldest first
         * @description Every one that was ever asked for, with what became of it: those that wait, failed or were superseded too.
         */
        get: operations["listRepresentations"];
        put?: never;
        /**
         * Say who represents a party
         * @description The outcome is an event, `REPRESENTATION_ADDED` or `REPRESENTATION_FAILED`, and can be read. A new active representation of a party supersedes the one before it.
         *
         *     Only for law firms.
         */
        post: operations["addRepresentation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/representation/{representation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a representation
         * @description The outcome of an accepted representation: `ACTIVE`, or `FAILED` with the reason. Its `ETag` is the one that a change may name in `If-Match`.
         */
        get: operations["getRepresentation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change name and address of an external law firm
         * @description Applies at once, to every representation that shares the firm. The same again changes nothing.
         *
         *     Only for law firms.
         */
        patch: operations["updateRepresentation"];
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened to a workspace, oldest first
         * @description The same events as in webhooks and the feed, with who caused each and a sentence for people. Why the registry rejected a case is in the sentence of `LODGEMENT_REJECTED`.
         */
        get: operations["getTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/title-reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how borrowers and registered proprietors line up
         * @description Names that are equal but for case, accents, hyphens, quotes and honorifics link by themselves, organisations by their registration number first. A near match is shown for you to decide, and never accepted for you.
         */
        get: operations["getTitleReconciliation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Bring borrowers and registered proprietors into line
         * @description A party or proprietor is renamed and matched again, or marked as incoming or outgoing. The applications of the case follow, and an approval of it is taken back. Doing the same again is 200 and changes nothing.
         *
         *     Only for law firms.
         */
        patch: operations["updateTitleReconciliation"];
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/titles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a title to a workspace and search it
         * @description One title to a workspace; a number whose search failed gives way to the new one. The registry is asked in the background, and its answer is an event: `TITLE_DATA_RECEIVED` or `TITLE_NOT_FOUND`.
         *
         *     Only for law firms.
         */
        post: operations["addTitle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/titles/{title_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a wrong title from a workspace
         * @description Its search, its documents, the matches and the roles of parties are undone, and the applications that came from them are withdrawn. Incoming proprietors are borrowers again, outgoing ones are no longer parties. The charge keeps its facts and documents; an approval of the case is withdrawn. Then add the right title. The event is `TITLE_REMOVED`.
         *
         *     Only for law firms.
         */
        delete: operations["removeTitle"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/api/platformconnect/v1/workspaces/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the open workspaces by whose turn it is
         * @description Every count stops at 1000, so that it costs little. List them with the filters `turn` and `task`.
         */
        get: operations["countWorkspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether to send requests here
         * @description 503 while the database or the blob store does not answer, a migration is missing, the clock is wrong, or the node is stopping.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the service's clock
         * @description Real time plus the time by which it was moved. Tokens, rate limits and timeouts always use real time.
         */
        get: operations["getClock"];
        put?: never;
        /**
         * Move the clock and run the jobs that become due
         * @description Responds when nothing is left to do. `{"advance":"PT0S"}` runs what is due now; `{"to":"next"}` goes to the next thing that becomes due.
         */
        post: operations["moveClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the clock will run, the next first
         * @description Set the clock to `at` and it runs. The jobs of one workspace are in its plan, in words.
         */
        get: operations["listDue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the faults in force
         * @description For all clients, with how often each fault was injected.
         */
        get: operations["listFaults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/faults/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Inject faults into the requests and webhooks of a client
         * @description Replaces those in force. Each answer that meets one has the header `X-Injected-Fault`, and so has the request log. Faults never meet `/sandbox/v1`, the request log, the console, or scenarios. With several nodes all of them follow within two seconds.
         */
        put: operations["setFaults"];
        post?: never;
        /**
         * End the faults of a client
         * @description At once. Nothing happens where there are none.
         */
        delete: operations["endFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/maintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch maintenance on or off
         * @description While it is on, the operations of partners answer 503. Tokens, health, the documentation, the sandbox operations and jobs continue.
         */
        post: operations["setMaintenance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the sandbox to its initial data and to real time
         * @description Removes everything and creates the initial data again, with dates relative to now. Tokens of the initial clients stay valid. Responds when all data is there.
         */
        post: operations["resetSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scenarios that can be played
         * @description Each is a whole matter: what is done by whom, and what the registry and the bank do.
         */
        get: operations["listScenarios"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/scenarios/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play a scenario, to the end or until a step
         * @description Orders a matter and takes it through its steps, with the calls that a lender and a law firm would make. It moves the clock of the whole sandbox. Read the run for its progress and outcome; runs wait for each other.
         */
        post: operations["runScenario"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/scenarios/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how far a scenario has come
         * @description Each step with its calls. A reset of the sandbox removes it.
         */
        get: operations["getScenarioRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/subscribers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a subscriber with a client that holds every scope
         * @description Accepts an `Idempotency-Key`, like every POST of a partner.
         */
        post: operations["addSandboxSubscriber"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/test-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send your receiver a delivery that it must refuse, or one that it has seen
         * @description Sent at once, to the registered address and nowhere else. It is in no list of deliveries and is never repeated. A receiver that checks signatures refuses four of the six kinds with a 4xx.
         */
        post: operations["sendTestDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    WORKSPACE_CREATED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * WORKSPACE_CREATED
         * @description A workspace was created.
         */
        post: operations["onWorkspaceCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    WORKSPACE_PARTICIPANT_ADDED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * WORKSPACE_PARTICIPANT_ADDED
         * @description A law firm was named as a participant of a workspace.
         */
        post: operations["onWorkspaceParticipantAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    WORKSPACE_UPDATED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * WORKSPACE_UPDATED
         * @description The lender changed the reference or the security address of a workspace.
         */
        post: operations["onWorkspaceUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    TITLE_SEARCH_PENDING: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * TITLE_SEARCH_PENDING
         * @description The registry was asked for a title and has not answered yet.
         */
        post: operations["onTitleSearchPending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    TITLE_DATA_RECEIVED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * TITLE_DATA_RECEIVED
         * @description The registry answered with the register of the title.
         */
        post: operations["onTitleDataReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    TITLE_NOT_FOUND: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * TITLE_NOT_FOUND
         * @description The title search failed: the title is unknown, closed or still pending.
         */
        post: operations["onTitleNotFound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    TITLE_REMOVED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * TITLE_REMOVED
         * @description The title was removed from a workspace, with all that came from it.
         */
        post: operations["onTitleRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    TITLE_RECONCILIATION_UPDATED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * TITLE_RECONCILIATION_UPDATED
         * @description A party or a proprietor was renamed, or set as incoming or outgoing, or no longer is.
         */
        post: operations["onTitleReconciliationUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    REPRESENTATION_ADDED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * REPRESENTATION_ADDED
         * @description A representation of a party became active.
         */
        post: operations["onRepresentationAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    REPRESENTATION_FAILED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * REPRESENTATION_FAILED
         * @description A representation that was queued could not become active.
         */
        post: operations["onRepresentationFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    REPRESENTATION_UPDATED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * REPRESENTATION_UPDATED
         * @description The details of an external law firm were changed.
         */
        post: operations["onRepresentationUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    FILE_UPLOAD_SUCCEEDED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * FILE_UPLOAD_SUCCEEDED
         * @description An uploaded file passed its checks.
         */
        post: operations["onFileUploadSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    FILE_UPLOAD_FAILED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * FILE_UPLOAD_FAILED
         * @description An uploaded file did not pass its checks, or came too late.
         */
        post: operations["onFileUploadFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    FILE_WITHDRAWN: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * FILE_WITHDRAWN
         * @description A file was withdrawn and no longer counts.
         */
        post: operations["onFileWithdrawn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    LODGEMENT_APPLICATION_UPDATED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * LODGEMENT_APPLICATION_UPDATED
         * @description An application of the lodgement case was added, changed or withdrawn.
         */
        post: operations["onLodgementApplicationUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    READINESS_CONFIRMED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * READINESS_CONFIRMED
         * @description A person confirmed that a matter is right as it is, although a readiness rule says otherwise.
         */
        post: operations["onReadinessConfirmed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    LODGEMENT_CASE_PREPARED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * LODGEMENT_CASE_PREPARED
         * @description The lodgement case was approved, for its first submission or a later one.
         */
        post: operations["onLodgementCasePrepared"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    LODGEMENT_CASE_UNAPPROVED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * LODGEMENT_CASE_UNAPPROVED
         * @description The approval of the lodgement case was taken back, by a user or because of a change.
         */
        post: operations["onLodgementCaseUnapproved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED
         * @description The completion date or a line item of the settlement schedule was changed.
         */
        post: operations["onFinancialSettlementScheduleUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED
         * @description The settlement schedule was approved.
         */
        post: operations["onFinancialSettlementSchedulePrepared"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED
         * @description The approval of the settlement schedule was taken back.
         */
        post: operations["onFinancialSettlementScheduleUnapproved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    WORKSPACE_PREPARED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * WORKSPACE_PREPARED
         * @description The lodgement case and the settlement schedule of a workspace are both approved.
         */
        post: operations["onWorkspacePrepared"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    WORKSPACE_REVERTED_TO_CREATED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * WORKSPACE_REVERTED_TO_CREATED
         * @description An approval of a prepared workspace was taken back.
         */
        post: operations["onWorkspaceRevertedToCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    WORKSPACE_FUNDS_AUTHORISED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * WORKSPACE_FUNDS_AUTHORISED
         * @description The lender authorised the funds.
         */
        post: operations["onWorkspaceFundsAuthorised"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    WORKSPACE_FUNDS_UNAUTHORISED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * WORKSPACE_FUNDS_UNAUTHORISED
         * @description The authorisation of the funds was taken back, or the payment was refused.
         */
        post: operations["onWorkspaceFundsUnauthorised"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    SETTLEMENT_DUE: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * SETTLEMENT_DUE
         * @description Completion day: the law firm pays from its own account, and confirms each line.
         */
        post: operations["onSettlementDue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    LINE_ITEM_PAID: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * LINE_ITEM_PAID
         * @description The law firm confirmed that a line was paid, or that the money of a source was received.
         */
        post: operations["onLineItemPaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    LINE_ITEM_UNPAID: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * LINE_ITEM_UNPAID
         * @description The confirmation of a line was taken back.
         */
        post: operations["onLineItemUnpaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    WORKSPACE_FUNDS_EXCHANGED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * WORKSPACE_FUNDS_EXCHANGED
         * @description The payment settled.
         */
        post: operations["onWorkspaceFundsExchanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    LODGEMENT_WAITING: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * LODGEMENT_WAITING
         * @description The lodgement case is sent as soon as its digital deed is effective (`isEffective`).
         */
        post: operations["onLodgementWaiting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    REGISTRY_WAITING: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * REGISTRY_WAITING
         * @description The registry cannot be asked: the law firm has no account there, or the registry refuses it.
         */
        post: operations["onRegistryWaiting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    LODGEMENT_SUBMITTED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * LODGEMENT_SUBMITTED
         * @description The lodgement case was sent to the registry.
         */
        post: operations["onLodgementSubmitted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    WORKSPACE_LODGED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * WORKSPACE_LODGED
         * @description The registry accepted the case with priority.
         */
        post: operations["onWorkspaceLodged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    WORKSPACE_REQUISITIONED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * WORKSPACE_REQUISITIONED
         * @description The registry raised a requisition.
         */
        post: operations["onWorkspaceRequisitioned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    REQUISITION_DUE_SOON: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * REQUISITION_DUE_SOON
         * @description A requisition is still open 10, 5 or 1 business days before its answer is due.
         */
        post: operations["onRequisitionDueSoon"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    REQUISITION_ANSWERED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * REQUISITION_ANSWERED
         * @description A requisition was answered.
         */
        post: operations["onRequisitionAnswered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    REQUISITION_CLOSED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * REQUISITION_CLOSED
         * @description A person read a letter of the registry, and said that it needs no answer.
         */
        post: operations["onRequisitionClosed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    REGISTRY_DOCUMENT_RECEIVED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * REGISTRY_DOCUMENT_RECEIVED
         * @description The registry sent a document: a letter, a completion document or a copy of the register.
         */
        post: operations["onRegistryDocumentReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    LODGEMENT_REJECTED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * LODGEMENT_REJECTED
         * @description The registry rejected or cancelled the case.
         */
        post: operations["onLodgementRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    LODGEMENT_PARTIALLY_REGISTERED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * LODGEMENT_PARTIALLY_REGISTERED
         * @description The registry completed the case except for the discharge.
         */
        post: operations["onLodgementPartiallyRegistered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    LODGEMENT_REGISTERED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * LODGEMENT_REGISTERED
         * @description The registry completed the case.
         */
        post: operations["onLodgementRegistered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    WORKSPACE_CLOSED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * WORKSPACE_CLOSED
         * @description The case is registered and the workspace closed.
         */
        post: operations["onWorkspaceClosed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    WORKSPACE_CANCELLED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * WORKSPACE_CANCELLED
         * @description A workspace was cancelled.
         */
        post: operations["onWorkspaceCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    REPORT_GENERATED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * REPORT_GENERATED
         * @description A report is ready to be retrieved.
         */
        post: operations["onReportGenerated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    SECRET_EXPIRY: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * SECRET_EXPIRY
         * @description The shared secret of a webhook registration expires in 30, 7 or 1 days.
         */
        post: operations["onSecretExpiry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    TEST: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * TEST
         * @description A test that you requested with `POST …/test`.
         */
        post: operations["onTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    CHALLENGE: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * CHALLENGE
         * @description Checks that the address wants the deliveries. Sent when a webhook is registered, when its `webhookURI` changes and by `POST …/test` until it is verified. Check the signature, then answer with a 2xx whose body is `data.challenge`.
         */
        post: operations["onChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AddRepresentationAnswer: {
            /**
             * Format: uuid
             * @description The workspace. Paths and queries ask for it as `workspace_id`.
             */
            workspaceId: string;
            /**
             * Format: uuid
             * @description The party, as the workspace lists it: a borrower, or an outgoing proprietor.
             */
            partyId: string;
            /**
             * Format: uuid
             * @description Only for `EXTERNAL_LAW_FIRM`; the list shows every one.
             */
            representationId?: string;
            /**
             * @description A law firm on the platform, another one, or nobody.
             * @enum {string}
             */
            representedBy: "PLATFORM_SUBSCRIBER_LAW_FIRM" | "EXTERNAL_LAW_FIRM" | "NOT_REPRESENTED";
            /**
             * Format: uuid
             * @description Your own. Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`.
             */
            subscriberId?: string;
            externalLawFirm?: components["schemas"]["ExternalLawFirm"];
            /**
             * @description How the identity of the party is verified. Only for `NOT_REPRESENTED`.
             * @enum {string}
             */
            verificationOfIdentity?: "LAW_FIRM_CERTIFIED" | "IDENTITY_EVIDENCE";
        };
        /** @description `EXTERNAL_LAW_FIRM` takes either `representationId`, with or without a `referenceNumber` of its own, or `externalLawFirm` and `referenceNumber`. `NOT_REPRESENTED` takes `verificationOfIdentity` and needs it. `PLATFORM_SUBSCRIBER_LAW_FIRM` takes a `referenceNumber`, your own, and nothing else. */
        AddRepresentationRequest: {
            /**
             * Format: uuid
             * @description A party of the workspace, of whatever role.
             */
            partyId: string;
            /**
             * @description The subscriber of `PLATFORM_SUBSCRIBER_LAW_FIRM` is the one that the access token names.
             * @enum {string}
             */
            representedBy: "PLATFORM_SUBSCRIBER_LAW_FIRM" | "EXTERNAL_LAW_FIRM" | "NOT_REPRESENTED";
            externalLawFirm?: components["schemas"]["ExternalLawFirmRequest"];
            /**
             * Format: uuid
             * @description An external representation of this workspace, whose firm is to represent this party too.
             */
            representationId?: string;
            /**
             * @description What the firm, your own or the external one, files it under. Left out with `representationId`: the same as there.
             * @example MH/2026-118
             */
            referenceNumber?: string;
            /**
             * @description How the identity of the party is verified. Only for `NOT_REPRESENTED`.
             * @enum {string}
             */
            verificationOfIdentity?: "LAW_FIRM_CERTIFIED" | "IDENTITY_EVIDENCE";
        } & (unknown & unknown & unknown);
        AddTitleAnswer: {
            /**
             * Format: uuid
             * @description The workspace. Paths and queries ask for it as `workspace_id`.
             */
            workspaceId: string;
            /**
             * Format: uuid
             * @description The title of the workspace. A title that replaces another one has a new id.
             */
            titleId: string;
            /**
             * @description The registry’s number of the title, in upper case and without spaces.
             * @example ST500678
             */
            titleNumber: string;
            /**
             * @description `INITIATED` is queued; `PENDING` means that the registry was asked and has not answered.
             * @enum {string}
             */
            lastTitleSearchStatus: "INITIATED" | "PENDING" | "SUCCESS" | "FAILED";
        };
        AddTitleRequest: {
            /**
             * @description Spaces are removed and letters made upper case first.
             * @example ST500678
             */
            titleNumber: string;
        };
        /** @description Where the registry writes to a new proprietor, in the United Kingdom. HM Land Registry needs it of each who takes in a transfer, also of those who stay. */
        AddressForService: {
            /**
             * @description Flat or unit within the building.
             * @example Flat 2
             */
            flat?: string;
            /**
             * @description Of a building that has one.
             * @example Rose Cottage
             */
            name?: string;
            /**
             * @description In the street. May hold letters.
             * @example 83
             */
            number?: string;
            /**
             * @description A part of the town, or a village near it.
             * @example St Thomas
             */
            locality?: string;
            /**
             * @description The post town.
             * @example Exeter
             */
            town: string;
            /**
             * @description Where one is usual.
             * @example Devon
             */
            county?: string;
            /**
             * @description Without the number.
             * @example Fore Street
             */
            street: string;
            /**
             * @description In upper case, with one space.
             * @example EX4 3AN
             */
            postcode: string;
        };
        /** @description Where the registry writes to a new proprietor, in the United Kingdom. HM Land Registry needs it of each who takes in a transfer, also of those who stay. */
        AddressForServiceRequest: {
            /**
             * @description Flat or unit within the building.
             * @example Flat 2
             */
            flat?: string;
            /**
             * @description Of a building that has one.
             * @example Rose Cottage
             */
            name?: string;
            /**
             * @description In the street. May hold letters.
             * @example 83
             */
            number?: string;
            /**
             * @description A part of the town, or a village near it.
             * @example St Thomas
             */
            locality?: string;
            /**
             * @description The post town.
             * @example Exeter
             */
            town: string;
            /**
             * @description Where one is usual.
             * @example Devon
             */
            county?: string;
            /**
             * @description Without the number.
             * @example Fore Street
             */
            street: string;
            /**
             * @description Of the United Kingdom. Case and spaces do not matter.
             * @example EX43AN
             */
            postcode: string;
        };
        /** @description What a law firm says of it, and what follows from that. */
        ApplicationAttributes: {
            /**
             * @description `MORTGAGE_DEED` is there from the start. The others come of the register and of title reconciliation.
             * @enum {string}
             */
            applicationType: "DISCHARGE" | "CHANGE_OF_NAME" | "TRANSFER_OF_WHOLE" | "CANCEL_A_RESTRICTION" | "MORTGAGE_DEED";
            /**
             * Format: decimal
             * @description In pounds. Left out until it is set.
             * @example 206000
             */
            transactionValue?: number;
            /**
             * Format: decimal
             * @description In pounds. Left out while it depends on a `transactionValue` that is not given, and once withdrawn. A transfer for money is assessed on another scale.
             * @example 45
             */
            landRegistryFee?: number;
            /**
             * @description That of the main document.
             * @enum {string}
             */
            certificationType?: "CERTIFIED" | "ORIGINAL" | "SCANNED";
            /**
             * @description The approved form of deed. Approval needs one such as `MD431C`, of a digital deed `e-MD431C`.
             * @example MD431C
             */
            mortgageDeedReference?: string;
            /**
             * @description Whether the deed is on paper or electronic.
             * @enum {string}
             */
            mortgageDeedReferenceType?: "PAPER" | "DIGITAL";
            /** @description Whether the deed has taken effect. A digital one must, before the case is sent. */
            isEffective?: boolean;
            /**
             * @description Only of a `TRANSFER_OF_WHOLE`. With which title guarantee it is made.
             * @enum {string}
             */
            titleGuarantee?: "FULL" | "LIMITED";
            /**
             * @description Only of a `TRANSFER_OF_WHOLE`. Whether it is for money, for nothing, or for something else.
             * @enum {string}
             */
            considerationType?: "MONETARY_VALUE" | "NO_MONETARY_VALUE" | "OTHER";
            /**
             * @description Only of a `TRANSFER_OF_WHOLE`. What it is for, where that is `OTHER`.
             * @example The transferee takes over the mortgage.
             */
            considerationDescription?: string;
            /**
             * @description Only of a `TRANSFER_OF_WHOLE`. How two or more proprietors hold it; in common means in equal shares.
             * @enum {string}
             */
            trustDeclaration?: "JOINT_TENANTS" | "TENANTS_IN_COMMON" | "TRUST_DETAILS";
            /**
             * @description Only of a `TRANSFER_OF_WHOLE`. In words, where that is `TRUST_DETAILS`.
             * @example As tenants in common: 60% for Ann Lee, 40% for Bo Lee.
             */
            trustDetails?: string;
            /**
             * @description Only of a `TRANSFER_OF_WHOLE`. In pounds, where it is not for money and its value is not known exactly. A `transactionValue` wins.
             * @enum {string}
             */
            transactionValueBand?: "UP_TO_100000" | "UP_TO_200000" | "UP_TO_500000" | "UP_TO_1000000" | "ABOVE_1000000";
            /**
             * Format: decimal
             * @description Only of a `TRANSFER_OF_WHOLE`. What is still owed under a charge that the new proprietors take over, in pounds.
             * @example 0
             */
            outstandingCharge?: number;
        };
        ApplicationDocument: {
            /**
             * Format: uuid
             * @description The file, whatever its outcome.
             */
            fileId: string;
            /**
             * @description As the client called it, without path and control characters. Always ends in `.pdf`, which is added where it is missing.
             * @example mortgage-deed.pdf
             */
            fileName: string;
            /**
             * @description `PENDING` until its checks have ended. Only a `SUCCESS` counts and can be downloaded.
             * @enum {string}
             */
            fileUploadStatus: "PENDING" | "SUCCESS" | "FAILED" | "WITHDRAWN";
            auditAttributes: components["schemas"]["AuditAttributes"];
            /**
             * @description As the upload named it.
             * @enum {string}
             */
            documentType: "MORTGAGE_DEED" | "EVIDENCE" | "CORRESPONDENCE" | "IDENTITY_EVIDENCE" | "IDENTITY_FORM" | "BIRTH_CERTIFICATE" | "MARRIAGE_CERTIFICATE" | "STATEMENT_OF_TRUTH" | "STATUTORY_DECLARATION" | "PG82_CERTIFICATE" | "COMPANIES_HOUSE_CERTIFICATE" | "COMPANIES_HOUSE_EVIDENCE" | "MORTGAGE_OFFER" | "REDEMPTION_STATEMENT";
            /**
             * @description As the upload named it, like the type.
             * @enum {string}
             */
            documentCategory: "APPLICATION_DOCUMENT" | "SUPPORTING_DOCUMENT" | "WORKSPACE_SUPPORTING_DOCUMENT";
            /**
             * @description Whether the file shows a certified copy, the original, or a plain scan.
             * @example CERTIFIED
             * @enum {string}
             */
            certificationType: "CERTIFIED" | "ORIGINAL" | "SCANNED";
        };
        /** @description The main document: the one that counts, or else the newest that is still being checked. */
        ApplicationFile: {
            /**
             * Format: uuid
             * @description The file, whatever its outcome.
             */
            fileId: string;
            /**
             * @description As the client called it, without path and control characters. Always ends in `.pdf`, which is added where it is missing.
             * @example mortgage-deed.pdf
             */
            fileName: string;
            /**
             * @description `PENDING` until its checks have ended. Only a `SUCCESS` counts and can be downloaded.
             * @enum {string}
             */
            fileUploadStatus: "PENDING" | "SUCCESS" | "FAILED" | "WITHDRAWN";
            auditAttributes: components["schemas"]["AuditAttributes"];
        };
        ApplicationParty: {
            /**
             * Format: uuid
             * @description The party, as the workspace lists it: a borrower, or an outgoing proprietor.
             */
            partyId: string;
            /**
             * @description Whether the details are those of a person or of an organisation.
             * @enum {string}
             */
            type: "INDIVIDUAL" | "ORGANISATION";
            /**
             * @description A borrower who comes to the title is `INCOMING_PROPRIETOR`; who leaves it, `OUTGOING_PROPRIETOR`.
             * @enum {string}
             */
            role: "BORROWER" | "INCOMING_PROPRIETOR" | "OUTGOING_PROPRIETOR";
            /** @description The present name, by `type`. */
            partyDetails: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
            addressForService?: components["schemas"]["AddressForService"];
        };
        ApplicationRecord: {
            /**
             * Format: uuid
             * @description The application. If it is needed again after being withdrawn, it has a new id.
             */
            applicationId: string;
            /**
             * @description `MORTGAGE_DEED` is there from the start. The others come of the register and of title reconciliation.
             * @enum {string}
             */
            applicationType: "DISCHARGE" | "CHANGE_OF_NAME" | "TRANSFER_OF_WHOLE" | "CANCEL_A_RESTRICTION" | "MORTGAGE_DEED";
            /**
             * @description `READY` once it has what it needs; from `APPROVED` on with the case. `WITHDRAWN` counts for nothing.
             * @enum {string}
             */
            status: "DRAFT" | "READY" | "APPROVED" | "SUBMITTED" | "LODGED" | "REQUISITIONED" | "REGISTERED" | "REJECTED" | "WITHDRAWN";
            /**
             * Format: date-time
             * @description When it was last sent to the registry.
             * @example 2026-03-14T09:30:00.000Z
             */
            submittedAt?: string;
            /**
             * Format: email
             * @description The `approvedBy` of the approval that was sent.
             * @example approver@harbour.example
             */
            submittedBy?: string;
            auditAttributes: components["schemas"]["AuditAttributes"];
            file?: components["schemas"]["ApplicationFile"];
            attributes: components["schemas"]["ApplicationAttributes"];
            /** @description Its place in the order in which the registry takes them. Left out where it is withdrawn. */
            priority?: number;
            /** @description All that were ever attached, oldest first. */
            documents: components["schemas"]["ApplicationDocument"][];
            /** @description Whom the application concerns. */
            parties: components["schemas"]["ApplicationParty"][];
        };
        Approver: {
            /**
             * Format: email
             * @description As in `approvedBy` and `X-Acting-User`, in lower case.
             */
            email: string;
            /**
             * @description Left out for somebody who has no account in the console.
             * @example Jo Marsh
             */
            name?: string;
            /** @description What this person may decide in the console: approve the case (`LODGEMENT`) or the money (`FINANCIAL`), or authorise the funds (`FUNDS`). */
            mayDecide: ("LODGEMENT" | "FINANCIAL" | "FUNDS")[];
            /** @description What this person has changed, and may not approve if `fourEyes` is on. */
            changed: ("LODGEMENT" | "FINANCIAL")[];
        };
        Approvers: {
            /** @description Whether nobody of the law firm may approve what they have changed. */
            fourEyes: boolean;
            /** @description The fields that the approval of the case must have, because the registry asks. Empty in the sandbox. */
            asked: "disclosableOverridingInterests"[];
            /** @description By name. */
            records: components["schemas"]["Approver"][];
        };
        AttachDocumentRequest: {
            /**
             * Format: binary
             * @description A PDF, at most 41,943,040 bytes unless the operator has set another limit.
             */
            file: string;
            /**
             * @description What the document is. The DS1, the TR1 and the RX3 of the registry are `EVIDENCE`.
             * @example MORTGAGE_DEED
             * @enum {string}
             */
            documentType: "MORTGAGE_DEED" | "EVIDENCE" | "CORRESPONDENCE" | "IDENTITY_EVIDENCE" | "IDENTITY_FORM" | "BIRTH_CERTIFICATE" | "MARRIAGE_CERTIFICATE" | "STATEMENT_OF_TRUTH" | "STATUTORY_DECLARATION" | "PG82_CERTIFICATE" | "COMPANIES_HOUSE_CERTIFICATE" | "COMPANIES_HOUSE_EVIDENCE";
            /**
             * @description An `APPLICATION_DOCUMENT` is the main document of its application where it has one of these types, and is only lodged with it otherwise. `DISCHARGE`: `EVIDENCE`. `CHANGE_OF_NAME`: `MARRIAGE_CERTIFICATE`, `BIRTH_CERTIFICATE`, `STATEMENT_OF_TRUTH`, `STATUTORY_DECLARATION`, `EVIDENCE`, `COMPANIES_HOUSE_CERTIFICATE`. `TRANSFER_OF_WHOLE`: `EVIDENCE`. `CANCEL_A_RESTRICTION`: `STATEMENT_OF_TRUTH`, `EVIDENCE`. `MORTGAGE_DEED`: `MORTGAGE_DEED`.
             * @example APPLICATION_DOCUMENT
             * @enum {string}
             */
            documentCategory: "APPLICATION_DOCUMENT" | "SUPPORTING_DOCUMENT";
            /**
             * @description Whether the file shows a certified copy, the original, or a plain scan.
             * @example CERTIFIED
             * @enum {string}
             */
            certificationType: "CERTIFIED" | "ORIGINAL" | "SCANNED";
        };
        /** @description Who made it and who changed it last, and when. */
        AuditAttributes: {
            /**
             * Format: date-time
             * @description When it came into being.
             * @example 2026-03-14T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description The person of `X-Acting-User`, else the client id; `system` for the service itself.
             * @example case.handler@example.com
             */
            createdBy: string;
            /**
             * Format: date-time
             * @description At first the same as `createdAt`.
             * @example 2026-03-14T09:30:00.000Z
             */
            lastModifiedAt: string;
            /**
             * @description Who changed it last, named as in `createdBy`.
             * @example case.handler@example.com
             */
            lastModifiedBy: string;
        };
        /** @description What is authorised, and how much. */
        AuthorisedLineItemRequest: {
            /** @description False takes the authorisation back. */
            authorised: boolean;
            /**
             * @description What a lender pays.
             * @enum {string}
             */
            category: "Mortgage Advance";
            /**
             * Format: decimal
             * @description The sum of all lines of the category.
             * @example 206000
             */
            amount: number;
        };
        /** @description Where the money goes. Of a `DESTINATION` only, which must have one. */
        BankAccount: {
            /**
             * @description In whose name it is held.
             * @example Harbour Conveyancing LLP
             */
            accountName: string;
            /**
             * @description 8 digits, zeros in front included.
             * @example 12345678
             */
            accountNumber: string;
            /**
             * @description 6 digits, without hyphens.
             * @example 204060
             */
            sortCode: string;
        };
        BusinessDay: {
            /**
             * Format: date
             * @description Not a Saturday, a Sunday or a bank holiday.
             * @example 2026-03-14
             */
            date: string;
        };
        BusinessDays: {
            /** @description `limit` of them, the earliest first. */
            records: components["schemas"]["BusinessDay"][];
            /**
             * Format: date
             * @description The last business day that is accepted as a completion date today.
             * @example 2026-03-14
             */
            latestCompletionDate: string;
        };
        CancelWorkspaceRequest: {
            /**
             * @description Both sides read it in the timeline.
             * @enum {string}
             */
            cancellationReason: "APPLICANT_DECIDED_NOT_TO_PROCEED" | "TITLE_COMPLICATIONS" | "LAW_FIRM_NO_LONGER_ACTING" | "LENDER_DECIDED_NOT_TO_PROCEED" | "LOAN_INVOLVES_MULTIPLE_TITLES" | "OTHER";
            /**
             * @description Required for `OTHER`.
             * @example The property was sold.
             */
            cancellationNotesForOther?: string;
        };
        CaseApproval: {
            /**
             * @description What was done.
             * @enum {string}
             */
            action: "APPROVE" | "UNAPPROVE";
            /**
             * Format: email
             * @description Who did it, as the caller stated it.
             */
            approvedBy: string;
            /**
             * Format: date-time
             * @description When it was done.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
        };
        /** @description Why the case was rejected. Left out once it is sent again. */
        CaseRejection: {
            /**
             * Format: date-time
             * @description When the registry rejected it, or the time to answer was over.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description The registry’s validation failed, it cancelled the case, or a requisition was not answered in time.
             * @enum {string}
             */
            reason: "VALIDATION_FAILED" | "CANCELLED_BY_REGISTRY" | "REQUISITION_LAPSED";
            /**
             * @description What the registry found wrong; the first, where there are several. Only of `VALIDATION_FAILED`.
             * @example mortgageDeedReference
             */
            field?: string;
            /**
             * @description Why, in a sentence. The timeline has the same.
             * @example The registry cancelled the case: The deed that was lodged describes another property.
             */
            message: string;
        };
        CaseTitle: {
            /**
             * Format: uuid
             * @description The title of the workspace. A title that replaces another one has a new id.
             */
            titleId: string;
            /**
             * @description The registry’s number of the title, in upper case and without spaces.
             * @example ST500678
             */
            titleNumber: string;
            /**
             * @description As the register has it; left out before the search succeeded.
             * @enum {string}
             */
            tenure?: "FREEHOLD" | "LEASEHOLD";
        };
        /** @description Checks that the address wants the deliveries. Sent when a webhook is registered, when its `webhookURI` changes and by `POST …/test` until it is verified. Check the signature, then answer with a 2xx whose body is `data.challenge`. */
        ChallengeEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "CHALLENGE";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * Format: uuid
                 * @description The webhook registration. Paths ask for it as `registration_id`.
                 */
                registrationId: string;
                /**
                 * @description Return it as the body of your response.
                 * @example 6mGJ2zvNfmpZ1oFhRj8w1q0RkJm3cQyq1m2m8m0m8mE
                 */
                challenge: string;
            } & {
                [key: string]: string;
            };
        };
        ChangesPage: {
            /** @description One page, `limit` records at most. Empty where there are none. */
            records: components["schemas"]["WorkspaceChange"][];
            /**
             * @description Goes into `cursor` to ask for the next page. Left out on the last.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor?: string;
        };
        ClockAnswer: {
            /**
             * Format: date-time
             * @description The time that the clock of the service now shows.
             * @example 2026-03-14T09:30:00.000Z
             */
            now: string;
        };
        Completion: {
            /**
             * Format: uuid
             * @description The workspace. Paths and queries ask for it as `workspace_id`.
             */
            workspaceId: string;
            /**
             * @description For people to quote: `LW`, the year in two digits, and seven digits in no order. Given once.
             * @example LW264170938
             */
            workspaceReferenceId: string;
            /**
             * @description The lender’s own name for it.
             * @example REM-2026-0042
             */
            reference: string;
            /**
             * @description `PREPARED` once case and schedule are both approved; `CLOSED` once the registry has registered all.
             * @enum {string}
             */
            status: "CREATED" | "PREPARED" | "FUNDS_AUTHORISED" | "FUNDS_EXCHANGED" | "LODGED" | "REQUISITIONED" | "CLOSED" | "CANCELLED";
            /**
             * Format: decimal
             * @description The sum of its sources, in pounds.
             * @example 206000
             */
            amount: number;
            /**
             * @description Why the last payment was refused. Left out once funds are authorised again.
             * @example The bank refused the payment: an account is closed.
             */
            refusal?: string;
            turn?: components["schemas"]["Turn"];
        };
        CompletionDay: {
            /**
             * Format: date
             * @description A business day of England and Wales.
             * @example 2026-03-14
             */
            date: string;
            /**
             * @description How many workspaces complete then; of each status at most 1000 are counted.
             * @example 4
             */
            count: number;
            /**
             * @description How many of them have no authorised funds.
             * @example 4
             */
            notReady: number;
            /**
             * Format: decimal
             * @description The sum of their sources, in pounds.
             * @example 206000
             */
            amount: number;
        };
        CompletionDays: {
            /** @description The earliest first. */
            records: components["schemas"]["CompletionDay"][];
        };
        CompletionsPage: {
            /** @description One page, `limit` records at most. Empty where there are none. */
            records: components["schemas"]["Completion"][];
            /**
             * @description Goes into `cursor` to ask for the next page. Left out on the last.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor?: string;
        };
        ConfirmPaymentRequest: {
            /**
             * Format: date
             * @description The day on which the money moved, in London. Not in the future.
             * @example 2026-03-14
             */
            paidOn: string;
            /**
             * @description The bank’s own name for the payment, from the statement of the account.
             * @example MH/2026-118
             */
            bankReference: string;
            /**
             * Format: email
             * @description Who saw that it was paid or received. Not a person who has changed this line.
             */
            confirmedBy: string;
        };
        /** @description That a matter is right as it is, although a readiness rule says otherwise. */
        Confirmation: {
            /**
             * Format: uuid
             * @description The confirmation of a readiness rule.
             */
            confirmationId: string;
            /**
             * @description The rule.
             * @example security-address-matches-register
             */
            ruleId: string;
            /**
             * @description The approval that rests on it.
             * @enum {string}
             */
            approval: "LODGEMENT" | "FINANCIAL";
            /**
             * @description As in the readiness.
             * @example securityAddress
             */
            field: string;
            /**
             * @description Why it is right as it is.
             * @example The plot was given its number after the offer.
             */
            reason: string;
            /**
             * Format: email
             * @description Who confirms it, as the caller states it.
             * @example jo.marsh@harbour.example
             */
            confirmedBy: string;
            /**
             * Format: date-time
             * @description When it was confirmed.
             * @example 2026-03-14T09:30:00.000Z
             */
            confirmedAt: string;
        };
        ConfirmationRequest: {
            /**
             * @description The `ruleId` of a readiness record of the kind `CONFIRMABLE`.
             * @example security-address-matches-register
             */
            ruleId: string;
            /**
             * @description The `field` of that record.
             * @example securityAddress
             */
            field: string;
            /**
             * @description Why it is right as it is.
             * @example The plot was given its number after the offer.
             */
            reason: string;
            /**
             * Format: email
             * @description Who confirms it, as the caller states it.
             * @example jo.marsh@harbour.example
             */
            confirmedBy: string;
        };
        Confirmations: {
            /** @description One page, `limit` records at most. Empty where there are none. */
            records: components["schemas"]["Confirmation"][];
            /**
             * @description Goes into `cursor` to ask for the next page. Left out on the last.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor?: string;
        };
        CreateRemortgageWorkspaceAnswer: {
            /**
             * @description Your own name for the matter. It need not be unique.
             * @example REM-2026-0042
             */
            reference: string;
            /**
             * Format: uuid
             * @description The workspace. Paths and queries ask for it as `workspace_id`.
             */
            workspaceId: string;
            /**
             * @description For people to quote: `LW`, the year in two digits, and seven digits in no order. Given once.
             * @example LW264170938
             */
            workspaceReferenceId: string;
        };
        CreateRemortgageWorkspaceRequest: {
            /**
             * @description Your own name for the matter. It need not be unique.
             * @example REM-2026-0042
             */
            reference: string;
            property: components["schemas"]["PropertyRequest"];
            /** @description One organisation, or one to four individuals. All name the same law firm. */
            parties: (components["schemas"]["IndividualBorrowerRequest"] | components["schemas"]["OrganisationBorrowerRequest"])[];
        };
        DeliveryDay: {
            /**
             * Format: date
             * @description A day in London on which something was delivered or given up.
             * @example 2026-03-14
             */
            date: string;
            /**
             * @description Deliveries to your webhooks of this day that have ended.
             * @example 12
             */
            count: number;
            /**
             * @description Those that needed one attempt.
             * @example 12
             */
            deliveredAtFirstTry: number;
            /**
             * @description Half of the last attempts took at most this long.
             * @example 87
             */
            medianMs: number;
            /**
             * @description Nine of ten took at most this long.
             * @example 87
             */
            p90Ms: number;
        };
        DirectoryEntry: {
            /**
             * Format: uuid
             * @description The organisation on the platform.
             */
            subscriberId: string;
            /**
             * @description The list is in this order.
             * @example Harbour Conveyancing LLP
             */
            name: string;
            /**
             * @description What kind of organisation it is.
             * @enum {string}
             */
            kind: "LENDER" | "LAW_FIRM";
        };
        DirectoryPage: {
            /** @description One page, `limit` records at most. Empty where there are none. */
            records: components["schemas"]["DirectoryEntry"][];
            /**
             * @description Goes into `cursor` to ask for the next page. Left out on the last.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor?: string;
        };
        DueAnswer: {
            /** @description At most 100. */
            records: components["schemas"]["DueRecord"][];
        };
        DueRecord: {
            /**
             * Format: date-time
             * @description When it becomes due, by the clock of the service.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description The name of the job.
             * @example settlement.pay
             */
            job: string;
            /**
             * Format: uuid
             * @description The workspace. Paths and queries ask for it as `workspace_id`.
             */
            workspaceId?: string;
            /**
             * @description The reference of the workspace.
             * @example NBS-1020
             */
            reference?: string;
            /**
             * @description What it does for the workspace.
             * @example The money moves.
             */
            message?: string;
        };
        ErrorBody: {
            /** @description Every error of its kind at once. Where there are more, the last says how many. */
            errors: components["schemas"]["Fault"][];
        };
        Event: {
            /**
             * Format: uuid
             * @description The same as in a webhook, so that you can recognise an event that you have already seen.
             */
            id: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "WORKSPACE_UPDATED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_REMOVED" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "READINESS_CONFIRMED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "SETTLEMENT_DUE" | "LINE_ITEM_PAID" | "LINE_ITEM_UNPAID" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_WAITING" | "REGISTRY_WAITING" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "REQUISITION_CLOSED" | "REGISTRY_DOCUMENT_RECEIVED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only; `webhooks` lists them for each type. */
            data: {
                /**
                 * Format: uuid
                 * @description Left out for an event that concerns no workspace.
                 */
                workspaceId?: string;
                /**
                 * Format: uuid
                 * @description The recipient.
                 */
                subscriberId: string;
            } & {
                [key: string]: string;
            };
        };
        EventFeed: {
            /** @description Oldest first. Empty when nothing is new. */
            records: components["schemas"]["Event"][];
            /**
             * @description Always present. Send it as `after` in the next request.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor: string;
        };
        EventListener: {
            /**
             * @description What the program gave as `listener`.
             * @example case-system
             */
            name: string;
            /**
             * Format: date-time
             * @description When it last read, in real time, also in the sandbox.
             * @example 2026-03-14T09:30:00.000Z
             */
            lastSeenAt: string;
            /**
             * @description Whether that was within the last minute.
             * @example true
             */
            isConnected: boolean;
        };
        EventListeners: {
            /** @description Those of the last day, the last one first. */
            records: components["schemas"]["EventListener"][];
        };
        /** @description A law firm outside the platform. Only for `EXTERNAL_LAW_FIRM`. */
        ExternalLawFirm: {
            /**
             * @description As the law firm that acts here gave it.
             * @example Marsh & Hill Solicitors
             */
            name: string;
            address: components["schemas"]["FirmAddress"];
        };
        /** @description The firm, where this workspace does not know it yet; else `representationId` names it. */
        ExternalLawFirmRequest: {
            /**
             * @description Under which the firm practises.
             * @example Marsh & Hill Solicitors
             */
            name: string;
            address: components["schemas"]["FirmAddressRequest"];
        };
        Fault: {
            /** @description The field or parameter that is wrong, where there is one. */
            field?: string;
            /**
             * @description What is wrong and what is expected, in plain words.
             * @example file_id must be a UUID.
             */
            message: string;
        };
        FaultRequest: {
            /**
             * @description `UNAVAILABLE` answers 503, `TOO_MANY` 429, `EXPIRED_TOKEN` 401 to this and every later request with the same token. `DELAY` waits first. `LOST_ANSWER` does the work and closes the connection without an answer. `NEW_FIELD` and `NEW_VALUE` answer as a future version might. `DUPLICATE_WEBHOOK` delivers an event twice, `REORDERED_WEBHOOK` after the next one of its workspace.
             * @enum {string}
             */
            kind: "UNAVAILABLE" | "TOO_MANY" | "EXPIRED_TOKEN" | "DELAY" | "LOST_ANSWER" | "NEW_FIELD" | "NEW_VALUE" | "DUPLICATE_WEBHOOK" | "REORDERED_WEBHOOK";
            /**
             * @description The share of requests or deliveries that meet it.
             * @default 1
             * @example 0.2
             */
            share?: number;
            /**
             * @description How often at most.
             * @example 1
             */
            times?: number;
            /**
             * @description Only these `operationId`s. `issueToken` meets a fault only where it is named here.
             * @example [
             *       "getWorkspace"
             *     ]
             */
            operations?: string[];
            /**
             * @description Only these methods.
             * @example [
             *       "POST"
             *     ]
             */
            methods?: ("GET" | "POST" | "PUT" | "PATCH" | "DELETE")[];
            /**
             * @description `Retry-After` of a 429 or 503.
             * @default 1
             * @example 2
             */
            retryAfterSeconds?: number;
            /**
             * @description How long a `DELAY` is, in milliseconds.
             * @default 1000
             * @example 2000
             */
            delayMs?: number;
            /**
             * @description The field that gets a `NEW_VALUE`, wherever the answer has it.
             * @default status
             * @example status
             */
            field?: string;
        };
        FaultsAnswer: {
            /**
             * @description The client.
             * @example sandbox-law-firm
             */
            clientId: string;
            /**
             * @description Decides with `share` which requests meet a fault: the same seed, the same ones.
             * @default 1
             * @example 1
             */
            seed: number;
            /**
             * Format: date-time
             * @description When they end by themselves, in real time.
             * @example 2026-03-14T09:30:00.000Z
             */
            endsAt: string;
            /** @description In the order of the request. */
            faults: components["schemas"]["InjectedFault"][];
        };
        FaultsList: {
            /** @description The faults in force, by client. */
            records: components["schemas"]["FaultsAnswer"][];
        };
        FaultsRequest: {
            /** @description They are tried in this order. A request that is refused, or whose answer is lost, meets no other. */
            faults: components["schemas"]["FaultRequest"][];
            /**
             * @description Decides with `share` which requests meet a fault: the same seed, the same ones.
             * @default 1
             * @example 1
             */
            seed?: number;
            /**
             * @description After this time they end by themselves, in real time.
             * @default 300
             * @example 600
             */
            seconds?: number;
        };
        FieldChange: {
            /**
             * @description Where it is.
             * @example parties[1].name.surname
             */
            field: string;
            /**
             * @description Left out where there was none.
             * @example Prynne
             */
            before?: string | number | boolean;
            /**
             * @description Left out where there is none now.
             * @example Prynne
             */
            after?: string | number | boolean;
        };
        Figures: {
            /**
             * Format: date-time
             * @description When they were counted. Left out before the first night.
             * @example 2026-03-14T09:30:00.000Z
             */
            computedAt?: string;
            /** @description Your open workspaces at the end of each day, oldest first. */
            mattersByStatus: components["schemas"]["StatusCount"][];
            timeToRegistration: components["schemas"]["RegistrationTimes"];
            /** @description For whom workspaces that are open or ended in this time have waited, the longest first. */
            waiting: components["schemas"]["PartyWaiting"][];
            requisitions: components["schemas"]["RequisitionFigures"];
            /** @description Oldest first. */
            deliveries: components["schemas"]["DeliveryDay"][];
        };
        /** @description An uploaded file did not pass its checks, or came too late. */
        FileUploadFailedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "FILE_UPLOAD_FAILED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The file, whatever its outcome.
                 */
                fileId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description An uploaded file passed its checks. */
        FileUploadSucceededEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "FILE_UPLOAD_SUCCEEDED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The file, whatever its outcome.
                 */
                fileId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description A file was withdrawn and no longer counts. */
        FileWithdrawnEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "FILE_WITHDRAWN";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The file, whatever its outcome.
                 */
                fileId?: string;
            } & {
                [key: string]: string;
            };
        };
        FinancialApprovalAnswer: {
            /**
             * Format: uuid
             * @description The settlement schedule. A workspace has exactly one, from its creation.
             */
            financialSettlementScheduleId: string;
            /**
             * @description What was done.
             * @enum {string}
             */
            action: "APPROVE" | "UNAPPROVE";
            /**
             * @description `PREPARED` is approved, `AUTHORISED` released by the lender, `SETTLED` paid. `PAYING`: it is completion day, and the law firm pays from its own account and confirms each line.
             * @enum {string}
             */
            status: "DRAFT" | "PREPARED" | "AUTHORISED" | "PAYING" | "SETTLED" | "CANCELLED";
            /**
             * Format: email
             * @description As the request stated it.
             */
            approvedBy: string;
            /**
             * Format: date-time
             * @description When it was done.
             * @example 2026-03-14T09:30:00.000Z
             */
            approvedAt: string;
        };
        FinancialApprovalRequest: {
            /**
             * @description Each needs a scope of its own.
             * @enum {string}
             */
            action: "APPROVE" | "UNAPPROVE";
            /**
             * Format: email
             * @description Who does it, as the caller states it.
             */
            approvedBy: string;
        };
        FinancialSettlementSchedule: {
            /**
             * Format: uuid
             * @description The settlement schedule. A workspace has exactly one, from its creation.
             */
            financialSettlementScheduleId: string;
            /**
             * Format: uuid
             * @description The workspace. Paths and queries ask for it as `workspace_id`.
             */
            workspaceId: string;
            /**
             * @description `PREPARED` is approved, `AUTHORISED` released by the lender, `SETTLED` paid. `PAYING`: it is completion day, and the law firm pays from its own account and confirms each line.
             * @enum {string}
             */
            status: "DRAFT" | "PREPARED" | "AUTHORISED" | "PAYING" | "SETTLED" | "CANCELLED";
            /**
             * Format: date
             * @description The London day on which the money moves. Left out until the schedule has one.
             * @example 2026-03-14
             */
            completionDate?: string;
            /** @description In the order in which they were added. */
            lineItems: components["schemas"]["LineItem"][];
            totals: components["schemas"]["ScheduleTotals"];
            /** @description Every approval, and every withdrawal by hand, oldest first. `status` says whether the schedule is approved now. */
            approvals: components["schemas"]["ScheduleApproval"][];
            failure?: components["schemas"]["PaymentFailure"];
            settlement?: components["schemas"]["ScheduleSettlement"];
        };
        /** @description The settlement schedule was approved. */
        FinancialSettlementSchedulePreparedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The settlement schedule. A workspace has exactly one, from its creation.
                 */
                financialSettlementScheduleId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The approval of the settlement schedule was taken back. */
        FinancialSettlementScheduleUnapprovedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The settlement schedule. A workspace has exactly one, from its creation.
                 */
                financialSettlementScheduleId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The completion date or a line item of the settlement schedule was changed. */
        FinancialSettlementScheduleUpdatedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The settlement schedule. A workspace has exactly one, from its creation.
                 */
                financialSettlementScheduleId?: string;
                /**
                 * Format: uuid
                 * @description The line of the settlement schedule.
                 */
                lineItemId?: string;
            } & {
                [key: string]: string;
            };
        };
        FinancialSettlementSchedules: {
            /** @description Always one: a workspace has one schedule. */
            records: components["schemas"]["FinancialSettlementSchedule"][];
        };
        /** @description The address of the firm, as it is sent to the registry. */
        FirmAddress: {
            /**
             * @description Flat or unit within the building.
             * @example Flat 2
             */
            flat?: string;
            /**
             * @description Of a building that has one.
             * @example Rose Cottage
             */
            name?: string;
            /**
             * @description In the street. May hold letters.
             * @example 83
             */
            number?: string;
            /**
             * @description A part of the town, or a village near it.
             * @example St Thomas
             */
            locality?: string;
            /**
             * @description The post town.
             * @example Exeter
             */
            town: string;
            /**
             * @description Where one is usual.
             * @example Devon
             */
            county?: string;
            /**
             * @description Without the number.
             * @example Fore Street
             */
            street: string;
            /**
             * @description In upper case, with one space.
             * @example TA1 4AS
             */
            postcode: string;
        };
        /** @description The address of the firm, as it is sent to the registry. */
        FirmAddressRequest: {
            /**
             * @description Flat or unit within the building.
             * @example Flat 2
             */
            flat?: string;
            /**
             * @description Of a building that has one.
             * @example Rose Cottage
             */
            name?: string;
            /**
             * @description In the street. May hold letters.
             * @example 83
             */
            number?: string;
            /**
             * @description A part of the town, or a village near it.
             * @example St Thomas
             */
            locality?: string;
            /**
             * @description The post town.
             * @example Exeter
             */
            town: string;
            /**
             * @description Where one is usual.
             * @example Devon
             */
            county?: string;
            /**
             * @description Without the number.
             * @example Fore Street
             */
            street: string;
            /**
             * @description Of the United Kingdom. Case and spaces do not matter.
             * @example EX43AN
             */
            postcode: string;
        };
        FundsAuthorisationAnswer: {
            /** @description Whether date and amount are those of the schedule. False where the authorisation is taken back. */
            matched: boolean;
            /** @description Whether funds are authorised after the request. An earlier authorisation is not lost by a mismatch. */
            authorised: boolean;
            /** @description In what the request differs from the schedule: empty if it matched. Left out with `authorised: false`. */
            mismatches?: ("COMPLETION_DATE" | "AMOUNT")[];
        };
        FundsAuthorisationRequest: {
            /**
             * Format: date
             * @description The day that you expect, to be compared with that of the schedule.
             * @example 2026-03-14
             */
            completionDate: string;
            lineItem: components["schemas"]["AuthorisedLineItemRequest"];
        };
        IndividualBorrowerRequest: {
            /**
             * @description Decides which `partyDetails` are expected. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "INDIVIDUAL";
            /**
             * @description Other roles come of title reconciliation.
             * @constant
             */
            role: "BORROWER";
            partyDetails: components["schemas"]["IndividualDetails"];
            addressForService?: components["schemas"]["AddressForServiceRequest"];
            /** @description The law firm that acts. It sees the workspace from now on. */
            participants: components["schemas"]["ParticipantRequest"][];
        };
        /** @description The name of a person. */
        IndividualDetails: {
            /**
             * @description All of them, with spaces between.
             * @example William
             */
            forenames: string;
            /**
             * @description The family name.
             * @example Prynne
             */
            surname: string;
        };
        /** @description The name of a person. */
        IndividualDetailsAnswer: {
            /**
             * @description Empty where the register holds one name only. May be longer than a request takes.
             * @example William
             */
            forenames: string;
            /**
             * @description The family name. From the register it may be longer than a request takes.
             * @example Prynne
             */
            surname: string;
        };
        InjectedFault: {
            /**
             * @description `UNAVAILABLE` answers 503, `TOO_MANY` 429, `EXPIRED_TOKEN` 401 to this and every later request with the same token. `DELAY` waits first. `LOST_ANSWER` does the work and closes the connection without an answer. `NEW_FIELD` and `NEW_VALUE` answer as a future version might. `DUPLICATE_WEBHOOK` delivers an event twice, `REORDERED_WEBHOOK` after the next one of its workspace.
             * @enum {string}
             */
            kind: "UNAVAILABLE" | "TOO_MANY" | "EXPIRED_TOKEN" | "DELAY" | "LOST_ANSWER" | "NEW_FIELD" | "NEW_VALUE" | "DUPLICATE_WEBHOOK" | "REORDERED_WEBHOOK";
            /**
             * @description The share of requests or deliveries that meet it.
             * @default 1
             * @example 0.2
             */
            share?: number;
            /**
             * @description How often at most.
             * @example 1
             */
            times?: number;
            /**
             * @description Only these `operationId`s. `issueToken` meets a fault only where it is named here.
             * @example [
             *       "getWorkspace"
             *     ]
             */
            operations?: string[];
            /**
             * @description Only these methods.
             * @example [
             *       "POST"
             *     ]
             */
            methods?: ("GET" | "POST" | "PUT" | "PATCH" | "DELETE")[];
            /**
             * @description `Retry-After` of a 429 or 503.
             * @default 1
             * @example 2
             */
            retryAfterSeconds?: number;
            /**
             * @description How long a `DELAY` is, in milliseconds.
             * @default 1000
             * @example 2000
             */
            delayMs?: number;
            /**
             * @description The field that gets a `NEW_VALUE`, wherever the answer has it.
             * @default status
             * @example status
             */
            field?: string;
            /**
             * @description How many requests or deliveries it could have met.
             * @example 12
             */
            seen: number;
            /**
             * @description How many it met.
             * @example 6
             */
            injected: number;
        };
        JwksAnswer: {
            /** @description The key that signs, then those whose tokens may still be valid. */
            keys: {
                /**
                 * @description An elliptic curve.
                 * @constant
                 */
                kty: "EC";
                /**
                 * @description Which curve.
                 * @constant
                 */
                crv: "P-256";
                /**
                 * @description The x coordinate of the public key, 32 bytes in base64url.
                 * @example f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU
                 */
                x: string;
                /**
                 * @description The y coordinate of the public key, 32 bytes in base64url.
                 * @example x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0
                 */
                y: string;
                /**
                 * @description The `kid` in the header of the tokens that it signed.
                 * @example 0b7e6a0e-6c9c-4d6e-9a55-0f1f6d0f2c11
                 */
                kid: string;
                /**
                 * @description Accept no other.
                 * @constant
                 */
                alg: "ES256";
                /**
                 * @description For signatures only.
                 * @constant
                 */
                use: "sig";
            }[];
        };
        LineItem: {
            /**
             * Format: uuid
             * @description The line of the settlement schedule.
             */
            lineItemId: string;
            /**
             * @description Money that comes in, or money that goes out.
             * @enum {string}
             */
            type: "SOURCE" | "DESTINATION";
            /**
             * @description `Mortgage Advance` or `Borrower Contribution` (a shortfall that the borrower pays) for a `SOURCE`, one of the others for a `DESTINATION`.
             * @enum {string}
             */
            category: "Mortgage Advance" | "Borrower Contribution" | "Redemption" | "Conveyancing Fees" | "Surplus" | "Onward Funds";
            /**
             * Format: decimal
             * @description Pounds, with at most two decimals.
             * @example 206000
             */
            amount: number;
            /**
             * @description Goes with the payment, for the payee.
             * @example MH/2026-118
             */
            reference: string;
            bankAccount?: components["schemas"]["BankAccount"];
            payment?: components["schemas"]["LinePayment"];
        };
        /** @description The law firm confirmed that a line was paid, or that the money of a source was received. */
        LineItemPaidEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "LINE_ITEM_PAID";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The settlement schedule. A workspace has exactly one, from its creation.
                 */
                financialSettlementScheduleId?: string;
                /**
                 * Format: uuid
                 * @description The line of the settlement schedule.
                 */
                lineItemId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description `bankAccount` is required for a `DESTINATION`, and not expected for a `SOURCE`. */
        LineItemRequest: {
            /**
             * @description Money that comes in, or money that goes out.
             * @enum {string}
             */
            type: "SOURCE" | "DESTINATION";
            /**
             * @description `Mortgage Advance` or `Borrower Contribution` (a shortfall that the borrower pays) for a `SOURCE`, one of the others for a `DESTINATION`.
             * @enum {string}
             */
            category: "Mortgage Advance" | "Borrower Contribution" | "Redemption" | "Conveyancing Fees" | "Surplus" | "Onward Funds";
            /**
             * Format: decimal
             * @description Pounds, with at most two decimals.
             * @example 206000
             */
            amount: number;
            /**
             * @description Goes with the payment, for the payee. Not blank.
             * @example MH/2026-118
             */
            reference: string;
            bankAccount?: components["schemas"]["BankAccount"];
        } & (unknown & unknown & unknown);
        /** @description The confirmation of a line was taken back. */
        LineItemUnpaidEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "LINE_ITEM_UNPAID";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The settlement schedule. A workspace has exactly one, from its creation.
                 */
                financialSettlementScheduleId?: string;
                /**
                 * Format: uuid
                 * @description The line of the settlement schedule.
                 */
                lineItemId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description That it was paid, or for a `SOURCE` received. Only where the law firm pays and has confirmed it. */
        LinePayment: {
            /**
             * Format: date
             * @description The day on which the money moved, in London. Not in the future.
             * @example 2026-03-14
             */
            paidOn: string;
            /**
             * @description The bank’s own name for the payment, from the statement of the account.
             * @example MH/2026-118
             */
            bankReference: string;
            /**
             * Format: email
             * @description Who saw that it was paid or received. Not a person who has changed this line.
             */
            confirmedBy: string;
            /**
             * Format: date-time
             * @description When it was confirmed.
             * @example 2026-03-14T09:30:00.000Z
             */
            confirmedAt: string;
        };
        LiveAnswer: {
            /**
             * @description The process answers.
             * @constant
             */
            status: "live";
            /**
             * Format: uuid
             * @description The node that answered. It has another id after each start.
             */
            nodeId: string;
        };
        LodgementApplication: {
            /**
             * Format: uuid
             * @description The application. If it is needed again after being withdrawn, it has a new id.
             */
            applicationId: string;
            /**
             * @description `MORTGAGE_DEED` is there from the start. The others come of the register and of title reconciliation.
             * @enum {string}
             */
            applicationType: "DISCHARGE" | "CHANGE_OF_NAME" | "TRANSFER_OF_WHOLE" | "CANCEL_A_RESTRICTION" | "MORTGAGE_DEED";
            /**
             * @description `READY` once it has what it needs; from `APPROVED` on with the case. `WITHDRAWN` counts for nothing.
             * @enum {string}
             */
            status: "DRAFT" | "READY" | "APPROVED" | "SUBMITTED" | "LODGED" | "REQUISITIONED" | "REGISTERED" | "REJECTED" | "WITHDRAWN";
            /**
             * Format: date-time
             * @description When it was last sent to the registry.
             * @example 2026-03-14T09:30:00.000Z
             */
            submittedAt?: string;
            /**
             * Format: email
             * @description The `approvedBy` of the approval that was sent.
             * @example approver@harbour.example
             */
            submittedBy?: string;
            auditAttributes: components["schemas"]["AuditAttributes"];
            file?: components["schemas"]["ApplicationFile"];
            attributes: components["schemas"]["ApplicationAttributes"];
        };
        /** @description An application of the lodgement case was added, changed or withdrawn. */
        LodgementApplicationUpdatedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "LODGEMENT_APPLICATION_UPDATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
                /**
                 * Format: uuid
                 * @description The application. If it is needed again after being withdrawn, it has a new id.
                 */
                applicationId?: string;
            } & {
                [key: string]: string;
            };
        };
        LodgementApprovalAnswer: {
            /**
             * Format: uuid
             * @description The lodgement case. A workspace has exactly one, from its creation.
             */
            lodgementCaseId: string;
            /**
             * @description What was done.
             * @enum {string}
             */
            action: "APPROVE" | "UNAPPROVE";
            /**
             * @description `PREPARED` is approved, `INITIATED` sent to the registry, `LODGED` accepted there with priority. `DISCHARGE_SUBMITTED`: after an early completion (`PARTIALLY_REGISTERED`) the discharge was sent on its own.
             * @enum {string}
             */
            lodgementCaseStatus: "CREATED" | "PREPARED" | "INITIATED" | "LODGED" | "REQUISITIONED" | "REQUISITION_SUBMITTED" | "REGISTRATION_REJECTED" | "RESUBMISSION_PREPARED" | "PARTIALLY_REGISTERED" | "DISCHARGE_SUBMITTED" | "REGISTERED" | "CANCELLED";
            /**
             * Format: email
             * @description As the request stated it.
             * @example approver@harbour.example
             */
            approvedBy: string;
            /**
             * Format: date-time
             * @description When it was done.
             * @example 2026-03-14T09:30:00.000Z
             */
            approvedAt: string;
        };
        LodgementApprovalRequest: {
            /**
             * @description Each needs a scope of its own.
             * @enum {string}
             */
            action: "APPROVE" | "UNAPPROVE";
            /**
             * Format: uuid
             * @description The same as in the path.
             */
            workspaceId: string;
            /**
             * Format: email
             * @description Who performs the action, as the caller states it.
             * @example approver@harbour.example
             */
            approvedBy: string;
            /**
             * @description With `APPROVE`: whether there are interests that the register does not show but must be disclosed. HM Land Registry asks for this; the sandbox does not. Each approval states it again.
             * @example false
             */
            disclosableOverridingInterests?: boolean;
        };
        /** @description The lodgement case was approved, for its first submission or a later one. */
        LodgementCasePreparedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "LODGEMENT_CASE_PREPARED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        LodgementCaseRecord: {
            /**
             * Format: uuid
             * @description The lodgement case. A workspace has exactly one, from its creation.
             */
            lodgementCaseId: string;
            /**
             * @description `PREPARED` is approved, `INITIATED` sent to the registry, `LODGED` accepted there with priority. `DISCHARGE_SUBMITTED`: after an early completion (`PARTIALLY_REGISTERED`) the discharge was sent on its own.
             * @enum {string}
             */
            lodgementCaseStatus: "CREATED" | "PREPARED" | "INITIATED" | "LODGED" | "REQUISITIONED" | "REQUISITION_SUBMITTED" | "REGISTRATION_REJECTED" | "RESUBMISSION_PREPARED" | "PARTIALLY_REGISTERED" | "DISCHARGE_SUBMITTED" | "REGISTERED" | "CANCELLED";
            /**
             * Format: uuid
             * @description The workspace. Paths and queries ask for it as `workspace_id`.
             */
            workspaceId: string;
            /**
             * @description For people to quote: `LW`, the year in two digits, and seven digits in no order. Given once.
             * @example LW264170938
             */
            workspaceReferenceId: string;
            /**
             * @description The only one so far.
             * @constant
             */
            transactionType: "REMORTGAGE";
            /**
             * @description `INITIATED` is queued; `PENDING` means that the registry was asked and has not answered.
             * @enum {string}
             */
            lastTitleSearchStatus?: "INITIATED" | "PENDING" | "SUCCESS" | "FAILED";
            /**
             * @description What the registry said where the search `FAILED`; left out where a cancelled workspace ended it.
             * @enum {string}
             */
            titleSearchFailure?: "NOT_FOUND" | "CLOSED" | "PENDING_NEW_TITLE" | "NOT_SUPPORTED";
            /**
             * @description The registry’s own number of the case. Left out before it accepted it.
             * @example A123BCD
             */
            registryReference?: string;
            /**
             * Format: date-time
             * @description From this moment on it goes before what others lodge later.
             * @example 2026-03-14T09:30:00.000Z
             */
            priorityAt?: string;
            /** @description Whether the registry completed all but the discharge first. */
            earlyCompletion: boolean;
            rejection?: components["schemas"]["CaseRejection"];
            registryWait?: components["schemas"]["RegistryWait"];
            /** @description Empty until a title number is given. */
            titles: components["schemas"]["CaseTitle"][];
            /** @description All that there ever were, oldest first; the withdrawn too. */
            applications: components["schemas"]["ApplicationRecord"][];
            requisition?: components["schemas"]["OpenRequisition"];
            /** @description Every approval, and every withdrawal by hand, oldest first. `lodgementCaseStatus` says whether it is approved now. */
            approvals: components["schemas"]["CaseApproval"][];
            auditAttributes: components["schemas"]["AuditAttributes"];
        };
        /** @description The approval of the lodgement case was taken back, by a user or because of a change. */
        LodgementCaseUnapprovedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "LODGEMENT_CASE_UNAPPROVED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        LodgementCases: {
            /** @description Always one: a workspace has one case. */
            records: components["schemas"]["LodgementCaseRecord"][];
        };
        /** @description The registry completed the case except for the discharge. */
        LodgementPartiallyRegisteredEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "LODGEMENT_PARTIALLY_REGISTERED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The registry completed the case. */
        LodgementRegisteredEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "LODGEMENT_REGISTERED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The registry rejected or cancelled the case. */
        LodgementRejectedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "LODGEMENT_REJECTED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The lodgement case was sent to the registry. */
        LodgementSubmittedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "LODGEMENT_SUBMITTED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The lodgement case is sent as soon as its digital deed is effective (`isEffective`). */
        LodgementWaitingEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "LODGEMENT_WAITING";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description In the sandbox: what was answered, if it was JSON. */
        LoggedAnswerBody: {
            /**
             * @description The JSON, without secrets.
             * @example {"titleNumber":"ST500679"}
             */
            text: string;
            /**
             * @description Whether more followed.
             * @example false
             */
            isTruncated: boolean;
        };
        LoggedError: {
            /**
             * @description The field that is wrong, where there is one.
             * @example partyDetails.surname
             */
            field?: string;
            /**
             * @description In the sandbox: what is wrong.
             * @example The workspace has the title ST500678 already.
             */
            message?: string;
        };
        LoggedRequest: {
            /**
             * Format: uuid
             * @description One call.
             * @example 019a8c3e-7d1b-7c55-8a3c-6d3f2a1b4c5d
             */
            requestId: string;
            /**
             * Format: date-time
             * @description When it arrived, in real time, also in the sandbox.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description The method.
             * @example PATCH
             */
            method: string;
            /**
             * @description The path as this document writes it.
             * @example /partner/api/platformconnect/v1/workspaces/{workspace_id}/title-reconciliation
             */
            route: string;
            /**
             * @description The `operationId` in this document.
             * @example updateTitleReconciliation
             */
            operation: string;
            /**
             * @description The status of the answer.
             * @example 409
             */
            status: number;
            /**
             * @description Until the answer was sent.
             * @example 12
             */
            durationMs: number;
            /**
             * @description The client that called, or `person:` and the id of somebody who used the console.
             * @example sandbox-law-firm
             */
            clientId: string;
            /**
             * @description In the sandbox: who signed in, or `X-Acting-User`.
             * @example sam.reid@harbour.example
             */
            person?: string;
            /**
             * @description Its `X-Request-Correlation-Id`. Outside the sandbox left out if you chose one that is not a UUID or 32 hexadecimal digits.
             * @example 0b1c8a52-6f0e-4a55-9a3c-6d3f2a1b4c5d
             */
            correlationId?: string;
            /**
             * Format: uuid
             * @description The workspace. Paths and queries ask for it as `workspace_id`.
             */
            workspaceId?: string;
            /**
             * @description What `/sandbox/v1/faults` injected into it.
             * @example LOST_ANSWER
             */
            fault?: string;
            /** @description Why it was refused. Outside the sandbox only the fields; a name that is not of the interface is `…` there. */
            errors: components["schemas"]["LoggedError"][];
        };
        /** @description In the sandbox: what was sent, if it was JSON. */
        LoggedRequestBody: {
            /**
             * @description The JSON, without secrets.
             * @example {"titleNumber":"ST500679"}
             */
            text: string;
            /**
             * @description Whether more followed.
             * @example false
             */
            isTruncated: boolean;
        };
        MaintenanceAnswer: {
            /** @description While true, every operation of partners answers 503. */
            enabled: boolean;
        };
        MaintenanceRequest: {
            /** @description While true, every operation of partners answers 503. */
            enabled: boolean;
        };
        /** @description Part by part. Left out for organisations and while `PENDING`. */
        MatchDetail: {
            /**
             * @description Against the linked proprietor, or the nearest unmatched one. `SKIPPED` where there is none.
             * @enum {string}
             */
            surname: "MATCH" | "PARTIAL_MATCH" | "NO_MATCH" | "SKIPPED";
            /**
             * @description The same of the forenames. `SKIPPED` too where the surnames do not match.
             * @enum {string}
             */
            forenames: "MATCH" | "PARTIAL_MATCH" | "NO_MATCH" | "SKIPPED";
        };
        MetadataAnswer: {
            /**
             * @description The `iss` of the tokens.
             * @example http://127.0.0.1:8080
             */
            issuer: string;
            /**
             * @description Where to get tokens.
             * @example http://127.0.0.1:8080/oauth/token
             */
            token_endpoint: string;
            /**
             * @description Where the public keys are.
             * @example http://127.0.0.1:8080/.well-known/jwks.json
             */
            jwks_uri: string;
            /** @description Every scope that a client can be granted. */
            scopes_supported: ("x-api:view:reports" | "x-api:create:remortgage_workspaces" | "x-api:cancel:workspaces" | "edit:workspaces" | "view:workspaces" | "edit:workspace_parties" | "add:legal_representation_details" | "x-api:add:workspace_titles" | "x-api:view:lodgement_summary" | "x-api:view:documents" | "view:title_documents" | "x-api:edit:lodgement_applications" | "x-api:create:attachments" | "x-api:add:workspace_files" | "x-api:approve:lodgement_applications" | "x-api:unapprove:lodgement_applications" | "view:financial_settlement_schedules" | "edit:financial_settlement_schedules" | "x-api:approve:financial_settlement_schedules" | "x-api:unapprove:financial_settlement_schedules" | "x-api:authorise:funds" | "view:notifications" | "view:requests" | "edit:notification_registrations")[];
            /**
             * @description None: there is no authorisation endpoint.
             * @example []
             */
            response_types_supported: string[];
            /** @description The only grant there is. */
            grant_types_supported: "client_credentials"[];
            /** @description HTTP Basic, or id and secret in the body. */
            token_endpoint_auth_methods_supported: ("client_secret_basic" | "client_secret_post")[];
            /**
             * @description For people.
             * @example http://127.0.0.1:8080/docs
             */
            service_documentation: string;
        };
        MoveClockAnswer: {
            /**
             * Format: date-time
             * @description The time that the clock of the service now shows.
             * @example 2026-03-14T09:30:00.000Z
             */
            now: string;
            /**
             * @description How many jobs were run.
             * @example 4
             */
            ran: number;
            /** @description What became due, in order: the first 100. Each may have started other jobs. */
            due: components["schemas"]["DueRecord"][];
        };
        MoveClockRequest: {
            /**
             * Format: duration
             * @description An ISO 8601 duration.
             * @example P3D
             */
            advance?: string;
            /**
             * Format: date-time
             * @description A time that is not in the past.
             * @example 2026-03-14T09:30:00.000Z
             */
            set?: string;
            /**
             * @description To the next thing that becomes due for a workspace, or else for the service itself.
             * @enum {string}
             */
            to?: "next";
        };
        NewNotificationRegistration: {
            /**
             * Format: uuid
             * @description The webhook registration. Paths ask for it as `registration_id`.
             */
            registrationId: string;
            /**
             * Format: uuid
             * @description Your organisation. Nobody else sees or changes the registration.
             */
            subscriberId: string;
            /**
             * Format: uri
             * @description Where events are sent.
             * @example https://partner.example/hooks/lodgeway
             */
            webhookURI: string;
            /**
             * @description The events that are sent.
             * @example [
             *       "WORKSPACE_CREATED",
             *       "TITLE_DATA_RECEIVED"
             *     ]
             */
            eventTypes: ("WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "WORKSPACE_UPDATED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_REMOVED" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "READINESS_CONFIRMED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "SETTLEMENT_DUE" | "LINE_ITEM_PAID" | "LINE_ITEM_UNPAID" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_WAITING" | "REGISTRY_WAITING" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "REQUISITION_CLOSED" | "REGISTRY_DOCUMENT_RECEIVED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY")[];
            /**
             * @description An `UNVERIFIED` address is sent only challenges; its events wait for up to 30 days. It is `VERIFIED` once it answers a `CHALLENGE` with a 2xx whose body is `data.challenge`.
             * @enum {string}
             */
            status: "UNVERIFIED" | "VERIFIED";
            /**
             * Format: date-time
             * @description Rotate the secret before then: `SECRET_EXPIRY` reminds you.
             * @example 2026-03-14T09:30:00.000Z
             */
            sharedSecretExpiry: string;
            /**
             * Format: date-time
             * @description Events that happen after this time are sent.
             * @example 2026-03-14T09:30:00.000Z
             */
            createdAt: string;
            /**
             * @description Signs every delivery (Standard Webhooks). Shown here and never again.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            sharedSecret: string;
        };
        NewSubscriberAnswer: {
            /**
             * Format: uuid
             * @description The organisation on the platform.
             */
            subscriberId: string;
            /** @description Use it to request a token. */
            clientId: string;
            /** @description Shown once. */
            clientSecret: string;
        };
        NewSubscriberRequest: {
            /**
             * @description The kind decides what the subscriber may do.
             * @enum {string}
             */
            kind: "LENDER" | "LAW_FIRM";
            /**
             * @description Shown to the other participants of a workspace.
             * @example Westbrook Bank plc
             */
            name: string;
        };
        Notification: {
            /**
             * Format: uuid
             * @description One event on its way to one registration.
             */
            notificationId: string;
            /**
             * Format: uuid
             * @description The webhook registration. Paths ask for it as `registration_id`.
             */
            registrationId: string;
            /**
             * Format: uuid
             * @description The `id` of the payload and the header `webhook-id`.
             */
            eventId: string;
            /**
             * Format: uuid
             * @description Left out for a delivery that concerns no workspace.
             */
            workspaceId?: string;
            /**
             * @description The type of the event, or `TEST` or `CHALLENGE` where there is no event.
             * @enum {string}
             */
            type: "WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "WORKSPACE_UPDATED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_REMOVED" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "READINESS_CONFIRMED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "SETTLEMENT_DUE" | "LINE_ITEM_PAID" | "LINE_ITEM_UNPAID" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_WAITING" | "REGISTRY_WAITING" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "REQUISITION_CLOSED" | "REGISTRY_DOCUMENT_RECEIVED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY" | "TEST" | "CHALLENGE";
            /**
             * @description `DEAD` after the last attempt failed. Then it is sent again only when you ask for it.
             * @enum {string}
             */
            status: "PENDING" | "DELIVERED" | "DEAD";
            /**
             * Format: date-time
             * @description When it was planned: the time of the event.
             * @example 2026-03-14T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Left out when none is planned, or while it waits for an earlier delivery.
             * @example 2026-03-14T09:30:00.000Z
             */
            nextAttemptAt?: string;
            /** @description Oldest first. */
            attempts: components["schemas"]["NotificationAttempt"][];
        };
        NotificationAttempt: {
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description The status of the response. Any 2xx means delivered; a `CHALLENGE` also needs `data.challenge` as the body.
             * @example 503
             */
            status?: number;
            /**
             * @description Until the response was read, or given up after 5 seconds.
             * @example 87
             */
            durationMs: number;
            /**
             * @description The first 1 KiB of the response. Left out where it had no body.
             * @example try later
             */
            response?: string;
            /**
             * @description Why there was no response, or what is wrong with the response to a challenge.
             * @example The connection was refused.
             */
            error?: string;
        };
        NotificationDetail: {
            /**
             * Format: uuid
             * @description One event on its way to one registration.
             */
            notificationId: string;
            /**
             * Format: uuid
             * @description The webhook registration. Paths ask for it as `registration_id`.
             */
            registrationId: string;
            /**
             * Format: uuid
             * @description The `id` of the payload and the header `webhook-id`.
             */
            eventId: string;
            /**
             * Format: uuid
             * @description Left out for a delivery that concerns no workspace.
             */
            workspaceId?: string;
            /**
             * @description The type of the event, or `TEST` or `CHALLENGE` where there is no event.
             * @enum {string}
             */
            type: "WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "WORKSPACE_UPDATED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_REMOVED" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "READINESS_CONFIRMED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "SETTLEMENT_DUE" | "LINE_ITEM_PAID" | "LINE_ITEM_UNPAID" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_WAITING" | "REGISTRY_WAITING" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "REQUISITION_CLOSED" | "REGISTRY_DOCUMENT_RECEIVED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY" | "TEST" | "CHALLENGE";
            /**
             * @description `DEAD` after the last attempt failed. Then it is sent again only when you ask for it.
             * @enum {string}
             */
            status: "PENDING" | "DELIVERED" | "DEAD";
            /**
             * Format: date-time
             * @description When it was planned: the time of the event.
             * @example 2026-03-14T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Left out when none is planned, or while it waits for an earlier delivery.
             * @example 2026-03-14T09:30:00.000Z
             */
            nextAttemptAt?: string;
            /** @description Oldest first. */
            attempts: components["schemas"]["NotificationAttempt"][];
            /**
             * @description The body of the request, byte for byte, in UTF-8: what the signature is over.
             * @example {"id":"5d3f0c1e-6f8b-4b59-9c1f-0f4f8f0c5a11","type":"TEST","timestamp":"2026-03-14T09:30:00.000Z","data":{}}
             */
            body: string;
            /**
             * @description The headers of the last attempt. Empty before it, and for attempts before version 1.1.0.
             * @example {
             *       "webhook-id": "5d3f0c1e-6f8b-4b59-9c1f-0f4f8f0c5a11",
             *       "webhook-timestamp": "1773480600",
             *       "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="
             *     }
             */
            headers: {
                [key: string]: string;
            };
            /**
             * Format: uuid
             * @description The delivery of the same workspace and registration that must end before this one is sent.
             */
            waitsFor?: string;
            /**
             * @description How many later ones of the same workspace and registration wait for it. At most 1,000 are counted.
             * @example 3
             */
            waitingBehind: number;
        };
        NotificationPage: {
            /** @description One page, `limit` records at most. Empty where there are none. */
            records: components["schemas"]["Notification"][];
            /**
             * @description Goes into `cursor` to ask for the next page. Left out on the last.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor?: string;
        };
        NotificationRegistration: {
            /**
             * Format: uuid
             * @description The webhook registration. Paths ask for it as `registration_id`.
             */
            registrationId: string;
            /**
             * Format: uuid
             * @description Your organisation. Nobody else sees or changes the registration.
             */
            subscriberId: string;
            /**
             * Format: uri
             * @description Where events are sent.
             * @example https://partner.example/hooks/lodgeway
             */
            webhookURI: string;
            /**
             * @description The events that are sent.
             * @example [
             *       "WORKSPACE_CREATED",
             *       "TITLE_DATA_RECEIVED"
             *     ]
             */
            eventTypes: ("WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "WORKSPACE_UPDATED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_REMOVED" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "READINESS_CONFIRMED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "SETTLEMENT_DUE" | "LINE_ITEM_PAID" | "LINE_ITEM_UNPAID" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_WAITING" | "REGISTRY_WAITING" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "REQUISITION_CLOSED" | "REGISTRY_DOCUMENT_RECEIVED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY")[];
            /**
             * @description An `UNVERIFIED` address is sent only challenges; its events wait for up to 30 days. It is `VERIFIED` once it answers a `CHALLENGE` with a 2xx whose body is `data.challenge`.
             * @enum {string}
             */
            status: "UNVERIFIED" | "VERIFIED";
            /**
             * Format: date-time
             * @description Rotate the secret before then: `SECRET_EXPIRY` reminds you.
             * @example 2026-03-14T09:30:00.000Z
             */
            sharedSecretExpiry: string;
            /**
             * Format: date-time
             * @description Events that happen after this time are sent.
             * @example 2026-03-14T09:30:00.000Z
             */
            createdAt: string;
        };
        NotificationRegistrationPage: {
            /** @description One page, `limit` records at most. Empty where there are none. */
            records: components["schemas"]["NotificationRegistration"][];
            /**
             * @description Goes into `cursor` to ask for the next page. Left out on the last.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor?: string;
        };
        NotificationRegistrationRequest: {
            /**
             * Format: uri
             * @description Where events are sent: https, without credentials, to a public address. In the sandbox also http, to loopback.
             * @example https://partner.example/hooks/lodgeway
             */
            webhookURI: string;
            /**
             * @description The events that are sent.
             * @example [
             *       "WORKSPACE_CREATED",
             *       "TITLE_DATA_RECEIVED"
             *     ]
             */
            eventTypes: ("WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "WORKSPACE_UPDATED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_REMOVED" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "READINESS_CONFIRMED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "SETTLEMENT_DUE" | "LINE_ITEM_PAID" | "LINE_ITEM_UNPAID" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_WAITING" | "REGISTRY_WAITING" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "REQUISITION_CLOSED" | "REGISTRY_DOCUMENT_RECEIVED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY")[];
        };
        /** @description The open one, where there is one. `GET …/requisitions` has all of them. */
        OpenRequisition: {
            /**
             * Format: uuid
             * @description The requisition. A further question of the registry is a new requisition.
             */
            requisitionId: string;
            /**
             * Format: date-time
             * @description When the registry asked.
             * @example 2026-03-14T09:30:00.000Z
             */
            receivedAt: string;
            /**
             * Format: date-time
             * @description By when to answer: 20 business days later. After that the case is rejected.
             * @example 2026-03-14T09:30:00.000Z
             */
            dueAt: string;
            /** @description What the registry wants to know, in its own words. Empty where it sent a letter. */
            points: string[];
            /** @description The letter: files of the workspace, with the `source` `REGISTRY`. Each arrives shortly after the requisition. */
            fileIds: string[];
        };
        OrganisationBorrowerRequest: {
            /**
             * @description Decides which `partyDetails` are expected. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ORGANISATION";
            /**
             * @description Other roles come of title reconciliation.
             * @constant
             */
            role: "BORROWER";
            partyDetails: components["schemas"]["OrganisationDetails"];
            addressForService?: components["schemas"]["AddressForServiceRequest"];
            /** @description The law firm that acts. It sees the workspace from now on. */
            participants: components["schemas"]["ParticipantRequest"][];
        };
        /** @description The name of an organisation, and its number where it has one. */
        OrganisationDetails: {
            /**
             * @description In full; `Ltd` and `Limited` match each other.
             * @example Turner Holdings Limited
             */
            organisationName: string;
            /**
             * @description At Companies House. Digits alone are filled up with zeros on the left to 8.
             * @example 02294747
             */
            registrationNumber?: string;
        };
        /** @description The name of an organisation, and its number where it has one. */
        OrganisationDetailsAnswer: {
            /**
             * @description As it was given, or as the register has it.
             * @example Turner Holdings Limited
             */
            organisationName: string;
            /**
             * @description In upper case; digits alone filled up to 8.
             * @example 02294747
             */
            registrationNumber?: string;
        };
        ParticipantRequest: {
            /**
             * Format: uuid
             * @description The `subscriberId` of the law firm that acts: an active one.
             * @example 20000000-0000-4000-8000-000000000001
             */
            id: string;
            /**
             * @description Acts for the borrowers and lodges the case.
             * @constant
             */
            role: "CONVEYANCER";
        };
        /** @description The active one, where there is one. */
        PartyRepresentation: {
            /**
             * Format: uuid
             * @description The representation. A party that is represented again gets a new one.
             */
            representationId: string;
            /**
             * @description A law firm on the platform, another one, or nobody.
             * @enum {string}
             */
            representedBy: "PLATFORM_SUBSCRIBER_LAW_FIRM" | "EXTERNAL_LAW_FIRM" | "NOT_REPRESENTED";
            /**
             * Format: uuid
             * @description The law firm. Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`.
             */
            subscriberId?: string;
            externalLawFirm?: components["schemas"]["ExternalLawFirm"];
            /**
             * @description What the firm files it under. Left out for `NOT_REPRESENTED`.
             * @example MH/2026-118
             */
            referenceNumber?: string;
            /**
             * @description How the identity of the party is verified. Only for `NOT_REPRESENTED`.
             * @enum {string}
             */
            verificationOfIdentity?: "LAW_FIRM_CERTIFIED" | "IDENTITY_EVIDENCE";
            /**
             * @description Others are listed by `GET …/representation`.
             * @constant
             */
            status: "ACTIVE";
        };
        PartyWaiting: {
            /**
             * @description Who must act. `LAW_FIRM`: the law firm; `LENDER`: the lender; `REGISTRY`: the registry; `BANK`: the bank; `CLOCK`: nobody until completion day; `SERVICE`: this service.
             * @enum {string}
             */
            who: "LAW_FIRM" | "LENDER" | "REGISTRY" | "BANK" | "CLOCK" | "SERVICE";
            /**
             * @description How long workspaces waited for this one, all together.
             * @example 41.5
             */
            days: number;
            /**
             * @description Of all waiting, in per cent.
             * @example 41
             */
            share: number;
        };
        /** @description Why the last payment was refused. Left out once funds are authorised again. */
        PaymentFailure: {
            /**
             * Format: date-time
             * @description When the bank refused it, or the law firm said that it could not be paid.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * Format: uuid
             * @description The line whose payment was refused, where it was one. It may have been deleted since.
             */
            lineItemId?: string;
            /**
             * @description What the bank said, which names no account; or the law firm, where it was to pay.
             * @example The bank refused the payment: an account is closed.
             */
            reason: string;
        };
        PaymentFailureRequest: {
            /**
             * @description Why it cannot be paid, for the lender. Name no account.
             * @example The bank returned the redemption: the account is closed.
             */
            reason: string;
            /**
             * Format: email
             * @description Who says so.
             */
            confirmedBy: string;
        };
        Plan: {
            /** @description The next first. */
            records: components["schemas"]["PlanRecord"][];
        };
        PlanRecord: {
            /**
             * Format: date-time
             * @description When it will happen, by the clock of the service.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description `PAYMENT`: the payment is asked for; `COMPLETION_DAY_ENDS`: from then on another date is needed; `TITLE_SEARCH`, `SUBMISSION`, `REGISTRY_CHECK`, `REQUISITION_REPLY`: the registry is asked or sent something again; `REQUISITION_REMINDER`, `REQUISITION_DEADLINE`: about a requisition that is open; `FILE_CHECK`: a file is checked again.
             * @enum {string}
             */
            type: "PAYMENT" | "COMPLETION_DAY_ENDS" | "TITLE_SEARCH" | "SUBMISSION" | "REGISTRY_CHECK" | "REQUISITION_REMINDER" | "REQUISITION_DEADLINE" | "REQUISITION_REPLY" | "FILE_CHECK";
            /**
             * @description The same in a sentence for people.
             * @example The money moves.
             */
            message: string;
        };
        /** @description Where it lies and, where known, its title. */
        PropertyRequest: {
            /**
             * @description The only one so far.
             * @default ENGLAND_WALES
             * @enum {string}
             */
            jurisdiction?: "ENGLAND_WALES";
            securityAddress: components["schemas"]["SecurityAddressRequest"];
            /**
             * @description When given, the title search starts at once. Case and spaces do not matter.
             * @example ST500678
             */
            titleNumber?: string;
        };
        /** @description A person confirmed that a matter is right as it is, although a readiness rule says otherwise. */
        ReadinessConfirmedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "READINESS_CONFIRMED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The confirmation of a readiness rule.
                 */
                confirmationId?: string;
            } & {
                [key: string]: string;
            };
        };
        ReadinessPage: {
            /** @description One page, `limit` records at most. Empty where there are none. */
            records: components["schemas"]["ReadinessRecord"][];
            /**
             * @description Goes into `cursor` to ask for the next page. Left out on the last.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor?: string;
        };
        ReadinessRecord: {
            /**
             * @description The registry’s own name of the rule, where it has one.
             * @enum {string}
             */
            ruleId: "title-must-be-valid" | "all-proprietors-matched-to-borrowers" | "proprietor-count" | "party-representation-type-is-valid" | "required-identity-evidence-provided" | "all-mandatory-documents-provided" | "charge-must-have-non-negative-value" | "transfer-must-have-value" | "mdref-on-record" | "deed-is-effective" | "registry-takes-parties" | "registry-takes-application" | "schedule-has-source" | "schedule-has-destination" | "schedule-balances" | "completion-date-is-valid" | "security-address-matches-register" | "deed-is-certified" | "some-proprietor-stays" | "resubmission-was-changed" | "redemption-provided-for-registered-charge" | "advance-covers-deed";
            /**
             * @description The approval that it belongs to.
             * @enum {string}
             */
            approval: "LODGEMENT" | "FINANCIAL";
            /**
             * @description `BLOCKING`: the approval is refused until it passes. `CONFIRMABLE`: it is refused until it passes, or a person confirms that the matter is right as it is. `BLOCKING_SUBMISSION`: the case can be approved before it passes, and is not sent to the registry until then.
             * @enum {string}
             */
            kind: "BLOCKING" | "CONFIRMABLE" | "BLOCKING_SUBMISSION";
            /**
             * @description What the rule came to.
             * @enum {string}
             */
            outcome: "PASSED" | "FAILED" | "CONFIRMED";
            /** @description True where `outcome` is `PASSED` or `CONFIRMED`. */
            passed: boolean;
            /**
             * @description What is wrong and what can be done about it now, or that it is right. A refused approval says the same.
             * @example This party has no active representation. Add one.
             */
            message: string;
            /**
             * @description What to correct.
             * @example parties[1].representation
             */
            field: string;
            confirmation?: components["schemas"]["Confirmation"];
        };
        ReadyAnswer: {
            /**
             * @description Database, migrations, blob store and clock are ok, and the node is not stopping.
             * @constant
             */
            status: "ready";
        };
        ReconciledParty: {
            /**
             * Format: uuid
             * @description The party, as the workspace lists it: a borrower, or an outgoing proprietor.
             */
            partyId: string;
            /**
             * @description Whether the details are those of a person or of an organisation.
             * @enum {string}
             */
            type: "INDIVIDUAL" | "ORGANISATION";
            /**
             * @description A borrower who comes to the title is `INCOMING_PROPRIETOR`; who leaves it, `OUTGOING_PROPRIETOR`.
             * @enum {string}
             */
            role: "BORROWER" | "INCOMING_PROPRIETOR" | "OUTGOING_PROPRIETOR";
            /** @description The present name, by `type`. */
            partyDetails: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
            addressForService?: components["schemas"]["AddressForService"];
            /**
             * @description `MATCH` where it is linked to a proprietor, comes or leaves; `PENDING` before a search succeeded.
             * @enum {string}
             */
            match: "MATCH" | "MISMATCH" | "PENDING";
            /**
             * Format: uuid
             * @description The proprietor whom it is, will be or was. Where linked.
             */
            proprietorId?: string;
            matchDetail?: components["schemas"]["MatchDetail"];
            /** @description Unmatched proprietors whose name is close. Shown, and never accepted for you. */
            similarity: components["schemas"]["Similarity"][];
        };
        /** @description The register as it then stood, for programs and as it is printed. */
        RegisterExtract: {
            /**
             * @description Title, proprietorship, restrictions and charges as data.
             * @example {
             *       "editionDate": "2012-06-01",
             *       "title": {
             *         "titleNumber": "ST500678"
             *       }
             *     }
             */
            ocSummaryData: {
                [key: string]: unknown;
            };
            /**
             * @description The property, proprietorship and charges registers, entry by entry.
             * @example {
             *       "propertyRegister": {
             *         "registerEntry": []
             *       }
             *     }
             */
            ocRegisterData: {
                [key: string]: unknown;
            };
        };
        /** @description From the order to the registration. */
        RegistrationTimes: {
            /**
             * @description How many workspaces were closed, because their case was registered.
             * @example 12
             */
            count: number;
            /**
             * @description Half of them took at most this long from the order. Left out where there are none.
             * @example 41.5
             */
            medianDays?: number;
            /**
             * @description Nine of ten took at most this long.
             * @example 41.5
             */
            p90Days?: number;
            /** @description How long they took, the shortest first. */
            weeks: components["schemas"]["RegistrationWeek"][];
        };
        RegistrationWeek: {
            /**
             * @description Whole weeks from the order to the registration; 26 is all that took longer.
             * @example 6
             */
            weeks: number;
            /**
             * @description How many took that long.
             * @example 12
             */
            count: number;
        };
        /** @description The registry sent a document: a letter, a completion document or a copy of the register. */
        RegistryDocumentReceivedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "REGISTRY_DOCUMENT_RECEIVED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
                /**
                 * Format: uuid
                 * @description The file, whatever its outcome.
                 */
                fileId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description Why the title search, the lodgement or an answer has not reached the registry yet. Nothing is lost: it is tried again until it succeeds. Left out while nothing waits. */
        RegistryWait: {
            /**
             * @description `NO_ACCOUNT` and `ACCOUNT_REFUSED` need the operator of the platform: the law firm has no account at the registry, or the registry refuses it. The others pass by themselves.
             * @enum {string}
             */
            reason: "NO_ACCOUNT" | "ACCOUNT_REFUSED" | "REGISTRY_CLOSED" | "REGISTRY_UNAVAILABLE";
            /**
             * Format: date-time
             * @description Since when it waits for this reason.
             * @example 2026-03-14T09:30:00.000Z
             */
            since: string;
            /**
             * @description The reason in a sentence.
             * @example The registry is closed at this hour. It is asked again later.
             */
            message: string;
        };
        /** @description The registry cannot be asked: the law firm has no account there, or the registry refuses it. */
        RegistryWaitingEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "REGISTRY_WAITING";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        RepeatEventRequest: {
            /**
             * @description The program that gets it again: a name of `GET …/listeners`.
             * @example case-system
             */
            listener: string;
        };
        RepeatedEvent: {
            /**
             * Format: uuid
             * @description The event. The program sees the same `id` as before.
             */
            eventId: string;
            /**
             * @description The program that gets it again.
             * @example case-system
             */
            listener: string;
        };
        /** @description A report is ready to be retrieved. */
        ReportGeneratedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "REPORT_GENERATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The name of the report, as in the path that retrieves it.
                 * @example report-workspacesummary-todate
                 */
                reportName: string;
                /**
                 * Format: date
                 * @description The London date that it covers. Send it as `date` to retrieve the report.
                 * @example 2026-03-13
                 */
                reportDate: string;
            } & {
                [key: string]: string;
            };
        };
        Representation: {
            /**
             * Format: uuid
             * @description The workspace. Paths and queries ask for it as `workspace_id`.
             */
            workspaceId: string;
            /**
             * Format: uuid
             * @description The party, as the workspace lists it: a borrower, or an outgoing proprietor.
             */
            partyId: string;
            /**
             * Format: uuid
             * @description The representation. A party that is represented again gets a new one.
             */
            representationId: string;
            /**
             * @description A law firm on the platform, another one, or nobody.
             * @enum {string}
             */
            representedBy: "PLATFORM_SUBSCRIBER_LAW_FIRM" | "EXTERNAL_LAW_FIRM" | "NOT_REPRESENTED";
            /**
             * Format: uuid
             * @description The law firm. Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`.
             */
            subscriberId?: string;
            externalLawFirm?: components["schemas"]["ExternalLawFirm"];
            /**
             * @description What the firm files it under. Left out for `NOT_REPRESENTED`.
             * @example MH/2026-118
             */
            referenceNumber?: string;
            /**
             * @description How the identity of the party is verified. Only for `NOT_REPRESENTED`.
             * @enum {string}
             */
            verificationOfIdentity?: "LAW_FIRM_CERTIFIED" | "IDENTITY_EVIDENCE";
            /**
             * @description `QUEUED` at first, soon `ACTIVE` or `FAILED`; `SUPERSEDED` by a later one of the same party.
             * @enum {string}
             */
            status: "QUEUED" | "ACTIVE" | "FAILED" | "SUPERSEDED";
            /**
             * @description What had changed since it was queued. Only where it `FAILED`.
             * @enum {string}
             */
            failureReason?: "PARTY_GONE" | "WORKSPACE_LOCKED" | "WORKSPACE_CANCELLED" | "FIRM_SUSPENDED";
            auditAttributes: components["schemas"]["AuditAttributes"];
        };
        /** @description A representation of a party became active. */
        RepresentationAddedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "REPRESENTATION_ADDED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The representation. A party that is represented again gets a new one.
                 */
                representationId?: string;
                /**
                 * Format: uuid
                 * @description The party, as the workspace lists it: a borrower, or an outgoing proprietor.
                 */
                partyId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description A representation that was queued could not become active. */
        RepresentationFailedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "REPRESENTATION_FAILED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The representation. A party that is represented again gets a new one.
                 */
                representationId?: string;
                /**
                 * Format: uuid
                 * @description The party, as the workspace lists it: a borrower, or an outgoing proprietor.
                 */
                partyId?: string;
            } & {
                [key: string]: string;
            };
        };
        RepresentationPage: {
            /** @description One page, `limit` records at most. Empty where there are none. */
            records: components["schemas"]["Representation"][];
            /**
             * @description Goes into `cursor` to ask for the next page. Left out on the last.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor?: string;
        };
        /** @description The details of an external law firm were changed. */
        RepresentationUpdatedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "REPRESENTATION_UPDATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The representation. A party that is represented again gets a new one.
                 */
                representationId?: string;
                /**
                 * Format: uuid
                 * @description The party, as the workspace lists it: a borrower, or an outgoing proprietor.
                 */
                partyId?: string;
            } & {
                [key: string]: string;
            };
        };
        RequestConsequence: {
            /**
             * @description An event, its delivery to a webhook of yours, or a job that is planned.
             * @enum {string}
             */
            kind: "EVENT" | "DELIVERY" | "JOB";
            /**
             * Format: uuid
             * @description The `eventId` or `notificationId`. A job has none.
             */
            id?: string;
            /**
             * @description The type of the event, or the name of the job.
             * @example TITLE_DATA_RECEIVED
             */
            name: string;
            /**
             * @description Of a delivery.
             * @example DELIVERED
             */
            status?: string;
            /**
             * Format: date-time
             * @description When it happened or will happen, by the clock of the service.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
        };
        RequestDetail: {
            /**
             * Format: uuid
             * @description One call.
             * @example 019a8c3e-7d1b-7c55-8a3c-6d3f2a1b4c5d
             */
            requestId: string;
            /**
             * Format: date-time
             * @description When it arrived, in real time, also in the sandbox.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description The method.
             * @example PATCH
             */
            method: string;
            /**
             * @description The path as this document writes it.
             * @example /partner/api/platformconnect/v1/workspaces/{workspace_id}/title-reconciliation
             */
            route: string;
            /**
             * @description The `operationId` in this document.
             * @example updateTitleReconciliation
             */
            operation: string;
            /**
             * @description The status of the answer.
             * @example 409
             */
            status: number;
            /**
             * @description Until the answer was sent.
             * @example 12
             */
            durationMs: number;
            /**
             * @description The client that called, or `person:` and the id of somebody who used the console.
             * @example sandbox-law-firm
             */
            clientId: string;
            /**
             * @description In the sandbox: who signed in, or `X-Acting-User`.
             * @example sam.reid@harbour.example
             */
            person?: string;
            /**
             * @description Its `X-Request-Correlation-Id`. Outside the sandbox left out if you chose one that is not a UUID or 32 hexadecimal digits.
             * @example 0b1c8a52-6f0e-4a55-9a3c-6d3f2a1b4c5d
             */
            correlationId?: string;
            /**
             * Format: uuid
             * @description The workspace. Paths and queries ask for it as `workspace_id`.
             */
            workspaceId?: string;
            /**
             * @description What `/sandbox/v1/faults` injected into it.
             * @example LOST_ANSWER
             */
            fault?: string;
            /** @description Why it was refused. Outside the sandbox only the fields; a name that is not of the interface is `…` there. */
            errors: components["schemas"]["LoggedError"][];
            /**
             * @description In the sandbox: path and query.
             * @example /partner/api/platformconnect/v1/workspaces?status=CREATED
             */
            path?: string;
            /**
             * @description In the sandbox: the headers that matter for the answer. Never `Authorization`.
             * @example {
             *       "if-match": "\"5f1c\""
             *     }
             */
            headers?: {
                [key: string]: string;
            };
            body?: components["schemas"]["LoggedRequestBody"];
            answer?: components["schemas"]["LoggedAnswerBody"];
            /** @description What has the same correlation id in the same workspace, oldest first. */
            followed: components["schemas"]["RequestConsequence"][];
        };
        RequestErrorCount: {
            /**
             * @description The method.
             * @example PATCH
             */
            method: string;
            /**
             * @description The path as this document writes it.
             * @example /partner/api/platformconnect/v1/workspaces/{workspace_id}/title-reconciliation
             */
            route: string;
            /**
             * @description The `operationId` in this document.
             * @example updateTitleReconciliation
             */
            operation: string;
            /**
             * @description The status of the answer.
             * @example 409
             */
            status: number;
            /**
             * @description The field that is wrong, where there is one.
             * @example partyDetails.surname
             */
            field?: string;
            /**
             * @description In how many errors of answers.
             * @example 17
             */
            count: number;
            /**
             * Format: date-time
             * @description The last time.
             * @example 2026-03-14T09:30:00.000Z
             */
            lastAt: string;
            /**
             * Format: uuid
             * @description One call.
             * @example 019a8c3e-7d1b-7c55-8a3c-6d3f2a1b4c5d
             */
            lastRequestId: string;
        };
        RequestErrors: {
            /** @description The most frequent first. */
            records: components["schemas"]["RequestErrorCount"][];
        };
        RequestPage: {
            /** @description One page, `limit` records at most. Empty where there are none. */
            records: components["schemas"]["LoggedRequest"][];
            /**
             * @description Goes into `cursor` to ask for the next page. Left out on the last.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor?: string;
        };
        /** @description A requisition was answered. */
        RequisitionAnsweredEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "REQUISITION_ANSWERED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
                /**
                 * Format: uuid
                 * @description The requisition. A further question of the registry is a new requisition.
                 */
                requisitionId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description A person read a letter of the registry, and said that it needs no answer. */
        RequisitionClosedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "REQUISITION_CLOSED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
                /**
                 * Format: uuid
                 * @description The requisition. A further question of the registry is a new requisition.
                 */
                requisitionId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description Only where a person said that it needs no answer. */
        RequisitionClosure: {
            /**
             * Format: date-time
             * @description When it was closed.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description Why it needs no answer.
             * @example The letter only confirms the date of the inspection.
             */
            reason: string;
            /**
             * Format: email
             * @description The e-mail address of the person who read the letter.
             * @example case.handler@harbour.example
             */
            confirmedBy: string;
        };
        RequisitionClosureRequest: {
            /**
             * @description Why it needs no answer.
             * @example The letter only confirms the date of the inspection.
             */
            reason: string;
            /**
             * Format: email
             * @description The e-mail address of the person who read the letter.
             * @example case.handler@harbour.example
             */
            confirmedBy: string;
        };
        /** @description A requisition is still open 10, 5 or 1 business days before its answer is due. */
        RequisitionDueSoonEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "REQUISITION_DUE_SOON";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
                /**
                 * Format: uuid
                 * @description The requisition. A further question of the registry is a new requisition.
                 */
                requisitionId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description What the registry asked. */
        RequisitionFigures: {
            /**
             * @description How many cases were sent to the registry.
             * @example 12
             */
            cases: number;
            /** @description The most frequent first. */
            reasons: components["schemas"]["RequisitionReason"][];
        };
        RequisitionPage: {
            /** @description One page, `limit` records at most. Empty where there are none. */
            records: components["schemas"]["RequisitionRecord"][];
            /**
             * @description Goes into `cursor` to ask for the next page. Left out on the last.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor?: string;
        };
        RequisitionReason: {
            /**
             * @description The point that the registry raised, or `LETTER`.
             * @example Please lodge evidence of the identity of the borrower.
             */
            reason: string;
            /**
             * @description How often it was raised.
             * @example 12
             */
            count: number;
        };
        RequisitionRecord: {
            /**
             * Format: uuid
             * @description The requisition. A further question of the registry is a new requisition.
             */
            requisitionId: string;
            /**
             * Format: date-time
             * @description When the registry asked.
             * @example 2026-03-14T09:30:00.000Z
             */
            receivedAt: string;
            /**
             * Format: date-time
             * @description By when to answer: 20 business days later. After that the case is rejected.
             * @example 2026-03-14T09:30:00.000Z
             */
            dueAt: string;
            /** @description What the registry wants to know, in its own words. Empty where it sent a letter. */
            points: string[];
            /** @description The letter: files of the workspace, with the `source` `REGISTRY`. Each arrives shortly after the requisition. */
            fileIds: string[];
            /**
             * @description `ANSWERED` until the registry accepts the answer. It stays so where the registry asks again instead, in a requisition of its own, or cancels the case. `LAPSED`: the case was rejected before there was an answer. `NO_ANSWER_NEEDED`: a person said so (`closure`), or the registry went on without an answer.
             * @enum {string}
             */
            status: "OPEN" | "ANSWERED" | "ACCEPTED" | "LAPSED" | "NO_ANSWER_NEEDED";
            /** @description Empty until it is answered. A requisition is answered once. */
            replies: components["schemas"]["RequisitionReply"][];
            closure?: components["schemas"]["RequisitionClosure"];
        };
        RequisitionReply: {
            /**
             * Format: date-time
             * @description When it was given.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description The person of `X-Acting-User`, else the client id.
             * @example case.handler@harbour.example
             */
            by: string;
            /** @description As the registry read it. */
            message: string;
            /** @description What was sent with it. These files can be downloaded for as long as the workspace exists. */
            fileIds: string[];
        };
        RequisitionReplyAnswer: {
            /**
             * Format: uuid
             * @description The requisition. A further question of the registry is a new requisition.
             */
            requisitionId: string;
            /**
             * @description `PREPARED` is approved, `INITIATED` sent to the registry, `LODGED` accepted there with priority. `DISCHARGE_SUBMITTED`: after an early completion (`PARTIALLY_REGISTERED`) the discharge was sent on its own.
             * @enum {string}
             */
            lodgementCaseStatus: "CREATED" | "PREPARED" | "INITIATED" | "LODGED" | "REQUISITIONED" | "REQUISITION_SUBMITTED" | "REGISTRATION_REJECTED" | "RESUBMISSION_PREPARED" | "PARTIALLY_REGISTERED" | "DISCHARGE_SUBMITTED" | "REGISTERED" | "CANCELLED";
        };
        RequisitionReplyRequest: {
            /** @description The answer, as the registry is to read it. */
            message: string;
            /** @description Files of the workspace whose upload status is `SUCCESS`, to be sent with the answer. */
            fileIds?: string[];
        };
        ResetAnswer: {
            /**
             * Format: date-time
             * @description The time that the clock of the service now shows.
             * @example 2026-03-14T09:30:00.000Z
             */
            now: string;
        };
        RetriedNotifications: {
            /**
             * @description How many are sent again now, or would be with `dryRun`.
             * @example 12
             */
            count: number;
            /**
             * @description Whether more match: repeat the request for these.
             * @example false
             */
            hasMore: boolean;
        };
        RetryNotificationsRequest: {
            /**
             * @description `PENDING`: those with their next attempt in the future.
             * @enum {string}
             */
            status?: "PENDING" | "DEAD";
            /**
             * @description Only of this type. Challenges are never among them.
             * @enum {string}
             */
            type?: "WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "WORKSPACE_UPDATED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_REMOVED" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "READINESS_CONFIRMED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "SETTLEMENT_DUE" | "LINE_ITEM_PAID" | "LINE_ITEM_UNPAID" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_WAITING" | "REGISTRY_WAITING" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "REQUISITION_CLOSED" | "REGISTRY_DOCUMENT_RECEIVED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY" | "TEST" | "CHALLENGE";
            /**
             * Format: uuid
             * @description Only to this registration.
             */
            registrationId?: string;
            /**
             * Format: uuid
             * @description Only about this workspace.
             */
            workspaceId?: string;
            /**
             * Format: date-time
             * @description Planned at this time or later.
             * @example 2026-03-14T09:30:00.000Z
             */
            createdSince?: string;
            /**
             * Format: date-time
             * @description Planned before this time.
             * @example 2026-03-14T09:30:00.000Z
             */
            createdBefore?: string;
            /**
             * @description `true`: count them, and send nothing.
             * @example true
             */
            dryRun?: boolean;
        };
        RotatedSecret: {
            /**
             * Format: uuid
             * @description The webhook registration. Paths ask for it as `registration_id`.
             */
            registrationId: string;
            /**
             * @description Signs every delivery (Standard Webhooks). Shown here and never again.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            sharedSecret: string;
            /**
             * Format: date-time
             * @description When the new secret expires: 365 days from now.
             * @example 2026-03-14T09:30:00.000Z
             */
            sharedSecretExpiry: string;
        };
        RunScenarioRequest: {
            /**
             * @description The step to stop after. The last one if left out.
             * @example approve
             */
            until?: string;
        };
        Scenario: {
            /**
             * @description The name of the scenario.
             * @example requisition
             */
            name: string;
            /**
             * @description Its name for people.
             * @example Requisition, answered
             */
            title: string;
            /**
             * @description What happens, in words.
             * @example The registry asks two questions. The law firm answers in time.
             */
            description: string;
            /**
             * @description The title that it is played on.
             * @example RQ100001
             */
            titleNumber: string;
            /** @description In order. */
            steps: components["schemas"]["ScenarioStep"][];
        };
        ScenarioCall: {
            /**
             * @description The client that made it; none controls the sandbox.
             * @example sandbox-lender
             */
            client?: string;
            /**
             * @description The HTTP method.
             * @example POST
             */
            method: string;
            /**
             * @description The path, with its query.
             * @example /sandbox/v1/clock
             */
            path: string;
            /**
             * @description The status of the answer.
             * @example 200
             */
            status: number;
        };
        ScenarioRun: {
            /**
             * Format: uuid
             * @description The run.
             * @example 7b1f1f5e-3a7e-4c52-9f0c-6f5f6d0c4b1a
             */
            runId: string;
            /**
             * @description The name of the scenario.
             * @example requisition
             */
            scenario: string;
            /**
             * @description The reference of its workspace.
             * @example REQUISITION-7B1F1F
             */
            reference: string;
            /**
             * @description `WAITING` behind another run, or for the step before.
             * @enum {string}
             */
            status: "WAITING" | "RUNNING" | "DONE" | "FAILED";
            /**
             * Format: uuid
             * @description The workspace. Paths and queries ask for it as `workspace_id`.
             */
            workspaceId?: string;
            /**
             * @description Why it failed.
             * @example The status is LODGED and should be CLOSED.
             */
            error?: string;
            /** @description As far as the run goes, in order. */
            steps: components["schemas"]["ScenarioRunStep"][];
        };
        ScenarioRunStep: {
            /**
             * @description The name of the step.
             * @example answer
             */
            name: string;
            /**
             * @description What happens, in words.
             * @example The lender authorises the funds.
             */
            description: string;
            /**
             * @description `WAITING` behind another run, or for the step before.
             * @enum {string}
             */
            status: "WAITING" | "RUNNING" | "DONE" | "FAILED";
            /** @description The calls that it made, in order. */
            calls: components["schemas"]["ScenarioCall"][];
        };
        ScenarioStep: {
            /**
             * @description The name of the step.
             * @example answer
             */
            name: string;
            /**
             * @description What happens, in words.
             * @example The lender authorises the funds.
             */
            description: string;
        };
        Scenarios: {
            /** @description All of them. */
            records: components["schemas"]["Scenario"][];
        };
        ScheduleApproval: {
            /**
             * @description What was done.
             * @enum {string}
             */
            action: "APPROVE" | "UNAPPROVE";
            /**
             * Format: email
             * @description Who did it, as the caller stated it.
             */
            approvedBy: string;
            /**
             * Format: date-time
             * @description When it was done.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
        };
        /** @description Only when it is read, and once it is `SETTLED`. Scheme and reference are left out where the law firm paid and confirmed each line. */
        ScheduleSettlement: {
            /**
             * Format: date-time
             * @description When the money had moved.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description How it was paid.
             * @enum {string}
             */
            scheme?: "CHAPS" | "RTGS" | "FPS" | "BOOK";
            /**
             * @description The bank’s own name for the payment.
             * @example SIM-7F0A3C21D9E4
             */
            paymentReference?: string;
        };
        /** @description What the line items come to. */
        ScheduleTotals: {
            /**
             * Format: decimal
             * @description The sum of all sources, in pounds.
             * @example 206000
             */
            sources: number;
            /**
             * Format: decimal
             * @description The sum of all destinations, in pounds.
             * @example 206000
             */
            destinations: number;
            /**
             * Format: decimal
             * @description Sources less destinations. Approval needs it to be 0.
             * @example 0
             */
            difference: number;
        };
        /** @description The shared secret of a webhook registration expires in 30, 7 or 1 days. */
        SecretExpiryEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "SECRET_EXPIRY";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * Format: uuid
                 * @description The webhook registration. Paths ask for it as `registration_id`.
                 */
                registrationId: string;
                /**
                 * Format: date-time
                 * @description Rotate the secret before this time. Deliveries are signed with it until you do.
                 * @example 2026-03-14T09:30:00.000Z
                 */
                expiresAt: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The property that is charged. */
        SecurityAddress: {
            /**
             * @description Flat or unit within the building.
             * @example Flat 2
             */
            flat?: string;
            /**
             * @description Of a building that has one.
             * @example Rose Cottage
             */
            name?: string;
            /**
             * @description In the street. May hold letters.
             * @example 83
             */
            number?: string;
            /**
             * @description A part of the town, or a village near it.
             * @example St Thomas
             */
            locality?: string;
            /**
             * @description The post town.
             * @example Exeter
             */
            town: string;
            /**
             * @description Where one is usual.
             * @example Devon
             */
            county?: string;
            /**
             * @description Without the number.
             * @example Fore Street
             */
            street?: string;
            /**
             * @description In upper case, with one space.
             * @example EX4 3AN
             */
            postcode: string;
        };
        /** @description The property that is charged. At least one of `flat`, `name` and `number` is needed. */
        SecurityAddressRequest: {
            /**
             * @description Flat or unit within the building.
             * @example Flat 2
             */
            flat?: string;
            /**
             * @description Of a building that has one.
             * @example Rose Cottage
             */
            name?: string;
            /**
             * @description In the street. May hold letters.
             * @example 83
             */
            number?: string;
            /**
             * @description A part of the town, or a village near it.
             * @example St Thomas
             */
            locality?: string;
            /**
             * @description The post town.
             * @example Exeter
             */
            town: string;
            /**
             * @description Where one is usual.
             * @example Devon
             */
            county?: string;
            /**
             * @description Without the number.
             * @example Fore Street
             */
            street?: string;
            /**
             * @description Not of an area that lies wholly outside England and Wales. Case and spaces do not matter.
             * @example EX43AN
             */
            postcode: string;
        };
        SetAsIncomingProprietorRequest: {
            /**
             * @description What to do. It decides which other properties are expected. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            action: "SET_AS_INCOMING_PROPRIETOR";
            /**
             * Format: uuid
             * @description The party, as the workspace lists it: a borrower, or an outgoing proprietor.
             */
            partyId: string;
            addressForService?: components["schemas"]["AddressForServiceRequest"];
        };
        SetAsOutgoingProprietorRequest: {
            /**
             * @description What to do. It decides which other properties are expected. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            action: "SET_AS_OUTGOING_PROPRIETOR";
            /**
             * Format: uuid
             * @description The proprietor, as title reconciliation lists it: registered or incoming.
             */
            proprietorId: string;
        };
        /** @description Completion day: the law firm pays from its own account, and confirms each line. */
        SettlementDueEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "SETTLEMENT_DUE";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The settlement schedule. A workspace has exactly one, from its creation.
                 */
                financialSettlementScheduleId?: string;
            } & {
                [key: string]: string;
            };
        };
        Similarity: {
            /**
             * Format: uuid
             * @description The proprietor, as title reconciliation lists it: registered or incoming.
             */
            proprietorId: string;
            /** @description Few letters differ, it sounds alike, an initial or a middle name fits, or another name of theirs does. */
            reasons: ("DISTANCE" | "SOUND" | "INITIAL" | "MIDDLE" | "ALIAS")[];
        };
        StatusCount: {
            /**
             * Format: date
             * @description A day in London.
             * @example 2026-03-14
             */
            date: string;
            /**
             * @description Only of open workspaces. A status that none had is left out.
             * @enum {string}
             */
            status: "CREATED" | "PREPARED" | "FUNDS_AUTHORISED" | "FUNDS_EXCHANGED" | "LODGED" | "REQUISITIONED" | "CLOSED" | "CANCELLED";
            /**
             * @description How many had it at the end of the day.
             * @example 12
             */
            count: number;
        };
        TaskCount: {
            /**
             * @description What must be done. `GIVE_TITLE`: give a title number; `RECONCILE`: compare the names with the register; `REPRESENT`: say who acts for a party; `COMPLETE_CASE`: complete the deed and the documents; `CONFIRM`: confirm, or correct, what a rule asks about; `APPROVE_CASE`: approve the case; `DRAW_UP_MONEY`: complete the settlement schedule; `APPROVE_MONEY`: approve the settlement schedule; `NEW_DATE`: set another completion date, because the day has passed; `FIX_ACCOUNT`: see to the payment that the bank refused; `PAY`: make and confirm the payments; `MAKE_EFFECTIVE`: make the digital deed effective; `ANSWER_REQUISITION`: answer the requisition; `FIX_AND_APPROVE`: correct the rejected case and approve it again; `LODGE_DISCHARGE`: approve the discharge, unless the former lender sends it; `AUTHORISE`: authorise the funds; `COMPLETION`: the money moves in the morning of completion day; `WAIT`: an answer or a result is awaited.
             * @enum {string}
             */
            task: "GIVE_TITLE" | "RECONCILE" | "REPRESENT" | "COMPLETE_CASE" | "CONFIRM" | "APPROVE_CASE" | "DRAW_UP_MONEY" | "APPROVE_MONEY" | "NEW_DATE" | "FIX_ACCOUNT" | "PAY" | "MAKE_EFFECTIVE" | "ANSWER_REQUISITION" | "FIX_AND_APPROVE" | "LODGE_DISCHARGE" | "AUTHORISE" | "WAIT" | "COMPLETION";
            /**
             * @description How many there are; 1000 means that many or more.
             * @example 17
             */
            count: number;
        };
        TestDeliveryAnswer: {
            /**
             * @description `UNSIGNED` has no signature, `FORGED` one by another secret, `ALTERED` a body that was changed after it was signed, `STALE` was signed ten minutes ago. `REPLAYED` is the last event that was delivered, once more. `NEW_TYPE` has a type and a field that no version knows.
             * @enum {string}
             */
            kind: "UNSIGNED" | "FORGED" | "ALTERED" | "STALE" | "REPLAYED" | "NEW_TYPE";
            /**
             * Format: uuid
             * @description The `webhook-id` that was sent.
             */
            eventId: string;
            /**
             * @description What a receiver should do: answer 4xx, or 2xx.
             * @enum {string}
             */
            expected: "REFUSED" | "ACCEPTED";
            /**
             * @description Whether it did.
             * @example true
             */
            isAsExpected: boolean;
            /**
             * Format: date-time
             * @description When it was sent, in real time.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description Until the answer was read.
             * @example 12
             */
            durationMs: number;
            /**
             * @description What the receiver answered. A 208 to a `REPLAYED` event shows that it recognised the `webhook-id`.
             * @example 400
             */
            status?: number;
            /**
             * @description The first 1 KiB of its answer.
             * @example unsigned
             */
            response?: string;
            /**
             * @description Why there was no answer.
             * @example The connection was refused.
             */
            error?: string;
        };
        TestDeliveryRequest: {
            /**
             * Format: uuid
             * @description The webhook registration. Paths ask for it as `registration_id`.
             */
            registrationId: string;
            /**
             * @description `UNSIGNED` has no signature, `FORGED` one by another secret, `ALTERED` a body that was changed after it was signed, `STALE` was signed ten minutes ago. `REPLAYED` is the last event that was delivered, once more. `NEW_TYPE` has a type and a field that no version knows.
             * @enum {string}
             */
            kind: "UNSIGNED" | "FORGED" | "ALTERED" | "STALE" | "REPLAYED" | "NEW_TYPE";
        };
        /** @description A test that you requested with `POST …/test`. */
        TestEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "TEST";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * Format: uuid
                 * @description The webhook registration. Paths ask for it as `registration_id`.
                 */
                registrationId: string;
            } & {
                [key: string]: string;
            };
        };
        TimelinePage: {
            /** @description One page, `limit` records at most. Empty where there are none. */
            records: components["schemas"]["TimelineRecord"][];
            /**
             * @description Goes into `cursor` to ask for the next page. Left out on the last.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor?: string;
        };
        TimelineRecord: {
            /**
             * Format: date-time
             * @description When it happened, by the clock of the service.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description The same as in webhooks and the feed.
             * @enum {string}
             */
            type: "WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "WORKSPACE_UPDATED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_REMOVED" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "READINESS_CONFIRMED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "SETTLEMENT_DUE" | "LINE_ITEM_PAID" | "LINE_ITEM_UNPAID" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_WAITING" | "REGISTRY_WAITING" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "REQUISITION_CLOSED" | "REGISTRY_DOCUMENT_RECEIVED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY";
            /**
             * @description The person of `X-Acting-User`, else the client id; `system` for the service itself.
             * @example case.handler@example.com
             */
            by: string;
            /**
             * @description The `X-Request-Correlation-Id` of the request that caused it, where one did.
             * @example 2f1a4c1e-8a55-4f0e-9a0e-6a3f1f6f9f10
             */
            correlationId: string;
            /**
             * @description What happened, in a sentence for people; of a rejection also why.
             * @example A workspace was created.
             */
            message: string;
        };
        /** @description The registry answered with the register of the title. */
        TitleDataReceivedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "TITLE_DATA_RECEIVED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
                /**
                 * Format: uuid
                 * @description The title of the workspace. A title that replaces another one has a new id.
                 */
                titleId?: string;
            } & {
                [key: string]: string;
            };
        };
        TitleDocumentRecord: {
            /**
             * Format: uuid
             * @description One for each document that the registry issued.
             */
            titleDocumentId: string;
            /**
             * @description The register comes of the title search, the second of the registration, the third of a discharge that the registry completed later.
             * @enum {string}
             */
            documentType: "TITLE_REGISTER" | "TITLE_INFORMATION_DOCUMENT" | "EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT";
            /**
             * Format: uuid
             * @description The title of the workspace. A title that replaces another one has a new id.
             */
            titleId: string;
            /**
             * @description The registry’s number of the title, in upper case and without spaces.
             * @example ST500678
             */
            titleNumber: string;
            /**
             * Format: date-time
             * @description The moment at which the register stood so.
             * @example 2026-03-14T09:30:00.000Z
             */
            officialCopyDateTime: string;
            /**
             * Format: date
             * @description When any entry of the register was last changed.
             * @example 2026-03-14
             */
            editionDate: string;
            /**
             * Format: date-time
             * @description When the document reached this platform.
             * @example 2026-03-14T09:30:00.000Z
             */
            createdAt: string;
            registerExtract: components["schemas"]["RegisterExtract"];
        };
        TitleDocuments: {
            /** @description Newest first. Empty before the title search succeeded. */
            records: components["schemas"]["TitleDocumentRecord"][];
        };
        /** @description The title search failed: the title is unknown, closed or still pending. */
        TitleNotFoundEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "TITLE_NOT_FOUND";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
                /**
                 * Format: uuid
                 * @description The title of the workspace. A title that replaces another one has a new id.
                 */
                titleId?: string;
            } & {
                [key: string]: string;
            };
        };
        TitleReconciliation: {
            /**
             * @description How borrowers and registered proprietors line up: `PENDING` before a search succeeded, `VALID` when all do; else they differ in type, in number, or (`INVALID`) in name alone.
             * @enum {string}
             */
            borrowersValidationStatus: "PENDING" | "VALID" | "TYPE_INVALID" | "COUNT_INVALID" | "INVALID";
            /** @description The borrowers in the order of the request, then the proprietors who leave. */
            parties: components["schemas"]["ReconciledParty"][];
            /** @description Those on the register whom no borrower is and who do not leave. While there are any, no approval. */
            unmatchedProprietors: components["schemas"]["UnmatchedProprietor"][];
        };
        TitleReconciliationAnswer: {
            /**
             * @description What was done. What follows it is what it changed.
             * @enum {string}
             */
            action: "UPDATE_PARTY_NAME" | "SET_AS_INCOMING_PROPRIETOR" | "SET_AS_OUTGOING_PROPRIETOR" | "UPDATE_PROPRIETOR_NAME" | "UPDATE_OUTGOING_PROPRIETOR_NAME";
            /**
             * Format: uuid
             * @description The party, as the workspace lists it: a borrower, or an outgoing proprietor.
             */
            partyId?: string;
            /**
             * Format: uuid
             * @description The proprietor, as title reconciliation lists it: registered or incoming.
             */
            proprietorId?: string;
            /**
             * @description Only where somebody was set to come or to leave.
             * @enum {string}
             */
            titleStatus?: "INCOMING" | "OUTGOING";
            /**
             * @description Whether the details are those of a person or of an organisation.
             * @enum {string}
             */
            type?: "INDIVIDUAL" | "ORGANISATION";
            /** @description The new name of the party, by `type`. */
            partyDetails?: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
            /** @description The present name of the proprietor, by `type`. */
            proprietorDetails?: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
            addressForService?: components["schemas"]["AddressForService"];
        };
        TitleReconciliationRequest: components["schemas"]["UpdatePartyNameRequest"] | components["schemas"]["SetAsIncomingProprietorRequest"] | components["schemas"]["SetAsOutgoingProprietorRequest"] | components["schemas"]["UpdateProprietorNameRequest"] | components["schemas"]["UpdateOutgoingProprietorNameRequest"];
        /** @description A party or a proprietor was renamed, or set as incoming or outgoing, or no longer is. */
        TitleReconciliationUpdatedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "TITLE_RECONCILIATION_UPDATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The title was removed from a workspace, with all that came from it. */
        TitleRemovedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "TITLE_REMOVED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
                /**
                 * Format: uuid
                 * @description The title of the workspace. A title that replaces another one has a new id.
                 */
                titleId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The registry was asked for a title and has not answered yet. */
        TitleSearchPendingEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "TITLE_SEARCH_PENDING";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
                /**
                 * Format: uuid
                 * @description The title of the workspace. A title that replaces another one has a new id.
                 */
                titleId?: string;
            } & {
                [key: string]: string;
            };
        };
        TokenAnswer: {
            /**
             * @description A JWT by the profile of RFC 9068, with `subscriber_id`.
             * @example eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJpc3MiOiJodHRwOi8v.c2lnbmF0dXJl
             */
            access_token: string;
            /**
             * @description How it is sent: `Authorization: Bearer …`.
             * @constant
             */
            token_type: "Bearer";
            /**
             * @description Seconds.
             * @example 3600
             */
            expires_in: number;
            /**
             * @description The scopes of the token, separated by spaces.
             * @example x-api:view:reports
             */
            scope: string;
        };
        TokenError: {
            /**
             * @description The error code of RFC 6749.
             * @enum {string}
             */
            error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope" | "temporarily_unavailable";
            /**
             * @description What is wrong and what is expected, for people.
             * @example grant_type is required: client_credentials.
             */
            error_description: string;
        };
        TokenRequest: {
            /**
             * @description The only grant there is.
             * @constant
             */
            grant_type: "client_credentials";
            /** @description If the client does not authenticate by HTTP Basic. */
            client_id?: string;
            /** @description With `client_id`, and not together with HTTP Basic. */
            client_secret?: string;
            /**
             * @description Scopes with spaces between them; all granted ones when left out.
             * @example x-api:view:reports
             */
            scope?: string;
        };
        /** @description Whose turn it is. Left out once the workspace has ended. */
        Turn: {
            /**
             * @description Who must act. `LAW_FIRM`: the law firm; `LENDER`: the lender; `REGISTRY`: the registry; `BANK`: the bank; `CLOCK`: nobody until completion day; `SERVICE`: this service.
             * @enum {string}
             */
            who: "LAW_FIRM" | "LENDER" | "REGISTRY" | "BANK" | "CLOCK" | "SERVICE";
            /**
             * @description What must be done. `GIVE_TITLE`: give a title number; `RECONCILE`: compare the names with the register; `REPRESENT`: say who acts for a party; `COMPLETE_CASE`: complete the deed and the documents; `CONFIRM`: confirm, or correct, what a rule asks about; `APPROVE_CASE`: approve the case; `DRAW_UP_MONEY`: complete the settlement schedule; `APPROVE_MONEY`: approve the settlement schedule; `NEW_DATE`: set another completion date, because the day has passed; `FIX_ACCOUNT`: see to the payment that the bank refused; `PAY`: make and confirm the payments; `MAKE_EFFECTIVE`: make the digital deed effective; `ANSWER_REQUISITION`: answer the requisition; `FIX_AND_APPROVE`: correct the rejected case and approve it again; `LODGE_DISCHARGE`: approve the discharge, unless the former lender sends it; `AUTHORISE`: authorise the funds; `COMPLETION`: the money moves in the morning of completion day; `WAIT`: an answer or a result is awaited.
             * @enum {string}
             */
            task: "GIVE_TITLE" | "RECONCILE" | "REPRESENT" | "COMPLETE_CASE" | "CONFIRM" | "APPROVE_CASE" | "DRAW_UP_MONEY" | "APPROVE_MONEY" | "NEW_DATE" | "FIX_ACCOUNT" | "PAY" | "MAKE_EFFECTIVE" | "ANSWER_REQUISITION" | "FIX_AND_APPROVE" | "LODGE_DISCHARGE" | "AUTHORISE" | "WAIT" | "COMPLETION";
            /**
             * Format: date-time
             * @description Since when it is their turn, for this.
             * @example 2026-03-14T09:30:00.000Z
             */
            since: string;
            /**
             * Format: date-time
             * @description By when it must be done, where there is a date. To prepare, approve and authorise: 17:00 in London on the business day before completion.
             * @example 2026-03-14T09:30:00.000Z
             */
            dueAt?: string;
            /**
             * @description Why the registry, whose turn it is, could not be reached. The `registryWait` of the case says the same in a sentence.
             * @enum {string}
             */
            registryWait?: "NO_ACCOUNT" | "ACCOUNT_REFUSED" | "REGISTRY_CLOSED" | "REGISTRY_UNAVAILABLE";
            /** @description What else can be done meanwhile: case and money can be prepared side by side. */
            also: components["schemas"]["TurnBeside"][];
        };
        TurnBeside: {
            /**
             * @description Who must act. `LAW_FIRM`: the law firm; `LENDER`: the lender; `REGISTRY`: the registry; `BANK`: the bank; `CLOCK`: nobody until completion day; `SERVICE`: this service.
             * @enum {string}
             */
            who: "LAW_FIRM" | "LENDER" | "REGISTRY" | "BANK" | "CLOCK" | "SERVICE";
            /**
             * @description What must be done. `GIVE_TITLE`: give a title number; `RECONCILE`: compare the names with the register; `REPRESENT`: say who acts for a party; `COMPLETE_CASE`: complete the deed and the documents; `CONFIRM`: confirm, or correct, what a rule asks about; `APPROVE_CASE`: approve the case; `DRAW_UP_MONEY`: complete the settlement schedule; `APPROVE_MONEY`: approve the settlement schedule; `NEW_DATE`: set another completion date, because the day has passed; `FIX_ACCOUNT`: see to the payment that the bank refused; `PAY`: make and confirm the payments; `MAKE_EFFECTIVE`: make the digital deed effective; `ANSWER_REQUISITION`: answer the requisition; `FIX_AND_APPROVE`: correct the rejected case and approve it again; `LODGE_DISCHARGE`: approve the discharge, unless the former lender sends it; `AUTHORISE`: authorise the funds; `COMPLETION`: the money moves in the morning of completion day; `WAIT`: an answer or a result is awaited.
             * @enum {string}
             */
            task: "GIVE_TITLE" | "RECONCILE" | "REPRESENT" | "COMPLETE_CASE" | "CONFIRM" | "APPROVE_CASE" | "DRAW_UP_MONEY" | "APPROVE_MONEY" | "NEW_DATE" | "FIX_ACCOUNT" | "PAY" | "MAKE_EFFECTIVE" | "ANSWER_REQUISITION" | "FIX_AND_APPROVE" | "LODGE_DISCHARGE" | "AUTHORISE" | "WAIT" | "COMPLETION";
        };
        TurnCount: {
            /**
             * @description Who must act. `LAW_FIRM`: the law firm; `LENDER`: the lender; `REGISTRY`: the registry; `BANK`: the bank; `CLOCK`: nobody until completion day; `SERVICE`: this service.
             * @enum {string}
             */
            turn: "LAW_FIRM" | "LENDER" | "REGISTRY" | "BANK" | "CLOCK" | "SERVICE";
            /**
             * @description How many there are; 1000 means that many or more.
             * @example 17
             */
            count: number;
        };
        UnmatchedProprietor: {
            /**
             * Format: uuid
             * @description The proprietor, as title reconciliation lists it: registered or incoming.
             */
            proprietorId: string;
            /**
             * @description Whether the details are those of a person or of an organisation.
             * @enum {string}
             */
            type: "INDIVIDUAL" | "ORGANISATION";
            /** @description The present name, by `type`. */
            proprietorDetails: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
            /** @description The name on the register, by `type`. The same unless it was changed. */
            registeredDetails: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
        };
        /** @description What is left out stays as it is. */
        UpdateApplicationRequest: {
            /**
             * Format: decimal
             * @description In pounds, with at most two decimals. The registry’s fee depends on it.
             * @example 206000
             */
            transactionValue?: number;
            /**
             * @description Only of a `MORTGAGE_DEED` application.
             * @example MD431C
             */
            mortgageDeedReference?: string;
            /**
             * @description Only of a `MORTGAGE_DEED` application. A deed attached before `DIGITAL` must be uploaded again.
             * @enum {string}
             */
            mortgageDeedReferenceType?: "PAPER" | "DIGITAL";
            /** @description Only of a `MORTGAGE_DEED` application. A `DIGITAL` deed needs its reference first, and is made effective on completion day. */
            isEffective?: boolean;
            /**
             * @description Only of a `TRANSFER_OF_WHOLE`. With which title guarantee it is made.
             * @enum {string}
             */
            titleGuarantee?: "FULL" | "LIMITED";
            /**
             * @description Only of a `TRANSFER_OF_WHOLE`. Whether it is for money, for nothing, or for something else.
             * @enum {string}
             */
            considerationType?: "MONETARY_VALUE" | "NO_MONETARY_VALUE" | "OTHER";
            /**
             * @description Only of a `TRANSFER_OF_WHOLE`. What it is for, where that is `OTHER`.
             * @example The transferee takes over the mortgage.
             */
            considerationDescription?: string;
            /**
             * @description Only of a `TRANSFER_OF_WHOLE`. How two or more proprietors hold it; in common means in equal shares.
             * @enum {string}
             */
            trustDeclaration?: "JOINT_TENANTS" | "TENANTS_IN_COMMON" | "TRUST_DETAILS";
            /**
             * @description Only of a `TRANSFER_OF_WHOLE`. In words, where that is `TRUST_DETAILS`.
             * @example As tenants in common: 60% for Ann Lee, 40% for Bo Lee.
             */
            trustDetails?: string;
            /**
             * @description Only of a `TRANSFER_OF_WHOLE`. In pounds, where it is not for money and its value is not known exactly. A `transactionValue` wins.
             * @enum {string}
             */
            transactionValueBand?: "UP_TO_100000" | "UP_TO_200000" | "UP_TO_500000" | "UP_TO_1000000" | "ABOVE_1000000";
            /**
             * Format: decimal
             * @description Only of a `TRANSFER_OF_WHOLE`. What is still owed under a charge that the new proprietors take over, in pounds.
             * @example 0
             */
            outstandingCharge?: number;
        };
        /** @description What is left out stays as it is. `type` cannot change. A `bankAccount` replaces the one before whole. */
        UpdateLineItemRequest: {
            /**
             * @description Money that comes in, or money that goes out.
             * @enum {string}
             */
            type?: "SOURCE" | "DESTINATION";
            /**
             * @description `Mortgage Advance` or `Borrower Contribution` (a shortfall that the borrower pays) for a `SOURCE`, one of the others for a `DESTINATION`.
             * @enum {string}
             */
            category?: "Mortgage Advance" | "Borrower Contribution" | "Redemption" | "Conveyancing Fees" | "Surplus" | "Onward Funds";
            /**
             * Format: decimal
             * @description Pounds, with at most two decimals.
             * @example 206000
             */
            amount?: number;
            /**
             * @description Goes with the payment, for the payee. Not blank.
             * @example MH/2026-118
             */
            reference?: string;
            bankAccount?: components["schemas"]["BankAccount"];
        } & (unknown & unknown);
        UpdateOutgoingProprietorNameOfIndividualRequest: {
            /**
             * @description What to do. It decides which other properties are expected.
             * @constant
             */
            action: "UPDATE_OUTGOING_PROPRIETOR_NAME";
            /**
             * Format: uuid
             * @description The proprietor, as title reconciliation lists it: registered or incoming.
             */
            proprietorId: string;
            /**
             * @description As it is recorded: it cannot be changed. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "INDIVIDUAL";
            proprietorDetails: components["schemas"]["IndividualDetails"];
        };
        UpdateOutgoingProprietorNameOfOrganisationRequest: {
            /**
             * @description What to do. It decides which other properties are expected.
             * @constant
             */
            action: "UPDATE_OUTGOING_PROPRIETOR_NAME";
            /**
             * Format: uuid
             * @description The proprietor, as title reconciliation lists it: registered or incoming.
             */
            proprietorId: string;
            /**
             * @description As it is recorded: it cannot be changed. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ORGANISATION";
            proprietorDetails: components["schemas"]["OrganisationDetails"];
        };
        UpdateOutgoingProprietorNameRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "UPDATE_OUTGOING_PROPRIETOR_NAME";
        } & (components["schemas"]["UpdateOutgoingProprietorNameOfIndividualRequest"] | components["schemas"]["UpdateOutgoingProprietorNameOfOrganisationRequest"]);
        UpdatePartyNameOfIndividualRequest: {
            /**
             * @description What to do. It decides which other properties are expected.
             * @constant
             */
            action: "UPDATE_PARTY_NAME";
            /**
             * Format: uuid
             * @description The party, as the workspace lists it: a borrower, or an outgoing proprietor.
             */
            partyId: string;
            /**
             * @description As it is recorded: it cannot be changed. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "INDIVIDUAL";
            partyDetails: components["schemas"]["IndividualDetails"];
            addressForService?: components["schemas"]["AddressForServiceRequest"];
        };
        UpdatePartyNameOfOrganisationRequest: {
            /**
             * @description What to do. It decides which other properties are expected.
             * @constant
             */
            action: "UPDATE_PARTY_NAME";
            /**
             * Format: uuid
             * @description The party, as the workspace lists it: a borrower, or an outgoing proprietor.
             */
            partyId: string;
            /**
             * @description As it is recorded: it cannot be changed. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ORGANISATION";
            partyDetails: components["schemas"]["OrganisationDetails"];
            addressForService?: components["schemas"]["AddressForServiceRequest"];
        };
        UpdatePartyNameRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "UPDATE_PARTY_NAME";
        } & (components["schemas"]["UpdatePartyNameOfIndividualRequest"] | components["schemas"]["UpdatePartyNameOfOrganisationRequest"]);
        UpdateProprietorNameOfIndividualRequest: {
            /**
             * @description What to do. It decides which other properties are expected.
             * @constant
             */
            action: "UPDATE_PROPRIETOR_NAME";
            /**
             * Format: uuid
             * @description The proprietor, as title reconciliation lists it: registered or incoming.
             */
            proprietorId: string;
            /**
             * @description As it is recorded: it cannot be changed. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "INDIVIDUAL";
            proprietorDetails: components["schemas"]["IndividualDetails"];
        };
        UpdateProprietorNameOfOrganisationRequest: {
            /**
             * @description What to do. It decides which other properties are expected.
             * @constant
             */
            action: "UPDATE_PROPRIETOR_NAME";
            /**
             * Format: uuid
             * @description The proprietor, as title reconciliation lists it: registered or incoming.
             */
            proprietorId: string;
            /**
             * @description As it is recorded: it cannot be changed. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "ORGANISATION";
            proprietorDetails: components["schemas"]["OrganisationDetails"];
        };
        UpdateProprietorNameRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "UPDATE_PROPRIETOR_NAME";
        } & (components["schemas"]["UpdateProprietorNameOfIndividualRequest"] | components["schemas"]["UpdateProprietorNameOfOrganisationRequest"]);
        UpdateRepresentationAnswer: {
            /**
             * Format: uuid
             * @description The party, as the workspace lists it: a borrower, or an outgoing proprietor.
             */
            partyId: string;
            /**
             * Format: uuid
             * @description The representation. A party that is represented again gets a new one.
             */
            representationId: string;
            /**
             * @description A law firm on the platform, another one, or nobody.
             * @enum {string}
             */
            representedBy: "PLATFORM_SUBSCRIBER_LAW_FIRM" | "EXTERNAL_LAW_FIRM" | "NOT_REPRESENTED";
            /**
             * Format: uuid
             * @description The law firm. Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`.
             */
            subscriberId?: string;
            externalLawFirm?: components["schemas"]["ExternalLawFirm"];
            /**
             * @description What the firm files it under. Left out for `NOT_REPRESENTED`.
             * @example MH/2026-118
             */
            referenceNumber?: string;
            /**
             * @description How the identity of the party is verified. Only for `NOT_REPRESENTED`.
             * @enum {string}
             */
            verificationOfIdentity?: "LAW_FIRM_CERTIFIED" | "IDENTITY_EVIDENCE";
        };
        UpdateRepresentationRequest: {
            /**
             * @description Under which the firm practises.
             * @example Marsh & Hill Solicitors
             */
            name: string;
            address: components["schemas"]["FirmAddressRequest"];
        };
        UpdateScheduleRequest: {
            /**
             * Format: date
             * @description A business day of England and Wales, not past and at most 6 months ahead.
             * @example 2026-03-14
             */
            completionDate: string;
        };
        UpdateWorkspaceRequest: {
            /**
             * @description The lender’s own name for the matter.
             * @example REM-2026-0042
             */
            reference?: string;
            securityAddress?: components["schemas"]["SecurityAddressRequest"];
            /**
             * @description The number of the matter in your own system. Only you see it, and your reports show it.
             * @example HC/2026/1187
             */
            ownReference?: string;
        };
        UploadAnswer: {
            /**
             * Format: uuid
             * @description Identifies the file from now on, in paths and in the event with its outcome.
             */
            fileId: string;
        };
        UploadFileRequest: {
            /**
             * Format: binary
             * @description A PDF, at most 41,943,040 bytes unless the operator has set another limit.
             */
            file: string;
            /**
             * @description What the document is. The DS1, the TR1 and the RX3 of the registry are `EVIDENCE`.
             * @example MORTGAGE_OFFER
             * @enum {string}
             */
            documentType: "MORTGAGE_DEED" | "EVIDENCE" | "CORRESPONDENCE" | "IDENTITY_EVIDENCE" | "IDENTITY_FORM" | "BIRTH_CERTIFICATE" | "MARRIAGE_CERTIFICATE" | "STATEMENT_OF_TRUTH" | "STATUTORY_DECLARATION" | "PG82_CERTIFICATE" | "COMPANIES_HOUSE_CERTIFICATE" | "COMPANIES_HOUSE_EVIDENCE" | "MORTGAGE_OFFER" | "REDEMPTION_STATEMENT";
            /**
             * Format: uuid
             * @description Attaches the file to this application; left out, it is of the workspace alone.
             */
            applicationId?: string;
            /**
             * @description An `APPLICATION_DOCUMENT` is the main document of its application where it has one of these types, and is only lodged with it otherwise. `DISCHARGE`: `EVIDENCE`. `CHANGE_OF_NAME`: `MARRIAGE_CERTIFICATE`, `BIRTH_CERTIFICATE`, `STATEMENT_OF_TRUTH`, `STATUTORY_DECLARATION`, `EVIDENCE`, `COMPANIES_HOUSE_CERTIFICATE`. `TRANSFER_OF_WHOLE`: `EVIDENCE`. `CANCEL_A_RESTRICTION`: `STATEMENT_OF_TRUTH`, `EVIDENCE`. `MORTGAGE_DEED`: `MORTGAGE_DEED`. A `WORKSPACE_SUPPORTING_DOCUMENT` is never sent to the registry and counts for no rule.
             * @example WORKSPACE_SUPPORTING_DOCUMENT
             * @enum {string}
             */
            documentCategory: "APPLICATION_DOCUMENT" | "SUPPORTING_DOCUMENT" | "WORKSPACE_SUPPORTING_DOCUMENT";
            /**
             * @description Left out, it is taken as `SCANNED`.
             * @enum {string}
             */
            certificationType?: "CERTIFIED" | "ORIGINAL" | "SCANNED";
        };
        Workspace: {
            /**
             * Format: uuid
             * @description The workspace. Paths and queries ask for it as `workspace_id`.
             */
            workspaceId: string;
            /**
             * @description For people to quote: `LW`, the year in two digits, and seven digits in no order. Given once.
             * @example LW264170938
             */
            workspaceReferenceId: string;
            /**
             * @description The lender’s own name for the matter.
             * @example REM-2026-0042
             */
            reference: string;
            /**
             * @description The number of the matter in your own system. Only you see it, and your reports show it.
             * @example HC/2026/1187
             */
            ownReference?: string;
            /**
             * @description `PREPARED` once case and schedule are both approved; `CLOSED` once the registry has registered all.
             * @enum {string}
             */
            status: "CREATED" | "PREPARED" | "FUNDS_AUTHORISED" | "FUNDS_EXCHANGED" | "LODGED" | "REQUISITIONED" | "CLOSED" | "CANCELLED";
            /**
             * @description The only one so far.
             * @constant
             */
            transactionType: "REMORTGAGE";
            /**
             * @description The only one so far.
             * @constant
             */
            jurisdiction: "ENGLAND_WALES";
            securityAddress: components["schemas"]["SecurityAddress"];
            /** @description The borrowers in the order of the request, then the proprietors who leave. */
            parties: components["schemas"]["WorkspaceParty"][];
            /** @description The lender, then the law firm. Only they see the workspace. */
            participants: components["schemas"]["WorkspaceParticipant"][];
            /** @description Empty until a title number is given. */
            titles: components["schemas"]["WorkspaceTitle"][];
            /**
             * Format: date
             * @description The London day on which the money moves. Left out until the schedule has one.
             * @example 2026-03-14
             */
            completionDate?: string;
            /** @description Whether a proprietor comes or leaves, so that a transfer is lodged too. */
            transferOfEquity: boolean;
            /**
             * @description How borrowers and registered proprietors line up: `PENDING` before a search succeeded, `VALID` when all do; else they differ in type, in number, or (`INVALID`) in name alone.
             * @enum {string}
             */
            borrowersValidationStatus: "PENDING" | "VALID" | "TYPE_INVALID" | "COUNT_INVALID" | "INVALID";
            /** @description Whether the case waits for approval and passes every rule of `GET …/readiness`. */
            readyForApproval: boolean;
            /** @description Whether the case is approved and no funds are authorised yet. */
            canBeUnapproved: boolean;
            /** @description Whether no money has moved, none is on its way, and the workspace has not ended. */
            canBeCancelled: boolean;
            /** @description From `PREPARED` to `REQUISITIONED`: only its own files change, what a rejected case lodges, `isEffective` until the case is sent, and the discharge after an early completion. */
            isLocked: boolean;
            /** @description From `FUNDS_AUTHORISED` to `REQUISITIONED`: taking back an approval opens nothing. */
            hardLocked: boolean;
            turn?: components["schemas"]["Turn"];
            cancellation?: components["schemas"]["WorkspaceCancellation"];
            auditAttributes: components["schemas"]["AuditAttributes"];
        };
        /** @description Only of a `CANCELLED` workspace. */
        WorkspaceCancellation: {
            /**
             * @description As the request gave it.
             * @enum {string}
             */
            reason: "APPLICANT_DECIDED_NOT_TO_PROCEED" | "TITLE_COMPLICATIONS" | "LAW_FIRM_NO_LONGER_ACTING" | "LENDER_DECIDED_NOT_TO_PROCEED" | "LOAN_INVOLVES_MULTIPLE_TITLES" | "OTHER";
            /**
             * @description Its `cancellationNotesForOther`.
             * @example The property was sold.
             */
            notes?: string;
            /**
             * Format: date-time
             * @description When it was cancelled.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description The person of `X-Acting-User`, else the client id.
             * @example case.handler@example.com
             */
            by: string;
        };
        /** @description A workspace was cancelled. */
        WorkspaceCancelledEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "WORKSPACE_CANCELLED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        WorkspaceChange: {
            /**
             * Format: date-time
             * @description When it was changed, by the clock of the service.
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description The person of `X-Acting-User`, else the client id; `system` for the service itself.
             * @example case.handler@example.com
             */
            by: string;
            /**
             * @description What was done, in words.
             * @example application updated
             */
            action: string;
            /**
             * @description The `X-Request-Correlation-Id` of the request that caused it, where one did.
             * @example 2f1a4c1e-8a55-4f0e-9a0e-6a3f1f6f9f10
             */
            correlationId: string;
            /**
             * @description What was changed: the ids by their names in the interface.
             * @example {
             *       "applicationId": "7b0e8f52-6f0c-4d3c-9d53-6c7d3f0b1a2e"
             *     }
             */
            ids: {
                [key: string]: string;
            };
            /** @description Of account numbers only the last digits are shown. */
            changes: components["schemas"]["FieldChange"][];
        };
        /** @description The case is registered and the workspace closed. */
        WorkspaceClosedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "WORKSPACE_CLOSED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        WorkspaceCounts: {
            /** @description Of your open workspaces, by whose turn it is. */
            turns: components["schemas"]["TurnCount"][];
            /** @description Of those in which it is your turn, by what is to be done. */
            tasks: components["schemas"]["TaskCount"][];
        };
        /** @description A workspace was created. */
        WorkspaceCreatedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "WORKSPACE_CREATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        WorkspaceFile: {
            /**
             * Format: uuid
             * @description The file, whatever its outcome.
             */
            fileId: string;
            /**
             * @description As the client called it, without path and control characters. Always ends in `.pdf`, which is added where it is missing.
             * @example mortgage-deed.pdf
             */
            fileName: string;
            /**
             * @description `PENDING` until its checks have ended. Only a `SUCCESS` counts and can be downloaded.
             * @enum {string}
             */
            fileUploadStatus: "PENDING" | "SUCCESS" | "FAILED" | "WITHDRAWN";
            auditAttributes: components["schemas"]["AuditAttributes"];
            /**
             * @description As the upload named it. A document of the registry is a `CORRESPONDENCE`.
             * @enum {string}
             */
            documentType: "MORTGAGE_DEED" | "EVIDENCE" | "CORRESPONDENCE" | "IDENTITY_EVIDENCE" | "IDENTITY_FORM" | "BIRTH_CERTIFICATE" | "MARRIAGE_CERTIFICATE" | "STATEMENT_OF_TRUTH" | "STATUTORY_DECLARATION" | "PG82_CERTIFICATE" | "COMPANIES_HOUSE_CERTIFICATE" | "COMPANIES_HOUSE_EVIDENCE" | "MORTGAGE_OFFER" | "REDEMPTION_STATEMENT";
            /**
             * @description An `APPLICATION_DOCUMENT` is the main document of its application where it has one of these types, and is only lodged with it otherwise. `DISCHARGE`: `EVIDENCE`. `CHANGE_OF_NAME`: `MARRIAGE_CERTIFICATE`, `BIRTH_CERTIFICATE`, `STATEMENT_OF_TRUTH`, `STATUTORY_DECLARATION`, `EVIDENCE`, `COMPANIES_HOUSE_CERTIFICATE`. `TRANSFER_OF_WHOLE`: `EVIDENCE`. `CANCEL_A_RESTRICTION`: `STATEMENT_OF_TRUTH`, `EVIDENCE`. `MORTGAGE_DEED`: `MORTGAGE_DEED`.
             * @enum {string}
             */
            documentCategory: "APPLICATION_DOCUMENT" | "SUPPORTING_DOCUMENT" | "WORKSPACE_SUPPORTING_DOCUMENT";
            /**
             * @description Whether the file shows a certified copy, the original, or a plain scan.
             * @example CERTIFIED
             * @enum {string}
             */
            certificationType: "CERTIFIED" | "ORIGINAL" | "SCANNED";
            /**
             * Format: uuid
             * @description Only where it is attached to an application.
             */
            applicationId?: string;
            /**
             * @description In bytes.
             * @example 482133
             */
            size: number;
            /**
             * @description Of its bytes, to compare with your own.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string;
            /**
             * @description Only where it `FAILED`: a virus was found, or before its checks had ended the workspace was cancelled or locked, or the application withdrawn. `NOT_ACCEPTABLE`: the registry sent something that is no PDF which we would take; it is stored, and not served.
             * @enum {string}
             */
            failureReason?: "INFECTED" | "WORKSPACE_CANCELLED" | "WORKSPACE_LOCKED" | "APPLICATION_WITHDRAWN" | "NOT_ACCEPTABLE";
            /**
             * Format: uuid
             * @description The main document of the application that took its place.
             */
            supersededBy?: string;
            /**
             * @description Who it comes from. A document of the `REGISTRY` counts for no rule, is never lodged and cannot be withdrawn.
             * @enum {string}
             */
            source: "UPLOAD" | "REGISTRY";
            /**
             * @description Only of a document of the registry: what it is.
             * @enum {string}
             */
            registryDocumentKind?: "LETTER" | "CANCELLATION_LETTER" | "COMPLETION_SHEET" | "REGISTER_COPY" | "TITLE_PLAN" | "OTHER";
        };
        WorkspaceFilePage: {
            /** @description One page, `limit` records at most. Empty where there are none. */
            records: components["schemas"]["WorkspaceFile"][];
            /**
             * @description Goes into `cursor` to ask for the next page. Left out on the last.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor?: string;
        };
        /** @description The lender authorised the funds. */
        WorkspaceFundsAuthorisedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "WORKSPACE_FUNDS_AUTHORISED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The payment settled. */
        WorkspaceFundsExchangedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "WORKSPACE_FUNDS_EXCHANGED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The authorisation of the funds was taken back, or the payment was refused. */
        WorkspaceFundsUnauthorisedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "WORKSPACE_FUNDS_UNAUTHORISED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The registry accepted the case with priority. */
        WorkspaceLodgedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "WORKSPACE_LODGED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        WorkspacePage: {
            /** @description One page, `limit` records at most. Empty where there are none. */
            records: components["schemas"]["WorkspaceSummary"][];
            /**
             * @description Goes into `cursor` to ask for the next page. Left out on the last.
             * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
             */
            nextCursor?: string;
        };
        WorkspaceParticipant: {
            /**
             * Format: uuid
             * @description The organisation on the platform.
             */
            subscriberId: string;
            /**
             * @description Under which the platform knows it.
             * @example Harbour Conveyancing LLP
             */
            name: string;
            /**
             * @description Who lends, or the law firm that acts.
             * @enum {string}
             */
            role: "LENDER" | "CONVEYANCER";
        };
        /** @description A law firm was named as a participant of a workspace. */
        WorkspaceParticipantAddedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "WORKSPACE_PARTICIPANT_ADDED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        WorkspaceParty: {
            /**
             * Format: uuid
             * @description The party, as the workspace lists it: a borrower, or an outgoing proprietor.
             */
            partyId: string;
            /**
             * @description Whether the details are those of a person or of an organisation.
             * @enum {string}
             */
            type: "INDIVIDUAL" | "ORGANISATION";
            /**
             * @description A borrower who comes to the title is `INCOMING_PROPRIETOR`; who leaves it, `OUTGOING_PROPRIETOR`.
             * @enum {string}
             */
            role: "BORROWER" | "INCOMING_PROPRIETOR" | "OUTGOING_PROPRIETOR";
            /** @description The present name, by `type`. */
            partyDetails: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
            addressForService?: components["schemas"]["AddressForService"];
            representation?: components["schemas"]["PartyRepresentation"];
        };
        /** @description The lodgement case and the settlement schedule of a workspace are both approved. */
        WorkspacePreparedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "WORKSPACE_PREPARED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The registry raised a requisition. */
        WorkspaceRequisitionedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "WORKSPACE_REQUISITIONED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * Format: uuid
                 * @description The lodgement case. A workspace has exactly one, from its creation.
                 */
                lodgementCaseId?: string;
                /**
                 * Format: uuid
                 * @description The requisition. A further question of the registry is a new requisition.
                 */
                requisitionId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description An approval of a prepared workspace was taken back. */
        WorkspaceRevertedToCreatedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "WORKSPACE_REVERTED_TO_CREATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        WorkspaceSummary: {
            /**
             * Format: uuid
             * @description The workspace. Paths and queries ask for it as `workspace_id`.
             */
            workspaceId: string;
            /**
             * @description For people to quote: `LW`, the year in two digits, and seven digits in no order. Given once.
             * @example LW264170938
             */
            workspaceReferenceId: string;
            /**
             * @description The lender’s own name for the matter.
             * @example REM-2026-0042
             */
            reference: string;
            /**
             * @description `PREPARED` once case and schedule are both approved; `CLOSED` once the registry has registered all.
             * @enum {string}
             */
            status: "CREATED" | "PREPARED" | "FUNDS_AUTHORISED" | "FUNDS_EXCHANGED" | "LODGED" | "REQUISITIONED" | "CLOSED" | "CANCELLED";
            /**
             * @description `PREPARED` is approved, `INITIATED` sent to the registry, `LODGED` accepted there with priority. `DISCHARGE_SUBMITTED`: after an early completion (`PARTIALLY_REGISTERED`) the discharge was sent on its own.
             * @enum {string}
             */
            lodgementCaseStatus: "CREATED" | "PREPARED" | "INITIATED" | "LODGED" | "REQUISITIONED" | "REQUISITION_SUBMITTED" | "REGISTRATION_REJECTED" | "RESUBMISSION_PREPARED" | "PARTIALLY_REGISTERED" | "DISCHARGE_SUBMITTED" | "REGISTERED" | "CANCELLED";
            /**
             * @description The only one so far.
             * @constant
             */
            transactionType: "REMORTGAGE";
            /**
             * @description In upper case, with one space.
             * @example EX4 3AN
             */
            postcode: string;
            /**
             * @description The registry’s number of the title, in upper case and without spaces.
             * @example ST500678
             */
            titleNumber?: string;
            /** @description Their whole names, of those who come to the title too. */
            borrowers: string[];
            /**
             * @description How borrowers and registered proprietors line up: `PENDING` before a search succeeded, `VALID` when all do; else they differ in type, in number, or (`INVALID`) in name alone.
             * @enum {string}
             */
            borrowersValidationStatus: "PENDING" | "VALID" | "TYPE_INVALID" | "COUNT_INVALID" | "INVALID";
            /**
             * Format: date
             * @description The London day on which the money moves. Left out until the schedule has one.
             * @example 2026-03-14
             */
            completionDate?: string;
            turn?: components["schemas"]["Turn"];
            /**
             * Format: date-time
             * @description The list is in this order, newest first, where no filter brings another one.
             * @example 2026-03-14T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the newest event of the timeline happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            lastModifiedAt: string;
            /**
             * @description Who changed it last: the person of `X-Acting-User`, else the client id; `system` for the service itself.
             * @example sam.reid@harbour.example
             */
            lastModifiedBy: string;
        };
        WorkspaceTitle: {
            /**
             * Format: uuid
             * @description The title of the workspace. A title that replaces another one has a new id.
             */
            titleId: string;
            /**
             * @description The registry’s number of the title, in upper case and without spaces.
             * @example ST500678
             */
            titleNumber: string;
            /**
             * @description As the register has it; left out before the search succeeded.
             * @enum {string}
             */
            tenure?: "FREEHOLD" | "LEASEHOLD";
            /**
             * @description `INITIATED` is queued; `PENDING` means that the registry was asked and has not answered.
             * @enum {string}
             */
            lastTitleSearchStatus: "INITIATED" | "PENDING" | "SUCCESS" | "FAILED";
        };
        /** @description The lender changed the reference or the security address of a workspace. */
        WorkspaceUpdatedEvent: {
            /**
             * Format: uuid
             * @description The same as the header `webhook-id` and as in the feed.
             */
            id: string;
            /**
             * @description What happened.
             * @constant
             */
            type: "WORKSPACE_UPDATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /**
                 * Format: uuid
                 * @description The workspace. Paths and queries ask for it as `workspace_id`.
                 */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who receives it.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
    };
    responses: {
        /** @description The first request with this `Idempotency-Key` is still running. */
        Conflict: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "field": "Idempotency-Key",
                 *           "message": "A request with this Idempotency-Key is still running. Repeat it in a moment to read its answer."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The body is too large. */
        ContentTooLarge: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "The body must be at most 1048576 bytes."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The token lacks the scope, this kind of subscriber may not do it, or only a person who signs in to the console may. */
        Forbidden: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "The access token lacks the scope view:notifications."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The headers of the request are too large. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "The headers of the request are too large."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Something went wrong on our side. */
        InternalError: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "Something went wrong on our side. Please quote the X-Request-Correlation-Id of this answer."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The `Idempotency-Key` was used for another request. */
        KeyReused: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "field": "Idempotency-Key",
                 *           "message": "This Idempotency-Key was used for another request. Use a new key for a new request."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description `Accept` admits neither the answer’s type nor JSON. */
        NotAcceptable: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "field": "Accept",
                 *           "message": "Accept must admit application/json."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description What the path names does not exist, or is not yours. */
        NotFound: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "field": "file_id",
                 *           "message": "There is no such file."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description You have the current version: `If-None-Match` names its `ETag`. */
        NotModified: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `If-Match` names an old version. */
        PreconditionFailed: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "field": "If-Match",
                 *           "message": "The resource has changed since it was read. Read it again and repeat the change."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The range lies outside the content. */
        RangeNotSatisfiable: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Content-Range": components["headers"]["Content-Range"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "field": "Range",
                 *           "message": "Range must lie within the 20480 bytes of the content."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The request did not arrive in time; the connection is closed. */
        RequestTimeout: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "The request did not arrive in time."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The client is over its rate limit. */
        TooManyRequests: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "More than 600 requests in a minute. Please wait 12 s."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description No valid access token. */
        Unauthenticated: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "The access token is not valid or has expired."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description Maintenance, overload, or something that the service needs is down. Nothing was done, unless `X-Outcome` says `unknown`. */
        Unavailable: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "The service is down for maintenance. Please try again later."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The body is of a type that the operation does not take. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "The content type of the body is not one this operation takes."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
    };
    parameters: {
        /**
         * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
         * @example 0b8a7c52-offer-1
         */
        "Idempotency-Key": string;
        /**
         * @description The `ETag` that the change is based on. A stale one is refused with 412.
         * @example "dGhpcyBpcyBhIGhhc2g"
         */
        "If-Match": string;
        /**
         * @description The `ETag` that you have already. While it is current, the answer is 304.
         * @example "dGhpcyBpcyBhIGhhc2g"
         */
        "If-None-Match": string;
        /**
         * @description The `ETag` that the range belongs to. After a change the whole content is sent.
         * @example "dGhpcyBpcyBhIGhhc2g"
         */
        "If-Range": string;
        /**
         * @description One range of bytes, to continue an interrupted download.
         * @example bytes=0-1023
         */
        Range: string;
        /**
         * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
         * @example jo.marsh@harbour.example
         */
        "X-Acting-User": string;
        /**
         * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
         * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
         */
        "X-Request-Correlation-Id": string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Ranges of bytes can be requested.
         * @example bytes
         */
        "Accept-Ranges": string;
        /**
         * @description Always `no-store` in an answer to a token.
         * @example no-store
         */
        "Cache-Control": string;
        /**
         * @description Suggests a file name.
         * @example attachment; filename="report.csv"
         */
        "Content-Disposition": string;
        /**
         * @description The number of bytes that follow.
         * @example 20480
         */
        "Content-Length": string;
        /**
         * @description Which bytes these are, of how many.
         * @example bytes 0-1023/20480
         */
        "Content-Range": string;
        /**
         * @description Changes exactly when the content changes.
         * @example "dGhpcyBpcyBhIGhhc2g"
         */
        ETag: string;
        /**
         * @description How many requests are left (`r`) for how many seconds (`t`).
         * @example "default";r=598;t=42
         */
        RateLimit: string;
        /**
         * @description How many requests (`q`) in how many seconds (`w`).
         * @example "default";q=600;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description Seconds to wait before the next try.
         * @example 5
         */
        "Retry-After": string;
        /**
         * @description What is wrong with the token (RFC 6750).
         * @example Bearer error="invalid_token"
         */
        "WWW-Authenticate": string;
        /**
         * @description The version that processed the request.
         * @example v1.0.0
         */
        "X-API-Version": string;
        /**
         * @description The name of this request: yours, or a new UUID.
         * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
         */
        "X-Request-Correlation-Id": string;
    };
    pathItems: never;
}
export interface operations {
    getJwks: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JwksAnswer"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAuthorizationServerMetadata: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetadataAnswer"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveAnswer"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    /** @description Always `no-store`. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenAnswer"];
                };
            };
            /** @description The request is not one that RFC 6749 allows here, or asks for a scope that was not granted. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description The client could not be authenticated. */
            401: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description `Accept` admits neither the answer’s type nor JSON. */
            406: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description The body is of a type that the operation does not take. */
            415: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description Too many failed requests for this client id. */
            429: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            /** @description Something went wrong on our side. */
            500: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
            /** @description Maintenance, overload, or something that the service needs is down. Nothing was done, unless `X-Outcome` says `unknown`. */
            503: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenError"];
                };
            };
        };
    };
    readEvents: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of an earlier answer, or `now` for what happens from now on. Leave it out to start with the oldest event that is stored.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                after?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description A name for the program that reads: `GET …/listeners` shows it, and events can be repeated for it.
                 * @example case-system
                 */
                listener?: string;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventFeed"];
                    "text/event-stream": string;
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The `id` of an event, from the feed or a webhook.
                 * @example a73dd49f-58f4-4163-86c5-609de4361c11
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description What the path names does not exist, or is not yours. */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    repeatEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `id` of an event, from the feed or a webhook.
                 * @example a73dd49f-58f4-4163-86c5-609de4361c11
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepeatEventRequest"];
            };
        };
        responses: {
            /** @description Accepted and stored durably; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepeatedEvent"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description What the path names does not exist, or is not yours. */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listListeners: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventListeners"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNotificationRegistrations: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRegistrationPage"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createNotificationRegistration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationRegistrationRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewNotificationRegistration"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description There are already 100 registrations. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNotificationRegistration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The `registrationId` in the response to the registration of the webhook.
                 * @example 4fca77fe-368b-460a-86ed-7f8f5b459659
                 */
                registration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRegistration"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateNotificationRegistration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `registrationId` in the response to the registration of the webhook.
                 * @example 4fca77fe-368b-460a-86ed-7f8f5b459659
                 */
                registration_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationRegistrationRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRegistration"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteNotificationRegistration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `registrationId` in the response to the registration of the webhook.
                 * @example 4fca77fe-368b-460a-86ed-7f8f5b459659
                 */
                registration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateNotificationSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `registrationId` in the response to the registration of the webhook.
                 * @example 4fca77fe-368b-460a-86ed-7f8f5b459659
                 */
                registration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSecret"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testNotificationRegistration: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `registrationId` in the response to the registration of the webhook.
                 * @example 4fca77fe-368b-460a-86ed-7f8f5b459659
                 */
                registration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted and stored durably; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /**
                 * @description Only with this status.
                 * @example PENDING
                 */
                status?: "PENDING" | "DELIVERED" | "DEAD";
                /**
                 * @description Only of this type.
                 * @example WORKSPACE_CREATED
                 */
                type?: "WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "WORKSPACE_UPDATED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_REMOVED" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "READINESS_CONFIRMED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "SETTLEMENT_DUE" | "LINE_ITEM_PAID" | "LINE_ITEM_UNPAID" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_WAITING" | "REGISTRY_WAITING" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "REQUISITION_CLOSED" | "REGISTRY_DOCUMENT_RECEIVED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY" | "TEST" | "CHALLENGE";
                /**
                 * @description Only to this registration.
                 * @example 4fca77fe-368b-460a-86ed-7f8f5b459659
                 */
                registration_id?: string;
                /**
                 * @description Only about this workspace.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id?: string;
                /**
                 * @description Planned at this time or later.
                 * @example 2026-03-14T09:30:00.000Z
                 */
                created_since?: string;
                /**
                 * @description Planned before this time.
                 * @example 2026-03-14T09:30:00.000Z
                 */
                created_before?: string;
                /**
                 * @description The `nextCursor` of the page before.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPage"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNotification: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The `notificationId`, from the list of deliveries.
                 * @example 0ce182a6-6910-42ca-8e30-8ce86f1abea4
                 */
                notification_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationDetail"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryNotification: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `notificationId`, from the list of deliveries.
                 * @example 0ce182a6-6910-42ca-8e30-8ce86f1abea4
                 */
                notification_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted and stored durably; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description It was already delivered. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryNotifications: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryNotificationsRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriedNotifications"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBusinessDays: {
        parameters: {
            query?: {
                /**
                 * @description The first date to look at, past or not. Today in London, where it is left out.
                 * @example 2026-03-14
                 */
                from?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BusinessDays"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCompletions: {
        parameters: {
            query: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The completion day.
                 * @example 2026-03-14
                 */
                date: string;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletionsPage"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCompletionDays: {
        parameters: {
            query?: {
                /**
                 * @description The first date to look at, past or not. Today in London, where it is left out.
                 * @example 2026-03-14
                 */
                from?: string;
                /**
                 * @description How many business days.
                 * @example 10
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletionDays"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFigures: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Figures"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFigureContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description Which figure.
                 * @example waiting
                 */
                figure_name: "matters-by-status" | "time-to-registration" | "waiting" | "requisitions" | "deliveries";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSV in UTF-8 by RFC 4180, with a header row. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFinancialSettlementSchedules: {
        parameters: {
            query: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinancialSettlementSchedules"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace, or not one that you may see. */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateFinancialSettlementSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that the change is based on. A stale one is refused with 412.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The `financialSettlementScheduleId` of a workspace of yours, from `GET …/financial-settlement-schedules`.
                 * @example a51688cd-a400-4052-8662-2156f95b6ddb
                 */
                financial_settlement_schedule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateScheduleRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinancialSettlementSchedule"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such schedule (`financial_settlement_schedule_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is not open for it. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addLineItem: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `financialSettlementScheduleId` of a workspace of yours, from `GET …/financial-settlement-schedules`.
                 * @example a51688cd-a400-4052-8662-2156f95b6ddb
                 */
                financial_settlement_schedule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LineItemRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineItem"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such schedule (`financial_settlement_schedule_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is not open for it, or the schedule has 50 line items already. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteLineItem: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `financialSettlementScheduleId` of a workspace of yours, from `GET …/financial-settlement-schedules`.
                 * @example a51688cd-a400-4052-8662-2156f95b6ddb
                 */
                financial_settlement_schedule_id: string;
                /**
                 * @description The `lineItemId` of one of the lines of the schedule.
                 * @example 5e1b3504-a89c-4ea6-8f21-f5e13f256a84
                 */
                line_item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such schedule (`financial_settlement_schedule_id`), or no such line item in it (`line_item_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is not open for it. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateLineItem: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that the change is based on. A stale one is refused with 412.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The `financialSettlementScheduleId` of a workspace of yours, from `GET …/financial-settlement-schedules`.
                 * @example a51688cd-a400-4052-8662-2156f95b6ddb
                 */
                financial_settlement_schedule_id: string;
                /**
                 * @description The `lineItemId` of one of the lines of the schedule.
                 * @example 5e1b3504-a89c-4ea6-8f21-f5e13f256a84
                 */
                line_item_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateLineItemRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineItem"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such schedule (`financial_settlement_schedule_id`), or no such line item in it (`line_item_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is not open for it. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmLineItemPayment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `financialSettlementScheduleId` of a workspace of yours, from `GET …/financial-settlement-schedules`.
                 * @example a51688cd-a400-4052-8662-2156f95b6ddb
                 */
                financial_settlement_schedule_id: string;
                /**
                 * @description The `lineItemId` of one of the lines of the schedule.
                 * @example 5e1b3504-a89c-4ea6-8f21-f5e13f256a84
                 */
                line_item_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmPaymentRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineItem"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such schedule (`financial_settlement_schedule_id`), or no such line item in it (`line_item_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The schedule is not `PAYING`, or this person has changed the line (`confirmedBy`). */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteLineItemPayment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `financialSettlementScheduleId` of a workspace of yours, from `GET …/financial-settlement-schedules`.
                 * @example a51688cd-a400-4052-8662-2156f95b6ddb
                 */
                financial_settlement_schedule_id: string;
                /**
                 * @description The `lineItemId` of one of the lines of the schedule.
                 * @example 5e1b3504-a89c-4ea6-8f21-f5e13f256a84
                 */
                line_item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such schedule (`financial_settlement_schedule_id`), or no such line item in it (`line_item_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The schedule is not `PAYING`. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reportPaymentFailure: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `financialSettlementScheduleId` of a workspace of yours, from `GET …/financial-settlement-schedules`.
                 * @example a51688cd-a400-4052-8662-2156f95b6ddb
                 */
                financial_settlement_schedule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentFailureRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinancialSettlementSchedule"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such schedule (`financial_settlement_schedule_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The schedule is not `PAYING`, or a line of it is confirmed. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPaymentFile: {
        parameters: {
            query: {
                /**
                 * @description `PAIN_001` is the ISO 20022 message pain.001.001.09.
                 * @example PAIN_001
                 */
                format: "PAIN_001" | "CSV";
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `financialSettlementScheduleId` of a workspace of yours, from `GET …/financial-settlement-schedules`.
                 * @example a51688cd-a400-4052-8662-2156f95b6ddb
                 */
                financial_settlement_schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ISO 20022 (pain.001.001.09) as XML, or CSV in UTF-8 by RFC 4180 with a header row. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such schedule (`financial_settlement_schedule_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description Funds are not authorised; the account that the law firm pays from is not set; or a name or a reference has a character that UK payments do not allow (`lineItems[1].bankAccount.accountName`). */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLodgementCases: {
        parameters: {
            query: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LodgementCases"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace, or not one that you may see. */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLodgementApplication: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The `lodgementCaseId` of a workspace of yours, from `GET …/lodgement-cases`.
                 * @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a
                 */
                lodgement_case_id: string;
                /**
                 * @description The `applicationId` of one of the applications of the case.
                 * @example 6ab1a7bc-cd5a-43fb-85f2-7584f90d31a4
                 */
                application_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LodgementApplication"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such case (`lodgement_case_id`), or no such application in it (`application_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateLodgementApplication: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that the change is based on. A stale one is refused with 412.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The `lodgementCaseId` of a workspace of yours, from `GET …/lodgement-cases`.
                 * @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a
                 */
                lodgement_case_id: string;
                /**
                 * @description The `applicationId` of one of the applications of the case.
                 * @example 6ab1a7bc-cd5a-43fb-85f2-7584f90d31a4
                 */
                application_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateApplicationRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LodgementApplication"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such case (`lodgement_case_id`), or no such application in it (`application_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is not open for it, the application is withdrawn, or a digital deed has no reference (`mortgageDeedReference`). */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    attachDocument: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `lodgementCaseId` of a workspace of yours, from `GET …/lodgement-cases`.
                 * @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a
                 */
                lodgement_case_id: string;
                /**
                 * @description The `applicationId` of one of the applications of the case.
                 * @example 6ab1a7bc-cd5a-43fb-85f2-7584f90d31a4
                 */
                application_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["AttachDocumentRequest"];
            };
        };
        responses: {
            /** @description Accepted and stored durably; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadAnswer"];
                };
            };
            /** @description Path, headers or fields do not fit, or the file is not an acceptable PDF (`file`). The file is checked last. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such case (`lodgement_case_id`), or no such application in it (`application_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is not open for it, the application is withdrawn, or a digital deed has no reference yet (`mortgageDeedReference`). Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The file is too large (`file`), or the other fields are. The rest is not read, and the connection is closed. */
            413: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLodgementDocument: {
        parameters: {
            query: {
                /**
                 * @description The only one that can be downloaded.
                 * @example TITLE_INFORMATION_DOCUMENT
                 */
                document_type: "TITLE_INFORMATION_DOCUMENT";
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description One range of bytes, to continue an interrupted download.
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description The `ETag` that the range belongs to. After a change the whole content is sent.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-Range"?: components["parameters"]["If-Range"];
            };
            path: {
                /**
                 * @description The `lodgementCaseId` of a workspace of yours, from `GET …/lodgement-cases`.
                 * @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a
                 */
                lodgement_case_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The completion document as a PDF. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Length": components["headers"]["Content-Length"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "application/pdf": string;
                };
            };
            /** @description The range of bytes that was asked for. */
            206: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Length": components["headers"]["Content-Length"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "application/pdf": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such case (`lodgement_case_id`), or the document does not exist yet (`document_type`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    closeRequisition: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `lodgementCaseId` of a workspace of yours, from `GET …/lodgement-cases`.
                 * @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a
                 */
                lodgement_case_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequisitionClosureRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequisitionReplyAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description There is no open requisition, or it has `points`, which must be answered. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replyToRequisition: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `lodgementCaseId` of a workspace of yours, from `GET …/lodgement-cases`.
                 * @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a
                 */
                lodgement_case_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequisitionReplyRequest"];
            };
        };
        responses: {
            /** @description Accepted and stored durably; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequisitionReplyAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such case (`lodgement_case_id`), or no such file in its workspace (`fileIds[i]`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description There is no open requisition, or a file is not uploaded successfully (`fileIds[i]`). Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequisitions: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `lodgementCaseId` of a workspace of yours, from `GET …/lodgement-cases`.
                 * @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a
                 */
                lodgement_case_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequisitionPage"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTitleDocuments: {
        parameters: {
            query?: {
                /**
                 * @description Only those of this type. All when left out.
                 * @example TITLE_REGISTER
                 */
                document_type?: "TITLE_REGISTER" | "TITLE_INFORMATION_DOCUMENT" | "EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT";
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The `lodgementCaseId` of a workspace of yours, from `GET …/lodgement-cases`.
                 * @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a
                 */
                lodgement_case_id: string;
                /**
                 * @description The `titleId` of the title of the case.
                 * @example dbe18538-e866-446d-81ff-2ed20b6dd5f4
                 */
                title_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TitleDocuments"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such case (`lodgement_case_id`), or no such title in it (`title_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRemortgageWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRemortgageWorkspaceRequest"];
            };
        };
        responses: {
            /** @description Accepted and stored durably; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateRemortgageWorkspaceAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReportContent: {
        parameters: {
            query?: {
                /**
                 * @description The London date of the report, less than 15 days old. The newest when left out.
                 * @example 2026-03-14
                 */
                date?: string;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description One range of bytes, to continue an interrupted download.
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description The `ETag` that the range belongs to. After a change the whole content is sent.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-Range"?: components["parameters"]["If-Range"];
            };
            path: {
                /**
                 * @description The reports to date cover every workspace up to the end of the day, the daily report only that day.
                 * @example report-financialsummary-todate
                 */
                report_name: "report-financialsummary-todate" | "report-settlementhistory-daily" | "report-workspacesummary-todate";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSV in UTF-8 by RFC 4180, with a header row. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Length": components["headers"]["Content-Length"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    /** @description How many rows follow the header row. */
                    "X-Report-Row-Count"?: string;
                    /** @description The SHA-256 of the whole file. */
                    "X-Report-Sha256"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The range of bytes that was asked for. */
            206: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Length": components["headers"]["Content-Length"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    /** @description How many rows follow the header row. */
                    "X-Report-Row-Count"?: string;
                    /** @description The SHA-256 of the whole file. */
                    "X-Report-Sha256"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `date` has the wrong format; or, if the date is right, there is a query parameter that this operation does not have. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description There is no report with this name (`reportName`) or for this date (`requestedDate`), or it was never generated for the subscriber (`subscriberId`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Only answers of this class.
                 * @example 2xx
                 */
                status?: "2xx" | "3xx" | "4xx" | "5xx";
                /**
                 * @description Only this `operationId`.
                 * @example getWorkspace
                 */
                operation?: string;
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id?: string;
                /**
                 * @description Only calls of this client.
                 * @example sandbox-law-firm
                 */
                client_id?: string;
                /**
                 * @description Only the calls with this `X-Request-Correlation-Id`.
                 * @example 0b1c8a52-6f0e-4a55-9a3c-6d3f2a1b4c5d
                 */
                correlation_id?: string;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestPage"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description One call.
                 * @example 019a8c3e-7d1b-7c55-8a3c-6d3f2a1b4c5d
                 */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestDetail"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    countRequestErrors: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestErrors"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSubscribers: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Only those of this kind.
                 * @example LENDER
                 */
                kind?: "LENDER" | "LAW_FIRM";
                /**
                 * @description Only those whose name, or the rest of it from some word on, begins with this. Case does not matter.
                 * @example harb
                 */
                name?: string;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DirectoryPage"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description A search: only those of which the reference, your own reference, the `workspaceReferenceId` (from its sixth digit on), the title number, the postcode or a borrower’s surname begins with this. Case does not matter. It cannot be combined with `borrower`.
                 * @example prynne
                 */
                q?: string;
                /**
                 * @description Only those in this status.
                 * @example CREATED
                 */
                status?: "CREATED" | "PREPARED" | "FUNDS_AUTHORISED" | "FUNDS_EXCHANGED" | "LODGED" | "REQUISITIONED" | "CLOSED" | "CANCELLED";
                /**
                 * @description Only those whose case has this status.
                 * @example CREATED
                 */
                lodgement_case_status?: "CREATED" | "PREPARED" | "INITIATED" | "LODGED" | "REQUISITIONED" | "REQUISITION_SUBMITTED" | "REGISTRATION_REJECTED" | "RESUBMISSION_PREPARED" | "PARTIALLY_REGISTERED" | "DISCHARGE_SUBMITTED" | "REGISTERED" | "CANCELLED";
                /**
                 * @description Only those in which it is their turn.
                 * @example LAW_FIRM
                 */
                turn?: "LAW_FIRM" | "LENDER" | "REGISTRY" | "BANK" | "CLOCK" | "SERVICE";
                /**
                 * @description Only those whose `turn` is for this.
                 * @example GIVE_TITLE
                 */
                task?: "GIVE_TITLE" | "RECONCILE" | "REPRESENT" | "COMPLETE_CASE" | "CONFIRM" | "APPROVE_CASE" | "DRAW_UP_MONEY" | "APPROVE_MONEY" | "NEW_DATE" | "FIX_ACCOUNT" | "PAY" | "MAKE_EFFECTIVE" | "ANSWER_REQUISITION" | "FIX_AND_APPROVE" | "LODGE_DISCHARGE" | "AUTHORISE" | "WAIT" | "COMPLETION";
                /**
                 * @description Leaves out those that wait for an approval which this person may not give, because four eyes are needed and they have changed the case, or the money, themselves.
                 * @example jo.marsh@harbour.example
                 */
                approver?: string;
                /**
                 * @description Only the one with this `workspaceReferenceId`. Case and spaces do not matter.
                 * @example LW264170938
                 */
                workspace_reference_id?: string;
                /**
                 * @description Only those with this reference of the lender. Case does not matter.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /**
                 * @description Only those with this `ownReference` of yours. Case does not matter.
                 * @example HC/2026/118
                 */
                own_reference?: string;
                /**
                 * @description Only the one whose case has this `registryReference`.
                 * @example A123BCD
                 */
                registry_reference?: string;
                /**
                 * @description Only those of this title, searched or not. Case and spaces do not matter.
                 * @example ST500678
                 */
                title_number?: string;
                /**
                 * @description Only those whose property has it. Case and spaces do not matter.
                 * @example EX43AN
                 */
                postcode?: string;
                /**
                 * @description Only those with a borrower whose surname, or whose organisation’s name, begins with this. Names are compared as in title reconciliation: case, accents, hyphens and spaces do not matter. Those who leave the title do not count.
                 * @example prynne
                 */
                borrower?: string;
                /**
                 * @description Only those that complete on this day or later.
                 * @example 2026-03-14
                 */
                completion_date_from?: string;
                /**
                 * @description Only those that complete on this day or earlier.
                 * @example 2026-03-14
                 */
                completion_date_to?: string;
                /**
                 * @description Only those whose `lastModifiedAt` is this time or later. Write the `+` of an offset as `%2B`.
                 * @example 2026-03-14T09:30:00.000Z
                 */
                changed_since?: string;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspacePage"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that the change is based on. A stale one is refused with 412.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWorkspaceRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is no longer `CREATED`: only `ownReference` can still be set. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApprovers: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approvers"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelWorkspace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelWorkspaceRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description Money has moved or is about to, or the workspace has ended. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Only changes after this time, such as `approvals[].at`. Write the `+` of an offset as `%2B`.
                 * @example 2026-03-14T09:30:00.000Z
                 */
                since?: string;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangesPage"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConfirmations: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmations"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmReadiness: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmationRequest"];
            };
        };
        responses: {
            /** @description That a matter is right as it is, although a readiness rule says otherwise. */
            201: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Confirmation"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), no such rule or not one that can be confirmed (`ruleId`), or no record of it with this `field`. */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The rule passes, is confirmed already, or the approval that it belongs to cannot be given now. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteConfirmation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
                /**
                 * @description The `confirmationId`, from the list of confirmations.
                 * @example 6110dcaa-739f-480e-8b13-48eb33f3c369
                 */
                confirmation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`) or confirmation (`confirmation_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description Funds are authorised, or the workspace has ended. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvidence: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A ZIP. Its `README.txt` says what is in it. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "application/zip": string;
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceFilePage"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadFile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["UploadFileRequest"];
            };
        };
        responses: {
            /** @description Accepted and stored durably; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadAnswer"];
                };
            };
            /** @description Path, headers or fields do not fit, or the file is not an acceptable PDF (`file`). The file is checked last. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such application in it (`applicationId`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is not open for it, the application is withdrawn, or a digital deed has no reference yet (`mortgageDeedReference`). Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The file is too large (`file`), or the other fields are. The rest is not read, and the connection is closed. */
            413: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
                /**
                 * @description The `fileId` in the response to the upload.
                 * @example 8724e686-8a37-4a5a-8d43-b63dc548fc8a
                 */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceFile"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such file in it (`file_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawFile: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
                /**
                 * @description The `fileId` in the response to the upload.
                 * @example 8724e686-8a37-4a5a-8d43-b63dc548fc8a
                 */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such file in it (`file_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is not open for it, another subscriber or the registry sent the file, its upload failed, or it was sent with an answer to a requisition. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFileContent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description One range of bytes, to continue an interrupted download.
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description The `ETag` that the range belongs to. After a change the whole content is sent.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-Range"?: components["parameters"]["If-Range"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
                /**
                 * @description The `fileId` in the response to the upload.
                 * @example 8724e686-8a37-4a5a-8d43-b63dc548fc8a
                 */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file as it was uploaded. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Length": components["headers"]["Content-Length"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "application/pdf": string;
                };
            };
            /** @description The range of bytes that was asked for. */
            206: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Content-Length": components["headers"]["Content-Length"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "application/pdf": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such file in it (`file_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The file waits for its checks, did not pass them, or was withdrawn without being sent. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveFinancialSettlementSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FinancialApprovalRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinancialApprovalAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description APPROVE: one error for each failure of the `approval` `FINANCIAL` that `GET …/readiness` shows, and one at `approvedBy` where that person has changed the schedule or a line. Or it is approved already, not approved, or funds are authorised. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    authoriseFunds: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FundsAuthorisationRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FundsAuthorisationAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is neither prepared nor authorised; the completion day has ended (`completionDate`), or has begun and what was authorised can no longer be taken back (`lineItem.authorised`). Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveLodgement: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LodgementApprovalRequest"];
            };
        };
        responses: {
            /** @description Accepted and stored durably; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LodgementApprovalAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The case is not ready: one error for each failure of the `approval` `LODGEMENT` that `GET …/readiness` shows, those of the kind `BLOCKING_SUBMISSION` apart. Or it is approved already, is not approved, funds are authorised, or `approvedBy` has changed an application or a document of it since it was last sent. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removePartyRole: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
                /**
                 * @description The `partyId` of one of the parties of the workspace.
                 * @example 5f900b6e-21b8-482b-8297-286ddb8c6060
                 */
                party_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such party in it (`party_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is not open for it, the party is a plain borrower, or the title would have too many proprietors. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkspaceReadiness: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessPage"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRepresentations: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepresentationPage"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addRepresentation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddRepresentationRequest"];
            };
        };
        responses: {
            /** @description Accepted and stored durably; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddRepresentationAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such party or external representation in it (`partyId`, `representationId`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is not open for it. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRepresentation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
                /**
                 * @description The `representationId`, from the list of representations.
                 * @example 98fbc68c-dda1-4923-85a8-fe517bb8b8c2
                 */
                representation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Representation"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such representation in it (`representation_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateRepresentation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that the change is based on. A stale one is refused with 412.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
                /**
                 * @description The `representationId`, from the list of representations.
                 * @example 98fbc68c-dda1-4923-85a8-fe517bb8b8c2
                 */
                representation_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRepresentationRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateRepresentationAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such representation in it (`representation_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is not open for it, or the representation is not external, failed or was superseded. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTimeline: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example DsUhR3pN0mKpdyXgTKsyPzfWf2k1n3vWmQm4bOqI5nJxY0eG1cVbT7aLrZc
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelinePage"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTitleReconciliation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TitleReconciliation"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTitleReconciliation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that the change is based on. A stale one is refused with 412.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TitleReconciliationRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TitleReconciliationAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such party or proprietor in it (`partyId`, `proprietorId`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is not open for it, no title search has succeeded, or the action does not fit. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addTitle: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.
                 * @example 0b8a7c52-offer-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddTitleRequest"];
            };
        };
        responses: {
            /** @description Accepted and stored durably; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddTitleAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace has a title already, or is not open for it. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeTitle: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /**
                 * @description The `workspaceId` of a workspace that you created or take part in.
                 * @example 32eed355-e460-44d0-8a6f-dd46c75e3281
                 */
                workspace_id: string;
                /**
                 * @description The `titleId` of the title of the case.
                 * @example dbe18538-e866-446d-81ff-2ed20b6dd5f4
                 */
                title_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such title in it (`title_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The workspace is not open for it. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    countWorkspaces: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is current, the answer is 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceCounts"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadyAnswer"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockAnswer"];
                };
            };
            /** @description An unknown `Host`, or a page of another site. */
            403: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    moveClock: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveClockRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MoveClockAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description An unknown `Host`, or a page of another site. */
            403: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDue: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DueAnswer"];
                };
            };
            /** @description An unknown `Host`, or a page of another site. */
            403: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFaults: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaultsList"];
                };
            };
            /** @description An unknown `Host`, or a page of another site. */
            403: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setFaults: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path: {
                /**
                 * @description The client whose requests meet the faults. Webhooks are those of its subscriber.
                 * @example sandbox-law-firm
                 */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FaultsRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaultsAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description An unknown `Host`, or a page of another site. */
            403: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such client. */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endFaults: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path: {
                /**
                 * @description The client whose requests meet the faults. Webhooks are those of its subscriber.
                 * @example sandbox-law-firm
                 */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. There is no body. */
            204: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description An unknown `Host`, or a page of another site. */
            403: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setMaintenance: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MaintenanceRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description An unknown `Host`, or a page of another site. */
            403: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetAnswer"];
                };
            };
            /** @description An unknown `Host`, or a page of another site. */
            403: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listScenarios: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scenarios"];
                };
            };
            /** @description An unknown `Host`, or a page of another site. */
            403: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    runScenario: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path: {
                /**
                 * @description The name of the scenario.
                 * @example requisition
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunScenarioRequest"];
            };
        };
        responses: {
            /** @description Accepted and stored durably; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioRun"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description An unknown `Host`, or a page of another site. */
            403: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such scenario. */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description A request with the same `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The `Idempotency-Key` was used for another request. */
            422: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getScenarioRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path: {
                /**
                 * @description The run.
                 * @example 7b1f1f5e-3a7e-4c52-9f0c-6f5f6d0c4b1a
                 */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Found. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioRun"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description An unknown `Host`, or a page of another site. */
            403: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such run. */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addSandboxSubscriber: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSubscriberRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSubscriberAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description An unknown `Host`, or a page of another site. */
            403: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description A request with the same `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description The `Idempotency-Key` was used for another request. */
            422: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendTestDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestDeliveryRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestDeliveryAnswer"];
                };
            };
            /** @description Path, query, headers or body are not valid. All errors are named at once, each with its field. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description An unknown `Host`, or a page of another site. */
            403: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description There is no such registration. */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description Its address is not verified, or nothing was delivered to it that could be replayed. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description More than 60 in a minute. */
            429: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    onWorkspaceCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceCreatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspaceParticipantAdded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceParticipantAddedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspaceUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceUpdatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTitleSearchPending: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TitleSearchPendingEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTitleDataReceived: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TitleDataReceivedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTitleNotFound: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TitleNotFoundEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTitleRemoved: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TitleRemovedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTitleReconciliationUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TitleReconciliationUpdatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRepresentationAdded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepresentationAddedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRepresentationFailed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepresentationFailedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRepresentationUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepresentationUpdatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileUploadSucceeded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FileUploadSucceededEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileUploadFailed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FileUploadFailedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFileWithdrawn: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FileWithdrawnEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLodgementApplicationUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LodgementApplicationUpdatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onReadinessConfirmed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadinessConfirmedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLodgementCasePrepared: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LodgementCasePreparedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLodgementCaseUnapproved: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LodgementCaseUnapprovedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFinancialSettlementScheduleUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FinancialSettlementScheduleUpdatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFinancialSettlementSchedulePrepared: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FinancialSettlementSchedulePreparedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onFinancialSettlementScheduleUnapproved: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FinancialSettlementScheduleUnapprovedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspacePrepared: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspacePreparedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspaceRevertedToCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceRevertedToCreatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspaceFundsAuthorised: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceFundsAuthorisedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspaceFundsUnauthorised: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceFundsUnauthorisedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSettlementDue: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettlementDueEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLineItemPaid: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LineItemPaidEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLineItemUnpaid: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LineItemUnpaidEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspaceFundsExchanged: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceFundsExchangedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLodgementWaiting: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LodgementWaitingEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRegistryWaiting: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegistryWaitingEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLodgementSubmitted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LodgementSubmittedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspaceLodged: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceLodgedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspaceRequisitioned: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceRequisitionedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRequisitionDueSoon: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequisitionDueSoonEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRequisitionAnswered: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequisitionAnsweredEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRequisitionClosed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequisitionClosedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRegistryDocumentReceived: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegistryDocumentReceivedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLodgementRejected: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LodgementRejectedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLodgementPartiallyRegistered: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LodgementPartiallyRegisteredEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onLodgementRegistered: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LodgementRegisteredEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspaceClosed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceClosedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspaceCancelled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WorkspaceCancelledEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onReportGenerated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportGeneratedEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSecretExpiry: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretExpiryEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTest: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChallenge: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt, so that you can recognise a repeat.
                 * @example a3c1f6f0-9e2b-4b4e-8a1d-5c7e9f0b2d46
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970.
                 * @example 1773480600
                 */
                "webhook-timestamp": string;
                /**
                 * @description Signatures of id, timestamp and body by the Standard Webhooks scheme, with spaces between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChallengeEvent"];
            };
        };
        responses: {
            /** @description Accepted. After any other answer, or none in time, it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
}
