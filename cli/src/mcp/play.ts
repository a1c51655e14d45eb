import { randomUUID } from 'node:crypto'
import type { Schema } from '../document.ts'
import { misused } from '../failure.ts'
import { type Desk, looseOf, type Tool } from './tool.ts'

const RUN_MS_MAX = 120_000

/** For the sandbox alone. */
export const play = (desk: Desk): Tool => ({
  name: 'play',
  title: 'Play in the sandbox',
  description:
    'Only in the sandbox. Plays a scenario, which orders a matter and takes it through its steps, as far as `until`; or moves the ' +
    'clock, after which everything that falls due has been done. Without input: the list of scenarios with their steps.',
  input: {
    type: 'object',
    properties: {
      scenario: { type: 'string', minLength: 1, description: 'The name of the scenario.' },
      until: { type: 'string', minLength: 1, description: 'The step to stop after. Default: the last one.' },
      clock: {
        type: 'object',
        properties: clockProperties(desk),
        additionalProperties: false,
        description: 'Exactly one of advance, set and to. It moves the clock of the whole sandbox.',
      },
    },
  },
  isReadOnly: false,
  async run({ scenario, until, clock }) {
    const { client } = desk
    const correlationId = randomUUID()
    if (clock !== undefined) {
      if (scenario !== undefined) throw misused('Give either a scenario or a clock. A scenario moves the clock itself.')
      return { correlationId, ...(await client.moveClock({ body: clock as never, correlationId })) }
    }
    if (scenario === undefined) return { correlationId, ...(await client.listScenarios({ correlationId })) }
    const body = until === undefined ? {} : { until: String(until) }
    const { runId } = await client.runScenario({ path: { name: String(scenario) }, body, correlationId })
    const isOver = ({ status }: { status: string }) => status === 'DONE' || status === 'FAILED'
    const input = { path: { run_id: runId }, correlationId }
    const { steps, ...run } = await client.waitFor('getScenarioRun', input, isOver, { forMs: RUN_MS_MAX })
    return {
      correlationId,
      ...run,
      steps: steps.map(({ name, status }) => `${name}: ${status}`),
      next: 'explain_matter says how it stands.',
    }
  },
})

function clockProperties({ operations, schemaAt }: Desk): Record<string, Schema> {
  const body = operations.find(({ operationId }) => operationId === 'moveClock')?.body['application/json']?.schema
  const properties = schemaAt(body, [])?.properties ?? {}
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, looseOf(schema)]))
}
