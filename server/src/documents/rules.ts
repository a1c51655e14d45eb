import {
  type Attachment,
  counts,
  type DocumentCategory,
  type DocumentType,
  isMain,
  type UploadStatus,
} from '../lodgement/attachments.ts'
import { type Application, type ApplicationType, type Particulars, partOf } from '../lodgement/rules.ts'
import { conflict, type FieldError, notFound } from '../platform/errors.ts'
import type { FetchPayload, RegistryDocument } from '../registry/documents.ts'
import type { CertificationType } from '../registry/lodgement.ts'
import { type CaseStatus, checkOpen, isOpen, type WorkspaceStatus } from '../workspaces/status.ts'

export const FAILURE_REASONS = [
  'INFECTED',
  'WORKSPACE_CANCELLED',
  'WORKSPACE_LOCKED',
  'APPLICATION_WITHDRAWN',
  'NOT_ACCEPTABLE',
] as const

export type FailureReason = (typeof FAILURE_REASONS)[number]

const FILE_NAME_CHARACTERS_MAX = 255
const PDF = '.pdf'

// Control characters, characters that change the direction of text, and line separators.
const UNWANTED = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** The name under which a file is stored and served: the last part of what the client sent, ending in `.pdf`. */
export function fileNameOf(given = ''): string {
  const plain = given.toWellFormed().replace(UNWANTED, '')
  const base = plain.split(/[/\\]/).at(-1)?.trim() ?? ''
  const stem = base.replace(/\.pdf$/i, '')
  const short = [...stem]
    .slice(0, FILE_NAME_CHARACTERS_MAX - PDF.length)
    .join('')
    .trim()
  return /^\.*$/.test(short) ? `document${PDF}` : `${short}${PDF}`
}

export type Asked = {
  /** Undefined for a document of the workspace alone. */
  applicationId: string | undefined
  documentType: DocumentType
  documentCategory: DocumentCategory
  certificationType: CertificationType
}

/** Where a document will go, in its current state. */
export type Place = {
  status: WorkspaceStatus
  caseStatus: CaseStatus
  /** The one that is named, where there is such a one. */
  application: { applicationType: ApplicationType; status: string } | undefined
  /** What is known of the workspace's mortgage deed. */
  deed: Pick<Particulars, 'mortgageDeedReference' | 'mortgageDeedReferenceType'>
}

/** Refuses a document that may not go there now. Its content is checked after that. */
export function checkUpload({ status, caseStatus, application, deed }: Place, asked: Asked): void {
  checkOpen(status, asked.applicationId === undefined ? 'files' : partOf(application), caseStatus)
  if (asked.applicationId !== undefined && !application) {
    throw notFound('applicationId', 'There is no such application in this workspace.')
  }
  const errors = [...withdrawnErrors(application?.status), ...deedErrors(deed, asked)]
  if (errors.length) throw conflict(...errors)
}

const withdrawnErrors = (status: string | undefined): FieldError[] =>
  status === 'WITHDRAWN' ? [{ message: 'The application is WITHDRAWN and takes no more documents.' }] : []

// A deed is on paper until its type says otherwise.
function deedErrors({ mortgageDeedReferenceType, mortgageDeedReference }: Place['deed'], asked: Asked): FieldError[] {
  const isDigital = asked.documentType === 'MORTGAGE_DEED' && mortgageDeedReferenceType === 'DIGITAL'
  if (!isDigital || mortgageDeedReference !== undefined) return []
  const message = 'mortgageDeedReference must be set before a DIGITAL deed is uploaded.'
  return [{ field: 'mortgageDeedReference', message }]
}

/** A file whose bytes are stored. */
export type NewFile = Asked & { fileId: string; subscriberId: string; fileName: string; sha256: string; size: number }

/** What is stored of a document of the registry in addition to a file: where it came from. */
export type FromRegistry = Pick<RegistryDocument, 'kind'> & { messageId: string; registryId?: string }

/** A document of the registry, checked and stored. It counts for no rule and is never sent to the registry. */
export type ReceivedFile = NewFile & { registryDocumentId: string; registryDocument: FromRegistry } & Outcome

export function receivedFile(
  { document, messageId, registryId }: FetchPayload,
  stored: Pick<NewFile, 'fileId' | 'subscriberId' | 'sha256' | 'size'>,
  outcome: Outcome,
): ReceivedFile {
  const { documentId: registryDocumentId, kind, name } = document
  return {
    ...stored,
    applicationId: undefined,
    fileName: fileNameOf(name),
    documentType: 'CORRESPONDENCE',
    documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT',
    certificationType: 'ORIGINAL',
    registryDocumentId,
    registryDocument: { kind, messageId, ...(registryId !== undefined && { registryId }) },
    ...outcome,
  }
}

/** What can happen to a file. `applicationId` where it is attached to an application. */
export type FileChange =
  | { kind: 'registry document received'; file: ReceivedFile }
  | { kind: 'file uploaded'; applicationId?: string; file: NewFile }
  /** Given the request that uploaded it. */
  | {
      kind: 'file processed'
      fileId: string
      applicationId?: string
      documentCategory: DocumentCategory
      outcome: Outcome
      superseded: readonly { fileId: string; by: string }[]
      correlationId: string
    }
  | {
      kind: 'file withdrawn'
      fileId: string
      applicationId?: string
      documentCategory: DocumentCategory
      status: UploadStatus
    }

export const PROCESS_JOB = 'documents.process'

/** `failures`: how often the file could not be scanned so far. */
export type ProcessPayload = { workspaceId: string; fileId: string; failures?: number }

export type Outcome = { status: 'SUCCESS' } | { status: 'FAILED'; reason: FailureReason }

export function outcomeOf(
  { status, caseStatus }: { status: WorkspaceStatus; caseStatus: CaseStatus },
  application: { applicationType: ApplicationType; status: string } | undefined,
  { clean }: { clean: boolean },
): Outcome {
  if (!clean) return { status: 'FAILED', reason: 'INFECTED' }
  if (status === 'CANCELLED') return { status: 'FAILED', reason: 'WORKSPACE_CANCELLED' }
  if (!isOpen(status, application ? partOf(application) : 'files', caseStatus)) {
    return { status: 'FAILED', reason: 'WORKSPACE_LOCKED' }
  }
  if (application?.status === 'WITHDRAWN') return { status: 'FAILED', reason: 'APPLICATION_WITHDRAWN' }
  return { status: 'SUCCESS' }
}

/** What becomes of an upload that waits. A main document that passes takes the place of the one before it. */
export function processUpload(
  at: { status: WorkspaceStatus; caseStatus: CaseStatus },
  file: { fileId: string; documentCategory: DocumentCategory; correlationId: string },
  application: (Application & { documents: readonly (Attachment & { fileId: string })[] }) | undefined,
  result: { clean: boolean },
): FileChange {
  const { fileId, correlationId, documentCategory } = file
  const outcome = outcomeOf(at, application, result)
  const processed = {
    kind: 'file processed',
    fileId,
    documentCategory,
    outcome,
    superseded: [],
    correlationId,
  } as const
  if (!application) return processed
  const { applicationId, applicationType, documents } = application
  const mains = documents.map((one, seq) => ({ ...one, seq })).filter((one) => isMain(applicationType, one))
  const passed = outcome.status === 'SUCCESS' ? mains.find((one) => one.fileId === fileId) : undefined
  return { ...processed, applicationId, superseded: passed ? supersede(passed, mains.filter(counts)) : [] }
}

/** A main document that counts. */
export type Main = { fileId: string; seq: number }

/**
 * Who gives way when a main document has passed its checks: those that were uploaded before it, or itself where one
 * that came later was quicker.
 */
export function supersede({ fileId, seq }: Main, others: readonly Main[]): { fileId: string; by: string }[] {
  const later = others.find((other) => other.seq > seq)
  if (later) return [{ fileId, by: later.fileId }]
  return others.map((other) => ({ fileId: other.fileId, by: fileId }))
}

export type Withdrawable = {
  subscriberId: string
  fileUploadStatus: UploadStatus
  applicationId: string | null
  /** Whether the registry was given it. */
  wasSent: boolean
  registryDocument?: FromRegistry | null
}

/** What was sent stays readable, withdrawn or not. */
export function checkReadable({ fileUploadStatus: status, wasSent }: Withdrawable): void {
  if (status === 'SUCCESS' || (status === 'WITHDRAWN' && wasSent)) return
  throw conflict({ message: `The file is ${status}: only one that is SUCCESS can be downloaded.` })
}

/** Whether there is anything to withdraw: what is withdrawn already stays so. */
export function checkWithdrawal(
  { status, caseStatus, application }: Pick<Place, 'status' | 'caseStatus'> & Partial<Place>,
  file: Withdrawable,
  caller: { subscriberId: string },
): boolean {
  checkOpen(status, file.applicationId === null ? 'files' : partOf(application), caseStatus)
  const isForeign = file.subscriberId !== caller.subscriberId
  const hasFailed = file.fileUploadStatus === 'FAILED'
  // One of an application can be left out of the next submission, when it is open for that.
  const isPartOfAnswer = file.wasSent && file.applicationId === null && file.fileUploadStatus === 'SUCCESS'
  const errors: FieldError[] = [
    ...(file.registryDocument ? [{ message: 'A document of the registry cannot be withdrawn.' }] : []),
    ...(isForeign ? [{ message: 'Only the subscriber that uploaded the file may withdraw it.' }] : []),
    ...(hasFailed ? [{ message: 'The upload of the file FAILED: there is nothing to withdraw.' }] : []),
    ...(isPartOfAnswer
      ? [{ message: 'The file was sent with the answer to a requisition and cannot be withdrawn.' }]
      : []),
  ]
  if (errors.length) throw conflict(...errors)
  return file.fileUploadStatus !== 'WITHDRAWN'
}
