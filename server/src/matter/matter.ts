import type { ApplicationRow } from '../lodgement/records.ts'
import type { SearchFailure } from '../registry/port.ts'
import type { Register } from '../registry/register.ts'
import type { TitleDocumentType } from '../registry/title-pdf.ts'
import type { FailureReason, Firm, RepresentationStatus, RepresentedBy, Verification } from '../representation/rules.ts'
import type { Ownership, Party, Proprietor } from '../workspaces/ownership.ts'
import type {
  CaseStatus,
  ScheduleStatus,
  SearchStatus,
  ValidationStatus,
  WorkspaceStatus,
} from '../workspaces/status.ts'

/**
 * A workspace with its case and its schedule, and all that is decided about together. It is locked and loaded as one,
 * and changed by `changeMatter` alone. What is optional here is not loaded; a change may set it.
 */
export type Matter = {
  workspace: Made & {
    workspaceId: string
    workspaceReferenceId?: string
    reference: string
    lenderId: string
    lawFirmId: string
    securityAddress?: Readonly<Record<string, string>>
    postcode?: string
    status: WorkspaceStatus
    statusSince?: Date
    /** A London date; null until the schedule has one. */
    completionDate: string | null
    validationStatus: ValidationStatus
    transferOfEquity: boolean
    titleNumber?: string | undefined
    cancellationReason?: string
    cancellationNotes?: string
  }
  lodgementCase: Made & {
    lodgementCaseId: string
    status: CaseStatus
    /** Whether every rule of readiness passes. */
    ready: boolean
    /** Whom four eyes keep from approving it. */
    changedBy: readonly string[]
    /** The last of them, for nodes of version 1.0. */
    changedByUser?: string
    approvedBy?: string | null
    approvedAt?: Date | null
  }
  schedule: Made & {
    scheduleId: string
    status: ScheduleStatus
    authorisedAt?: Date | null
    authorisedBy?: string | null
  }
  title: Title | undefined
  titleDocuments: readonly TitleDocument[]
  parties: readonly Party[]
  proprietors: readonly Proprietor[]
  /** Those that wait or act, and those that share a firm with one of them, oldest first. */
  representations: readonly Representation[]
  /** The external law firms of these. */
  firms: readonly ExternalFirm[]
  /** Oldest first, the withdrawn among them. */
  applications: readonly ApplicationRow[]
  /** Whether the bank was told to pay and has not said yet what became of it. */
  paymentUnderWay: boolean
}

export type Made = { createdAt?: Date; createdBy?: string; lastModifiedAt?: Date; lastModifiedBy?: string }

export type Title = {
  titleId: string
  titleNumber: string
  searchStatus: SearchStatus
  searchFailure?: SearchFailure
  firstAskedAt?: Date | null
  hasCharge: boolean
  hasRestriction: boolean
  register?: Register
  tenure?: Register['tenure']
}

export type TitleDocument = {
  titleDocumentId: string
  titleId: string
  documentType: TitleDocumentType
  register: Register
  officialCopyAt: Date
  createdAt: Date
  /** Of the rendered PDF, where there is one to download. */
  sha256?: string
  size?: number
}

export type ExternalFirm = Firm & { firmId: string }

export type Representation = Made & {
  representationId: string
  partyId: string
  status: RepresentationStatus
  representedBy: RepresentedBy
  verificationOfIdentity?: Verification
  firmId?: string
  /** That of the request that asked for it. */
  correlationId: string
  /** Only a law firm of the platform can be suspended by it. */
  firmSuspended: boolean
  failureReason?: FailureReason
  subscriberId?: string
  referenceNumber?: string
}

export const isSearched = ({ title }: Pick<Matter, 'title'>): boolean => title?.searchStatus === 'SUCCESS'

/** Who borrows and who owns, as reconciliation looks at it. */
export const ownershipOf = (matter: Matter): Ownership => ({
  searched: isSearched(matter),
  parties: matter.parties,
  proprietors: matter.proprietors,
})
