// Long because a matter has many parts, and what is decided about one looks at the others.
import type { ApprovalChange } from '../approvals/rules.ts'
import type { ConfirmationChange } from '../approvals/rules-confirmations.ts'
import type { Confirmation } from '../approvals/rules-facts.ts'
import type { ApprovalAction } from '../auth/scopes.ts'
import type { FileChange, FromRegistry } from '../documents/rules.ts'
import type { DocumentCategory, DocumentType, UploadStatus } from '../lodgement/attachments.ts'
import type { ApplicationRow } from '../lodgement/records.ts'
import type { ApplicationChange, Wanted } from '../lodgement/rules.ts'
import type { RegistryChange, RegistryWait, Rejection, Requisition, Submission } from '../lodgement/rules-registry.ts'
import type { ApplicationStatus } from '../lodgement/status.ts'
import type { SearchFailure } from '../registry/port.ts'
import type { Address, Register } from '../registry/register.ts'
import type { IssuedDocument, TitleDocument as OfficialDocument } from '../registry/title-pdf.ts'
import type { FailureReason, Firm, RepresentationChange, RepresentationStatus } from '../representation/rules.ts'
import type { LineItem, PaymentFailure, ScheduleChange } from '../settlement/rules.ts'
import type { ReconciliationChange } from '../title-reconciliation/rules.ts'
import type { TitleChange } from '../titles/rules.ts'
import type { StoredTurn } from '../worklist/turn.ts'
import type { Name } from '../workspaces/names.ts'
import type { Ownership, Party, PostalAddress, Proprietor } from '../workspaces/ownership.ts'
import type { RepresentedBy, Verification } from '../workspaces/representation-shapes.ts'
import type { WorkspaceChange } from '../workspaces/rules.ts'
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
  workspace: Made &
    StoredTurn &
    Partial<Omit<Given, 'titleNumber'>> &
    Pick<Given, 'workspaceReferenceId' | 'reference' | 'lenderId' | 'lawFirmId' | 'securityAddress'> & {
      workspaceId: string
      postcode?: string
      /** Of a new one, and after a change of the parties. */
      borrowers?: readonly Name[]
      /** Null once the title was removed. */
      titleNumber?: string | null | undefined
      lenderOwnReference?: string
      lawFirmOwnReference?: string
      status: WorkspaceStatus
      statusSince?: Date
      /** A London date; null until the schedule has one. */
      completionDate: string | null
      validationStatus: ValidationStatus
      transferOfEquity: boolean
      cancellationReason?: string
      cancellationNotes?: string
      cancelledBy?: string
    }
  lodgementCase: Made & {
    lodgementCaseId: string
    status: CaseStatus
    /** Whether every rule of readiness passes. */
    ready: boolean
    /** Whom four eyes keep from approving it. */
    changedBy: readonly string[]
    /** The last of them, for nodes of version 1.0. */
    changedByUser?: string | null
    approvedBy?: string | null
    approvedAt?: Date | null
    /** As the approval stated it; null where it did not. */
    disclosableOverridingInterests?: boolean | null
    registryReference?: string | null
    priorityAt?: Date | null
    lodgedAt?: Date | null
    registeredAt?: Date
    earlyCompletion?: boolean
    dischargeRegisteredAt?: Date | null
    /** The last one, until the case is sent again. */
    rejection?: (Rejection & { at: Date }) | null
    /** Why the registry cannot be asked at the moment. */
    registryWait?: RegistryWait | null
  }
  schedule: Made & {
    scheduleId: string
    status: ScheduleStatus
    changedBy: readonly string[]
    changedByUser?: string
    /** In the order in which they were added. */
    lines: readonly LineItem[]
    /** Every approval and its taking back by hand, oldest first. */
    approvals: readonly Approval[]
    authorisedAt?: Date | null
    authorisedBy?: string | null
    failure?: PaymentFailure | null
  }
  /** What a change adds to the approvals of the case and their taking back by hand. Earlier ones are not loaded. */
  caseApprovals: readonly Approval[]
  title: Title | undefined
  titleDocuments: readonly (Pick<TitleDocument, 'titleDocumentId'> & Partial<TitleDocument>)[]
  parties: readonly Party[]
  proprietors: readonly Proprietor[]
  /** Those that wait or act, and those that share a firm with one of them, oldest first. */
  representations: readonly Representation[]
  /** The external law firms of these. */
  firms: readonly ExternalFirm[]
  /** Oldest first, the withdrawn among them. */
  applications: readonly ApplicationRow[]
  /** Those of the workspace alone that wait for their checks or have passed them. */
  files: readonly MatterFile[]
  /** Every sending of the case, oldest first. */
  submissions: readonly Submission[]
  /** What a change hears of the registry. What was heard before is not loaded: its submission has the ids. */
  notices: readonly RegistryNotice[]
  /** Oldest first. Only one of the newest submission can be open. */
  requisitions: readonly Requisition[]
  /** Payments that the bank was asked to make and has not answered yet: one at most. */
  settlements: readonly Settlement[]
  /** Oldest first. */
  confirmations: readonly Confirmation[]
  /** Whether the law firm wants nobody to approve what they have changed. */
  fourEyes: boolean
  /** The registry that this installation uses. */
  registry?: string | null
  /** Whether the operator has set how HM Land Registry knows the lender. */
  isLenderSet?: boolean
}

/** What a workspace is created with. */
export type Given = {
  workspaceReferenceId: string
  reference: string
  lenderId: string
  lawFirmId: string
  securityAddress: PostalAddress
  titleNumber: string | undefined
}

export type Made = { createdAt?: Date; createdBy?: string; lastModifiedAt?: Date; lastModifiedBy?: string }

export type Title = {
  titleId: string
  titleNumber: string
  searchStatus: SearchStatus
  searchFailure?: SearchFailure
  firstAskedAt?: Date | null
  hasCharge: boolean
  /** One that a transfer must cancel: not a lender's. */
  hasRestriction: boolean
  /** Of the property, as the register has it. */
  address?: Address | null
  register?: Register
  tenure?: Register['tenure']
}

export type TitleDocument = OfficialDocument & { titleId: string; createdAt: Date } & Partial<IssuedDocument>

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

/** A file; what is optional is not loaded of one that is there already. */
export type MatterFile = Made & {
  fileId: string
  status: UploadStatus
  documentCategory: DocumentCategory
  documentType?: DocumentType
  supersededBy?: string
  precedesDigital?: boolean
  failureReason?: string
} & Partial<
    Record<'applicationId' | 'subscriberId' | 'fileName' | 'certificationType' | 'sha256' | 'correlationId', string>
  > & {
    size?: number
    registryDocumentId?: string
    registryDocument?: FromRegistry | null
  }

/** A file of a matter, and the application that it is attached to, if any. */
export function fileIn({ files, applications }: Matter, fileId: string) {
  const application = applications.find(({ documents }) => documents.some((one) => one.fileId === fileId))
  const file = (application?.documents ?? files).find((one) => one.fileId === fileId)
  return { file, application }
}

export type Approval = { seq?: number; action: ApprovalAction; approvedBy: string; at: string | Date }

export type RegistryNotice = { noticeId: string; submissionId: string; kind: string; at: Date }

export type Settlement = {
  settlementId: string
  scheduleId: string
  status: 'INITIATED' | 'SETTLED' | 'REFUSED'
  /** As they were when the bank was first asked: they are what is paid, however often it has to be asked. */
  lines: readonly LineItem[]
  initiatedAt: Date
  settledAt?: Date
  scheme?: string
  paymentReference?: string
  failureReason?: string
}

/** The schedule with what the rest of the matter knows of it. */
export const scheduleOf = ({ workspace, schedule, fourEyes, settlements }: Matter) => ({
  ...schedule,
  workspaceId: workspace.workspaceId,
  completionDate: workspace.completionDate,
  fourEyes,
  settlementId: settlements[0]?.settlementId,
})

export const isPaymentUnderWay = ({ settlements }: Matter): boolean => settlements.length > 0

export const isSearched = ({ title }: Pick<Matter, 'title'>): boolean => title?.searchStatus === 'SUCCESS'

/** Who borrows and who owns, as reconciliation looks at it. */
export const ownershipOf = (matter: Matter): Ownership => ({
  searched: isSearched(matter),
  parties: matter.parties,
  proprietors: matter.proprietors,
})

/**
 * Everything that can happen to a matter. Each feature names its own changes in its rules and decides them there; what
 * follows from them is named here and decided in consequences.ts. A new kind needs a case in evolve.ts and a line in
 * events.ts, consequences.ts and audit.ts: the compiler names each place.
 */
export type Change =
  | WorkspaceChange
  | TitleChange
  | ReconciliationChange
  | RepresentationChange
  | ApprovalChange
  | ConfirmationChange
  | ScheduleChange
  | ApplicationChange
  | RegistryChange
  | FileChange
  | Consequence

export type Consequence =
  | { kind: 'applications planned'; add: readonly (Wanted & { applicationId: string })[]; withdraw: readonly string[] }
  | { kind: 'case reviewed'; ready: boolean; moves: readonly { applicationId: string; status: ApplicationStatus }[] }
  | { kind: 'submission started'; submissionId: string }
  | { kind: 'case waits for its deed' }
  | { kind: 'workspace prepared' | 'workspace reverted' }

export type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>
