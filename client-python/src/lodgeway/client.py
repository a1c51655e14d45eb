"""The client: a method for each operation, and methods for what takes several requests."""

from __future__ import annotations

import os
import re
import sys
import uuid
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO
from urllib.parse import quote

import httpx

from . import schema
from .answers import noted, records
from .downloads import receive
from .errors import ApiError, LodgewayError, OutcomeError
from .operations import OPERATIONS, Operations
from .options import File, Options, Saved, Target
from .sending import Outgoing, Retry, Sender, Tokens, json_of, retry_after
from .waiting import wait_for

if sys.version_info >= (3, 11):
    from typing import Self
else:
    from typing_extensions import Self


class Lodgeway(Operations):
    """Nothing is sent before the first call. One client serves any number of threads.

    >>> from lodgeway import Lodgeway
    >>> firm = Lodgeway("http://127.0.0.1:8080", "sandbox-law-firm", "sandbox-law-firm-secret")
    """

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        scope: str | None = None,
        token_url: str | None = None,
        acting_user: str | None = None,
        retry: Retry | None = None,
        timeout: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        if not re.match(r"https?://[^/]", base_url):
            raise ValueError(f"base_url must be an address such as https://api.example; it is {base_url!r}.")
        self._base_url = base_url.rstrip("/")
        self._acting_user = acting_user
        self._timeout = timeout
        self._sender = Sender(httpx.Client(transport=transport), retry or Retry())
        self._tokens = Tokens(
            self._sender, token_url or f"{self._base_url}/oauth/token", client_id, client_secret, scope
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._sender.http.close()

    # Waiting for what was accepted. A webhook is faster.

    def wait_for_title_search(self, accepted: Any, *, seconds: float = 60.0) -> schema.LodgementCaseRecord:
        """Waits until the register has been read. Pass the answer of `create_remortgage_workspace` or `add_title`."""
        seen = wait_for(
            lambda: self._case_of(accepted["workspaceId"]),
            lambda case: case.get("lastTitleSearchStatus") in ("SUCCESS", "FAILED"),
            seconds=seconds,
        )
        if seen.get("lastTitleSearchStatus") == "FAILED":
            raise OutcomeError("The title search", seen.get("titleSearchFailure", "no reason"), seen)
        return seen

    def wait_for_representation(
        self, accepted: schema.AddRepresentationAnswer, *, seconds: float = 60.0
    ) -> schema.Representation:
        """Waits until the representation is active. Pass the answer of `add_representation`."""
        seen = wait_for(
            lambda: self._representation_of(accepted),
            lambda found: found is not None and found["status"] != "QUEUED",
            seconds=seconds,
        )
        if seen is None or seen["status"] == "FAILED":
            raise OutcomeError("The representation", seen.get("failureReason", "no reason") if seen else "", seen)
        return seen

    def wait_for_file(self, workspace_id: str, file_id: str, *, seconds: float = 60.0) -> schema.WorkspaceFile:
        """Waits until an uploaded file has passed its checks."""
        seen = wait_for(
            lambda: self.get_file(workspace_id, file_id),
            lambda file: file["fileUploadStatus"] != "PENDING",
            seconds=seconds,
        )
        if seen["fileUploadStatus"] != "SUCCESS":
            raise OutcomeError("The upload", seen.get("failureReason", seen["fileUploadStatus"]), seen)
        return seen

    def wait_for_case(
        self, workspace_id: str, statuses: Sequence[str], *, seconds: float = 60.0
    ) -> schema.LodgementCaseRecord:
        """Waits until the case has one of these statuses. Raises if it was cancelled instead."""
        seen = wait_for(
            lambda: self._case_of(workspace_id),
            lambda case: case["lodgementCaseStatus"] in (*statuses, "CANCELLED"),
            seconds=seconds,
        )
        if seen["lodgementCaseStatus"] not in statuses:
            raise OutcomeError("The case", seen["lodgementCaseStatus"], seen)
        return seen

    def _case_of(self, workspace_id: str) -> schema.LodgementCaseRecord:
        cases = self.get_lodgement_cases(workspace_id=workspace_id)["records"]
        if not cases:
            raise LodgewayError("The workspace has no lodgement case.")
        return cases[0]

    def _representation_of(self, accepted: schema.AddRepresentationAnswer) -> schema.Representation | None:
        """The answer names its representation only where an external firm acts. Otherwise it is the party's newest."""
        if "representationId" in accepted:
            return self.get_representation(accepted["workspaceId"], accepted["representationId"])
        found = records(self.list_representations, accepted["workspaceId"], limit=100)
        return next((one for one in reversed(list(found)) if one["partyId"] == accepted["partyId"]), None)

    # What the methods of the operations do.

    def _perform(
        self, operation: str, path: dict[str, str], query: dict[str, Any], body: Any, options: Options
    ) -> Any:
        out = self._outgoing(operation, path, query, options)
        if body is not None:
            out.content = lambda: {"json": body}
        response = self._sender.send(out)
        if not response.is_success and out.was_lost and out.method == "DELETE":
            is_done, answer = self._lost_outcome(operation, path, self._error_of(out, response))
            if is_done:
                return answer
        self._check(out, response)
        try:
            return response.json() if response.content else None
        except ValueError:
            message = f"{out.operation} was answered with something that is not JSON. Is base_url right?"
            raise LodgewayError(message) from None

    def _upload(self, operation: str, path: dict[str, str], fields: Any, file: File, options: Options) -> Any:
        if isinstance(file, (str, os.PathLike)):
            with Path(file).open("rb") as opened:
                return self._send_file(operation, path, fields, (Path(file).name, opened), options)
        return self._send_file(operation, path, fields, ("document.pdf", file), options)

    def _send_file(
        self, operation: str, path: dict[str, str], fields: Any, file: tuple[str, BinaryIO | bytes], options: Options
    ) -> Any:
        out = self._outgoing(operation, path, {}, options)
        # httpx reads the file in pieces, and from its beginning in each attempt.
        out.content = lambda: {"data": fields, "files": {"file": (*file, "application/pdf")}}
        out.can_repeat = isinstance(file[1], bytes) or file[1].seekable()
        response = self._sender.send(out)
        self._check(out, response)
        return response.json()

    def _download(
        self, operation: str, path: dict[str, str], query: dict[str, Any], to: Target, options: Options
    ) -> Saved:
        def ask(headers: dict[str, str]) -> httpx.Response:
            out = self._outgoing(operation, path, query, options)
            out.streams = True
            out.headers |= {"accept": "application/octet-stream, application/json;q=0.5", **headers}
            response = self._sender.send(out)
            self._check(out, response)
            return response

        return receive(ask, to, self._sender.retry)

    def _outgoing(self, operation: str, path: dict[str, str], query: dict[str, Any], options: Options) -> Outgoing:
        facts = OPERATIONS[operation]
        correlation_id = options.get("request_correlation_id") or str(uuid.uuid4())
        headers = {
            "accept": "application/json",
            "x-request-correlation-id": correlation_id,
            "x-acting-user": options.get("acting_user") or self._acting_user,
            "if-match": options.get("if_match"),
        }
        if facts.method == "POST":
            headers["idempotency-key"] = options.get("idempotency_key") or str(uuid.uuid4())
        where = re.sub(r"\{(\w+)\}", lambda found: quote(str(path[found[1]]), safe=""), facts.path)
        return Outgoing(
            operation=f"{facts.method} {facts.path}",
            method=facts.method,
            url=self._base_url + where,
            params={name: value for name, value in query.items() if value is not None},
            headers={name: value for name, value in headers.items() if value is not None},
            correlation_id=correlation_id,
            timeout=options.get("timeout", self._timeout),
            tokens=None if facts.open else self._tokens,
            repeats_lost=facts.key if facts.method == "POST" else facts.method != "DELETE" or _can_ask(operation),
        )

    def _check(self, out: Outgoing, response: httpx.Response) -> None:
        noted.set(response)
        if not response.is_success:
            raise self._error_of(out, response)

    def _error_of(self, out: Outgoing, response: httpx.Response) -> ApiError:
        body = json_of(response)
        description = body.get("error_description")
        return ApiError(
            response.status_code,
            body.get("errors") or ([{"message": str(description)}] if description else []),
            out.operation,
            response.headers.get("x-request-correlation-id", out.correlation_id),
            out.headers.get("idempotency-key"),
            retry_after(response),
        )

    def _lost_outcome(self, operation: str, path: dict[str, str], error: ApiError) -> tuple[bool, Any]:
        """A DELETE has no key. If an answer was lost and the repeat is refused: was it done?"""
        if OPERATIONS[operation].gone and error.status == 404 and error.message_at(list(path)[-1]):
            return True, None
        if operation == "cancel_workspace":
            workspace = self.get_workspace(path["workspace_id"])
            return workspace["status"] == "CANCELLED", workspace
        if operation == "remove_party_role":
            parties = self.get_workspace(path["workspace_id"])["parties"]
            roles = [one["role"] for one in parties if one["partyId"] == path["party_id"]]
            return roles in ([], ["BORROWER"]), None
        return False, None


def _can_ask(operation: str) -> bool:
    return OPERATIONS[operation].gone or operation in ("cancel_workspace", "remove_party_role")
