"""A matter in the sandbox, step by step: what getting-started.md does, as functions to begin your own program with."""

from dataclasses import dataclass

from lodgeway import Lodgeway, schema

APPROVER = "jo.marsh@harbour.example"


@dataclass
class Matter:
    lender: Lodgeway
    firm: Lodgeway
    workspace_id: str


def sandbox_client(base_url: str, client_id: str) -> Lodgeway:
    return Lodgeway(base_url, client_id, f"{client_id}-secret")


def borrower(forenames: str, surname: str) -> schema.IndividualBorrowerRequest:
    """A borrower for whom Harbour Conveyancing LLP acts."""
    return {
        "type": "INDIVIDUAL",
        "role": "BORROWER",
        "partyDetails": {"forenames": forenames, "surname": surname},
        "participants": [{"id": "20000000-0000-4000-8000-000000000001", "role": "CONVEYANCER"}],
    }


def new_matter(base_url: str) -> Matter:
    """The lender opens a workspace, and the title is searched."""
    lender = sandbox_client(base_url, "sandbox-lender")
    created = lender.create_remortgage_workspace(
        body={
            "reference": "GUIDE-3",
            "property": {
                "securityAddress": {
                    "number": "12",
                    "street": "Cothelstone Close",
                    "town": "Taunton",
                    "postcode": "TA1 9QH",
                },
                "titleNumber": "ST500678",
            },
            "parties": [borrower("William", "Prynne"), borrower("Tracey", "Prynne")],
        }
    )
    lender.wait_for_title_search(created)
    return Matter(lender, sandbox_client(base_url, "sandbox-law-firm"), created["workspaceId"])


def represent(matter: Matter) -> None:
    """The law firm acts for every party."""
    firm, workspace_id = matter.firm, matter.workspace_id
    for party in firm.get_workspace(workspace_id)["parties"]:
        accepted = firm.add_representation(
            workspace_id, body={"partyId": party["partyId"], "representedBy": "PLATFORM_SUBSCRIBER_LAW_FIRM"}
        )
        firm.wait_for_representation(accepted)


def prepare(matter: Matter) -> None:
    """The law firm fills in the deed and attaches it."""
    firm, workspace_id = matter.firm, matter.workspace_id
    case = firm.get_lodgement_cases(workspace_id=workspace_id)["records"][0]
    deed = next(one for one in case["applications"] if one["applicationType"] == "MORTGAGE_DEED")
    ids = (case["lodgementCaseId"], deed["applicationId"])
    firm.update_lodgement_application(
        *ids,
        body={
            "transactionValue": 206_000,
            "mortgageDeedReference": "MD431C",
            "mortgageDeedReferenceType": "PAPER",
        },
    )
    uploaded = firm.attach_document(
        *ids,
        file="docs/guide/sample-deed.pdf",
        fields={
            "documentType": "MORTGAGE_DEED",
            "documentCategory": "APPLICATION_DOCUMENT",
            "certificationType": "CERTIFIED",
        },
    )
    firm.wait_for_file(workspace_id, uploaded["fileId"])


def approve(matter: Matter) -> None:
    """The law firm approves the case."""
    matter.firm.approve_lodgement(
        matter.workspace_id,
        body={"action": "APPROVE", "workspaceId": matter.workspace_id, "approvedBy": APPROVER},
    )


def fund(matter: Matter) -> None:
    """The law firm draws up the money and approves it, and the lender authorises it."""
    firm, workspace_id = matter.firm, matter.workspace_id
    schedules = firm.get_financial_settlement_schedules(workspace_id=workspace_id)["records"]
    schedule_id = schedules[0]["financialSettlementScheduleId"]
    completion_date = firm.list_business_days(limit=2)["records"][1]["date"]
    firm.update_financial_settlement_schedule(schedule_id, body={"completionDate": completion_date})
    firm.add_line_item(
        schedule_id,
        body={"type": "SOURCE", "category": "Mortgage Advance", "amount": 206_000, "reference": "ADVANCE"},
    )
    firm.add_line_item(
        schedule_id,
        body={
            "type": "DESTINATION",
            "category": "Redemption",
            "amount": 206_000,
            "reference": "REDEMPTION 4471",
            "bankAccount": {
                "accountName": "Eastmoor Bank plc",
                "accountNumber": "40117788",
                "sortCode": "200000",
            },
        },
    )
    firm.approve_financial_settlement_schedule(workspace_id, body={"action": "APPROVE", "approvedBy": APPROVER})
    matter.lender.authorise_funds(
        workspace_id,
        body={
            "completionDate": completion_date,
            "lineItem": {"authorised": True, "category": "Mortgage Advance", "amount": 206_000},
        },
    )
