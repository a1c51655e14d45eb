import { randomUUID } from 'node:crypto'
import { type Actor, recordFirstWorkspaceAudit } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Queue } from '../platform/jobs/queue.ts'
import { withFirstTurn } from '../worklist/turn.ts'
import type { Party } from '../workspaces/ownership.ts'
import { followUp, publish } from './apply.ts'
import { readinessFactsOf } from './consequences.ts'
import { newApplication, newTitle } from './evolve.ts'
import type { Given, Matter } from './matter.ts'
import { made } from './move.ts'
import { saveMatter } from './save.ts'

type Order = Given & { borrowers: readonly Pick<Party, 'name' | 'addressForService'>[] }

/** A new workspace with its case, whose first application registers the new charge, and its schedule. */
export async function createMatter(tx: Transaction, queue: Queue, order: Order, actor: Actor): Promise<string> {
  const matter = firstTurn(newMatter(order, actor), actor)
  const { workspaceId } = matter.workspace
  const { lodgementCaseId } = matter.lodgementCase
  const { lenderId: _, borrowers: __, ...facts } = order
  const after = { ...facts, borrowers: matter.parties.map(({ role: _, ...borrower }) => borrower) }
  const created = { action: 'workspace created', ids: { workspaceId, lodgementCaseId }, after }
  recordFirstWorkspaceAudit(tx, workspaceId, created, actor)
  saveMatter(tx, undefined, matter)
  publish(tx, matter, [{ type: 'WORKSPACE_CREATED' }, { type: 'WORKSPACE_PARTICIPANT_ADDED' }], actor)
  if (matter.title) await followUp(tx, queue, { kind: 'title added', ...matter.title }, matter, actor)
  return workspaceId
}

const firstTurn = (matter: Matter, { at }: Actor): Matter => withFirstTurn(matter, readinessFactsOf(matter, at), at)

function newMatter({ borrowers, titleNumber, ...facts }: Order, actor: Actor): Matter {
  return {
    workspace: {
      ...facts,
      ...made(actor),
      workspaceId: randomUUID(),
      postcode: facts.securityAddress.postcode,
      borrowers: borrowers.map(({ name }) => name),
      status: 'CREATED',
      statusSince: actor.at,
      titleNumber,
      completionDate: null,
      validationStatus: 'PENDING',
      transferOfEquity: false,
    },
    lodgementCase: { ...made(actor), lodgementCaseId: randomUUID(), status: 'CREATED', ready: false, changedBy: [] },
    schedule: { ...made(actor), scheduleId: randomUUID(), status: 'DRAFT', changedBy: [], lines: [], approvals: [] },
    title: titleNumber === undefined ? undefined : newTitle(randomUUID(), titleNumber),
    caseApprovals: [],
    titleDocuments: [],
    parties: borrowers.map((borrower) => ({ partyId: randomUUID(), role: 'BORROWER', ...borrower })),
    proprietors: [],
    representations: [],
    firms: [],
    applications: [newApplication({ applicationType: 'MORTGAGE_DEED', applicationId: randomUUID() }, actor)],
    files: [],
    submissions: [],
    notices: [],
    requisitions: [],
    settlements: [],
    confirmations: [],
    fourEyes: true,
  }
}
