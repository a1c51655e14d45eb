import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { londonMoment } from '../../src/jurisdiction/london.ts'
import { readinessFactsOf } from '../../src/matter/consequences.ts'
import { findMatter } from '../../src/matter/load.ts'
import { withTurn } from '../../src/worklist/turn.ts'
import { readSchedule, setClock, settlementsOf } from '../fixtures/schedules.ts'
import { type TestService, testService } from '../fixtures/service.ts'
import { drain, FIRM_ID, readCase, readWorkspace } from '../fixtures/workspaces.ts'
import {
  at,
  businessDayOf,
  canBePaid,
  type Facts,
  isCovered,
  isOpen,
  isReady,
  newFacts,
  PLANS,
  statusesOf,
  sumsOf,
} from './model.ts'
import { type Expected, hasEnded, newPlace, type Place, STEPS, type StepName } from './steps.ts'

// Random sequences of requests over HTTP, against a model that predicts each response and every status. This is a
// small run; `npm run proof -- model` makes the large one, whose figures are in docs/reliability.md.
//
// A failure reports its seed and path. To run that sequence again:
//   SEED=… RUN=… npm test -- server/test/model/model.test.ts

const MATTERS = Number(process.env['MATTERS'] ?? 5)
const STEPS_MAX = 24
const MOVES_MAX = 4 // each ends three hours later in the day than it began
const REPLAY = {
  ...(process.env['SEED'] && { seed: Number(process.env['SEED']) }),
  ...(process.env['RUN'] && { path: process.env['RUN'] }),
}

let service: TestService
before(async () => {
  service = await testService()
})

const seen: Record<string, number> = {}

describe('requests in any order', () => {
  it('get the responses and lead to the statuses that the model predicts', async (context) => {
    const sequence = fc.array(step, { minLength: STEPS_MAX, maxLength: STEPS_MAX })
    await fc.assert(fc.asyncProperty(sequence, run), { numRuns: MATTERS, endOnFailure: true, ...REPLAY })
    context.diagnostic(JSON.stringify(seen))
  })

  it('never let a schedule settle that does not balance, nor settle twice, nor end after money has moved', async () => {
    const wrong = await service.deps.db.query(
      `select s.workspace_id, count(*) from settlements s join workspaces w using (workspace_id)
        where s.status = 'SETTLED'
        group by s.workspace_id, w.status
       having count(*) > 1 or w.status = 'CANCELLED' or bool_or(
         (select sum(case line ->> 'type' when 'SOURCE' then 1 else -1 end * (line ->> 'amountPence')::bigint)
            from jsonb_array_elements(s.lines) line) <> 0)`,
    )
    assert.deepEqual(wrong, [])
  })
})

// Bold steps do anything; the others do what comes next in a normal matter.
const step = fc.record({
  step: fc.constantFrom(...(Object.keys(STEPS) as StepName[])),
  bold: fc.integer({ min: 0, max: 2 }).map((third) => third === 0),
  n: fc.nat(1_000),
})

async function run(sequence: readonly { step: StepName; bold: boolean; n: number }[]): Promise<void> {
  const { clock } = service.deps
  await setClock(service, londonMoment(businessDayOf({ now: clock.now() }, 1), '10:00:00'))
  const plan = PLANS[(sequence[0]?.n ?? 0) % PLANS.length] ?? assert.fail()
  const place = await newPlace(service, plan)
  let facts = newFacts(clock.now(), plan)
  let moves = 0
  const done: string[] = []
  for (const { step, bold, n } of sequence) {
    const name = bold ? step : nextOf(facts, n)
    if (name.endsWith(' passes') && moves++ >= MOVES_MAX) continue
    facts = at(service.deps.clock.now(), facts)
    const { status, facts: after = facts }: Expected = STEPS[name].expect(facts, n)
    const answered = await STEPS[name].send(place, facts, n)
    done.push(`${name} ${answered}`)
    assert.equal(answered, status, done.join('\n'))
    if (answered === 202 || DRAINED.includes(name)) await drain(service)
    facts = at(service.deps.clock.now(), after)
    await compare(place, facts, done)
    const key = `${name} ${answered}`
    seen[key] = (seen[key] ?? 0) + 1
  }
  const attempts = (await settlementsOf(service, place.workspaceId)).map(({ status }) => status)
  const refused = Array.from({ length: facts.refusals }, () => 'REFUSED')
  const last = facts.paidAt ? ['SETTLED'] : facts.instructedAt ? ['INITIATED'] : []
  assert.deepEqual(attempts, [...refused, ...last], done.join('\n'))
  const key = `ended ${statusesOf(facts).workspace} ${statusesOf(facts).case}`
  seen[key] = (seen[key] ?? 0) + 1
}

/** What these start is done before the statuses are compared. */
const DRAINED: readonly StepName[] = ['authorise the funds', 'make the deed effective']

function nextOf(facts: Facts, n: number): StepName {
  const { workspace, case: lodgement } = statusesOf(facts)
  if (facts.paidAt) return AFTER_PAYMENT[lodgement]?.[n % 3] ?? 'a week passes'
  if (workspace === 'PREPARED') return 'authorise the funds'
  if (!isOpen(facts)) return 'a day passes'
  const { comesIn, goesOut } = sumsOf(facts)
  const steps: [boolean, StepName][] = [
    [!facts.titled, 'add the title'],
    [facts.titled && facts.renamed, facts.incoming ? 'undo the role' : 'have another borrower come'],
    [!facts.represented, 'say who represents them'],
    [facts.deedValue === undefined, 'give the deed its facts'],
    [!facts.deedAttached, 'attach the deed'],
    [isReady(facts) && !facts.caseApproved, 'approve the case'],
    [comesIn === 0, 'add a source'],
    [comesIn > 0 && comesIn !== goesOut, 'bring into balance'],
    [facts.completionDate === undefined || hasEnded(facts), 'set the date'],
    [!isCovered(facts) && !facts.advanceConfirmed, 'confirm the advance'],
    [canBePaid(facts) && !facts.scheduleApproved, 'approve the schedule'],
  ]
  const open = steps.flatMap(([isDue, name]) => (isDue ? [name] : []))
  return open[n % open.length] ?? 'a day passes'
}

const AFTER_PAYMENT: Partial<Record<string, StepName[]>> = {
  PREPARED: ['make the deed effective', 'make the deed effective', 'a day passes'],
  REQUISITIONED: ['answer the requisition', 'answer the requisition', 'a day passes'],
  PARTIALLY_REGISTERED: ['attach the discharge form', 'approve the case', 'approve the case'],
}

async function compare({ workspaceId }: Place, facts: Facts, done: string[]): Promise<void> {
  const [workspace, lodgement, schedule] = await Promise.all([
    readWorkspace(service, workspaceId),
    readCase(service, workspaceId),
    readSchedule(service, workspaceId),
  ])
  const found = { workspace: workspace.status, case: lodgement.lodgementCaseStatus, schedule: schedule.status }
  assert.deepEqual(found, statusesOf(facts), done.join('\n'))
  assert.equal(schedule.completionDate, facts.completionDate)
  assert.deepEqual(
    schedule.lineItems.map(({ amount }) => Math.round(amount * 100)),
    facts.lines.map(({ pence }) => pence),
  )
  await compareTurn(workspaceId, done)
}

/** The turn that is stored is the one that follows from the matter as it is stored. */
async function compareTurn(workspaceId: string, done: string[]): Promise<void> {
  const { db, clock } = service.deps
  const matter = await findMatter(db.read, { workspaceId }, { subscriberId: FIRM_ID })
  const decided = withTurn(matter, readinessFactsOf(matter, clock.now()), clock.now())
  assert.deepEqual(decided.workspace, matter.workspace, done.join('\n'))
  const { turnWho, turnTask } = matter.workspace
  const key = `turn ${turnWho} ${turnTask}`
  seen[key] = (seen[key] ?? 0) + 1
}
