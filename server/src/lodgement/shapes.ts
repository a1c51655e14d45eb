import { Id } from '../events/ids.ts'
import { Choice, Timestamp, Type } from '../platform/http/schema.ts'
import { CERTIFICATION_TYPES } from '../registry/lodgement.ts'
import { AuditAttributes } from '../workspaces/shapes.ts'
import { UPLOAD_STATUSES } from './attachments.ts'

// Files and requisitions on the wire, wherever one is shown.

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

export const requisitionParts = {
  requisitionId: Id.requisitionId,
  receivedAt: Timestamp({ description: 'When the registry asked.' }),
  dueAt: Timestamp({ description: 'By when to answer: 20 business days later. After that the case is rejected.' }),
  points: Type.Array(Type.String({ examples: ['Please lodge evidence of the identity of the borrower.'] }), {
    maxItems: 100,
    description: 'What the registry wants to know, in its own words.',
  }),
}
