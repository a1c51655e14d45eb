// Long because it is generated from openapi.json. Renew it by `npm run -w client generate`; do not change it by hand.
export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public keys that tokens are signed with */
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
        /** Authorization server metadata (RFC 8414) */
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
        /** Whether this node lives */
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
         * @description In order, and never past an event that commits late. Nothing new: the same `nextCursor` again.
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
    "/partner/api/notification/v1/notification-registrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your webhooks, newest first */
        get: operations["listNotificationRegistrations"];
        put?: never;
        /**
         * Register a webhook
         * @description It gets the events that happen from now on. The shared secret stands in this answer only.
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
        /** Read a webhook */
        get: operations["getNotificationRegistration"];
        /**
         * Change where a webhook leads and what it is told
         * @description What waits to be delivered goes to the new address.
         */
        put: operations["updateNotificationRegistration"];
        post?: never;
        /** Delete a webhook, and what waits to be delivered to it */
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
         * @description For 24 hours both the new one and the one before it sign every delivery.
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
        /** Have a signed test sent */
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
        /** List deliveries with their attempts, newest first */
        get: operations["listNotifications"];
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
         * Have a delivery that is dead, or waits, tried now
         * @description The schedule of attempts begins anew. The receiver sees the same `webhook-id`.
         */
        post: operations["retryNotification"];
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
        /** Read the settlement schedule of a workspace */
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
         * @description Takes back the approval of the schedule.
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
         * @description Takes back the approval of the schedule.
         *
         *     Only for law firms.
         */
        delete: operations["deleteLineItem"];
        options?: never;
        head?: never;
        /**
         * Change a line item
         * @description Takes back the approval of the schedule. The same again changes nothing. `If-Match` takes the ETag of the line item, or that of the schedule in which it was read.
         *
         *     Only for law firms.
         */
        patch: operations["updateLineItem"];
        trace?: never;
    };
    "/partner/api/platformconnect/v1/lodgement-cases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the lodgement case of a workspace */
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
        /** Read a lodgement application */
        get: operations["getLodgementApplication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a lodgement application
         * @description Judged by what it would leave, so its fields may come together. The same again changes nothing.
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
         * @description The outcome is an event, `FILE_UPLOAD_SUCCEEDED` or `FILE_UPLOAD_FAILED`, and can be read. A document counts once it succeeded; a main document (`APPLICATION_DOCUMENT`) then takes the place of the one before it. The file is declared as `application/pdf`, as `application/octet-stream` or not at all, and must be a sound PDF: not encrypted, with 1 to 2,000 pages, without scripts, launch actions and embedded files. Repeated with the same `Idempotency-Key`, the boundary of the form may differ.
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
        /** Download the completion document of a case as a PDF */
        get: operations["getLodgementDocument"];
        put?: never;
        post?: never;
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
         * @description Upload what is to go with it to the workspace first. The answer is sent to the registry in the background; what the registry makes of it is an event.
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
    "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/titles/{title_id}/title-documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the title documents of a title, newest first */
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
         * @description Where a title number is given, the title search starts at once; its outcome is an event.
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
         * @description Reports are made for each London date in the night after it.
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
    "/partner/api/platformconnect/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the workspaces that you may see, newest first */
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
        /** Read a workspace */
        get: operations["getWorkspace"];
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
        /** Cancel a workspace */
        delete: operations["cancelWorkspace"];
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
         * @description Those of its applications among them, and those that failed or were superseded or withdrawn.
         */
        get: operations["listFiles"];
        put?: never;
        /**
         * Upload a document to a workspace
         * @description The outcome is an event, `FILE_UPLOAD_SUCCEEDED` or `FILE_UPLOAD_FAILED`, and can be read. A document counts once it succeeded; a main document (`APPLICATION_DOCUMENT`) then takes the place of the one before it. The file is declared as `application/pdf`, as `application/octet-stream` or not at all, and must be a sound PDF: not encrypted, with 1 to 2,000 pages, without scripts, launch actions and embedded files. Repeated with the same `Idempotency-Key`, the boundary of the form may differ.
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
        /** Read what is known of a file */
        get: operations["getFile"];
        put?: never;
        post?: never;
        /**
         * Withdraw a file
         * @description It no longer counts and is not lodged. The same again is 204 and changes nothing.
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
         * @description Only one whose upload status is `SUCCESS`, superseded or not.
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
         * @description Date and amount are compared with those of the schedule; where they differ, nothing changes and both answers are false. The payment is made at 09:00 in London on completion day, or at once after that hour. An authorisation can be taken back until that day begins.
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
         * @description The effect is committed with the answer. After a rejection the case is sent again at once.
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
    "/partner/api/platformconnect/v1/workspaces/{workspace_id}/readiness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the lodgement case still needs before it can be approved
         * @description One record for each rule and thing that it judges, passed or not.
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
        /** List the representations of a workspace, oldest first */
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
        /** Read a representation */
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
        /** Read what happened to a workspace, oldest first */
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
        /** Read how borrowers and registered proprietors line up */
        get: operations["getTitleReconciliation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Bring borrowers and registered proprietors into line
         * @description Doing the same again is 200 and changes nothing.
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
         * @description One title to a workspace. A number whose search failed gives way to the new one.
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
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether to send requests here */
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
        /** Read the service's clock */
        get: operations["getClock"];
        put?: never;
        /**
         * Move the clock and run all that falls due on the way
         * @description Answers when nothing is left to do. `{"advance":"PT0S"}` drains what is due now.
         */
        post: operations["moveClock"];
        delete?: never;
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
        /** Switch maintenance on or off */
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
        /** Go back to the seeded world and to real time */
        post: operations["resetSandbox"];
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
         * @description Takes an `Idempotency-Key`, as every POST that a partner sends does.
         */
        post: operations["addSandboxSubscriber"];
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
         * @description A party or a proprietor was renamed, or set as incoming or outgoing.
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
         * @description The approval of the lodgement case was taken back, by hand or by a change.
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
         * @description The registry completed the case but for the discharge.
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
         * @description A test that was asked for: `POST …/test`.
         */
        post: operations["onTest"];
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
            /** Format: uuid */
            workspaceId: string;
            /** Format: uuid */
            partyId: string;
            /**
             * Format: uuid
             * @description Only for `EXTERNAL_LAW_FIRM`; the list shows every one.
             */
            representationId?: string;
            /** @enum {string} */
            representedBy: "PLATFORM_SUBSCRIBER_LAW_FIRM" | "EXTERNAL_LAW_FIRM" | "NOT_REPRESENTED";
            /**
             * Format: uuid
             * @description Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`.
             */
            subscriberId?: string;
            externalLawFirm?: components["schemas"]["ExternalLawFirm"];
            /** @enum {string} */
            verificationOfIdentity?: "LAW_FIRM_CERTIFIED" | "IDENTITY_EVIDENCE";
        };
        /** @description `EXTERNAL_LAW_FIRM` takes either `representationId`, with or without a `referenceNumber` of its own, or `externalLawFirm` and `referenceNumber`. `NOT_REPRESENTED` takes `verificationOfIdentity` and needs it. `PLATFORM_SUBSCRIBER_LAW_FIRM` takes nothing else. */
        AddRepresentationRequest: {
            /** Format: uuid */
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
            /** @example MH/2026-118 */
            referenceNumber?: string;
            /** @enum {string} */
            verificationOfIdentity?: "LAW_FIRM_CERTIFIED" | "IDENTITY_EVIDENCE";
        };
        AddTitleAnswer: {
            /** Format: uuid */
            workspaceId: string;
            /** Format: uuid */
            titleId: string;
            /** @example ST500678 */
            titleNumber: string;
            /** @enum {string} */
            lastTitleSearchStatus: "INITIATED" | "PENDING" | "SUCCESS" | "FAILED";
        };
        AddTitleRequest: {
            /** @example ST500678 */
            titleNumber: string;
        };
        ApplicationAttributes: {
            /** @enum {string} */
            applicationType: "DISCHARGE" | "CHANGE_OF_NAME" | "TRANSFER_OF_WHOLE" | "CANCEL_A_RESTRICTION" | "MORTGAGE_DEED";
            /** @example 206000 */
            transactionValue?: number;
            /**
             * @description In pounds. Left out while it depends on a `transactionValue` that is not given.
             * @example 45
             */
            landRegistryFee?: number;
            /**
             * @description That of the main document.
             * @enum {string}
             */
            certificationType?: "CERTIFIED" | "ORIGINAL" | "SCANNED";
            /** @example MD431C */
            mortgageDeedReference?: string;
            /** @enum {string} */
            mortgageDeedReferenceType?: "PAPER" | "DIGITAL";
            isEffective?: boolean;
        };
        ApplicationDocument: {
            /** Format: uuid */
            fileId: string;
            /** @example mortgage-deed.pdf */
            fileName: string;
            /** @enum {string} */
            fileUploadStatus: "PENDING" | "SUCCESS" | "FAILED" | "WITHDRAWN";
            auditAttributes: components["schemas"]["AuditAttributes"];
            /** @enum {string} */
            documentType: "MORTGAGE_DEED" | "EVIDENCE" | "CORRESPONDENCE" | "IDENTITY_EVIDENCE" | "IDENTITY_FORM" | "BIRTH_CERTIFICATE" | "MARRIAGE_CERTIFICATE" | "STATEMENT_OF_TRUTH" | "STATUTORY_DECLARATION" | "PG82_CERTIFICATE" | "COMPANIES_HOUSE_CERTIFICATE" | "COMPANIES_HOUSE_EVIDENCE";
            /** @enum {string} */
            documentCategory: "APPLICATION_DOCUMENT" | "SUPPORTING_DOCUMENT";
            /** @enum {string} */
            certificationType: "CERTIFIED" | "ORIGINAL" | "SCANNED";
        };
        /** @description The main document: the one that counts, or else the newest that is still being checked. */
        ApplicationFile: {
            /** Format: uuid */
            fileId: string;
            /** @example mortgage-deed.pdf */
            fileName: string;
            /** @enum {string} */
            fileUploadStatus: "PENDING" | "SUCCESS" | "FAILED" | "WITHDRAWN";
            auditAttributes: components["schemas"]["AuditAttributes"];
        };
        ApplicationParty: {
            /** Format: uuid */
            partyId: string;
            /** @enum {string} */
            type: "INDIVIDUAL" | "ORGANISATION";
            /** @enum {string} */
            role: "BORROWER" | "INCOMING_PROPRIETOR" | "OUTGOING_PROPRIETOR";
            partyDetails: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
        };
        ApplicationRecord: {
            /** Format: uuid */
            applicationId: string;
            /** @enum {string} */
            applicationType: "DISCHARGE" | "CHANGE_OF_NAME" | "TRANSFER_OF_WHOLE" | "CANCEL_A_RESTRICTION" | "MORTGAGE_DEED";
            /** @enum {string} */
            status: "DRAFT" | "READY" | "APPROVED" | "SUBMITTED" | "LODGED" | "REQUISITIONED" | "REGISTERED" | "REJECTED" | "WITHDRAWN";
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            submittedAt?: string;
            /**
             * @description The `approvedBy` of the approval that was sent.
             * @example approver@harbour.example
             */
            submittedBy?: string;
            auditAttributes: components["schemas"]["AuditAttributes"];
            file?: components["schemas"]["ApplicationFile"];
            attributes: components["schemas"]["ApplicationAttributes"];
            /** @description Left out where the application is withdrawn. */
            priority?: number;
            /** @description All that were ever attached, oldest first. */
            documents: components["schemas"]["ApplicationDocument"][];
            /** @description Whom the application concerns. */
            parties: components["schemas"]["ApplicationParty"][];
        };
        AttachDocumentRequest: {
            /**
             * Format: binary
             * @description A PDF, at most 41,943,040 bytes unless the operator has set another limit.
             */
            file: string;
            /** @enum {string} */
            documentType: "MORTGAGE_DEED" | "EVIDENCE" | "CORRESPONDENCE" | "IDENTITY_EVIDENCE" | "IDENTITY_FORM" | "BIRTH_CERTIFICATE" | "MARRIAGE_CERTIFICATE" | "STATEMENT_OF_TRUTH" | "STATUTORY_DECLARATION" | "PG82_CERTIFICATE" | "COMPANIES_HOUSE_CERTIFICATE" | "COMPANIES_HOUSE_EVIDENCE";
            /** @enum {string} */
            documentCategory: "APPLICATION_DOCUMENT" | "SUPPORTING_DOCUMENT";
            /** @enum {string} */
            certificationType: "CERTIFIED" | "ORIGINAL" | "SCANNED";
        };
        AuditAttributes: {
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            createdAt: string;
            /** @example case.handler@example.com */
            createdBy: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            lastModifiedAt: string;
            /** @example case.handler@example.com */
            lastModifiedBy: string;
        };
        AuthorisedLineItemRequest: {
            /** @description False takes the authorisation back. */
            authorised: boolean;
            /** @enum {string} */
            category: "Mortgage Advance";
            /**
             * Format: decimal
             * @description The sum of all lines of the category.
             * @example 206000
             */
            amount: number;
        };
        BankAccount: {
            /** @example Harbour Conveyancing LLP */
            accountName: string;
            /** @example 12345678 */
            accountNumber: string;
            /** @example 204060 */
            sortCode: string;
        };
        CancelWorkspaceRequest: {
            /** @enum {string} */
            cancellationReason: "APPLICANT_DECIDED_NOT_TO_PROCEED" | "TITLE_COMPLICATIONS" | "LAW_FIRM_NO_LONGER_ACTING" | "LENDER_DECIDED_NOT_TO_PROCEED" | "LOAN_INVOLVES_MULTIPLE_TITLES" | "OTHER";
            /**
             * @description Required for `OTHER`.
             * @example The property was sold.
             */
            cancellationNotesForOther?: string;
        };
        CaseTitle: {
            /** Format: uuid */
            titleId: string;
            /** @example ST500678 */
            titleNumber: string;
            /** @enum {string} */
            tenure?: "FREEHOLD" | "LEASEHOLD";
        };
        ClockAnswer: {
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            now: string;
        };
        CreateRemortgageWorkspaceAnswer: {
            /** @example REM-2026-0042 */
            reference: string;
            /** Format: uuid */
            workspaceId: string;
            /** @example LW260000042 */
            workspaceReferenceId: string;
        };
        CreateRemortgageWorkspaceRequest: {
            /** @example REM-2026-0042 */
            reference: string;
            property: components["schemas"]["PropertyRequest"];
            /** @description One organisation, or one to four individuals. All name the same law firm. */
            parties: (components["schemas"]["IndividualBorrowerRequest"] | components["schemas"]["OrganisationBorrowerRequest"])[];
        };
        ErrorBody: {
            errors: components["schemas"]["Fault"][];
        };
        Event: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            type: "WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY";
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only; which, `webhooks` says of each type. */
            data: {
                /** Format: uuid */
                workspaceId?: string;
                /**
                 * Format: uuid
                 * @description Who is told.
                 */
                subscriberId: string;
            } & {
                [key: string]: string;
            };
        };
        EventFeed: {
            records: components["schemas"]["Event"][];
            /**
             * @description Always there: goes into `after`.
             * @example ZTEwNDI
             */
            nextCursor: string;
        };
        ExternalLawFirm: {
            /** @example Marsh & Hill Solicitors */
            name: string;
            address: components["schemas"]["FirmAddress"];
        };
        ExternalLawFirmRequest: {
            /** @example Marsh & Hill Solicitors */
            name: string;
            address: components["schemas"]["FirmAddressRequest"];
        };
        Fault: {
            /** @description The field or parameter at fault, where there is one. */
            field?: string;
            /** @description What is wrong and what is expected, in plain words. */
            message: string;
        };
        /** @description An uploaded file did not pass its checks, or came too late. */
        FileUploadFailedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "FILE_UPLOAD_FAILED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                fileId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description An uploaded file passed its checks. */
        FileUploadSucceededEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "FILE_UPLOAD_SUCCEEDED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                fileId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description A file was withdrawn and no longer counts. */
        FileWithdrawnEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "FILE_WITHDRAWN";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                fileId?: string;
            } & {
                [key: string]: string;
            };
        };
        FinancialApprovalAnswer: {
            /** Format: uuid */
            financialSettlementScheduleId: string;
            /** @enum {string} */
            action: "APPROVE" | "UNAPPROVE";
            /** @enum {string} */
            status: "DRAFT" | "PREPARED" | "AUTHORISED" | "SETTLED";
            /** Format: email */
            approvedBy: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            approvedAt: string;
        };
        FinancialApprovalRequest: {
            /** @enum {string} */
            action: "APPROVE" | "UNAPPROVE";
            /**
             * Format: email
             * @description Who does it, as the caller states it.
             */
            approvedBy: string;
        };
        FinancialSettlementSchedule: {
            /** Format: uuid */
            financialSettlementScheduleId: string;
            /** Format: uuid */
            workspaceId: string;
            /** @enum {string} */
            status: "DRAFT" | "PREPARED" | "AUTHORISED" | "SETTLED";
            /**
             * Format: date
             * @description Left out until it is set.
             * @example 2026-03-14
             */
            completionDate?: string;
            /** @description In the order in which they were added. */
            lineItems: components["schemas"]["LineItem"][];
            totals: components["schemas"]["ScheduleTotals"];
            /** @description Every approval and its taking back by hand, oldest first. `status` says whether one stands. */
            approvals: components["schemas"]["ScheduleApproval"][];
        };
        /** @description The settlement schedule was approved. */
        FinancialSettlementSchedulePreparedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                financialSettlementScheduleId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The approval of the settlement schedule was taken back. */
        FinancialSettlementScheduleUnapprovedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                financialSettlementScheduleId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The completion date or a line item of the settlement schedule was changed. */
        FinancialSettlementScheduleUpdatedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                financialSettlementScheduleId?: string;
                /** Format: uuid */
                lineItemId?: string;
            } & {
                [key: string]: string;
            };
        };
        FinancialSettlementSchedules: {
            records: components["schemas"]["FinancialSettlementSchedule"][];
        };
        FirmAddress: {
            /** @example Flat 2 */
            flat?: string;
            /** @example Rose Cottage */
            name?: string;
            /** @example 83 */
            number?: string;
            /** @example St Thomas */
            locality?: string;
            /** @example Exeter */
            town: string;
            /** @example Devon */
            county?: string;
            /** @example Fore Street */
            street: string;
            /** @example TA1 4AS */
            postcode: string;
        };
        FirmAddressRequest: {
            /** @example Flat 2 */
            flat?: string;
            /** @example Rose Cottage */
            name?: string;
            /** @example 83 */
            number?: string;
            /** @example St Thomas */
            locality?: string;
            /** @example Exeter */
            town: string;
            /** @example Devon */
            county?: string;
            /** @example Fore Street */
            street: string;
            /** @example EX43AN */
            postcode: string;
        };
        FundsAuthorisationAnswer: {
            /** @description Whether date and amount are those of the schedule. */
            matched: boolean;
            authorised: boolean;
        };
        FundsAuthorisationRequest: {
            /**
             * Format: date
             * @example 2026-03-14
             */
            completionDate: string;
            lineItem: components["schemas"]["AuthorisedLineItemRequest"];
        };
        IndividualBorrowerRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "INDIVIDUAL";
            /** @constant */
            role: "BORROWER";
            partyDetails: components["schemas"]["IndividualDetails"];
            participants: components["schemas"]["ParticipantRequest"][];
        };
        IndividualDetails: {
            /** @example William */
            forenames: string;
            /** @example Prynne */
            surname: string;
        };
        IndividualDetailsAnswer: {
            /** @example William */
            forenames: string;
            /** @example Prynne */
            surname: string;
        };
        JwksAnswer: {
            keys: {
                /** @constant */
                kty: "EC";
                /** @constant */
                crv: "P-256";
                /** @example f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU */
                x: string;
                /** @example x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0 */
                y: string;
                /** @example 0b7e6a0e-6c9c-4d6e-9a55-0f1f6d0f2c11 */
                kid: string;
                /** @constant */
                alg: "ES256";
                /** @constant */
                use: "sig";
            }[];
        };
        LineItem: {
            /** Format: uuid */
            lineItemId: string;
            /** @enum {string} */
            type: "SOURCE" | "DESTINATION";
            /**
             * @description `Mortgage Advance` for a `SOURCE`, one of the others for a `DESTINATION`.
             * @enum {string}
             */
            category: "Mortgage Advance" | "Redemption" | "Conveyancing Fees" | "Surplus" | "Onward Funds";
            /**
             * Format: decimal
             * @description Pounds.
             * @example 206000
             */
            amount: number;
            /** @example MH/2026-118 */
            reference: string;
            bankAccount?: components["schemas"]["BankAccount"];
        };
        /** @description `bankAccount` is required for a `DESTINATION`, and not expected for a `SOURCE`. */
        LineItemRequest: {
            /** @enum {string} */
            type: "SOURCE" | "DESTINATION";
            /**
             * @description `Mortgage Advance` for a `SOURCE`, one of the others for a `DESTINATION`.
             * @enum {string}
             */
            category: "Mortgage Advance" | "Redemption" | "Conveyancing Fees" | "Surplus" | "Onward Funds";
            /**
             * Format: decimal
             * @description Pounds.
             * @example 206000
             */
            amount: number;
            /** @example MH/2026-118 */
            reference: string;
            bankAccount?: components["schemas"]["BankAccount"];
        };
        LiveAnswer: {
            /** @constant */
            status: "live";
        };
        LodgementApplication: {
            /** Format: uuid */
            applicationId: string;
            /** @enum {string} */
            applicationType: "DISCHARGE" | "CHANGE_OF_NAME" | "TRANSFER_OF_WHOLE" | "CANCEL_A_RESTRICTION" | "MORTGAGE_DEED";
            /** @enum {string} */
            status: "DRAFT" | "READY" | "APPROVED" | "SUBMITTED" | "LODGED" | "REQUISITIONED" | "REGISTERED" | "REJECTED" | "WITHDRAWN";
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            submittedAt?: string;
            /**
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
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "LODGEMENT_APPLICATION_UPDATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
                /** Format: uuid */
                applicationId?: string;
            } & {
                [key: string]: string;
            };
        };
        LodgementApprovalAnswer: {
            /** Format: uuid */
            lodgementCaseId: string;
            /** @enum {string} */
            action: "APPROVE" | "UNAPPROVE";
            /** @enum {string} */
            lodgementCaseStatus: "CREATED" | "PREPARED" | "INITIATED" | "LODGED" | "REQUISITIONED" | "REQUISITION_SUBMITTED" | "REGISTRATION_REJECTED" | "RESUBMISSION_PREPARED" | "PARTIALLY_REGISTERED" | "REGISTERED" | "CANCELLED";
            /** @example approver@harbour.example */
            approvedBy: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            approvedAt: string;
        };
        LodgementApprovalRequest: {
            /** @enum {string} */
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
        };
        /** @description The lodgement case was approved, for its first submission or a later one. */
        LodgementCasePreparedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "LODGEMENT_CASE_PREPARED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        LodgementCaseRecord: {
            /** Format: uuid */
            lodgementCaseId: string;
            /** @enum {string} */
            lodgementCaseStatus: "CREATED" | "PREPARED" | "INITIATED" | "LODGED" | "REQUISITIONED" | "REQUISITION_SUBMITTED" | "REGISTRATION_REJECTED" | "RESUBMISSION_PREPARED" | "PARTIALLY_REGISTERED" | "REGISTERED" | "CANCELLED";
            /** Format: uuid */
            workspaceId: string;
            /** @example LW260000042 */
            workspaceReferenceId: string;
            /** @constant */
            transactionType: "REMORTGAGE";
            /** @enum {string} */
            lastTitleSearchStatus?: "INITIATED" | "PENDING" | "SUCCESS" | "FAILED";
            /** @enum {string} */
            titleSearchFailure?: "NOT_FOUND" | "CLOSED" | "PENDING_NEW_TITLE";
            /** @example A123BCD */
            registryReference?: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            priorityAt?: string;
            earlyCompletion: boolean;
            titles: components["schemas"]["CaseTitle"][];
            applications: components["schemas"]["ApplicationRecord"][];
            requisition?: components["schemas"]["OpenRequisition"];
            auditAttributes: components["schemas"]["AuditAttributes"];
        };
        /** @description The approval of the lodgement case was taken back, by hand or by a change. */
        LodgementCaseUnapprovedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "LODGEMENT_CASE_UNAPPROVED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        LodgementCases: {
            records: components["schemas"]["LodgementCaseRecord"][];
        };
        /** @description The registry completed the case but for the discharge. */
        LodgementPartiallyRegisteredEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "LODGEMENT_PARTIALLY_REGISTERED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The registry completed the case. */
        LodgementRegisteredEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "LODGEMENT_REGISTERED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The registry rejected or cancelled the case. */
        LodgementRejectedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "LODGEMENT_REJECTED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The lodgement case was sent to the registry. */
        LodgementSubmittedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "LODGEMENT_SUBMITTED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        MaintenanceAnswer: {
            enabled: boolean;
        };
        MaintenanceRequest: {
            enabled: boolean;
        };
        MatchDetail: {
            /** @enum {string} */
            surname: "MATCH" | "PARTIAL_MATCH" | "NO_MATCH" | "SKIPPED";
            /** @enum {string} */
            forenames: "MATCH" | "PARTIAL_MATCH" | "NO_MATCH" | "SKIPPED";
        };
        MetadataAnswer: {
            /** @example http://127.0.0.1:8080 */
            issuer: string;
            /** @example http://127.0.0.1:8080/oauth/token */
            token_endpoint: string;
            /** @example http://127.0.0.1:8080/.well-known/jwks.json */
            jwks_uri: string;
            scopes_supported: string[];
            /** @example [] */
            response_types_supported: string[];
            grant_types_supported: "client_credentials"[];
            token_endpoint_auth_methods_supported: ("client_secret_basic" | "client_secret_post")[];
            /** @example http://127.0.0.1:8080/docs */
            service_documentation: string;
        };
        MoveClockAnswer: {
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            now: string;
            /**
             * @description How many jobs were run on the way.
             * @example 4
             */
            ran: number;
        };
        MoveClockRequest: {
            /**
             * @description An ISO 8601 duration.
             * @example P3D
             */
            advance?: string;
            /**
             * Format: date-time
             * @description A time that is not past.
             * @example 2026-03-14T09:30:00.000Z
             */
            set?: string;
        };
        NewNotificationRegistration: {
            /** Format: uuid */
            registrationId: string;
            /** Format: uuid */
            subscriberId: string;
            /**
             * @description Where events are sent.
             * @example https://partner.example/hooks/lodgeway
             */
            webhookURI: string;
            /**
             * @example [
             *       "WORKSPACE_CREATED",
             *       "TITLE_DATA_RECEIVED"
             *     ]
             */
            eventTypes: ("WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY")[];
            /**
             * Format: date-time
             * @description When to have rotated it: `SECRET_EXPIRY` comes before.
             * @example 2026-03-14T09:30:00.000Z
             */
            sharedSecretExpiry: string;
            /**
             * Format: date-time
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
            /** Format: uuid */
            subscriberId: string;
            clientId: string;
            /** @description Shown once. */
            clientSecret: string;
        };
        NewSubscriberRequest: {
            /** @enum {string} */
            kind: "LENDER" | "LAW_FIRM";
            /** @example Westbrook Bank plc */
            name: string;
        };
        Notification: {
            /** Format: uuid */
            notificationId: string;
            /** Format: uuid */
            registrationId: string;
            /**
             * Format: uuid
             * @description The `id` of the payload, and `webhook-id`.
             */
            eventId: string;
            /** @enum {string} */
            type: "WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY" | "TEST";
            /** @enum {string} */
            status: "PENDING" | "DELIVERED" | "DEAD";
            /**
             * Format: date-time
             * @description Left out where none is planned, or while it waits for the one before it.
             * @example 2026-03-14T09:30:00.000Z
             */
            nextAttemptAt?: string;
            /** @description Oldest first. */
            attempts: components["schemas"]["NotificationAttempt"][];
        };
        NotificationAttempt: {
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /**
             * @description What the receiver answered.
             * @example 503
             */
            status?: number;
            /** @example 87 */
            durationMs: number;
            /**
             * @description The first 1 KiB of the answer.
             * @example try later
             */
            response?: string;
            /**
             * @description Why there was no answer.
             * @example The connection was refused.
             */
            error?: string;
        };
        NotificationPage: {
            records: components["schemas"]["Notification"][];
            /** @example MTA0Mg */
            nextCursor?: string;
        };
        NotificationRegistration: {
            /** Format: uuid */
            registrationId: string;
            /** Format: uuid */
            subscriberId: string;
            /**
             * @description Where events are sent.
             * @example https://partner.example/hooks/lodgeway
             */
            webhookURI: string;
            /**
             * @example [
             *       "WORKSPACE_CREATED",
             *       "TITLE_DATA_RECEIVED"
             *     ]
             */
            eventTypes: ("WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY")[];
            /**
             * Format: date-time
             * @description When to have rotated it: `SECRET_EXPIRY` comes before.
             * @example 2026-03-14T09:30:00.000Z
             */
            sharedSecretExpiry: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            createdAt: string;
        };
        NotificationRegistrationPage: {
            records: components["schemas"]["NotificationRegistration"][];
            /** @example MTA0Mg */
            nextCursor?: string;
        };
        NotificationRegistrationRequest: {
            /**
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
            eventTypes: ("WORKSPACE_CREATED" | "WORKSPACE_PARTICIPANT_ADDED" | "TITLE_SEARCH_PENDING" | "TITLE_DATA_RECEIVED" | "TITLE_NOT_FOUND" | "TITLE_RECONCILIATION_UPDATED" | "REPRESENTATION_ADDED" | "REPRESENTATION_FAILED" | "REPRESENTATION_UPDATED" | "FILE_UPLOAD_SUCCEEDED" | "FILE_UPLOAD_FAILED" | "FILE_WITHDRAWN" | "LODGEMENT_APPLICATION_UPDATED" | "LODGEMENT_CASE_PREPARED" | "LODGEMENT_CASE_UNAPPROVED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED" | "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED" | "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED" | "WORKSPACE_PREPARED" | "WORKSPACE_REVERTED_TO_CREATED" | "WORKSPACE_FUNDS_AUTHORISED" | "WORKSPACE_FUNDS_UNAUTHORISED" | "WORKSPACE_FUNDS_EXCHANGED" | "LODGEMENT_SUBMITTED" | "WORKSPACE_LODGED" | "WORKSPACE_REQUISITIONED" | "REQUISITION_DUE_SOON" | "REQUISITION_ANSWERED" | "LODGEMENT_REJECTED" | "LODGEMENT_PARTIALLY_REGISTERED" | "LODGEMENT_REGISTERED" | "WORKSPACE_CLOSED" | "WORKSPACE_CANCELLED" | "REPORT_GENERATED" | "SECRET_EXPIRY")[];
        };
        /** @description The open one, where there is one. */
        OpenRequisition: {
            /** Format: uuid */
            requisitionId: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            receivedAt: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            dueAt: string;
            points: string[];
        };
        OrganisationBorrowerRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ORGANISATION";
            /** @constant */
            role: "BORROWER";
            partyDetails: components["schemas"]["OrganisationDetails"];
            participants: components["schemas"]["ParticipantRequest"][];
        };
        OrganisationDetails: {
            /** @example Turner Holdings Limited */
            organisationName: string;
            /** @example 02294747 */
            registrationNumber?: string;
        };
        OrganisationDetailsAnswer: {
            /** @example Turner Holdings Limited */
            organisationName: string;
            /** @example 02294747 */
            registrationNumber?: string;
        };
        ParticipantRequest: {
            /**
             * Format: uuid
             * @description The law firm that acts.
             * @example 20000000-0000-4000-8000-000000000001
             */
            id: string;
            /** @constant */
            role: "CONVEYANCER";
        };
        /** @description The active one, where there is one. */
        PartyRepresentation: {
            /** Format: uuid */
            representationId: string;
            /** @enum {string} */
            representedBy: "PLATFORM_SUBSCRIBER_LAW_FIRM" | "EXTERNAL_LAW_FIRM" | "NOT_REPRESENTED";
            /**
             * Format: uuid
             * @description Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`.
             */
            subscriberId?: string;
            externalLawFirm?: components["schemas"]["ExternalLawFirm"];
            /**
             * @description Only for `EXTERNAL_LAW_FIRM`.
             * @example MH/2026-118
             */
            referenceNumber?: string;
            /**
             * @description Only for `NOT_REPRESENTED`.
             * @enum {string}
             */
            verificationOfIdentity?: "LAW_FIRM_CERTIFIED" | "IDENTITY_EVIDENCE";
            /** @constant */
            status: "ACTIVE";
        };
        PropertyRequest: {
            /**
             * @default ENGLAND_WALES
             * @enum {string}
             */
            jurisdiction?: "ENGLAND_WALES";
            securityAddress: components["schemas"]["SecurityAddressRequest"];
            /**
             * @description When given, the title search starts at once.
             * @example ST500678
             */
            titleNumber?: string;
        };
        ReadinessPage: {
            records: components["schemas"]["ReadinessRecord"][];
            /** @example MTA0Mg */
            nextCursor?: string;
        };
        ReadinessRecord: {
            /** @enum {string} */
            ruleId: "title-must-be-valid" | "all-proprietors-matched-to-borrowers" | "proprietor-count" | "party-representation-type-is-valid" | "lodging-conveyancer-represents-a-party" | "required-identity-evidence-provided" | "all-mandatory-documents-provided" | "charge-must-have-non-negative-value" | "mdref-on-record" | "deed-is-effective";
            passed: boolean;
            /** @example This party must have an active representation. */
            message: string;
            /**
             * @description What to mend.
             * @example parties[1].representation
             */
            field: string;
        };
        ReadyAnswer: {
            /** @constant */
            status: "ready";
        };
        ReconciledParty: {
            /** Format: uuid */
            partyId: string;
            /** @enum {string} */
            type: "INDIVIDUAL" | "ORGANISATION";
            /** @enum {string} */
            role: "BORROWER" | "INCOMING_PROPRIETOR" | "OUTGOING_PROPRIETOR";
            partyDetails: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
            /** @enum {string} */
            match: "MATCH" | "MISMATCH" | "PENDING";
            /**
             * Format: uuid
             * @description Where linked.
             */
            proprietorId?: string;
            matchDetail?: components["schemas"]["MatchDetail"];
            /** @description Unmatched proprietors whose name is close. Shown, and never accepted for you. */
            similarity: components["schemas"]["Similarity"][];
        };
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
        /** @description A report is ready to be retrieved. */
        ReportGeneratedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
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
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /** @example report-workspacesummary-todate */
                reportName: string;
                /** @example 2026-03-13 */
                reportDate: string;
            } & {
                [key: string]: string;
            };
        };
        Representation: {
            /** Format: uuid */
            workspaceId: string;
            /** Format: uuid */
            partyId: string;
            /** Format: uuid */
            representationId: string;
            /** @enum {string} */
            representedBy: "PLATFORM_SUBSCRIBER_LAW_FIRM" | "EXTERNAL_LAW_FIRM" | "NOT_REPRESENTED";
            /**
             * Format: uuid
             * @description Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`.
             */
            subscriberId?: string;
            externalLawFirm?: components["schemas"]["ExternalLawFirm"];
            /**
             * @description Only for `EXTERNAL_LAW_FIRM`.
             * @example MH/2026-118
             */
            referenceNumber?: string;
            /**
             * @description Only for `NOT_REPRESENTED`.
             * @enum {string}
             */
            verificationOfIdentity?: "LAW_FIRM_CERTIFIED" | "IDENTITY_EVIDENCE";
            /** @enum {string} */
            status: "QUEUED" | "ACTIVE" | "FAILED" | "SUPERSEDED";
            /**
             * @description Only where it `FAILED`.
             * @enum {string}
             */
            failureReason?: "PARTY_GONE" | "WORKSPACE_LOCKED" | "WORKSPACE_CANCELLED" | "FIRM_SUSPENDED";
            auditAttributes: components["schemas"]["AuditAttributes"];
        };
        /** @description A representation of a party became active. */
        RepresentationAddedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "REPRESENTATION_ADDED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                representationId?: string;
                /** Format: uuid */
                partyId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description A representation that was queued could not become active. */
        RepresentationFailedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "REPRESENTATION_FAILED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                representationId?: string;
                /** Format: uuid */
                partyId?: string;
            } & {
                [key: string]: string;
            };
        };
        RepresentationPage: {
            records: components["schemas"]["Representation"][];
            /** @example MTA0Mg */
            nextCursor?: string;
        };
        /** @description The details of an external law firm were changed. */
        RepresentationUpdatedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "REPRESENTATION_UPDATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                representationId?: string;
                /** Format: uuid */
                partyId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description A requisition was answered. */
        RequisitionAnsweredEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "REQUISITION_ANSWERED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
                /** Format: uuid */
                requisitionId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description A requisition is still open 10, 5 or 1 business days before its answer is due. */
        RequisitionDueSoonEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "REQUISITION_DUE_SOON";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
                /** Format: uuid */
                requisitionId?: string;
            } & {
                [key: string]: string;
            };
        };
        RequisitionReplyAnswer: {
            /** Format: uuid */
            requisitionId: string;
            /** @enum {string} */
            lodgementCaseStatus: "CREATED" | "PREPARED" | "INITIATED" | "LODGED" | "REQUISITIONED" | "REQUISITION_SUBMITTED" | "REGISTRATION_REJECTED" | "RESUBMISSION_PREPARED" | "PARTIALLY_REGISTERED" | "REGISTERED" | "CANCELLED";
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
             * @example 2026-03-14T09:30:00.000Z
             */
            now: string;
        };
        RotatedSecret: {
            /** Format: uuid */
            registrationId: string;
            /**
             * @description Signs every delivery (Standard Webhooks). Shown here and never again.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            sharedSecret: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            sharedSecretExpiry: string;
        };
        ScheduleApproval: {
            /** @enum {string} */
            action: "APPROVE" | "UNAPPROVE";
            /** Format: email */
            approvedBy: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
        };
        ScheduleTotals: {
            /**
             * @description The sum of all sources, in pounds.
             * @example 206000
             */
            sources: number;
            /**
             * @description The sum of all destinations, in pounds.
             * @example 206000
             */
            destinations: number;
            /**
             * @description Sources less destinations.
             * @example 0
             */
            difference: number;
        };
        /** @description The shared secret of a webhook registration expires in 30, 7 or 1 days. */
        SecretExpiryEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
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
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /** Format: uuid */
                registrationId: string;
                /**
                 * Format: date-time
                 * @example 2026-03-14T09:30:00.000Z
                 */
                expiresAt: string;
            } & {
                [key: string]: string;
            };
        };
        SecurityAddress: {
            /** @example Flat 2 */
            flat?: string;
            /** @example Rose Cottage */
            name?: string;
            /** @example 83 */
            number?: string;
            /** @example St Thomas */
            locality?: string;
            /** @example Exeter */
            town: string;
            /** @example Devon */
            county?: string;
            /** @example Fore Street */
            street?: string;
            /** @example EX4 3AN */
            postcode: string;
        };
        /** @description At least one of `flat`, `name` and `number` is needed. */
        SecurityAddressRequest: {
            /** @example Flat 2 */
            flat?: string;
            /** @example Rose Cottage */
            name?: string;
            /** @example 83 */
            number?: string;
            /** @example St Thomas */
            locality?: string;
            /** @example Exeter */
            town: string;
            /** @example Devon */
            county?: string;
            /** @example Fore Street */
            street?: string;
            /** @example EX43AN */
            postcode: string;
        };
        SetAsIncomingProprietorRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "SET_AS_INCOMING_PROPRIETOR";
            /** Format: uuid */
            partyId: string;
        };
        SetAsOutgoingProprietorRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "SET_AS_OUTGOING_PROPRIETOR";
            /** Format: uuid */
            proprietorId: string;
        };
        Similarity: {
            /** Format: uuid */
            proprietorId: string;
            reasons: ("DISTANCE" | "SOUND" | "INITIAL" | "MIDDLE" | "ALIAS")[];
        };
        /** @description A test that was asked for: `POST …/test`. */
        TestEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
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
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /** Format: uuid */
                registrationId: string;
            } & {
                [key: string]: string;
            };
        };
        TimelinePage: {
            records: components["schemas"]["TimelineRecord"][];
            /** @example MTA0Mg */
            nextCursor?: string;
        };
        TimelineRecord: {
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            at: string;
            /** @example WORKSPACE_CREATED */
            type: string;
            /** @example case.handler@example.com */
            by: string;
            /** @example 2f1a4c1e-8a55-4f0e-9a0e-6a3f1f6f9f10 */
            correlationId: string;
            /** @example A workspace was created. */
            message: string;
        };
        /** @description The registry answered with the register of the title. */
        TitleDataReceivedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "TITLE_DATA_RECEIVED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
                /** Format: uuid */
                titleId?: string;
            } & {
                [key: string]: string;
            };
        };
        TitleDocumentRecord: {
            /** Format: uuid */
            titleDocumentId: string;
            /** @enum {string} */
            documentType: "TITLE_REGISTER" | "TITLE_INFORMATION_DOCUMENT" | "EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT";
            /** Format: uuid */
            titleId: string;
            /** @example ST500678 */
            titleNumber: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            officialCopyDateTime: string;
            /**
             * Format: date
             * @example 2026-03-14
             */
            editionDate: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            createdAt: string;
            registerExtract: components["schemas"]["RegisterExtract"];
        };
        TitleDocuments: {
            records: components["schemas"]["TitleDocumentRecord"][];
        };
        /** @description The title search failed: the title is unknown, closed or still pending. */
        TitleNotFoundEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "TITLE_NOT_FOUND";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
                /** Format: uuid */
                titleId?: string;
            } & {
                [key: string]: string;
            };
        };
        TitleReconciliation: {
            /** @enum {string} */
            borrowersValidationStatus: "PENDING" | "VALID" | "TYPE_INVALID" | "COUNT_INVALID" | "INVALID";
            parties: components["schemas"]["ReconciledParty"][];
            unmatchedProprietors: components["schemas"]["UnmatchedProprietor"][];
        };
        TitleReconciliationAnswer: {
            /** @enum {string} */
            action: "UPDATE_PARTY_NAME" | "SET_AS_INCOMING_PROPRIETOR" | "SET_AS_OUTGOING_PROPRIETOR" | "UPDATE_PROPRIETOR_NAME" | "UPDATE_OUTGOING_PROPRIETOR_NAME";
            /** Format: uuid */
            partyId?: string;
            /** Format: uuid */
            proprietorId?: string;
            /** @enum {string} */
            titleStatus?: "INCOMING" | "OUTGOING";
            /** @enum {string} */
            type?: "INDIVIDUAL" | "ORGANISATION";
            partyDetails?: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
            proprietorDetails?: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
        };
        TitleReconciliationRequest: components["schemas"]["UpdatePartyNameRequest"] | components["schemas"]["SetAsIncomingProprietorRequest"] | components["schemas"]["SetAsOutgoingProprietorRequest"] | components["schemas"]["UpdateProprietorNameRequest"] | components["schemas"]["UpdateOutgoingProprietorNameRequest"];
        /** @description A party or a proprietor was renamed, or set as incoming or outgoing. */
        TitleReconciliationUpdatedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "TITLE_RECONCILIATION_UPDATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The registry was asked for a title and has not answered yet. */
        TitleSearchPendingEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "TITLE_SEARCH_PENDING";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
                /** Format: uuid */
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
            /** @constant */
            token_type: "Bearer";
            /**
             * @description Seconds.
             * @example 3600
             */
            expires_in: number;
            /** @example x-api:view:reports */
            scope: string;
        };
        TokenError: {
            /** @enum {string} */
            error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope" | "temporarily_unavailable";
            /** @example grant_type is required: client_credentials. */
            error_description: string;
        };
        TokenRequest: {
            /** @constant */
            grant_type: "client_credentials";
            /** @description Where the client does not authenticate by HTTP Basic. */
            client_id?: string;
            client_secret?: string;
            /**
             * @description Scopes with spaces between them; all granted ones when left out.
             * @example x-api:view:reports
             */
            scope?: string;
        };
        UnmatchedProprietor: {
            /** Format: uuid */
            proprietorId: string;
            /** @enum {string} */
            type: "INDIVIDUAL" | "ORGANISATION";
            proprietorDetails: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
            registeredDetails: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
        };
        /** @description What is left out stays as it is. */
        UpdateApplicationRequest: {
            /**
             * Format: decimal
             * @example 206000
             */
            transactionValue?: number;
            /**
             * @description Only of a `MORTGAGE_DEED` application.
             * @example MD431C
             */
            mortgageDeedReference?: string;
            /**
             * @description Only of a `MORTGAGE_DEED` application.
             * @enum {string}
             */
            mortgageDeedReferenceType?: "PAPER" | "DIGITAL";
            /** @description Only of a `MORTGAGE_DEED` application. A `DIGITAL` deed needs its reference first. */
            isEffective?: boolean;
        };
        /** @description What is left out stays as it is. `type` cannot change. A `bankAccount` replaces the one before whole. */
        UpdateLineItemRequest: {
            /** @enum {string} */
            type?: "SOURCE" | "DESTINATION";
            /**
             * @description `Mortgage Advance` for a `SOURCE`, one of the others for a `DESTINATION`.
             * @enum {string}
             */
            category?: "Mortgage Advance" | "Redemption" | "Conveyancing Fees" | "Surplus" | "Onward Funds";
            /**
             * Format: decimal
             * @description Pounds.
             * @example 206000
             */
            amount?: number;
            /** @example MH/2026-118 */
            reference?: string;
            bankAccount?: components["schemas"]["BankAccount"];
        };
        UpdateOutgoingProprietorNameOfIndividualRequest: {
            /** @constant */
            action: "UPDATE_OUTGOING_PROPRIETOR_NAME";
            /** Format: uuid */
            proprietorId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "INDIVIDUAL";
            proprietorDetails: components["schemas"]["IndividualDetails"];
        };
        UpdateOutgoingProprietorNameOfOrganisationRequest: {
            /** @constant */
            action: "UPDATE_OUTGOING_PROPRIETOR_NAME";
            /** Format: uuid */
            proprietorId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
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
            /** @constant */
            action: "UPDATE_PARTY_NAME";
            /** Format: uuid */
            partyId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "INDIVIDUAL";
            partyDetails: components["schemas"]["IndividualDetails"];
        };
        UpdatePartyNameOfOrganisationRequest: {
            /** @constant */
            action: "UPDATE_PARTY_NAME";
            /** Format: uuid */
            partyId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ORGANISATION";
            partyDetails: components["schemas"]["OrganisationDetails"];
        };
        UpdatePartyNameRequest: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "UPDATE_PARTY_NAME";
        } & (components["schemas"]["UpdatePartyNameOfIndividualRequest"] | components["schemas"]["UpdatePartyNameOfOrganisationRequest"]);
        UpdateProprietorNameOfIndividualRequest: {
            /** @constant */
            action: "UPDATE_PROPRIETOR_NAME";
            /** Format: uuid */
            proprietorId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "INDIVIDUAL";
            proprietorDetails: components["schemas"]["IndividualDetails"];
        };
        UpdateProprietorNameOfOrganisationRequest: {
            /** @constant */
            action: "UPDATE_PROPRIETOR_NAME";
            /** Format: uuid */
            proprietorId: string;
            /**
             * @description discriminator enum property added by openapi-typescript
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
            /** Format: uuid */
            partyId: string;
            /** Format: uuid */
            representationId: string;
            /** @enum {string} */
            representedBy: "PLATFORM_SUBSCRIBER_LAW_FIRM" | "EXTERNAL_LAW_FIRM" | "NOT_REPRESENTED";
            /**
             * Format: uuid
             * @description Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`.
             */
            subscriberId?: string;
            externalLawFirm?: components["schemas"]["ExternalLawFirm"];
            /**
             * @description Only for `EXTERNAL_LAW_FIRM`.
             * @example MH/2026-118
             */
            referenceNumber?: string;
            /**
             * @description Only for `NOT_REPRESENTED`.
             * @enum {string}
             */
            verificationOfIdentity?: "LAW_FIRM_CERTIFIED" | "IDENTITY_EVIDENCE";
        };
        UpdateRepresentationRequest: {
            /** @example Marsh & Hill Solicitors */
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
        UploadAnswer: {
            /** Format: uuid */
            fileId: string;
        };
        UploadFileRequest: {
            /**
             * Format: binary
             * @description A PDF, at most 41,943,040 bytes unless the operator has set another limit.
             */
            file: string;
            /** @enum {string} */
            documentType: "MORTGAGE_DEED" | "EVIDENCE" | "CORRESPONDENCE" | "IDENTITY_EVIDENCE" | "IDENTITY_FORM" | "BIRTH_CERTIFICATE" | "MARRIAGE_CERTIFICATE" | "STATEMENT_OF_TRUTH" | "STATUTORY_DECLARATION" | "PG82_CERTIFICATE" | "COMPANIES_HOUSE_CERTIFICATE" | "COMPANIES_HOUSE_EVIDENCE" | "MORTGAGE_OFFER" | "REDEMPTION_STATEMENT";
            /**
             * Format: uuid
             * @description Attaches the file to this application; left out, it is of the workspace alone.
             */
            applicationId?: string;
            /** @enum {string} */
            documentCategory: "APPLICATION_DOCUMENT" | "SUPPORTING_DOCUMENT" | "WORKSPACE_SUPPORTING_DOCUMENT";
            /**
             * @description Left out, it is taken as `SCANNED`.
             * @enum {string}
             */
            certificationType?: "CERTIFIED" | "ORIGINAL" | "SCANNED";
        };
        Workspace: {
            /** Format: uuid */
            workspaceId: string;
            /** @example LW260000042 */
            workspaceReferenceId: string;
            /** @example REM-2026-0042 */
            reference: string;
            /** @enum {string} */
            status: "CREATED" | "PREPARED" | "FUNDS_AUTHORISED" | "FUNDS_EXCHANGED" | "LODGED" | "REQUISITIONED" | "CLOSED" | "CANCELLED";
            /** @constant */
            transactionType: "REMORTGAGE";
            /** @constant */
            jurisdiction: "ENGLAND_WALES";
            securityAddress: components["schemas"]["SecurityAddress"];
            parties: components["schemas"]["WorkspaceParty"][];
            participants: components["schemas"]["WorkspaceParticipant"][];
            titles: components["schemas"]["WorkspaceTitle"][];
            /**
             * Format: date
             * @example 2026-03-14
             */
            completionDate?: string;
            transferOfEquity: boolean;
            /** @enum {string} */
            borrowersValidationStatus: "PENDING" | "VALID" | "TYPE_INVALID" | "COUNT_INVALID" | "INVALID";
            readyForApproval: boolean;
            canBeUnapproved: boolean;
            canBeCancelled: boolean;
            isLocked: boolean;
            hardLocked: boolean;
            auditAttributes: components["schemas"]["AuditAttributes"];
        };
        /** @description A workspace was cancelled. */
        WorkspaceCancelledEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "WORKSPACE_CANCELLED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description The case is registered and the workspace closed. */
        WorkspaceClosedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "WORKSPACE_CLOSED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description A workspace was created. */
        WorkspaceCreatedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "WORKSPACE_CREATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        WorkspaceFile: {
            /** Format: uuid */
            fileId: string;
            /** @example mortgage-deed.pdf */
            fileName: string;
            /** @enum {string} */
            documentType: "MORTGAGE_DEED" | "EVIDENCE" | "CORRESPONDENCE" | "IDENTITY_EVIDENCE" | "IDENTITY_FORM" | "BIRTH_CERTIFICATE" | "MARRIAGE_CERTIFICATE" | "STATEMENT_OF_TRUTH" | "STATUTORY_DECLARATION" | "PG82_CERTIFICATE" | "COMPANIES_HOUSE_CERTIFICATE" | "COMPANIES_HOUSE_EVIDENCE" | "MORTGAGE_OFFER" | "REDEMPTION_STATEMENT";
            /** @enum {string} */
            documentCategory: "APPLICATION_DOCUMENT" | "SUPPORTING_DOCUMENT" | "WORKSPACE_SUPPORTING_DOCUMENT";
            /** @enum {string} */
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
            /** @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 */
            sha256: string;
            /** @enum {string} */
            fileUploadStatus: "PENDING" | "SUCCESS" | "FAILED" | "WITHDRAWN";
            /**
             * @description Only where it `FAILED`: a virus was found, or before its checks had ended the workspace was cancelled or locked, or the application withdrawn.
             * @enum {string}
             */
            failureReason?: "INFECTED" | "WORKSPACE_CANCELLED" | "WORKSPACE_LOCKED" | "APPLICATION_WITHDRAWN";
            /**
             * Format: uuid
             * @description The main document of the application that took its place.
             */
            supersededBy?: string;
            auditAttributes: components["schemas"]["AuditAttributes"];
        };
        WorkspaceFilePage: {
            records: components["schemas"]["WorkspaceFile"][];
            /** @example MTA0Mg */
            nextCursor?: string;
        };
        /** @description The lender authorised the funds. */
        WorkspaceFundsAuthorisedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "WORKSPACE_FUNDS_AUTHORISED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
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
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "WORKSPACE_FUNDS_EXCHANGED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
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
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "WORKSPACE_FUNDS_UNAUTHORISED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
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
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "WORKSPACE_LODGED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
            } & {
                [key: string]: string;
            };
        };
        WorkspacePage: {
            records: components["schemas"]["WorkspaceSummary"][];
            /** @example MTA0Mg */
            nextCursor?: string;
        };
        WorkspaceParticipant: {
            /** Format: uuid */
            subscriberId: string;
            /** @example Harbour Conveyancing LLP */
            name: string;
            /** @enum {string} */
            role: "LENDER" | "CONVEYANCER";
        };
        /** @description A law firm was named as a participant of a workspace. */
        WorkspaceParticipantAddedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "WORKSPACE_PARTICIPANT_ADDED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        WorkspaceParty: {
            /** Format: uuid */
            partyId: string;
            /** @enum {string} */
            type: "INDIVIDUAL" | "ORGANISATION";
            /** @enum {string} */
            role: "BORROWER" | "INCOMING_PROPRIETOR" | "OUTGOING_PROPRIETOR";
            partyDetails: components["schemas"]["IndividualDetailsAnswer"] | components["schemas"]["OrganisationDetailsAnswer"];
            representation?: components["schemas"]["PartyRepresentation"];
        };
        /** @description The lodgement case and the settlement schedule of a workspace are both approved. */
        WorkspacePreparedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "WORKSPACE_PREPARED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
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
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "WORKSPACE_REQUISITIONED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
                /** Format: uuid */
                lodgementCaseId?: string;
                /** Format: uuid */
                requisitionId?: string;
            } & {
                [key: string]: string;
            };
        };
        /** @description An approval of a prepared workspace was taken back. */
        WorkspaceRevertedToCreatedEvent: {
            /**
             * Format: uuid
             * @description The same as `webhook-id`, and as in the feed.
             */
            id: string;
            /** @constant */
            type: "WORKSPACE_REVERTED_TO_CREATED";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-03-14T09:30:00.000Z
             */
            timestamp: string;
            /** @description Identifiers only. */
            data: {
                /** Format: uuid */
                workspaceId: string;
                /**
                 * Format: uuid
                 * @description The subscriber who is told.
                 * @example 10000000-0000-4000-8000-000000000001
                 */
                subscriberId: string;
                /**
                 * @description The lender’s own reference.
                 * @example REM-2026-0042
                 */
                reference?: string;
            } & {
                [key: string]: string;
            };
        };
        WorkspaceSummary: {
            /** Format: uuid */
            workspaceId: string;
            /** @example LW260000042 */
            workspaceReferenceId: string;
            /** @example REM-2026-0042 */
            reference: string;
            /** @enum {string} */
            status: "CREATED" | "PREPARED" | "FUNDS_AUTHORISED" | "FUNDS_EXCHANGED" | "LODGED" | "REQUISITIONED" | "CLOSED" | "CANCELLED";
            /** @constant */
            transactionType: "REMORTGAGE";
            /** @example EX4 3AN */
            postcode: string;
            /** @example ST500678 */
            titleNumber?: string;
            /** @enum {string} */
            borrowersValidationStatus: "PENDING" | "VALID" | "TYPE_INVALID" | "COUNT_INVALID" | "INVALID";
            /**
             * Format: date
             * @example 2026-03-14
             */
            completionDate?: string;
            /**
             * Format: date-time
             * @example 2026-03-14T09:30:00.000Z
             */
            createdAt: string;
        };
        WorkspaceTitle: {
            /** Format: uuid */
            titleId: string;
            /** @example ST500678 */
            titleNumber: string;
            /** @enum {string} */
            tenure?: "FREEHOLD" | "LEASEHOLD";
            /** @enum {string} */
            lastTitleSearchStatus: "INITIATED" | "PENDING" | "SUCCESS" | "FAILED";
        };
    };
    responses: {
        /** @description Path, query, headers or body do not fit. All faults are told at once, each with its field. */
        BadRequest: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "field": "workspace_id",
                 *           "message": "workspace_id must be a UUID."
                 *         },
                 *         {
                 *           "field": "partyDetails.surname",
                 *           "message": "partyDetails.surname is required."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The first request with this `Idempotency-Key` is still running. */
        Conflict: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
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
        /** @description The token lacks the scope, or this kind of subscriber may not do it. */
        Forbidden: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
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
                 *           "message": "The access token lacks the scope view:workspaces."
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
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "field": "workspace_id",
                 *           "message": "There is no such workspace."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description You have it already: `If-None-Match` names the present `ETag`. */
        NotModified: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description `If-Match` names an older state than the present one. */
        PreconditionFailed: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
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
                 *           "message": "Range must lie within the 20480 bytes there are."
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ErrorBody"];
            };
        };
        /** @description The request stopped arriving; the connection is closed. */
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
        /** @description Past the rate limit of the client. */
        TooManyRequests: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
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
        /** @description Maintenance, overload, or something that the service needs is down. */
        Unavailable: {
            headers: {
                "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                "X-API-Version": components["headers"]["X-API-Version"];
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
         * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
         * @example 0b8a7c52-workspace-1
         */
        "Idempotency-Key": string;
        /**
         * @description The `ETag` that the change is based on. A stale one is refused with 412.
         * @example "dGhpcyBpcyBhIGhhc2g"
         */
        "If-Match": string;
        /**
         * @description The `ETag` that you have already. While it is the present one, 304.
         * @example "dGhpcyBpcyBhIGhhc2g"
         */
        "If-None-Match": string;
        /**
         * @description The `ETag` that the range belongs to. After a change the whole is sent.
         * @example "dGhpcyBpcyBhIGhhc2g"
         */
        "If-Range": string;
        /**
         * @description One range of bytes, to go on with a download that broke off.
         * @example bytes=0-1023
         */
        Range: string;
        /**
         * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
         * @example jo.marsh@harbour.example
         */
        "X-Acting-User": string;
        /**
         * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
         * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
         */
        "X-Request-Correlation-Id": string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Ranges of bytes can be asked for.
         * @example bytes
         */
        "Accept-Ranges": string;
        /**
         * @description Suggests a file name.
         * @example attachment; filename="report.csv"
         */
        "Content-Disposition": string;
        /**
         * @description Bytes that follow.
         * @example 20480
         */
        "Content-Length": string;
        /**
         * @description Which bytes these are, of how many.
         * @example bytes 0-1023/20480
         */
        "Content-Range": string;
        /**
         * @description Changes exactly when what you see here does.
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
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
            /** @description Maintenance, overload, or something that the service needs is down. */
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
                 * @description The `nextCursor` of an earlier answer. Left out: from the oldest that is kept.
                 * @example ZTEwNDI
                 */
                after?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
            };
            header?: {
                /**
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventFeed"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                 * @example MTA0Mg
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRegistrationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewNotificationRegistration"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description There are 100 registrations already. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is the present one, 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example 4fca77fe-368b-460a-86ed-7f8f5b459659 */
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
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /** @example 4fca77fe-368b-460a-86ed-7f8f5b459659 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRegistration"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /** @example 4fca77fe-368b-460a-86ed-7f8f5b459659 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @example 4fca77fe-368b-460a-86ed-7f8f5b459659 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @example 4fca77fe-368b-460a-86ed-7f8f5b459659 */
                registration_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted and durably kept; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                 * @description The `nextCursor` of the page before.
                 * @example MTA0Mg
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
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
    retryNotification: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @example 0ce182a6-6910-42ca-8e30-8ce86f1abea4 */
                notification_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted and durably kept; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notification"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description It was delivered already. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
    getFinancialSettlementSchedules: {
        parameters: {
            query: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
                workspace_id: string;
            };
            header?: {
                /**
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is the present one, 304.
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace, or not one that you may see. */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
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
                /** @example a51688cd-a400-4052-8662-2156f95b6ddb */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinancialSettlementSchedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such schedule (`financial_settlement_schedule_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @example a51688cd-a400-4052-8662-2156f95b6ddb */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such schedule (`financial_settlement_schedule_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /** @example a51688cd-a400-4052-8662-2156f95b6ddb */
                financial_settlement_schedule_id: string;
                /** @example 5e1b3504-a89c-4ea6-8f21-f5e13f256a84 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such schedule (`financial_settlement_schedule_id`), or no such line item in it (`line_item_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
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
                /** @example a51688cd-a400-4052-8662-2156f95b6ddb */
                financial_settlement_schedule_id: string;
                /** @example 5e1b3504-a89c-4ea6-8f21-f5e13f256a84 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LineItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such schedule (`financial_settlement_schedule_id`), or no such line item in it (`line_item_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
    getLodgementCases: {
        parameters: {
            query: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
                workspace_id: string;
            };
            header?: {
                /**
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is the present one, 304.
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace, or not one that you may see. */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is the present one, 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a */
                lodgement_case_id: string;
                /** @example 6ab1a7bc-cd5a-43fb-85f2-7584f90d31a4 */
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such case (`lodgement_case_id`), or no such application in it (`application_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
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
                /** @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a */
                lodgement_case_id: string;
                /** @example 6ab1a7bc-cd5a-43fb-85f2-7584f90d31a4 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LodgementApplication"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such case (`lodgement_case_id`), or no such application in it (`application_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
            /** @description The workspace is not open for it, the application is withdrawn, or a digital deed has no reference. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a */
                lodgement_case_id: string;
                /** @example 6ab1a7bc-cd5a-43fb-85f2-7584f90d31a4 */
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
            /** @description Accepted and durably kept; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadAnswer"];
                };
            };
            /** @description Path, headers or fields do not fit, or the file is no acceptable PDF (`file`). The file is judged last. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
            /** @description The workspace is not open for it, the application is withdrawn, or the deed’s reference is not set yet (`mortgageDeedReferenceType`, `mortgageDeedReference`). Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The file is too large (`file`), or what stands beside it. The rest is not read, and the connection is closed. */
            413: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                /** @example TITLE_INFORMATION_DOCUMENT */
                document_type: "TITLE_INFORMATION_DOCUMENT";
            };
            header?: {
                /**
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is the present one, 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description One range of bytes, to go on with a download that broke off.
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description The `ETag` that the range belongs to. After a change the whole is sent.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-Range"?: components["parameters"]["If-Range"];
            };
            path: {
                /** @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a */
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such case (`lodgement_case_id`), or the document does not exist yet (`document_type`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
    replyToRequisition: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a */
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
            /** @description Accepted and durably kept; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequisitionReplyAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such case (`lodgement_case_id`), or no such file in its workspace (`fileIds[i]`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
    getTitleDocuments: {
        parameters: {
            query?: {
                /** @example TITLE_REGISTER */
                document_type?: "TITLE_REGISTER" | "TITLE_INFORMATION_DOCUMENT" | "EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT";
            };
            header?: {
                /**
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is the present one, 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example b5edea5b-3577-4bf1-8140-7ce69d4cbb9a */
                lodgement_case_id: string;
                /** @example dbe18538-e866-446d-81ff-2ed20b6dd5f4 */
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such case (`lodgement_case_id`), or no such title in it (`title_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
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
            /** @description Accepted and durably kept; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateRemortgageWorkspaceAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is the present one, 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description One range of bytes, to go on with a download that broke off.
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description The `ETag` that the range belongs to. After a change the whole is sent.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-Range"?: components["parameters"]["If-Range"];
            };
            path: {
                /** @example report-financialsummary-todate */
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
            /** @description `date` has the wrong format. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
            /** @description No report of this name (`reportName`), none for that date (`requestedDate`), or this report was never generated for the subscriber (`subscriberId`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
    listWorkspaces: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example MTA0Mg
                 */
                cursor?: string;
                /**
                 * @description How many records at most.
                 * @example 50
                 */
                limit?: number;
                /** @example CREATED */
                status?: "CREATED" | "PREPARED" | "FUNDS_AUTHORISED" | "FUNDS_EXCHANGED" | "LODGED" | "REQUISITIONED" | "CLOSED" | "CANCELLED";
                /** @example REM-2026-0042 */
                reference?: string;
                /** @example ST500678 */
                title_number?: string;
                /** @example EX43AN */
                postcode?: string;
            };
            header?: {
                /**
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspacePage"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is the present one, 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workspace"];
                };
            };
            400: components["responses"]["BadRequest"];
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
    listFiles: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example MTA0Mg
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceFilePage"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
            /** @description Accepted and durably kept; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadAnswer"];
                };
            };
            /** @description Path, headers or fields do not fit, or the file is no acceptable PDF (`file`). The file is judged last. */
            400: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
            /** @description The workspace is not open for it, the application is withdrawn, or the deed’s reference is not set yet (`mortgageDeedReferenceType`, `mortgageDeedReference`). Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorBody"];
                };
            };
            /** @description The file is too large (`file`), or what stands beside it. The rest is not read, and the connection is closed. */
            413: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is the present one, 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
                workspace_id: string;
                /** @example 8724e686-8a37-4a5a-8d43-b63dc548fc8a */
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such file in it (`file_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
                workspace_id: string;
                /** @example 8724e686-8a37-4a5a-8d43-b63dc548fc8a */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such file in it (`file_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
            /** @description The workspace is not open for it, another subscriber uploaded the file, or its upload failed. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is the present one, 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
                /**
                 * @description One range of bytes, to go on with a download that broke off.
                 * @example bytes=0-1023
                 */
                Range?: components["parameters"]["Range"];
                /**
                 * @description The `ETag` that the range belongs to. After a change the whole is sent.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-Range"?: components["parameters"]["If-Range"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
                workspace_id: string;
                /** @example 8724e686-8a37-4a5a-8d43-b63dc548fc8a */
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such file in it (`file_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
            /** @description The file waits for its checks, did not pass them, or was withdrawn. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinancialApprovalAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description APPROVE: one error for each thing that the schedule lacks, and where four eyes are needed and two saw it (`approvedBy`). Or it is approved already, not approved, or funds are authorised. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FundsAuthorisationAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
            /** @description Accepted and durably kept; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LodgementApprovalAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description The case is not ready: one error for each failure that `GET …/readiness` shows. Or it is approved already, is not approved, funds are authorised, or `approvedBy` was the last to change it. Or: The first request with this `Idempotency-Key` is still running. */
            409: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
    getWorkspaceReadiness: {
        parameters: {
            query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example MTA0Mg
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessPage"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                 * @example MTA0Mg
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepresentationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
            /** @description Accepted and durably kept; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddRepresentationAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such party or external representation in it (`partyId`, `representationId`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is the present one, 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
                workspace_id: string;
                /** @example 98fbc68c-dda1-4923-85a8-fe517bb8b8c2 */
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such representation in it (`representation_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
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
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
                workspace_id: string;
                /** @example 98fbc68c-dda1-4923-85a8-fe517bb8b8c2 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateRepresentationAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such representation in it (`representation_id`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @example MTA0Mg
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelinePage"];
                };
            };
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description The `ETag` that you have already. While it is the present one, 304.
                 * @example "dGhpcyBpcyBhIGhhc2g"
                 */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
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
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TitleReconciliationAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description No such workspace (`workspace_id`), or no such party or proprietor in it (`partyId`, `proprietorId`). */
            404: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
                 * @example 6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34
                 */
                "X-Request-Correlation-Id"?: components["parameters"]["X-Request-Correlation-Id"];
                /**
                 * @description The e-mail address of the person behind the request, who is then named in audit and timeline. The client id where left out.
                 * @example jo.marsh@harbour.example
                 */
                "X-Acting-User"?: components["parameters"]["X-Acting-User"];
                /**
                 * @description Makes a repeat safe: the same key with the same request within 24 hours answers what the first one answered and does nothing again.
                 * @example 0b8a7c52-workspace-1
                 */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @example 32eed355-e460-44d0-8a6f-dd46c75e3281 */
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
            /** @description Accepted and durably kept; the rest is done in the background. */
            202: {
                headers: {
                    "X-Request-Correlation-Id": components["headers"]["X-Request-Correlation-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddTitleAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
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
    getReadiness: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
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
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
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
            400: components["responses"]["BadRequest"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
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
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
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
                 * @description A name of your own for this request, 1 to 128 printable ASCII characters. It comes back in the answer and stands in everything that the request caused. Anything else is replaced by a new UUID.
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
            400: components["responses"]["BadRequest"];
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
    onWorkspaceCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
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
                 * @description The same in every attempt: tells a repeat from a new one.
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
            /** @description Taken. Any other answer, or none in time, and it is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

/** Every operation by its id. */
export const OPERATIONS = {
  /**
   * The public keys that tokens are signed with.
   */
  getJwks: {"method":"GET","path":"/.well-known/jwks.json","open":true},
  /**
   * Authorization server metadata (RFC 8414).
   */
  getAuthorizationServerMetadata: {"method":"GET","path":"/.well-known/oauth-authorization-server","open":true},
  /**
   * Whether this node lives.
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
   * In order, and never past an event that commits late. Nothing new: the same `nextCursor` again.
   *
   * Needs the scope `view:notifications`.
   */
  readEvents: {"method":"GET","path":"/partner/api/notification/v1/events","pages":"after"},
  /**
   * List your webhooks, newest first.
   *
   * Needs the scope `view:notifications`.
   */
  listNotificationRegistrations: {"method":"GET","path":"/partner/api/notification/v1/notification-registrations","pages":"cursor"},
  /**
   * Register a webhook.
   *
   * It gets the events that happen from now on. The shared secret stands in this answer only.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  createNotificationRegistration: {"method":"POST","path":"/partner/api/notification/v1/notification-registrations","key":true},
  /**
   * Read a webhook.
   *
   * Needs the scope `view:notifications`.
   */
  getNotificationRegistration: {"method":"GET","path":"/partner/api/notification/v1/notification-registrations/{registration_id}"},
  /**
   * Change where a webhook leads and what it is told.
   *
   * What waits to be delivered goes to the new address.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  updateNotificationRegistration: {"method":"PUT","path":"/partner/api/notification/v1/notification-registrations/{registration_id}"},
  /**
   * Delete a webhook, and what waits to be delivered to it.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  deleteNotificationRegistration: {"method":"DELETE","path":"/partner/api/notification/v1/notification-registrations/{registration_id}","gone":true},
  /**
   * Get a new shared secret.
   *
   * For 24 hours both the new one and the one before it sign every delivery.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  rotateNotificationSecret: {"method":"POST","path":"/partner/api/notification/v1/notification-registrations/{registration_id}/secret-rotation","key":true},
  /**
   * Have a signed test sent.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  testNotificationRegistration: {"method":"POST","path":"/partner/api/notification/v1/notification-registrations/{registration_id}/test","key":true},
  /**
   * List deliveries with their attempts, newest first.
   *
   * Needs the scope `view:notifications`.
   */
  listNotifications: {"method":"GET","path":"/partner/api/notification/v1/notifications","pages":"cursor"},
  /**
   * Have a delivery that is dead, or waits, tried now.
   *
   * The schedule of attempts begins anew. The receiver sees the same `webhook-id`.
   *
   * Needs the scope `edit:notification_registrations`.
   */
  retryNotification: {"method":"POST","path":"/partner/api/notification/v1/notifications/{notification_id}/retry","key":true},
  /**
   * Read the settlement schedule of a workspace.
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
   * Takes back the approval of the schedule.
   *
   * Only for law firms.
   *
   * Needs the scope `edit:financial_settlement_schedules`.
   */
  addLineItem: {"method":"POST","path":"/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items","key":true},
  /**
   * Change a line item.
   *
   * Takes back the approval of the schedule. The same again changes nothing. `If-Match` takes the ETag of the line item, or that of the schedule in which it was read.
   *
   * Only for law firms.
   *
   * Needs the scope `edit:financial_settlement_schedules`.
   */
  updateLineItem: {"method":"PATCH","path":"/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items/{line_item_id}"},
  /**
   * Delete a line item.
   *
   * Takes back the approval of the schedule.
   *
   * Only for law firms.
   *
   * Needs the scope `edit:financial_settlement_schedules`.
   */
  deleteLineItem: {"method":"DELETE","path":"/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items/{line_item_id}","gone":true},
  /**
   * Read the lodgement case of a workspace.
   *
   * Needs the scope `x-api:view:lodgement_summary`.
   */
  getLodgementCases: {"method":"GET","path":"/partner/api/platformconnect/v1/lodgement-cases"},
  /**
   * Read a lodgement application.
   *
   * Needs the scope `x-api:view:lodgement_summary`.
   */
  getLodgementApplication: {"method":"GET","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/applications/{application_id}"},
  /**
   * Update a lodgement application.
   *
   * Judged by what it would leave, so its fields may come together. The same again changes nothing.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:edit:lodgement_applications`.
   */
  updateLodgementApplication: {"method":"PATCH","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/applications/{application_id}"},
  /**
   * Upload a document and attach it to an application.
   *
   * The outcome is an event, `FILE_UPLOAD_SUCCEEDED` or `FILE_UPLOAD_FAILED`, and can be read. A document counts once it succeeded; a main document (`APPLICATION_DOCUMENT`) then takes the place of the one before it. The file is declared as `application/pdf`, as `application/octet-stream` or not at all, and must be a sound PDF: not encrypted, with 1 to 2,000 pages, without scripts, launch actions and embedded files. Repeated with the same `Idempotency-Key`, the boundary of the form may differ.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:create:attachments`.
   */
  attachDocument: {"method":"POST","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/applications/{application_id}/attachments","key":true,"upload":true},
  /**
   * Download the completion document of a case as a PDF.
   *
   * Needs the scope `x-api:view:documents`.
   */
  getLodgementDocument: {"method":"GET","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/documents","download":true},
  /**
   * Answer the open requisition of a case.
   *
   * Upload what is to go with it to the workspace first. The answer is sent to the registry in the background; what the registry makes of it is an event.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:edit:lodgement_applications`.
   */
  replyToRequisition: {"method":"POST","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/requisition-reply","key":true},
  /**
   * Read the title documents of a title, newest first.
   *
   * Needs the scope `view:title_documents`.
   */
  getTitleDocuments: {"method":"GET","path":"/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/titles/{title_id}/title-documents"},
  /**
   * Create a remortgage workspace.
   *
   * Where a title number is given, the title search starts at once; its outcome is an event.
   *
   * Only for lenders.
   *
   * Needs the scope `x-api:create:remortgage_workspaces`.
   */
  createRemortgageWorkspace: {"method":"POST","path":"/partner/api/platformconnect/v1/remortgage/workspaces","key":true},
  /**
   * Retrieve a report.
   *
   * Reports are made for each London date in the night after it.
   *
   * Needs the scope `x-api:view:reports`.
   */
  getReportContent: {"method":"GET","path":"/partner/api/platformconnect/v1/reports/{report_name}/content","download":true},
  /**
   * List the workspaces that you may see, newest first.
   *
   * Needs the scope `view:workspaces`.
   */
  listWorkspaces: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces","pages":"cursor"},
  /**
   * Read a workspace.
   *
   * Needs the scope `view:workspaces`.
   */
  getWorkspace: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}"},
  /**
   * Cancel a workspace.
   *
   * Needs the scope `x-api:cancel:workspaces`.
   */
  cancelWorkspace: {"method":"DELETE","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/cancel-workspace"},
  /**
   * List the files of a workspace, oldest first.
   *
   * Those of its applications among them, and those that failed or were superseded or withdrawn.
   *
   * Needs the scope `view:workspaces`.
   */
  listFiles: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/files","pages":"cursor"},
  /**
   * Upload a document to a workspace.
   *
   * The outcome is an event, `FILE_UPLOAD_SUCCEEDED` or `FILE_UPLOAD_FAILED`, and can be read. A document counts once it succeeded; a main document (`APPLICATION_DOCUMENT`) then takes the place of the one before it. The file is declared as `application/pdf`, as `application/octet-stream` or not at all, and must be a sound PDF: not encrypted, with 1 to 2,000 pages, without scripts, launch actions and embedded files. Repeated with the same `Idempotency-Key`, the boundary of the form may differ.
   *
   * With `applicationId`, which only law firms may send, it is attached to that application.
   *
   * Needs the scope `x-api:add:workspace_files`.
   */
  uploadFile: {"method":"POST","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/files","key":true,"upload":true},
  /**
   * Read what is known of a file.
   *
   * Needs the scope `view:workspaces`.
   */
  getFile: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/files/{file_id}"},
  /**
   * Withdraw a file.
   *
   * It no longer counts and is not lodged. The same again is 204 and changes nothing.
   *
   * Needs the scope `x-api:add:workspace_files`.
   */
  withdrawFile: {"method":"DELETE","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/files/{file_id}","gone":true},
  /**
   * Download a file.
   *
   * Only one whose upload status is `SUCCESS`, superseded or not.
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
   * Date and amount are compared with those of the schedule; where they differ, nothing changes and both answers are false. The payment is made at 09:00 in London on completion day, or at once after that hour. An authorisation can be taken back until that day begins.
   *
   * Only for lenders.
   *
   * Needs the scope `x-api:authorise:funds`.
   */
  authoriseFunds: {"method":"POST","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/funds-authorisation","key":true},
  /**
   * Approve the lodgement applications of a workspace, or take the approval back.
   *
   * The effect is committed with the answer. After a rejection the case is sent again at once.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:approve:lodgement_applications` or `x-api:unapprove:lodgement_applications`.
   */
  approveLodgement: {"method":"POST","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/lodgement-approvals","key":true},
  /**
   * Read what the lodgement case still needs before it can be approved.
   *
   * One record for each rule and thing that it judges, passed or not.
   *
   * Needs the scope `view:workspaces`.
   */
  getWorkspaceReadiness: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/readiness","pages":"cursor"},
  /**
   * List the representations of a workspace, oldest first.
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
   * Needs the scope `view:workspaces`.
   */
  getTimeline: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/timeline","pages":"cursor"},
  /**
   * Read how borrowers and registered proprietors line up.
   *
   * Needs the scope `view:workspaces`.
   */
  getTitleReconciliation: {"method":"GET","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/title-reconciliation"},
  /**
   * Bring borrowers and registered proprietors into line.
   *
   * Doing the same again is 200 and changes nothing.
   *
   * Only for law firms.
   *
   * Needs the scope `edit:workspace_parties`.
   */
  updateTitleReconciliation: {"method":"PATCH","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/title-reconciliation"},
  /**
   * Add a title to a workspace and search it.
   *
   * One title to a workspace. A number whose search failed gives way to the new one.
   *
   * Only for law firms.
   *
   * Needs the scope `x-api:add:workspace_titles`.
   */
  addTitle: {"method":"POST","path":"/partner/api/platformconnect/v1/workspaces/{workspace_id}/titles","key":true},
  /**
   * Whether to send requests here.
   */
  getReadiness: {"method":"GET","path":"/readyz","open":true},
  /**
   * Read the service's clock.
   */
  getClock: {"method":"GET","path":"/sandbox/v1/clock","open":true},
  /**
   * Move the clock and run all that falls due on the way.
   *
   * Answers when nothing is left to do. `{"advance":"PT0S"}` drains what is due now.
   */
  moveClock: {"method":"POST","path":"/sandbox/v1/clock","open":true},
  /**
   * Switch maintenance on or off.
   */
  setMaintenance: {"method":"POST","path":"/sandbox/v1/maintenance","open":true},
  /**
   * Go back to the seeded world and to real time.
   */
  resetSandbox: {"method":"POST","path":"/sandbox/v1/reset","open":true},
  /**
   * Add a subscriber with a client that holds every scope.
   *
   * Takes an `Idempotency-Key`, as every POST that a partner sends does.
   */
  addSandboxSubscriber: {"method":"POST","path":"/sandbox/v1/subscribers","open":true,"key":true},
} as const
