"""The Python client for the Lodgeway interface."""

from . import schema
from .answers import Answer, answer, pages, records
from .client import Lodgeway
from .errors import (
    ApiError,
    DownloadError,
    LodgewayError,
    NoAnswerError,
    OutcomeError,
    TokenError,
    WaitError,
)
from .options import File, Options, Saved, Target
from .sending import Retry
from .waiting import wait_for
from .webhooks import WebhookError, answer_to, verify_webhook

__all__ = [
    "Answer",
    "ApiError",
    "DownloadError",
    "File",
    "Lodgeway",
    "LodgewayError",
    "NoAnswerError",
    "Options",
    "OutcomeError",
    "Retry",
    "Saved",
    "Target",
    "TokenError",
    "WaitError",
    "WebhookError",
    "answer",
    "answer_to",
    "pages",
    "records",
    "schema",
    "verify_webhook",
    "wait_for",
]
