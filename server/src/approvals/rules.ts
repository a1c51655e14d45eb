import { createHash } from 'node:crypto'
import type { ApprovalAction } from '../auth/scopes.ts'
import { HMLR } from '../hmlr/settings.ts'
import { APPLICATION_TRANSITIONS, type ApplicationStatus } from '../lodgement/status.ts'
import { conflict, type FieldError } from '../platform/errors.ts'
import type { ScheduleChange } from '../settlement/rules.ts'
import {
  type CaseStatus,
  canBeApproved,
  canBeUnapproved,
  type ScheduleStatus,
  type WorkspaceStatus,
} from '../workspaces/status.ts'
import { advise, type Fix } from './rules-advice.ts'
import { APPLICATION_RULES } from './rules-applications.ts'
import { CONFIRMABLE_RULES } from './rules-confirmable.ts'
import type {
  Approval,
  Confirmation,
  Finding,
  ReadinessFacts,
  ReviewedApplication,
  Rule,
  RuleKind,
} from './rules-facts.ts'
import { FINANCIAL_RULES } from './rules-financial.ts'
import { PARTY_RULES } from './rules-parties.ts'
import { REGISTRY_RULES } from './rules-registry.ts'

// What the registry or the bank would refuse, found before the matter is approved, and the approvals themselves. The rules
// have the registry's own names where it has one.

export const RULES = {
  ...PARTY_RULES,
  ...APPLICATION_RULES,
  ...REGISTRY_RULES,
  ...FINANCIAL_RULES,
  ...CONFIRMABLE_RULES,
}

export type RuleId = keyof typeof RULES

export const OUTCOMES = ['PASSED', 'FAILED', 'CONFIRMED'] as const

/** `passed` is true of one that was confirmed. */
export type RuleResult = Omit<Finding, 'fixes'> & {
  ruleId: RuleId
  approval: Approval
  kind: RuleKind
  outcome: (typeof OUTCOMES)[number]
  confirmation?: Confirmation
  /** What the message of a failed one advises; the matter accepts each of it now. */
  advice: readonly Fix[]
}

/** One for each rule and thing that it checks, passed or not, in the order of the rules. */
export function reviewReadiness(facts: ReadinessFacts): RuleResult[] {
  const known = reviews.get(facts) ?? review(facts)
  reviews.set(facts, known)
  return known
}

// A change is looked at several times: what is reviewed, what is withdrawn, whose turn it is.
const reviews = new WeakMap<ReadinessFacts, RuleResult[]>()

const review = (facts: ReadinessFacts): RuleResult[] =>
  (Object.keys(RULES) as RuleId[])
    .filter((ruleId) => RULES[ruleId].approval === 'LODGEMENT' || !ENDED.includes(facts.schedule.status))
    .flatMap((ruleId) => RULES[ruleId].review(facts).map((finding) => resultOf(ruleId, finding, facts)))
    .filter((one) => facts.caseStatus !== 'PARTIALLY_REGISTERED' || isOfDischarge(facts, one))

/** All that is left to approve after an early completion. */
const isOfDischarge = ({ applications }: ReadinessFacts, { applicationId }: RuleResult): boolean =>
  applications.some((one) => one.applicationId === applicationId && one.applicationType === 'DISCHARGE')

function resultOf(ruleId: RuleId, { fixes = [], ...finding }: Finding, facts: ReadinessFacts): RuleResult {
  const { approval, kind } = RULES[ruleId]
  const { field, message, passed } = finding
  const result = { ...finding, ruleId, approval, kind, advice: [] }
  if (passed) return { ...result, outcome: 'PASSED' }
  const confirmation = facts.confirmations.find((one) => one.ruleId === ruleId && one.field === field)
  if (confirmation && confirmation.basis === basisOf(ruleId, facts)) {
    const confirmed = `${message} A person confirmed that it is right as it is.`
    return { ...result, outcome: 'CONFIRMED', passed: true, message: confirmed, confirmation }
  }
  const confirm: Fix = { do: 'confirm', ruleId, field, approval, says: 'confirm that it is right as it is' }
  const all = kind === 'CONFIRMABLE' ? [...fixes, confirm] : fixes
  // Every change reviews the case; only a reader of the results needs the words.
  let advised: ReturnType<typeof advise> | undefined
  const inWords = () => {
    advised ??= advise(facts, approval, message, all)
    return advised
  }
  return {
    ...result,
    outcome: 'FAILED',
    get message() {
      return inWords().message
    },
    get advice() {
      return inWords().advice
    },
  }
}

/** A hash of the facts that a confirmation of this rule is for. */
export function basisOf(ruleId: RuleId, facts: ReadinessFacts): string {
  const { basis }: Rule = RULES[ruleId]
  return createHash('sha256')
    .update(JSON.stringify([basis?.(facts)]))
    .digest('hex')
}

/** A schedule that is paid or called off needs no approval any more. */
const ENDED: readonly string[] = ['SETTLED', 'CANCELLED']

/** What keeps a matter from this approval. */
export const failuresOf = (results: readonly RuleResult[], approval: Approval): RuleResult[] =>
  results.filter((one) => one.approval === approval && one.kind !== 'BLOCKING_SUBMISSION' && !one.passed)

/** In the words of the readiness. */
const errorsOf = (facts: ReadinessFacts, approval: Approval): FieldError[] =>
  failuresOf(reviewReadiness(facts), approval).map(({ field, message }) => ({ field, message }))

/** What can happen to the approval of a case. It is taken back by hand, or by a change of what was approved. */
export type ApprovalChange = ({ kind: 'case approved' } & Stated) | { kind: 'case unapproved'; unapprovedBy?: string }

/** Who approves, and what only a conveyancer can say of the title. */
type Stated = { approvedBy: string; disclosableOverridingInterests?: boolean }

type Eyes = { fourEyes: boolean; changedBy: readonly string[] }

/** Approves a case as it is now, where nothing keeps it from that. */
export function approveCase(facts: ReadinessFacts, eyes: Eyes, stated: Stated): ApprovalChange {
  const { caseStatus } = facts
  if (!canBeApproved(caseStatus)) {
    throw conflict({ message: `The lodgement case is ${caseStatus}: it cannot be approved.` })
  }
  const sameEyes = fourEyesErrors(eyes, stated.approvedBy, 'an application or its documents')
  refuseAny(...errorsOf(facts, 'LODGEMENT'), ...interestErrors(facts, stated), ...sameEyes)
  return { kind: 'case approved', ...stated }
}

/** What an approval must state besides who approves, because the registry asks for it. */
export const ASKED = ['disclosableOverridingInterests'] as const
export const askedBy = (registry: string | null | undefined): readonly (typeof ASKED)[number][] =>
  registry === HMLR ? ASKED : []

/** HM Land Registry wants a form that cannot be sent from here where there are any. */
function interestErrors(
  { registry }: ReadinessFacts,
  { disclosableOverridingInterests: stated }: Stated,
): FieldError[] {
  if (askedBy(registry).length === 0 || stated === false) return []
  const message = stated
    ? 'disclosableOverridingInterests must be false: form DI cannot be sent to HM Land Registry from here.'
    : 'disclosableOverridingInterests must be stated: HM Land Registry asks for it.'
  return [{ field: 'disclosableOverridingInterests', message }]
}

/** Until the lender has authorised the funds on the strength of it. */
export function unapproveCase(status: WorkspaceStatus, caseStatus: CaseStatus, unapprovedBy: string): ApprovalChange {
  if (caseStatus !== 'PREPARED') throw conflict({ message: `The lodgement case is ${caseStatus}: it is not approved.` })
  if (!canBeUnapproved(status, caseStatus)) {
    throw conflict({ message: `The workspace is ${status}: the approval of its case can no longer be taken back.` })
  }
  return { kind: 'case unapproved', unapprovedBy }
}

/** The same of the schedule. */
export function approveSchedule(facts: ReadinessFacts, eyes: Eyes, approvedBy: string): ScheduleChange {
  checkApprovable(facts.status, facts.schedule.status, 'APPROVE')
  refuseAny(...errorsOf(facts, 'FINANCIAL'), ...fourEyesErrors(eyes, approvedBy, 'the schedule or its lines'))
  return { kind: 'schedule approved', approvedBy }
}

export function unapproveSchedule(
  status: WorkspaceStatus,
  schedule: ScheduleStatus,
  unapprovedBy: string,
): ScheduleChange {
  checkApprovable(status, schedule, 'UNAPPROVE')
  return { kind: 'schedule unapproved', unapprovedBy }
}

/** Whether an approval of the schedule, or its withdrawal, is possible at all. */
function checkApprovable(status: WorkspaceStatus, schedule: ScheduleStatus, action: ApprovalAction): void {
  if (status !== 'CREATED' && status !== 'PREPARED') {
    throw conflict({ message: `The workspace is ${status}: its schedule can be neither approved nor unapproved.` })
  }
  const isApproved = schedule === 'PREPARED'
  if (isApproved === (action === 'UNAPPROVE')) return
  throw conflict({ message: isApproved ? 'The schedule is approved already.' : 'The schedule is not approved.' })
}

function refuseAny(...errors: FieldError[]): void {
  if (errors.length) throw conflict(...errors)
}

export type Move = { applicationId: string; status: ApplicationStatus }

/**
 * The applications whose own rules put them in another status. One that the registry rejected is reviewed again only when
 * it was changed.
 */
export function movesOf(
  applications: readonly ReviewedApplication[],
  results: readonly RuleResult[],
  changed: readonly string[],
): Move[] {
  const wanting = new Set(failuresOf(results, 'LODGEMENT').map(({ applicationId }) => applicationId))
  return applications.flatMap(({ applicationId, status }) => {
    if (status === 'REJECTED' && !changed.includes(applicationId)) return []
    const next = APPLICATION_TRANSITIONS[status][wanting.has(applicationId) ? 'found wanting' : 'found ready']
    return next ? [{ applicationId, status: next }] : []
  })
}

/** Where the firm wants four eyes, nobody approves what they have changed themselves, or a part of it. */
export function fourEyesErrors({ fourEyes, changedBy }: Eyes, approvedBy: string, what: string): FieldError[] {
  if (!fourEyes || !changedBy.includes(approvedBy.toLowerCase())) return []
  return [{ field: 'approvedBy', message: `approvedBy must be a person who has not changed ${what}.` }]
}
