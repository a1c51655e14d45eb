// Long because every code of the interface has its words in one place.
import type { Input, Schemas } from '../../client/src/index.ts'
import type { Role } from './doors.ts'

// The codes of the interface in the words of people. The compiler finds one that is missing; a test compares with
// openapi.json, too.

type Workspace = Schemas['Workspace']
type Case = Schemas['LodgementCaseRecord']

export const STATUS_WORDS: Record<Workspace['status'], string> = {
  CREATED: 'Being prepared',
  PREPARED: 'Approved',
  FUNDS_AUTHORISED: 'Funds authorised',
  FUNDS_EXCHANGED: 'Completed',
  LODGED: 'At the registry',
  REQUISITIONED: 'Requisition to answer',
  CLOSED: 'Registered',
  CANCELLED: 'Cancelled',
}

export const CASE_WORDS: Record<Case['lodgementCaseStatus'], string> = {
  CREATED: 'Being prepared',
  PREPARED: 'Approved',
  INITIATED: 'Sent to the registry',
  LODGED: 'Accepted by the registry',
  REQUISITIONED: 'Requisition to answer',
  REQUISITION_SUBMITTED: 'Requisition answered',
  REGISTRATION_REJECTED: 'Rejected by the registry',
  RESUBMISSION_PREPARED: 'Approved again',
  PARTIALLY_REGISTERED: 'Registered without the discharge',
  DISCHARGE_SUBMITTED: 'Discharge sent to the registry',
  REGISTERED: 'Registered',
  CANCELLED: 'Cancelled',
}

export const SCHEDULE_WORDS: Record<Schemas['FinancialSettlementSchedule']['status'], string> = {
  DRAFT: 'Being prepared',
  PREPARED: 'Approved',
  AUTHORISED: 'Funds authorised',
  PAYING: 'Being paid',
  SETTLED: 'Paid',
  CANCELLED: 'Cancelled',
}

/** Which lines of the settlement schedule bring money in, and which take it out. */
export const CATEGORY_SIDES: Record<Schemas['LineItem']['category'], Schemas['LineItem']['type']> = {
  'Mortgage Advance': 'SOURCE',
  'Borrower Contribution': 'SOURCE',
  Redemption: 'DESTINATION',
  'Conveyancing Fees': 'DESTINATION',
  Surplus: 'DESTINATION',
  'Onward Funds': 'DESTINATION',
}

export const APPLICATION_WORDS: Record<Schemas['ApplicationRecord']['applicationType'], string> = {
  DISCHARGE: 'Discharge of the old charge',
  CHANGE_OF_NAME: 'Change of name',
  TRANSFER_OF_WHOLE: 'Transfer of the whole title',
  CANCEL_A_RESTRICTION: 'Cancellation of a restriction',
  MORTGAGE_DEED: 'Charge to the new lender',
}

export const APPLICATION_STATUS_WORDS: Record<Schemas['ApplicationRecord']['status'], string> = {
  DRAFT: 'Not ready',
  READY: 'Ready',
  APPROVED: 'Approved',
  SUBMITTED: 'Sent',
  LODGED: 'At the registry',
  REQUISITIONED: 'Requisition',
  REGISTERED: 'Registered',
  REJECTED: 'Rejected',
  WITHDRAWN: 'Withdrawn',
}

export const SEARCH_WORDS: Record<Schemas['WorkspaceTitle']['lastTitleSearchStatus'], string> = {
  INITIATED: 'The search begins',
  PENDING: 'The registry was asked',
  SUCCESS: 'Found',
  FAILED: 'Not found',
}

export const SEARCH_FAILURE_WORDS: Record<NonNullable<Case['titleSearchFailure']>, string> = {
  NOT_FOUND: 'The registry does not know this title.',
  CLOSED: 'This title is closed.',
  PENDING_NEW_TITLE: 'This title is not registered yet.',
  NOT_SUPPORTED: 'The register of this title cannot be read here.',
}

export const TENURE_WORDS: Record<NonNullable<Schemas['WorkspaceTitle']['tenure']>, string> = {
  FREEHOLD: 'Freehold',
  LEASEHOLD: 'Leasehold',
}

export const NAMES_WORDS: Record<Workspace['borrowersValidationStatus'], string> = {
  PENDING: 'The register is not known yet.',
  VALID: 'Every name agrees with the register.',
  TYPE_INVALID: 'A person is compared with a company.',
  COUNT_INVALID: 'The order and the register have different numbers of people.',
  INVALID: 'Names differ from the register.',
}

export const PARTY_WORDS: Record<Schemas['WorkspaceParty']['role'], string> = {
  BORROWER: 'Borrower',
  INCOMING_PROPRIETOR: 'Borrower, joins the title',
  OUTGOING_PROPRIETOR: 'Leaves the title',
}

export const REPRESENTED_WORDS: Record<Schemas['Representation']['representedBy'], string> = {
  PLATFORM_SUBSCRIBER_LAW_FIRM: 'The law firm of this matter',
  EXTERNAL_LAW_FIRM: 'Another law firm',
  NOT_REPRESENTED: 'Nobody',
}

export const REPRESENTATION_WORDS: Record<Schemas['Representation']['status'], string> = {
  QUEUED: 'Being recorded',
  ACTIVE: 'Active',
  FAILED: 'Failed',
  SUPERSEDED: 'Replaced',
}

export const REPRESENTATION_FAILURE_WORDS: Record<NonNullable<Schemas['Representation']['failureReason']>, string> = {
  PARTY_GONE: 'The party is no longer part of the matter.',
  WORKSPACE_LOCKED: 'The matter was approved in the meantime.',
  WORKSPACE_CANCELLED: 'The matter was cancelled in the meantime.',
  FIRM_SUSPENDED: 'The law firm may not act at the moment.',
}

export const IDENTITY_WORDS: Record<NonNullable<Schemas['Representation']['verificationOfIdentity']>, string> = {
  LAW_FIRM_CERTIFIED: 'The law firm certifies the identity',
  IDENTITY_EVIDENCE: 'Evidence of identity is sent to the registry',
}

export const CANCELLATION_WORDS: Record<Schemas['WorkspaceCancellation']['reason'], string> = {
  APPLICANT_DECIDED_NOT_TO_PROCEED: 'The borrower does not want to go on',
  TITLE_COMPLICATIONS: 'There are problems with the title',
  LAW_FIRM_NO_LONGER_ACTING: 'The law firm no longer acts',
  LENDER_DECIDED_NOT_TO_PROCEED: 'The lender does not want to go on',
  LOAN_INVOLVES_MULTIPLE_TITLES: 'The loan concerns several titles',
  OTHER: 'Another reason',
}

export const REJECTION_WORDS: Record<Schemas['CaseRejection']['reason'], string> = {
  VALIDATION_FAILED: 'The registry did not accept it',
  CANCELLED_BY_REGISTRY: 'The registry cancelled it',
  REQUISITION_LAPSED: 'The requisition was not answered in time',
}

type Turn = Schemas['Turn']

export const WHO_WORDS: Record<Turn['who'], string> = {
  LAW_FIRM: 'the law firm',
  LENDER: 'the lender',
  REGISTRY: 'the registry',
  BANK: 'the bank',
  CLOCK: 'the clock',
  SERVICE: 'this service',
}

/** Why the registry, whose turn it is, could not be reached. */
export const WAIT_WORDS: Record<NonNullable<Turn['registryWait']>, string> = {
  NO_ACCOUNT: 'The firm has no account at the registry: the operator must add it.',
  ACCOUNT_REFUSED: 'The registry refuses the account of the firm: the operator must correct it.',
  REGISTRY_CLOSED: 'The registry is closed at this hour. It is asked again.',
  REGISTRY_UNAVAILABLE: 'The registry does not answer. It is asked again.',
}

/** What is to be done; which page of the matter does it, and the words on the button to it. */
export const TASK_WORDS: Record<
  Turn['task'],
  {
    todo: string
    short: string
    isUrgent?: true
    page?: string
    button?: string
    /** Who does it, if not a preparer. */
    role?: 'approver'
  }
> = {
  GIVE_TITLE: {
    todo: 'The title is missing or was not found: give its number.',
    short: 'title',
    isUrgent: true,
    page: 'title',
    button: 'Give the title',
  },
  RECONCILE: {
    todo: 'Names differ from the register: compare them.',
    short: 'names',
    isUrgent: true,
    page: 'names',
    button: 'Compare the names',
  },
  REPRESENT: {
    todo: 'Say who represents each party.',
    short: 'representation',
    page: 'representation',
    button: 'Say who represents whom',
  },
  COMPLETE_CASE: {
    todo: 'Complete the deed and the documents.',
    short: 'deed and documents',
    page: 'case',
    button: 'Complete the case',
  },
  CONFIRM: {
    todo: 'Something is unusual: correct it, or confirm that it is right.',
    short: 'confirm',
    page: '#tasks',
    button: 'See what is unusual',
  },
  APPROVE_CASE: {
    todo: 'Approve the case.',
    short: 'approve the case',
    page: 'approve#case',
    button: 'Check and approve the case',
    role: 'approver',
  },
  DRAW_UP_MONEY: {
    todo: 'Complete the settlement schedule.',
    short: 'money',
    page: 'money',
    button: 'Draw up the money',
  },
  APPROVE_MONEY: {
    todo: 'Approve the settlement schedule.',
    short: 'approve the money',
    page: 'approve#money',
    button: 'Check and approve the money',
    role: 'approver',
  },
  NEW_DATE: {
    todo: 'Completion day has passed: set another one.',
    short: 'new date',
    isUrgent: true,
    page: 'money',
    button: 'Set another day',
  },
  FIX_ACCOUNT: {
    todo: 'The bank refused the payment: correct the account.',
    short: 'payment refused',
    isUrgent: true,
    page: 'money',
    button: 'Correct the account',
  },
  PAY: {
    todo: 'Make the payments and confirm each.',
    short: 'pay',
    isUrgent: true,
    page: 'pay',
    button: 'Make the payments',
    role: 'approver',
  },
  MAKE_EFFECTIVE: {
    todo: 'Make the digital deed effective, so that the case can be sent.',
    short: 'make the deed effective',
    page: 'case',
    button: 'Make the deed effective',
  },
  ANSWER_REQUISITION: {
    todo: 'Answer the requisition of the registry.',
    short: 'requisition',
    isUrgent: true,
    page: 'requisition',
    button: 'Answer the requisition',
  },
  FIX_AND_APPROVE: {
    todo: 'The registry rejected the case: correct it and approve it again.',
    short: 'rejected',
    isUrgent: true,
    page: 'case',
    button: 'Correct the case',
  },
  LODGE_DISCHARGE: {
    todo: 'Send the discharge, unless the former lender does.',
    short: 'discharge',
    page: 'case',
    button: 'Add the discharge',
  },
  AUTHORISE: {
    todo: 'Authorise the funds.',
    short: 'authorise',
    page: 'authorise',
    button: 'Authorise the funds',
    role: 'approver',
  },
  COMPLETION: { todo: 'The money moves in the morning of completion day.', short: 'completion' },
  WAIT: { todo: 'Waiting for an answer.', short: 'waiting' },
}

type RuleId = Schemas['ReadinessRecord']['ruleId']

export const RULE_GROUPS = ['Title', 'Names', 'Who acts', 'Deed and documents', 'Money'] as const

/** Where a rule is shown, and which page of the matter fixes what it finds. */
export const RULE_WORDS: Record<RuleId, { group: (typeof RULE_GROUPS)[number]; page?: string }> = {
  'title-must-be-valid': { group: 'Title', page: 'title' },
  'security-address-matches-register': { group: 'Title', page: 'title' },
  'all-proprietors-matched-to-borrowers': { group: 'Names', page: 'names' },
  'proprietor-count': { group: 'Names', page: 'names' },
  'some-proprietor-stays': { group: 'Names', page: 'names' },
  'registry-takes-parties': { group: 'Names', page: 'names' },
  'party-representation-type-is-valid': { group: 'Who acts', page: 'representation' },
  'required-identity-evidence-provided': { group: 'Who acts', page: 'case' },
  'all-mandatory-documents-provided': { group: 'Deed and documents', page: 'case' },
  'charge-must-have-non-negative-value': { group: 'Deed and documents', page: 'case' },
  'transfer-must-have-value': { group: 'Deed and documents', page: 'case' },
  'mdref-on-record': { group: 'Deed and documents', page: 'case' },
  'deed-is-effective': { group: 'Deed and documents', page: 'case' },
  'deed-is-certified': { group: 'Deed and documents', page: 'case' },
  'registry-takes-application': { group: 'Deed and documents', page: 'case' },
  'resubmission-was-changed': { group: 'Deed and documents', page: 'case' },
  'schedule-has-source': { group: 'Money', page: 'money' },
  'schedule-has-destination': { group: 'Money', page: 'money' },
  'schedule-balances': { group: 'Money', page: 'money' },
  'completion-date-is-valid': { group: 'Money', page: 'money' },
  'redemption-provided-for-registered-charge': { group: 'Money', page: 'money' },
  'advance-covers-deed': { group: 'Money', page: 'money' },
}

export const DOCUMENT_WORDS: Record<Schemas['WorkspaceFile']['documentType'], string> = {
  MORTGAGE_DEED: 'mortgage deed',
  EVIDENCE: 'evidence',
  CORRESPONDENCE: 'correspondence',
  IDENTITY_EVIDENCE: 'evidence of identity',
  IDENTITY_FORM: 'identity form',
  BIRTH_CERTIFICATE: 'birth certificate',
  MARRIAGE_CERTIFICATE: 'marriage certificate',
  STATEMENT_OF_TRUTH: 'statement of truth',
  STATUTORY_DECLARATION: 'statutory declaration',
  PG82_CERTIFICATE: 'certificate PG82',
  COMPANIES_HOUSE_CERTIFICATE: 'certificate of Companies House',
  COMPANIES_HOUSE_EVIDENCE: 'evidence of Companies House',
  MORTGAGE_OFFER: 'mortgage offer',
  REDEMPTION_STATEMENT: 'redemption statement',
}

/** What an application takes as its main document, the usual one first. The interface describes it, and has no list of it. */
export const MAIN_DOCUMENTS: Record<
  Schemas['ApplicationRecord']['applicationType'],
  readonly Schemas['WorkspaceFile']['documentType'][]
> = {
  DISCHARGE: ['EVIDENCE'],
  CHANGE_OF_NAME: [
    'MARRIAGE_CERTIFICATE',
    'BIRTH_CERTIFICATE',
    'STATEMENT_OF_TRUTH',
    'STATUTORY_DECLARATION',
    'EVIDENCE',
    'COMPANIES_HOUSE_CERTIFICATE',
  ],
  TRANSFER_OF_WHOLE: ['EVIDENCE'],
  CANCEL_A_RESTRICTION: ['STATEMENT_OF_TRUTH', 'EVIDENCE'],
  MORTGAGE_DEED: ['MORTGAGE_DEED'],
}

export const CATEGORY_WORDS: Record<Schemas['WorkspaceFile']['documentCategory'], string> = {
  APPLICATION_DOCUMENT: 'The document of this application',
  SUPPORTING_DOCUMENT: 'Goes to the registry with it',
  WORKSPACE_SUPPORTING_DOCUMENT: 'Is only kept here',
}

export const CERTIFICATION_WORDS: Record<Schemas['WorkspaceFile']['certificationType'], string> = {
  CERTIFIED: 'A certified copy',
  ORIGINAL: 'The original',
  SCANNED: 'A plain scan',
}

export const DEED_WORDS: Record<NonNullable<Schemas['ApplicationAttributes']['mortgageDeedReferenceType']>, string> = {
  PAPER: 'On paper',
  DIGITAL: 'Digital',
}

type Terms = Schemas['ApplicationAttributes']

export const GUARANTEE_WORDS: Record<NonNullable<Terms['titleGuarantee']>, string> = {
  FULL: 'Full title guarantee',
  LIMITED: 'Limited title guarantee',
}

export const CONSIDERATION_WORDS: Record<NonNullable<Terms['considerationType']>, string> = {
  MONETARY_VALUE: 'Money',
  NO_MONETARY_VALUE: 'Nothing that has a monetary value',
  OTHER: 'Something else',
}

export const TRUST_WORDS: Record<NonNullable<Terms['trustDeclaration']>, string> = {
  JOINT_TENANTS: 'As joint tenants',
  TENANTS_IN_COMMON: 'As tenants in common in equal shares',
  TRUST_DETAILS: 'In another way',
}

export const BAND_WORDS: Record<NonNullable<Terms['transactionValueBand']>, string> = {
  UP_TO_100000: 'Up to £100,000',
  UP_TO_200000: 'Up to £200,000',
  UP_TO_500000: 'Up to £500,000',
  UP_TO_1000000: 'Up to £1,000,000',
  ABOVE_1000000: 'Above £1,000,000',
}

export const REGISTRY_DOCUMENT_WORDS: Record<NonNullable<Schemas['WorkspaceFile']['registryDocumentKind']>, string> = {
  LETTER: 'letter of the registry',
  CANCELLATION_LETTER: 'cancellation by the registry',
  COMPLETION_SHEET: 'completion sheet',
  REGISTER_COPY: 'official copy of the register',
  TITLE_PLAN: 'title plan',
  OTHER: 'document of the registry',
}

export const REQUISITION_WORDS: Record<Schemas['RequisitionRecord']['status'], string> = {
  OPEN: 'To answer',
  ANSWERED: 'Answered',
  ACCEPTED: 'The registry accepted the answer',
  LAPSED: 'The case was rejected before it was answered',
  NO_ANSWER_NEEDED: 'Needed no answer',
}

export const FILE_WORDS: Record<Schemas['WorkspaceFile']['fileUploadStatus'], string> = {
  PENDING: 'being checked',
  SUCCESS: 'checked',
  FAILED: 'refused',
  WITHDRAWN: 'withdrawn',
}

export const FILE_FAILURE_WORDS: Record<NonNullable<Schemas['WorkspaceFile']['failureReason']>, string> = {
  INFECTED: 'refused: it contains a virus',
  WORKSPACE_CANCELLED: 'refused: the matter was cancelled in the meantime',
  WORKSPACE_LOCKED: 'refused: the matter was approved in the meantime',
  APPLICATION_WITHDRAWN: 'refused: its application was withdrawn in the meantime',
  NOT_ACCEPTABLE: 'refused: it is not a PDF that can be kept',
}

export const STATUS_CLASS_WORDS: Record<NonNullable<NonNullable<Input<'listRequests'>['query']>['status']>, string> = {
  '2xx': 'Done',
  '3xx': 'Not changed',
  '4xx': 'Refused (4xx)',
  '5xx': 'Failed on our side (5xx)',
}

/** What the status of a refusal means, and what to do: the guide's page about errors in short. */
export const REFUSAL_WORDS: Readonly<Record<number, { means: string; todo: string }>> = {
  400: { means: 'What was sent is wrong at each field.', todo: 'Correct it.' },
  401: { means: 'The token is not valid.', todo: 'Fetch a token once; then ask the operator.' },
  403: {
    means: 'The client has no scope for it, or your kind of firm may not do it.',
    todo: 'Ask the operator for the scope.',
  },
  404: { means: 'It does not exist, or is not yours.', todo: 'Check the id.' },
  406: { means: 'The header Accept is wrong.', todo: 'See the reference.' },
  408: { means: 'The request arrived too slowly.', todo: 'Send it again.' },
  409: { means: 'The state does not allow it.', todo: 'Read the state, then decide.' },
  412: { means: 'It changed since it was read.', todo: 'Read it again, decide again.' },
  413: { means: 'It is too large.', todo: 'Send less.' },
  415: { means: 'The content type is wrong.', todo: 'See the reference.' },
  416: { means: 'The range is outside the file.', todo: 'Ask for another range.' },
  422: { means: 'The idempotency key was used for another request.', todo: 'Use a new key for a new request.' },
  429: { means: 'There were too many requests.', todo: 'Wait for Retry-After seconds, then send it again.' },
  500: { means: 'There is an error in the service.', todo: 'Give the operator the correlation id.' },
  503: {
    means: 'The service could not answer at the moment.',
    todo: 'Wait for Retry-After seconds, then send it again.',
  },
}

export const DELIVERY_WORDS: Record<Schemas['Notification']['status'], string> = {
  PENDING: 'Waiting',
  DELIVERED: 'Delivered',
  DEAD: 'Given up',
}

type EventType = Schemas['Event']['type']

/** All types of events, in the groups in which a developer looks for them. */
export const EVENT_GROUPS: Readonly<Record<string, readonly EventType[]>> = {
  'The matter': [
    'WORKSPACE_CREATED',
    'WORKSPACE_PARTICIPANT_ADDED',
    'WORKSPACE_UPDATED',
    'WORKSPACE_PREPARED',
    'WORKSPACE_REVERTED_TO_CREATED',
    'WORKSPACE_CLOSED',
    'WORKSPACE_CANCELLED',
  ],
  'Title, names and representation': [
    'TITLE_SEARCH_PENDING',
    'TITLE_DATA_RECEIVED',
    'TITLE_NOT_FOUND',
    'TITLE_REMOVED',
    'TITLE_RECONCILIATION_UPDATED',
    'REPRESENTATION_ADDED',
    'REPRESENTATION_FAILED',
    'REPRESENTATION_UPDATED',
  ],
  'Case and documents': [
    'FILE_UPLOAD_SUCCEEDED',
    'FILE_UPLOAD_FAILED',
    'FILE_WITHDRAWN',
    'LODGEMENT_APPLICATION_UPDATED',
    'READINESS_CONFIRMED',
    'LODGEMENT_CASE_PREPARED',
    'LODGEMENT_CASE_UNAPPROVED',
  ],
  Money: [
    'FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED',
    'FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED',
    'FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED',
    'WORKSPACE_FUNDS_AUTHORISED',
    'WORKSPACE_FUNDS_UNAUTHORISED',
    'SETTLEMENT_DUE',
    'LINE_ITEM_PAID',
    'LINE_ITEM_UNPAID',
    'WORKSPACE_FUNDS_EXCHANGED',
  ],
  'The registry': [
    'LODGEMENT_WAITING',
    'REGISTRY_WAITING',
    'LODGEMENT_SUBMITTED',
    'WORKSPACE_LODGED',
    'WORKSPACE_REQUISITIONED',
    'REQUISITION_DUE_SOON',
    'REQUISITION_ANSWERED',
    'REQUISITION_CLOSED',
    'REGISTRY_DOCUMENT_RECEIVED',
    'LODGEMENT_REJECTED',
    'LODGEMENT_PARTIALLY_REGISTERED',
    'LODGEMENT_REGISTERED',
  ],
  'Reports and secrets': ['REPORT_GENERATED', 'SECRET_EXPIRY'],
}

export const EVENT_TYPES: readonly EventType[] = Object.values(EVENT_GROUPS).flat()

export const RUN_WORDS: Record<Schemas['ScenarioRun']['status'], string> = {
  WAITING: 'Waiting',
  RUNNING: 'Running',
  DONE: 'Done',
  FAILED: 'Failed',
}

/** Names of fields and values that occur in the sentences of the interface. */
const CODE_WORDS: Record<string, string> = {
  ...DOCUMENT_WORDS,
  SOURCE: 'source',
  DESTINATION: 'destination',
  DIGITAL: 'digital',
  PAPER: 'paper',
  transactionValue: 'the value',
  mortgageDeedReference: 'the reference of the deed',
  mortgageDeedReferenceType: 'the type of the deed',
  isEffective: '“effective”',
}

/** A sentence of the interface, for people. */
export const plainly = (sentence: string): string =>
  sentence.replaceAll(/\b(the )?(\w+)\b/g, (whole, article = '', word) => {
    const words = Object.hasOwn(CODE_WORDS, word) ? CODE_WORDS[word] : undefined
    return words === undefined ? whole : `${words.startsWith('the ') ? '' : article}${words}`
  })

export const ROLE_WORDS: Record<Role, { name: string; who: string; may: string }> = {
  viewer: { name: 'Viewer', who: 'people who may read matters', may: 'Reads the matters of the firm.' },
  preparer: { name: 'Preparer', who: 'preparers', may: 'Prepares matters: title, names, representation, deed, money.' },
  approver: {
    name: 'Approver',
    who: 'approvers',
    may: 'Approves what somebody else prepared, and confirms exceptions.',
  },
  developer: { name: 'Developer', who: 'developers', may: 'Looks after the connection of the firm’s own software.' },
  operator: { name: 'Operator', who: 'operators of the service', may: 'Runs the service. Sees no matters.' },
}
