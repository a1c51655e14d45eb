import { randomUUID } from 'node:crypto'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { describeError } from '../platform/errors.ts'
import type { App } from '../platform/http/http.ts'
import { senderOf } from '../sandbox/send.ts'
import { play } from './play.ts'
import type { Scenario } from './scenarios.ts'
import { addRun, type Run, type RunStep, saveRun } from './store.ts'

export type Runs = {
  /** Adds a run that waits until it is started. */
  add(tx: Transaction, scenario: Scenario, until: string | undefined): Run
  start(scenario: Scenario, run: Run): void
  /** Calls back after each change of a run, until the returned function is called. */
  watch(onChange: (runId: string) => void): () => void
}

type Parts = Pick<Deps, 'db' | 'log'> & { oneAtATime<T>(work: () => Promise<T>): Promise<T> }

/** The runs of this process, one after another: each moves the clock of all. */
export function createRuns(app: App, { db, log, oneAtATime }: Parts): Runs {
  const watchers = new Set<(runId: string) => void>()

  async function save(run: Run): Promise<void> {
    await saveRun(db, run)
    for (const onChange of watchers) onChange(run.runId)
  }

  return {
    add(tx, scenario, until) {
      const run = newRun(scenario, until)
      addRun(tx, run)
      return run
    },
    start(scenario, run) {
      const isLost = (err: unknown) => log.error({ err }, 'The outcome of a scenario could not be stored.')
      void oneAtATime(() => execute(app, scenario, run, save)).catch(isLost)
    },
    watch(onChange) {
      watchers.add(onChange)
      return () => watchers.delete(onChange)
    },
  }
}

function newRun({ name, steps }: Scenario, until: string | undefined): Run {
  const last = until === undefined ? steps.length : steps.findIndex((step) => step.name === until) + 1
  const runId = randomUUID()
  return {
    runId,
    scenario: name,
    reference: `${name.slice(0, 14)}-${runId.slice(0, 6)}`.toUpperCase(),
    status: 'WAITING',
    steps: steps
      .slice(0, last)
      .map(({ name: step, description }) => ({ name: step, description, status: 'WAITING', calls: [] })),
  }
}

async function execute(app: App, scenario: Scenario, run: Run, save: (run: Run) => Promise<void>): Promise<void> {
  let current: RunStep | undefined
  const send = senderOf(app, ({ as, method, path, status }) =>
    current?.calls.push({ ...(as && { client: as }), method, path, status }),
  )
  run.status = 'RUNNING'
  try {
    await play(send, { ...scenario, steps: scenario.steps.slice(0, run.steps.length) }, run.reference, {
      async onStep({ name }) {
        if (current) current.status = 'DONE'
        current = run.steps.find((step) => step.name === name)
        if (current) current.status = 'RUNNING'
        await save(run)
      },
      onOrdered(workspaceId) {
        run.workspaceId = workspaceId
      },
    })
    if (current) current.status = 'DONE'
    run.status = 'DONE'
  } catch (error) {
    if (current) current.status = 'FAILED'
    run.status = 'FAILED'
    run.error = describeError(error)
  }
  await save(run)
}
