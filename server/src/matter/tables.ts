// Long because every table of a matter is listed here with its columns.
import { FIRST_HEAD } from '../audit/record.ts'
import { OF_A_TRANSFER } from '../lodgement/rules.ts'
import { searchNameOf } from '../title-reconciliation/search-names.ts'
import type { Matter, MatterFile } from './matter.ts'

// The tables of a matter. A property that has a column here is written when a change sets it.

export type Row = object & { readonly [property: string]: unknown }

/** A table, what a matter has of its rows, and the column of each property. The first is the key. */
export type Table = {
  name: string
  rows: (matter: Matter) => readonly Row[]
  /** With `::jsonb` for a list that is stored as JSON. */
  columns: Readonly<Record<string, string>>
  owner?: Owner
  /** Columns of a new row that SQL computes; `$1` is its key. */
  computed?: Readonly<Record<string, string>>
}

/** To what a row belongs that does not say so itself, and SQL for what counts it there; `$1` is the owner. */
type Owner = { column: string; id: (matter: Matter) => string; counted?: { column: string; sql: string } }

const MADE = ['createdAt', 'createdBy', 'lastModifiedAt', 'lastModifiedBy'] as const
const OF_WORKSPACE: Owner = { column: 'workspace_id', id: ({ workspace }) => workspace.workspaceId }
const OF_SCHEDULE: Owner = { column: 'schedule_id', id: ({ schedule }) => schedule.scheduleId }
const OF_CASE: Owner = { column: 'lodgement_case_id', id: ({ lodgementCase }) => lodgementCase.lodgementCaseId }

/** A new row comes last. */
const lastIn = (table: string): Owner => ({
  ...OF_WORKSPACE,
  counted: {
    column: 'position',
    sql: `(select coalesce(max(position), 0) + 1 from ${table} where workspace_id = $1)`,
  },
})

/** A column has the name of its property, written so_with_underscores, unless it is `named` otherwise. */
function table<R extends object>(
  name: string,
  rows: (matter: Matter) => readonly R[],
  properties: readonly (keyof R & string)[],
  {
    named = {},
    ...more
  }: { named?: NoInfer<Partial<Record<keyof R, string>>> } & Pick<Table, 'owner' | 'computed'> = {},
): Table {
  const columnOf = (property: keyof R & string) =>
    named[property] ?? property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const columns = Object.fromEntries(properties.map((property) => [property, columnOf(property)]))
  return { name, rows: rows as unknown as Table['rows'], columns, ...more }
}

/** For nodes of version 1.0 the last of them has a column of its own. */
const CHANGED_BY = { changedBy: 'changed_by_users' }

/** In the order of writing: what is named comes before what names it. */
export const TABLES: readonly Table[] = [
  table(
    'workspaces',
    ({ workspace }) => [workspace],
    [
      'workspaceId',
      'workspaceReferenceId',
      'reference',
      'lenderId',
      'lawFirmId',
      'securityAddress',
      'postcode',
      'borrowers',
      'lenderOwnReference',
      'lawFirmOwnReference',
      'status',
      'statusSince',
      'titleNumber',
      'completionDate',
      'validationStatus',
      'transferOfEquity',
      'cancellationReason',
      'cancellationNotes',
      'cancelledBy',
      'turnWho',
      'turnTask',
      'turnSince',
      'turnDueAt',
      'turnAlso',
      'turnWaited',
      'turnStale',
      ...MADE,
    ],
    {
      named: {
        validationStatus: 'borrowers_validation_status',
        borrowers: 'borrowers::jsonb',
        turnAlso: 'turn_also::jsonb',
        turnWaited: 'turn_waited::jsonb',
      },
      computed: FIRST_HEAD,
    },
  ),
  table(
    'lodgement_cases',
    ({ lodgementCase }) => [lodgementCase],
    [
      'lodgementCaseId',
      'status',
      'ready',
      'approvedBy',
      'approvedAt',
      'disclosableOverridingInterests',
      'changedBy',
      'changedByUser',
      'registryReference',
      'priorityAt',
      'lodgedAt',
      'registeredAt',
      'earlyCompletion',
      'dischargeRegisteredAt',
      'rejection',
      'registryWait',
      ...MADE,
    ],
    { named: CHANGED_BY, owner: OF_WORKSPACE },
  ),
  table('lodgement_approvals', ({ caseApprovals }) => caseApprovals, ['seq', 'action', 'approvedBy', 'at'], {
    owner: OF_CASE,
  }),
  table(
    'settlement_schedules',
    ({ schedule }) => [schedule],
    ['scheduleId', 'status', 'changedBy', 'changedByUser', 'authorisedAt', 'authorisedBy', 'failure', ...MADE],
    { named: CHANGED_BY, owner: OF_WORKSPACE },
  ),
  table(
    'titles',
    ({ title }) => (title ? [title] : []),
    ['titleId', 'titleNumber', 'searchStatus', 'searchFailure', 'firstAskedAt', 'tenure', 'register'],
    { owner: OF_WORKSPACE },
  ),
  table(
    'title_documents',
    ({ titleDocuments }) => titleDocuments,
    ['titleDocumentId', 'titleId', 'documentType', 'register', 'officialCopyAt', 'createdAt', 'sha256', 'size'],
    { owner: OF_CASE },
  ),
  table(
    'proprietors',
    ({ proprietors }) => proprietors,
    ['proprietorId', 'name', 'registeredName', 'aliases', 'outgoing'],
    { named: { aliases: 'aliases::jsonb' }, owner: lastIn('proprietors') },
  ),
  table(
    'parties',
    ({ parties, workspace: { lenderId, lawFirmId } }) =>
      parties.map((party) => ({ ...party, searchName: searchNameOf(party.name), lenderId, lawFirmId })),
    ['partyId', 'role', 'name', 'proprietorId', 'addressForService', 'searchName', 'lenderId', 'lawFirmId'],
    { owner: lastIn('parties') },
  ),
  table('external_law_firms', ({ firms }) => firms, ['firmId', 'name', 'address'], { owner: OF_WORKSPACE }),
  table(
    'representations',
    ({ representations }) => representations,
    [
      'representationId',
      'partyId',
      'representedBy',
      'subscriberId',
      'firmId',
      'referenceNumber',
      'verificationOfIdentity',
      'status',
      'failureReason',
      'correlationId',
      ...MADE,
    ],
    { owner: OF_WORKSPACE },
  ),
  table(
    'lodgement_applications',
    ({ applications }) => applications,
    [
      'applicationId',
      'applicationType',
      'status',
      'proprietorId',
      'transactionValuePence',
      'mortgageDeedReference',
      'mortgageDeedReferenceType',
      'isEffective',
      ...OF_A_TRANSFER,
      'submittedAt',
      'submittedBy',
      ...MADE,
    ],
    { owner: OF_CASE },
  ),
  table(
    'files',
    ({ applications, files }): readonly MatterFile[] => [
      ...applications.flatMap(({ documents }) => documents as readonly MatterFile[]),
      ...files,
    ],
    [
      'fileId',
      'applicationId',
      'subscriberId',
      'fileName',
      'documentType',
      'documentCategory',
      'certificationType',
      'sha256',
      'size',
      'status',
      'failureReason',
      'supersededBy',
      'precedesDigital',
      'registryDocumentId',
      'registryDocument',
      'correlationId',
      ...MADE,
    ],
    { owner: OF_WORKSPACE },
  ),
  table(
    'submissions',
    ({ submissions }) => submissions,
    ['submissionId', 'kind', 'approvedBy', 'content', 'sentAt', 'correlationId', 'createdAt'],
    {
      owner: {
        ...OF_CASE,
        counted: { column: 'number', sql: '(select count(*) + 1 from submissions where lodgement_case_id = $1)' },
      },
    },
  ),
  table('registry_notices', ({ notices }) => notices, ['noticeId', 'submissionId', 'kind', 'at']),
  table(
    'requisitions',
    ({ requisitions }) => requisitions,
    [
      'requisitionId',
      'submissionId',
      'registryId',
      'status',
      'points',
      'receivedAt',
      'dueAt',
      'answer',
      'answerFileIds',
      'answeredAt',
      'answeredBy',
      'closedAt',
      'closedBy',
      'closedReason',
    ],
    { named: { points: 'points::jsonb' }, owner: OF_CASE },
  ),
  table(
    'line_items',
    ({ schedule }) => schedule.lines,
    ['lineItemId', 'type', 'category', 'amountPence', 'reference', 'bankAccount', 'payment', 'changedBy'],
    { named: CHANGED_BY, owner: OF_SCHEDULE },
  ),
  table('schedule_approvals', ({ schedule }) => schedule.approvals, ['seq', 'action', 'approvedBy', 'at'], {
    owner: OF_SCHEDULE,
  }),
  table(
    'confirmations',
    ({ confirmations }) => confirmations,
    ['confirmationId', 'ruleId', 'field', 'reason', 'confirmedBy', 'confirmedAt', 'basis'],
    { owner: OF_WORKSPACE },
  ),
  table(
    'settlements',
    ({ settlements }) => settlements,
    [
      'settlementId',
      'scheduleId',
      'status',
      'lines',
      'initiatedAt',
      'settledAt',
      'scheme',
      'paymentReference',
      'failureReason',
    ],
    { named: { lines: 'lines::jsonb' }, owner: OF_WORKSPACE },
  ),
]
