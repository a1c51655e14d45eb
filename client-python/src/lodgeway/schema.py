# Generated from openapi.json. Renew it by `npm run python`; do not change it by hand.

from __future__ import annotations

import sys
from typing import Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired


class AddRepresentationAnswer(TypedDict):
    workspaceId: str
    """The workspace. Paths and queries ask for it as `workspace_id`."""
    partyId: str
    """The party, as the workspace lists it: a borrower, or an outgoing proprietor."""
    representationId: NotRequired[str]
    """Only for `EXTERNAL_LAW_FIRM`; the list shows every one."""
    representedBy: Literal["PLATFORM_SUBSCRIBER_LAW_FIRM", "EXTERNAL_LAW_FIRM", "NOT_REPRESENTED"]
    """A law firm on the platform, another one, or nobody."""
    subscriberId: NotRequired[str]
    """Your own. Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`."""
    externalLawFirm: NotRequired[ExternalLawFirm]
    verificationOfIdentity: NotRequired[Literal["LAW_FIRM_CERTIFIED", "IDENTITY_EVIDENCE"]]
    """How the identity of the party is verified. Only for `NOT_REPRESENTED`."""


class AddRepresentationRequest(TypedDict):
    """`EXTERNAL_LAW_FIRM` takes either `representationId`, with or without a `referenceNumber` of its own, or `externalLawFirm` and `referenceNumber`. `NOT_REPRESENTED` takes `verificationOfIdentity` and needs it. `PLATFORM_SUBSCRIBER_LAW_FIRM` takes a `referenceNumber`, your own, and nothing else."""

    partyId: str
    """A party of the workspace, of whatever role."""
    representedBy: Literal["PLATFORM_SUBSCRIBER_LAW_FIRM", "EXTERNAL_LAW_FIRM", "NOT_REPRESENTED"]
    """The subscriber of `PLATFORM_SUBSCRIBER_LAW_FIRM` is the one that the access token names."""
    externalLawFirm: NotRequired[ExternalLawFirmRequest]
    representationId: NotRequired[str]
    """An external representation of this workspace, whose firm is to represent this party too."""
    referenceNumber: NotRequired[str]
    """What the firm, your own or the external one, files it under. Left out with `representationId`: the same as there."""
    verificationOfIdentity: NotRequired[Literal["LAW_FIRM_CERTIFIED", "IDENTITY_EVIDENCE"]]
    """How the identity of the party is verified. Only for `NOT_REPRESENTED`."""


class AddTitleAnswer(TypedDict):
    workspaceId: str
    """The workspace. Paths and queries ask for it as `workspace_id`."""
    titleId: str
    """The title of the workspace. A title that replaces another one has a new id."""
    titleNumber: str
    """The registry’s number of the title, in upper case and without spaces."""
    lastTitleSearchStatus: Literal["INITIATED", "PENDING", "SUCCESS", "FAILED"]
    """`INITIATED` is queued; `PENDING` means that the registry was asked and has not answered."""


class AddTitleRequest(TypedDict):
    titleNumber: str
    """Spaces are removed and letters made upper case first."""


class AddressForService(TypedDict):
    """Where the registry writes to a new proprietor, in the United Kingdom. HM Land Registry needs it of each who takes in a transfer, also of those who stay."""

    flat: NotRequired[str]
    """Flat or unit within the building."""
    name: NotRequired[str]
    """Of a building that has one."""
    number: NotRequired[str]
    """In the street. May hold letters."""
    locality: NotRequired[str]
    """A part of the town, or a village near it."""
    town: str
    """The post town."""
    county: NotRequired[str]
    """Where one is usual."""
    street: str
    """Without the number."""
    postcode: str
    """In upper case, with one space."""


class AddressForServiceRequest(TypedDict):
    """Where the registry writes to a new proprietor, in the United Kingdom. HM Land Registry needs it of each who takes in a transfer, also of those who stay."""

    flat: NotRequired[str]
    """Flat or unit within the building."""
    name: NotRequired[str]
    """Of a building that has one."""
    number: NotRequired[str]
    """In the street. May hold letters."""
    locality: NotRequired[str]
    """A part of the town, or a village near it."""
    town: str
    """The post town."""
    county: NotRequired[str]
    """Where one is usual."""
    street: str
    """Without the number."""
    postcode: str
    """Of the United Kingdom. Case and spaces do not matter."""


class ApplicationAttributes(TypedDict):
    """What a law firm says of it, and what follows from that."""

    applicationType: Literal["DISCHARGE", "CHANGE_OF_NAME", "TRANSFER_OF_WHOLE", "CANCEL_A_RESTRICTION", "MORTGAGE_DEED"]
    """`MORTGAGE_DEED` is there from the start. The others come of the register and of title reconciliation."""
    transactionValue: NotRequired[float]
    """In pounds. Left out until it is set."""
    landRegistryFee: NotRequired[float]
    """In pounds. Left out while it depends on a `transactionValue` that is not given, and once withdrawn. A transfer for money is assessed on another scale."""
    certificationType: NotRequired[Literal["CERTIFIED", "ORIGINAL", "SCANNED"]]
    """That of the main document."""
    mortgageDeedReference: NotRequired[str]
    """The approved form of deed. Approval needs one such as `MD431C`, of a digital deed `e-MD431C`."""
    mortgageDeedReferenceType: NotRequired[Literal["PAPER", "DIGITAL"]]
    """Whether the deed is on paper or electronic."""
    isEffective: NotRequired[bool]
    """Whether the deed has taken effect. A digital one must, before the case is sent."""
    titleGuarantee: NotRequired[Literal["FULL", "LIMITED"]]
    """Only of a `TRANSFER_OF_WHOLE`. With which title guarantee it is made."""
    considerationType: NotRequired[Literal["MONETARY_VALUE", "NO_MONETARY_VALUE", "OTHER"]]
    """Only of a `TRANSFER_OF_WHOLE`. Whether it is for money, for nothing, or for something else."""
    considerationDescription: NotRequired[str]
    """Only of a `TRANSFER_OF_WHOLE`. What it is for, where that is `OTHER`."""
    trustDeclaration: NotRequired[Literal["JOINT_TENANTS", "TENANTS_IN_COMMON", "TRUST_DETAILS"]]
    """Only of a `TRANSFER_OF_WHOLE`. How two or more proprietors hold it; in common means in equal shares."""
    trustDetails: NotRequired[str]
    """Only of a `TRANSFER_OF_WHOLE`. In words, where that is `TRUST_DETAILS`."""
    transactionValueBand: NotRequired[Literal["UP_TO_100000", "UP_TO_200000", "UP_TO_500000", "UP_TO_1000000", "ABOVE_1000000"]]
    """Only of a `TRANSFER_OF_WHOLE`. In pounds, where it is not for money and its value is not known exactly. A `transactionValue` wins."""
    outstandingCharge: NotRequired[float]
    """Only of a `TRANSFER_OF_WHOLE`. What is still owed under a charge that the new proprietors take over, in pounds."""


class ApplicationDocument(TypedDict):
    fileId: str
    """The file, whatever its outcome."""
    fileName: str
    """As the client called it, without path and control characters. Always ends in `.pdf`, which is added where it is missing."""
    fileUploadStatus: Literal["PENDING", "SUCCESS", "FAILED", "WITHDRAWN"]
    """`PENDING` until its checks have ended. Only a `SUCCESS` counts and can be downloaded."""
    auditAttributes: AuditAttributes
    documentType: Literal["MORTGAGE_DEED", "EVIDENCE", "CORRESPONDENCE", "IDENTITY_EVIDENCE", "IDENTITY_FORM", "BIRTH_CERTIFICATE", "MARRIAGE_CERTIFICATE", "STATEMENT_OF_TRUTH", "STATUTORY_DECLARATION", "PG82_CERTIFICATE", "COMPANIES_HOUSE_CERTIFICATE", "COMPANIES_HOUSE_EVIDENCE", "MORTGAGE_OFFER", "REDEMPTION_STATEMENT"]
    """As the upload named it."""
    documentCategory: Literal["APPLICATION_DOCUMENT", "SUPPORTING_DOCUMENT", "WORKSPACE_SUPPORTING_DOCUMENT"]
    """As the upload named it, like the type."""
    certificationType: Literal["CERTIFIED", "ORIGINAL", "SCANNED"]
    """Whether the file shows a certified copy, the original, or a plain scan."""


class ApplicationFile(TypedDict):
    """The main document: the one that counts, or else the newest that is still being checked."""

    fileId: str
    """The file, whatever its outcome."""
    fileName: str
    """As the client called it, without path and control characters. Always ends in `.pdf`, which is added where it is missing."""
    fileUploadStatus: Literal["PENDING", "SUCCESS", "FAILED", "WITHDRAWN"]
    """`PENDING` until its checks have ended. Only a `SUCCESS` counts and can be downloaded."""
    auditAttributes: AuditAttributes


class ApplicationParty(TypedDict):
    partyId: str
    """The party, as the workspace lists it: a borrower, or an outgoing proprietor."""
    type: Literal["INDIVIDUAL", "ORGANISATION"]
    """Whether the details are those of a person or of an organisation."""
    role: Literal["BORROWER", "INCOMING_PROPRIETOR", "OUTGOING_PROPRIETOR"]
    """A borrower who comes to the title is `INCOMING_PROPRIETOR`; who leaves it, `OUTGOING_PROPRIETOR`."""
    partyDetails: Union[IndividualDetailsAnswer, OrganisationDetailsAnswer]
    """The present name, by `type`."""
    addressForService: NotRequired[AddressForService]


class ApplicationRecord(TypedDict):
    applicationId: str
    """The application. If it is needed again after being withdrawn, it has a new id."""
    applicationType: Literal["DISCHARGE", "CHANGE_OF_NAME", "TRANSFER_OF_WHOLE", "CANCEL_A_RESTRICTION", "MORTGAGE_DEED"]
    """`MORTGAGE_DEED` is there from the start. The others come of the register and of title reconciliation."""
    status: Literal["DRAFT", "READY", "APPROVED", "SUBMITTED", "LODGED", "REQUISITIONED", "REGISTERED", "REJECTED", "WITHDRAWN"]
    """`READY` once it has what it needs; from `APPROVED` on with the case. `WITHDRAWN` counts for nothing."""
    submittedAt: NotRequired[str]
    """When it was last sent to the registry."""
    submittedBy: NotRequired[str]
    """The `approvedBy` of the approval that was sent."""
    auditAttributes: AuditAttributes
    file: NotRequired[ApplicationFile]
    attributes: ApplicationAttributes
    priority: NotRequired[int]
    """Its place in the order in which the registry takes them. Left out where it is withdrawn."""
    documents: list[ApplicationDocument]
    """All that were ever attached, oldest first."""
    parties: list[ApplicationParty]
    """Whom the application concerns."""


class Approver(TypedDict):
    email: str
    """As in `approvedBy` and `X-Acting-User`, in lower case."""
    name: NotRequired[str]
    """Left out for somebody who has no account in the console."""
    mayDecide: list[Literal["LODGEMENT", "FINANCIAL", "FUNDS"]]
    """What this person may decide in the console: approve the case (`LODGEMENT`) or the money (`FINANCIAL`), or authorise the funds (`FUNDS`)."""
    changed: list[Literal["LODGEMENT", "FINANCIAL"]]
    """What this person has changed, and may not approve if `fourEyes` is on."""


class Approvers(TypedDict):
    fourEyes: bool
    """Whether nobody of the law firm may approve what they have changed."""
    asked: list[Literal["disclosableOverridingInterests"]]
    """The fields that the approval of the case must have, because the registry asks. Empty in the sandbox."""
    records: list[Approver]
    """By name."""


class AttachDocumentRequest(TypedDict):
    documentType: Literal["MORTGAGE_DEED", "EVIDENCE", "CORRESPONDENCE", "IDENTITY_EVIDENCE", "IDENTITY_FORM", "BIRTH_CERTIFICATE", "MARRIAGE_CERTIFICATE", "STATEMENT_OF_TRUTH", "STATUTORY_DECLARATION", "PG82_CERTIFICATE", "COMPANIES_HOUSE_CERTIFICATE", "COMPANIES_HOUSE_EVIDENCE"]
    """What the document is. The DS1, the TR1 and the RX3 of the registry are `EVIDENCE`."""
    documentCategory: Literal["APPLICATION_DOCUMENT", "SUPPORTING_DOCUMENT"]
    """An `APPLICATION_DOCUMENT` is the main document of its application where it has one of these types, and is only lodged with it otherwise. `DISCHARGE`: `EVIDENCE`. `CHANGE_OF_NAME`: `MARRIAGE_CERTIFICATE`, `BIRTH_CERTIFICATE`, `STATEMENT_OF_TRUTH`, `STATUTORY_DECLARATION`, `EVIDENCE`, `COMPANIES_HOUSE_CERTIFICATE`. `TRANSFER_OF_WHOLE`: `EVIDENCE`. `CANCEL_A_RESTRICTION`: `STATEMENT_OF_TRUTH`, `EVIDENCE`. `MORTGAGE_DEED`: `MORTGAGE_DEED`."""
    certificationType: Literal["CERTIFIED", "ORIGINAL", "SCANNED"]
    """Whether the file shows a certified copy, the original, or a plain scan."""


class AuditAttributes(TypedDict):
    """Who made it and who changed it last, and when."""

    createdAt: str
    """When it came into being."""
    createdBy: str
    """The person of `X-Acting-User`, else the client id; `system` for the service itself."""
    lastModifiedAt: str
    """At first the same as `createdAt`."""
    lastModifiedBy: str
    """Who changed it last, named as in `createdBy`."""


class AuthorisedLineItemRequest(TypedDict):
    """What is authorised, and how much."""

    authorised: bool
    """False takes the authorisation back."""
    category: Literal["Mortgage Advance"]
    """What a lender pays."""
    amount: float
    """The sum of all lines of the category."""


class BankAccount(TypedDict):
    """Where the money goes. Of a `DESTINATION` only, which must have one."""

    accountName: str
    """In whose name it is held."""
    accountNumber: str
    """8 digits, zeros in front included."""
    sortCode: str
    """6 digits, without hyphens."""


class BusinessDay(TypedDict):
    date: str
    """Not a Saturday, a Sunday or a bank holiday."""


class BusinessDays(TypedDict):
    records: list[BusinessDay]
    """`limit` of them, the earliest first."""
    latestCompletionDate: str
    """The last business day that is accepted as a completion date today."""


class CancelWorkspaceRequest(TypedDict):
    cancellationReason: Literal["APPLICANT_DECIDED_NOT_TO_PROCEED", "TITLE_COMPLICATIONS", "LAW_FIRM_NO_LONGER_ACTING", "LENDER_DECIDED_NOT_TO_PROCEED", "LOAN_INVOLVES_MULTIPLE_TITLES", "OTHER"]
    """Both sides read it in the timeline."""
    cancellationNotesForOther: NotRequired[str]
    """Required for `OTHER`."""


class CaseApproval(TypedDict):
    action: Literal["APPROVE", "UNAPPROVE"]
    """What was done."""
    approvedBy: str
    """Who did it, as the caller stated it."""
    at: str
    """When it was done."""


class CaseRejection(TypedDict):
    """Why the case was rejected. Left out once it is sent again."""

    at: str
    """When the registry rejected it, or the time to answer was over."""
    reason: Literal["VALIDATION_FAILED", "CANCELLED_BY_REGISTRY", "REQUISITION_LAPSED"]
    """The registry’s validation failed, it cancelled the case, or a requisition was not answered in time."""
    field: NotRequired[str]
    """What the registry found wrong; the first, where there are several. Only of `VALIDATION_FAILED`."""
    message: str
    """Why, in a sentence. The timeline has the same."""


class CaseTitle(TypedDict):
    titleId: str
    """The title of the workspace. A title that replaces another one has a new id."""
    titleNumber: str
    """The registry’s number of the title, in upper case and without spaces."""
    tenure: NotRequired[Literal["FREEHOLD", "LEASEHOLD"]]
    """As the register has it; left out before the search succeeded."""


class ChallengeEvent(TypedDict):
    """Checks that the address wants the deliveries. Sent when a webhook is registered, when its `webhookURI` changes and by `POST …/test` until it is verified. Check the signature, then answer with a 2xx whose body is `data.challenge`."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["CHALLENGE"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class ChangesPage(TypedDict):
    records: list[WorkspaceChange]
    """One page, `limit` records at most. Empty where there are none."""
    nextCursor: NotRequired[str]
    """Goes into `cursor` to ask for the next page. Left out on the last."""


class ClockAnswer(TypedDict):
    now: str
    """The time that the clock of the service now shows."""


class Completion(TypedDict):
    workspaceId: str
    """The workspace. Paths and queries ask for it as `workspace_id`."""
    workspaceReferenceId: str
    """For people to quote: `LW`, the year in two digits, and seven digits in no order. Given once."""
    reference: str
    """The lender’s own name for it."""
    status: Literal["CREATED", "PREPARED", "FUNDS_AUTHORISED", "FUNDS_EXCHANGED", "LODGED", "REQUISITIONED", "CLOSED", "CANCELLED"]
    """`PREPARED` once case and schedule are both approved; `CLOSED` once the registry has registered all."""
    amount: float
    """The sum of its sources, in pounds."""
    refusal: NotRequired[str]
    """Why the last payment was refused. Left out once funds are authorised again."""
    turn: NotRequired[Turn]


class CompletionDay(TypedDict):
    date: str
    """A business day of England and Wales."""
    count: int
    """How many workspaces complete then; of each status at most 1000 are counted."""
    notReady: int
    """How many of them have no authorised funds."""
    amount: float
    """The sum of their sources, in pounds."""


class CompletionDays(TypedDict):
    records: list[CompletionDay]
    """The earliest first."""


class CompletionsPage(TypedDict):
    records: list[Completion]
    """One page, `limit` records at most. Empty where there are none."""
    nextCursor: NotRequired[str]
    """Goes into `cursor` to ask for the next page. Left out on the last."""


class ConfirmPaymentRequest(TypedDict):
    paidOn: str
    """The day on which the money moved, in London. Not in the future."""
    bankReference: str
    """The bank’s own name for the payment, from the statement of the account."""
    confirmedBy: str
    """Who saw that it was paid or received. Not a person who has changed this line."""


class Confirmation(TypedDict):
    """That a matter is right as it is, although a readiness rule says otherwise."""

    confirmationId: str
    """The confirmation of a readiness rule."""
    ruleId: str
    """The rule."""
    approval: Literal["LODGEMENT", "FINANCIAL"]
    """The approval that rests on it."""
    field: str
    """As in the readiness."""
    reason: str
    """Why it is right as it is."""
    confirmedBy: str
    """Who confirms it, as the caller states it."""
    confirmedAt: str
    """When it was confirmed."""


class ConfirmationRequest(TypedDict):
    ruleId: str
    """The `ruleId` of a readiness record of the kind `CONFIRMABLE`."""
    field: str
    """The `field` of that record."""
    reason: str
    """Why it is right as it is."""
    confirmedBy: str
    """Who confirms it, as the caller states it."""


class Confirmations(TypedDict):
    records: list[Confirmation]
    """One page, `limit` records at most. Empty where there are none."""
    nextCursor: NotRequired[str]
    """Goes into `cursor` to ask for the next page. Left out on the last."""


class CreateRemortgageWorkspaceAnswer(TypedDict):
    reference: str
    """Your own name for the matter. It need not be unique."""
    workspaceId: str
    """The workspace. Paths and queries ask for it as `workspace_id`."""
    workspaceReferenceId: str
    """For people to quote: `LW`, the year in two digits, and seven digits in no order. Given once."""


class CreateRemortgageWorkspaceRequest(TypedDict):
    reference: str
    """Your own name for the matter. It need not be unique."""
    property: PropertyRequest
    parties: list[Union[IndividualBorrowerRequest, OrganisationBorrowerRequest]]
    """One organisation, or one to four individuals. All name the same law firm."""


class DeliveryDay(TypedDict):
    date: str
    """A day in London on which something was delivered or given up."""
    count: int
    """Deliveries to your webhooks of this day that have ended."""
    deliveredAtFirstTry: int
    """Those that needed one attempt."""
    medianMs: int
    """Half of the last attempts took at most this long."""
    p90Ms: int
    """Nine of ten took at most this long."""


class DirectoryEntry(TypedDict):
    subscriberId: str
    """The organisation on the platform."""
    name: str
    """The list is in this order."""
    kind: Literal["LENDER", "LAW_FIRM"]
    """What kind of organisation it is."""


class DirectoryPage(TypedDict):
    records: list[DirectoryEntry]
    """One page, `limit` records at most. Empty where there are none."""
    nextCursor: NotRequired[str]
    """Goes into `cursor` to ask for the next page. Left out on the last."""


class DueAnswer(TypedDict):
    records: list[DueRecord]
    """At most 100."""


class DueRecord(TypedDict):
    at: str
    """When it becomes due, by the clock of the service."""
    job: str
    """The name of the job."""
    workspaceId: NotRequired[str]
    """The workspace. Paths and queries ask for it as `workspace_id`."""
    reference: NotRequired[str]
    """The reference of the workspace."""
    message: NotRequired[str]
    """What it does for the workspace."""


class ErrorBody(TypedDict):
    errors: list[Fault]
    """Every error of its kind at once. Where there are more, the last says how many."""


class Event(TypedDict):
    id: str
    """The same as in a webhook, so that you can recognise an event that you have already seen."""
    type: Literal["WORKSPACE_CREATED", "WORKSPACE_PARTICIPANT_ADDED", "WORKSPACE_UPDATED", "TITLE_SEARCH_PENDING", "TITLE_DATA_RECEIVED", "TITLE_NOT_FOUND", "TITLE_REMOVED", "TITLE_RECONCILIATION_UPDATED", "REPRESENTATION_ADDED", "REPRESENTATION_FAILED", "REPRESENTATION_UPDATED", "FILE_UPLOAD_SUCCEEDED", "FILE_UPLOAD_FAILED", "FILE_WITHDRAWN", "LODGEMENT_APPLICATION_UPDATED", "READINESS_CONFIRMED", "LODGEMENT_CASE_PREPARED", "LODGEMENT_CASE_UNAPPROVED", "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED", "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED", "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED", "WORKSPACE_PREPARED", "WORKSPACE_REVERTED_TO_CREATED", "WORKSPACE_FUNDS_AUTHORISED", "WORKSPACE_FUNDS_UNAUTHORISED", "SETTLEMENT_DUE", "LINE_ITEM_PAID", "LINE_ITEM_UNPAID", "WORKSPACE_FUNDS_EXCHANGED", "LODGEMENT_WAITING", "REGISTRY_WAITING", "LODGEMENT_SUBMITTED", "WORKSPACE_LODGED", "WORKSPACE_REQUISITIONED", "REQUISITION_DUE_SOON", "REQUISITION_ANSWERED", "REQUISITION_CLOSED", "REGISTRY_DOCUMENT_RECEIVED", "LODGEMENT_REJECTED", "LODGEMENT_PARTIALLY_REGISTERED", "LODGEMENT_REGISTERED", "WORKSPACE_CLOSED", "WORKSPACE_CANCELLED", "REPORT_GENERATED", "SECRET_EXPIRY"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only; `webhooks` lists them for each type."""


class EventFeed(TypedDict):
    records: list[Event]
    """Oldest first. Empty when nothing is new."""
    nextCursor: str
    """Always present. Send it as `after` in the next request."""


class EventListener(TypedDict):
    name: str
    """What the program gave as `listener`."""
    lastSeenAt: str
    """When it last read, in real time, also in the sandbox."""
    isConnected: bool
    """Whether that was within the last minute."""


class EventListeners(TypedDict):
    records: list[EventListener]
    """Those of the last day, the last one first."""


class ExternalLawFirm(TypedDict):
    """A law firm outside the platform. Only for `EXTERNAL_LAW_FIRM`."""

    name: str
    """As the law firm that acts here gave it."""
    address: FirmAddress


class ExternalLawFirmRequest(TypedDict):
    """The firm, where this workspace does not know it yet; else `representationId` names it."""

    name: str
    """Under which the firm practises."""
    address: FirmAddressRequest


class Fault(TypedDict):
    field: NotRequired[str]
    """The field or parameter that is wrong, where there is one."""
    message: str
    """What is wrong and what is expected, in plain words."""


class FaultRequest(TypedDict):
    kind: Literal["UNAVAILABLE", "TOO_MANY", "EXPIRED_TOKEN", "DELAY", "LOST_ANSWER", "NEW_FIELD", "NEW_VALUE", "DUPLICATE_WEBHOOK", "REORDERED_WEBHOOK"]
    """`UNAVAILABLE` answers 503, `TOO_MANY` 429, `EXPIRED_TOKEN` 401 to this and every later request with the same token. `DELAY` waits first. `LOST_ANSWER` does the work and closes the connection without an answer. `NEW_FIELD` and `NEW_VALUE` answer as a future version might. `DUPLICATE_WEBHOOK` delivers an event twice, `REORDERED_WEBHOOK` after the next one of its workspace."""
    share: NotRequired[float]
    """The share of requests or deliveries that meet it."""
    times: NotRequired[int]
    """How often at most."""
    operations: NotRequired[list[str]]
    """Only these `operationId`s. `issueToken` meets a fault only where it is named here."""
    methods: NotRequired[list[Literal["GET", "POST", "PUT", "PATCH", "DELETE"]]]
    """Only these methods."""
    retryAfterSeconds: NotRequired[int]
    """`Retry-After` of a 429 or 503."""
    delayMs: NotRequired[int]
    """How long a `DELAY` is, in milliseconds."""
    field: NotRequired[str]
    """The field that gets a `NEW_VALUE`, wherever the answer has it."""


class FaultsAnswer(TypedDict):
    clientId: str
    """The client."""
    seed: int
    """Decides with `share` which requests meet a fault: the same seed, the same ones."""
    endsAt: str
    """When they end by themselves, in real time."""
    faults: list[InjectedFault]
    """In the order of the request."""


class FaultsList(TypedDict):
    records: list[FaultsAnswer]
    """The faults in force, by client."""


class FaultsRequest(TypedDict):
    faults: list[FaultRequest]
    """They are tried in this order. A request that is refused, or whose answer is lost, meets no other."""
    seed: NotRequired[int]
    """Decides with `share` which requests meet a fault: the same seed, the same ones."""
    seconds: NotRequired[int]
    """After this time they end by themselves, in real time."""


class FieldChange(TypedDict):
    field: str
    """Where it is."""
    before: NotRequired[Union[str, float, bool]]
    """Left out where there was none."""
    after: NotRequired[Union[str, float, bool]]
    """Left out where there is none now."""


class Figures(TypedDict):
    computedAt: NotRequired[str]
    """When they were counted. Left out before the first night."""
    mattersByStatus: list[StatusCount]
    """Your open workspaces at the end of each day, oldest first."""
    timeToRegistration: RegistrationTimes
    waiting: list[PartyWaiting]
    """For whom workspaces that are open or ended in this time have waited, the longest first."""
    requisitions: RequisitionFigures
    deliveries: list[DeliveryDay]
    """Oldest first."""


class FileUploadFailedEvent(TypedDict):
    """An uploaded file did not pass its checks, or came too late."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["FILE_UPLOAD_FAILED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class FileUploadSucceededEvent(TypedDict):
    """An uploaded file passed its checks."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["FILE_UPLOAD_SUCCEEDED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class FileWithdrawnEvent(TypedDict):
    """A file was withdrawn and no longer counts."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["FILE_WITHDRAWN"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class FinancialApprovalAnswer(TypedDict):
    financialSettlementScheduleId: str
    """The settlement schedule. A workspace has exactly one, from its creation."""
    action: Literal["APPROVE", "UNAPPROVE"]
    """What was done."""
    status: Literal["DRAFT", "PREPARED", "AUTHORISED", "PAYING", "SETTLED", "CANCELLED"]
    """`PREPARED` is approved, `AUTHORISED` released by the lender, `SETTLED` paid. `PAYING`: it is completion day, and the law firm pays from its own account and confirms each line."""
    approvedBy: str
    """As the request stated it."""
    approvedAt: str
    """When it was done."""


class FinancialApprovalRequest(TypedDict):
    action: Literal["APPROVE", "UNAPPROVE"]
    """Each needs a scope of its own."""
    approvedBy: str
    """Who does it, as the caller states it."""


class FinancialSettlementSchedule(TypedDict):
    financialSettlementScheduleId: str
    """The settlement schedule. A workspace has exactly one, from its creation."""
    workspaceId: str
    """The workspace. Paths and queries ask for it as `workspace_id`."""
    status: Literal["DRAFT", "PREPARED", "AUTHORISED", "PAYING", "SETTLED", "CANCELLED"]
    """`PREPARED` is approved, `AUTHORISED` released by the lender, `SETTLED` paid. `PAYING`: it is completion day, and the law firm pays from its own account and confirms each line."""
    completionDate: NotRequired[str]
    """The London day on which the money moves. Left out until the schedule has one."""
    lineItems: list[LineItem]
    """In the order in which they were added."""
    totals: ScheduleTotals
    approvals: list[ScheduleApproval]
    """Every approval, and every withdrawal by hand, oldest first. `status` says whether the schedule is approved now."""
    failure: NotRequired[PaymentFailure]
    settlement: NotRequired[ScheduleSettlement]


class FinancialSettlementSchedulePreparedEvent(TypedDict):
    """The settlement schedule was approved."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class FinancialSettlementScheduleUnapprovedEvent(TypedDict):
    """The approval of the settlement schedule was taken back."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class FinancialSettlementScheduleUpdatedEvent(TypedDict):
    """The completion date or a line item of the settlement schedule was changed."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class FinancialSettlementSchedules(TypedDict):
    records: list[FinancialSettlementSchedule]
    """Always one: a workspace has one schedule."""


class FirmAddress(TypedDict):
    """The address of the firm, as it is sent to the registry."""

    flat: NotRequired[str]
    """Flat or unit within the building."""
    name: NotRequired[str]
    """Of a building that has one."""
    number: NotRequired[str]
    """In the street. May hold letters."""
    locality: NotRequired[str]
    """A part of the town, or a village near it."""
    town: str
    """The post town."""
    county: NotRequired[str]
    """Where one is usual."""
    street: str
    """Without the number."""
    postcode: str
    """In upper case, with one space."""


class FirmAddressRequest(TypedDict):
    """The address of the firm, as it is sent to the registry."""

    flat: NotRequired[str]
    """Flat or unit within the building."""
    name: NotRequired[str]
    """Of a building that has one."""
    number: NotRequired[str]
    """In the street. May hold letters."""
    locality: NotRequired[str]
    """A part of the town, or a village near it."""
    town: str
    """The post town."""
    county: NotRequired[str]
    """Where one is usual."""
    street: str
    """Without the number."""
    postcode: str
    """Of the United Kingdom. Case and spaces do not matter."""


class FundsAuthorisationAnswer(TypedDict):
    matched: bool
    """Whether date and amount are those of the schedule. False where the authorisation is taken back."""
    authorised: bool
    """Whether funds are authorised after the request. An earlier authorisation is not lost by a mismatch."""
    mismatches: NotRequired[list[Literal["COMPLETION_DATE", "AMOUNT"]]]
    """In what the request differs from the schedule: empty if it matched. Left out with `authorised: false`."""


class FundsAuthorisationRequest(TypedDict):
    completionDate: str
    """The day that you expect, to be compared with that of the schedule."""
    lineItem: AuthorisedLineItemRequest


class IndividualBorrowerRequest(TypedDict):
    type: Literal["INDIVIDUAL"]
    """Decides which `partyDetails` are expected."""
    role: Literal["BORROWER"]
    """Other roles come of title reconciliation."""
    partyDetails: IndividualDetails
    addressForService: NotRequired[AddressForServiceRequest]
    participants: list[ParticipantRequest]
    """The law firm that acts. It sees the workspace from now on."""


class IndividualDetails(TypedDict):
    """The name of a person."""

    forenames: str
    """All of them, with spaces between."""
    surname: str
    """The family name."""


class IndividualDetailsAnswer(TypedDict):
    """The name of a person."""

    forenames: str
    """Empty where the register holds one name only. May be longer than a request takes."""
    surname: str
    """The family name. From the register it may be longer than a request takes."""


class InjectedFault(TypedDict):
    kind: Literal["UNAVAILABLE", "TOO_MANY", "EXPIRED_TOKEN", "DELAY", "LOST_ANSWER", "NEW_FIELD", "NEW_VALUE", "DUPLICATE_WEBHOOK", "REORDERED_WEBHOOK"]
    """`UNAVAILABLE` answers 503, `TOO_MANY` 429, `EXPIRED_TOKEN` 401 to this and every later request with the same token. `DELAY` waits first. `LOST_ANSWER` does the work and closes the connection without an answer. `NEW_FIELD` and `NEW_VALUE` answer as a future version might. `DUPLICATE_WEBHOOK` delivers an event twice, `REORDERED_WEBHOOK` after the next one of its workspace."""
    share: NotRequired[float]
    """The share of requests or deliveries that meet it."""
    times: NotRequired[int]
    """How often at most."""
    operations: NotRequired[list[str]]
    """Only these `operationId`s. `issueToken` meets a fault only where it is named here."""
    methods: NotRequired[list[Literal["GET", "POST", "PUT", "PATCH", "DELETE"]]]
    """Only these methods."""
    retryAfterSeconds: NotRequired[int]
    """`Retry-After` of a 429 or 503."""
    delayMs: NotRequired[int]
    """How long a `DELAY` is, in milliseconds."""
    field: NotRequired[str]
    """The field that gets a `NEW_VALUE`, wherever the answer has it."""
    seen: int
    """How many requests or deliveries it could have met."""
    injected: int
    """How many it met."""


class JwksAnswerKeysItem(TypedDict):
    kty: Literal["EC"]
    """An elliptic curve."""
    crv: Literal["P-256"]
    """Which curve."""
    x: str
    """The x coordinate of the public key, 32 bytes in base64url."""
    y: str
    """The y coordinate of the public key, 32 bytes in base64url."""
    kid: str
    """The `kid` in the header of the tokens that it signed."""
    alg: Literal["ES256"]
    """Accept no other."""
    use: Literal["sig"]
    """For signatures only."""


class JwksAnswer(TypedDict):
    keys: list[JwksAnswerKeysItem]
    """The key that signs, then those whose tokens may still be valid."""


class LineItem(TypedDict):
    lineItemId: str
    """The line of the settlement schedule."""
    type: Literal["SOURCE", "DESTINATION"]
    """Money that comes in, or money that goes out."""
    category: Literal["Mortgage Advance", "Borrower Contribution", "Redemption", "Conveyancing Fees", "Surplus", "Onward Funds"]
    """`Mortgage Advance` or `Borrower Contribution` (a shortfall that the borrower pays) for a `SOURCE`, one of the others for a `DESTINATION`."""
    amount: float
    """Pounds, with at most two decimals."""
    reference: str
    """Goes with the payment, for the payee."""
    bankAccount: NotRequired[BankAccount]
    payment: NotRequired[LinePayment]


class LineItemPaidEvent(TypedDict):
    """The law firm confirmed that a line was paid, or that the money of a source was received."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["LINE_ITEM_PAID"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class LineItemRequest(TypedDict):
    """`bankAccount` is required for a `DESTINATION`, and not expected for a `SOURCE`."""

    type: Literal["SOURCE", "DESTINATION"]
    """Money that comes in, or money that goes out."""
    category: Literal["Mortgage Advance", "Borrower Contribution", "Redemption", "Conveyancing Fees", "Surplus", "Onward Funds"]
    """`Mortgage Advance` or `Borrower Contribution` (a shortfall that the borrower pays) for a `SOURCE`, one of the others for a `DESTINATION`."""
    amount: float
    """Pounds, with at most two decimals."""
    reference: str
    """Goes with the payment, for the payee. Not blank."""
    bankAccount: NotRequired[BankAccount]


class LineItemUnpaidEvent(TypedDict):
    """The confirmation of a line was taken back."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["LINE_ITEM_UNPAID"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class LinePayment(TypedDict):
    """That it was paid, or for a `SOURCE` received. Only where the law firm pays and has confirmed it."""

    paidOn: str
    """The day on which the money moved, in London. Not in the future."""
    bankReference: str
    """The bank’s own name for the payment, from the statement of the account."""
    confirmedBy: str
    """Who saw that it was paid or received. Not a person who has changed this line."""
    confirmedAt: str
    """When it was confirmed."""


class LiveAnswer(TypedDict):
    status: Literal["live"]
    """The process answers."""
    nodeId: str
    """The node that answered. It has another id after each start."""


class LodgementApplication(TypedDict):
    applicationId: str
    """The application. If it is needed again after being withdrawn, it has a new id."""
    applicationType: Literal["DISCHARGE", "CHANGE_OF_NAME", "TRANSFER_OF_WHOLE", "CANCEL_A_RESTRICTION", "MORTGAGE_DEED"]
    """`MORTGAGE_DEED` is there from the start. The others come of the register and of title reconciliation."""
    status: Literal["DRAFT", "READY", "APPROVED", "SUBMITTED", "LODGED", "REQUISITIONED", "REGISTERED", "REJECTED", "WITHDRAWN"]
    """`READY` once it has what it needs; from `APPROVED` on with the case. `WITHDRAWN` counts for nothing."""
    submittedAt: NotRequired[str]
    """When it was last sent to the registry."""
    submittedBy: NotRequired[str]
    """The `approvedBy` of the approval that was sent."""
    auditAttributes: AuditAttributes
    file: NotRequired[ApplicationFile]
    attributes: ApplicationAttributes


class LodgementApplicationUpdatedEvent(TypedDict):
    """An application of the lodgement case was added, changed or withdrawn."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["LODGEMENT_APPLICATION_UPDATED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class LodgementApprovalAnswer(TypedDict):
    lodgementCaseId: str
    """The lodgement case. A workspace has exactly one, from its creation."""
    action: Literal["APPROVE", "UNAPPROVE"]
    """What was done."""
    lodgementCaseStatus: Literal["CREATED", "PREPARED", "INITIATED", "LODGED", "REQUISITIONED", "REQUISITION_SUBMITTED", "REGISTRATION_REJECTED", "RESUBMISSION_PREPARED", "PARTIALLY_REGISTERED", "DISCHARGE_SUBMITTED", "REGISTERED", "CANCELLED"]
    """`PREPARED` is approved, `INITIATED` sent to the registry, `LODGED` accepted there with priority. `DISCHARGE_SUBMITTED`: after an early completion (`PARTIALLY_REGISTERED`) the discharge was sent on its own."""
    approvedBy: str
    """As the request stated it."""
    approvedAt: str
    """When it was done."""


class LodgementApprovalRequest(TypedDict):
    action: Literal["APPROVE", "UNAPPROVE"]
    """Each needs a scope of its own."""
    workspaceId: str
    """The same as in the path."""
    approvedBy: str
    """Who performs the action, as the caller states it."""
    disclosableOverridingInterests: NotRequired[bool]
    """With `APPROVE`: whether there are interests that the register does not show but must be disclosed. HM Land Registry asks for this; the sandbox does not. Each approval states it again."""


class LodgementCasePreparedEvent(TypedDict):
    """The lodgement case was approved, for its first submission or a later one."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["LODGEMENT_CASE_PREPARED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class LodgementCaseRecord(TypedDict):
    lodgementCaseId: str
    """The lodgement case. A workspace has exactly one, from its creation."""
    lodgementCaseStatus: Literal["CREATED", "PREPARED", "INITIATED", "LODGED", "REQUISITIONED", "REQUISITION_SUBMITTED", "REGISTRATION_REJECTED", "RESUBMISSION_PREPARED", "PARTIALLY_REGISTERED", "DISCHARGE_SUBMITTED", "REGISTERED", "CANCELLED"]
    """`PREPARED` is approved, `INITIATED` sent to the registry, `LODGED` accepted there with priority. `DISCHARGE_SUBMITTED`: after an early completion (`PARTIALLY_REGISTERED`) the discharge was sent on its own."""
    workspaceId: str
    """The workspace. Paths and queries ask for it as `workspace_id`."""
    workspaceReferenceId: str
    """For people to quote: `LW`, the year in two digits, and seven digits in no order. Given once."""
    transactionType: Literal["REMORTGAGE"]
    """The only one so far."""
    lastTitleSearchStatus: NotRequired[Literal["INITIATED", "PENDING", "SUCCESS", "FAILED"]]
    """`INITIATED` is queued; `PENDING` means that the registry was asked and has not answered."""
    titleSearchFailure: NotRequired[Literal["NOT_FOUND", "CLOSED", "PENDING_NEW_TITLE", "NOT_SUPPORTED"]]
    """What the registry said where the search `FAILED`; left out where a cancelled workspace ended it."""
    registryReference: NotRequired[str]
    """The registry’s own number of the case. Left out before it accepted it."""
    priorityAt: NotRequired[str]
    """From this moment on it goes before what others lodge later."""
    earlyCompletion: bool
    """Whether the registry completed all but the discharge first."""
    rejection: NotRequired[CaseRejection]
    registryWait: NotRequired[RegistryWait]
    titles: list[CaseTitle]
    """Empty until a title number is given."""
    applications: list[ApplicationRecord]
    """All that there ever were, oldest first; the withdrawn too."""
    requisition: NotRequired[OpenRequisition]
    approvals: list[CaseApproval]
    """Every approval, and every withdrawal by hand, oldest first. `lodgementCaseStatus` says whether it is approved now."""
    auditAttributes: AuditAttributes


class LodgementCaseUnapprovedEvent(TypedDict):
    """The approval of the lodgement case was taken back, by a user or because of a change."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["LODGEMENT_CASE_UNAPPROVED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class LodgementCases(TypedDict):
    records: list[LodgementCaseRecord]
    """Always one: a workspace has one case."""


class LodgementPartiallyRegisteredEvent(TypedDict):
    """The registry completed the case except for the discharge."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["LODGEMENT_PARTIALLY_REGISTERED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class LodgementRegisteredEvent(TypedDict):
    """The registry completed the case."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["LODGEMENT_REGISTERED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class LodgementRejectedEvent(TypedDict):
    """The registry rejected or cancelled the case."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["LODGEMENT_REJECTED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class LodgementSubmittedEvent(TypedDict):
    """The lodgement case was sent to the registry."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["LODGEMENT_SUBMITTED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class LodgementWaitingEvent(TypedDict):
    """The lodgement case is sent as soon as its digital deed is effective (`isEffective`)."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["LODGEMENT_WAITING"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class LoggedAnswerBody(TypedDict):
    """In the sandbox: what was answered, if it was JSON."""

    text: str
    """The JSON, without secrets."""
    isTruncated: bool
    """Whether more followed."""


class LoggedError(TypedDict):
    field: NotRequired[str]
    """The field that is wrong, where there is one."""
    message: NotRequired[str]
    """In the sandbox: what is wrong."""


class LoggedRequest(TypedDict):
    requestId: str
    """One call."""
    at: str
    """When it arrived, in real time, also in the sandbox."""
    method: str
    """The method."""
    route: str
    """The path as this document writes it."""
    operation: str
    """The `operationId` in this document."""
    status: int
    """The status of the answer."""
    durationMs: int
    """Until the answer was sent."""
    clientId: str
    """The client that called, or `person:` and the id of somebody who used the console."""
    person: NotRequired[str]
    """In the sandbox: who signed in, or `X-Acting-User`."""
    correlationId: NotRequired[str]
    """Its `X-Request-Correlation-Id`. Outside the sandbox left out if you chose one that is not a UUID or 32 hexadecimal digits."""
    workspaceId: NotRequired[str]
    """The workspace. Paths and queries ask for it as `workspace_id`."""
    fault: NotRequired[str]
    """What `/sandbox/v1/faults` injected into it."""
    errors: list[LoggedError]
    """Why it was refused. Outside the sandbox only the fields; a name that is not of the interface is `…` there."""


class LoggedRequestBody(TypedDict):
    """In the sandbox: what was sent, if it was JSON."""

    text: str
    """The JSON, without secrets."""
    isTruncated: bool
    """Whether more followed."""


class MaintenanceAnswer(TypedDict):
    enabled: bool
    """While true, every operation of partners answers 503."""


class MaintenanceRequest(TypedDict):
    enabled: bool
    """While true, every operation of partners answers 503."""


class MatchDetail(TypedDict):
    """Part by part. Left out for organisations and while `PENDING`."""

    surname: Literal["MATCH", "PARTIAL_MATCH", "NO_MATCH", "SKIPPED"]
    """Against the linked proprietor, or the nearest unmatched one. `SKIPPED` where there is none."""
    forenames: Literal["MATCH", "PARTIAL_MATCH", "NO_MATCH", "SKIPPED"]
    """The same of the forenames. `SKIPPED` too where the surnames do not match."""


class MetadataAnswer(TypedDict):
    issuer: str
    """The `iss` of the tokens."""
    token_endpoint: str
    """Where to get tokens."""
    jwks_uri: str
    """Where the public keys are."""
    scopes_supported: list[Literal["x-api:view:reports", "x-api:create:remortgage_workspaces", "x-api:cancel:workspaces", "edit:workspaces", "view:workspaces", "edit:workspace_parties", "add:legal_representation_details", "x-api:add:workspace_titles", "x-api:view:lodgement_summary", "x-api:view:documents", "view:title_documents", "x-api:edit:lodgement_applications", "x-api:create:attachments", "x-api:add:workspace_files", "x-api:approve:lodgement_applications", "x-api:unapprove:lodgement_applications", "view:financial_settlement_schedules", "edit:financial_settlement_schedules", "x-api:approve:financial_settlement_schedules", "x-api:unapprove:financial_settlement_schedules", "x-api:authorise:funds", "view:notifications", "view:requests", "edit:notification_registrations"]]
    """Every scope that a client can be granted."""
    response_types_supported: list[str]
    """None: there is no authorisation endpoint."""
    grant_types_supported: list[Literal["client_credentials"]]
    """The only grant there is."""
    token_endpoint_auth_methods_supported: list[Literal["client_secret_basic", "client_secret_post"]]
    """HTTP Basic, or id and secret in the body."""
    service_documentation: str
    """For people."""


class MoveClockAnswer(TypedDict):
    now: str
    """The time that the clock of the service now shows."""
    ran: int
    """How many jobs were run."""
    due: list[DueRecord]
    """What became due, in order: the first 100. Each may have started other jobs."""


class MoveClockRequest(TypedDict):
    advance: NotRequired[str]
    """An ISO 8601 duration."""
    set: NotRequired[str]
    """A time that is not in the past."""
    to: NotRequired[Literal["next"]]
    """To the next thing that becomes due for a workspace, or else for the service itself."""


class NewNotificationRegistration(TypedDict):
    registrationId: str
    """The webhook registration. Paths ask for it as `registration_id`."""
    subscriberId: str
    """Your organisation. Nobody else sees or changes the registration."""
    webhookURI: str
    """Where events are sent."""
    eventTypes: list[Literal["WORKSPACE_CREATED", "WORKSPACE_PARTICIPANT_ADDED", "WORKSPACE_UPDATED", "TITLE_SEARCH_PENDING", "TITLE_DATA_RECEIVED", "TITLE_NOT_FOUND", "TITLE_REMOVED", "TITLE_RECONCILIATION_UPDATED", "REPRESENTATION_ADDED", "REPRESENTATION_FAILED", "REPRESENTATION_UPDATED", "FILE_UPLOAD_SUCCEEDED", "FILE_UPLOAD_FAILED", "FILE_WITHDRAWN", "LODGEMENT_APPLICATION_UPDATED", "READINESS_CONFIRMED", "LODGEMENT_CASE_PREPARED", "LODGEMENT_CASE_UNAPPROVED", "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED", "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED", "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED", "WORKSPACE_PREPARED", "WORKSPACE_REVERTED_TO_CREATED", "WORKSPACE_FUNDS_AUTHORISED", "WORKSPACE_FUNDS_UNAUTHORISED", "SETTLEMENT_DUE", "LINE_ITEM_PAID", "LINE_ITEM_UNPAID", "WORKSPACE_FUNDS_EXCHANGED", "LODGEMENT_WAITING", "REGISTRY_WAITING", "LODGEMENT_SUBMITTED", "WORKSPACE_LODGED", "WORKSPACE_REQUISITIONED", "REQUISITION_DUE_SOON", "REQUISITION_ANSWERED", "REQUISITION_CLOSED", "REGISTRY_DOCUMENT_RECEIVED", "LODGEMENT_REJECTED", "LODGEMENT_PARTIALLY_REGISTERED", "LODGEMENT_REGISTERED", "WORKSPACE_CLOSED", "WORKSPACE_CANCELLED", "REPORT_GENERATED", "SECRET_EXPIRY"]]
    """The events that are sent."""
    status: Literal["UNVERIFIED", "VERIFIED"]
    """An `UNVERIFIED` address is sent only challenges; its events wait for up to 30 days. It is `VERIFIED` once it answers a `CHALLENGE` with a 2xx whose body is `data.challenge`."""
    sharedSecretExpiry: str
    """Rotate the secret before then: `SECRET_EXPIRY` reminds you."""
    createdAt: str
    """Events that happen after this time are sent."""
    sharedSecret: str
    """Signs every delivery (Standard Webhooks). Shown here and never again."""


class NewSubscriberAnswer(TypedDict):
    subscriberId: str
    """The organisation on the platform."""
    clientId: str
    """Use it to request a token."""
    clientSecret: str
    """Shown once."""


class NewSubscriberRequest(TypedDict):
    kind: Literal["LENDER", "LAW_FIRM"]
    """The kind decides what the subscriber may do."""
    name: str
    """Shown to the other participants of a workspace."""


class Notification(TypedDict):
    notificationId: str
    """One event on its way to one registration."""
    registrationId: str
    """The webhook registration. Paths ask for it as `registration_id`."""
    eventId: str
    """The `id` of the payload and the header `webhook-id`."""
    workspaceId: NotRequired[str]
    """Left out for a delivery that concerns no workspace."""
    type: Literal["WORKSPACE_CREATED", "WORKSPACE_PARTICIPANT_ADDED", "WORKSPACE_UPDATED", "TITLE_SEARCH_PENDING", "TITLE_DATA_RECEIVED", "TITLE_NOT_FOUND", "TITLE_REMOVED", "TITLE_RECONCILIATION_UPDATED", "REPRESENTATION_ADDED", "REPRESENTATION_FAILED", "REPRESENTATION_UPDATED", "FILE_UPLOAD_SUCCEEDED", "FILE_UPLOAD_FAILED", "FILE_WITHDRAWN", "LODGEMENT_APPLICATION_UPDATED", "READINESS_CONFIRMED", "LODGEMENT_CASE_PREPARED", "LODGEMENT_CASE_UNAPPROVED", "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED", "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED", "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED", "WORKSPACE_PREPARED", "WORKSPACE_REVERTED_TO_CREATED", "WORKSPACE_FUNDS_AUTHORISED", "WORKSPACE_FUNDS_UNAUTHORISED", "SETTLEMENT_DUE", "LINE_ITEM_PAID", "LINE_ITEM_UNPAID", "WORKSPACE_FUNDS_EXCHANGED", "LODGEMENT_WAITING", "REGISTRY_WAITING", "LODGEMENT_SUBMITTED", "WORKSPACE_LODGED", "WORKSPACE_REQUISITIONED", "REQUISITION_DUE_SOON", "REQUISITION_ANSWERED", "REQUISITION_CLOSED", "REGISTRY_DOCUMENT_RECEIVED", "LODGEMENT_REJECTED", "LODGEMENT_PARTIALLY_REGISTERED", "LODGEMENT_REGISTERED", "WORKSPACE_CLOSED", "WORKSPACE_CANCELLED", "REPORT_GENERATED", "SECRET_EXPIRY", "TEST", "CHALLENGE"]
    """The type of the event, or `TEST` or `CHALLENGE` where there is no event."""
    status: Literal["PENDING", "DELIVERED", "DEAD"]
    """`DEAD` after the last attempt failed. Then it is sent again only when you ask for it."""
    createdAt: str
    """When it was planned: the time of the event."""
    nextAttemptAt: NotRequired[str]
    """Left out when none is planned, or while it waits for an earlier delivery."""
    attempts: list[NotificationAttempt]
    """Oldest first."""


class NotificationAttempt(TypedDict):
    at: str
    """When it was sent."""
    status: NotRequired[int]
    """The status of the response. Any 2xx means delivered; a `CHALLENGE` also needs `data.challenge` as the body."""
    durationMs: int
    """Until the response was read, or given up after 5 seconds."""
    response: NotRequired[str]
    """The first 1 KiB of the response. Left out where it had no body."""
    error: NotRequired[str]
    """Why there was no response, or what is wrong with the response to a challenge."""


class NotificationDetail(TypedDict):
    notificationId: str
    """One event on its way to one registration."""
    registrationId: str
    """The webhook registration. Paths ask for it as `registration_id`."""
    eventId: str
    """The `id` of the payload and the header `webhook-id`."""
    workspaceId: NotRequired[str]
    """Left out for a delivery that concerns no workspace."""
    type: Literal["WORKSPACE_CREATED", "WORKSPACE_PARTICIPANT_ADDED", "WORKSPACE_UPDATED", "TITLE_SEARCH_PENDING", "TITLE_DATA_RECEIVED", "TITLE_NOT_FOUND", "TITLE_REMOVED", "TITLE_RECONCILIATION_UPDATED", "REPRESENTATION_ADDED", "REPRESENTATION_FAILED", "REPRESENTATION_UPDATED", "FILE_UPLOAD_SUCCEEDED", "FILE_UPLOAD_FAILED", "FILE_WITHDRAWN", "LODGEMENT_APPLICATION_UPDATED", "READINESS_CONFIRMED", "LODGEMENT_CASE_PREPARED", "LODGEMENT_CASE_UNAPPROVED", "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED", "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED", "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED", "WORKSPACE_PREPARED", "WORKSPACE_REVERTED_TO_CREATED", "WORKSPACE_FUNDS_AUTHORISED", "WORKSPACE_FUNDS_UNAUTHORISED", "SETTLEMENT_DUE", "LINE_ITEM_PAID", "LINE_ITEM_UNPAID", "WORKSPACE_FUNDS_EXCHANGED", "LODGEMENT_WAITING", "REGISTRY_WAITING", "LODGEMENT_SUBMITTED", "WORKSPACE_LODGED", "WORKSPACE_REQUISITIONED", "REQUISITION_DUE_SOON", "REQUISITION_ANSWERED", "REQUISITION_CLOSED", "REGISTRY_DOCUMENT_RECEIVED", "LODGEMENT_REJECTED", "LODGEMENT_PARTIALLY_REGISTERED", "LODGEMENT_REGISTERED", "WORKSPACE_CLOSED", "WORKSPACE_CANCELLED", "REPORT_GENERATED", "SECRET_EXPIRY", "TEST", "CHALLENGE"]
    """The type of the event, or `TEST` or `CHALLENGE` where there is no event."""
    status: Literal["PENDING", "DELIVERED", "DEAD"]
    """`DEAD` after the last attempt failed. Then it is sent again only when you ask for it."""
    createdAt: str
    """When it was planned: the time of the event."""
    nextAttemptAt: NotRequired[str]
    """Left out when none is planned, or while it waits for an earlier delivery."""
    attempts: list[NotificationAttempt]
    """Oldest first."""
    body: str
    """The body of the request, byte for byte, in UTF-8: what the signature is over."""
    headers: dict[str, str]
    """The headers of the last attempt. Empty before it, and for attempts before version 1.1.0."""
    waitsFor: NotRequired[str]
    """The delivery of the same workspace and registration that must end before this one is sent."""
    waitingBehind: int
    """How many later ones of the same workspace and registration wait for it. At most 1,000 are counted."""


class NotificationPage(TypedDict):
    records: list[Notification]
    """One page, `limit` records at most. Empty where there are none."""
    nextCursor: NotRequired[str]
    """Goes into `cursor` to ask for the next page. Left out on the last."""


class NotificationRegistration(TypedDict):
    registrationId: str
    """The webhook registration. Paths ask for it as `registration_id`."""
    subscriberId: str
    """Your organisation. Nobody else sees or changes the registration."""
    webhookURI: str
    """Where events are sent."""
    eventTypes: list[Literal["WORKSPACE_CREATED", "WORKSPACE_PARTICIPANT_ADDED", "WORKSPACE_UPDATED", "TITLE_SEARCH_PENDING", "TITLE_DATA_RECEIVED", "TITLE_NOT_FOUND", "TITLE_REMOVED", "TITLE_RECONCILIATION_UPDATED", "REPRESENTATION_ADDED", "REPRESENTATION_FAILED", "REPRESENTATION_UPDATED", "FILE_UPLOAD_SUCCEEDED", "FILE_UPLOAD_FAILED", "FILE_WITHDRAWN", "LODGEMENT_APPLICATION_UPDATED", "READINESS_CONFIRMED", "LODGEMENT_CASE_PREPARED", "LODGEMENT_CASE_UNAPPROVED", "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED", "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED", "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED", "WORKSPACE_PREPARED", "WORKSPACE_REVERTED_TO_CREATED", "WORKSPACE_FUNDS_AUTHORISED", "WORKSPACE_FUNDS_UNAUTHORISED", "SETTLEMENT_DUE", "LINE_ITEM_PAID", "LINE_ITEM_UNPAID", "WORKSPACE_FUNDS_EXCHANGED", "LODGEMENT_WAITING", "REGISTRY_WAITING", "LODGEMENT_SUBMITTED", "WORKSPACE_LODGED", "WORKSPACE_REQUISITIONED", "REQUISITION_DUE_SOON", "REQUISITION_ANSWERED", "REQUISITION_CLOSED", "REGISTRY_DOCUMENT_RECEIVED", "LODGEMENT_REJECTED", "LODGEMENT_PARTIALLY_REGISTERED", "LODGEMENT_REGISTERED", "WORKSPACE_CLOSED", "WORKSPACE_CANCELLED", "REPORT_GENERATED", "SECRET_EXPIRY"]]
    """The events that are sent."""
    status: Literal["UNVERIFIED", "VERIFIED"]
    """An `UNVERIFIED` address is sent only challenges; its events wait for up to 30 days. It is `VERIFIED` once it answers a `CHALLENGE` with a 2xx whose body is `data.challenge`."""
    sharedSecretExpiry: str
    """Rotate the secret before then: `SECRET_EXPIRY` reminds you."""
    createdAt: str
    """Events that happen after this time are sent."""


class NotificationRegistrationPage(TypedDict):
    records: list[NotificationRegistration]
    """One page, `limit` records at most. Empty where there are none."""
    nextCursor: NotRequired[str]
    """Goes into `cursor` to ask for the next page. Left out on the last."""


class NotificationRegistrationRequest(TypedDict):
    webhookURI: str
    """Where events are sent: https, without credentials, to a public address. In the sandbox also http, to loopback."""
    eventTypes: list[Literal["WORKSPACE_CREATED", "WORKSPACE_PARTICIPANT_ADDED", "WORKSPACE_UPDATED", "TITLE_SEARCH_PENDING", "TITLE_DATA_RECEIVED", "TITLE_NOT_FOUND", "TITLE_REMOVED", "TITLE_RECONCILIATION_UPDATED", "REPRESENTATION_ADDED", "REPRESENTATION_FAILED", "REPRESENTATION_UPDATED", "FILE_UPLOAD_SUCCEEDED", "FILE_UPLOAD_FAILED", "FILE_WITHDRAWN", "LODGEMENT_APPLICATION_UPDATED", "READINESS_CONFIRMED", "LODGEMENT_CASE_PREPARED", "LODGEMENT_CASE_UNAPPROVED", "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED", "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED", "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED", "WORKSPACE_PREPARED", "WORKSPACE_REVERTED_TO_CREATED", "WORKSPACE_FUNDS_AUTHORISED", "WORKSPACE_FUNDS_UNAUTHORISED", "SETTLEMENT_DUE", "LINE_ITEM_PAID", "LINE_ITEM_UNPAID", "WORKSPACE_FUNDS_EXCHANGED", "LODGEMENT_WAITING", "REGISTRY_WAITING", "LODGEMENT_SUBMITTED", "WORKSPACE_LODGED", "WORKSPACE_REQUISITIONED", "REQUISITION_DUE_SOON", "REQUISITION_ANSWERED", "REQUISITION_CLOSED", "REGISTRY_DOCUMENT_RECEIVED", "LODGEMENT_REJECTED", "LODGEMENT_PARTIALLY_REGISTERED", "LODGEMENT_REGISTERED", "WORKSPACE_CLOSED", "WORKSPACE_CANCELLED", "REPORT_GENERATED", "SECRET_EXPIRY"]]
    """The events that are sent."""


class OpenRequisition(TypedDict):
    """The open one, where there is one. `GET …/requisitions` has all of them."""

    requisitionId: str
    """The requisition. A further question of the registry is a new requisition."""
    receivedAt: str
    """When the registry asked."""
    dueAt: str
    """By when to answer: 20 business days later. After that the case is rejected."""
    points: list[str]
    """What the registry wants to know, in its own words. Empty where it sent a letter."""
    fileIds: list[str]
    """The letter: files of the workspace, with the `source` `REGISTRY`. Each arrives shortly after the requisition."""


class OrganisationBorrowerRequest(TypedDict):
    type: Literal["ORGANISATION"]
    """Decides which `partyDetails` are expected."""
    role: Literal["BORROWER"]
    """Other roles come of title reconciliation."""
    partyDetails: OrganisationDetails
    addressForService: NotRequired[AddressForServiceRequest]
    participants: list[ParticipantRequest]
    """The law firm that acts. It sees the workspace from now on."""


class OrganisationDetails(TypedDict):
    """The name of an organisation, and its number where it has one."""

    organisationName: str
    """In full; `Ltd` and `Limited` match each other."""
    registrationNumber: NotRequired[str]
    """At Companies House. Digits alone are filled up with zeros on the left to 8."""


class OrganisationDetailsAnswer(TypedDict):
    """The name of an organisation, and its number where it has one."""

    organisationName: str
    """As it was given, or as the register has it."""
    registrationNumber: NotRequired[str]
    """In upper case; digits alone filled up to 8."""


class ParticipantRequest(TypedDict):
    id: str
    """The `subscriberId` of the law firm that acts: an active one."""
    role: Literal["CONVEYANCER"]
    """Acts for the borrowers and lodges the case."""


class PartyRepresentation(TypedDict):
    """The active one, where there is one."""

    representationId: str
    """The representation. A party that is represented again gets a new one."""
    representedBy: Literal["PLATFORM_SUBSCRIBER_LAW_FIRM", "EXTERNAL_LAW_FIRM", "NOT_REPRESENTED"]
    """A law firm on the platform, another one, or nobody."""
    subscriberId: NotRequired[str]
    """The law firm. Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`."""
    externalLawFirm: NotRequired[ExternalLawFirm]
    referenceNumber: NotRequired[str]
    """What the firm files it under. Left out for `NOT_REPRESENTED`."""
    verificationOfIdentity: NotRequired[Literal["LAW_FIRM_CERTIFIED", "IDENTITY_EVIDENCE"]]
    """How the identity of the party is verified. Only for `NOT_REPRESENTED`."""
    status: Literal["ACTIVE"]
    """Others are listed by `GET …/representation`."""


class PartyWaiting(TypedDict):
    who: Literal["LAW_FIRM", "LENDER", "REGISTRY", "BANK", "CLOCK", "SERVICE"]
    """Who must act. `LAW_FIRM`: the law firm; `LENDER`: the lender; `REGISTRY`: the registry; `BANK`: the bank; `CLOCK`: nobody until completion day; `SERVICE`: this service."""
    days: float
    """How long workspaces waited for this one, all together."""
    share: float
    """Of all waiting, in per cent."""


class PaymentFailure(TypedDict):
    """Why the last payment was refused. Left out once funds are authorised again."""

    at: str
    """When the bank refused it, or the law firm said that it could not be paid."""
    lineItemId: NotRequired[str]
    """The line whose payment was refused, where it was one. It may have been deleted since."""
    reason: str
    """What the bank said, which names no account; or the law firm, where it was to pay."""


class PaymentFailureRequest(TypedDict):
    reason: str
    """Why it cannot be paid, for the lender. Name no account."""
    confirmedBy: str
    """Who says so."""


class Plan(TypedDict):
    records: list[PlanRecord]
    """The next first."""


class PlanRecord(TypedDict):
    at: str
    """When it will happen, by the clock of the service."""
    type: Literal["PAYMENT", "COMPLETION_DAY_ENDS", "TITLE_SEARCH", "SUBMISSION", "REGISTRY_CHECK", "REQUISITION_REMINDER", "REQUISITION_DEADLINE", "REQUISITION_REPLY", "FILE_CHECK"]
    """`PAYMENT`: the payment is asked for; `COMPLETION_DAY_ENDS`: from then on another date is needed; `TITLE_SEARCH`, `SUBMISSION`, `REGISTRY_CHECK`, `REQUISITION_REPLY`: the registry is asked or sent something again; `REQUISITION_REMINDER`, `REQUISITION_DEADLINE`: about a requisition that is open; `FILE_CHECK`: a file is checked again."""
    message: str
    """The same in a sentence for people."""


class PropertyRequest(TypedDict):
    """Where it lies and, where known, its title."""

    jurisdiction: NotRequired[Literal["ENGLAND_WALES"]]
    """The only one so far."""
    securityAddress: SecurityAddressRequest
    titleNumber: NotRequired[str]
    """When given, the title search starts at once. Case and spaces do not matter."""


class ReadinessConfirmedEvent(TypedDict):
    """A person confirmed that a matter is right as it is, although a readiness rule says otherwise."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["READINESS_CONFIRMED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class ReadinessPage(TypedDict):
    records: list[ReadinessRecord]
    """One page, `limit` records at most. Empty where there are none."""
    nextCursor: NotRequired[str]
    """Goes into `cursor` to ask for the next page. Left out on the last."""


class ReadinessRecord(TypedDict):
    ruleId: Literal["title-must-be-valid", "all-proprietors-matched-to-borrowers", "proprietor-count", "party-representation-type-is-valid", "required-identity-evidence-provided", "all-mandatory-documents-provided", "charge-must-have-non-negative-value", "transfer-must-have-value", "mdref-on-record", "deed-is-effective", "registry-takes-parties", "registry-takes-application", "schedule-has-source", "schedule-has-destination", "schedule-balances", "completion-date-is-valid", "security-address-matches-register", "deed-is-certified", "some-proprietor-stays", "resubmission-was-changed", "redemption-provided-for-registered-charge", "advance-covers-deed"]
    """The registry’s own name of the rule, where it has one."""
    approval: Literal["LODGEMENT", "FINANCIAL"]
    """The approval that it belongs to."""
    kind: Literal["BLOCKING", "CONFIRMABLE", "BLOCKING_SUBMISSION"]
    """`BLOCKING`: the approval is refused until it passes. `CONFIRMABLE`: it is refused until it passes, or a person confirms that the matter is right as it is. `BLOCKING_SUBMISSION`: the case can be approved before it passes, and is not sent to the registry until then."""
    outcome: Literal["PASSED", "FAILED", "CONFIRMED"]
    """What the rule came to."""
    passed: bool
    """True where `outcome` is `PASSED` or `CONFIRMED`."""
    message: str
    """What is wrong and what can be done about it now, or that it is right. A refused approval says the same."""
    field: str
    """What to correct."""
    confirmation: NotRequired[Confirmation]


class ReadyAnswer(TypedDict):
    status: Literal["ready"]
    """Database, migrations, blob store and clock are ok, and the node is not stopping."""


class ReconciledParty(TypedDict):
    partyId: str
    """The party, as the workspace lists it: a borrower, or an outgoing proprietor."""
    type: Literal["INDIVIDUAL", "ORGANISATION"]
    """Whether the details are those of a person or of an organisation."""
    role: Literal["BORROWER", "INCOMING_PROPRIETOR", "OUTGOING_PROPRIETOR"]
    """A borrower who comes to the title is `INCOMING_PROPRIETOR`; who leaves it, `OUTGOING_PROPRIETOR`."""
    partyDetails: Union[IndividualDetailsAnswer, OrganisationDetailsAnswer]
    """The present name, by `type`."""
    addressForService: NotRequired[AddressForService]
    match: Literal["MATCH", "MISMATCH", "PENDING"]
    """`MATCH` where it is linked to a proprietor, comes or leaves; `PENDING` before a search succeeded."""
    proprietorId: NotRequired[str]
    """The proprietor whom it is, will be or was. Where linked."""
    matchDetail: NotRequired[MatchDetail]
    similarity: list[Similarity]
    """Unmatched proprietors whose name is close. Shown, and never accepted for you."""


class RegisterExtract(TypedDict):
    """The register as it then stood, for programs and as it is printed."""

    ocSummaryData: dict[str, object]
    """Title, proprietorship, restrictions and charges as data."""
    ocRegisterData: dict[str, object]
    """The property, proprietorship and charges registers, entry by entry."""


class RegistrationTimes(TypedDict):
    """From the order to the registration."""

    count: int
    """How many workspaces were closed, because their case was registered."""
    medianDays: NotRequired[float]
    """Half of them took at most this long from the order. Left out where there are none."""
    p90Days: NotRequired[float]
    """Nine of ten took at most this long."""
    weeks: list[RegistrationWeek]
    """How long they took, the shortest first."""


class RegistrationWeek(TypedDict):
    weeks: int
    """Whole weeks from the order to the registration; 26 is all that took longer."""
    count: int
    """How many took that long."""


class RegistryDocumentReceivedEvent(TypedDict):
    """The registry sent a document: a letter, a completion document or a copy of the register."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["REGISTRY_DOCUMENT_RECEIVED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class RegistryWait(TypedDict):
    """Why the title search, the lodgement or an answer has not reached the registry yet. Nothing is lost: it is tried again until it succeeds. Left out while nothing waits."""

    reason: Literal["NO_ACCOUNT", "ACCOUNT_REFUSED", "REGISTRY_CLOSED", "REGISTRY_UNAVAILABLE"]
    """`NO_ACCOUNT` and `ACCOUNT_REFUSED` need the operator of the platform: the law firm has no account at the registry, or the registry refuses it. The others pass by themselves."""
    since: str
    """Since when it waits for this reason."""
    message: str
    """The reason in a sentence."""


class RegistryWaitingEvent(TypedDict):
    """The registry cannot be asked: the law firm has no account there, or the registry refuses it."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["REGISTRY_WAITING"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class RepeatEventRequest(TypedDict):
    listener: str
    """The program that gets it again: a name of `GET …/listeners`."""


class RepeatedEvent(TypedDict):
    eventId: str
    """The event. The program sees the same `id` as before."""
    listener: str
    """The program that gets it again."""


class ReportGeneratedEvent(TypedDict):
    """A report is ready to be retrieved."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["REPORT_GENERATED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class Representation(TypedDict):
    workspaceId: str
    """The workspace. Paths and queries ask for it as `workspace_id`."""
    partyId: str
    """The party, as the workspace lists it: a borrower, or an outgoing proprietor."""
    representationId: str
    """The representation. A party that is represented again gets a new one."""
    representedBy: Literal["PLATFORM_SUBSCRIBER_LAW_FIRM", "EXTERNAL_LAW_FIRM", "NOT_REPRESENTED"]
    """A law firm on the platform, another one, or nobody."""
    subscriberId: NotRequired[str]
    """The law firm. Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`."""
    externalLawFirm: NotRequired[ExternalLawFirm]
    referenceNumber: NotRequired[str]
    """What the firm files it under. Left out for `NOT_REPRESENTED`."""
    verificationOfIdentity: NotRequired[Literal["LAW_FIRM_CERTIFIED", "IDENTITY_EVIDENCE"]]
    """How the identity of the party is verified. Only for `NOT_REPRESENTED`."""
    status: Literal["QUEUED", "ACTIVE", "FAILED", "SUPERSEDED"]
    """`QUEUED` at first, soon `ACTIVE` or `FAILED`; `SUPERSEDED` by a later one of the same party."""
    failureReason: NotRequired[Literal["PARTY_GONE", "WORKSPACE_LOCKED", "WORKSPACE_CANCELLED", "FIRM_SUSPENDED"]]
    """What had changed since it was queued. Only where it `FAILED`."""
    auditAttributes: AuditAttributes


class RepresentationAddedEvent(TypedDict):
    """A representation of a party became active."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["REPRESENTATION_ADDED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class RepresentationFailedEvent(TypedDict):
    """A representation that was queued could not become active."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["REPRESENTATION_FAILED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class RepresentationPage(TypedDict):
    records: list[Representation]
    """One page, `limit` records at most. Empty where there are none."""
    nextCursor: NotRequired[str]
    """Goes into `cursor` to ask for the next page. Left out on the last."""


class RepresentationUpdatedEvent(TypedDict):
    """The details of an external law firm were changed."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["REPRESENTATION_UPDATED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class RequestConsequence(TypedDict):
    kind: Literal["EVENT", "DELIVERY", "JOB"]
    """An event, its delivery to a webhook of yours, or a job that is planned."""
    id: NotRequired[str]
    """The `eventId` or `notificationId`. A job has none."""
    name: str
    """The type of the event, or the name of the job."""
    status: NotRequired[str]
    """Of a delivery."""
    at: str
    """When it happened or will happen, by the clock of the service."""


class RequestDetail(TypedDict):
    requestId: str
    """One call."""
    at: str
    """When it arrived, in real time, also in the sandbox."""
    method: str
    """The method."""
    route: str
    """The path as this document writes it."""
    operation: str
    """The `operationId` in this document."""
    status: int
    """The status of the answer."""
    durationMs: int
    """Until the answer was sent."""
    clientId: str
    """The client that called, or `person:` and the id of somebody who used the console."""
    person: NotRequired[str]
    """In the sandbox: who signed in, or `X-Acting-User`."""
    correlationId: NotRequired[str]
    """Its `X-Request-Correlation-Id`. Outside the sandbox left out if you chose one that is not a UUID or 32 hexadecimal digits."""
    workspaceId: NotRequired[str]
    """The workspace. Paths and queries ask for it as `workspace_id`."""
    fault: NotRequired[str]
    """What `/sandbox/v1/faults` injected into it."""
    errors: list[LoggedError]
    """Why it was refused. Outside the sandbox only the fields; a name that is not of the interface is `…` there."""
    path: NotRequired[str]
    """In the sandbox: path and query."""
    headers: NotRequired[dict[str, str]]
    """In the sandbox: the headers that matter for the answer. Never `Authorization`."""
    body: NotRequired[LoggedRequestBody]
    answer: NotRequired[LoggedAnswerBody]
    followed: list[RequestConsequence]
    """What has the same correlation id in the same workspace, oldest first."""


class RequestErrorCount(TypedDict):
    method: str
    """The method."""
    route: str
    """The path as this document writes it."""
    operation: str
    """The `operationId` in this document."""
    status: int
    """The status of the answer."""
    field: NotRequired[str]
    """The field that is wrong, where there is one."""
    count: int
    """In how many errors of answers."""
    lastAt: str
    """The last time."""
    lastRequestId: str
    """One call."""


class RequestErrors(TypedDict):
    records: list[RequestErrorCount]
    """The most frequent first."""


class RequestPage(TypedDict):
    records: list[LoggedRequest]
    """One page, `limit` records at most. Empty where there are none."""
    nextCursor: NotRequired[str]
    """Goes into `cursor` to ask for the next page. Left out on the last."""


class RequisitionAnsweredEvent(TypedDict):
    """A requisition was answered."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["REQUISITION_ANSWERED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class RequisitionClosedEvent(TypedDict):
    """A person read a letter of the registry, and said that it needs no answer."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["REQUISITION_CLOSED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class RequisitionClosure(TypedDict):
    """Only where a person said that it needs no answer."""

    at: str
    """When it was closed."""
    reason: str
    """Why it needs no answer."""
    confirmedBy: str
    """The e-mail address of the person who read the letter."""


class RequisitionClosureRequest(TypedDict):
    reason: str
    """Why it needs no answer."""
    confirmedBy: str
    """The e-mail address of the person who read the letter."""


class RequisitionDueSoonEvent(TypedDict):
    """A requisition is still open 10, 5 or 1 business days before its answer is due."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["REQUISITION_DUE_SOON"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class RequisitionFigures(TypedDict):
    """What the registry asked."""

    cases: int
    """How many cases were sent to the registry."""
    reasons: list[RequisitionReason]
    """The most frequent first."""


class RequisitionPage(TypedDict):
    records: list[RequisitionRecord]
    """One page, `limit` records at most. Empty where there are none."""
    nextCursor: NotRequired[str]
    """Goes into `cursor` to ask for the next page. Left out on the last."""


class RequisitionReason(TypedDict):
    reason: str
    """The point that the registry raised, or `LETTER`."""
    count: int
    """How often it was raised."""


class RequisitionRecord(TypedDict):
    requisitionId: str
    """The requisition. A further question of the registry is a new requisition."""
    receivedAt: str
    """When the registry asked."""
    dueAt: str
    """By when to answer: 20 business days later. After that the case is rejected."""
    points: list[str]
    """What the registry wants to know, in its own words. Empty where it sent a letter."""
    fileIds: list[str]
    """The letter: files of the workspace, with the `source` `REGISTRY`. Each arrives shortly after the requisition."""
    status: Literal["OPEN", "ANSWERED", "ACCEPTED", "LAPSED", "NO_ANSWER_NEEDED"]
    """`ANSWERED` until the registry accepts the answer. It stays so where the registry asks again instead, in a requisition of its own, or cancels the case. `LAPSED`: the case was rejected before there was an answer. `NO_ANSWER_NEEDED`: a person said so (`closure`), or the registry went on without an answer."""
    replies: list[RequisitionReply]
    """Empty until it is answered. A requisition is answered once."""
    closure: NotRequired[RequisitionClosure]


class RequisitionReply(TypedDict):
    at: str
    """When it was given."""
    by: str
    """The person of `X-Acting-User`, else the client id."""
    message: str
    """As the registry read it."""
    fileIds: list[str]
    """What was sent with it. These files can be downloaded for as long as the workspace exists."""


class RequisitionReplyAnswer(TypedDict):
    requisitionId: str
    """The requisition. A further question of the registry is a new requisition."""
    lodgementCaseStatus: Literal["CREATED", "PREPARED", "INITIATED", "LODGED", "REQUISITIONED", "REQUISITION_SUBMITTED", "REGISTRATION_REJECTED", "RESUBMISSION_PREPARED", "PARTIALLY_REGISTERED", "DISCHARGE_SUBMITTED", "REGISTERED", "CANCELLED"]
    """`PREPARED` is approved, `INITIATED` sent to the registry, `LODGED` accepted there with priority. `DISCHARGE_SUBMITTED`: after an early completion (`PARTIALLY_REGISTERED`) the discharge was sent on its own."""


class RequisitionReplyRequest(TypedDict):
    message: str
    """The answer, as the registry is to read it."""
    fileIds: NotRequired[list[str]]
    """Files of the workspace whose upload status is `SUCCESS`, to be sent with the answer."""


class ResetAnswer(TypedDict):
    now: str
    """The time that the clock of the service now shows."""


class RetriedNotifications(TypedDict):
    count: int
    """How many are sent again now, or would be with `dryRun`."""
    hasMore: bool
    """Whether more match: repeat the request for these."""


class RetryNotificationsRequest(TypedDict):
    status: NotRequired[Literal["PENDING", "DEAD"]]
    """`PENDING`: those with their next attempt in the future."""
    type: NotRequired[Literal["WORKSPACE_CREATED", "WORKSPACE_PARTICIPANT_ADDED", "WORKSPACE_UPDATED", "TITLE_SEARCH_PENDING", "TITLE_DATA_RECEIVED", "TITLE_NOT_FOUND", "TITLE_REMOVED", "TITLE_RECONCILIATION_UPDATED", "REPRESENTATION_ADDED", "REPRESENTATION_FAILED", "REPRESENTATION_UPDATED", "FILE_UPLOAD_SUCCEEDED", "FILE_UPLOAD_FAILED", "FILE_WITHDRAWN", "LODGEMENT_APPLICATION_UPDATED", "READINESS_CONFIRMED", "LODGEMENT_CASE_PREPARED", "LODGEMENT_CASE_UNAPPROVED", "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED", "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED", "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED", "WORKSPACE_PREPARED", "WORKSPACE_REVERTED_TO_CREATED", "WORKSPACE_FUNDS_AUTHORISED", "WORKSPACE_FUNDS_UNAUTHORISED", "SETTLEMENT_DUE", "LINE_ITEM_PAID", "LINE_ITEM_UNPAID", "WORKSPACE_FUNDS_EXCHANGED", "LODGEMENT_WAITING", "REGISTRY_WAITING", "LODGEMENT_SUBMITTED", "WORKSPACE_LODGED", "WORKSPACE_REQUISITIONED", "REQUISITION_DUE_SOON", "REQUISITION_ANSWERED", "REQUISITION_CLOSED", "REGISTRY_DOCUMENT_RECEIVED", "LODGEMENT_REJECTED", "LODGEMENT_PARTIALLY_REGISTERED", "LODGEMENT_REGISTERED", "WORKSPACE_CLOSED", "WORKSPACE_CANCELLED", "REPORT_GENERATED", "SECRET_EXPIRY", "TEST", "CHALLENGE"]]
    """Only of this type. Challenges are never among them."""
    registrationId: NotRequired[str]
    """Only to this registration."""
    workspaceId: NotRequired[str]
    """Only about this workspace."""
    createdSince: NotRequired[str]
    """Planned at this time or later."""
    createdBefore: NotRequired[str]
    """Planned before this time."""
    dryRun: NotRequired[bool]
    """`true`: count them, and send nothing."""


class RotatedSecret(TypedDict):
    registrationId: str
    """The webhook registration. Paths ask for it as `registration_id`."""
    sharedSecret: str
    """Signs every delivery (Standard Webhooks). Shown here and never again."""
    sharedSecretExpiry: str
    """When the new secret expires: 365 days from now."""


class RunScenarioRequest(TypedDict):
    until: NotRequired[str]
    """The step to stop after. The last one if left out."""


class Scenario(TypedDict):
    name: str
    """The name of the scenario."""
    title: str
    """Its name for people."""
    description: str
    """What happens, in words."""
    titleNumber: str
    """The title that it is played on."""
    steps: list[ScenarioStep]
    """In order."""


class ScenarioCall(TypedDict):
    client: NotRequired[str]
    """The client that made it; none controls the sandbox."""
    method: str
    """The HTTP method."""
    path: str
    """The path, with its query."""
    status: int
    """The status of the answer."""


class ScenarioRun(TypedDict):
    runId: str
    """The run."""
    scenario: str
    """The name of the scenario."""
    reference: str
    """The reference of its workspace."""
    status: Literal["WAITING", "RUNNING", "DONE", "FAILED"]
    """`WAITING` behind another run, or for the step before."""
    workspaceId: NotRequired[str]
    """The workspace. Paths and queries ask for it as `workspace_id`."""
    error: NotRequired[str]
    """Why it failed."""
    steps: list[ScenarioRunStep]
    """As far as the run goes, in order."""


class ScenarioRunStep(TypedDict):
    name: str
    """The name of the step."""
    description: str
    """What happens, in words."""
    status: Literal["WAITING", "RUNNING", "DONE", "FAILED"]
    """`WAITING` behind another run, or for the step before."""
    calls: list[ScenarioCall]
    """The calls that it made, in order."""


class ScenarioStep(TypedDict):
    name: str
    """The name of the step."""
    description: str
    """What happens, in words."""


class Scenarios(TypedDict):
    records: list[Scenario]
    """All of them."""


class ScheduleApproval(TypedDict):
    action: Literal["APPROVE", "UNAPPROVE"]
    """What was done."""
    approvedBy: str
    """Who did it, as the caller stated it."""
    at: str
    """When it was done."""


class ScheduleSettlement(TypedDict):
    """Only when it is read, and once it is `SETTLED`. Scheme and reference are left out where the law firm paid and confirmed each line."""

    at: str
    """When the money had moved."""
    scheme: NotRequired[Literal["CHAPS", "RTGS", "FPS", "BOOK"]]
    """How it was paid."""
    paymentReference: NotRequired[str]
    """The bank’s own name for the payment."""


class ScheduleTotals(TypedDict):
    """What the line items come to."""

    sources: float
    """The sum of all sources, in pounds."""
    destinations: float
    """The sum of all destinations, in pounds."""
    difference: float
    """Sources less destinations. Approval needs it to be 0."""


class SecretExpiryEvent(TypedDict):
    """The shared secret of a webhook registration expires in 30, 7 or 1 days."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["SECRET_EXPIRY"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class SecurityAddress(TypedDict):
    """The property that is charged."""

    flat: NotRequired[str]
    """Flat or unit within the building."""
    name: NotRequired[str]
    """Of a building that has one."""
    number: NotRequired[str]
    """In the street. May hold letters."""
    locality: NotRequired[str]
    """A part of the town, or a village near it."""
    town: str
    """The post town."""
    county: NotRequired[str]
    """Where one is usual."""
    street: NotRequired[str]
    """Without the number."""
    postcode: str
    """In upper case, with one space."""


class SecurityAddressRequest(TypedDict):
    """The property that is charged. At least one of `flat`, `name` and `number` is needed."""

    flat: NotRequired[str]
    """Flat or unit within the building."""
    name: NotRequired[str]
    """Of a building that has one."""
    number: NotRequired[str]
    """In the street. May hold letters."""
    locality: NotRequired[str]
    """A part of the town, or a village near it."""
    town: str
    """The post town."""
    county: NotRequired[str]
    """Where one is usual."""
    street: NotRequired[str]
    """Without the number."""
    postcode: str
    """Not of an area that lies wholly outside England and Wales. Case and spaces do not matter."""


class SetAsIncomingProprietorRequest(TypedDict):
    action: Literal["SET_AS_INCOMING_PROPRIETOR"]
    """What to do. It decides which other properties are expected."""
    partyId: str
    """The party, as the workspace lists it: a borrower, or an outgoing proprietor."""
    addressForService: NotRequired[AddressForServiceRequest]


class SetAsOutgoingProprietorRequest(TypedDict):
    action: Literal["SET_AS_OUTGOING_PROPRIETOR"]
    """What to do. It decides which other properties are expected."""
    proprietorId: str
    """The proprietor, as title reconciliation lists it: registered or incoming."""


class SettlementDueEvent(TypedDict):
    """Completion day: the law firm pays from its own account, and confirms each line."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["SETTLEMENT_DUE"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class Similarity(TypedDict):
    proprietorId: str
    """The proprietor, as title reconciliation lists it: registered or incoming."""
    reasons: list[Literal["DISTANCE", "SOUND", "INITIAL", "MIDDLE", "ALIAS"]]
    """Few letters differ, it sounds alike, an initial or a middle name fits, or another name of theirs does."""


class StatusCount(TypedDict):
    date: str
    """A day in London."""
    status: Literal["CREATED", "PREPARED", "FUNDS_AUTHORISED", "FUNDS_EXCHANGED", "LODGED", "REQUISITIONED", "CLOSED", "CANCELLED"]
    """Only of open workspaces. A status that none had is left out."""
    count: int
    """How many had it at the end of the day."""


class TaskCount(TypedDict):
    task: Literal["GIVE_TITLE", "RECONCILE", "REPRESENT", "COMPLETE_CASE", "CONFIRM", "APPROVE_CASE", "DRAW_UP_MONEY", "APPROVE_MONEY", "NEW_DATE", "FIX_ACCOUNT", "PAY", "MAKE_EFFECTIVE", "ANSWER_REQUISITION", "FIX_AND_APPROVE", "LODGE_DISCHARGE", "AUTHORISE", "WAIT", "COMPLETION"]
    """What must be done. `GIVE_TITLE`: give a title number; `RECONCILE`: compare the names with the register; `REPRESENT`: say who acts for a party; `COMPLETE_CASE`: complete the deed and the documents; `CONFIRM`: confirm, or correct, what a rule asks about; `APPROVE_CASE`: approve the case; `DRAW_UP_MONEY`: complete the settlement schedule; `APPROVE_MONEY`: approve the settlement schedule; `NEW_DATE`: set another completion date, because the day has passed; `FIX_ACCOUNT`: see to the payment that the bank refused; `PAY`: make and confirm the payments; `MAKE_EFFECTIVE`: make the digital deed effective; `ANSWER_REQUISITION`: answer the requisition; `FIX_AND_APPROVE`: correct the rejected case and approve it again; `LODGE_DISCHARGE`: approve the discharge, unless the former lender sends it; `AUTHORISE`: authorise the funds; `COMPLETION`: the money moves in the morning of completion day; `WAIT`: an answer or a result is awaited."""
    count: int
    """How many there are; 1000 means that many or more."""


class TestDeliveryAnswer(TypedDict):
    kind: Literal["UNSIGNED", "FORGED", "ALTERED", "STALE", "REPLAYED", "NEW_TYPE"]
    """`UNSIGNED` has no signature, `FORGED` one by another secret, `ALTERED` a body that was changed after it was signed, `STALE` was signed ten minutes ago. `REPLAYED` is the last event that was delivered, once more. `NEW_TYPE` has a type and a field that no version knows."""
    eventId: str
    """The `webhook-id` that was sent."""
    expected: Literal["REFUSED", "ACCEPTED"]
    """What a receiver should do: answer 4xx, or 2xx."""
    isAsExpected: bool
    """Whether it did."""
    at: str
    """When it was sent, in real time."""
    durationMs: int
    """Until the answer was read."""
    status: NotRequired[int]
    """What the receiver answered. A 208 to a `REPLAYED` event shows that it recognised the `webhook-id`."""
    response: NotRequired[str]
    """The first 1 KiB of its answer."""
    error: NotRequired[str]
    """Why there was no answer."""


class TestDeliveryRequest(TypedDict):
    registrationId: str
    """The webhook registration. Paths ask for it as `registration_id`."""
    kind: Literal["UNSIGNED", "FORGED", "ALTERED", "STALE", "REPLAYED", "NEW_TYPE"]
    """`UNSIGNED` has no signature, `FORGED` one by another secret, `ALTERED` a body that was changed after it was signed, `STALE` was signed ten minutes ago. `REPLAYED` is the last event that was delivered, once more. `NEW_TYPE` has a type and a field that no version knows."""


class TestEvent(TypedDict):
    """A test that you requested with `POST …/test`."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["TEST"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class TimelinePage(TypedDict):
    records: list[TimelineRecord]
    """One page, `limit` records at most. Empty where there are none."""
    nextCursor: NotRequired[str]
    """Goes into `cursor` to ask for the next page. Left out on the last."""


class TimelineRecord(TypedDict):
    at: str
    """When it happened, by the clock of the service."""
    type: Literal["WORKSPACE_CREATED", "WORKSPACE_PARTICIPANT_ADDED", "WORKSPACE_UPDATED", "TITLE_SEARCH_PENDING", "TITLE_DATA_RECEIVED", "TITLE_NOT_FOUND", "TITLE_REMOVED", "TITLE_RECONCILIATION_UPDATED", "REPRESENTATION_ADDED", "REPRESENTATION_FAILED", "REPRESENTATION_UPDATED", "FILE_UPLOAD_SUCCEEDED", "FILE_UPLOAD_FAILED", "FILE_WITHDRAWN", "LODGEMENT_APPLICATION_UPDATED", "READINESS_CONFIRMED", "LODGEMENT_CASE_PREPARED", "LODGEMENT_CASE_UNAPPROVED", "FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED", "FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED", "FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED", "WORKSPACE_PREPARED", "WORKSPACE_REVERTED_TO_CREATED", "WORKSPACE_FUNDS_AUTHORISED", "WORKSPACE_FUNDS_UNAUTHORISED", "SETTLEMENT_DUE", "LINE_ITEM_PAID", "LINE_ITEM_UNPAID", "WORKSPACE_FUNDS_EXCHANGED", "LODGEMENT_WAITING", "REGISTRY_WAITING", "LODGEMENT_SUBMITTED", "WORKSPACE_LODGED", "WORKSPACE_REQUISITIONED", "REQUISITION_DUE_SOON", "REQUISITION_ANSWERED", "REQUISITION_CLOSED", "REGISTRY_DOCUMENT_RECEIVED", "LODGEMENT_REJECTED", "LODGEMENT_PARTIALLY_REGISTERED", "LODGEMENT_REGISTERED", "WORKSPACE_CLOSED", "WORKSPACE_CANCELLED", "REPORT_GENERATED", "SECRET_EXPIRY"]
    """The same as in webhooks and the feed."""
    by: str
    """The person of `X-Acting-User`, else the client id; `system` for the service itself."""
    correlationId: str
    """The `X-Request-Correlation-Id` of the request that caused it, where one did."""
    message: str
    """What happened, in a sentence for people; of a rejection also why."""


class TitleDataReceivedEvent(TypedDict):
    """The registry answered with the register of the title."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["TITLE_DATA_RECEIVED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class TitleDocumentRecord(TypedDict):
    titleDocumentId: str
    """One for each document that the registry issued."""
    documentType: Literal["TITLE_REGISTER", "TITLE_INFORMATION_DOCUMENT", "EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT"]
    """The register comes of the title search, the second of the registration, the third of a discharge that the registry completed later."""
    titleId: str
    """The title of the workspace. A title that replaces another one has a new id."""
    titleNumber: str
    """The registry’s number of the title, in upper case and without spaces."""
    officialCopyDateTime: str
    """The moment at which the register stood so."""
    editionDate: str
    """When any entry of the register was last changed."""
    createdAt: str
    """When the document reached this platform."""
    registerExtract: RegisterExtract


class TitleDocuments(TypedDict):
    records: list[TitleDocumentRecord]
    """Newest first. Empty before the title search succeeded."""


class TitleNotFoundEvent(TypedDict):
    """The title search failed: the title is unknown, closed or still pending."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["TITLE_NOT_FOUND"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class TitleReconciliation(TypedDict):
    borrowersValidationStatus: Literal["PENDING", "VALID", "TYPE_INVALID", "COUNT_INVALID", "INVALID"]
    """How borrowers and registered proprietors line up: `PENDING` before a search succeeded, `VALID` when all do; else they differ in type, in number, or (`INVALID`) in name alone."""
    parties: list[ReconciledParty]
    """The borrowers in the order of the request, then the proprietors who leave."""
    unmatchedProprietors: list[UnmatchedProprietor]
    """Those on the register whom no borrower is and who do not leave. While there are any, no approval."""


class TitleReconciliationAnswer(TypedDict):
    action: Literal["UPDATE_PARTY_NAME", "SET_AS_INCOMING_PROPRIETOR", "SET_AS_OUTGOING_PROPRIETOR", "UPDATE_PROPRIETOR_NAME", "UPDATE_OUTGOING_PROPRIETOR_NAME"]
    """What was done. What follows it is what it changed."""
    partyId: NotRequired[str]
    """The party, as the workspace lists it: a borrower, or an outgoing proprietor."""
    proprietorId: NotRequired[str]
    """The proprietor, as title reconciliation lists it: registered or incoming."""
    titleStatus: NotRequired[Literal["INCOMING", "OUTGOING"]]
    """Only where somebody was set to come or to leave."""
    type: NotRequired[Literal["INDIVIDUAL", "ORGANISATION"]]
    """Whether the details are those of a person or of an organisation."""
    partyDetails: NotRequired[Union[IndividualDetailsAnswer, OrganisationDetailsAnswer]]
    """The new name of the party, by `type`."""
    proprietorDetails: NotRequired[Union[IndividualDetailsAnswer, OrganisationDetailsAnswer]]
    """The present name of the proprietor, by `type`."""
    addressForService: NotRequired[AddressForService]


TitleReconciliationRequest = Union["UpdatePartyNameRequest", "SetAsIncomingProprietorRequest", "SetAsOutgoingProprietorRequest", "UpdateProprietorNameRequest", "UpdateOutgoingProprietorNameRequest"]


class TitleReconciliationUpdatedEvent(TypedDict):
    """A party or a proprietor was renamed, or set as incoming or outgoing, or no longer is."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["TITLE_RECONCILIATION_UPDATED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class TitleRemovedEvent(TypedDict):
    """The title was removed from a workspace, with all that came from it."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["TITLE_REMOVED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class TitleSearchPendingEvent(TypedDict):
    """The registry was asked for a title and has not answered yet."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["TITLE_SEARCH_PENDING"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class TokenAnswer(TypedDict):
    access_token: str
    """A JWT by the profile of RFC 9068, with `subscriber_id`."""
    token_type: Literal["Bearer"]
    """How it is sent: `Authorization: Bearer …`."""
    expires_in: int
    """Seconds."""
    scope: str
    """The scopes of the token, separated by spaces."""


class TokenError(TypedDict):
    error: Literal["invalid_request", "invalid_client", "unsupported_grant_type", "invalid_scope", "temporarily_unavailable"]
    """The error code of RFC 6749."""
    error_description: str
    """What is wrong and what is expected, for people."""


class TokenRequest(TypedDict):
    grant_type: Literal["client_credentials"]
    """The only grant there is."""
    client_id: NotRequired[str]
    """If the client does not authenticate by HTTP Basic."""
    client_secret: NotRequired[str]
    """With `client_id`, and not together with HTTP Basic."""
    scope: NotRequired[str]
    """Scopes with spaces between them; all granted ones when left out."""


class Turn(TypedDict):
    """Whose turn it is. Left out once the workspace has ended."""

    who: Literal["LAW_FIRM", "LENDER", "REGISTRY", "BANK", "CLOCK", "SERVICE"]
    """Who must act. `LAW_FIRM`: the law firm; `LENDER`: the lender; `REGISTRY`: the registry; `BANK`: the bank; `CLOCK`: nobody until completion day; `SERVICE`: this service."""
    task: Literal["GIVE_TITLE", "RECONCILE", "REPRESENT", "COMPLETE_CASE", "CONFIRM", "APPROVE_CASE", "DRAW_UP_MONEY", "APPROVE_MONEY", "NEW_DATE", "FIX_ACCOUNT", "PAY", "MAKE_EFFECTIVE", "ANSWER_REQUISITION", "FIX_AND_APPROVE", "LODGE_DISCHARGE", "AUTHORISE", "WAIT", "COMPLETION"]
    """What must be done. `GIVE_TITLE`: give a title number; `RECONCILE`: compare the names with the register; `REPRESENT`: say who acts for a party; `COMPLETE_CASE`: complete the deed and the documents; `CONFIRM`: confirm, or correct, what a rule asks about; `APPROVE_CASE`: approve the case; `DRAW_UP_MONEY`: complete the settlement schedule; `APPROVE_MONEY`: approve the settlement schedule; `NEW_DATE`: set another completion date, because the day has passed; `FIX_ACCOUNT`: see to the payment that the bank refused; `PAY`: make and confirm the payments; `MAKE_EFFECTIVE`: make the digital deed effective; `ANSWER_REQUISITION`: answer the requisition; `FIX_AND_APPROVE`: correct the rejected case and approve it again; `LODGE_DISCHARGE`: approve the discharge, unless the former lender sends it; `AUTHORISE`: authorise the funds; `COMPLETION`: the money moves in the morning of completion day; `WAIT`: an answer or a result is awaited."""
    since: str
    """Since when it is their turn, for this."""
    dueAt: NotRequired[str]
    """By when it must be done, where there is a date. To prepare, approve and authorise: 17:00 in London on the business day before completion."""
    registryWait: NotRequired[Literal["NO_ACCOUNT", "ACCOUNT_REFUSED", "REGISTRY_CLOSED", "REGISTRY_UNAVAILABLE"]]
    """Why the registry, whose turn it is, could not be reached. The `registryWait` of the case says the same in a sentence."""
    also: list[TurnBeside]
    """What else can be done meanwhile: case and money can be prepared side by side."""


class TurnBeside(TypedDict):
    who: Literal["LAW_FIRM", "LENDER", "REGISTRY", "BANK", "CLOCK", "SERVICE"]
    """Who must act. `LAW_FIRM`: the law firm; `LENDER`: the lender; `REGISTRY`: the registry; `BANK`: the bank; `CLOCK`: nobody until completion day; `SERVICE`: this service."""
    task: Literal["GIVE_TITLE", "RECONCILE", "REPRESENT", "COMPLETE_CASE", "CONFIRM", "APPROVE_CASE", "DRAW_UP_MONEY", "APPROVE_MONEY", "NEW_DATE", "FIX_ACCOUNT", "PAY", "MAKE_EFFECTIVE", "ANSWER_REQUISITION", "FIX_AND_APPROVE", "LODGE_DISCHARGE", "AUTHORISE", "WAIT", "COMPLETION"]
    """What must be done. `GIVE_TITLE`: give a title number; `RECONCILE`: compare the names with the register; `REPRESENT`: say who acts for a party; `COMPLETE_CASE`: complete the deed and the documents; `CONFIRM`: confirm, or correct, what a rule asks about; `APPROVE_CASE`: approve the case; `DRAW_UP_MONEY`: complete the settlement schedule; `APPROVE_MONEY`: approve the settlement schedule; `NEW_DATE`: set another completion date, because the day has passed; `FIX_ACCOUNT`: see to the payment that the bank refused; `PAY`: make and confirm the payments; `MAKE_EFFECTIVE`: make the digital deed effective; `ANSWER_REQUISITION`: answer the requisition; `FIX_AND_APPROVE`: correct the rejected case and approve it again; `LODGE_DISCHARGE`: approve the discharge, unless the former lender sends it; `AUTHORISE`: authorise the funds; `COMPLETION`: the money moves in the morning of completion day; `WAIT`: an answer or a result is awaited."""


class TurnCount(TypedDict):
    turn: Literal["LAW_FIRM", "LENDER", "REGISTRY", "BANK", "CLOCK", "SERVICE"]
    """Who must act. `LAW_FIRM`: the law firm; `LENDER`: the lender; `REGISTRY`: the registry; `BANK`: the bank; `CLOCK`: nobody until completion day; `SERVICE`: this service."""
    count: int
    """How many there are; 1000 means that many or more."""


class UnmatchedProprietor(TypedDict):
    proprietorId: str
    """The proprietor, as title reconciliation lists it: registered or incoming."""
    type: Literal["INDIVIDUAL", "ORGANISATION"]
    """Whether the details are those of a person or of an organisation."""
    proprietorDetails: Union[IndividualDetailsAnswer, OrganisationDetailsAnswer]
    """The present name, by `type`."""
    registeredDetails: Union[IndividualDetailsAnswer, OrganisationDetailsAnswer]
    """The name on the register, by `type`. The same unless it was changed."""


class UpdateApplicationRequest(TypedDict):
    """What is left out stays as it is."""

    transactionValue: NotRequired[float]
    """In pounds, with at most two decimals. The registry’s fee depends on it."""
    mortgageDeedReference: NotRequired[str]
    """Only of a `MORTGAGE_DEED` application."""
    mortgageDeedReferenceType: NotRequired[Literal["PAPER", "DIGITAL"]]
    """Only of a `MORTGAGE_DEED` application. A deed attached before `DIGITAL` must be uploaded again."""
    isEffective: NotRequired[bool]
    """Only of a `MORTGAGE_DEED` application. A `DIGITAL` deed needs its reference first, and is made effective on completion day."""
    titleGuarantee: NotRequired[Literal["FULL", "LIMITED"]]
    """Only of a `TRANSFER_OF_WHOLE`. With which title guarantee it is made."""
    considerationType: NotRequired[Literal["MONETARY_VALUE", "NO_MONETARY_VALUE", "OTHER"]]
    """Only of a `TRANSFER_OF_WHOLE`. Whether it is for money, for nothing, or for something else."""
    considerationDescription: NotRequired[str]
    """Only of a `TRANSFER_OF_WHOLE`. What it is for, where that is `OTHER`."""
    trustDeclaration: NotRequired[Literal["JOINT_TENANTS", "TENANTS_IN_COMMON", "TRUST_DETAILS"]]
    """Only of a `TRANSFER_OF_WHOLE`. How two or more proprietors hold it; in common means in equal shares."""
    trustDetails: NotRequired[str]
    """Only of a `TRANSFER_OF_WHOLE`. In words, where that is `TRUST_DETAILS`."""
    transactionValueBand: NotRequired[Literal["UP_TO_100000", "UP_TO_200000", "UP_TO_500000", "UP_TO_1000000", "ABOVE_1000000"]]
    """Only of a `TRANSFER_OF_WHOLE`. In pounds, where it is not for money and its value is not known exactly. A `transactionValue` wins."""
    outstandingCharge: NotRequired[float]
    """Only of a `TRANSFER_OF_WHOLE`. What is still owed under a charge that the new proprietors take over, in pounds."""


class UpdateLineItemRequest(TypedDict):
    """What is left out stays as it is. `type` cannot change. A `bankAccount` replaces the one before whole."""

    type: NotRequired[Literal["SOURCE", "DESTINATION"]]
    """Money that comes in, or money that goes out."""
    category: NotRequired[Literal["Mortgage Advance", "Borrower Contribution", "Redemption", "Conveyancing Fees", "Surplus", "Onward Funds"]]
    """`Mortgage Advance` or `Borrower Contribution` (a shortfall that the borrower pays) for a `SOURCE`, one of the others for a `DESTINATION`."""
    amount: NotRequired[float]
    """Pounds, with at most two decimals."""
    reference: NotRequired[str]
    """Goes with the payment, for the payee. Not blank."""
    bankAccount: NotRequired[BankAccount]


class UpdateOutgoingProprietorNameOfIndividualRequest(TypedDict):
    action: Literal["UPDATE_OUTGOING_PROPRIETOR_NAME"]
    """What to do. It decides which other properties are expected."""
    proprietorId: str
    """The proprietor, as title reconciliation lists it: registered or incoming."""
    type: Literal["INDIVIDUAL"]
    """As it is recorded: it cannot be changed."""
    proprietorDetails: IndividualDetails


class UpdateOutgoingProprietorNameOfOrganisationRequest(TypedDict):
    action: Literal["UPDATE_OUTGOING_PROPRIETOR_NAME"]
    """What to do. It decides which other properties are expected."""
    proprietorId: str
    """The proprietor, as title reconciliation lists it: registered or incoming."""
    type: Literal["ORGANISATION"]
    """As it is recorded: it cannot be changed."""
    proprietorDetails: OrganisationDetails


UpdateOutgoingProprietorNameRequest = Union["UpdateOutgoingProprietorNameOfIndividualRequest", "UpdateOutgoingProprietorNameOfOrganisationRequest"]


class UpdatePartyNameOfIndividualRequest(TypedDict):
    action: Literal["UPDATE_PARTY_NAME"]
    """What to do. It decides which other properties are expected."""
    partyId: str
    """The party, as the workspace lists it: a borrower, or an outgoing proprietor."""
    type: Literal["INDIVIDUAL"]
    """As it is recorded: it cannot be changed."""
    partyDetails: IndividualDetails
    addressForService: NotRequired[AddressForServiceRequest]


class UpdatePartyNameOfOrganisationRequest(TypedDict):
    action: Literal["UPDATE_PARTY_NAME"]
    """What to do. It decides which other properties are expected."""
    partyId: str
    """The party, as the workspace lists it: a borrower, or an outgoing proprietor."""
    type: Literal["ORGANISATION"]
    """As it is recorded: it cannot be changed."""
    partyDetails: OrganisationDetails
    addressForService: NotRequired[AddressForServiceRequest]


UpdatePartyNameRequest = Union["UpdatePartyNameOfIndividualRequest", "UpdatePartyNameOfOrganisationRequest"]


class UpdateProprietorNameOfIndividualRequest(TypedDict):
    action: Literal["UPDATE_PROPRIETOR_NAME"]
    """What to do. It decides which other properties are expected."""
    proprietorId: str
    """The proprietor, as title reconciliation lists it: registered or incoming."""
    type: Literal["INDIVIDUAL"]
    """As it is recorded: it cannot be changed."""
    proprietorDetails: IndividualDetails


class UpdateProprietorNameOfOrganisationRequest(TypedDict):
    action: Literal["UPDATE_PROPRIETOR_NAME"]
    """What to do. It decides which other properties are expected."""
    proprietorId: str
    """The proprietor, as title reconciliation lists it: registered or incoming."""
    type: Literal["ORGANISATION"]
    """As it is recorded: it cannot be changed."""
    proprietorDetails: OrganisationDetails


UpdateProprietorNameRequest = Union["UpdateProprietorNameOfIndividualRequest", "UpdateProprietorNameOfOrganisationRequest"]


class UpdateRepresentationAnswer(TypedDict):
    partyId: str
    """The party, as the workspace lists it: a borrower, or an outgoing proprietor."""
    representationId: str
    """The representation. A party that is represented again gets a new one."""
    representedBy: Literal["PLATFORM_SUBSCRIBER_LAW_FIRM", "EXTERNAL_LAW_FIRM", "NOT_REPRESENTED"]
    """A law firm on the platform, another one, or nobody."""
    subscriberId: NotRequired[str]
    """The law firm. Only for `PLATFORM_SUBSCRIBER_LAW_FIRM`."""
    externalLawFirm: NotRequired[ExternalLawFirm]
    referenceNumber: NotRequired[str]
    """What the firm files it under. Left out for `NOT_REPRESENTED`."""
    verificationOfIdentity: NotRequired[Literal["LAW_FIRM_CERTIFIED", "IDENTITY_EVIDENCE"]]
    """How the identity of the party is verified. Only for `NOT_REPRESENTED`."""


class UpdateRepresentationRequest(TypedDict):
    name: str
    """Under which the firm practises."""
    address: FirmAddressRequest


class UpdateScheduleRequest(TypedDict):
    completionDate: str
    """A business day of England and Wales, not past and at most 6 months ahead."""


class UpdateWorkspaceRequest(TypedDict):
    reference: NotRequired[str]
    """The lender’s own name for the matter."""
    securityAddress: NotRequired[SecurityAddressRequest]
    ownReference: NotRequired[str]
    """The number of the matter in your own system. Only you see it, and your reports show it."""


class UploadAnswer(TypedDict):
    fileId: str
    """Identifies the file from now on, in paths and in the event with its outcome."""


class UploadFileRequest(TypedDict):
    documentType: Literal["MORTGAGE_DEED", "EVIDENCE", "CORRESPONDENCE", "IDENTITY_EVIDENCE", "IDENTITY_FORM", "BIRTH_CERTIFICATE", "MARRIAGE_CERTIFICATE", "STATEMENT_OF_TRUTH", "STATUTORY_DECLARATION", "PG82_CERTIFICATE", "COMPANIES_HOUSE_CERTIFICATE", "COMPANIES_HOUSE_EVIDENCE", "MORTGAGE_OFFER", "REDEMPTION_STATEMENT"]
    """What the document is. The DS1, the TR1 and the RX3 of the registry are `EVIDENCE`."""
    applicationId: NotRequired[str]
    """Attaches the file to this application; left out, it is of the workspace alone."""
    documentCategory: Literal["APPLICATION_DOCUMENT", "SUPPORTING_DOCUMENT", "WORKSPACE_SUPPORTING_DOCUMENT"]
    """An `APPLICATION_DOCUMENT` is the main document of its application where it has one of these types, and is only lodged with it otherwise. `DISCHARGE`: `EVIDENCE`. `CHANGE_OF_NAME`: `MARRIAGE_CERTIFICATE`, `BIRTH_CERTIFICATE`, `STATEMENT_OF_TRUTH`, `STATUTORY_DECLARATION`, `EVIDENCE`, `COMPANIES_HOUSE_CERTIFICATE`. `TRANSFER_OF_WHOLE`: `EVIDENCE`. `CANCEL_A_RESTRICTION`: `STATEMENT_OF_TRUTH`, `EVIDENCE`. `MORTGAGE_DEED`: `MORTGAGE_DEED`. A `WORKSPACE_SUPPORTING_DOCUMENT` is never sent to the registry and counts for no rule."""
    certificationType: NotRequired[Literal["CERTIFIED", "ORIGINAL", "SCANNED"]]
    """Left out, it is taken as `SCANNED`."""


class Workspace(TypedDict):
    workspaceId: str
    """The workspace. Paths and queries ask for it as `workspace_id`."""
    workspaceReferenceId: str
    """For people to quote: `LW`, the year in two digits, and seven digits in no order. Given once."""
    reference: str
    """The lender’s own name for the matter."""
    ownReference: NotRequired[str]
    """The number of the matter in your own system. Only you see it, and your reports show it."""
    status: Literal["CREATED", "PREPARED", "FUNDS_AUTHORISED", "FUNDS_EXCHANGED", "LODGED", "REQUISITIONED", "CLOSED", "CANCELLED"]
    """`PREPARED` once case and schedule are both approved; `CLOSED` once the registry has registered all."""
    transactionType: Literal["REMORTGAGE"]
    """The only one so far."""
    jurisdiction: Literal["ENGLAND_WALES"]
    """The only one so far."""
    securityAddress: SecurityAddress
    parties: list[WorkspaceParty]
    """The borrowers in the order of the request, then the proprietors who leave."""
    participants: list[WorkspaceParticipant]
    """The lender, then the law firm. Only they see the workspace."""
    titles: list[WorkspaceTitle]
    """Empty until a title number is given."""
    completionDate: NotRequired[str]
    """The London day on which the money moves. Left out until the schedule has one."""
    transferOfEquity: bool
    """Whether a proprietor comes or leaves, so that a transfer is lodged too."""
    borrowersValidationStatus: Literal["PENDING", "VALID", "TYPE_INVALID", "COUNT_INVALID", "INVALID"]
    """How borrowers and registered proprietors line up: `PENDING` before a search succeeded, `VALID` when all do; else they differ in type, in number, or (`INVALID`) in name alone."""
    readyForApproval: bool
    """Whether the case waits for approval and passes every rule of `GET …/readiness`."""
    canBeUnapproved: bool
    """Whether the case is approved and no funds are authorised yet."""
    canBeCancelled: bool
    """Whether no money has moved, none is on its way, and the workspace has not ended."""
    isLocked: bool
    """From `PREPARED` to `REQUISITIONED`: only its own files change, what a rejected case lodges, `isEffective` until the case is sent, and the discharge after an early completion."""
    hardLocked: bool
    """From `FUNDS_AUTHORISED` to `REQUISITIONED`: taking back an approval opens nothing."""
    turn: NotRequired[Turn]
    cancellation: NotRequired[WorkspaceCancellation]
    auditAttributes: AuditAttributes


class WorkspaceCancellation(TypedDict):
    """Only of a `CANCELLED` workspace."""

    reason: Literal["APPLICANT_DECIDED_NOT_TO_PROCEED", "TITLE_COMPLICATIONS", "LAW_FIRM_NO_LONGER_ACTING", "LENDER_DECIDED_NOT_TO_PROCEED", "LOAN_INVOLVES_MULTIPLE_TITLES", "OTHER"]
    """As the request gave it."""
    notes: NotRequired[str]
    """Its `cancellationNotesForOther`."""
    at: str
    """When it was cancelled."""
    by: str
    """The person of `X-Acting-User`, else the client id."""


class WorkspaceCancelledEvent(TypedDict):
    """A workspace was cancelled."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["WORKSPACE_CANCELLED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class WorkspaceChange(TypedDict):
    at: str
    """When it was changed, by the clock of the service."""
    by: str
    """The person of `X-Acting-User`, else the client id; `system` for the service itself."""
    action: str
    """What was done, in words."""
    correlationId: str
    """The `X-Request-Correlation-Id` of the request that caused it, where one did."""
    ids: dict[str, str]
    """What was changed: the ids by their names in the interface."""
    changes: list[FieldChange]
    """Of account numbers only the last digits are shown."""


class WorkspaceClosedEvent(TypedDict):
    """The case is registered and the workspace closed."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["WORKSPACE_CLOSED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class WorkspaceCounts(TypedDict):
    turns: list[TurnCount]
    """Of your open workspaces, by whose turn it is."""
    tasks: list[TaskCount]
    """Of those in which it is your turn, by what is to be done."""


class WorkspaceCreatedEvent(TypedDict):
    """A workspace was created."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["WORKSPACE_CREATED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class WorkspaceFile(TypedDict):
    fileId: str
    """The file, whatever its outcome."""
    fileName: str
    """As the client called it, without path and control characters. Always ends in `.pdf`, which is added where it is missing."""
    fileUploadStatus: Literal["PENDING", "SUCCESS", "FAILED", "WITHDRAWN"]
    """`PENDING` until its checks have ended. Only a `SUCCESS` counts and can be downloaded."""
    auditAttributes: AuditAttributes
    documentType: Literal["MORTGAGE_DEED", "EVIDENCE", "CORRESPONDENCE", "IDENTITY_EVIDENCE", "IDENTITY_FORM", "BIRTH_CERTIFICATE", "MARRIAGE_CERTIFICATE", "STATEMENT_OF_TRUTH", "STATUTORY_DECLARATION", "PG82_CERTIFICATE", "COMPANIES_HOUSE_CERTIFICATE", "COMPANIES_HOUSE_EVIDENCE", "MORTGAGE_OFFER", "REDEMPTION_STATEMENT"]
    """As the upload named it. A document of the registry is a `CORRESPONDENCE`."""
    documentCategory: Literal["APPLICATION_DOCUMENT", "SUPPORTING_DOCUMENT", "WORKSPACE_SUPPORTING_DOCUMENT"]
    """An `APPLICATION_DOCUMENT` is the main document of its application where it has one of these types, and is only lodged with it otherwise. `DISCHARGE`: `EVIDENCE`. `CHANGE_OF_NAME`: `MARRIAGE_CERTIFICATE`, `BIRTH_CERTIFICATE`, `STATEMENT_OF_TRUTH`, `STATUTORY_DECLARATION`, `EVIDENCE`, `COMPANIES_HOUSE_CERTIFICATE`. `TRANSFER_OF_WHOLE`: `EVIDENCE`. `CANCEL_A_RESTRICTION`: `STATEMENT_OF_TRUTH`, `EVIDENCE`. `MORTGAGE_DEED`: `MORTGAGE_DEED`."""
    certificationType: Literal["CERTIFIED", "ORIGINAL", "SCANNED"]
    """Whether the file shows a certified copy, the original, or a plain scan."""
    applicationId: NotRequired[str]
    """Only where it is attached to an application."""
    size: int
    """In bytes."""
    sha256: str
    """Of its bytes, to compare with your own."""
    failureReason: NotRequired[Literal["INFECTED", "WORKSPACE_CANCELLED", "WORKSPACE_LOCKED", "APPLICATION_WITHDRAWN", "NOT_ACCEPTABLE"]]
    """Only where it `FAILED`: a virus was found, or before its checks had ended the workspace was cancelled or locked, or the application withdrawn. `NOT_ACCEPTABLE`: the registry sent something that is no PDF which we would take; it is stored, and not served."""
    supersededBy: NotRequired[str]
    """The main document of the application that took its place."""
    source: Literal["UPLOAD", "REGISTRY"]
    """Who it comes from. A document of the `REGISTRY` counts for no rule, is never lodged and cannot be withdrawn."""
    registryDocumentKind: NotRequired[Literal["LETTER", "CANCELLATION_LETTER", "COMPLETION_SHEET", "REGISTER_COPY", "TITLE_PLAN", "OTHER"]]
    """Only of a document of the registry: what it is."""


class WorkspaceFilePage(TypedDict):
    records: list[WorkspaceFile]
    """One page, `limit` records at most. Empty where there are none."""
    nextCursor: NotRequired[str]
    """Goes into `cursor` to ask for the next page. Left out on the last."""


class WorkspaceFundsAuthorisedEvent(TypedDict):
    """The lender authorised the funds."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["WORKSPACE_FUNDS_AUTHORISED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class WorkspaceFundsExchangedEvent(TypedDict):
    """The payment settled."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["WORKSPACE_FUNDS_EXCHANGED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class WorkspaceFundsUnauthorisedEvent(TypedDict):
    """The authorisation of the funds was taken back, or the payment was refused."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["WORKSPACE_FUNDS_UNAUTHORISED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class WorkspaceLodgedEvent(TypedDict):
    """The registry accepted the case with priority."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["WORKSPACE_LODGED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class WorkspacePage(TypedDict):
    records: list[WorkspaceSummary]
    """One page, `limit` records at most. Empty where there are none."""
    nextCursor: NotRequired[str]
    """Goes into `cursor` to ask for the next page. Left out on the last."""


class WorkspaceParticipant(TypedDict):
    subscriberId: str
    """The organisation on the platform."""
    name: str
    """Under which the platform knows it."""
    role: Literal["LENDER", "CONVEYANCER"]
    """Who lends, or the law firm that acts."""


class WorkspaceParticipantAddedEvent(TypedDict):
    """A law firm was named as a participant of a workspace."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["WORKSPACE_PARTICIPANT_ADDED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class WorkspaceParty(TypedDict):
    partyId: str
    """The party, as the workspace lists it: a borrower, or an outgoing proprietor."""
    type: Literal["INDIVIDUAL", "ORGANISATION"]
    """Whether the details are those of a person or of an organisation."""
    role: Literal["BORROWER", "INCOMING_PROPRIETOR", "OUTGOING_PROPRIETOR"]
    """A borrower who comes to the title is `INCOMING_PROPRIETOR`; who leaves it, `OUTGOING_PROPRIETOR`."""
    partyDetails: Union[IndividualDetailsAnswer, OrganisationDetailsAnswer]
    """The present name, by `type`."""
    addressForService: NotRequired[AddressForService]
    representation: NotRequired[PartyRepresentation]


class WorkspacePreparedEvent(TypedDict):
    """The lodgement case and the settlement schedule of a workspace are both approved."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["WORKSPACE_PREPARED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class WorkspaceRequisitionedEvent(TypedDict):
    """The registry raised a requisition."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["WORKSPACE_REQUISITIONED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class WorkspaceRevertedToCreatedEvent(TypedDict):
    """An approval of a prepared workspace was taken back."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["WORKSPACE_REVERTED_TO_CREATED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


class WorkspaceSummary(TypedDict):
    workspaceId: str
    """The workspace. Paths and queries ask for it as `workspace_id`."""
    workspaceReferenceId: str
    """For people to quote: `LW`, the year in two digits, and seven digits in no order. Given once."""
    reference: str
    """The lender’s own name for the matter."""
    status: Literal["CREATED", "PREPARED", "FUNDS_AUTHORISED", "FUNDS_EXCHANGED", "LODGED", "REQUISITIONED", "CLOSED", "CANCELLED"]
    """`PREPARED` once case and schedule are both approved; `CLOSED` once the registry has registered all."""
    lodgementCaseStatus: Literal["CREATED", "PREPARED", "INITIATED", "LODGED", "REQUISITIONED", "REQUISITION_SUBMITTED", "REGISTRATION_REJECTED", "RESUBMISSION_PREPARED", "PARTIALLY_REGISTERED", "DISCHARGE_SUBMITTED", "REGISTERED", "CANCELLED"]
    """`PREPARED` is approved, `INITIATED` sent to the registry, `LODGED` accepted there with priority. `DISCHARGE_SUBMITTED`: after an early completion (`PARTIALLY_REGISTERED`) the discharge was sent on its own."""
    transactionType: Literal["REMORTGAGE"]
    """The only one so far."""
    postcode: str
    """In upper case, with one space."""
    titleNumber: NotRequired[str]
    """The registry’s number of the title, in upper case and without spaces."""
    borrowers: list[str]
    """Their whole names, of those who come to the title too."""
    borrowersValidationStatus: Literal["PENDING", "VALID", "TYPE_INVALID", "COUNT_INVALID", "INVALID"]
    """How borrowers and registered proprietors line up: `PENDING` before a search succeeded, `VALID` when all do; else they differ in type, in number, or (`INVALID`) in name alone."""
    completionDate: NotRequired[str]
    """The London day on which the money moves. Left out until the schedule has one."""
    turn: NotRequired[Turn]
    createdAt: str
    """The list is in this order, newest first, where no filter brings another one."""
    lastModifiedAt: str
    """When the newest event of the timeline happened."""
    lastModifiedBy: str
    """Who changed it last: the person of `X-Acting-User`, else the client id; `system` for the service itself."""


class WorkspaceTitle(TypedDict):
    titleId: str
    """The title of the workspace. A title that replaces another one has a new id."""
    titleNumber: str
    """The registry’s number of the title, in upper case and without spaces."""
    tenure: NotRequired[Literal["FREEHOLD", "LEASEHOLD"]]
    """As the register has it; left out before the search succeeded."""
    lastTitleSearchStatus: Literal["INITIATED", "PENDING", "SUCCESS", "FAILED"]
    """`INITIATED` is queued; `PENDING` means that the registry was asked and has not answered."""


class WorkspaceUpdatedEvent(TypedDict):
    """The lender changed the reference or the security address of a workspace."""

    id: str
    """The same as the header `webhook-id` and as in the feed."""
    type: Literal["WORKSPACE_UPDATED"]
    """What happened."""
    timestamp: str
    """When it happened."""
    data: dict[str, str]
    """Identifiers only."""


WebhookEvent = Union[
    "WorkspaceCreatedEvent",
    "WorkspaceParticipantAddedEvent",
    "WorkspaceUpdatedEvent",
    "TitleSearchPendingEvent",
    "TitleDataReceivedEvent",
    "TitleNotFoundEvent",
    "TitleRemovedEvent",
    "TitleReconciliationUpdatedEvent",
    "RepresentationAddedEvent",
    "RepresentationFailedEvent",
    "RepresentationUpdatedEvent",
    "FileUploadSucceededEvent",
    "FileUploadFailedEvent",
    "FileWithdrawnEvent",
    "LodgementApplicationUpdatedEvent",
    "ReadinessConfirmedEvent",
    "LodgementCasePreparedEvent",
    "LodgementCaseUnapprovedEvent",
    "FinancialSettlementScheduleUpdatedEvent",
    "FinancialSettlementSchedulePreparedEvent",
    "FinancialSettlementScheduleUnapprovedEvent",
    "WorkspacePreparedEvent",
    "WorkspaceRevertedToCreatedEvent",
    "WorkspaceFundsAuthorisedEvent",
    "WorkspaceFundsUnauthorisedEvent",
    "SettlementDueEvent",
    "LineItemPaidEvent",
    "LineItemUnpaidEvent",
    "WorkspaceFundsExchangedEvent",
    "LodgementWaitingEvent",
    "RegistryWaitingEvent",
    "LodgementSubmittedEvent",
    "WorkspaceLodgedEvent",
    "WorkspaceRequisitionedEvent",
    "RequisitionDueSoonEvent",
    "RequisitionAnsweredEvent",
    "RequisitionClosedEvent",
    "RegistryDocumentReceivedEvent",
    "LodgementRejectedEvent",
    "LodgementPartiallyRegisteredEvent",
    "LodgementRegisteredEvent",
    "WorkspaceClosedEvent",
    "WorkspaceCancelledEvent",
    "ReportGeneratedEvent",
    "SecretExpiryEvent",
    "TestEvent",
    "ChallengeEvent",
]
