import type { ApplicationType } from './rules.ts'

// What may be attached to an application, and what counts of it. Pure.

export const ATTACHMENT_TYPES = [
  'MORTGAGE_DEED',
  'EVIDENCE',
  'CORRESPONDENCE',
  'IDENTITY_EVIDENCE',
  'IDENTITY_FORM',
  'BIRTH_CERTIFICATE',
  'MARRIAGE_CERTIFICATE',
  'STATEMENT_OF_TRUTH',
  'STATUTORY_DECLARATION',
  'PG82_CERTIFICATE',
  'COMPANIES_HOUSE_CERTIFICATE',
  'COMPANIES_HOUSE_EVIDENCE',
] as const
export const ATTACHMENT_CATEGORIES = ['APPLICATION_DOCUMENT', 'SUPPORTING_DOCUMENT'] as const
export const UPLOAD_STATUSES = ['PENDING', 'SUCCESS', 'FAILED', 'WITHDRAWN'] as const

export type AttachmentType = (typeof ATTACHMENT_TYPES)[number]
export type AttachmentCategory = (typeof ATTACHMENT_CATEGORIES)[number]
export type UploadStatus = (typeof UPLOAD_STATUSES)[number]

/** The types that an application takes as its main document. */
export const MAIN_DOCUMENT_TYPES: Record<ApplicationType, readonly AttachmentType[]> = {
  DISCHARGE: ['EVIDENCE'],
  CHANGE_OF_NAME: [
    'MARRIAGE_CERTIFICATE',
    'BIRTH_CERTIFICATE',
    'STATEMENT_OF_TRUTH',
    'STATUTORY_DECLARATION',
    'EVIDENCE',
    'COMPANIES_HOUSE_CERTIFICATE',
  ],
  TRANSFER_OF_WHOLE: ['EVIDENCE'],
  CANCEL_A_RESTRICTION: ['STATEMENT_OF_TRUTH', 'EVIDENCE'],
  MORTGAGE_DEED: ['MORTGAGE_DEED'],
}

export type Attachment = {
  documentType: AttachmentType
  documentCategory: AttachmentCategory
  status: UploadStatus
  supersededBy?: string
}

/** A document counts, and is lodged, once it has passed its checks, until another takes its place. */
export const counts = ({ status, supersededBy }: Attachment): boolean =>
  status === 'SUCCESS' && supersededBy === undefined

/** The one that counts, or else the newest that still waits for its checks. Given oldest first. */
export function mainDocument<A extends Attachment>(attachments: readonly A[]): A | undefined {
  const main = attachments.filter(({ documentCategory }) => documentCategory === 'APPLICATION_DOCUMENT')
  return main.findLast(counts) ?? main.findLast(({ status }) => status === 'PENDING')
}
