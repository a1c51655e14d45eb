import type { FastifyRequest } from 'fastify'
import type { Deps } from '../platform/deps.ts'
import { invalid, notFound } from '../platform/errors.ts'
import type { App } from '../platform/http/http.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import { checkOrigin } from '../sandbox/rules-origin.ts'
import type { Runs } from './runs.ts'
import { SCENARIOS } from './scenarios.ts'
import { RunParams, RunScenarioRequest, ScenarioParams, ScenarioRun, Scenarios } from './schema.ts'
import { findRun, type Run } from './store.ts'

const PATH = '/sandbox/v1/scenarios'
const tags = ['Sandbox']
const config = { scope: 'none', refusals: { 403: 'An unknown `Host`, or a page of another site.' } } as const

/** Whole matters to play in the sandbox. */
export function scenarioRoutes(app: App, deps: Deps, runs: Runs, names: readonly string[]): void {
  const onRequest = async ({ method, headers }: FastifyRequest) => checkOrigin(method, headers, names)

  app.route({
    method: 'GET',
    url: PATH,
    config,
    onRequest,
    schema: {
      operationId: 'listScenarios',
      tags,
      summary: 'List the scenarios that can be played',
      description: 'Each is a whole matter: what is done by whom, and what the registry and the bank do.',
      response: { 200: Scenarios },
    },
    handler: async () => ({
      records: SCENARIOS.map(({ name, title, description, titleNumber, steps }) => ({
        name,
        title,
        description,
        titleNumber,
        steps: steps.map((step) => ({ name: step.name, description: step.description })),
      })),
    }),
  })

  app.route({
    method: 'POST',
    url: `${PATH}/:name`,
    onRequest,
    config: {
      ...config,
      refusals: {
        ...config.refusals,
        404: 'There is no such scenario.',
        409: 'A request with the same `Idempotency-Key` is still running.',
        422: 'The `Idempotency-Key` was used for another request.',
      },
    },
    schema: {
      operationId: 'runScenario',
      tags,
      summary: 'Play a scenario, to the end or until a step',
      description:
        'Orders a matter and takes it through its steps, with the calls that a lender and a law firm would make. It ' +
        'moves the clock of the whole sandbox. Read the run for its progress and outcome; runs wait for each other.',
      params: ScenarioParams,
      body: RunScenarioRequest,
      examples: {
        400: { errors: [{ field: 'until', message: 'until must be a step of the scenario: order, represent, case.' }] },
        404: { errors: [{ field: 'name', message: 'There is no scenario straight.' }] },
      },
      response: { 202: ScenarioRun },
    },
    async handler(request, reply) {
      const scenario = scenarioOf(request.params.name)
      const { until } = request.body
      const steps = scenario.steps.map(({ name }) => name)
      if (until !== undefined && !steps.includes(until))
        throw invalid({ field: 'until', message: `until must be a step of the scenario: ${steps.join(', ')}.` })
      let added: Run | undefined
      const run = await idempotentTransaction(deps, request, reply, async (tx) => {
        reply.code(202)
        added = runs.add(tx, scenario, until)
        return added
      })
      if (added) runs.start(scenario, structuredClone(added))
      return run
    },
  })

  app.route({
    method: 'GET',
    url: `${PATH}/runs/:run_id`,
    onRequest,
    config: { ...config, refusals: { ...config.refusals, 404: 'There is no such run.' } },
    schema: {
      operationId: 'getScenarioRun',
      tags,
      summary: 'Read how far a scenario has come',
      description: 'Each step with its calls. A reset of the sandbox removes it.',
      params: RunParams,
      response: { 200: ScenarioRun },
    },
    async handler({ params }) {
      const run = await findRun(deps.db.read, params.run_id)
      if (!run) throw notFound('run_id', 'There is no such run.')
      return run
    },
  })
}

function scenarioOf(wanted: string) {
  const scenario = SCENARIOS.find(({ name }) => name === wanted)
  if (!scenario) throw notFound('name', `There is no scenario ${wanted}.`)
  return scenario
}
