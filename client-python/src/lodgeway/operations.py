# Generated from openapi.json. Renew it by `npm run python`; do not change it by hand.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

from . import schema
from .options import File, Operation, Options, Saved, Target

if TYPE_CHECKING:
    if sys.version_info >= (3, 11):
        from typing import Unpack
    else:
        from typing_extensions import Unpack

OPERATIONS: dict[str, Operation] = {
    "get_jwks": Operation("GET", "/.well-known/jwks.json", open=True),
    "get_authorization_server_metadata": Operation("GET", "/.well-known/oauth-authorization-server", open=True),
    "get_liveness": Operation("GET", "/livez", open=True),
    "issue_token": Operation("POST", "/oauth/token", open=True),
    "read_events": Operation("GET", "/partner/api/notification/v1/events", pages="after"),
    "get_event": Operation("GET", "/partner/api/notification/v1/events/{event_id}"),
    "repeat_event": Operation("POST", "/partner/api/notification/v1/events/{event_id}/repeat", key=True),
    "list_listeners": Operation("GET", "/partner/api/notification/v1/listeners"),
    "list_notification_registrations": Operation("GET", "/partner/api/notification/v1/notification-registrations", pages="cursor"),
    "create_notification_registration": Operation("POST", "/partner/api/notification/v1/notification-registrations", key=True),
    "get_notification_registration": Operation("GET", "/partner/api/notification/v1/notification-registrations/{registration_id}"),
    "update_notification_registration": Operation("PUT", "/partner/api/notification/v1/notification-registrations/{registration_id}"),
    "delete_notification_registration": Operation("DELETE", "/partner/api/notification/v1/notification-registrations/{registration_id}", gone=True),
    "rotate_notification_secret": Operation("POST", "/partner/api/notification/v1/notification-registrations/{registration_id}/secret-rotation", key=True),
    "test_notification_registration": Operation("POST", "/partner/api/notification/v1/notification-registrations/{registration_id}/test", key=True),
    "list_notifications": Operation("GET", "/partner/api/notification/v1/notifications", pages="cursor"),
    "get_notification": Operation("GET", "/partner/api/notification/v1/notifications/{notification_id}"),
    "retry_notification": Operation("POST", "/partner/api/notification/v1/notifications/{notification_id}/retry", key=True),
    "retry_notifications": Operation("POST", "/partner/api/notification/v1/notifications/retry", key=True),
    "list_business_days": Operation("GET", "/partner/api/platformconnect/v1/business-days"),
    "list_completions": Operation("GET", "/partner/api/platformconnect/v1/completions", pages="cursor"),
    "list_completion_days": Operation("GET", "/partner/api/platformconnect/v1/completions/days"),
    "get_figures": Operation("GET", "/partner/api/platformconnect/v1/figures"),
    "get_figure_content": Operation("GET", "/partner/api/platformconnect/v1/figures/{figure_name}/content", download=True),
    "get_financial_settlement_schedules": Operation("GET", "/partner/api/platformconnect/v1/financial-settlement-schedules"),
    "update_financial_settlement_schedule": Operation("PATCH", "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}"),
    "add_line_item": Operation("POST", "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items", key=True),
    "update_line_item": Operation("PATCH", "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items/{line_item_id}"),
    "delete_line_item": Operation("DELETE", "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items/{line_item_id}", gone=True),
    "confirm_line_item_payment": Operation("PUT", "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items/{line_item_id}/payment"),
    "delete_line_item_payment": Operation("DELETE", "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/line-items/{line_item_id}/payment", gone=True),
    "report_payment_failure": Operation("POST", "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/payment-failure", key=True),
    "get_payment_file": Operation("GET", "/partner/api/platformconnect/v1/financial-settlement-schedules/{financial_settlement_schedule_id}/payment-file", download=True),
    "get_lodgement_cases": Operation("GET", "/partner/api/platformconnect/v1/lodgement-cases"),
    "get_lodgement_application": Operation("GET", "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/applications/{application_id}"),
    "update_lodgement_application": Operation("PATCH", "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/applications/{application_id}"),
    "attach_document": Operation("POST", "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/applications/{application_id}/attachments", key=True, upload=True),
    "get_lodgement_document": Operation("GET", "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/documents", download=True),
    "close_requisition": Operation("POST", "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/requisition-closure", key=True),
    "reply_to_requisition": Operation("POST", "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/requisition-reply", key=True),
    "list_requisitions": Operation("GET", "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/requisitions", pages="cursor"),
    "get_title_documents": Operation("GET", "/partner/api/platformconnect/v1/lodgement-cases/{lodgement_case_id}/titles/{title_id}/title-documents"),
    "create_remortgage_workspace": Operation("POST", "/partner/api/platformconnect/v1/remortgage/workspaces", key=True),
    "get_report_content": Operation("GET", "/partner/api/platformconnect/v1/reports/{report_name}/content", download=True),
    "list_requests": Operation("GET", "/partner/api/platformconnect/v1/requests", pages="cursor"),
    "get_request": Operation("GET", "/partner/api/platformconnect/v1/requests/{request_id}"),
    "count_request_errors": Operation("GET", "/partner/api/platformconnect/v1/requests/errors"),
    "list_subscribers": Operation("GET", "/partner/api/platformconnect/v1/subscribers", pages="cursor"),
    "list_workspaces": Operation("GET", "/partner/api/platformconnect/v1/workspaces", pages="cursor"),
    "get_workspace": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}"),
    "update_workspace": Operation("PATCH", "/partner/api/platformconnect/v1/workspaces/{workspace_id}"),
    "list_approvers": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/approvers"),
    "cancel_workspace": Operation("DELETE", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/cancel-workspace"),
    "list_changes": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/changes", pages="cursor"),
    "list_confirmations": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/confirmations", pages="cursor"),
    "confirm_readiness": Operation("POST", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/confirmations", key=True),
    "delete_confirmation": Operation("DELETE", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/confirmations/{confirmation_id}", gone=True),
    "get_evidence": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/evidence", download=True),
    "list_files": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/files", pages="cursor"),
    "upload_file": Operation("POST", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/files", key=True, upload=True),
    "get_file": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/files/{file_id}"),
    "withdraw_file": Operation("DELETE", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/files/{file_id}", gone=True),
    "get_file_content": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/files/{file_id}/content", download=True),
    "approve_financial_settlement_schedule": Operation("POST", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/financial-approvals", key=True),
    "authorise_funds": Operation("POST", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/funds-authorisation", key=True),
    "approve_lodgement": Operation("POST", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/lodgement-approvals", key=True),
    "remove_party_role": Operation("DELETE", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/parties/{party_id}/role", gone=True),
    "get_plan": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/plan"),
    "get_workspace_readiness": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/readiness", pages="cursor"),
    "list_representations": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/representation", pages="cursor"),
    "add_representation": Operation("POST", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/representation", key=True),
    "get_representation": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/representation/{representation_id}"),
    "update_representation": Operation("PATCH", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/representation/{representation_id}"),
    "get_timeline": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/timeline", pages="cursor"),
    "get_title_reconciliation": Operation("GET", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/title-reconciliation"),
    "update_title_reconciliation": Operation("PATCH", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/title-reconciliation"),
    "add_title": Operation("POST", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/titles", key=True),
    "remove_title": Operation("DELETE", "/partner/api/platformconnect/v1/workspaces/{workspace_id}/titles/{title_id}", gone=True),
    "count_workspaces": Operation("GET", "/partner/api/platformconnect/v1/workspaces/counts"),
    "get_readiness": Operation("GET", "/readyz", open=True),
    "get_clock": Operation("GET", "/sandbox/v1/clock", open=True),
    "move_clock": Operation("POST", "/sandbox/v1/clock", open=True),
    "list_due": Operation("GET", "/sandbox/v1/due", open=True),
    "list_faults": Operation("GET", "/sandbox/v1/faults", open=True),
    "set_faults": Operation("PUT", "/sandbox/v1/faults/{client_id}", open=True),
    "end_faults": Operation("DELETE", "/sandbox/v1/faults/{client_id}", open=True, gone=True),
    "set_maintenance": Operation("POST", "/sandbox/v1/maintenance", open=True),
    "reset_sandbox": Operation("POST", "/sandbox/v1/reset", open=True),
    "list_scenarios": Operation("GET", "/sandbox/v1/scenarios", open=True),
    "run_scenario": Operation("POST", "/sandbox/v1/scenarios/{name}", open=True, key=True),
    "get_scenario_run": Operation("GET", "/sandbox/v1/scenarios/runs/{run_id}", open=True),
    "add_sandbox_subscriber": Operation("POST", "/sandbox/v1/subscribers", open=True, key=True),
    "send_test_delivery": Operation("POST", "/sandbox/v1/test-deliveries", open=True),
}


class Operations:
    """A method for each operation of the interface, named by its operationId."""

    def _perform(
        self, operation: str, path: dict[str, str], query: dict[str, Any], body: Any, options: Options
    ) -> Any:
        raise NotImplementedError

    def _upload(self, operation: str, path: dict[str, str], fields: Any, file: File, options: Options) -> Any:
        raise NotImplementedError

    def _download(
        self, operation: str, path: dict[str, str], query: dict[str, Any], to: Target, options: Options
    ) -> Saved:
        raise NotImplementedError

    def get_jwks(
        self,
        **options: Unpack[Options],
    ) -> schema.JwksAnswer:
        """The public keys that tokens are signed with.

        For services that verify tokens (RFC 7517). A key that no longer signs stays here while its tokens may still be valid. The answer may be cached for five minutes."""
        return self._perform("get_jwks", {}, {}, None, options)

    def get_authorization_server_metadata(
        self,
        **options: Unpack[Options],
    ) -> schema.MetadataAnswer:
        """Authorization server metadata (RFC 8414).

        Where to get tokens and which scopes exist, for clients that configure themselves."""
        return self._perform("get_authorization_server_metadata", {}, {}, None, options)

    def get_liveness(
        self,
        **options: Unpack[Options],
    ) -> schema.LiveAnswer:
        """Whether this node is alive.

        Checks only the process itself. Restart a node that no longer answers."""
        return self._perform("get_liveness", {}, {}, None, options)

    def issue_token(
        self,
        *,
        body: schema.TokenRequest,
        **options: Unpack[Options],
    ) -> schema.TokenAnswer:
        """Get an access token.

        OAuth 2.0 client credentials (RFC 6749). The client authenticates by HTTP Basic or in the body, which may be a form or JSON."""
        return self._perform("issue_token", {}, {}, body, options)

    def read_events(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        listener: str | None = None,
        **options: Unpack[Options],
    ) -> schema.EventFeed:
        """Read what happened since the last time.

        In order; an event that commits late is never skipped. An event appears within a moment of its commit. When nothing is new, `nextCursor` is the same again. Events leave the feed after a time that the operator sets: 90 days by default, never less than 30. With `Accept: text/event-stream` the answer stays open and has each event as it is published: `data` is the event, `id` the cursor after it. To go on after a break, send that as `Last-Event-ID`, which browsers and most libraries do, or as `after`. A line with a colon comes every 20 seconds when nothing happens. The stream ends when the token expires or the node stops: open it again. At most 50 are open for a subscriber on a node.

        Needs the scope `view:notifications`."""
        return self._perform("read_events", {}, {"after": after, "limit": limit, "listener": listener}, None, options)

    def get_event(
        self,
        event_id: str,
        **options: Unpack[Options],
    ) -> schema.Event:
        """Read one event.

        As the feed and a webhook have it, for as long as the service has it.

        Needs the scope `view:notifications`."""
        return self._perform("get_event", {"event_id": event_id}, {}, None, options)

    def repeat_event(
        self,
        event_id: str,
        *,
        body: schema.RepeatEventRequest,
        **options: Unpack[Options],
    ) -> schema.RepeatedEvent:
        """Put an event into the feed again, for one listener.

        The program finds it at the end of its feed within a moment, or when it comes back. Nobody else sees it. To send it to a registered webhook again, retry its delivery.

        Needs the scope `edit:notification_registrations`."""
        return self._perform("repeat_event", {"event_id": event_id}, {}, body, options)

    def list_listeners(
        self,
        **options: Unpack[Options],
    ) -> schema.EventListeners:
        """List the programs that read the feed under a name.

        Those that gave `listener` within the last day. `lodgeway listen` does, on a developer’s machine.

        Needs the scope `view:notifications`."""
        return self._perform("list_listeners", {}, {}, None, options)

    def list_notification_registrations(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        **options: Unpack[Options],
    ) -> schema.NotificationRegistrationPage:
        """List your webhooks, newest first.

        All webhooks of your organisation, whichever client registered them. Shared secrets are not shown again.

        Needs the scope `view:notifications`."""
        return self._perform("list_notification_registrations", {}, {"cursor": cursor, "limit": limit}, None, options)

    def create_notification_registration(
        self,
        *,
        body: schema.NotificationRegistrationRequest,
        **options: Unpack[Options],
    ) -> schema.NewNotificationRegistration:
        """Register a webhook.

        It receives the events that happen from now on, once its address is verified: a `CHALLENGE` is sent to it at once, signed with the shared secret, and retried like any other delivery. In the sandbox an address of your own machine needs no challenge. The shared secret is in this response only.

        Needs the scope `edit:notification_registrations`."""
        return self._perform("create_notification_registration", {}, {}, body, options)

    def get_notification_registration(
        self,
        registration_id: str,
        **options: Unpack[Options],
    ) -> schema.NotificationRegistration:
        """Read a webhook.

        Its address, its event types and when its secret expires. The shared secret is not shown again.

        Needs the scope `view:notifications`."""
        return self._perform("get_notification_registration", {"registration_id": registration_id}, {}, None, options)

    def update_notification_registration(
        self,
        registration_id: str,
        *,
        body: schema.NotificationRegistrationRequest,
        **options: Unpack[Options],
    ) -> schema.NotificationRegistration:
        """Change the address and the event types of a webhook.

        Replaces both at once. A new address is `UNVERIFIED` and is sent a `CHALLENGE`; waiting deliveries go to it once it is verified. The shared secret stays the same.

        Needs the scope `edit:notification_registrations`."""
        return self._perform("update_notification_registration", {"registration_id": registration_id}, {}, body, options)

    def delete_notification_registration(
        self,
        registration_id: str,
        **options: Unpack[Options],
    ) -> None:
        """Delete a webhook and its waiting deliveries.

        Its deliveries are deleted with it. The feed still has the events.

        Needs the scope `edit:notification_registrations`."""
        return self._perform("delete_notification_registration", {"registration_id": registration_id}, {}, None, options)

    def rotate_notification_secret(
        self,
        registration_id: str,
        **options: Unpack[Options],
    ) -> schema.RotatedSecret:
        """Get a new shared secret.

        For 24 hours every delivery is signed with both the new and the previous secret.

        Needs the scope `edit:notification_registrations`."""
        return self._perform("rotate_notification_secret", {"registration_id": registration_id}, {}, None, options)

    def test_notification_registration(
        self,
        registration_id: str,
        **options: Unpack[Options],
    ) -> schema.Notification:
        """Send a test, or the challenge again.

        A signed delivery of the type `TEST`, or a new `CHALLENGE` while the address is `UNVERIFIED`. It is sent in the background; `GET …/notifications` shows the result. At most 20 a minute, together with registrations, changes of address and retries that send a challenge.

        Needs the scope `edit:notification_registrations`."""
        return self._perform("test_notification_registration", {"registration_id": registration_id}, {}, None, options)

    def list_notifications(
        self,
        *,
        status: Literal["PENDING", "DELIVERED", "DEAD"] | None = None,
        type: Literal["WORKSPACE_CREATED", "WORKSPACE_PARTICIPANT_ADDED", "WORKSPACE_UPDATED", "TITLE_SEARCH_PENDING", "TITLE_DATA_RECEIVED", "TITLE_NOT_FOUND", "TITLE_REMOVED", "TITLE_RECONCILIATION_UPDATED", "REPRESENTATION_ADDED", "REPRESENTATION_FAILED", "REPRESENTATION_UPDATED", "FILE_UPLOAD_SUCCEEDED", "FILE_UPLOAD_FAILED", "FILE_WITHDRAWN", "LODGEMENT_APPLICATION_UPDATED", "READINESS_CONFIRMED", "LODGEMENT_CASE_PREPARED", "LODGEMENT_CASE_UNAPPROVED", "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED", "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED", "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED", "WORKSPACE_PREPARED", "WORKSPACE_REVERTED_TO_CREATED", "WORKSPACE_FUNDS_AUTHORISED", "WORKSPACE_FUNDS_UNAUTHORISED", "SETTLEMENT_DUE", "LINE_ITEM_PAID", "LINE_ITEM_UNPAID", "WORKSPACE_FUNDS_EXCHANGED", "LODGEMENT_WAITING", "REGISTRY_WAITING", "LODGEMENT_SUBMITTED", "WORKSPACE_LODGED", "WORKSPACE_REQUISITIONED", "REQUISITION_DUE_SOON", "REQUISITION_ANSWERED", "REQUISITION_CLOSED", "REGISTRY_DOCUMENT_RECEIVED", "LODGEMENT_REJECTED", "LODGEMENT_PARTIALLY_REGISTERED", "LODGEMENT_REGISTERED", "WORKSPACE_CLOSED", "WORKSPACE_CANCELLED", "REPORT_GENERATED", "SECRET_EXPIRY", "TEST", "CHALLENGE"] | None = None,
        registration_id: str | None = None,
        workspace_id: str | None = None,
        created_since: str | None = None,
        created_before: str | None = None,
        cursor: str | None = None,
        limit: int | None = None,
        **options: Unpack[Options],
    ) -> schema.NotificationPage:
        """List deliveries with their attempts, newest first.

        One for each event and each registration that subscribes to it. A failed attempt is repeated after 5 s, 5 min, 30 min, 2 h, 5 h and 10 h. Until it is delivered or dead, later ones of the same workspace and registration wait. While the address is `UNVERIFIED`, all but challenges wait.

        Needs the scope `view:notifications`."""
        return self._perform("list_notifications", {}, {"status": status, "type": type, "registration_id": registration_id, "workspace_id": workspace_id, "created_since": created_since, "created_before": created_before, "cursor": cursor, "limit": limit}, None, options)

    def get_notification(
        self,
        notification_id: str,
        **options: Unpack[Options],
    ) -> schema.NotificationDetail:
        """Read a delivery with the bytes that are sent.

        The exact body, the headers of the last attempt, and what waits for what: deliveries about one workspace are sent to a registration in order.

        Needs the scope `view:notifications`."""
        return self._perform("get_notification", {"notification_id": notification_id}, {}, None, options)

    def retry_notification(
        self,
        notification_id: str,
        **options: Unpack[Options],
    ) -> schema.Notification:
        """Send a dead or waiting delivery now.

        The schedule of attempts starts again. The receiver sees the same `webhook-id`.

        Needs the scope `edit:notification_registrations`."""
        return self._perform("retry_notification", {"notification_id": notification_id}, {}, None, options)

    def retry_notifications(
        self,
        *,
        body: schema.RetryNotificationsRequest,
        **options: Unpack[Options],
    ) -> schema.RetriedNotifications:
        """Send all failed deliveries that match now.

        Those that are dead, and those with their next attempt in the future; the oldest first, 1,000 at most. What waits behind them follows by itself. With `dryRun` they are counted only.

        Needs the scope `edit:notification_registrations`."""
        return self._perform("retry_notifications", {}, {}, body, options)

    def list_business_days(
        self,
        *,
        from_: str | None = None,
        limit: int | None = None,
        **options: Unpack[Options],
    ) -> schema.BusinessDays:
        """List the business days of England and Wales.

        To choose a completion date: those from today to `latestCompletionDate` are accepted. Bank holidays are known for 2024 to 2031. To read on, ask again from the day after the last record.

        Needs the scope `view:workspaces`."""
        return self._perform("list_business_days", {}, {"from": from_, "limit": limit}, None, options)

    def list_completions(
        self,
        *,
        date: str,
        cursor: str | None = None,
        limit: int | None = None,
        **options: Unpack[Options],
    ) -> schema.CompletionsPage:
        """List what completes on a day, with its money.

        Each with whose turn it is and, where the payment was refused, why. Cancelled ones are left out.

        Needs the scope `view:financial_settlement_schedules`."""
        return self._perform("list_completions", {}, {"cursor": cursor, "limit": limit, "date": date}, None, options)

    def list_completion_days(
        self,
        *,
        from_: str | None = None,
        limit: int | None = None,
        **options: Unpack[Options],
    ) -> schema.CompletionDays:
        """Count what completes on the next business days.

        How many workspaces, how much money, and how many without authorised funds. Cancelled ones are left out.

        Needs the scope `view:financial_settlement_schedules`."""
        return self._perform("list_completion_days", {}, {"from": from_, "limit": limit}, None, options)

    def get_figures(
        self,
        **options: Unpack[Options],
    ) -> schema.Figures:
        """Read the figures of the last 90 days.

        Open workspaces by status, the time from order to registration, who was waited for, what the registry asked, and how fast your webhooks answered. Counted each night, up to the end of the day before.

        Needs the scope `x-api:view:reports`."""
        return self._perform("get_figures", {}, {}, None, options)

    def get_figure_content(
        self,
        figure_name: Literal["matters-by-status", "time-to-registration", "waiting", "requisitions", "deliveries"],
        *,
        to: Target,
        **options: Unpack[Options],
    ) -> Saved:
        """Retrieve one figure as a table.

        The same numbers as `GET …/figures`, for a spreadsheet.

        Needs the scope `x-api:view:reports`."""
        return self._download("get_figure_content", {"figure_name": figure_name}, {}, to, options)

    def get_financial_settlement_schedules(
        self,
        *,
        workspace_id: str,
        **options: Unpack[Options],
    ) -> schema.FinancialSettlementSchedules:
        """Read the settlement schedule of a workspace.

        What comes in, where it goes, what that comes to and who approved it. The schedule is there from the creation of the workspace, at first without lines and without a date.

        Needs the scope `view:financial_settlement_schedules`."""
        return self._perform("get_financial_settlement_schedules", {}, {"workspace_id": workspace_id}, None, options)

    def update_financial_settlement_schedule(
        self,
        financial_settlement_schedule_id: str,
        *,
        body: schema.UpdateScheduleRequest,
        **options: Unpack[Options],
    ) -> schema.FinancialSettlementSchedule:
        """Set the completion date.

        Takes back the approval of the schedule. The same date again changes nothing.

        Only for law firms.

        Needs the scope `edit:financial_settlement_schedules`."""
        return self._perform("update_financial_settlement_schedule", {"financial_settlement_schedule_id": financial_settlement_schedule_id}, {}, body, options)

    def add_line_item(
        self,
        financial_settlement_schedule_id: str,
        *,
        body: schema.LineItemRequest,
        **options: Unpack[Options],
    ) -> schema.LineItem:
        """Add a line item to the settlement schedule.

        Withdraws the approval of the schedule. Published as `FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED`.

        Only for law firms.

        Needs the scope `edit:financial_settlement_schedules`."""
        return self._perform("add_line_item", {"financial_settlement_schedule_id": financial_settlement_schedule_id}, {}, body, options)

    def update_line_item(
        self,
        financial_settlement_schedule_id: str,
        line_item_id: str,
        *,
        body: schema.UpdateLineItemRequest,
        **options: Unpack[Options],
    ) -> schema.LineItem:
        """Change a line item.

        Withdraws the approval of the schedule. Published as `FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED`. The same again changes nothing. `If-Match` takes the ETag of the line item, or that of the schedule in which it was read.

        Only for law firms.

        Needs the scope `edit:financial_settlement_schedules`."""
        return self._perform("update_line_item", {"financial_settlement_schedule_id": financial_settlement_schedule_id, "line_item_id": line_item_id}, {}, body, options)

    def delete_line_item(
        self,
        financial_settlement_schedule_id: str,
        line_item_id: str,
        **options: Unpack[Options],
    ) -> None:
        """Delete a line item.

        Withdraws the approval of the schedule. Published as `FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED`.

        Only for law firms.

        Needs the scope `edit:financial_settlement_schedules`."""
        return self._perform("delete_line_item", {"financial_settlement_schedule_id": financial_settlement_schedule_id, "line_item_id": line_item_id}, {}, None, options)

    def confirm_line_item_payment(
        self,
        financial_settlement_schedule_id: str,
        line_item_id: str,
        *,
        body: schema.ConfirmPaymentRequest,
        **options: Unpack[Options],
    ) -> schema.LineItem:
        """Confirm that a line was paid, or its money received.

        While the schedule is `PAYING`. For a `SOURCE` it means received, for a `DESTINATION` paid. Another confirmation replaces the one before; the same again changes nothing. With the last line the schedule is `SETTLED`, the funds are exchanged and the case is sent. Published as `LINE_ITEM_PAID`.

        Only for law firms.

        Needs the scope `edit:financial_settlement_schedules`."""
        return self._perform("confirm_line_item_payment", {"financial_settlement_schedule_id": financial_settlement_schedule_id, "line_item_id": line_item_id}, {}, body, options)

    def delete_line_item_payment(
        self,
        financial_settlement_schedule_id: str,
        line_item_id: str,
        **options: Unpack[Options],
    ) -> None:
        """Take back the confirmation of a line.

        Until the schedule is `SETTLED`. Published as `LINE_ITEM_UNPAID`; nothing happens to a line that is not confirmed.

        Only for law firms.

        Needs the scope `edit:financial_settlement_schedules`."""
        return self._perform("delete_line_item_payment", {"financial_settlement_schedule_id": financial_settlement_schedule_id, "line_item_id": line_item_id}, {}, None, options)

    def report_payment_failure(
        self,
        financial_settlement_schedule_id: str,
        *,
        body: schema.PaymentFailureRequest,
        **options: Unpack[Options],
    ) -> schema.FinancialSettlementSchedule:
        """Say that a schedule cannot be paid.

        While the schedule is `PAYING` and no line is confirmed. The authorisation of the funds is withdrawn as if a bank had refused, with the reason in `failure`; the lender may authorise again. Published as `WORKSPACE_FUNDS_UNAUTHORISED`.

        Only for law firms.

        Needs the scope `edit:financial_settlement_schedules`."""
        return self._perform("report_payment_failure", {"financial_settlement_schedule_id": financial_settlement_schedule_id}, {}, body, options)

    def get_payment_file(
        self,
        financial_settlement_schedule_id: str,
        *,
        format: Literal["PAIN_001", "CSV"],
        to: Target,
        **options: Unpack[Options],
    ) -> Saved:
        """Download the payments of a schedule as a file for the bank.

        The destinations, from the time when the funds are authorised. Every copy for one authorisation has the same `MsgId`, so that a bank can refuse a second one.

        Only for law firms.

        Needs the scope `view:financial_settlement_schedules`."""
        return self._download("get_payment_file", {"financial_settlement_schedule_id": financial_settlement_schedule_id}, {"format": format}, to, options)

    def get_lodgement_cases(
        self,
        *,
        workspace_id: str,
        **options: Unpack[Options],
    ) -> schema.LodgementCases:
        """Read the lodgement case of a workspace.

        The case is there from the creation of the workspace, with its applications, their documents and the open requisition. Its progress at the registry shows in its status and in events.

        Needs the scope `x-api:view:lodgement_summary`."""
        return self._perform("get_lodgement_cases", {}, {"workspace_id": workspace_id}, None, options)

    def get_lodgement_application(
        self,
        lodgement_case_id: str,
        application_id: str,
        **options: Unpack[Options],
    ) -> schema.LodgementApplication:
        """Read a lodgement application.

        What was said of it, its main document and its fee. Its `ETag` is the one that a change may name in `If-Match`.

        Needs the scope `x-api:view:lodgement_summary`."""
        return self._perform("get_lodgement_application", {"lodgement_case_id": lodgement_case_id, "application_id": application_id}, {}, None, options)

    def update_lodgement_application(
        self,
        lodgement_case_id: str,
        application_id: str,
        *,
        body: schema.UpdateApplicationRequest,
        **options: Unpack[Options],
    ) -> schema.LodgementApplication:
        """Update a lodgement application.

        Checked by its result, so fields that belong together can come together. A change takes back the approval of the case. The same again changes nothing. `isEffective` alone takes nothing back, and may also be sent while the case is `PREPARED` or `RESUBMISSION_PREPARED`: a case that waits for its digital deed is then sent at once.

        Only for law firms.

        Needs the scope `x-api:edit:lodgement_applications`."""
        return self._perform("update_lodgement_application", {"lodgement_case_id": lodgement_case_id, "application_id": application_id}, {}, body, options)

    def attach_document(
        self,
        lodgement_case_id: str,
        application_id: str,
        *,
        file: File,
        fields: schema.AttachDocumentRequest,
        **options: Unpack[Options],
    ) -> schema.UploadAnswer:
        """Upload a document and attach it to an application.

        The outcome is an event, `FILE_UPLOAD_SUCCEEDED` or `FILE_UPLOAD_FAILED`, and can be read. A document counts once it succeeded; a main document (`APPLICATION_DOCUMENT`, of a type that the application takes as that) then takes the place of the one before it. Every type goes with every category. The file is declared as `application/pdf`, as `application/octet-stream` or not at all, and must be a valid PDF: not encrypted, with 1 to 2,000 pages, without scripts, XFA forms, embedded files, and actions that leave the file by themselves. Repeated with the same `Idempotency-Key`, the boundary of the form may differ.

        Only for law firms.

        Needs the scope `x-api:create:attachments`."""
        return self._upload("attach_document", {"lodgement_case_id": lodgement_case_id, "application_id": application_id}, fields, file, options)

    def get_lodgement_document(
        self,
        lodgement_case_id: str,
        *,
        document_type: Literal["TITLE_INFORMATION_DOCUMENT"],
        to: Target,
        **options: Unpack[Options],
    ) -> Saved:
        """Download the completion document of a case as a PDF.

        There once the title is registered, in part or in full; 404 at `document_type` before.

        Needs the scope `x-api:view:documents`."""
        return self._download("get_lodgement_document", {"lodgement_case_id": lodgement_case_id}, {"document_type": document_type}, to, options)

    def close_requisition(
        self,
        lodgement_case_id: str,
        *,
        body: schema.RequisitionClosureRequest,
        **options: Unpack[Options],
    ) -> schema.RequisitionReplyAnswer:
        """Say that the open requisition of a case needs no answer.

        For a requisition that came as a letter, without `points`: every letter of the registry counts as one. The case goes back to where it was before: `LODGED`, or `REQUISITION_SUBMITTED` while the registry still has an answer to an earlier one. Nothing is sent to the registry.

        Only for law firms.

        Needs the scope `x-api:edit:lodgement_applications`."""
        return self._perform("close_requisition", {"lodgement_case_id": lodgement_case_id}, {}, body, options)

    def reply_to_requisition(
        self,
        lodgement_case_id: str,
        *,
        body: schema.RequisitionReplyRequest,
        **options: Unpack[Options],
    ) -> schema.RequisitionReplyAnswer:
        """Answer the open requisition of a case.

        Upload what is to go with it to the workspace first. The answer is sent to the registry in the background; what the registry makes of it is an event, and the status in `GET …/requisitions`.

        Only for law firms.

        Needs the scope `x-api:edit:lodgement_applications`."""
        return self._perform("reply_to_requisition", {"lodgement_case_id": lodgement_case_id}, {}, body, options)

    def list_requisitions(
        self,
        lodgement_case_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        **options: Unpack[Options],
    ) -> schema.RequisitionPage:
        """List the requisitions of a case, oldest first.

        What the registry asked, what it was answered, and what happened to the answer.

        Needs the scope `x-api:view:lodgement_summary`."""
        return self._perform("list_requisitions", {"lodgement_case_id": lodgement_case_id}, {"cursor": cursor, "limit": limit}, None, options)

    def get_title_documents(
        self,
        lodgement_case_id: str,
        title_id: str,
        *,
        document_type: Literal["TITLE_REGISTER", "TITLE_INFORMATION_DOCUMENT", "EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT"] | None = None,
        **options: Unpack[Options],
    ) -> schema.TitleDocuments:
        """Read the title documents of a title, newest first.

        The register is there once the title search succeeded, the completion document once the title is registered, in part or in full. Before that the list is empty.

        Needs the scope `view:title_documents`."""
        return self._perform("get_title_documents", {"lodgement_case_id": lodgement_case_id, "title_id": title_id}, {"document_type": document_type}, None, options)

    def create_remortgage_workspace(
        self,
        *,
        body: schema.CreateRemortgageWorkspaceRequest,
        **options: Unpack[Options],
    ) -> schema.CreateRemortgageWorkspaceAnswer:
        """Create a remortgage workspace.

        The law firm that the parties name sees it at once, and its lodgement case and settlement schedule are there. Where a title number is given, the title search starts at once; its outcome is an event.

        Only for lenders.

        Needs the scope `x-api:create:remortgage_workspaces`."""
        return self._perform("create_remortgage_workspace", {}, {}, body, options)

    def get_report_content(
        self,
        report_name: Literal["report-financialsummary-todate", "report-settlementhistory-daily", "report-workspacesummary-todate"],
        *,
        to: Target,
        date: str | None = None,
        **options: Unpack[Options],
    ) -> Saved:
        """Retrieve a report.

        Reports are made for each London date in the night after it, so the newest is yesterday’s. A report is served while it is less than 15 days old.

        Needs the scope `x-api:view:reports`."""
        return self._download("get_report_content", {"report_name": report_name}, {"date": date}, to, options)

    def list_requests(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        status: Literal["2xx", "3xx", "4xx", "5xx"] | None = None,
        operation: str | None = None,
        workspace_id: str | None = None,
        client_id: str | None = None,
        correlation_id: str | None = None,
        **options: Unpack[Options],
    ) -> schema.RequestPage:
        """List your own calls, newest first.

        The calls of all clients of your organisation, a moment after they were answered. The sandbox keeps all of them for 7 days. Elsewhere they are logged only while your operator has switched the log on for a client, at most 24 hours, and each is erased after 24 hours. Calls without a valid token, calls for this log and, in the console, calls that only read are never in it.

        Needs the scope `view:requests`."""
        return self._perform("list_requests", {}, {"cursor": cursor, "limit": limit, "status": status, "operation": operation, "workspace_id": workspace_id, "client_id": client_id, "correlation_id": correlation_id}, None, options)

    def get_request(
        self,
        request_id: str,
        **options: Unpack[Options],
    ) -> schema.RequestDetail:
        """Read one of your calls, and what followed it.

        In the sandbox with the bodies of request and answer, each up to 16,384 characters and without secrets. A form with a file has none.

        Needs the scope `view:requests`."""
        return self._perform("get_request", {"request_id": request_id}, {}, None, options)

    def count_request_errors(
        self,
        **options: Unpack[Options],
    ) -> schema.RequestErrors:
        """Count what your calls were refused for.

        By operation, status and field, over all calls in the log.

        Needs the scope `view:requests`."""
        return self._perform("count_request_errors", {}, {}, None, options)

    def list_subscribers(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        kind: Literal["LENDER", "LAW_FIRM"] | None = None,
        name: str | None = None,
        **options: Unpack[Options],
    ) -> schema.DirectoryPage:
        """Find the other side.

        The active organisations that you may see, by name: a lender sees the law firms, whose `subscriberId` names the participant of a new workspace; a law firm sees the lenders that it shares a workspace with.

        Needs the scope `view:workspaces`."""
        return self._perform("list_subscribers", {}, {"cursor": cursor, "limit": limit, "kind": kind, "name": name}, None, options)

    def list_workspaces(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        q: str | None = None,
        status: Literal["CREATED", "PREPARED", "FUNDS_AUTHORISED", "FUNDS_EXCHANGED", "LODGED", "REQUISITIONED", "CLOSED", "CANCELLED"] | None = None,
        lodgement_case_status: Literal["CREATED", "PREPARED", "INITIATED", "LODGED", "REQUISITIONED", "REQUISITION_SUBMITTED", "REGISTRATION_REJECTED", "RESUBMISSION_PREPARED", "PARTIALLY_REGISTERED", "DISCHARGE_SUBMITTED", "REGISTERED", "CANCELLED"] | None = None,
        turn: Literal["LAW_FIRM", "LENDER", "REGISTRY", "BANK", "CLOCK", "SERVICE"] | None = None,
        task: Literal["GIVE_TITLE", "RECONCILE", "REPRESENT", "COMPLETE_CASE", "CONFIRM", "APPROVE_CASE", "DRAW_UP_MONEY", "APPROVE_MONEY", "NEW_DATE", "FIX_ACCOUNT", "PAY", "MAKE_EFFECTIVE", "ANSWER_REQUISITION", "FIX_AND_APPROVE", "LODGE_DISCHARGE", "AUTHORISE", "WAIT", "COMPLETION"] | None = None,
        approver: str | None = None,
        workspace_reference_id: str | None = None,
        reference: str | None = None,
        own_reference: str | None = None,
        registry_reference: str | None = None,
        title_number: str | None = None,
        postcode: str | None = None,
        borrower: str | None = None,
        completion_date_from: str | None = None,
        completion_date_to: str | None = None,
        changed_since: str | None = None,
        **options: Unpack[Options],
    ) -> schema.WorkspacePage:
        """List the workspaces that you may see, newest first.

        A lender sees those that it created, a law firm those in which it acts. Where several filters are given, all must fit. With `q` the list has first what the reference begins with, then your own reference, and so on in the order of its description. With `borrower` the list is in the order of their names; otherwise with `changed_since` in the order of `lastModifiedAt`, with a completion date in the order of that, and with `turn` or `task` by `turn.dueAt` and then by `turn.since`, oldest first. To follow changes, ask with the newest `lastModifiedAt` that you have seen minus a minute, because a change may be committed after a later one; or read the event feed, which misses nothing.

        Needs the scope `view:workspaces`."""
        return self._perform("list_workspaces", {}, {"cursor": cursor, "limit": limit, "q": q, "status": status, "lodgement_case_status": lodgement_case_status, "turn": turn, "task": task, "approver": approver, "workspace_reference_id": workspace_reference_id, "reference": reference, "own_reference": own_reference, "registry_reference": registry_reference, "title_number": title_number, "postcode": postcode, "borrower": borrower, "completion_date_from": completion_date_from, "completion_date_to": completion_date_to, "changed_since": changed_since}, None, options)

    def get_workspace(
        self,
        workspace_id: str,
        **options: Unpack[Options],
    ) -> schema.Workspace:
        """Read a workspace.

        Its parties with who acts for them, its title, and what can be done with it now. Only the lender that created it and the law firm that acts can see it.

        Needs the scope `view:workspaces`."""
        return self._perform("get_workspace", {"workspace_id": workspace_id}, {}, None, options)

    def update_workspace(
        self,
        workspace_id: str,
        *,
        body: schema.UpdateWorkspaceRequest,
        **options: Unpack[Options],
    ) -> schema.Workspace:
        """Correct a workspace, or give it your own reference.

        The lender may change `reference` and `securityAddress` while the workspace is `CREATED`. The address is replaced as a whole, and another address withdraws the approval of the case. The event is `WORKSPACE_UPDATED`. Either side may set `ownReference` at any time: the other side sees nothing of it, and no event is published.

        Needs the scope `edit:workspaces`."""
        return self._perform("update_workspace", {"workspace_id": workspace_id}, {}, body, options)

    def list_approvers(
        self,
        workspace_id: str,
        **options: Unpack[Options],
    ) -> schema.Approvers:
        """Read who may approve a workspace, and whom four eyes keep from it.

        The people of your own organisation who may decide in the console, and for a law firm those who have changed the case or the money; and what the approval of the case must state. To a lender it shows who may authorise the funds.

        Needs the scope `view:workspaces`."""
        return self._perform("list_approvers", {"workspace_id": workspace_id}, {}, None, options)

    def cancel_workspace(
        self,
        workspace_id: str,
        *,
        body: schema.CancelWorkspaceRequest,
        **options: Unpack[Options],
    ) -> schema.Workspace:
        """Cancel a workspace.

        Either side may, until money moves. The case is cancelled with it and its applications are withdrawn; what is still under way (representations, uploads, the title search) ends `FAILED`. The event is `WORKSPACE_CANCELLED`.

        Needs the scope `x-api:cancel:workspaces`."""
        return self._perform("cancel_workspace", {"workspace_id": workspace_id}, {}, body, options)

    def list_changes(
        self,
        workspace_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        since: str | None = None,
        **options: Unpack[Options],
    ) -> schema.ChangesPage:
        """Read what was changed in a workspace, oldest first.

        From the audit: who changed what, with the values before and after. With the time of an approval in `since`, what a second approval has to look at. Changes of the case need `x-api:view:lodgement_summary` too, those of the money `view:financial_settlement_schedules`; without that scope they are left out, and a page may have fewer records.

        Needs the scope `view:workspaces`."""
        return self._perform("list_changes", {"workspace_id": workspace_id}, {"cursor": cursor, "limit": limit, "since": since}, None, options)

    def list_confirmations(
        self,
        workspace_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        **options: Unpack[Options],
    ) -> schema.Confirmations:
        """List what was confirmed in a workspace.

        Oldest first. One that was taken back or has lapsed is not listed; the audit keeps it.

        Needs the scope `view:workspaces`."""
        return self._perform("list_confirmations", {"workspace_id": workspace_id}, {"cursor": cursor, "limit": limit}, None, options)

    def confirm_readiness(
        self,
        workspace_id: str,
        *,
        body: schema.ConfirmationRequest,
        **options: Unpack[Options],
    ) -> schema.Confirmation:
        """Confirm that a matter is right as it is, although a rule says otherwise.

        For rules of the kind `CONFIRMABLE`. A confirmation is for the facts as they are now: when they change it lapses. Needs the scope that approves what the rule belongs to. Published as `READINESS_CONFIRMED`.

        Only for law firms.

        Needs the scope `x-api:approve:lodgement_applications` or `x-api:approve:financial_settlement_schedules`."""
        return self._perform("confirm_readiness", {"workspace_id": workspace_id}, {}, body, options)

    def delete_confirmation(
        self,
        workspace_id: str,
        confirmation_id: str,
        **options: Unpack[Options],
    ) -> None:
        """Take back a confirmation.

        Takes back the approval that rests on it, too. Needs one of the two scopes that approve.

        Only for law firms.

        Needs the scope `x-api:approve:lodgement_applications` or `x-api:approve:financial_settlement_schedules`."""
        return self._perform("delete_confirmation", {"workspace_id": workspace_id, "confirmation_id": confirmation_id}, {}, None, options)

    def get_evidence(
        self,
        workspace_id: str,
        *,
        to: Target,
        **options: Unpack[Options],
    ) -> Saved:
        """Download everything about a workspace as proof.

        A ZIP with a summary as a PDF, the timeline, the case, approvals, payments, registers, all documents, and the audit with its chain of hashes. `lodgeway audit verify --pack FILE` checks it without the service. What you may not read is left out: `x-api:view:lodgement_summary` gives the case, `view:financial_settlement_schedules` the money, `view:title_documents` the registers, `x-api:view:documents` the documents. Of the audit the hashes of the rest stay, so that its chain can be checked.

        Needs the scope `view:workspaces`."""
        return self._download("get_evidence", {"workspace_id": workspace_id}, {}, to, options)

    def list_files(
        self,
        workspace_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        **options: Unpack[Options],
    ) -> schema.WorkspaceFilePage:
        """List the files of a workspace, oldest first.

        Those of its applications among them, those that failed or were superseded or withdrawn, and the documents that the registry sent (`source`).

        Needs the scope `view:workspaces`."""
        return self._perform("list_files", {"workspace_id": workspace_id}, {"cursor": cursor, "limit": limit}, None, options)

    def upload_file(
        self,
        workspace_id: str,
        *,
        file: File,
        fields: schema.UploadFileRequest,
        **options: Unpack[Options],
    ) -> schema.UploadAnswer:
        """Upload a document to a workspace.

        The outcome is an event, `FILE_UPLOAD_SUCCEEDED` or `FILE_UPLOAD_FAILED`, and can be read. A document counts once it succeeded; a main document (`APPLICATION_DOCUMENT`, of a type that the application takes as that) then takes the place of the one before it. Every type goes with every category. The file is declared as `application/pdf`, as `application/octet-stream` or not at all, and must be a valid PDF: not encrypted, with 1 to 2,000 pages, without scripts, XFA forms, embedded files, and actions that leave the file by themselves. Repeated with the same `Idempotency-Key`, the boundary of the form may differ.

        With `applicationId`, which only law firms may send, it is attached to that application.

        Needs the scope `x-api:add:workspace_files`."""
        return self._upload("upload_file", {"workspace_id": workspace_id}, fields, file, options)

    def get_file(
        self,
        workspace_id: str,
        file_id: str,
        **options: Unpack[Options],
    ) -> schema.WorkspaceFile:
        """Read what is known of a file.

        The outcome of an upload: `SUCCESS`, or `FAILED` with the reason. One that was superseded or withdrawn can still be read.

        Needs the scope `view:workspaces`."""
        return self._perform("get_file", {"workspace_id": workspace_id, "file_id": file_id}, {}, None, options)

    def withdraw_file(
        self,
        workspace_id: str,
        file_id: str,
        **options: Unpack[Options],
    ) -> None:
        """Withdraw a file.

        It no longer counts and is not lodged. What the registry was given stays: a file of an answer cannot be withdrawn, and a document of an application only from the next submission, while the case is `REGISTRATION_REJECTED` (one of the discharge: `PARTIALLY_REGISTERED`); its content can still be read. The same again is 204 and changes nothing.

        Needs the scope `x-api:add:workspace_files`."""
        return self._perform("withdraw_file", {"workspace_id": workspace_id, "file_id": file_id}, {}, None, options)

    def get_file_content(
        self,
        workspace_id: str,
        file_id: str,
        *,
        to: Target,
        **options: Unpack[Options],
    ) -> Saved:
        """Download a file.

        Only one whose upload status is `SUCCESS`, superseded or not, and one that was withdrawn after the registry was given it.

        Needs the scope `x-api:view:documents`."""
        return self._download("get_file_content", {"workspace_id": workspace_id, "file_id": file_id}, {}, to, options)

    def approve_financial_settlement_schedule(
        self,
        workspace_id: str,
        *,
        body: schema.FinancialApprovalRequest,
        **options: Unpack[Options],
    ) -> schema.FinancialApprovalAnswer:
        """Approve the settlement schedule, or take its approval back.

        Needs the scope of its action. A schedule can be approved with at least one source and one destination, equal sums, and a completion date that is a business day not past.

        Only for law firms.

        Needs the scope `x-api:approve:financial_settlement_schedules` or `x-api:unapprove:financial_settlement_schedules`."""
        return self._perform("approve_financial_settlement_schedule", {"workspace_id": workspace_id}, {}, body, options)

    def authorise_funds(
        self,
        workspace_id: str,
        *,
        body: schema.FundsAuthorisationRequest,
        **options: Unpack[Options],
    ) -> schema.FundsAuthorisationAnswer:
        """Authorise the funds, or take the authorisation back.

        Date and amount are compared with the date of the schedule and the sum of its `Mortgage Advance` lines. Where they differ, nothing changes: `mismatches` says in what, and `authorised` whether funds are authorised all the same, by an earlier request. The payment is made at 09:00 in London on completion day, or at once after that hour. An authorisation can be taken back until that day begins.

        Only for lenders.

        Needs the scope `x-api:authorise:funds`."""
        return self._perform("authorise_funds", {"workspace_id": workspace_id}, {}, body, options)

    def approve_lodgement(
        self,
        workspace_id: str,
        *,
        body: schema.LodgementApprovalRequest,
        **options: Unpack[Options],
    ) -> schema.LodgementApprovalAnswer:
        """Approve the lodgement applications of a workspace, or take the approval back.

        The effect is committed with the answer. After a rejection the case is sent again at once, and after an early completion (`PARTIALLY_REGISTERED`) its discharge, which alone is then checked: it needs its `EVIDENCE`.

        Only for law firms.

        Needs the scope `x-api:approve:lodgement_applications` or `x-api:unapprove:lodgement_applications`."""
        return self._perform("approve_lodgement", {"workspace_id": workspace_id}, {}, body, options)

    def remove_party_role(
        self,
        workspace_id: str,
        party_id: str,
        **options: Unpack[Options],
    ) -> None:
        """Undo that a party is an incoming or outgoing proprietor.

        An incoming proprietor is a `BORROWER` again. An outgoing one is no longer a party, and its proprietor is unmatched again. The applications of the case follow, and an approval of it is withdrawn. The event is `TITLE_RECONCILIATION_UPDATED`.

        Only for law firms.

        Needs the scope `edit:workspace_parties`."""
        return self._perform("remove_party_role", {"workspace_id": workspace_id, "party_id": party_id}, {}, None, options)

    def get_plan(
        self,
        workspace_id: str,
        **options: Unpack[Options],
    ) -> schema.Plan:
        """Read what is planned for a workspace, the next first.

        What the service will do by itself, and when: the counterpart of the timeline. What others will do, such as the registry, is not known beforehand.

        Needs the scope `view:workspaces`."""
        return self._perform("get_plan", {"workspace_id": workspace_id}, {}, None, options)

    def get_workspace_readiness(
        self,
        workspace_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        **options: Unpack[Options],
    ) -> schema.ReadinessPage:
        """Read what a workspace still needs before it can be approved.

        One record for each rule and each thing that it checks, passed or not, of both approvals. Those of the approval `FINANCIAL` are left out once the schedule is settled or cancelled.

        Needs the scope `view:workspaces`."""
        return self._perform("get_workspace_readiness", {"workspace_id": workspace_id}, {"cursor": cursor, "limit": limit}, None, options)

    def list_representations(
        self,
        workspace_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        **options: Unpack[Options],
    ) -> schema.RepresentationPage:
        """List the representations of a workspace, oldest first.

        Every one that was ever asked for, with what became of it: those that wait, failed or were superseded too.

        Needs the scope `view:workspaces`."""
        return self._perform("list_representations", {"workspace_id": workspace_id}, {"cursor": cursor, "limit": limit}, None, options)

    def add_representation(
        self,
        workspace_id: str,
        *,
        body: schema.AddRepresentationRequest,
        **options: Unpack[Options],
    ) -> schema.AddRepresentationAnswer:
        """Say who represents a party.

        The outcome is an event, `REPRESENTATION_ADDED` or `REPRESENTATION_FAILED`, and can be read. A new active representation of a party supersedes the one before it.

        Only for law firms.

        Needs the scope `add:legal_representation_details`."""
        return self._perform("add_representation", {"workspace_id": workspace_id}, {}, body, options)

    def get_representation(
        self,
        workspace_id: str,
        representation_id: str,
        **options: Unpack[Options],
    ) -> schema.Representation:
        """Read a representation.

        The outcome of an accepted representation: `ACTIVE`, or `FAILED` with the reason. Its `ETag` is the one that a change may name in `If-Match`.

        Needs the scope `view:workspaces`."""
        return self._perform("get_representation", {"workspace_id": workspace_id, "representation_id": representation_id}, {}, None, options)

    def update_representation(
        self,
        workspace_id: str,
        representation_id: str,
        *,
        body: schema.UpdateRepresentationRequest,
        **options: Unpack[Options],
    ) -> schema.UpdateRepresentationAnswer:
        """Change name and address of an external law firm.

        Applies at once, to every representation that shares the firm. The same again changes nothing.

        Only for law firms.

        Needs the scope `add:legal_representation_details`."""
        return self._perform("update_representation", {"workspace_id": workspace_id, "representation_id": representation_id}, {}, body, options)

    def get_timeline(
        self,
        workspace_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        **options: Unpack[Options],
    ) -> schema.TimelinePage:
        """Read what happened to a workspace, oldest first.

        The same events as in webhooks and the feed, with who caused each and a sentence for people. Why the registry rejected a case is in the sentence of `LODGEMENT_REJECTED`.

        Needs the scope `view:workspaces`."""
        return self._perform("get_timeline", {"workspace_id": workspace_id}, {"cursor": cursor, "limit": limit}, None, options)

    def get_title_reconciliation(
        self,
        workspace_id: str,
        **options: Unpack[Options],
    ) -> schema.TitleReconciliation:
        """Read how borrowers and registered proprietors line up.

        Names that are equal but for case, accents, hyphens, quotes and honorifics link by themselves, organisations by their registration number first. A near match is shown for you to decide, and never accepted for you.

        Needs the scope `view:workspaces`."""
        return self._perform("get_title_reconciliation", {"workspace_id": workspace_id}, {}, None, options)

    def update_title_reconciliation(
        self,
        workspace_id: str,
        *,
        body: schema.TitleReconciliationRequest,
        **options: Unpack[Options],
    ) -> schema.TitleReconciliationAnswer:
        """Bring borrowers and registered proprietors into line.

        A party or proprietor is renamed and matched again, or marked as incoming or outgoing. The applications of the case follow, and an approval of it is taken back. Doing the same again is 200 and changes nothing.

        Only for law firms.

        Needs the scope `edit:workspace_parties`."""
        return self._perform("update_title_reconciliation", {"workspace_id": workspace_id}, {}, body, options)

    def add_title(
        self,
        workspace_id: str,
        *,
        body: schema.AddTitleRequest,
        **options: Unpack[Options],
    ) -> schema.AddTitleAnswer:
        """Add a title to a workspace and search it.

        One title to a workspace; a number whose search failed gives way to the new one. The registry is asked in the background, and its answer is an event: `TITLE_DATA_RECEIVED` or `TITLE_NOT_FOUND`.

        Only for law firms.

        Needs the scope `x-api:add:workspace_titles`."""
        return self._perform("add_title", {"workspace_id": workspace_id}, {}, body, options)

    def remove_title(
        self,
        workspace_id: str,
        title_id: str,
        **options: Unpack[Options],
    ) -> None:
        """Remove a wrong title from a workspace.

        Its search, its documents, the matches and the roles of parties are undone, and the applications that came from them are withdrawn. Incoming proprietors are borrowers again, outgoing ones are no longer parties. The charge keeps its facts and documents; an approval of the case is withdrawn. Then add the right title. The event is `TITLE_REMOVED`.

        Only for law firms.

        Needs the scope `x-api:add:workspace_titles`."""
        return self._perform("remove_title", {"workspace_id": workspace_id, "title_id": title_id}, {}, None, options)

    def count_workspaces(
        self,
        **options: Unpack[Options],
    ) -> schema.WorkspaceCounts:
        """Count the open workspaces by whose turn it is.

        Every count stops at 1000, so that it costs little. List them with the filters `turn` and `task`.

        Needs the scope `view:workspaces`."""
        return self._perform("count_workspaces", {}, {}, None, options)

    def get_readiness(
        self,
        **options: Unpack[Options],
    ) -> schema.ReadyAnswer:
        """Whether to send requests here.

        503 while the database or the blob store does not answer, a migration is missing, the clock is wrong, or the node is stopping."""
        return self._perform("get_readiness", {}, {}, None, options)

    def get_clock(
        self,
        **options: Unpack[Options],
    ) -> schema.ClockAnswer:
        """Read the service's clock.

        Real time plus the time by which it was moved. Tokens, rate limits and timeouts always use real time."""
        return self._perform("get_clock", {}, {}, None, options)

    def move_clock(
        self,
        *,
        body: schema.MoveClockRequest,
        **options: Unpack[Options],
    ) -> schema.MoveClockAnswer:
        """Move the clock and run the jobs that become due.

        Responds when nothing is left to do. `{"advance":"PT0S"}` runs what is due now; `{"to":"next"}` goes to the next thing that becomes due."""
        return self._perform("move_clock", {}, {}, body, options)

    def list_due(
        self,
        **options: Unpack[Options],
    ) -> schema.DueAnswer:
        """Read what the clock will run, the next first.

        Set the clock to `at` and it runs. The jobs of one workspace are in its plan, in words."""
        return self._perform("list_due", {}, {}, None, options)

    def list_faults(
        self,
        **options: Unpack[Options],
    ) -> schema.FaultsList:
        """List the faults in force.

        For all clients, with how often each fault was injected."""
        return self._perform("list_faults", {}, {}, None, options)

    def set_faults(
        self,
        client_id: str,
        *,
        body: schema.FaultsRequest,
        **options: Unpack[Options],
    ) -> schema.FaultsAnswer:
        """Inject faults into the requests and webhooks of a client.

        Replaces those in force. Each answer that meets one has the header `X-Injected-Fault`, and so has the request log. Faults never meet `/sandbox/v1`, the request log, the console, or scenarios. With several nodes all of them follow within two seconds."""
        return self._perform("set_faults", {"client_id": client_id}, {}, body, options)

    def end_faults(
        self,
        client_id: str,
        **options: Unpack[Options],
    ) -> None:
        """End the faults of a client.

        At once. Nothing happens where there are none."""
        return self._perform("end_faults", {"client_id": client_id}, {}, None, options)

    def set_maintenance(
        self,
        *,
        body: schema.MaintenanceRequest,
        **options: Unpack[Options],
    ) -> schema.MaintenanceAnswer:
        """Switch maintenance on or off.

        While it is on, the operations of partners answer 503. Tokens, health, the documentation, the sandbox operations and jobs continue."""
        return self._perform("set_maintenance", {}, {}, body, options)

    def reset_sandbox(
        self,
        **options: Unpack[Options],
    ) -> schema.ResetAnswer:
        """Reset the sandbox to its initial data and to real time.

        Removes everything and creates the initial data again, with dates relative to now. Tokens of the initial clients stay valid. Responds when all data is there."""
        return self._perform("reset_sandbox", {}, {}, None, options)

    def list_scenarios(
        self,
        **options: Unpack[Options],
    ) -> schema.Scenarios:
        """List the scenarios that can be played.

        Each is a whole matter: what is done by whom, and what the registry and the bank do."""
        return self._perform("list_scenarios", {}, {}, None, options)

    def run_scenario(
        self,
        name: str,
        *,
        body: schema.RunScenarioRequest,
        **options: Unpack[Options],
    ) -> schema.ScenarioRun:
        """Play a scenario, to the end or until a step.

        Orders a matter and takes it through its steps, with the calls that a lender and a law firm would make. It moves the clock of the whole sandbox. Read the run for its progress and outcome; runs wait for each other."""
        return self._perform("run_scenario", {"name": name}, {}, body, options)

    def get_scenario_run(
        self,
        run_id: str,
        **options: Unpack[Options],
    ) -> schema.ScenarioRun:
        """Read how far a scenario has come.

        Each step with its calls. A reset of the sandbox removes it."""
        return self._perform("get_scenario_run", {"run_id": run_id}, {}, None, options)

    def add_sandbox_subscriber(
        self,
        *,
        body: schema.NewSubscriberRequest,
        **options: Unpack[Options],
    ) -> schema.NewSubscriberAnswer:
        """Add a subscriber with a client that holds every scope.

        Accepts an `Idempotency-Key`, like every POST of a partner."""
        return self._perform("add_sandbox_subscriber", {}, {}, body, options)

    def send_test_delivery(
        self,
        *,
        body: schema.TestDeliveryRequest,
        **options: Unpack[Options],
    ) -> schema.TestDeliveryAnswer:
        """Send your receiver a delivery that it must refuse, or one that it has seen.

        Sent at once, to the registered address and nowhere else. It is in no list of deliveries and is never repeated. A receiver that checks signatures refuses four of the six kinds with a 4xx."""
        return self._perform("send_test_delivery", {}, {}, body, options)
