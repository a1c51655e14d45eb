import type { Attachment } from '../lodgement/attachments.ts'
import type { Application, Particulars } from '../lodgement/rules.ts'
import type { ApplicationStatus } from '../lodgement/status.ts'
import { conflict } from '../platform/errors.ts'
import type { CertificationType } from '../registry/lodgement.ts'
import type { Address } from '../registry/register.ts'
import type { LineItem } from '../settlement/rules.ts'
import type { Ownership } from '../workspaces/ownership.ts'
import type { RepresentedBy, Verification } from '../workspaces/representation-shapes.ts'
import {
  type CaseStatus,
  canBeApproved,
  type ScheduleStatus,
  type SearchStatus,
  type WorkspaceStatus,
} from '../workspaces/status.ts'
import type { Fix, FixKind } from './rules-advice.ts'

// What a readiness rule is, what it looks at, and what it finds.

/** The two approvals of a matter: of its lodgement case, and of its settlement schedule. */
export const APPROVALS = ['LODGEMENT', 'FINANCIAL'] as const
export type Approval = (typeof APPROVALS)[number]

/** `BLOCKING_SUBMISSION` does not block the approval; the case is not sent before it passes. */
export const RULE_KINDS = ['BLOCKING', 'CONFIRMABLE', 'BLOCKING_SUBMISSION'] as const
export type RuleKind = (typeof RULE_KINDS)[number]

export type Rule = {
  approval: Approval
  kind: RuleKind
  /** What it checks, for the guide. */
  checks: string
  /** All that can fix it, for the guide. Each finding names those that its matter accepts now. */
  fixedBy: readonly FixKind[]
  review: (facts: ReadinessFacts) => Finding[]
  /** Of one that can be confirmed: the facts that a confirmation is for. When they change, it lapses. */
  basis?: (facts: ReadinessFacts) => unknown
}

/** All that readiness depends on. Parties and applications are in the order in which the interface lists them. */
export type ReadinessFacts = Ownership & {
  status: WorkspaceStatus
  caseStatus: CaseStatus
  searchStatus: SearchStatus | null
  /** The copy of the register; undefined before a search has succeeded. */
  register: { titleId: string; address: Address; hasCharge: boolean } | undefined
  securityAddress: Readonly<Record<string, string>>
  /** The active ones. */
  representations: readonly ActiveRepresentation[]
  applications: readonly ReviewedApplication[]
  schedule: { status: ScheduleStatus; completionDate: string | null; lines: readonly LineItem[] }
  /** The latest sending of the case, if it was sent. */
  lastSubmissionId: string | undefined
  /** The registry in use: what it takes is checked too. */
  registry?: string | null | undefined
  /** Whether that registry knows how the lender is named. */
  isLenderSet?: boolean | undefined
  /** The law firm that lodges. */
  lawFirmId?: string
  /** The date in London. */
  today: string
  confirmations: readonly Confirmation[]
}

/** That a failed rule is right as it is, said by a person. */
export type Confirmation = {
  confirmationId: string
  ruleId: string
  field: string
  reason: string
  confirmedBy: string
  confirmedAt: Date
  /** A hash of the facts that it is for. */
  basis: string
  seq?: number
}

export type ActiveRepresentation = {
  partyId: string
  representedBy: RepresentedBy
  verificationOfIdentity?: Verification
  /** The law firm of the platform, where it is one. */
  subscriberId?: string
}

export type ReviewedApplication = Application &
  Particulars & { status: ApplicationStatus; documents: readonly ReviewedDocument[] }

export type ReviewedDocument = Attachment & { fileId: string; certificationType: CertificationType }

/**
 * What a rule says about one thing. `field` names what to fix; `applicationId` the application, where it is about one. A
 * failed one has what would fix it, whether or not the matter accepts that now.
 */
export type Finding = {
  passed: boolean
  message: string
  field: string
  applicationId?: string
  fixes?: readonly Fix[]
}

export const passed = (field: string, message: string): Finding => ({ passed: true, message, field })

export const failed = (field: string, message: string, ...fixes: Fix[]): Finding => ({
  passed: false,
  message,
  field,
  fixes,
})

export const ofOne = ({ applicationId }: ReviewedApplication, finding: Finding): Finding => ({
  ...finding,
  applicationId,
})

/** With the place of each among all, where the withdrawn are listed too. */
export const liveApplications = ({ applications }: Pick<ReadinessFacts, 'applications'>) =>
  applications
    .map((application, i) => ({ application, at: `applications[${i}]` }))
    .filter(({ application }) => application.status !== 'WITHDRAWN')

export const deeds = (facts: Pick<ReadinessFacts, 'applications'>) =>
  liveApplications(facts).filter(({ application }) => application.applicationType === 'MORTGAGE_DEED')

/** A rule can be confirmed whenever its approval could be given. */
export function checkConfirmable({ status, caseStatus, schedule }: ReadinessFacts, approval: Approval): void {
  if (approval === 'LODGEMENT') {
    if (canBeApproved(caseStatus)) return
    throw conflict({ message: `The lodgement case is ${caseStatus}: no rule of its approval can be confirmed.` })
  }
  if (status === 'CREATED' && schedule.status === 'DRAFT') return
  const message = `The workspace is ${status} and its schedule ${schedule.status}: no rule of the financial approval can be confirmed.`
  throw conflict({ message })
}
