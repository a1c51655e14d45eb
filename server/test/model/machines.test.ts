import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { Refusal } from '../../src/platform/errors.ts'
import type { LineItem } from '../../src/settlement/rules.ts'
import { isBalanced } from '../../src/settlement/rules-funds.ts'
import {
  CASE_STATUSES,
  type CaseStatus,
  SCHEDULE_STATUSES,
  WORKSPACE_STATUSES,
  type WorkspaceStatus,
} from '../../src/workspaces/status.ts'
import { newWorld, STEPS, type Step, type World } from './machines.ts'

// Hundreds of random sequences of steps on a workspace with its case and its schedule. These laws hold after every
// step, whether it was done or refused.
//
// A failure reports its seed and path. To run that sequence again:
//   SEED=… RUN=… npm test -- server/test/model/machines.test.ts

const RUNS = Number(process.env['RUNS'] ?? 600)
const STEPS_MAX = 45
const REPLAY = {
  ...(process.env['SEED'] && { seed: Number(process.env['SEED']) }),
  ...(process.env['RUN'] && { path: process.env['RUN'] }),
}

const reached = new Set<string>()

describe('a workspace, its case and its schedule', () => {
  it('keep the laws, whatever is done in whatever order', () => {
    fc.assert(fc.property(fc.array(step, { minLength: STEPS_MAX, maxLength: STEPS_MAX }), run), {
      numRuns: RUNS,
      ...REPLAY,
    })
  })

  it('reach every status in those sequences', (context) => {
    if (Object.keys(REPLAY).length) return context.skip('only one sequence was run')
    const all = [
      ...WORKSPACE_STATUSES.map((status) => `workspace ${status}`),
      ...CASE_STATUSES.map((status) => `case ${status}`),
      ...SCHEDULE_STATUSES.map((status) => `schedule ${status}`),
    ]
    assert.deepEqual(
      all.filter((status) => !reached.has(status)),
      [],
    )
  })
})

// Bold steps do anything; the others do what comes next in a normal matter, so that sequences get far.
const step = fc.record({
  name: fc.constantFrom(...(Object.keys(STEPS) as Step[])),
  bold: fc.boolean(),
  n: fc.nat(1_000),
})

Error.stackTraceLimit = 0 // hundreds of thousands of refusals do not need a stack trace

function run(steps: readonly { name: Step; bold: boolean; n: number }[]): void {
  let world = newWorld()
  for (const { name, bold, n } of steps) {
    const before = world
    const done = bold ? name : nextOf(world, n)
    try {
      world = STEPS[done](world, n)
    } catch (error) {
      if (!(error instanceof Refusal && error.reason === 'conflict')) throw error
    }
    checkLaws(before, world, done)
    const { status, caseStatus, scheduleStatus } = stateOf(world)
    for (const one of [`workspace ${status}`, `case ${caseStatus}`, `schedule ${scheduleStatus}`]) reached.add(one)
  }
}

const stateOf = ({ matter: { workspace, lodgementCase, schedule, settlements } }: World) => ({
  status: workspace.status,
  completionDate: workspace.completionDate,
  caseStatus: lodgementCase.status,
  scheduleStatus: schedule.status,
  lines: schedule.lines,
  attempt: settlements[0],
})

function nextOf(world: World, n: number): Step {
  const { status, caseStatus, scheduleStatus, completionDate, lines, attempt } = stateOf(world)
  const any = (...steps: Step[]): Step => steps[n % steps.length] ?? 'time passes'
  if (scheduleStatus === 'PAYING') return any(...NEXT_OF_PAYING)
  if (attempt) return any('the bank settles', 'the firm is to pay', 'the bank refuses', 'time passes')
  if (status === 'FUNDS_AUTHORISED') return any('time passes', 'the bank is instructed')
  if (status === 'PREPARED') return any('authorise the funds', 'authorise the funds', 'time passes')
  if (status === 'CREATED') {
    if (caseStatus === 'CREATED') return 'approve the case'
    if (!lines.length) return 'add a source'
    if (!isBalanced(lines)) return 'bring into balance'
    if (completionDate === null) return 'set the date'
    return scheduleStatus === 'DRAFT' ? any('approve the schedule', 'set the date') : 'time passes'
  }
  return any(...(NEXT_OF_CASE[caseStatus] ?? ['time passes']))
}

const NEXT_OF_PAYING: Step[] = [
  ...Array.from({ length: 5 }, () => 'the firm confirms a line' as const),
  'the firm takes it back',
  'the firm cannot pay',
]

const NEXT_OF_CASE: Partial<Record<CaseStatus, Step[]>> = {
  PREPARED: ['send the case', 'the deed takes effect, or no longer'],
  INITIATED: ['the registry accepts', 'the registry accepts', 'the registry finds an error'],
  LODGED: ['the registry asks', 'the registry completes', 'the registry completes early', 'the registry cancels'],
  REQUISITIONED: ['the firm answers', 'the firm answers', 'the deadline passes'],
  REQUISITION_SUBMITTED: ['the registry accepts the answer', 'the registry asks'],
  REGISTRATION_REJECTED: ['approve the case', 'change the case'],
  RESUBMISSION_PREPARED: ['send the case', 'the deed takes effect, or no longer'],
  PARTIALLY_REGISTERED: ['approve the case', 'approve the case', 'the old charge is discharged'],
  DISCHARGE_SUBMITTED: [
    'send the case',
    'the discharge is registered',
    'the discharge is refused',
    'the old charge is discharged',
  ],
}

const isPaid = (lines: readonly LineItem[]) => lines.every(({ payment }) => payment)

const BEFORE_MONEY: readonly WorkspaceStatus[] = ['CREATED', 'PREPARED', 'FUNDS_AUTHORISED', 'CANCELLED']
const ENDED: readonly WorkspaceStatus[] = ['CLOSED', 'CANCELLED']

/** Which statuses of a case go with each of a workspace. */
const CASES_OF: Record<WorkspaceStatus, readonly CaseStatus[]> = {
  CREATED: ['CREATED', 'PREPARED'],
  PREPARED: ['PREPARED'],
  FUNDS_AUTHORISED: ['PREPARED'],
  FUNDS_EXCHANGED: ['PREPARED', 'INITIATED', 'REGISTRATION_REJECTED', 'RESUBMISSION_PREPARED'],
  LODGED: ['LODGED', 'PARTIALLY_REGISTERED', 'DISCHARGE_SUBMITTED'],
  REQUISITIONED: ['REQUISITIONED', 'REQUISITION_SUBMITTED'],
  CLOSED: ['REGISTERED'],
  CANCELLED: ['CANCELLED'],
}

function checkLaws(before: World, world: World, step: Step): void {
  const { settled } = world
  const { status, caseStatus, scheduleStatus, lines, attempt } = stateOf(world)
  const law = (holds: boolean, says: string): void => {
    if (!holds) assert.fail(`${says}, but after "${step}": ${status}, ${caseStatus}, ${scheduleStatus}`)
  }
  const moneyHasMoved = settled.length > 0
  const bothApproved = caseStatus === 'PREPARED' && scheduleStatus === 'PREPARED'
  const isOpen = status === 'CREATED' || status === 'PREPARED'

  law(CASES_OF[status].includes(caseStatus), 'a case goes with its workspace')
  law(!isOpen || (status === 'PREPARED') === bothApproved, 'a workspace is prepared when both are approved')
  const isAuthorised = scheduleStatus === 'AUTHORISED' || scheduleStatus === 'PAYING'
  law(isAuthorised === (status === 'FUNDS_AUTHORISED'), 'both are authorised, or none')
  law(scheduleStatus !== 'PAYING' || attempt !== undefined, 'a firm pays what it is time to pay')
  law(scheduleStatus !== 'PAYING' || !isPaid(lines), 'what is all paid is settled')
  law(isAuthorised || moneyHasMoved || !lines.some(({ payment }) => payment), 'what is not to be paid is not paid')
  law((scheduleStatus === 'CANCELLED') === (status === 'CANCELLED'), 'both are cancelled, or none')
  law((scheduleStatus === 'SETTLED') === moneyHasMoved, 'a schedule is settled when it was paid')
  law(['DRAFT', 'CANCELLED'].includes(scheduleStatus) || isBalanced(lines), 'an approved schedule balances')
  law(!attempt || status === 'FUNDS_AUTHORISED', 'the bank is only instructed to pay what is authorised')
  law(settled.length <= 1, 'nothing is settled twice')
  law(settled.every(isBalanced), 'nothing is settled that does not balance')
  law(
    settled.every((paid) =>
      isDeepStrictEqual(
        paid,
        lines.map(({ payment: _, changedBy: __, ...line }) => line),
      ),
    ),
    'what was settled stays as it was',
  )
  law(moneyHasMoved !== BEFORE_MONEY.includes(status), 'nothing goes back or is cancelled after the money has moved')
  const isJustSent = caseStatus === 'INITIATED' && stateOf(before).caseStatus !== 'INITIATED'
  law(!isJustSent || world.matter.applications[0]?.isEffective === true, 'a case is sent with an effective deed')
  law(!ENDED.includes(stateOf(before).status) || world.matter === before.matter, 'an ended matter does not change')
}
