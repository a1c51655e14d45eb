"""Verifies a delivery by the Standard Webhooks scheme, as the service signs it."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from .schema import WebhookEvent

Mistake = Literal[
    "secret-without-prefix",
    "secret-prefix-doubled",
    "secret-malformed",
    "header-missing",
    "header-malformed",
    "body-parsed",
    "body-changed",
    "signature-mismatch",
    "too-old",
    "too-new",
    "not-json",
]

PREFIX = "whsec_"
NAMES = ("webhook-id", "webhook-timestamp", "webhook-signature")


class WebhookError(Exception):
    """A delivery that must not be trusted. `mistake` names what is wrong, and the message says what to do."""

    def __init__(self, mistake: Mistake, message: str) -> None:
        super().__init__(message)
        self.mistake: Mistake = mistake


def verify_webhook(
    secret: str | Sequence[str],
    headers: Mapping[str, str],
    body: bytes | str,
    *,
    tolerance: float = 300.0,
    now: float | None = None,
) -> WebhookEvent:
    """Verifies that a delivery comes from the service and is recent, and returns its event.

    `secret` is the `sharedSecret` as the service issued it; during a rotation, both. `body` is what was received, before
    it is parsed. The service delivers at least once: `webhook-id` is the same in every attempt.
    """
    keys = [_key_of(one) for one in ([secret] if isinstance(secret, str) else secret)]
    sent_id, timestamp, signatures = _read_headers(headers)
    if not isinstance(body, (bytes, str)):
        raise WebhookError(
            "body-parsed",
            "The body was already parsed, but the signature is over the original bytes. Pass the raw body, such as "
            "request.get_data() of Flask or await request.body() of Starlette.",
        )
    content = body.encode() if isinstance(body, str) else body

    def is_signed(data: bytes) -> bool:
        signed = f"{sent_id}.{timestamp}.".encode() + data
        made = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
        return any(hmac.compare_digest(one, other) for one in made for other in signatures)

    event = _parse(content)
    if not is_signed(content):
        again = json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()
        if is_signed(again) or is_signed(content.strip()):
            raise WebhookError(
                "body-changed",
                "The body was parsed and serialised again, or white space was added, before it was verified. Pass the "
                "raw body.",
            )
        raise WebhookError(
            "signature-mismatch",
            "The signature was made with another secret, or the body is not the one that was sent. Is this the secret "
            "of this registration, and the one since its last rotation?",
        )
    _check_time(int(timestamp), time.time() if now is None else now, tolerance)
    if event is None:
        raise WebhookError("not-json", "The body is signed, but it is not a JSON object.")
    return cast(WebhookEvent, event)


def answer_to(event: WebhookEvent) -> str:
    """The body of your answer: the value of a `CHALLENGE`, which verifies your address, and nothing for any other."""
    return event["data"]["challenge"] if event["type"] == "CHALLENGE" else ""


def _key_of(secret: str) -> bytes:
    if not secret:
        raise WebhookError("secret-malformed", "The secret is missing. Is the setting that holds it set?")
    if secret != secret.strip() or secret[0] in "\"'" or secret[-1] in "\"'":
        raise WebhookError("secret-malformed", "The secret has white space or quotes around it. Remove them.")
    if not secret.startswith(PREFIX):
        raise WebhookError(
            "secret-without-prefix",
            f"The secret must start with {PREFIX}: use the whole sharedSecret, as the service issued it.",
        )
    encoded = secret[len(PREFIX) :]
    if encoded.startswith(PREFIX):
        raise WebhookError("secret-prefix-doubled", f"The secret starts with {PREFIX} twice.")
    try:
        key = base64.b64decode(encoded, validate=True)
    except binascii.Error:
        raise WebhookError("secret-malformed", f"What follows {PREFIX} is not base64. Was it cut?") from None
    if not 24 <= len(key) <= 64:
        message = f"What follows {PREFIX} has {len(key)} bytes, not 24 to 64. Was it cut?"
        raise WebhookError("secret-malformed", message)
    return key


def _read_headers(headers: Mapping[str, str]) -> tuple[str, str, list[bytes]]:
    lower = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in NAMES if not lower.get(name)]
    if missing:
        message = f"The request has no {', '.join(missing)}. Does a proxy remove headers?"
        raise WebhookError("header-missing", message)
    sent_id, timestamp, signature = (lower[name] for name in NAMES)
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookError("header-malformed", "webhook-timestamp must be whole seconds since 1970.")
    signatures = []
    for one in re.findall(r"(?:^| )v1,(\S+)", signature):
        try:
            signatures.append(base64.b64decode(one))
        except binascii.Error:
            continue
    if not signatures:
        raise WebhookError("header-malformed", "webhook-signature must contain at least one signature, v1,…")
    return sent_id, timestamp, signatures


def _parse(content: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(content)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _check_time(sent: int, now: float, tolerance: float) -> None:
    age = round(now - sent)
    if abs(age) <= tolerance:
        return
    span = f"{abs(age)} s, and {tolerance:g} s are allowed"
    if age > 0:
        message = f"It was sent too long ago: {span}. Your clock is fast by that much, or the delivery was replayed."
        raise WebhookError("too-old", message)
    raise WebhookError("too-new", f"It was sent in the future: {span}. Your clock is slow by that much.")
