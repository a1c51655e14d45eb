import { PathId } from '../events/ids.ts'
import {
  ATTACHMENT_CATEGORIES,
  ATTACHMENT_TYPES,
  DOCUMENT_CATEGORIES,
  DOCUMENT_TYPES,
  MAIN_DOCUMENT_TYPES,
} from '../lodgement/attachments.ts'
import { Certification, fileParts } from '../lodgement/shapes.ts'
import { Answer, Choice, Closed, Page, type Static, Type, Uuid } from '../platform/http/schema.ts'
import { REGISTRY_DOCUMENT_KINDS } from '../registry/documents.ts'
import { CERTIFICATION_TYPES } from '../registry/lodgement.ts'
import { FAILURE_REASONS } from './rules.ts'

// What goes over the wire about documents.

// The document shows bytes; the request's body holds their SHA-256 instead.
const File = Type.String({
  format: 'binary',
  contentMediaType: 'application/pdf',
  description: 'A PDF, at most 41,943,040 bytes unless the operator has set another limit.',
})

const NAMED = 'What the document is. The DS1, the TR1 and the RX3 of the registry are `EVIDENCE`.'
const MAIN_OR_NOT =
  'An `APPLICATION_DOCUMENT` is the main document of its application where it has one of these types, and is only ' +
  `lodged with it otherwise. ${Object.entries(MAIN_DOCUMENT_TYPES)
    .map(([application, types]) => `\`${application}\`: ${types.map((type) => `\`${type}\``).join(', ')}.`)
    .join(' ')}`

export const AttachDocumentRequest = Closed(
  {
    file: File,
    documentType: Choice(ATTACHMENT_TYPES, {
      description: NAMED,
      examples: ['MORTGAGE_DEED'],
    }),
    documentCategory: Choice(ATTACHMENT_CATEGORIES, {
      description: MAIN_OR_NOT,
      examples: ['APPLICATION_DOCUMENT'],
    }),
    certificationType: Certification,
  },
  { title: 'AttachDocumentRequest' },
)

export const UploadFileRequest = Closed(
  {
    file: File,
    documentType: Choice(DOCUMENT_TYPES, {
      description: NAMED,
      examples: ['MORTGAGE_OFFER'],
    }),
    applicationId: Type.Optional(
      Uuid({ description: 'Attaches the file to this application; left out, it is of the workspace alone.' }),
    ),
    documentCategory: Choice(DOCUMENT_CATEGORIES, {
      description: `${MAIN_OR_NOT} A \`WORKSPACE_SUPPORTING_DOCUMENT\` is never sent to the registry and counts for no rule.`,
      examples: ['WORKSPACE_SUPPORTING_DOCUMENT'],
    }),
    certificationType: Type.Optional(
      Choice(CERTIFICATION_TYPES, { description: 'Left out, it is taken as `SCANNED`.' }),
    ),
  },
  { title: 'UploadFileRequest' },
)

export const UploadAnswer = Answer('UploadAnswer', {
  fileId: Uuid({ description: 'Identifies the file from now on, in paths and in the event with its outcome.' }),
})

export const WorkspaceFile = Answer('WorkspaceFile', {
  ...fileParts,
  documentType: Choice(DOCUMENT_TYPES, {
    description: 'As the upload named it. A document of the registry is a `CORRESPONDENCE`.',
  }),
  documentCategory: Choice(DOCUMENT_CATEGORIES, { description: MAIN_OR_NOT }),
  certificationType: Certification,
  applicationId: Type.Optional(Uuid({ description: 'Only where it is attached to an application.' })),
  size: Type.Integer({ minimum: 1, description: 'In bytes.', examples: [482_133] }),
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'Of its bytes, to compare with your own.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  failureReason: Type.Optional(
    Choice(FAILURE_REASONS, {
      description:
        'Only where it `FAILED`: a virus was found, or before its checks had ended the workspace was cancelled or ' +
        'locked, or the application withdrawn. `NOT_ACCEPTABLE`: the registry sent something that is no PDF which we ' +
        'would take; it is stored, and not served.',
    }),
  ),
  supersededBy: Type.Optional(Uuid({ description: 'The main document of the application that took its place.' })),
  source: Choice(['UPLOAD', 'REGISTRY'], {
    description:
      'Who it comes from. A document of the `REGISTRY` counts for no rule, is never lodged and cannot be withdrawn.',
  }),
  registryDocumentKind: Type.Optional(
    Choice(REGISTRY_DOCUMENT_KINDS, { description: 'Only of a document of the registry: what it is.' }),
  ),
})

export const WorkspaceFilePage = Page('WorkspaceFilePage', WorkspaceFile)

export const FileContent = Type.String({ format: 'binary', description: 'The file as it was uploaded.' })

export const AttachmentsPath = Type.Object({
  lodgement_case_id: PathId.lodgement_case_id,
  application_id: PathId.application_id,
})
export const FilesPath = Type.Object({ workspace_id: PathId.workspace_id })
export const FilePath = Type.Object({ workspace_id: PathId.workspace_id, file_id: PathId.file_id })

export type WorkspaceFile = Static<typeof WorkspaceFile>
