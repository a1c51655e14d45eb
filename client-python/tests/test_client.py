"""The client against a service that fails in every way, without a network."""

from __future__ import annotations

import hashlib
import io
import json
import unittest
from collections.abc import Callable
from typing import Any

import httpx

from lodgeway import ApiError, DownloadError, Lodgeway, NoAnswerError, Retry, TokenError, answer, pages, records

QUICK = Retry(attempts=4, first=0.001, longest=0.002, total=5)
WORKSPACE = "32eed355-e460-44d0-8a6f-dd46c75e3281"

Step = Callable[[httpx.Request], httpx.Response]


class Service:
    """Answers with one step after the other, and keeps what it was asked."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.asked: list[httpx.Request] = []
        self.tokens = 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        request.read()
        if request.url.path == "/oauth/token":
            self.tokens += 1
            return httpx.Response(200, json={"access_token": f"token-{self.tokens}", "expires_in": 3600})
        self.asked.append(request)
        return self.steps.pop(0)(request)

    def client(self, **options: Any) -> Lodgeway:
        transport = httpx.MockTransport(self)
        return Lodgeway("http://service.example/", "id", "secret", retry=QUICK, transport=transport, **options)


def says(status: int, body: Any = None, **headers: str) -> Step:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    content = b"" if body is None else json.dumps(body).encode()
    return lambda _: httpx.Response(status, content=content, headers=named)


def breaks(_: httpx.Request) -> httpx.Response:
    raise httpx.ReadError("the connection was reset")


class Calls(unittest.TestCase):
    def test_a_call_carries_a_token_who_acts_and_a_key(self) -> None:
        service = Service(says(201, {"lineItemId": "1"}))
        client = service.client(acting_user="jo.marsh@harbour.example")
        item = {"type": "SOURCE", "category": "Mortgage Advance", "amount": 206_000, "reference": "ADVANCE"}
        client.add_line_item("a b", body=item)  # type: ignore[arg-type]
        request = service.asked[0]
        self.assertEqual(request.url.raw_path.split(b"/")[-2], b"a%20b")
        self.assertEqual(request.headers["authorization"], "Bearer token-1")
        self.assertEqual(request.headers["x-acting-user"], "jo.marsh@harbour.example")
        self.assertEqual(len(request.headers["idempotency-key"]), 36)
        self.assertEqual(json.loads(request.content), item)

    def test_a_refused_token_is_renewed_once(self) -> None:
        service = Service(says(401, {"errors": []}), says(200, {"records": []}))
        service.client().list_workspaces(limit=1)
        self.assertEqual([one.headers["authorization"] for one in service.asked], ["Bearer token-1", "Bearer token-2"])
        self.assertEqual(service.asked[1].url.query, b"limit=1")

    def test_no_token(self) -> None:
        answers = httpx.MockTransport(lambda _: httpx.Response(401, json={"error": "invalid_client"}))
        with self.assertRaises(TokenError) as raised:
            Lodgeway("http://service.example", "id", "wrong", transport=answers).list_workspaces()
        self.assertEqual(raised.exception.code, "invalid_client")

    def test_a_refusal_names_the_field(self) -> None:
        errors = [{"field": "titleNumber", "message": "titleNumber is required."}]
        service = Service(says(400, {"errors": errors}, x_request_correlation_id="abc"))
        with self.assertRaises(ApiError) as raised:
            service.client().add_title(WORKSPACE, body={"titleNumber": ""})
        error = raised.exception
        self.assertEqual((error.status, error.correlation_id), (400, "abc"))
        self.assertEqual(error.message_at("titleNumber"), "titleNumber is required.")
        self.assertIn("titleNumber is required.", str(error))

    def test_an_address_that_is_none(self) -> None:
        with self.assertRaisesRegex(ValueError, "base_url must be an address"):
            Lodgeway("127.0.0.1:8080", "id", "secret")

    def test_the_etag_goes_into_the_change(self) -> None:
        service = Service(says(200, {"status": "CREATED"}, etag='"v1"'), says(200, {}))
        client = service.client()
        seen = answer(client.get_workspace, WORKSPACE)
        self.assertEqual((seen.status, seen.data["status"]), (200, "CREATED"))
        client.update_workspace(WORKSPACE, body={"reference": "NEW"}, if_match=seen.etag)
        self.assertEqual(service.asked[1].headers["if-match"], '"v1"')


class Retries(unittest.TestCase):
    def test_what_is_sent_again(self) -> None:
        done = says(200, {})
        running = says(409, {"errors": [{"field": "Idempotency-Key", "message": "It is still running."}]})
        for name, steps in {
            "too many requests": [says(429, {}, retry_after="0"), done],
            "not available": [says(503, {}), says(503, {}), done],
            "a lost answer": [breaks, done],
            "a gateway": [says(502), says(504), done],
            "an unknown outcome": [says(503, {}, x_outcome="unknown"), done],
            "the first attempt still runs": [breaks, running, done],
        }.items():
            with self.subTest(name):
                service = Service(*steps)
                service.client().approve_financial_settlement_schedule(
                    WORKSPACE, body={"action": "APPROVE", "approvedBy": "jo.marsh@harbour.example"}
                )
                self.assertEqual(len(service.asked), len(steps))
                self.assertEqual(len({one.headers["idempotency-key"] for one in service.asked}), 1)

    def test_what_is_not_sent_again(self) -> None:
        lost = Service(breaks)
        with self.assertRaises(NoAnswerError) as raised:
            lost.client().move_clock(body={"advance": "P1D"})  # it takes no key
        self.assertEqual(raised.exception.attempts, 1)
        for status in (400, 404, 409, 500):
            service = Service(says(status, {"errors": []}))
            with self.assertRaises(ApiError):
                service.client().get_workspace(WORKSPACE)
            self.assertEqual(len(service.asked), 1)

    def test_it_ends(self) -> None:
        service = Service(*[says(503, {})] * 4)
        with self.assertRaises(ApiError):
            service.client().get_workspace(WORKSPACE)
        self.assertEqual(service.steps, [])

    def test_a_delete_whose_answer_was_lost(self) -> None:
        gone = says(404, {"errors": [{"field": "title_id", "message": "There is no such title."}]})
        service = Service(breaks, gone)
        service.client().remove_title(WORKSPACE, "t")
        cancelled = Service(breaks, says(409, {"errors": []}), says(200, {"status": "CANCELLED"}))
        found = cancelled.client().cancel_workspace(WORKSPACE, body={"reason": "OTHER"})  # type: ignore[typeddict-item]
        self.assertEqual(found["status"], "CANCELLED")


class Lists(unittest.TestCase):
    def test_records_of_all_pages(self) -> None:
        service = Service(
            says(200, {"records": [{"reference": "A"}, {"reference": "B"}], "nextCursor": "c1"}),
            says(200, {"records": [{"reference": "C"}]}),
        )
        found = [one["reference"] for one in records(service.client().list_workspaces, status="CREATED")]
        self.assertEqual(found, ["A", "B", "C"])
        self.assertEqual(service.asked[1].url.query, b"cursor=c1&status=CREATED")

    def test_the_feed_ends_with_an_empty_page(self) -> None:
        service = Service(
            says(200, {"records": [{"id": "1"}], "nextCursor": "c1"}), says(200, {"records": [], "nextCursor": "c1"})
        )
        cursors = [page["nextCursor"] for page in pages(service.client().read_events)]
        self.assertEqual(cursors, ["c1"])


class Files(unittest.TestCase):
    def test_an_upload_is_repeated_from_its_beginning(self) -> None:
        service = Service(breaks, says(202, {"fileId": "f"}))
        service.client().upload_file(
            WORKSPACE,
            fields={"documentType": "MORTGAGE_OFFER", "documentCategory": "WORKSPACE_SUPPORTING_DOCUMENT"},
            file=io.BytesIO(b"%PDF-1.7 all of it"),
        )
        for request in service.asked:
            self.assertIn(b"%PDF-1.7 all of it", request.content)
            self.assertIn(b'name="documentType"\r\n\r\nMORTGAGE_OFFER', request.content)

    def test_a_download_is_resumed_and_verified(self) -> None:
        content = b"a,b\n1,2\n"
        sha256 = hashlib.sha256(content).hexdigest()

        class Broken(httpx.SyncByteStream):
            def __iter__(self) -> Any:
                yield content[:4]
                raise httpx.ReadError("the connection was reset")

        def whole(_: httpx.Request) -> httpx.Response:
            headers = {"etag": '"v1"', "content-length": "8", "x-report-sha256": sha256}
            return httpx.Response(200, headers=headers, stream=Broken())

        service = Service(whole, lambda _: httpx.Response(206, content=content[4:]))
        target = io.BytesIO()
        saved = service.client().get_report_content("report-workspacesummary-todate", to=target)
        self.assertEqual((target.getvalue(), saved.sha256, saved.size), (content, sha256, 8))
        self.assertEqual(service.asked[1].headers["range"], "bytes=4-")

        changed = Service(lambda _: httpx.Response(200, headers={"x-report-sha256": sha256}, content=b"other"))
        with self.assertRaises(DownloadError):
            changed.client().get_report_content("report-workspacesummary-todate", to=io.BytesIO())


if __name__ == "__main__":
    unittest.main()
