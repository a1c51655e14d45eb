"""Waiting for something that can be read."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from .errors import WaitError

T = TypeVar("T")


def wait_for(
    read: Callable[[], T], is_done: Callable[[T], bool], *, seconds: float = 60.0, every: float = 2.0
) -> T:
    """Reads repeatedly until it is done, and returns what was read last.

    >>> wait_for(lambda: firm.get_workspace(id), lambda one: one["readyForApproval"])  # doctest: +SKIP
    """
    until = time.monotonic() + seconds
    pause = min(0.1, every)
    while True:
        seen = read()
        if is_done(seen):
            return seen
        if time.monotonic() + pause > until:
            raise WaitError(seconds, seen)
        time.sleep(pause)
        pause = min(pause * 1.5, every)
