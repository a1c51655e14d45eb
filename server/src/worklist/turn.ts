import { failuresOf, reviewReadiness } from '../approvals/rules.ts'
import type { ActiveRepresentation, ReadinessFacts } from '../approvals/rules-facts.ts'
import { awaitsEffect } from '../lodgement/rules.ts'
import type { PaymentFailure } from '../settlement/rules.ts'
import type { Task, Who } from '../workspaces/status.ts'
import { lacksOf, type TurnFacts, turnsOf } from './rules.ts'

/** Whose turn it is, as a workspace stores it. Null where nobody has one. */
export type StoredTurn = {
  turnWho?: Who | null
  turnTask?: Task | null
  /** Since when it is the same one's, for the same task. */
  turnSince?: Date | null
  turnDueAt?: Date | null
  turnAlso?: readonly { who: Who; task: Task }[]
  /** How long others had it before, in seconds. */
  turnWaited?: Readonly<Partial<Record<Who, number>>>
  /** Whether something changed since it was decided. */
  turnStale?: boolean
}

/** What of a matter its turn depends on, beside its readiness. */
type Known = {
  workspace: StoredTurn
  representations: readonly (ActiveRepresentation & { status: string })[]
  schedule: { approvals: readonly { action: string; at: Date | string }[]; failure?: PaymentFailure | null }
  settlements: readonly { status: string }[]
  requisitions: readonly { dueAt: Date }[]
}

type Lacking = Pick<TurnFacts, 'caseLacks' | 'moneyLacks' | 'isProcessing'>

/** Of a new matter it is known without a review. */
const LACKING_AT_FIRST: Lacking = {
  caseLacks: ['TITLE', 'NAMES', 'REPRESENTATION', 'CONTENT'],
  moneyLacks: ['CONTENT'],
  isProcessing: false,
}

export const withFirstTurn = <M extends Known>(matter: M, readiness: ReadinessFacts, since: Date): M =>
  withTurn(matter, readiness, since, LACKING_AT_FIRST)

/** The same matter where its turn is still the one that is stored. */
export function withTurn<M extends Known>(matter: M, readiness: ReadinessFacts, since: Date, known?: Lacking): M {
  const { workspace } = matter
  const [turn, ...others] = turnsOf(turnFactsOf(matter, readiness, known))
  const also = others.map(({ who, task }) => ({ who, task }))
  const {
    turnWho = null,
    turnTask = null,
    turnSince = null,
    turnDueAt = null,
    turnAlso = [],
    turnWaited = {},
  } = workspace
  const isSame = turnWho === (turn?.who ?? null) && turnTask === (turn?.task ?? null)
  const isDueThen = turnDueAt?.getTime() === turn?.dueAt?.getTime()
  const areOthersSame = JSON.stringify(turnAlso) === JSON.stringify(also)
  if (isSame && isDueThen && areOthersSame && workspace.turnStale === false) return matter
  const stored: Required<StoredTurn> = {
    turnWho: turn?.who ?? null,
    turnTask: turn?.task ?? null,
    turnSince: turn ? (isSame ? turnSince : since) : null,
    turnDueAt: isDueThen ? turnDueAt : (turn?.dueAt ?? null),
    turnAlso: areOthersSame ? turnAlso : also,
    turnWaited: isSame ? turnWaited : waitedUntil(since, { turnWho, turnSince, turnWaited }),
    turnStale: false,
  }
  return { ...matter, workspace: { ...workspace, ...stored } }
}

function waitedUntil(
  end: Date,
  { turnWho, turnSince, turnWaited = {} }: StoredTurn,
): Required<StoredTurn>['turnWaited'] {
  if (!turnWho || !turnSince) return turnWaited
  const seconds = Math.max(Math.round((end.getTime() - turnSince.getTime()) / 1_000), 0)
  return { ...turnWaited, [turnWho]: (turnWaited[turnWho] ?? 0) + seconds }
}

function turnFactsOf(matter: Known, readiness: ReadinessFacts, known?: Lacking): TurnFacts {
  const { schedule, settlements, requisitions } = matter
  const { status, caseStatus, searchStatus, today, applications } = readiness
  return {
    status,
    caseStatus,
    scheduleStatus: readiness.schedule.status,
    searchStatus,
    completionDate: readiness.schedule.completionDate,
    today,
    ...(known ?? (status === 'CREATED' ? lacking(matter, readiness) : NOTHING)),
    isPaymentUnderWay: settlements.some((one) => one.status === 'INITIATED'),
    isPaymentRefused: isRefused(schedule),
    awaitsEffect: awaitsEffect(applications),
    isDischargeOpen: applications.some(
      ({ applicationType, status }) => applicationType === 'DISCHARGE' && OPEN.includes(status),
    ),
    requisitionDueAt: requisitions.at(-1)?.dueAt,
  }
}

const NOTHING: Lacking = { caseLacks: [], moneyLacks: [], isProcessing: false }
const OPEN: readonly string[] = ['REJECTED', 'DRAFT', 'READY']

/** Only a workspace that is being prepared lacks anything. What is being processed counts as if it had succeeded. */
function lacking({ representations }: Known, readiness: ReadinessFacts): Lacking {
  const results = reviewReadiness(readiness)
  const moneyLacks = lacksOf(failuresOf(results, 'FINANCIAL'))
  const caseLacks = lacksOf(failuresOf(results, 'LODGEMENT'))
  const queued = representations.filter(({ status }) => status === 'QUEUED')
  const isScanned = readiness.applications.some(({ documents }) => documents.some(isPending))
  if (!queued.length && !isScanned) return { caseLacks, moneyLacks, isProcessing: false }
  const processed = {
    ...readiness,
    representations: [...readiness.representations, ...queued],
    applications: readiness.applications.map((one) => ({ ...one, documents: one.documents.map(succeeded) })),
  }
  const left = lacksOf(failuresOf(reviewReadiness(processed), 'LODGEMENT'))
  const isProcessing = caseLacks.some(isBlocking) && !left.some(isBlocking)
  return { caseLacks: left, moneyLacks, isProcessing }
}

type Document = ReadinessFacts['applications'][number]['documents'][number]

const isPending = ({ status }: Document): boolean => status === 'PENDING'
const succeeded = (document: Document): Document =>
  isPending(document) ? { ...document, status: 'SUCCESS' } : document
const isBlocking = (lack: string): boolean => lack !== 'CONFIRMATION'

/** Until the schedule is approved again, somebody must see to what the bank refused. */
function isRefused({ failure, approvals }: Known['schedule']): boolean {
  if (!failure) return false
  const at = new Date(failure.at)
  return !approvals.some((one) => one.action === 'APPROVE' && new Date(one.at) > at)
}
