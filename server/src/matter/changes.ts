import type { ApprovalChange } from '../approvals/rules.ts'
import type { FileChange } from '../documents/rules.ts'
import type { ApplicationChange, Wanted } from '../lodgement/rules.ts'
import type { ApplicationStatus } from '../lodgement/status.ts'
import type { RepresentationChange } from '../representation/rules.ts'
import type { ScheduleChange } from '../settlement/rules.ts'
import type { ReconciliationChange } from '../title-reconciliation/rules.ts'
import type { TitleChange } from '../titles/rules.ts'
import type { WorkspaceChange } from '../workspaces/rules.ts'

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
  | ScheduleChange
  | ApplicationChange
  | FileChange
  | Consequence

export type Consequence =
  | { kind: 'applications planned'; add: readonly (Wanted & { applicationId: string })[]; withdraw: readonly string[] }
  | { kind: 'case reviewed'; ready: boolean; moves: readonly { applicationId: string; status: ApplicationStatus }[] }
  | { kind: 'submission started'; submissionId: string }
  | { kind: 'workspace prepared' | 'workspace reverted' }

export type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>
