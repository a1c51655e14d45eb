"""What the methods of the operations take and return, beside the types of the interface."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple, TypedDict, Union


class Options(TypedDict, total=False):
    """What every call takes."""

    acting_user: str
    """The e-mail address of the person behind the call, instead of the client's own `acting_user`."""
    request_correlation_id: str
    """Identifies the call in the service's logs, timeline and audit."""
    idempotency_key: str
    """Of a POST: store one of your own where a call must survive a restart of your process."""
    if_match: str
    """The `etag` that a change is based on. It fails with 412 if somebody else has changed it since."""
    timeout: float
    """How long one attempt may be silent, in seconds."""


File = Union[str, "os.PathLike[str]", bytes, BinaryIO]
"""What is uploaded: a path, the bytes, or a file that is open for reading bytes."""

Target = Union[str, "os.PathLike[str]", BinaryIO]
"""Where a download goes: a path, or a file that is open for writing bytes."""


@dataclass(frozen=True)
class Saved:
    """A download that is complete and verified."""

    size: int
    sha256: str
    file_name: str | None
    """The service's name for the file. It may contain anything: never use it as a path."""


class Operation(NamedTuple):
    """What the client must know of an operation."""

    method: str
    path: str
    open: bool = False
    key: bool = False
    gone: bool = False
    pages: str = ""
    upload: bool = False
    download: bool = False
