"""What a call raises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .schema import Fault


class LodgewayError(Exception):
    """The base of all errors of this package."""


class ApiError(LodgewayError):
    """The service answered with an error. `errors` has an entry for each thing that was wrong."""

    def __init__(
        self,
        status: int,
        errors: Sequence[Fault],
        operation: str,
        correlation_id: str,
        idempotency_key: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        reasons = " ".join(f"{e['field']}: {e['message']}" if "field" in e else e["message"] for e in errors)
        reason = reasons or "no reason was given."
        super().__init__(f"{operation} answered {status}: {reason} (correlation id {correlation_id})")
        self.status = status
        self.errors = errors
        self.operation = operation
        self.correlation_id = correlation_id
        self.idempotency_key = idempotency_key
        self.retry_after = retry_after
        """After how many seconds to retry, where the service says so."""

    def message_at(self, field: str) -> str | None:
        """What was wrong with this field, such as `parties[0].role`; None if nothing was."""
        return next((e["message"] for e in self.errors if e.get("field") == field), None)


class TokenError(LodgewayError):
    """No token was issued: the credentials or the scope are wrong, or the client is disabled."""

    def __init__(self, status: int, code: str, description: str) -> None:
        super().__init__(f"No access token: {code}. {description}".strip())
        self.status = status
        self.code = code
        """The code of RFC 6749, such as `invalid_client`."""


class NoAnswerError(LodgewayError):
    """No answer came, in any attempt. A POST may still have been done: repeat it with the same `idempotency_key`."""

    def __init__(
        self, attempts: int, operation: str, cause: object, correlation_id: str, idempotency_key: str | None = None
    ) -> None:
        times = "once" if attempts == 1 else f"{attempts} times"
        super().__init__(f"{operation} was tried {times} without an answer: {cause}")
        self.attempts = attempts
        self.operation = operation
        self.correlation_id = correlation_id
        self.idempotency_key = idempotency_key


class OutcomeError(LodgewayError):
    """An accepted request failed. `reason` says why, and `record` has all details."""

    def __init__(self, what: str, reason: str, record: Any) -> None:
        super().__init__(f"{what} failed: {reason}.")
        self.reason = reason
        self.record = record


class WaitError(LodgewayError):
    """The outcome was not known in time. `last` is what was read last."""

    def __init__(self, seconds: float, last: Any) -> None:
        super().__init__(f"The outcome was not known within {seconds:g} seconds. Read last: {str(last)[:300]}")
        self.last = last


class DownloadError(LodgewayError):
    """What was received is not what was sent."""
