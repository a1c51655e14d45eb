import { Id } from '../events/ids.ts'
import { Answer, Choice, Closed, Type, Uuid } from '../platform/http/schema.ts'
import { RUN_STATUSES } from './store.ts'

const CALLS_MAX = 1_000
const STEPS_MAX = 20

const Name = Type.String({ minLength: 1, description: 'The name of the scenario.', examples: ['requisition'] })
const StepName = Type.String({ minLength: 1, description: 'The name of the step.', examples: ['answer'] })
const Words = (example: string) =>
  Type.String({ minLength: 1, description: 'What happens, in words.', examples: [example] })

const ScenarioStep = Answer('ScenarioStep', {
  name: StepName,
  description: Words('The lender authorises the funds.'),
})

const Scenario = Answer('Scenario', {
  name: Name,
  title: Type.String({ minLength: 1, description: 'Its name for people.', examples: ['Requisition, answered'] }),
  description: Words('The registry asks two questions. The law firm answers in time.'),
  titleNumber: Type.String({ minLength: 1, description: 'The title that it is played on.', examples: ['RQ100001'] }),
  steps: Type.Array(ScenarioStep, { maxItems: STEPS_MAX, description: 'In order.' }),
})

export const Scenarios = Answer('Scenarios', {
  records: Type.Array(Scenario, { maxItems: 100, description: 'All of them.' }),
})

export const ScenarioParams = Type.Object({ name: Name })

export const RunScenarioRequest = Closed(
  {
    until: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The step to stop after. The last one if left out.',
        examples: ['approve'],
      }),
    ),
  },
  { title: 'RunScenarioRequest', examples: [{ until: 'approve' }, {}] },
)

const RunId = Uuid({ description: 'The run.', examples: ['7b1f1f5e-3a7e-4c52-9f0c-6f5f6d0c4b1a'] })
const Status = Choice(RUN_STATUSES, { description: '`WAITING` behind another run, or for the step before.' })

export const RunParams = Type.Object({ run_id: RunId })

const ScenarioCall = Answer('ScenarioCall', {
  client: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The client that made it; none controls the sandbox.',
      examples: ['sandbox-lender'],
    }),
  ),
  method: Type.String({ minLength: 1, description: 'The HTTP method.', examples: ['POST'] }),
  path: Type.String({ minLength: 1, description: 'The path, with its query.', examples: ['/sandbox/v1/clock'] }),
  status: Type.Integer({ minimum: 100, maximum: 599, description: 'The status of the answer.', examples: [200] }),
})

const ScenarioRunStep = Answer('ScenarioRunStep', {
  name: StepName,
  description: Words('The lender authorises the funds.'),
  status: Status,
  calls: Type.Array(ScenarioCall, { maxItems: CALLS_MAX, description: 'The calls that it made, in order.' }),
})

export const ScenarioRun = Answer('ScenarioRun', {
  runId: RunId,
  scenario: Name,
  reference: Type.String({
    minLength: 1,
    description: 'The reference of its workspace.',
    examples: ['REQUISITION-7B1F1F'],
  }),
  status: Status,
  workspaceId: Type.Optional(Id.workspaceId),
  error: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Why it failed.',
      examples: ['The status is LODGED and should be CLOSED.'],
    }),
  ),
  steps: Type.Array(ScenarioRunStep, { maxItems: STEPS_MAX, description: 'As far as the run goes, in order.' }),
})
