import type { Transaction } from '../platform/database/db.ts'
import type { Matter } from './matter.ts'

// The one writer of a matter's tables: what differs between two states of it, row by row and column by column. All of
// it travels with the commit.

/** `before` is undefined for a new matter. */
export function saveMatter(tx: Transaction, before: Matter | undefined, after: Matter): void {
  for (const table of TABLES) saveTable(tx, table, before ? table.rows(before) : [], after)
}

type Row = object & { readonly [property: string]: unknown }

/** A table, what a matter has of its rows, and the column of each property. The first is the key. */
type Table = {
  name: string
  rows: (matter: Matter) => readonly Row[]
  /** With `::jsonb` for a list that is kept as JSON. */
  columns: Readonly<Record<string, string>>
  /** To what a row belongs that does not say so itself, and SQL for its position there; `$1` is the owner. */
  owner?: { column: string; id: (matter: Matter) => string; position?: string }
}

const MADE = {
  createdAt: 'created_at',
  createdBy: 'created_by',
  lastModifiedAt: 'last_modified_at',
  lastModifiedBy: 'last_modified_by',
}
const OF_WORKSPACE = { column: 'workspace_id', id: ({ workspace }: Matter) => workspace.workspaceId }
const OF_CASE = { column: 'lodgement_case_id', id: ({ lodgementCase }: Matter) => lodgementCase.lodgementCaseId }

/** A new row comes last. */
const lastIn = (table: string) => ({
  ...OF_WORKSPACE,
  position: `(select coalesce(max(position), 0) + 1 from ${table} where workspace_id = $1)`,
})

/** In the order of writing: what is named comes before what names it. */
const TABLES: readonly Table[] = [
  {
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
  },
  {
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
      ...MADE,
    },
    owner: OF_WORKSPACE,
  },
  {
    name: 'settlement_schedules',
    rows: ({ schedule }) => [schedule],
    columns: {
      scheduleId: 'schedule_id',
      status: 'status',
      authorisedAt: 'authorised_at',
      authorisedBy: 'authorised_by',
      ...MADE,
    },
    owner: OF_WORKSPACE,
  },
  {
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
  },
  {
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
  },
  {
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
  },
  {
    name: 'parties',
    rows: ({ parties }) => parties,
    columns: { partyId: 'party_id', role: 'role', name: 'name', proprietorId: 'proprietor_id' },
    owner: lastIn('parties'),
  },
  {
    name: 'external_law_firms',
    rows: ({ firms }) => firms,
    columns: { firmId: 'firm_id', name: 'name', address: 'address' },
    owner: OF_WORKSPACE,
  },
  {
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
  },
  {
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
  },
]

function saveTable(tx: Transaction, table: Table, stored: readonly Row[], matter: Matter): void {
  const [[property = '', key = ''] = []] = Object.entries(table.columns)
  const rows = table.rows(matter)
  const known = new Map(stored.map((row) => [row[property], row]))
  const left = new Set(rows.map((row) => row[property]))
  for (const id of known.keys()) if (!left.has(id)) tx.send(`delete from ${table.name} where ${key} = $1`, [id])
  for (const row of rows) {
    const former = known.get(row[property])
    if (!former) insert(tx, table, row, matter)
    else if (former !== row) update(tx, table, former, row)
  }
}

function insert(tx: Transaction, { name, columns, owner }: Table, row: Row, matter: Matter): void {
  const given = Object.entries(columns).filter(([property]) => row[property] !== undefined)
  const cells = [
    ...(owner ? [[owner.column, owner.id(matter)]] : []),
    ...given.map(([property, column]) => [plain(column), cellOf(row[property], column)]),
  ]
  const names = cells.map(([column]) => column)
  const places = cells.map((_, index) => `$${index + 1}`)
  if (owner?.position) {
    names.push('position')
    places.push(owner.position)
  }
  tx.send(
    `insert into ${name} (${names.join(', ')}) values (${places.join(', ')})`,
    cells.map(([, value]) => value),
  )
}

function update(tx: Transaction, { name, columns }: Table, former: Row, row: Row): void {
  const [[property = '', key = ''] = [], ...others] = Object.entries(columns)
  const changed = others.filter(([property]) => row[property] !== former[property])
  if (!changed.length) return
  const set = changed.map(([, column], index) => `${plain(column)} = $${index + 2}`)
  const values = changed.map(([property, column]) => cellOf(row[property], column))
  tx.send(`update ${name} set ${set.join(', ')} where ${key} = $1`, [row[property], ...values])
}

const plain = (column: string) => column.replace('::jsonb', '')

// The driver would write a list as an array of PostgreSQL.
const cellOf = (value: unknown, column: string) =>
  column.endsWith('::jsonb') ? JSON.stringify(value) : (value ?? null)
