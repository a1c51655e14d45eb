import { Answer, Closed, Pounds, type Static, Text, Timestamp, Type, Uuid } from '../platform/http/schema.ts'
import { AuditAttributes, PARTY_ROLES, PartyDetailsAnswer, SEARCH_STATUSES } from '../workspaces/shapes.ts'
import { CASE_STATUSES } from '../workspaces/status.ts'
import { ATTACHMENT_CATEGORIES, ATTACHMENT_TYPES, CERTIFICATION_TYPES, UPLOAD_STATUSES } from './attachments.ts'
import { APPLICATION_TYPES, DEED_REFERENCE_TYPES } from './rules.ts'
import { APPLICATION_STATUSES } from './status.ts'

// What goes over the wire about the case and its applications: the interface, 2.4 and 2.6.

const fileParts = {
  fileId: Uuid(),
  fileName: Type.String({ examples: ['mortgage-deed.pdf'] }),
  fileUploadStatus: Type.Enum([...UPLOAD_STATUSES]),
  auditAttributes: AuditAttributes,
}

const applicationParts = {
  applicationId: Uuid(),
  applicationType: Type.Enum([...APPLICATION_TYPES]),
  status: Type.Enum([...APPLICATION_STATUSES]),
  submittedAt: Type.Optional(Timestamp()),
  submittedBy: Type.Optional(
    Type.String({
      description: 'The `approvedBy` of the approval that was sent.',
      examples: ['approver@harbour.example'],
    }),
  ),
  auditAttributes: AuditAttributes,
  file: Type.Optional(
    Answer('ApplicationFile', fileParts, {
      description: 'The main document: the one that counts, or else the newest that is still being checked.',
    }),
  ),
  attributes: Answer('ApplicationAttributes', {
    applicationType: Type.Enum([...APPLICATION_TYPES]),
    transactionValue: Type.Optional(Type.Number({ minimum: 0, examples: [206_000] })),
    landRegistryFee: Type.Optional(
      Type.Number({
        minimum: 0,
        description: 'In pounds. Left out while it depends on a `transactionValue` that is not given.',
        examples: [45],
      }),
    ),
    certificationType: Type.Optional(
      Type.Enum([...CERTIFICATION_TYPES], { description: 'That of the main document.' }),
    ),
    mortgageDeedReference: Type.Optional(Type.String({ examples: ['MD431C'] })),
    mortgageDeedReferenceType: Type.Optional(Type.Enum([...DEED_REFERENCE_TYPES])),
    isEffective: Type.Optional(Type.Boolean()),
  }),
}

export const Application = Answer('LodgementApplication', applicationParts)

const ApplicationRecord = Answer('ApplicationRecord', {
  ...applicationParts,
  priority: Type.Optional(Type.Integer({ minimum: 1, description: 'Left out where the application is withdrawn.' })),
  documents: Type.Array(
    Answer('ApplicationDocument', {
      ...fileParts,
      documentType: Type.Enum([...ATTACHMENT_TYPES]),
      documentCategory: Type.Enum([...ATTACHMENT_CATEGORIES]),
      certificationType: Type.Enum([...CERTIFICATION_TYPES]),
    }),
    { description: 'All that were ever attached, oldest first.' },
  ),
  parties: Type.Array(
    Answer('ApplicationParty', {
      partyId: Uuid(),
      type: Type.Enum(['INDIVIDUAL', 'ORGANISATION']),
      role: Type.Enum([...PARTY_ROLES]),
      partyDetails: PartyDetailsAnswer,
    }),
    { description: 'Whom the application concerns.' },
  ),
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
  requisition: Type.Optional(
    Answer(
      'OpenRequisition',
      {
        requisitionId: Uuid(),
        receivedAt: Timestamp(),
        dueAt: Timestamp(),
        points: Type.Array(Type.String({ examples: ['Please lodge evidence of the identity of the borrower.'] })),
      },
      { description: 'The open one, where there is one.' },
    ),
  ),
  auditAttributes: AuditAttributes,
})

/** Always one record: a workspace has one case. */
export const LodgementCases = Answer('LodgementCases', { records: Type.Array(CaseRecord) })

export const LodgementCaseQuery = Type.Object({ workspace_id: Uuid() })

export const ApplicationPath = Type.Object({ lodgement_case_id: Uuid(), application_id: Uuid() })

export const UpdateApplicationRequest = Closed(
  {
    transactionValue: Type.Optional(Pounds(0, 999_999_999_999.99)),
    mortgageDeedReference: Type.Optional(
      Text(1, 20, { description: 'Only of a `MORTGAGE_DEED` application.', examples: ['MD431C'] }),
    ),
    mortgageDeedReferenceType: Type.Optional(
      Type.Enum([...DEED_REFERENCE_TYPES], { description: 'Only of a `MORTGAGE_DEED` application.' }),
    ),
    isEffective: Type.Optional(
      Type.Boolean({
        description: 'Only of a `MORTGAGE_DEED` application. A `DIGITAL` deed needs its reference first.',
      }),
    ),
  },
  {
    title: 'UpdateApplicationRequest',
    description: 'What is left out stays as it is.',
    examples: [{ transactionValue: 206_000, mortgageDeedReference: 'MD431C', mortgageDeedReferenceType: 'PAPER' }],
  },
)

export type Application = Static<typeof Application>
export type CaseRecord = Static<typeof CaseRecord>
export type UpdateApplicationRequest = Static<typeof UpdateApplicationRequest>
