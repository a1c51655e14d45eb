"""Calls of which you need more than the body: the whole answer, or all pages of a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypedDict, TypeVar

import httpx

from .operations import OPERATIONS

P = ParamSpec("P")
T = TypeVar("T")
Record = TypeVar("Record")

noted: ContextVar[httpx.Response] = ContextVar("noted")
"""The last answer in this thread."""

if TYPE_CHECKING:

    class Page(TypedDict, Generic[Record]):
        records: list[Record]


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A whole answer. The method of the operation returns only its `data`."""

    data: T
    status: int
    etag: str
    """The version that was read, for `if_match`."""
    correlation_id: str
    headers: httpx.Headers


def answer(method: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Answer[T]:
    """Calls a method of a client, and returns status, headers and etag with its result.

    >>> seen = answer(firm.get_workspace, workspace_id)  # doctest: +SKIP
    >>> firm.update_workspace(workspace_id, body=change, if_match=seen.etag)  # doctest: +SKIP
    """
    data = method(*args, **kwargs)
    response = noted.get()
    headers = response.headers
    return Answer(
        data, response.status_code, headers.get("etag", ""), headers.get("x-request-correlation-id", ""), headers
    )


def pages(method: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
    """Page after page of a list, each fetched when the one before it has been used."""
    parameter = OPERATIONS[method.__name__].pages
    if not parameter:
        raise ValueError(f"{method.__name__} has no pages.")
    query: dict[str, Any] = dict(kwargs)
    while True:
        page: Any = method(*args, **query)
        # The event feed always has a cursor. Its end is a page without records.
        if parameter == "after" and not page["records"]:
            return
        yield page
        if "nextCursor" not in page:
            return
        query[parameter] = page["nextCursor"]


def records(method: Callable[P, Page[Record]], /, *args: P.args, **kwargs: P.kwargs) -> Iterator[Record]:
    """All records of a list, one by one. Pages are fetched as they are needed.

    >>> for workspace in records(firm.list_workspaces, status="CREATED"): ...  # doctest: +SKIP
    """
    for page in pages(method, *args, **kwargs):
        yield from page["records"]
