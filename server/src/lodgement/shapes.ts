import { Id } from '../events/ids.ts'
import { Answer, Choice, PlainText, Pounds, Timestamp, Type } from '../platform/http/schema.ts'
import {
  CERTIFICATION_TYPES,
  CONSIDERATION_TYPES,
  TITLE_GUARANTEES,
  TRUST_DECLARATIONS,
  VALUE_BANDS,
} from '../registry/lodgement.ts'
import { AuditAttributes } from '../workspaces/shapes.ts'
import { WAIT_REASONS } from '../workspaces/status.ts'
import { UPLOAD_STATUSES } from './attachments.ts'
import { REJECTION_REASONS } from './rules-registry.ts'

// Files, the terms of a transfer, and what passes between a case and the registry, on the wire.

const FILE_NAME_CHARACTERS_MAX = 255

export const Certification = Choice(CERTIFICATION_TYPES, {
  description: 'Whether the file shows a certified copy, the original, or a plain scan.',
  examples: ['CERTIFIED'],
})

export const fileParts = {
  fileId: Id.fileId,
  fileName: Type.String({
    minLength: 1,
    maxLength: FILE_NAME_CHARACTERS_MAX,
    pattern: '\\.pdf$',
    description:
      'As the client called it, without path and control characters. Always ends in `.pdf`, which is added where it is missing.',
    examples: ['mortgage-deed.pdf'],
  }),
  fileUploadStatus: Choice(UPLOAD_STATUSES, {
    description: '`PENDING` until its checks have ended. Only a `SUCCESS` counts and can be downloaded.',
  }),
  auditAttributes: AuditAttributes,
}

export const VALUE_POUNDS_MAX = 999_999_999_999.99

const ofTransfer = (description: string) => ({ description: `Only of a \`TRANSFER_OF_WHOLE\`. ${description}` })

/** HM Land Registry needs most of them; readiness says which. Other registries may do without. */
export const termsParts = {
  titleGuarantee: Type.Optional(Choice(TITLE_GUARANTEES, ofTransfer('With which title guarantee it is made.'))),
  considerationType: Type.Optional(
    Choice(CONSIDERATION_TYPES, ofTransfer('Whether it is for money, for nothing, or for something else.')),
  ),
  considerationDescription: Type.Optional(
    PlainText(1, 200, {
      ...ofTransfer('What it is for, where that is `OTHER`.'),
      examples: ['The transferee takes over the mortgage.'],
    }),
  ),
  trustDeclaration: Type.Optional(
    Choice(TRUST_DECLARATIONS, ofTransfer('How two or more proprietors hold it; in common means in equal shares.')),
  ),
  trustDetails: Type.Optional(
    PlainText(1, 300, {
      ...ofTransfer('In words, where that is `TRUST_DETAILS`.'),
      examples: ['As tenants in common: 60% for Ann Lee, 40% for Bo Lee.'],
    }),
  ),
  transactionValueBand: Type.Optional(
    Choice(
      VALUE_BANDS,
      ofTransfer('In pounds, where it is not for money and its value is not known exactly. A `transactionValue` wins.'),
    ),
  ),
  outstandingCharge: Type.Optional(
    Pounds(0, VALUE_POUNDS_MAX, {
      ...ofTransfer('What is still owed under a charge that the new proprietors take over, in pounds.'),
      examples: [0],
    }),
  ),
}

export const requisitionParts = {
  requisitionId: Id.requisitionId,
  receivedAt: Timestamp({ description: 'When the registry asked.' }),
  dueAt: Timestamp({ description: 'By when to answer: 20 business days later. After that the case is rejected.' }),
  points: Type.Array(Type.String({ examples: ['Please lodge evidence of the identity of the borrower.'] }), {
    maxItems: 100,
    description: 'What the registry wants to know, in its own words. Empty where it sent a letter.',
  }),
  fileIds: Type.Array(Id.fileId, {
    maxItems: 100,
    description:
      'The letter: files of the workspace, with the `source` `REGISTRY`. Each arrives shortly after the requisition.',
  }),
}

export const CaseRejection = Answer(
  'CaseRejection',
  {
    at: Timestamp({ description: 'When the registry rejected it, or the time to answer was over.' }),
    reason: Choice(REJECTION_REASONS, {
      description:
        'The registry’s validation failed, it cancelled the case, or a requisition was not answered in time.',
    }),
    field: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'What the registry found wrong; the first, where there are several. Only of `VALIDATION_FAILED`.',
        examples: ['mortgageDeedReference'],
      }),
    ),
    message: Type.String({
      minLength: 1,
      description: 'Why, in a sentence. The timeline has the same.',
      examples: ['The registry cancelled the case: The deed that was lodged describes another property.'],
    }),
  },
  { description: 'Why the case was rejected. Left out once it is sent again.' },
)

export const RegistryWait = Answer(
  'RegistryWait',
  {
    reason: Choice(WAIT_REASONS, {
      description:
        '`NO_ACCOUNT` and `ACCOUNT_REFUSED` need the operator of the platform: the law firm has no account at the registry, or the registry refuses it. The others pass by themselves.',
    }),
    since: Timestamp({ description: 'Since when it waits for this reason.' }),
    message: Type.String({
      minLength: 1,
      description: 'The reason in a sentence.',
      examples: ['The registry is closed at this hour. It is asked again later.'],
    }),
  },
  {
    description:
      'Why the title search, the lodgement or an answer has not reached the registry yet. Nothing is lost: it is tried again until it succeeds. Left out while nothing waits.',
  },
)
