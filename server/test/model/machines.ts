import { approveSchedule, unapproveSchedule } from '../../src/approvals/rules.ts'
import { addBusinessDays } from '../../src/jurisdiction/business-days.ts'
import { londonDate } from '../../src/jurisdiction/london.ts'
import { poundsOf } from '../../src/jurisdiction/money.ts'
import type { CaseToLodge } from '../../src/lodgement/content.ts'
import {
  answerRequisition,
  meetDeadline,
  receiveNotice,
  type SubmissionKind,
  sendCase,
} from '../../src/lodgement/rules-registry.ts'
import { confirmPayment, failPayment, takeBackPayment } from '../../src/manual-payments/rules.ts'
import { stepsOf } from '../../src/matter/apply.ts'
import { readinessFactsOf } from '../../src/matter/consequences.ts'
import { type Change, isPaymentUnderWay, type Matter, scheduleOf } from '../../src/matter/matter.ts'
import { conflict } from '../../src/platform/errors.ts'
import type { NoticeContent } from '../../src/registry/lodgement.ts'
import { type LineItem, totalsOf } from '../../src/settlement/rules.ts'
import { decideAuthorisation, endPayment, initiatePayment } from '../../src/settlement/rules-funds.ts'
import { cancelWorkspace } from '../../src/workspaces/rules.ts'
import { canBeApproved, canBeUnapproved, checkOpen } from '../../src/workspaces/status.ts'
import { aDestination, anAdvance } from '../fixtures/line-items.ts'
import { aReadyMatter } from '../fixtures/matter.ts'
import { aRegister } from '../fixtures/registry.ts'

// A workspace, its case and its schedule together: the service's own decisions and consequences, without a database.

const APPROVER = 'ann@harbour.example'
const COPY = { register: aRegister(), officialCopyAt: new Date('2026-06-01T06:00:00Z') }
const TO_LODGE: CaseToLodge = {
  customerReference: 'REM-1',
  titleNumber: 'ST500678',
  completedOn: '2026-06-01',
  lender: 'Northgate',
  lodgedBy: 'Harbour',
  parties: [],
  proprietors: [],
  links: new Map(),
  applications: [],
}
const START = new Date('2026-06-01T06:00:00Z')

export type World = {
  matter: Matter
  now: Date
  /** How many steps were taken; the ids of new lines come from it. */
  count: number
  /** What was settled. */
  settled: readonly (readonly LineItem[])[]
}

export const newWorld = (): World => ({
  matter: aReadyMatter({
    lodgementCase: { lodgementCaseId: 'c', status: 'CREATED', ready: false, changedBy: [] },
    title: undefined,
    parties: [],
    proprietors: [],
    representations: [],
    applications: aReadyMatter()
      .applications.slice(0, 1)
      // Without a value, which its advances would have to cover.
      .map(({ transactionValuePence: _, ...one }) => ({ ...one, mortgageDeedReferenceType: 'DIGITAL' })),
  }),
  now: START,
  count: 0,
  settled: [],
})

const actorOf = ({ now: at }: World) => ({ correlationId: 'c', at })
const todayOf = ({ now }: World) => londonDate(now)

function apply(world: World, ...decided: Change[]): World {
  const count = world.count + 1
  const steps = stepsOf(world.matter, decided, actorOf(world), () => `new ${count}`)
  return { ...world, count, matter: steps.at(-1)?.after ?? world.matter }
}

/** What can be requested or can happen. `n` varies a step. A refused step throws. */
export const STEPS = {
  'add a source': (world, n) => addLine(world, anAdvance((n % 5) + 1)),
  'add a destination': (world, n) => addLine(world, aDestination((n % 5) + 1)),
  'bring into balance': (world) => {
    const { difference } = totalsOf(world.matter.schedule.lines)
    return difference === 0 ? world : addLine(world, difference > 0 ? aDestination(difference) : anAdvance(-difference))
  },
  'delete a line': (world, n) => {
    const { lines } = world.matter.schedule
    const line = lines[n % (lines.length + 1)]
    return line ? changeSchedule(world, { kind: 'line item deleted', lineItemId: line.lineItemId }) : world
  },
  'set the date': (world, n) => {
    const completionDate = addBusinessDays(addBusinessDays(todayOf(world), -1), 1 + (n % 4))
    return changeSchedule(world, { kind: 'completion date set', completionDate })
  },
  'approve the schedule': (world) => approval(world, 'APPROVE'),
  'take back the schedule’s approval': (world) => approval(world, 'UNAPPROVE'),
  'approve the case': (world) => {
    const { status } = world.matter.lodgementCase
    if (!canBeApproved(status)) throw conflict({ message: status })
    return apply(world, { kind: 'case approved', approvedBy: APPROVER })
  },
  'take back the case’s approval': (world) => {
    const { workspace, lodgementCase } = world.matter
    if (!canBeUnapproved(workspace.status, lodgementCase.status)) throw conflict({ message: lodgementCase.status })
    return apply(world, { kind: 'case unapproved', unapprovedBy: APPROVER })
  },
  'change the case': (world) => {
    const { workspace, lodgementCase } = world.matter
    checkOpen(workspace.status, 'applications and their documents', lodgementCase.status)
    return apply(world, { kind: 'title reconciled', action: 'UPDATE_PARTY_NAME', parties: [], proprietors: [] })
  },
  'remove the title': (world) => changeOrder(world, { kind: 'title removed', titleId: 't' }),
  'correct the address': (world) => {
    const [before, after] = [
      { reference: 'REM-1', securityAddress: { postcode: 'EX4 3AN' } },
      { securityAddress: { postcode: 'EX1 1AA' } },
    ]
    return changeOrder(world, { kind: 'workspace updated', before, after })
  },
  'authorise the funds': (world) => authorisation(world, true, 0),
  'authorise another sum': (world, n) => authorisation(world, true, 1 + n),
  'take back the funds': (world) => authorisation(world, false, 0),
  'time passes': (world, n) => ({ ...world, now: new Date(world.now.getTime() + (1 + (n % 30)) * 3_600_000) }),
  'the bank is instructed': (world) => {
    const { workspace, schedule } = world.matter
    const payable = { ...workspace, lines: schedule.lines, isPaymentUnderWay: isPaymentUnderWay(world.matter) }
    return apply(world, ...initiatePayment(payable, world.now, 'settlement'))
  },
  'the bank settles': (world) => {
    const attempt = askedOf(world)
    const outcome = { kind: 'settled', at: world.now, scheme: 'FPS', paymentReference: 'BANK-1' } as const
    const paid = apply(world, ...endPayment(attempt, outcome))
    return attempt ? ended(paid, [...world.settled, attempt.lines]) : paid
  },
  'the bank refuses': (world) => {
    const attempt = askedOf(world)
    const refused = apply(world, ...endPayment(attempt, { kind: 'refused', reason: 'no' }))
    return attempt ? ended(refused, world.settled) : refused
  },
  'the firm is to pay': (world) => apply(world, ...endPayment(askedOf(world), { kind: 'manual' })),
  'the firm confirms a line': (world, n) => {
    const [attempt] = world.matter.settlements
    const confirmed = { paidOn: todayOf(world), bankReference: `${n}`, confirmedBy: APPROVER }
    const changes = confirmPayment(scheduleOf(world.matter), anyLine(world, n), confirmed, world.now)
    const isPaid = changes.some(({ kind }) => kind === 'payment settled')
    return isPaid && attempt ? ended(apply(world, ...changes), [attempt.lines]) : apply(world, ...changes)
  },
  'the firm takes it back': (world, n) => apply(world, ...takeBackPayment(scheduleOf(world.matter), anyLine(world, n))),
  'the firm cannot pay': (world) => {
    const failed = failPayment(scheduleOf(world.matter), { reason: 'no', confirmedBy: APPROVER })
    return ended(apply(world, ...failed), world.settled)
  },
  'cancel the workspace': (world) => {
    const { status } = world.matter.workspace
    const paymentUnderWay = isPaymentUnderWay(world.matter)
    return apply(world, cancelWorkspace({ status, paymentUnderWay }, { cancellationReason: 'OTHER' }))
  },
  'send the case': (world) => {
    const submissionId = world.matter.submissions.at(-1)?.submissionId ?? ''
    return apply(world, ...sendCase(world.matter, submissionId, TO_LODGE))
  },
  'the registry accepts': (world) =>
    registry(world, { kind: 'accepted', registryReference: 'A123BCD', priorityAt: world.now }),
  'the registry finds an error': (world) => registry(world, { kind: 'validation failed', faults: [] }),
  'the registry asks': (world) => registry(world, { kind: 'requisitioned', registryId: `${world.count}`, points: [] }),
  'the firm answers': (world) => apply(world, ...answerRequisition(world.matter, { message: 'So.', fileIds: [] }, [])),
  'the registry accepts the answer': (world) => {
    const { registryId = '' } = world.matter.requisitions.at(-1) ?? {}
    return registry(world, { kind: 'answer accepted', registryId })
  },
  'the deadline passes': (world) => {
    const { requisitionId = '' } = world.matter.requisitions.at(-1) ?? {}
    return apply(world, ...meetDeadline(world.matter, { workspaceId: 'w', requisitionId, businessDaysLeft: 0 }))
  },
  'the registry cancels': (world) => registry(world, { kind: 'cancelled', reason: 'no' }),
  'the registry completes': (world) => registry(world, { kind: 'completed', early: false, copy: COPY }),
  'the registry completes early': (world) => registry(world, { kind: 'completed', early: true, copy: COPY }),
  'the old charge is discharged': (world) => registry(world, { kind: 'discharged', copy: COPY }),
  'the discharge is registered': (world) => registry(world, { kind: 'discharged', copy: COPY }, 'DISCHARGE'),
  'the discharge is refused': (world) => registry(world, { kind: 'cancelled', reason: 'no' }, 'DISCHARGE'),
  'the deed takes effect, or no longer': (world, n) => {
    const { workspace, lodgementCase } = world.matter
    checkOpen(workspace.status, "deed's effect", lodgementCase.status)
    const after = { isEffective: n % 4 > 0 }
    return apply(world, { kind: 'deed effect updated', applicationId: 'MORTGAGE_DEED', before: {}, after })
  },
} as const satisfies Record<string, (world: World, n: number) => World>

export type Step = keyof typeof STEPS

function changeOrder(world: World, change: Change): World {
  const { workspace, lodgementCase } = world.matter
  checkOpen(workspace.status, 'parties, title and representation', lodgementCase.status)
  return apply(world, change)
}

function changeSchedule(world: World, change: Change): World {
  const { workspace, lodgementCase } = world.matter
  checkOpen(workspace.status, 'schedule', lodgementCase.status)
  return apply(world, change)
}

/** The payment that the bank was asked for. One that the firm makes is not among them. */
const askedOf = ({ matter: { schedule, settlements } }: World) =>
  schedule.status === 'AUTHORISED' ? settlements[0] : undefined

function anyLine({ matter }: World, n: number): LineItem {
  const { lines } = matter.schedule
  const line = lines.find(({ payment }) => !payment) ?? lines[n % lines.length]
  if (!line) throw conflict({ message: 'There is no line.' })
  return line
}

const addLine = (world: World, line: LineItem): World =>
  changeSchedule(world, { kind: 'line item added', line: { ...line, lineItemId: `line ${world.count}` } })

function approval(world: World, action: 'APPROVE' | 'UNAPPROVE'): World {
  const { workspace, schedule, fourEyes } = world.matter
  if (action === 'UNAPPROVE') return apply(world, unapproveSchedule(workspace.status, schedule.status, APPROVER))
  const eyes = { fourEyes, changedBy: schedule.changedBy }
  return apply(world, approveSchedule(readinessFactsOf(world.matter, world.now), eyes, APPROVER))
}

function authorisation(world: World, authorised: boolean, off: number): World {
  const { matter } = world
  const completionDate = matter.workspace.completionDate ?? todayOf(world)
  const amount = poundsOf(totalsOf(matter.schedule.lines).sources + off)
  const asked = { completionDate, lineItem: { authorised, category: 'Mortgage Advance' as const, amount } }
  const schedule = { ...scheduleOf(matter), isPaymentUnderWay: isPaymentUnderWay(matter) }
  return apply(world, ...decideAuthorisation(matter.workspace.status, schedule, asked, todayOf(world)))
}

// A payment that has ended is not loaded again.
const ended = (world: World, settled: World['settled']): World => ({
  ...world,
  settled,
  matter: world.matter.settlements.length ? { ...world.matter, settlements: [] } : world.matter,
})

// What was overtaken is only recorded. What can happen to the case, its workspace must be able to follow.
function registry(world: World, said: NoticeContent, of: SubmissionKind = 'CASE'): World {
  const submissionId = world.matter.submissions.findLast(({ kind }) => kind === of)?.submissionId ?? ''
  const notice = { noticeId: `notice ${world.count}`, at: world.now, ...said }
  const made = { requisitionId: `requisition ${world.count}`, documents: [] }
  const changes = receiveNotice(world.matter, submissionId, notice, made)
  return apply(world, ...changes.filter(({ kind }) => kind !== 'notice overtaken'))
}
