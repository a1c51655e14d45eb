import {
  ATTACHMENT_CATEGORIES,
  ATTACHMENT_TYPES,
  CERTIFICATION_TYPES,
  UPLOAD_STATUSES,
} from '../lodgement/attachments.ts'
import { Answer, Closed, Page, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { AuditAttributes } from '../workspaces/shapes.ts'
import { DOCUMENT_CATEGORIES, DOCUMENT_TYPES, FAILURE_REASONS } from './rules.ts'

// What goes over the wire about documents: interface.md 4.9 and 4.10.

// The document shows bytes; the request's body holds their SHA-256 instead.
const File = Type.String({
  format: 'binary',
  contentMediaType: 'application/pdf',
  description: 'A PDF, at most 41,943,040 bytes unless the operator has set another limit.',
})

const Certification = Type.Enum([...CERTIFICATION_TYPES])

export const AttachDocumentRequest = Closed(
  {
    file: File,
    documentType: Type.Enum([...ATTACHMENT_TYPES]),
    documentCategory: Type.Enum([...ATTACHMENT_CATEGORIES]),
    certificationType: Certification,
  },
  { title: 'AttachDocumentRequest' },
)

export const UploadFileRequest = Closed(
  {
    file: File,
    documentType: Type.Enum([...DOCUMENT_TYPES]),
    applicationId: Type.Optional(
      Uuid({ description: 'Attaches the file to this application; left out, it is of the workspace alone.' }),
    ),
    documentCategory: Type.Enum([...DOCUMENT_CATEGORIES]),
    certificationType: Type.Optional(
      Type.Enum([...CERTIFICATION_TYPES], { description: 'Left out, it is taken as `SCANNED`.' }),
    ),
  },
  { title: 'UploadFileRequest' },
)

export const UploadAnswer = Answer('UploadAnswer', { fileId: Uuid() })

export const WorkspaceFile = Answer('WorkspaceFile', {
  fileId: Uuid(),
  fileName: Type.String({ maxLength: 255, examples: ['mortgage-deed.pdf'] }),
  documentType: Type.Enum([...DOCUMENT_TYPES]),
  documentCategory: Type.Enum([...DOCUMENT_CATEGORIES]),
  certificationType: Certification,
  applicationId: Type.Optional(Uuid({ description: 'Only where it is attached to an application.' })),
  size: Type.Integer({ minimum: 1, description: 'In bytes.', examples: [482_133] }),
  sha256: Type.String({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
  fileUploadStatus: Type.Enum([...UPLOAD_STATUSES]),
  failureReason: Type.Optional(
    Type.Enum([...FAILURE_REASONS], {
      description:
        'Only where it `FAILED`: a virus was found, or before its checks had ended the workspace was cancelled or ' +
        'locked, or the application withdrawn.',
    }),
  ),
  supersededBy: Type.Optional(Uuid({ description: 'The main document of the application that took its place.' })),
  auditAttributes: AuditAttributes,
})

export const WorkspaceFilePage = Page('WorkspaceFilePage', WorkspaceFile)

export const FileContent = Type.String({ format: 'binary', description: 'The file as it was uploaded.' })

export const AttachmentsPath = Type.Object({ lodgement_case_id: Uuid(), application_id: Uuid() })
export const FilesPath = Type.Object({ workspace_id: Uuid() })
export const FilePath = Type.Object({ workspace_id: Uuid(), file_id: Uuid() })

export type WorkspaceFile = Static<typeof WorkspaceFile>
