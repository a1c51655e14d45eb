import { Answer, type Static, Timestamp, Type, Uuid } from '../platform/http/schema.ts'
import { AuditAttributes, SEARCH_STATUSES } from '../workspaces/shapes.ts'
import { CASE_STATUSES } from '../workspaces/status.ts'
import { APPLICATION_TYPES } from './rules.ts'
import { APPLICATION_STATUSES } from './status.ts'

const ApplicationRecord = Answer('ApplicationRecord', {
  applicationId: Uuid(),
  applicationType: Type.Enum([...APPLICATION_TYPES]),
  status: Type.Enum([...APPLICATION_STATUSES]),
  priority: Type.Optional(Type.Integer({ minimum: 1, description: 'Left out where the application is withdrawn.' })),
  auditAttributes: AuditAttributes,
  attributes: Answer('ApplicationAttributes', { applicationType: Type.Enum([...APPLICATION_TYPES]) }),
})

const CaseRecord = Answer('LodgementCaseRecord', {
  lodgementCaseId: Uuid(),
  lodgementCaseStatus: Type.Enum([...CASE_STATUSES]),
  workspaceId: Uuid(),
  workspaceReferenceId: Type.String({ examples: ['LW260000042'] }),
  transactionType: Type.Literal('REMORTGAGE'),
  lastTitleSearchStatus: Type.Optional(Type.Enum([...SEARCH_STATUSES])),
  titleSearchFailure: Type.Optional(Type.Enum(['NOT_FOUND', 'CLOSED', 'PENDING_NEW_TITLE'])),
  registryReference: Type.Optional(Type.String({ examples: ['A123BCD'] })),
  priorityAt: Type.Optional(Timestamp()),
  earlyCompletion: Type.Boolean(),
  titles: Type.Array(
    Answer('CaseTitle', {
      titleId: Uuid(),
      titleNumber: Type.String({ examples: ['ST500678'] }),
      tenure: Type.Optional(Type.Enum(['FREEHOLD', 'LEASEHOLD'])),
    }),
  ),
  applications: Type.Array(ApplicationRecord),
  auditAttributes: AuditAttributes,
})

/** Always one record: a workspace has one case. */
export const LodgementCases = Answer('LodgementCases', { records: Type.Array(CaseRecord) })

export const LodgementCaseQuery = Type.Object({ workspace_id: Uuid() })

export type CaseRecord = Static<typeof CaseRecord>
