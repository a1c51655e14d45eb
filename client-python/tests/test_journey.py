"""A whole matter in a real sandbox, at the address of LODGEWAY_URL."""

from __future__ import annotations

import io
import os
import sys
import unittest
from pathlib import Path

from lodgeway import ApiError, answer, pages, records

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs/guide"))
URL = os.environ.get("LODGEWAY_URL", "")


@unittest.skipUnless(URL, "LODGEWAY_URL names no sandbox")
class Journey(unittest.TestCase):
    def test_from_the_order_to_the_registered_title(self) -> None:
        from matter import approve, fund, new_matter, prepare, represent

        os.chdir(ROOT)
        matter = new_matter(URL)
        lender, firm, workspace_id = matter.lender, matter.firm, matter.workspace_id
        seen = answer(lender.get_workspace, workspace_id)
        self.assertEqual((seen.status, seen.data["status"]), (200, "CREATED"))
        lender.update_workspace(workspace_id, body={"reference": "PYTHON-2"}, if_match=seen.etag)
        with self.assertRaises(ApiError) as stale:
            lender.update_workspace(workspace_id, body={"reference": "PYTHON-3"}, if_match=seen.etag)
        self.assertEqual(stale.exception.status, 412)

        represent(matter)
        prepare(matter)
        approve(matter)
        fund(matter)
        lender.move_clock(body={"advance": "P14D"})
        case = firm.wait_for_case(workspace_id, ["REGISTERED"])
        self.assertEqual(lender.get_workspace(workspace_id)["status"], "CLOSED")

        title = io.BytesIO()
        saved = lender.get_lodgement_document(
            case["lodgementCaseId"], document_type="TITLE_INFORMATION_DOCUMENT", to=title
        )
        self.assertTrue(title.getvalue().startswith(b"%PDF") and saved.size == len(title.getvalue()))
        self.assertIn(workspace_id, {one["workspaceId"] for one in records(firm.list_workspaces, limit=2)})
        types = {event["type"] for page in pages(lender.read_events) for event in page["records"]}
        self.assertIn("WORKSPACE_CLOSED", types)
        with self.assertRaises(ApiError) as wrong:
            firm.add_title(workspace_id, body={"titleNumber": "?"})
        self.assertIsNotNone(wrong.exception.message_at("titleNumber"))
