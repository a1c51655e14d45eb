"""Deliveries, good and bad."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import unittest
from typing import Any

from lodgeway import WebhookError, answer_to, verify_webhook

KEY = bytes(range(32))
SECRET = "whsec_" + base64.b64encode(KEY).decode()
NOW = 1_773_480_600
BODY = '{"id":"1","type":"CHALLENGE","timestamp":"2026-03-14T09:30:00.000Z","data":{"challenge":"é"}}'.encode()


def signed(body: bytes, key: bytes = KEY, at: int = NOW) -> dict[str, str]:
    digest = hmac.new(key, f"msg-1.{at}.".encode() + body, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    return {"Webhook-Id": "msg-1", "Webhook-Timestamp": str(at), "Webhook-Signature": f"v1,AAAA {signature}"}


class Webhooks(unittest.TestCase):
    def test_a_delivery(self) -> None:
        event = verify_webhook(SECRET, signed(BODY), BODY, now=NOW)
        self.assertEqual(answer_to(event), "é")

    def test_both_secrets_of_a_rotation(self) -> None:
        other = "whsec_" + base64.b64encode(b"x" * 32).decode()
        self.assertEqual(verify_webhook([other, SECRET], signed(BODY), BODY.decode(), now=NOW)["type"], "CHALLENGE")

    def test_each_mistake(self) -> None:
        good = signed(BODY)
        spaced = json.dumps(json.loads(BODY), ensure_ascii=False).encode()
        mistakes: dict[str, tuple[Any, ...]] = {
            "secret-without-prefix": (SECRET[6:], good, BODY),
            "secret-prefix-doubled": ("whsec_" + SECRET, good, BODY),
            "secret-malformed": (SECRET[:-9], good, BODY),
            "header-missing": (SECRET, {}, BODY),
            "header-malformed": (SECRET, {**good, "Webhook-Timestamp": "today"}, BODY),
            "body-parsed": (SECRET, good, json.loads(BODY)),
            "body-changed": (SECRET, good, spaced),
            "signature-mismatch": (SECRET, signed(BODY, b"y" * 32), BODY),
            "too-old": (SECRET, signed(BODY, at=NOW - 301), BODY),
            "too-new": (SECRET, signed(BODY, at=NOW + 301), BODY),
            "not-json": (SECRET, signed(b"[]"), b"[]"),
        }
        for mistake, (secret, headers, body) in mistakes.items():
            with self.subTest(mistake), self.assertRaises(WebhookError) as raised:
                verify_webhook(secret, headers, body, now=NOW)
            self.assertEqual(raised.exception.mistake, mistake)
