// What each step of a matter leaves behind, if it happens once: its events, its entries in the audit, and the
// rows that it adds. The whole of a matter is the sum of its steps.

type Rows = Record<(typeof ROWS)[number], number>

export const ROWS = [
  'parties',
  'representations',
  'files',
  'applications',
  'lines',
  'approvals',
  'payments',
  'lodgements',
  'notices',
  'requisitions',
  'titleDocuments',
] as const

export type Trace = { events: readonly string[]; done: readonly string[]; rows: Partial<Rows> }

const trace = (events: string[], done: string[], rows: Partial<Rows> = {}): Trace => ({ events, done, rows })

const times = (count: number, ...steps: Trace[]): Trace[] => Array.from({ length: count }, () => steps).flat()

// The order and the title.
export const ordered = (parties = 2): Trace =>
  trace(['WORKSPACE_CREATED', 'WORKSPACE_PARTICIPANT_ADDED'], ['workspace created'], { parties, applications: 1 })
export const ASKED = trace(['TITLE_SEARCH_PENDING'], ['title search begun'])
export const FOUND = trace(['TITLE_DATA_RECEIVED'], ['title received'], { titleDocuments: 1 })
export const NOT_FOUND = trace(['TITLE_NOT_FOUND'], ['title search failed'])
export const CORRECTED = trace(['WORKSPACE_UPDATED'], ['workspace updated'])
export const TITLE_ADDED = trace([], ['title added'])

/** The applications of the case follow from register and names: one more where the register shows a charge. */
export const caseChanged = (applications: number): Trace =>
  trace(['LODGEMENT_APPLICATION_UPDATED'], [], { applications })
export const CHARGED = caseChanged(1)

/** With it go its documents, and the applications that came from it are withdrawn. */
export const TITLE_REMOVED = trace(['TITLE_REMOVED', 'LODGEMENT_APPLICATION_UPDATED'], ['title removed'], {
  titleDocuments: -1,
})

export const reconciled = (action: string, parties = 0): Trace =>
  trace(['TITLE_RECONCILIATION_UPDATED'], [action], { parties })

// The case.
export const REPRESENTED = trace(['REPRESENTATION_ADDED'], ['representation queued', 'representation processed'], {
  representations: 1,
})
export const DEED_DESCRIBED = trace(['LODGEMENT_APPLICATION_UPDATED'], ['application updated'])
export const UPLOADED = trace(['FILE_UPLOAD_SUCCEEDED'], ['file uploaded', 'file processed'], { files: 1 })
export const CASE_APPROVED = trace(['LODGEMENT_CASE_PREPARED'], ['lodgement case approved'])
export const CASE_UNAPPROVED = trace(['LODGEMENT_CASE_UNAPPROVED'], ['lodgement case unapproved'])
export const FIRM_CHANGED = trace(['REPRESENTATION_UPDATED'], ['external law firm changed'])
export const WITHDRAWN = trace(['FILE_WITHDRAWN'], ['file withdrawn'])

export const completed = ({ parties = 2, described = 1, papers = 1 } = {}): Trace[] => [
  ...times(parties, REPRESENTED),
  ...times(described, DEED_DESCRIBED),
  ...times(papers, UPLOADED),
  CASE_APPROVED,
]

// The money.
export const CONFIRMED = trace(['READINESS_CONFIRMED'], ['readiness confirmed'])
export const CONFIRMATION_TAKEN_BACK = trace([], ['confirmation taken back'])
const SCHEDULE_UPDATED = 'FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED'
const DATED = trace([SCHEDULE_UPDATED], ['completion date set'])
export const LINE_ADDED = trace([SCHEDULE_UPDATED], ['line item added'], { lines: 1 })
export const LINE_CHANGED = trace([SCHEDULE_UPDATED], ['line item changed'])
export const LINE_DELETED = trace([SCHEDULE_UPDATED], ['line item deleted'], { lines: -1 })
const MONEY_APPROVED = trace(['FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED'], ['schedule approved'], { approvals: 1 })
const PREPARED = trace(['WORKSPACE_PREPARED'], [])
export const AUTHORISED = trace(['WORKSPACE_FUNDS_AUTHORISED'], ['funds authorised'])
export const UNAUTHORISED = trace(['WORKSPACE_FUNDS_UNAUTHORISED'], ['funds authorisation taken back'])
export const MONEY_UNAPPROVED = trace(
  ['FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED', 'WORKSPACE_REVERTED_TO_CREATED'],
  ['schedule approval taken back'],
  { approvals: 1 },
)
export const CANCELLED = trace(['WORKSPACE_CANCELLED'], ['workspace cancelled'])

export const arranged = (lines = 3): Trace[] => [
  DATED,
  ...times(lines, LINE_ADDED),
  MONEY_APPROVED,
  PREPARED,
  AUTHORISED,
]
export const ARRANGED = arranged()

// Completion day and the registry.
export const PAID = trace(['WORKSPACE_FUNDS_EXCHANGED'], ['payment initiated', 'payment settled'], { payments: 1 })
/** Where the law firm pays: it is due, and each line is confirmed. */
export const DUE = trace(['SETTLEMENT_DUE'], ['payment initiated', 'settlement due'])
export const confirmed = (lines: number): Trace[] => times(lines, trace(['LINE_ITEM_PAID'], ['payment confirmed']))
export const UNCONFIRMED = trace(['LINE_ITEM_UNPAID'], ['payment confirmation taken back'])
export const EXCHANGED = trace(['WORKSPACE_FUNDS_EXCHANGED'], ['payment settled'])
export const NOT_PAID = trace(['WORKSPACE_FUNDS_UNAUTHORISED'], ['payment refused'])
export const WAITING = trace(['LODGEMENT_WAITING'], [])
export const SENT = trace(['LODGEMENT_SUBMITTED'], ['case sent to the registry'], { lodgements: 1 })
export const ACCEPTED = trace(['WORKSPACE_LODGED'], ['case accepted by the registry'], { notices: 1 })
export const REGISTERED = trace(['LODGEMENT_REGISTERED', 'WORKSPACE_CLOSED'], ['case registered'], {
  notices: 1,
  titleDocuments: 1,
})
export const REGISTERED_IN_PART = trace(['LODGEMENT_PARTIALLY_REGISTERED'], ['case registered'], {
  notices: 1,
  titleDocuments: 1,
})
/** A title information document, and that of the early completion. */
export const DISCHARGED = trace(['LODGEMENT_REGISTERED', 'WORKSPACE_CLOSED'], ['discharge registered'], {
  notices: 1,
  titleDocuments: 2,
})
export const USUAL_COURSE = [PAID, SENT, ACCEPTED, REGISTERED]

export const REQUISITIONED = trace(['WORKSPACE_REQUISITIONED'], ['requisition raised'], { notices: 1, requisitions: 1 })
export const ANSWERED = trace(['REQUISITION_ANSWERED'], ['requisition answered'])
export const CLOSED_BY_FIRM = trace(['REQUISITION_CLOSED', 'WORKSPACE_LODGED'], ['requisition closed'])
/** A notice that is recorded and changes nothing. */
export const OVERTAKEN = trace([], [], { notices: 1 })
export const ANSWER_ACCEPTED = trace(['WORKSPACE_LODGED'], ['requisition answer accepted'], { notices: 1 })
export const REFUSED = trace(['LODGEMENT_REJECTED'], ['case refused by the registry'], { notices: 1 })
export const CANCELLED_THERE = trace(['LODGEMENT_REJECTED'], ['case cancelled by the registry'], { notices: 1 })
