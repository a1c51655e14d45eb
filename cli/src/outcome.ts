import { type Lodgeway, OutcomeError } from '../../client/src/index.ts'
import type { CallInput } from './assignments.ts'
import { misused } from './failure.ts'
import type { Connection } from './session.ts'

// What becomes of a request that was accepted for later.

type Accepted = {
  workspaceId: string
  partyId: string
  representationId: string
  fileId: string
  runId: string
  notificationId: string
}

const OUTCOMES: Readonly<Record<string, (client: Lodgeway, accepted: Accepted) => Promise<unknown>>> = {
  createRemortgageWorkspace: (client, accepted) => client.waitForTitleSearch(accepted),
  addTitle: (client, accepted) => client.waitForTitleSearch(accepted),
  addRepresentation: (client, accepted) => client.waitForRepresentation(accepted),
  uploadFile: (client, accepted) => client.waitForFile(accepted),
  testNotificationRegistration: waitForDelivery,
  retryNotification: waitForDelivery,
  async runScenario(client, { runId }) {
    const isOver = ({ status }: { status: string }) => status === 'DONE' || status === 'FAILED'
    const run = await client.waitFor('getScenarioRun', { path: { run_id: runId } }, isOver)
    if (run.status === 'FAILED') throw new OutcomeError('The scenario', run.error ?? 'no reason', run)
    return run
  },
}

async function waitForDelivery(client: Lodgeway, { notificationId }: Accepted) {
  const path = { notification_id: notificationId }
  const delivery = await client.waitFor('getNotification', { path }, ({ attempts }) => attempts.length > 0)
  if (delivery.status === 'DELIVERED') return delivery
  const { status, error } = delivery.attempts.at(-1) ?? {}
  throw new OutcomeError('The delivery', error ?? `the receiver answered ${status}`, delivery)
}

export async function waitForOutcome(connection: Connection, id: string, body: object, { path }: CallInput) {
  const outcome = OUTCOMES[id]
  if (!outcome) throw misused(`${id} was accepted. There is nothing to wait for: leave out --wait.`)
  const accepted = { workspaceId: path['workspace_id'], ...body } as Accepted
  return outcome(await connection.client(), accepted)
}
