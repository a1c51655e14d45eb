import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { SubmitPayload } from '../../src/lodgement/submit.ts'
import type { MovableClock } from '../../src/platform/jobs/clock.ts'
import type { Queue } from '../../src/platform/jobs/queue.ts'
import { londonDate } from '../../src/platform/london.ts'
import { saveClockOffset } from '../../src/platform/operations/state.ts'
import { exchangeFunds } from '../../src/settlement/exchange.ts'
import { lockAnyWorkspace } from '../../src/workspaces/store.ts'
import { makeApproved } from './approvals.ts'
import { readPdf } from './pdf-text.ts'
import type { TestService } from './service.ts'
import { aBorrower, aCompany, aSearchedWorkspace, CASES, drain, FIRM, move, WORKSPACES } from './workspaces.ts'

// Cases on their way through the registry, as tests bring them there and look at them.

/** Who borrows on each title, as its register names them. */
const BORROWERS: Record<string, unknown[]> = {
  ST500678: [aBorrower('William'), aBorrower('Tracey')],
  ST500679: [aBorrower('William'), aBorrower('Tracey')],
  ST500681: [aBorrower('William'), aBorrower('Tracey')],
  DN514817: [aBorrower('Maria', 'Santos')],
  CO100001: [aCompany('Turner Holdings Limited', '02294747')],
  RQ100001: [aBorrower('Grace', 'Okafor')],
  CX100001: [aBorrower('Peter', 'Lang')],
  VF100001: [aBorrower('Joan', 'Hill')],
  SE100001: [aBorrower('Omar', 'Aziz')],
}

type Reconciling = (workspaceId: string) => Promise<void>

/** A workspace whose case is approved; whoever needs another matter says who borrows, and brings it into line. */
export async function anApprovedCase(
  service: TestService,
  titleNumber: string,
  { borrowers = BORROWERS[titleNumber], reconcile }: { borrowers?: unknown[]; reconcile?: Reconciling } = {},
): Promise<string> {
  const { workspaceId } = await aSearchedWorkspace(service, titleNumber, borrowers)
  await reconcile?.(workspaceId)
  await makeApproved(service, workspaceId)
  return workspaceId
}

/** What the settlement of an approved case's money does, on the day and at the hour that it is. */
export async function exchange({ deps }: TestService, workspaceId: string, queue = deps.queue): Promise<void> {
  const { db, clock } = deps
  const at = clock.now()
  await db.transaction(async (tx) => {
    tx.send(`update workspaces set status = 'FUNDS_AUTHORISED', completion_date = $2 where workspace_id = $1`, [
      workspaceId,
      londonDate(at),
    ])
    tx.send(`update settlement_schedules set status = 'AUTHORISED' where workspace_id = $1`, [workspaceId])
    const workspace = await lockAnyWorkspace(tx, workspaceId)
    assert.ok(workspace)
    await exchangeFunds(tx, queue, workspace, { correlationId: 'exchanged', at })
  })
}

/** A queue that only remembers: the test runs the jobs itself, when and as often as it wants. */
export function heldQueue(service: TestService): Queue & { held: { name: string; payload: object }[] } {
  const held: { name: string; payload: object }[] = []
  const enqueue: Queue['enqueue'] = async (_, name, payload) => void held.push({ name, payload })
  return { ...service.deps.queue, enqueue, held }
}

/** An approved case whose money has moved, and which waits to be sent: by nobody but the test. */
export async function aWaitingCase(service: TestService, titleNumber = 'ST500678'): Promise<SubmitPayload> {
  const workspaceId = await anApprovedCase(service, titleNumber)
  const queue = heldQueue(service)
  await exchange(service, workspaceId, queue)
  return queue.held[0]?.payload as SubmitPayload
}

/** All that the registry could have changed. */
export async function pictureOf({ deps: { db } }: TestService, workspaceId: string) {
  const of = (table: string) =>
    db.query(`select t.* from ${table} t join lodgement_cases using (lodgement_case_id) where workspace_id = $1`, [
      workspaceId,
    ])
  return {
    workspace: await db.query('select * from workspaces where workspace_id = $1', [workspaceId]),
    cases: await db.query('select * from lodgement_cases where workspace_id = $1', [workspaceId]),
    applications: await of('lodgement_applications'),
    requisitions: await of('requisitions'),
    documents: await of('title_documents'),
    events: await db.query('select * from events where workspace_id = $1 order by seq', [workspaceId]),
    audit: await db.query('select * from audit_entries where chain = $1 order by seq', [workspaceId]),
  }
}

/** An approved case, completed and sent to the registry. */
export async function aSentCase(
  service: TestService,
  titleNumber: string,
  matter: Parameters<typeof anApprovedCase>[2] = {},
): Promise<string> {
  const workspaceId = await anApprovedCase(service, titleNumber, matter)
  await exchange(service, workspaceId)
  await drain(service)
  return workspaceId
}

/** Puts the clock forward without running what falls due on the way: to a day that a test is about. */
export async function putClock({ deps: { db, clock } }: TestService, at: string): Promise<void> {
  const movable = clock as MovableClock
  await saveClockOffset(db, movable, movable.offsetMs() + Date.parse(at) - clock.now().getTime())
}

export type ShownLodgement = {
  lodgementCaseId: string
  lodgementCaseStatus: string
  registryReference?: string
  priorityAt?: string
  earlyCompletion: boolean
  titles: { titleId: string }[]
  applications: { applicationType: string; status: string; submittedAt?: string; submittedBy?: string }[]
  requisition?: { requisitionId: string; receivedAt: string; dueAt: string; points: string[] }
}

export async function lodgementOf(service: TestService, workspaceId: string): Promise<ShownLodgement> {
  const path = `${CASES}?workspace_id=${workspaceId}`
  const { status, body, text } = await service.call<{ records: [ShownLodgement] }>('GET', path, FIRM)
  assert.equal(status, 200, text)
  return body.records[0]
}

/** Status of workspace and case together: how far the matter has come. */
export async function standingOf(service: TestService, workspaceId: string): Promise<string> {
  const { body } = await service.call<{ status: string }>('GET', `${WORKSPACES}/${workspaceId}`, FIRM)
  return `${body.status} ${(await lodgementOf(service, workspaceId)).lodgementCaseStatus}`
}

export type ShownStep = { at: string; type: string; by: string; message: string }

/** What the timeline tells since the money moved. */
export async function toldSince(service: TestService, workspaceId: string): Promise<ShownStep[]> {
  const path = `${WORKSPACES}/${workspaceId}/timeline?limit=100`
  const { body } = await service.call<{ records: ShownStep[] }>('GET', path, FIRM)
  const from = body.records.findIndex(({ type }) => type === 'WORKSPACE_FUNDS_EXCHANGED')
  return body.records.slice(from)
}

export const replyPath = (lodgementCaseId: string) => `${CASES}/${lodgementCaseId}/requisition-reply`

export async function reply(service: TestService, workspaceId: string, json: object, as = FIRM) {
  const { lodgementCaseId } = await lodgementOf(service, workspaceId)
  return service.call<Record<string, string>>('POST', replyPath(lodgementCaseId), { ...as, json })
}

/** Moves the clock step by step, and says where the matter stands after each. */
export async function walk(service: TestService, workspaceId: string, ...advances: string[]): Promise<string[]> {
  const standings = []
  for (const advance of advances) {
    await move(service, advance)
    standings.push(await standingOf(service, workspaceId))
  }
  return standings
}

export type ShownDocument = { documentType: string; editionDate: string; registerExtract: { ocSummaryData: object } }

/** The title documents of a case, newest first. */
export async function titleDocumentsOf(service: TestService, workspaceId: string): Promise<ShownDocument[]> {
  const { lodgementCaseId, titles } = await lodgementOf(service, workspaceId)
  const path = `${CASES}/${lodgementCaseId}/titles/${titles[0]?.titleId}/title-documents`
  const { status, body, text } = await service.call<{ records: ShownDocument[] }>('GET', path, FIRM)
  assert.equal(status, 200, text)
  return body.records
}

/** The text of the completion document that can be downloaded. */
export async function completionTextOf(service: TestService, workspaceId: string): Promise<string> {
  const { lodgementCaseId } = await lodgementOf(service, workspaceId)
  const path = `${CASES}/${lodgementCaseId}/documents?document_type=TITLE_INFORMATION_DOCUMENT`
  const headers = { authorization: `Bearer ${await service.tokenOf(FIRM.as)}` }
  const response = await fetch(service.url + path, { headers })
  assert.equal(response.status, 200)
  const { pages } = await readPdf(Readable.from([Buffer.from(await response.arrayBuffer())]))
  return pages.join(' ')
}
