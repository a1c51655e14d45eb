"""Sends a request until it is answered, another attempt makes no sense, or there is no time for one."""

from __future__ import annotations

import email.utils
import itertools
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote_plus

import httpx

from .errors import NoAnswerError, TokenError

# Nothing was done: the service was too busy, down for maintenance, or did not get the whole request.
NOT_DONE = (408, 429, 503)
# From something between client and service: it is unknown what was done.
UNKNOWN = (502, 504)


@dataclass(frozen=True)
class Retry:
    """How often and how long to retry. With one attempt nothing is retried."""

    attempts: int = 8
    first: float = 0.2
    """The wait before the second attempt, in seconds. It doubles with each attempt."""
    longest: float = 5.0
    """The longest wait, unless `Retry-After` asks for more."""
    total: float = 60.0
    """No attempt starts after this many seconds."""

    def wait_after(self, attempt: int, retry_after: float | None) -> float:
        """Half of the wait is random, to spread callers that failed together."""
        longest: float = min(self.first * 2 ** (attempt - 1), self.longest)
        return (retry_after or 0) + longest * (0.5 + random.random() / 2)


@dataclass
class Outgoing:
    operation: str
    method: str
    url: str
    headers: dict[str, str]
    correlation_id: str
    timeout: float
    content: Callable[[], dict[str, Any]] = dict
    """The arguments of `httpx.Client.build_request` that make the body, for each attempt."""
    params: dict[str, Any] = field(default_factory=dict)
    tokens: Tokens | None = None
    repeats_lost: bool = True
    """Whether it may be sent again when it is unknown whether it was done."""
    can_repeat: bool = True
    """Whether its body can be read again."""
    streams: bool = False
    was_lost: bool = False
    """Whether the answer of an attempt was lost, so that it may have been done."""


class Sender:
    def __init__(self, http: httpx.Client, retry: Retry) -> None:
        self.http = http
        self.retry = retry

    def send(self, out: Outgoing) -> httpx.Response:
        began = time.monotonic()
        has_renewed = False
        for attempt in itertools.count(1):
            token = out.tokens.get() if out.tokens else None
            response, failure = self._try(out, token)
            is_lost = _is_lost(response)
            out.was_lost = out.was_lost or is_lost
            if token and out.tokens and _status(response) == 401 and not has_renewed and out.can_repeat:
                has_renewed = True
                out.tokens.drop(token)
                continue
            wait = self.retry.wait_after(attempt, retry_after(response))
            is_in_time = attempt < self.retry.attempts and time.monotonic() - began + wait <= self.retry.total
            may_retry = out.repeats_lost if is_lost else _was_not_done(response, attempt)
            if not (is_in_time and out.can_repeat and may_retry):
                if response is not None:
                    return response
                key = out.headers.get("idempotency-key")
                raise NoAnswerError(attempt, out.operation, failure, out.correlation_id, key) from failure
            time.sleep(wait)
        raise AssertionError("unreachable")

    def _try(self, out: Outgoing, token: str | None) -> tuple[httpx.Response | None, Exception | None]:
        headers = {**out.headers, **({"authorization": f"Bearer {token}"} if token else {})}
        body = out.content()
        try:
            request = self.http.build_request(
                out.method, out.url, params=out.params, headers=headers, timeout=out.timeout, **body
            )
            response = self.http.send(request, stream=True)
            if not (out.streams and response.is_success):
                response.read()  # here, so that an answer that is cut off counts as lost
                response.close()
            return response, None
        except httpx.TransportError as error:
            return None, error


def _status(response: httpx.Response | None) -> int:
    return 0 if response is None else response.status_code


def _is_lost(response: httpx.Response | None) -> bool:
    if response is None or response.status_code in UNKNOWN:
        return True
    # On a 503: the service lost its database at the end of a change and could not find out whether it was done.
    return bool(response.headers.get("x-outcome") == "unknown")


def _was_not_done(response: httpx.Response | None, attempt: int) -> bool:
    if response is None:
        return False
    return response.status_code in NOT_DONE or (attempt > 1 and _is_still_running(response))


def _is_still_running(response: httpx.Response) -> bool:
    """Our own first attempt, whose answer was lost, is still running under this key."""
    if response.status_code != 409:
        return False
    errors = json_of(response).get("errors") or [{}]
    return bool(errors[0].get("field") == "Idempotency-Key")


def json_of(response: httpx.Response) -> dict[str, Any]:
    """The body if it is a JSON object, and nothing otherwise."""
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def retry_after(response: httpx.Response | None) -> float | None:
    """Seconds, of a number or of a date (RFC 9110, 10.2.3)."""
    value = "" if response is None else response.headers.get("retry-after", "").strip()
    if value.isdigit():
        return float(value)
    try:
        until = email.utils.parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    return max(0.0, (until - datetime.now(timezone.utc)).total_seconds())


class Tokens:
    """Access tokens: fetched when first needed, kept, and renewed before they expire. One request for all threads."""

    def __init__(self, sender: Sender, url: str, client_id: str, client_secret: str, scope: str | None) -> None:
        self._sender = sender
        self._url = url
        # RFC 6749, 2.3.1: the two halves of Basic are form-encoded first.
        self._auth = httpx.BasicAuth(quote_plus(client_id), quote_plus(client_secret))
        self._form = {"grant_type": "client_credentials", **({"scope": scope} if scope else {})}
        self._lock = threading.Lock()
        self._token = ""
        self._renew_at = 0.0

    def get(self) -> str:
        with self._lock:
            if not self._token or time.monotonic() >= self._renew_at:
                self._fetch()
            return self._token

    def drop(self, token: str) -> None:
        """The service refused this one. The next `get` fetches another."""
        with self._lock:
            if self._token == token:
                self._token = ""

    def _fetch(self) -> None:
        asked_at = time.monotonic()
        header = next(self._auth.auth_flow(httpx.Request("POST", self._url))).headers["authorization"]
        response = self._sender.send(
            Outgoing(
                operation=f"POST {self._url}",
                method="POST",
                url=self._url,
                headers={"accept": "application/json", "authorization": header},
                correlation_id="",
                timeout=60.0,
                content=lambda: {"data": self._form},
            )
        )
        body = json_of(response)
        if not response.is_success or "access_token" not in body:
            code = str(body.get("error", f"status {response.status_code}"))
            raise TokenError(response.status_code, code, str(body.get("error_description", "")))
        self._token = str(body["access_token"])
        life = float(body.get("expires_in", 300))
        self._renew_at = asked_at + life - min(60.0, life * 0.1)
