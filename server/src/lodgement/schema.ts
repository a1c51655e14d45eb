import { APPROVAL_ACTIONS } from '../auth/scopes.ts'
import { Id, PathId } from '../events/ids.ts'
import {
  Answer,
  Choice,
  Closed,
  Email,
  HISTORY_ITEMS_MAX,
  PlainText,
  Pounds,
  type Static,
  Timestamp,
  Type,
} from '../platform/http/schema.ts'
import { CERTIFICATION_TYPES, DEED_REFERENCE_TYPES } from '../registry/lodgement.ts'
import { SEARCH_FAILURES } from '../registry/port.ts'
import {
  AuditAttributes,
  CaseStatus,
  PARTIES_MAX,
  partyParts,
  SearchStatus,
  Tenure,
  TitleNumber,
  TransactionType,
  WorkspaceReferenceId,
} from '../workspaces/shapes.ts'
import { DOCUMENT_CATEGORIES, DOCUMENT_TYPES } from './attachments.ts'
import { APPLICATION_TYPES } from './rules.ts'
import {
  CaseRejection,
  Certification,
  fileParts,
  RegistryWait,
  requisitionParts,
  termsParts,
  VALUE_POUNDS_MAX,
} from './shapes.ts'
import { APPLICATION_STATUSES } from './status.ts'

// What goes over the wire about the case and its applications.

const DEED_REFERENCE_CHARACTERS_MAX = 20

const ApplicationType = Choice(APPLICATION_TYPES, {
  description: '`MORTGAGE_DEED` is there from the start. The others come of the register and of title reconciliation.',
})

const ApplicationAttributes = Answer(
  'ApplicationAttributes',
  {
    applicationType: ApplicationType,
    transactionValue: Type.Optional(
      Pounds(0, VALUE_POUNDS_MAX, { description: 'In pounds. Left out until it is set.' }),
    ),
    landRegistryFee: Type.Optional(
      Type.Number({
        minimum: 0,
        format: 'decimal',
        'x-contract': { multipleOf: 0.01 },
        description:
          'In pounds. Left out while it depends on a `transactionValue` that is not given, and once withdrawn. A transfer ' +
          'for money is assessed on another scale.',
        examples: [45],
      }),
    ),
    certificationType: Type.Optional(Choice(CERTIFICATION_TYPES, { description: 'That of the main document.' })),
    mortgageDeedReference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: DEED_REFERENCE_CHARACTERS_MAX,
        description: 'The approved form of deed. Approval needs one such as `MD431C`, of a digital deed `e-MD431C`.',
        examples: ['MD431C'],
      }),
    ),
    mortgageDeedReferenceType: Type.Optional(
      Choice(DEED_REFERENCE_TYPES, { description: 'Whether the deed is on paper or electronic.' }),
    ),
    isEffective: Type.Optional(
      Type.Boolean({ description: 'Whether the deed has taken effect. A digital one must, before the case is sent.' }),
    ),
    ...termsParts,
  },
  { description: 'What a law firm says of it, and what follows from that.' },
)

const applicationParts = {
  applicationId: Id.applicationId,
  applicationType: ApplicationType,
  status: Choice(APPLICATION_STATUSES, {
    description: '`READY` once it has what it needs; from `APPROVED` on with the case. `WITHDRAWN` counts for nothing.',
  }),
  submittedAt: Type.Optional(Timestamp({ description: 'When it was last sent to the registry.' })),
  submittedBy: Type.Optional(
    Email({
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
  attributes: ApplicationAttributes,
}

export const Application = Answer('LodgementApplication', applicationParts)

const ApplicationRecord = Answer('ApplicationRecord', {
  ...applicationParts,
  priority: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Its place in the order in which the registry takes them. Left out where it is withdrawn.',
    }),
  ),
  documents: Type.Array(
    Answer('ApplicationDocument', {
      ...fileParts,
      documentType: Choice(DOCUMENT_TYPES, { description: 'As the upload named it.' }),
      documentCategory: Choice(DOCUMENT_CATEGORIES, { description: 'As the upload named it, like the type.' }),
      certificationType: Certification,
    }),
    { maxItems: HISTORY_ITEMS_MAX, description: 'All that were ever attached, oldest first.' },
  ),
  parties: Type.Array(Answer('ApplicationParty', partyParts), {
    maxItems: PARTIES_MAX,
    description: 'Whom the application concerns.',
  }),
})

const CaseTitle = Answer('CaseTitle', {
  titleId: Id.titleId,
  titleNumber: TitleNumber(),
  tenure: Type.Optional(Tenure),
})

const OpenRequisition = Answer('OpenRequisition', requisitionParts, {
  description: 'The open one, where there is one. `GET …/requisitions` has all of them.',
})

const CaseApproval = Answer('CaseApproval', {
  action: Choice(APPROVAL_ACTIONS, { description: 'What was done.' }),
  approvedBy: Email({ description: 'Who did it, as the caller stated it.' }),
  at: Timestamp({ description: 'When it was done.' }),
})

const CaseRecord = Answer('LodgementCaseRecord', {
  lodgementCaseId: Id.lodgementCaseId,
  lodgementCaseStatus: CaseStatus,
  workspaceId: Id.workspaceId,
  workspaceReferenceId: WorkspaceReferenceId(),
  transactionType: TransactionType,
  lastTitleSearchStatus: Type.Optional(SearchStatus),
  titleSearchFailure: Type.Optional(
    Choice(SEARCH_FAILURES, {
      description: 'What the registry said where the search `FAILED`; left out where a cancelled workspace ended it.',
    }),
  ),
  registryReference: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The registry’s own number of the case. Left out before it accepted it.',
      examples: ['A123BCD'],
    }),
  ),
  priorityAt: Type.Optional(Timestamp({ description: 'From this moment on it goes before what others lodge later.' })),
  earlyCompletion: Type.Boolean({ description: 'Whether the registry completed all but the discharge first.' }),
  rejection: Type.Optional(CaseRejection),
  registryWait: Type.Optional(RegistryWait),
  titles: Type.Array(CaseTitle, { maxItems: 1, description: 'Empty until a title number is given.' }),
  applications: Type.Array(ApplicationRecord, {
    minItems: 1,
    maxItems: HISTORY_ITEMS_MAX,
    description: 'All that there ever were, oldest first; the withdrawn too.',
  }),
  requisition: Type.Optional(OpenRequisition),
  approvals: Type.Array(CaseApproval, {
    maxItems: HISTORY_ITEMS_MAX,
    description:
      'Every approval, and every withdrawal by hand, oldest first. `lodgementCaseStatus` says whether it is approved now.',
  }),
  auditAttributes: AuditAttributes,
})

/** Always one record: a workspace has one case. */
export const LodgementCases = Answer('LodgementCases', {
  records: Type.Array(CaseRecord, { minItems: 1, maxItems: 1, description: 'Always one: a workspace has one case.' }),
})

export const LodgementCaseQuery = Type.Object({ workspace_id: PathId.workspace_id })

export const ApplicationPath = Type.Object({
  lodgement_case_id: PathId.lodgement_case_id,
  application_id: PathId.application_id,
})

export const UpdateApplicationRequest = Closed(
  {
    transactionValue: Type.Optional(
      Pounds(0, VALUE_POUNDS_MAX, {
        description: 'In pounds, with at most two decimals. The registry’s fee depends on it.',
      }),
    ),
    mortgageDeedReference: Type.Optional(
      PlainText(1, DEED_REFERENCE_CHARACTERS_MAX, {
        description: 'Only of a `MORTGAGE_DEED` application.',
        examples: ['MD431C'],
      }),
    ),
    mortgageDeedReferenceType: Type.Optional(
      Choice(DEED_REFERENCE_TYPES, {
        description: 'Only of a `MORTGAGE_DEED` application. A deed attached before `DIGITAL` must be uploaded again.',
      }),
    ),
    isEffective: Type.Optional(
      Type.Boolean({
        description:
          'Only of a `MORTGAGE_DEED` application. A `DIGITAL` deed needs its reference first, and is made effective on completion day.',
      }),
    ),
    ...termsParts,
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
