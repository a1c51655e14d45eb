"""A download: resumed where it broke off, verified, and complete before it is at its place."""

from __future__ import annotations

import hashlib
import os
import re
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

import httpx

from .errors import DownloadError
from .options import Saved, Target
from .sending import Retry

Ask = Callable[[dict[str, str]], httpx.Response]


def receive(ask: Ask, to: Target, retry: Retry) -> Saved:
    if not isinstance(to, (str, os.PathLike)):
        return _copy(ask, to, retry)
    path = Path(to)
    beside = path.with_name(f"{path.name}.{uuid.uuid4()}.part")
    try:
        with beside.open("xb") as file:
            saved = _copy(ask, file, retry)
        beside.replace(path)
        return saved
    finally:
        beside.unlink(missing_ok=True)


def _copy(ask: Ask, file: BinaryIO, retry: Retry) -> Saved:
    # A compressed answer could not be resumed.
    response = ask({"accept-encoding": "identity"})
    first = response.headers
    digest = hashlib.sha256()
    size = losses = 0
    while True:
        try:
            for piece in response.iter_bytes():
                file.write(piece)
                digest.update(piece)
                size += len(piece)
                losses = 0
            break
        except httpx.TransportError as error:
            losses += 1
            if "etag" not in first or losses >= retry.attempts:
                raise DownloadError(f"The download broke off after {size} bytes.") from error
        finally:
            response.close()
        time.sleep(retry.wait_after(losses, None))
        response = ask({"accept-encoding": "identity", "range": f"bytes={size}-", "if-range": first["etag"]})
        if response.status_code != 206:
            response.close()
            raise DownloadError("The content changed during the download. Start again.")
    return _verified(Saved(size, digest.hexdigest(), _name_of(first.get("content-disposition", ""))), first)


def _verified(saved: Saved, headers: httpx.Headers) -> Saved:
    length = headers.get("content-length")
    if length is not None and int(length) != saved.size:
        raise DownloadError(f"Only {saved.size} of {length} bytes were received.")
    expected = headers.get("x-report-sha256")
    if expected and expected != saved.sha256:
        raise DownloadError(f"The SHA-256 is {saved.sha256}, but should be {expected}.")
    return saved


def _name_of(disposition: str) -> str | None:
    extended = re.search(r"filename\*=UTF-8''([^;]+)", disposition, re.IGNORECASE)
    if extended:
        return unquote(extended[1])
    plain = re.search(r'filename="?([^";]+)"?', disposition, re.IGNORECASE)
    return plain[1] if plain else None
