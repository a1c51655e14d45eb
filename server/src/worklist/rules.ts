import type { RuleId, RuleResult } from '../approvals/rules.ts'
import { addBusinessDays } from '../jurisdiction/business-days.ts'
import { londonMoment } from '../jurisdiction/london.ts'
import { settlesAt } from '../settlement/rules-funds.ts'
import type { CaseStatus, ScheduleStatus, SearchStatus, Task, Who, WorkspaceStatus } from '../workspaces/status.ts'

// Whose turn it is in a matter, for what, and by when.

export type Turn = { who: Who; task: Task; dueAt?: Date | undefined }

export type TurnFacts = {
  status: WorkspaceStatus
  caseStatus: CaseStatus
  scheduleStatus: ScheduleStatus
  searchStatus: SearchStatus | null
  completionDate: string | null
  /** The date in London. */
  today: string
  /** What the case lacks for its approval, not counting what the service is processing. */
  caseLacks: readonly Lack[]
  /** Whether the case lacks only what the service is processing: a file, or a representation. */
  isProcessing: boolean
  moneyLacks: readonly Lack[]
  isPaymentUnderWay: boolean
  /** Whether the bank refused the payment, and the schedule was not approved again since. */
  isPaymentRefused: boolean
  /** Whether a digital deed is not effective yet. */
  awaitsEffect: boolean
  /** Whether a discharge is not with the registry. */
  isDischargeOpen: boolean
  requisitionDueAt?: Date | undefined
}

export type Lack = 'TITLE' | 'NAMES' | 'REPRESENTATION' | 'CONTENT' | 'CONFIRMATION'

/** What the failures of an approval's rules mean. */
export const lacksOf = (failures: readonly Pick<RuleResult, 'ruleId' | 'kind'>[]): Lack[] => [
  ...new Set(
    failures.map(({ ruleId, kind }) => (kind === 'CONFIRMABLE' ? 'CONFIRMATION' : (LACKS[ruleId] ?? 'CONTENT'))),
  ),
]

const LACKS: Partial<Record<RuleId, Lack>> = {
  'title-must-be-valid': 'TITLE',
  'all-proprietors-matched-to-borrowers': 'NAMES',
  'proprietor-count': 'NAMES',
  'party-representation-type-is-valid': 'REPRESENTATION',
}

/** The turn itself, then what can be done beside it. Nobody has a turn in a matter that has ended. */
export function turnsOf(facts: TurnFacts): Turn[] {
  if (facts.status === 'CLOSED' || facts.status === 'CANCELLED') return []
  const turns = ROWS.filter(({ when }) => when(facts)).map(({ who, task, due }) => ({ who, task, dueAt: due?.(facts) }))
  return turns.filter(({ who, task }, i) => turns.findIndex((one) => one.who === who && one.task === task) === i)
}

type Row = { who: Who; task: Task; when: (facts: TurnFacts) => boolean; due?: (facts: TurnFacts) => Date | undefined }

const row = (who: Who, task: Task, when: Row['when'], due?: Row['due']): Row => ({
  who,
  task,
  when,
  ...(due && { due }),
})

const AT_REGISTRY: readonly CaseStatus[] = [
  'INITIATED',
  'LODGED',
  'REQUISITION_SUBMITTED',
  'PARTIALLY_REGISTERED',
  'DISCHARGE_SUBMITTED',
]

const CLOSE_OF_BUSINESS = '17:00:00'

const isPaid = ({ scheduleStatus }: TurnFacts) => scheduleStatus === 'SETTLED'
const isApproved = ({ caseStatus }: TurnFacts) => caseStatus === 'PREPARED' || caseStatus === 'RESUBMISSION_PREPARED'
const isDayOver = ({ completionDate, today }: TurnFacts) => completionDate !== null && completionDate < today
const isSearching = ({ searchStatus }: TurnFacts) => searchStatus === 'INITIATED' || searchStatus === 'PENDING'
const isPrepared = ({ status }: TurnFacts) => status === 'PREPARED'
const hasOnly = (lacks: readonly Lack[], lack: Lack) => lacks.length > 0 && lacks.every((one) => one === lack)

const isCaseOpen = ({ status, caseStatus }: TurnFacts) => status === 'CREATED' && caseStatus === 'CREATED'
const isMoneyOpen = ({ status, scheduleStatus }: TurnFacts) => status === 'CREATED' && scheduleStatus === 'DRAFT'
const lacks = (facts: TurnFacts, lack: Lack) => isCaseOpen(facts) && facts.caseLacks.includes(lack)

const onTheDay =
  (time: string) =>
  ({ completionDate }: TurnFacts) =>
    completionDate === null ? undefined : londonMoment(completionDate, time)

const dayBefore = ({ completionDate }: TurnFacts) =>
  completionDate === null ? undefined : londonMoment(addBusinessDays(completionDate, -1), CLOSE_OF_BUSINESS)

const moneyMoves = ({ completionDate }: TurnFacts) => (completionDate === null ? undefined : settlesAt(completionDate))

/** In the order of precedence: the first that fits is the turn. */
const ROWS: readonly Row[] = [
  row(
    'LAW_FIRM',
    'ANSWER_REQUISITION',
    ({ caseStatus }) => caseStatus === 'REQUISITIONED',
    (facts) => facts.requisitionDueAt,
  ),
  row('LAW_FIRM', 'FIX_AND_APPROVE', ({ caseStatus }) => caseStatus === 'REGISTRATION_REJECTED'),
  row('LAW_FIRM', 'MAKE_EFFECTIVE', (facts) => isPaid(facts) && isApproved(facts) && facts.awaitsEffect),
  row(
    'LAW_FIRM',
    'LODGE_DISCHARGE',
    ({ caseStatus, isDischargeOpen }) => caseStatus === 'PARTIALLY_REGISTERED' && isDischargeOpen,
  ),
  row(
    'REGISTRY',
    'WAIT',
    (facts) => AT_REGISTRY.includes(facts.caseStatus) || (isPaid(facts) && isApproved(facts) && !facts.awaitsEffect),
  ),
  row('LAW_FIRM', 'PAY', ({ scheduleStatus }) => scheduleStatus === 'PAYING', onTheDay(CLOSE_OF_BUSINESS)),
  row('BANK', 'WAIT', ({ scheduleStatus, isPaymentUnderWay }) => scheduleStatus === 'AUTHORISED' && isPaymentUnderWay),
  row(
    'CLOCK',
    'COMPLETION',
    ({ scheduleStatus, isPaymentUnderWay }) => scheduleStatus === 'AUTHORISED' && !isPaymentUnderWay,
    moneyMoves,
  ),
  row('LAW_FIRM', 'FIX_ACCOUNT', (facts) => isPrepared(facts) && facts.isPaymentRefused),
  row('LAW_FIRM', 'NEW_DATE', (facts) => isPrepared(facts) && isDayOver(facts)),
  row('LENDER', 'AUTHORISE', (facts) => isPrepared(facts) && !facts.isPaymentRefused && !isDayOver(facts), dayBefore),

  row('LAW_FIRM', 'GIVE_TITLE', (facts) => lacks(facts, 'TITLE') && !isSearching(facts), dayBefore),
  row('REGISTRY', 'WAIT', (facts) => lacks(facts, 'TITLE') && isSearching(facts)),
  row('LAW_FIRM', 'RECONCILE', (facts) => lacks(facts, 'NAMES') && facts.searchStatus === 'SUCCESS', dayBefore),
  row('LAW_FIRM', 'REPRESENT', (facts) => lacks(facts, 'REPRESENTATION'), dayBefore),
  row('SERVICE', 'WAIT', (facts) => isCaseOpen(facts) && facts.isProcessing),
  row('LAW_FIRM', 'COMPLETE_CASE', (facts) => lacks(facts, 'CONTENT'), dayBefore),
  row(
    'LAW_FIRM',
    'CONFIRM',
    (facts) => isCaseOpen(facts) && !facts.isProcessing && hasOnly(facts.caseLacks, 'CONFIRMATION'),
    dayBefore,
  ),
  row(
    'LAW_FIRM',
    'APPROVE_CASE',
    (facts) => isCaseOpen(facts) && !facts.isProcessing && !facts.caseLacks.length,
    dayBefore,
  ),

  row('LAW_FIRM', 'DRAW_UP_MONEY', (facts) => isMoneyOpen(facts) && facts.moneyLacks.includes('CONTENT'), dayBefore),
  row('LAW_FIRM', 'CONFIRM', (facts) => isMoneyOpen(facts) && hasOnly(facts.moneyLacks, 'CONFIRMATION'), dayBefore),
  row('LAW_FIRM', 'APPROVE_MONEY', (facts) => isMoneyOpen(facts) && !facts.moneyLacks.length, dayBefore),
  row(
    'LAW_FIRM',
    'NEW_DATE',
    (facts) => facts.status === 'CREATED' && facts.scheduleStatus === 'PREPARED' && isDayOver(facts),
  ),
]
