import type { Actor } from '../audit/record.ts'
import type { ApprovalAction } from '../auth/scopes.ts'
import type { LineItem, PaymentFailure, ScheduleChange } from '../settlement/rules.ts'
import { countsAt } from '../settlement/rules-funds.ts'
import type { Matter, Settlement } from './matter.ts'
import { modified, moveSchedule, moveWorkspace, remember } from './move.ts'

/** The matter after a change of its schedule or its funds. */
export function evolveSchedule(matter: Matter, change: ScheduleChange, actor: Actor): Matter {
  const { lines } = matter.schedule
  switch (change.kind) {
    case 'completion date set': {
      const workspace = { ...matter.workspace, completionDate: change.completionDate }
      return { ...changeLines(matter, lines, actor), workspace }
    }
    case 'line item added':
      return changeLines(matter, [...lines, { ...change.line, ...changer({ changedBy: [] }, actor) }], actor)
    case 'line item changed': {
      const { line } = change
      return changeLines(
        matter,
        lines.map((one) => (one.lineItemId === line.lineItemId ? { ...line, ...changer(one, actor) } : one)),
        actor,
      )
    }
    case 'line item deleted':
      return changeLines(
        matter,
        lines.filter(({ lineItemId }) => lineItemId !== change.lineItemId),
        actor,
      )
    case 'schedule approved':
      return approve(moveSchedule(matter, 'approved', actor), 'APPROVE', change.approvedBy, actor)
    case 'schedule unapproved': {
      const { unapprovedBy } = change
      const moved = moveSchedule(matter, 'approval taken back', actor)
      return unapprovedBy === undefined ? moved : approve(moved, 'UNAPPROVE', unapprovedBy, actor)
    }
    case 'funds authorised':
      return moveWorkspace(
        moveSchedule(withFailure(matter, null), 'funds authorised', actor),
        'funds authorised',
        actor,
      )
    case 'funds authorisation taken back':
      return unauthorise(matter, actor)
    case 'payment initiated':
      return initiate(matter, change.settlementId, actor)
    case 'settlement due':
      return moveSchedule(matter, 'settlement due', actor)
    case 'payment confirmed':
    case 'payment confirmation taken back':
      return confirmLine(matter, change, actor)
    case 'payment settled': {
      const { at, ...how } = change.outcome
      const facts = { ...how, status: 'SETTLED', settledAt: countsAt(at, actor.at) } as const
      const paid = withSettlement(matter, change.settlementId, facts)
      return moveWorkspace(moveSchedule(paid, 'settled', actor), 'funds exchanged', actor)
    }
    case 'payment refused': {
      const { settlementId, reason, line } = change
      const failure = { at: actor.at, ...(line && { lineItemId: line.lineItemId }), reason }
      const facts = { status: 'REFUSED', failureReason: reason } as const
      return unauthorise(withFailure(withSettlement(matter, settlementId, facts), failure), actor)
    }
  }
}

function changeLines(matter: Matter, lines: Matter['schedule']['lines'], actor: Actor): Matter {
  const { schedule } = matter
  return { ...matter, schedule: { ...schedule, lines, ...remember(schedule, actor) } }
}

/** Who changed a line, where that is known of it. */
function changer({ changedBy }: Pick<LineItem, 'changedBy'>, actor: Actor): Pick<LineItem, 'changedBy'> {
  return changedBy ? { changedBy: remember({ changedBy }, actor).changedBy ?? changedBy } : {}
}

type Confirmation = Extract<ScheduleChange, { kind: 'payment confirmed' | 'payment confirmation taken back' }>

/** What the schedule says stays the same, so it names nobody who changed it. */
function confirmLine(matter: Matter, change: Confirmation, actor: Actor): Matter {
  const { schedule } = matter
  const lines = schedule.lines.map((one) => {
    if (one.lineItemId !== change.lineItemId) return one
    const { payment: _, ...line } = one
    return change.kind === 'payment confirmed' ? { ...line, payment: change.payment } : line
  })
  return { ...matter, schedule: { ...schedule, lines, ...modified(actor) } }
}

function approve(matter: Matter, action: ApprovalAction, approvedBy: string, { at }: Actor): Matter {
  const { schedule } = matter
  return { ...matter, schedule: { ...schedule, approvals: [...schedule.approvals, { action, approvedBy, at }] } }
}

const withFailure = (matter: Matter, failure: PaymentFailure | null): Matter => ({
  ...matter,
  schedule: { ...matter.schedule, failure },
})

const unauthorise = (matter: Matter, actor: Actor): Matter =>
  moveWorkspace(moveSchedule(matter, 'funds no longer authorised', actor), 'funds no longer authorised', actor)

function initiate(matter: Matter, settlementId: string, { at: initiatedAt }: Actor): Matter {
  const { scheduleId } = matter.schedule
  const lines = matter.schedule.lines.map(({ changedBy: _, payment: __, ...line }) => line)
  const settlement = { settlementId, scheduleId, status: 'INITIATED', lines, initiatedAt } as const
  return { ...matter, settlements: [...matter.settlements, settlement] }
}

const withSettlement = (matter: Matter, settlementId: string, facts: Partial<Settlement>): Matter => ({
  ...matter,
  settlements: matter.settlements.map((one) => (one.settlementId === settlementId ? { ...one, ...facts } : one)),
})
