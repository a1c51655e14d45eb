import assert from 'node:assert/strict'
import { takeBack } from '../../src/approvals/review.ts'
import { moveCase } from '../../src/lodgement/move.ts'
import { type CaseEvent, canHappen } from '../../src/lodgement/status.ts'
import { startSubmission } from '../../src/lodgement/submit.ts'
import { addBusinessDays } from '../../src/platform/business-days.ts'
import type { Transaction } from '../../src/platform/database/db.ts'
import { conflict } from '../../src/platform/errors.ts'
import type { Queue } from '../../src/platform/jobs/queue.ts'
import { londonDate } from '../../src/platform/london.ts'
import { poundsOf } from '../../src/platform/money.ts'
import { authoriseFunds, takeBackFunds } from '../../src/settlement/authorise.ts'
import { approveSchedule, noteChange } from '../../src/settlement/change.ts'
import { exchangeFunds } from '../../src/settlement/exchange.ts'
import { approvalErrors, checkApprovable, type LineItem, totalsOf } from '../../src/settlement/rules.ts'
import { isBalanced, judgeAuthorisation, settlesAt } from '../../src/settlement/rules-funds.ts'
import { scheduleAfter } from '../../src/settlement/status.ts'
import { followApprovals } from '../../src/workspaces/prepare.ts'
import { canBeApproved, canBeUnapproved, checkOpen, transition } from '../../src/workspaces/status.ts'
import type { LockedWorkspace } from '../../src/workspaces/store.ts'
import { aDestination, anAdvance } from '../fixtures/lines.ts'

// A workspace, its case and its schedule as they move together: the functions of the house themselves, on a database that
// takes every statement and keeps none.

const tx: Transaction = { query: async () => [], send: () => {}, notify: () => {} }
const queue = { enqueue: async () => {} } as unknown as Queue
const APPROVER = 'ann@harbour.example'

export type World = {
  workspace: LockedWorkspace
  lines: readonly LineItem[]
  now: Date
  /** What the bank was told to pay, while it has not said what became of it. */
  attempt: readonly LineItem[] | undefined
  /** What was settled. */
  settled: readonly (readonly LineItem[])[]
}

export const newWorld = (): World => ({
  workspace: {
    workspaceId: 'w',
    status: 'CREATED',
    reference: 'REM-1',
    lenderId: 'l',
    lawFirmId: 'f',
    lodgementCaseId: 'c',
    caseStatus: 'CREATED',
    scheduleId: 's',
    scheduleStatus: 'DRAFT',
    completionDate: null,
    validationStatus: 'VALID',
  },
  lines: [],
  now: new Date('2026-06-01T06:00:00Z'),
  attempt: undefined,
  settled: [],
})

const actorOf = ({ now: at }: World) => ({ correlationId: 'c', at })
const todayOf = ({ now }: World) => londonDate(now)
const scheduleOf = ({ workspace, lines }: World) => ({
  status: workspace.scheduleStatus,
  completionDate: workspace.completionDate,
  lines,
})

/** What may be asked of a world, or happen to it. `n` makes one of them another. What is refused throws. */
export const DEEDS = {
  'add a source': (world, n) => changeLines(world, [...world.lines, anAdvance((n % 5) + 1)]),
  'add a destination': (world, n) => changeLines(world, [...world.lines, aDestination((n % 5) + 1)]),
  'bring into balance': (world) => {
    const { difference } = totalsOf(world.lines)
    const line = difference > 0 ? aDestination(difference) : anAdvance(-difference)
    return difference === 0 ? world : changeLines(world, [...world.lines, line])
  },
  'delete a line': (world, n) => changeLines(world, world.lines.toSpliced(n % (world.lines.length + 1), 1)),
  'set the date': (world, n) => {
    const completionDate = addBusinessDays(addBusinessDays(todayOf(world), -1), 1 + (n % 4))
    const changed = changeLines(world, world.lines)
    return { ...changed, workspace: { ...changed.workspace, completionDate } }
  },
  'approve the schedule': (world) => {
    const { workspace } = world
    checkApprovable(workspace.status, workspace.scheduleStatus, 'APPROVE')
    const faults = approvalErrors(scheduleOf(world), todayOf(world))
    if (faults.length) throw conflict(...faults)
    return approval(world, 'APPROVE')
  },
  'take back the schedule’s approval': (world) => {
    checkApprovable(world.workspace.status, world.workspace.scheduleStatus, 'UNAPPROVE')
    return approval(world, 'UNAPPROVE')
  },
  'approve the case': async (world) => {
    const { caseStatus } = world.workspace
    if (!canBeApproved(caseStatus)) throw conflict({ message: caseStatus })
    const approved = moveCase(tx, world.workspace, 'approved', actorOf(world))
    if (caseStatus === 'REGISTRATION_REJECTED') await startSubmission(tx, queue, approved, actorOf(world))
    return { ...world, workspace: followApprovals(tx, approved, actorOf(world)) }
  },
  'take back the case’s approval': (world) => {
    const { status, caseStatus } = world.workspace
    if (!canBeUnapproved(status, caseStatus)) throw conflict({ message: caseStatus })
    return { ...world, workspace: takeBack(tx, world.workspace, actorOf(world)) }
  },
  'change the case': (world) => {
    const { workspace } = world
    checkOpen(workspace.status, 'applications and their documents', workspace.caseStatus)
    if (workspace.caseStatus !== 'PREPARED') return world
    return { ...world, workspace: takeBack(tx, workspace, actorOf(world)) }
  },
  'authorise the funds': (world) => authorisation(world, true, 0),
  'authorise another sum': (world, n) => authorisation(world, true, 1 + n),
  'take back the funds': (world) => authorisation(world, false, 0),
  'time passes': (world, n) => ({ ...world, now: new Date(world.now.getTime() + (1 + (n % 30)) * 3_600_000) }),
  'the bank is told': (world) => {
    const { workspace, now, lines, attempt } = world
    const { completionDate } = workspace
    if (workspace.status !== 'FUNDS_AUTHORISED' || completionDate === null || now < settlesAt(completionDate))
      return world
    assert.ok(isBalanced(attempt ?? lines), 'what is authorised balances')
    return { ...world, attempt: attempt ?? lines }
  },
  'the bank settles': async (world) => {
    const { attempt, settled, workspace } = world
    if (!attempt) return world
    const exchanged = await exchangeFunds(tx, queue, workspace, actorOf(world))
    return { ...world, workspace: exchanged, attempt: undefined, settled: [...settled, attempt] }
  },
  'the bank refuses': (world) => {
    if (!world.attempt) return world
    const workspace = takeBackFunds(tx, world.workspace, 'refused', actorOf(world))
    return { ...world, workspace, attempt: undefined }
  },
  'cancel the workspace': (world) => {
    const { workspace } = world
    const status = transition(workspace.status, 'cancelled')
    if (world.attempt) throw conflict({ message: 'under way' })
    const scheduleStatus = scheduleAfter(workspace.scheduleStatus, 'workspace cancelled')
    const cancelled = moveCase(tx, workspace, 'workspace cancelled', actorOf(world))
    return { ...world, workspace: { ...cancelled, status, scheduleStatus } }
  },
  'send the case': (world) => (world.workspace.status === 'FUNDS_EXCHANGED' ? registry(world, 'sent') : world),
  'the registry accepts': (world) => registry(world, 'accepted'),
  'the registry finds a fault': (world) => registry(world, 'validation failed'),
  'the registry asks': (world) => registry(world, 'requisitioned'),
  'the firm answers': (world) => registry(world, 'answered'),
  'the registry accepts the answer': (world) => registry(world, 'answer accepted'),
  'the deadline passes': (world) => registry(world, 'deadline passed'),
  'the registry cancels': (world) => registry(world, 'cancelled by the registry'),
  'the registry completes': (world) => registry(world, 'completed'),
  'the registry completes early': (world) => registry(world, 'completed early'),
  'the old charge is discharged': (world) => registry(world, 'discharged'),
} as const satisfies Record<string, (world: World, n: number) => World | Promise<World>>

export type Deed = keyof typeof DEEDS

function changeLines(world: World, lines: readonly LineItem[]): World {
  const { workspace } = world
  checkOpen(workspace.status, 'schedule', workspace.caseStatus)
  return { ...world, lines, workspace: { ...workspace, scheduleStatus: noteChange(tx, workspace, actorOf(world)) } }
}

const approval = (world: World, action: 'APPROVE' | 'UNAPPROVE'): World => ({
  ...world,
  workspace: approveSchedule(tx, world.workspace, { action, approvedBy: APPROVER }, actorOf(world)),
})

async function authorisation(world: World, authorised: boolean, off: number): Promise<World> {
  const { workspace, lines } = world
  const completionDate = workspace.completionDate ?? todayOf(world)
  const amount = poundsOf(totalsOf(lines).sources + off)
  const asked = { completionDate, lineItem: { authorised, category: 'Mortgage Advance' as const, amount } }
  const { does } = judgeAuthorisation(workspace.status, scheduleOf(world), asked, todayOf(world))
  if (does === 'nothing') return world
  if (does === 'authorise') {
    return { ...world, workspace: await authoriseFunds(tx, queue, workspace, completionDate, actorOf(world)) }
  }
  if (world.attempt) throw conflict({ message: 'under way' })
  return { ...world, workspace: takeBackFunds(tx, workspace, 'taken back', actorOf(world)) }
}

// What cannot happen to the case is no news of the registry. What can, its workspace must be able to follow.
const registry = (world: World, event: CaseEvent): World =>
  canHappen(world.workspace.caseStatus, event)
    ? { ...world, workspace: moveCase(tx, world.workspace, event, actorOf(world)) }
    : world
