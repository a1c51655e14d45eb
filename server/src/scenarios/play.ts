import { readSchedule } from '../sandbox/prepare.ts'
import { FIRM, LENDER, type Send } from '../sandbox/send.ts'
import { begin, perform } from '../sandbox/steps.ts'
import type { Reached, Scenario, ScenarioStep } from './scenarios.ts'

// Plays a scenario through the interface, as the clients of the sandbox.

type Progress = {
  /** Before each step. */
  onStep(step: ScenarioStep): Promise<void>
  onOrdered(workspaceId: string): void
}

export async function play(
  send: Send,
  { steps, ...matter }: Scenario,
  reference: string,
  { onStep, onOrdered }: Progress,
): Promise<void> {
  const moveClock = async (body: object) => void (await send('', 'POST', '/sandbox/v1/clock', body))
  const settle = () => moveClock({ advance: 'PT0S' })
  let workspaceId = ''
  for (const step of steps) {
    await onStep(step)
    const { does, waits, reaches } = step
    if (does?.do === 'order') {
      workspaceId = await begin(send, { ...matter, reference, daysAgo: 0 })
      onOrdered(workspaceId)
      await settle()
    } else if (does) await perform({ send, settle, now: new Date() }, workspaceId, does)
    if (waits === 'completion day') {
      const { completionDate } = await readSchedule(send, FIRM, workspaceId)
      await moveClock({ set: `${completionDate}T10:00:00Z` })
    } else if (waits) await moveClock({ advance: waits })
    if (reaches) await check(send, workspaceId, reaches)
  }
}

async function check(send: Send, workspaceId: string, reaches: Reached): Promise<void> {
  const [is, wanted] =
    'status' in reaches
      ? [(await send(LENDER, 'GET', `/workspaces/${workspaceId}`))['status'], reaches.status]
      : [await caseStatusOf(send, workspaceId), reaches.caseStatus]
  if (is !== wanted) throw new Error(`The status is ${is} and should be ${wanted}.`)
}

type Cases = { records: { lodgementCaseStatus: string }[] }

const caseStatusOf = async (send: Send, workspaceId: string) =>
  (await send<Cases>(FIRM, 'GET', `/lodgement-cases?workspace_id=${workspaceId}`)).records[0]?.lodgementCaseStatus
