import type { ApplicationType } from '../lodgement/rules.ts'
import { detailsOf } from '../workspaces/names.ts'
import { ACCOUNTS } from './accounts.ts'
import type { MatterFixture, Step } from './fixtures.ts'
import {
  approve,
  attach,
  completeCase,
  correctAccount,
  createSchedule,
  prepare,
  readCase,
  readSchedule,
  represent,
} from './prepare.ts'
import { APPROVER, FIRM, LENDER, type Send } from './send.ts'

// Performs each step of a matter through the interface.

export type Stage = {
  send: Send
  /** Runs all due jobs, so that accepted requests have their outcome. */
  settle: () => Promise<void>
  now: Date
}

export async function begin(
  send: Send,
  { reference, address, titleNumber, borrowers }: MatterFixture,
): Promise<string> {
  const firm = ACCOUNTS.find(({ clientId }) => clientId === FIRM)?.subscriberId
  const parties = borrowers.map((name) => ({
    type: name.type,
    role: 'BORROWER',
    partyDetails: detailsOf(name),
    participants: [{ id: firm, role: 'CONVEYANCER' }],
  }))
  const property = { securityAddress: address, ...(titleNumber && { titleNumber }) }
  const { workspaceId } = await send(LENDER, 'POST', '/remortgage/workspaces', { reference, property, parties })
  return String(workspaceId)
}

export async function perform(stage: Stage, workspaceId: string, step: Step): Promise<void> {
  const { send } = stage
  const path = `/workspaces/${workspaceId}`
  switch (step.do) {
    case 'cancel':
      await send(LENDER, 'DELETE', `${path}/cancel-workspace`, { cancellationReason: step.reason })
      return
    case 'prepare':
      return prepare(stage, workspaceId, step)
    case 'represent':
      await represent(send, workspaceId, step.unrepresented)
      return stage.settle()
    case 'complete the case':
      await completeCase(send, workspaceId, step)
      return stage.settle()
    case 'draw up the money':
      return createSchedule(send, workspaceId, step, await nextBusinessDay(send))
    case 'approve':
      return approve(send, workspaceId)
    case 'correct the account':
      return correctAccount(send, workspaceId)
    case 'authorise funds':
      return authorise(send, workspaceId)
    case 'answer the requisition':
      return answer(send, workspaceId, step.message)
    case 'attach':
      await attach(send, await applicationOf(send, workspaceId, step.to), step.to)
      return stage.settle()
    case 'change the deed':
      await send(FIRM, 'PATCH', await applicationOf(send, workspaceId, 'MORTGAGE_DEED'), step.facts)
      return
    case 'approve again':
      await send(FIRM, 'POST', `${path}/lodgement-approvals`, { action: 'APPROVE', workspaceId, approvedBy: APPROVER })
      return
    default:
      return reconcile(send, workspaceId, step)
  }
}

async function authorise(send: Send, workspaceId: string): Promise<void> {
  const { completionDate, totals } = await readSchedule(send, LENDER, workspaceId)
  const lineItem = { authorised: true, category: 'Mortgage Advance', amount: totals.sources }
  await send(LENDER, 'POST', `/workspaces/${workspaceId}/funds-authorisation`, { completionDate, lineItem })
}

/** The first after today, by the calendar of the service. */
async function nextBusinessDay(send: Send): Promise<string> {
  const { records } = await send<{ records: { date: string }[] }>(FIRM, 'GET', '/business-days?limit=2')
  return records[1]?.date ?? ''
}

async function answer(send: Send, workspaceId: string, message: string): Promise<void> {
  const { path } = await readCase(send, workspaceId)
  await send(FIRM, 'POST', `${path}/requisition-reply`, { message })
}

async function applicationOf(send: Send, workspaceId: string, type: ApplicationType): Promise<string> {
  const { applications } = await readCase(send, workspaceId)
  return applications.find(({ applicationType }) => applicationType === type)?.path ?? ''
}

type Reconciling = Extract<Step, { do: 'rename' | 'set incoming' | 'set outgoing' | 'change of name' }>

type Reconciliation = {
  parties: { partyId: string }[]
  unmatchedProprietors: { proprietorId: string; proprietorDetails: Record<string, string> }[]
}

async function reconcile(send: Send, workspaceId: string, step: Reconciling): Promise<void> {
  const path = `/workspaces/${workspaceId}/title-reconciliation`
  await send(FIRM, 'PATCH', path, actionOf(step, await send<Reconciliation>(FIRM, 'GET', path)))
}

function actionOf(step: Reconciling, { parties, unmatchedProprietors }: Reconciliation): object {
  const proprietorOf = (name: string) =>
    unmatchedProprietors.find(({ proprietorDetails }) => Object.values(proprietorDetails).includes(name))?.proprietorId
  switch (step.do) {
    case 'rename': {
      const { type } = step.to
      const partyId = parties[step.borrower]?.partyId
      return { action: 'UPDATE_PARTY_NAME', partyId, type, partyDetails: detailsOf(step.to) }
    }
    case 'set incoming':
      return { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: parties[step.borrower]?.partyId }
    case 'set outgoing':
      return { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId: proprietorOf(step.proprietor) }
    case 'change of name': {
      const { type } = step.to
      const proprietorId = proprietorOf(step.proprietor)
      return { action: 'UPDATE_PROPRIETOR_NAME', proprietorId, type, proprietorDetails: detailsOf(step.to) }
    }
  }
}
