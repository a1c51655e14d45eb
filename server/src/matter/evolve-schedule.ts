import type { Actor } from '../audit/record.ts'
import type { ApprovalAction } from '../auth/scopes.ts'
import type { PaymentFailure, ScheduleChange } from '../settlement/rules.ts'
import { countsAt } from '../settlement/rules-funds.ts'
import type { Matter, Settlement } from './matter.ts'
import { moveSchedule, moveWorkspace, remember } from './move.ts'

/** The matter after a change of its schedule or its funds. */
export function evolveSchedule(matter: Matter, change: ScheduleChange, actor: Actor): Matter {
  const { lines } = matter.schedule
  switch (change.kind) {
    case 'completion date set': {
      const workspace = { ...matter.workspace, completionDate: change.completionDate }
      return { ...changeLines(matter, lines, actor), workspace }
    }
    case 'line item added':
      return changeLines(matter, [...lines, change.line], actor)
    case 'line item changed': {
      const { line } = change
      return changeLines(
        matter,
        lines.map((one) => (one.lineItemId === line.lineItemId ? line : one)),
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
    case 'payment settled': {
      const { scheme, paymentReference, at } = change.outcome
      const facts = { status: 'SETTLED', settledAt: countsAt(at, actor.at), scheme, paymentReference } as const
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
  const { scheduleId, lines } = matter.schedule
  const settlement = { settlementId, scheduleId, status: 'INITIATED', lines, initiatedAt } as const
  return { ...matter, settlements: [...matter.settlements, settlement] }
}

const withSettlement = (matter: Matter, settlementId: string, facts: Partial<Settlement>): Matter => ({
  ...matter,
  settlements: matter.settlements.map((one) => (one.settlementId === settlementId ? { ...one, ...facts } : one)),
})
