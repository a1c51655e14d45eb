import type { Connection, Transaction } from '../platform/database/db.ts'

export const RUN_STATUSES = ['WAITING', 'RUNNING', 'DONE', 'FAILED'] as const
type RunStatus = (typeof RUN_STATUSES)[number]

/** A call that a step made. Without `client` it controls the sandbox. */
export type RunCall = { client?: string; method: string; path: string; status: number }
export type RunStep = { name: string; description: string; status: RunStatus; calls: RunCall[] }

export type Run = {
  runId: string
  scenario: string
  reference: string
  status: RunStatus
  workspaceId?: string
  error?: string
  steps: RunStep[]
}

export const addRun = (tx: Transaction, { runId, ...run }: Run): void =>
  tx.send('insert into scenario_runs (run_id, run) values ($1, $2)', [runId, run])

export const saveRun = (connection: Connection, { runId, ...run }: Run) =>
  connection.query('update scenario_runs set run = $2 where run_id = $1', [runId, run])

export async function findRun(connection: Connection, runId: string): Promise<Run | undefined> {
  const [row] = await connection.query<{ run: Omit<Run, 'runId'> }>('select run from scenario_runs where run_id = $1', [
    runId,
  ])
  return row && { runId, ...row.run }
}

/** The process that ran them has ended. */
export const failInterruptedRuns = (connection: Connection) =>
  connection.query(
    `update scenario_runs
        set run = run || '{"status": "FAILED", "error": "The sandbox was stopped before the end. Run it again."}'
      where run ->> 'status' in ('WAITING', 'RUNNING')`,
  )
