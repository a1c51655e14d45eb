// Long because it lists the columns of every table of a matter.
import type { Matter, MatterFile } from './matter.ts'

// The tables of a matter. A property that has a column here is written when a change sets it.

export type Row = object & { readonly [property: string]: unknown }

/** A table, what a matter has of its rows, and the column of each property. The first is the key. */
export type Table = {
  name: string
  rows: (matter: Matter) => readonly Row[]
  /** With `::jsonb` for a list that is kept as JSON. */
  columns: Readonly<Record<string, string>>
  /** To what a row belongs that does not say so itself, and SQL for what counts it there; `$1` is the owner. */
  owner?: { column: string; id: (matter: Matter) => string; counted?: { column: string; sql: string } }
}

const MADE = {
  createdAt: 'created_at',
  createdBy: 'created_by',
  lastModifiedAt: 'last_modified_at',
  lastModifiedBy: 'last_modified_by',
}
const OF_WORKSPACE = { column: 'workspace_id', id: ({ workspace }: Matter) => workspace.workspaceId }
const OF_SCHEDULE = { column: 'schedule_id', id: ({ schedule }: Matter) => schedule.scheduleId }
const OF_CASE = { column: 'lodgement_case_id', id: ({ lodgementCase }: Matter) => lodgementCase.lodgementCaseId }

/** A new row comes last. */
const lastIn = (table: string) => ({
  ...OF_WORKSPACE,
  counted: {
    column: 'position',
    sql: `(select coalesce(max(position), 0) + 1 from ${table} where workspace_id = $1)`,
  },
})

// Only properties that the rows have can be given a column.
const table = <R extends object>(
  definition: Omit<Table, 'rows' | 'columns'> & {
    rows: (matter: Matter) => readonly R[]
    columns: Readonly<Partial<Record<keyof R & string, string>>>
  },
): Table => definition as unknown as Table

/** In the order of writing: what is named comes before what names it. */
export const TABLES: readonly Table[] = [
  table({
    name: 'workspaces',
    rows: ({ workspace }) => [workspace],
    columns: {
      workspaceId: 'workspace_id',
      workspaceReferenceId: 'workspace_reference_id',
      reference: 'reference',
      lenderId: 'lender_id',
      lawFirmId: 'law_firm_id',
      securityAddress: 'security_address',
      postcode: 'postcode',
      status: 'status',
      statusSince: 'status_since',
      titleNumber: 'title_number',
      completionDate: 'completion_date',
      validationStatus: 'borrowers_validation_status',
      transferOfEquity: 'transfer_of_equity',
      cancellationReason: 'cancellation_reason',
      cancellationNotes: 'cancellation_notes',
      ...MADE,
    },
  }),
  table({
    name: 'lodgement_cases',
    rows: ({ lodgementCase }) => [lodgementCase],
    columns: {
      lodgementCaseId: 'lodgement_case_id',
      status: 'status',
      ready: 'ready',
      approvedBy: 'approved_by',
      approvedAt: 'approved_at',
      changedBy: 'changed_by_users',
      changedByUser: 'changed_by_user',
      registryReference: 'registry_reference',
      priorityAt: 'priority_at',
      lodgedAt: 'lodged_at',
      registeredAt: 'registered_at',
      earlyCompletion: 'early_completion',
      dischargeRegisteredAt: 'discharge_registered_at',
      ...MADE,
    },
    owner: OF_WORKSPACE,
  }),
  table({
    name: 'settlement_schedules',
    rows: ({ schedule }) => [schedule],
    columns: {
      scheduleId: 'schedule_id',
      status: 'status',
      changedBy: 'changed_by_users',
      changedByUser: 'changed_by_user',
      authorisedAt: 'authorised_at',
      authorisedBy: 'authorised_by',
      ...MADE,
    },
    owner: OF_WORKSPACE,
  }),
  table({
    name: 'titles',
    rows: ({ title }) => (title ? [title] : []),
    columns: {
      titleId: 'title_id',
      titleNumber: 'title_number',
      searchStatus: 'search_status',
      searchFailure: 'search_failure',
      firstAskedAt: 'first_asked_at',
      tenure: 'tenure',
      register: 'register',
    },
    owner: OF_WORKSPACE,
  }),
  table({
    name: 'title_documents',
    rows: ({ titleDocuments }) => titleDocuments,
    columns: {
      titleDocumentId: 'title_document_id',
      titleId: 'title_id',
      documentType: 'document_type',
      register: 'register',
      officialCopyAt: 'official_copy_at',
      createdAt: 'created_at',
      sha256: 'sha256',
      size: 'size',
    },
    owner: OF_CASE,
  }),
  table({
    name: 'proprietors',
    rows: ({ proprietors }) => proprietors,
    columns: {
      proprietorId: 'proprietor_id',
      name: 'name',
      registeredName: 'registered_name',
      aliases: 'aliases::jsonb',
      outgoing: 'outgoing',
    },
    owner: lastIn('proprietors'),
  }),
  table({
    name: 'parties',
    rows: ({ parties }) => parties,
    columns: { partyId: 'party_id', role: 'role', name: 'name', proprietorId: 'proprietor_id' },
    owner: lastIn('parties'),
  }),
  table({
    name: 'external_law_firms',
    rows: ({ firms }) => firms,
    columns: { firmId: 'firm_id', name: 'name', address: 'address' },
    owner: OF_WORKSPACE,
  }),
  table({
    name: 'representations',
    rows: ({ representations }) => representations,
    columns: {
      representationId: 'representation_id',
      partyId: 'party_id',
      representedBy: 'represented_by',
      subscriberId: 'subscriber_id',
      firmId: 'firm_id',
      referenceNumber: 'reference_number',
      verificationOfIdentity: 'verification_of_identity',
      status: 'status',
      failureReason: 'failure_reason',
      correlationId: 'correlation_id',
      ...MADE,
    },
    owner: OF_WORKSPACE,
  }),
  table({
    name: 'lodgement_applications',
    rows: ({ applications }) => applications,
    columns: {
      applicationId: 'application_id',
      applicationType: 'application_type',
      status: 'status',
      proprietorId: 'proprietor_id',
      transactionValuePence: 'transaction_value_pence',
      mortgageDeedReference: 'mortgage_deed_reference',
      mortgageDeedReferenceType: 'mortgage_deed_reference_type',
      isEffective: 'is_effective',
      submittedAt: 'submitted_at',
      submittedBy: 'submitted_by',
      ...MADE,
    },
    owner: OF_CASE,
  }),
  table({
    name: 'files',
    rows: ({ applications, files }): readonly MatterFile[] => [
      ...applications.flatMap(({ documents }) => documents as readonly MatterFile[]),
      ...files,
    ],
    columns: {
      fileId: 'file_id',
      applicationId: 'application_id',
      subscriberId: 'subscriber_id',
      fileName: 'file_name',
      documentType: 'document_type',
      documentCategory: 'document_category',
      certificationType: 'certification_type',
      sha256: 'sha256',
      size: 'size',
      status: 'status',
      failureReason: 'failure_reason',
      supersededBy: 'superseded_by',
      correlationId: 'correlation_id',
      ...MADE,
    },
    owner: OF_WORKSPACE,
  }),
  table({
    name: 'submissions',
    rows: ({ submissions }) => submissions,
    columns: {
      submissionId: 'submission_id',
      approvedBy: 'approved_by',
      content: 'content',
      sentAt: 'sent_at',
      correlationId: 'correlation_id',
      createdAt: 'created_at',
    },
    owner: {
      ...OF_CASE,
      counted: { column: 'number', sql: '(select count(*) + 1 from submissions where lodgement_case_id = $1)' },
    },
  }),
  table({
    name: 'registry_notices',
    rows: ({ notices }) => notices,
    columns: { noticeId: 'notice_id', submissionId: 'submission_id', kind: 'kind', at: 'at' },
  }),
  table({
    name: 'requisitions',
    rows: ({ requisitions }) => requisitions,
    columns: {
      requisitionId: 'requisition_id',
      submissionId: 'submission_id',
      registryId: 'registry_id',
      status: 'status',
      points: 'points::jsonb',
      receivedAt: 'received_at',
      dueAt: 'due_at',
      answer: 'answer',
      answerFileIds: 'answer_file_ids',
      answeredAt: 'answered_at',
      answeredBy: 'answered_by',
    },
    owner: OF_CASE,
  }),
  table({
    name: 'line_items',
    rows: ({ schedule }) => schedule.lines,
    columns: {
      lineItemId: 'line_item_id',
      type: 'type',
      category: 'category',
      amountPence: 'amount_pence',
      reference: 'reference',
      bankAccount: 'bank_account',
    },
    owner: OF_SCHEDULE,
  }),
  table({
    name: 'schedule_approvals',
    rows: ({ schedule }) => schedule.approvals,
    columns: { seq: 'seq', action: 'action', approvedBy: 'approved_by', at: 'at' },
    owner: OF_SCHEDULE,
  }),
  table({
    name: 'settlements',
    rows: ({ settlements }) => settlements,
    columns: {
      settlementId: 'settlement_id',
      scheduleId: 'schedule_id',
      status: 'status',
      lines: 'lines::jsonb',
      initiatedAt: 'initiated_at',
      settledAt: 'settled_at',
      scheme: 'scheme',
      paymentReference: 'payment_reference',
      failureReason: 'failure_reason',
    },
    owner: OF_WORKSPACE,
  }),
]
