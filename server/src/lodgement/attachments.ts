import type { ApplicationType, Particulars } from './rules.ts'

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
/** An upload to the workspace takes these too, whether it names an application or not. */
export const DOCUMENT_TYPES = [...ATTACHMENT_TYPES, 'MORTGAGE_OFFER', 'REDEMPTION_STATEMENT'] as const
export const DOCUMENT_CATEGORIES = [...ATTACHMENT_CATEGORIES, 'WORKSPACE_SUPPORTING_DOCUMENT'] as const
export const UPLOAD_STATUSES = ['PENDING', 'SUCCESS', 'FAILED', 'WITHDRAWN'] as const

export type DocumentType = (typeof DOCUMENT_TYPES)[number]
export type DocumentCategory = (typeof DOCUMENT_CATEGORIES)[number]
export type UploadStatus = (typeof UPLOAD_STATUSES)[number]

/** The types that an application takes as its main document. */
export const MAIN_DOCUMENT_TYPES: Record<ApplicationType, readonly DocumentType[]> = {
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
  documentType: DocumentType
  documentCategory: DocumentCategory
  status: UploadStatus
  supersededBy?: string
  /** Whether it was attached before the deed became digital. */
  precedesDigital?: boolean
}

/** A document that is only kept with the application is not sent to the registry, and no rule looks at it. */
export const isLodged = ({ documentCategory }: Pick<Attachment, 'documentCategory'>): boolean =>
  documentCategory !== 'WORKSPACE_SUPPORTING_DOCUMENT'

/** A document counts, and is lodged, once it has passed its checks, until another takes its place. */
export const counts = (document: Attachment): boolean =>
  isLodged(document) && document.status === 'SUCCESS' && document.supersededBy === undefined

/** Whether a document is a main document of that type of application. Others are lodged with it. */
export const isMain = (
  applicationType: ApplicationType,
  { documentType, documentCategory }: Pick<Attachment, 'documentType' | 'documentCategory'>,
): boolean => documentCategory === 'APPLICATION_DOCUMENT' && MAIN_DOCUMENT_TYPES[applicationType].includes(documentType)

type WithDocuments<A extends Attachment> = { applicationType: ApplicationType; documents: readonly A[] }

/** The one that counts, or else the newest that still waits for its checks. Documents are given oldest first. */
export function mainDocument<A extends Attachment>({ applicationType, documents }: WithDocuments<A>): A | undefined {
  const main = documents.filter((one) => isMain(applicationType, one))
  return main.findLast(counts) ?? main.findLast(({ status }) => status === 'PENDING')
}

/** A deed that was uploaded before it became digital is not the digital one, and does not count for approval. */
export const isOutdated = (
  { mortgageDeedReferenceType }: Pick<Particulars, 'mortgageDeedReferenceType'>,
  { precedesDigital }: Attachment,
): boolean => mortgageDeedReferenceType === 'DIGITAL' && precedesDigital === true
