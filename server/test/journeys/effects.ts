import assert from 'node:assert/strict'
import type { Lodgeway, Schemas } from '../../../client/src/index.ts'
import { eventually } from '../fixtures/eventually.ts'
import { auditOf } from '../fixtures/workspaces.ts'
import { type Matter, pathOf } from './steps.ts'
import { ROWS, type Trace } from './traces.ts'

/**
 * The timeline, the feeds of lender and firm, the audit and the rows of a matter hold what its steps leave behind, no
 * more and no less. Returns the events as the lender reads them. Documents of the registry arrive when they do, and are
 * not among the steps.
 */
export async function happenedOnce(matter: Matter, ...steps: (Trace | Trace[])[]): Promise<Schemas['Event'][]> {
  const { service, lender, firm, workspaceId } = matter
  const traces = steps.flat()
  const types = traces.flatMap((one) => one.events)
  const timeline = await Array.fromAsync(firm.records('getTimeline', pathOf(matter)))
  assert.deepEqual(typesOf(timeline.filter(isStep)), types)
  await eventually(async () => (await service.deps.db.query(UNPUBLISHED, [workspaceId])).length === 0)
  const feeds = [await feedOf(lender, workspaceId), await feedOf(firm, workspaceId)]
  for (const feed of feeds) {
    assert.deepEqual(typesOf(feed), types)
    assert.equal(new Set(feed.map(({ id }) => id)).size, types.length)
  }
  assert.deepEqual(
    (await auditOf(service, workspaceId))
      .map(({ action }) => action)
      .filter((one) => one !== 'registry document received'),
    traces.flatMap(({ done }) => done),
  )
  assert.deepEqual(await rowsOf(matter), sumOf(traces))
  await orderedOnce(matter)
  return feeds[0] ?? []
}

const UNPUBLISHED = 'select from events where unpublished and workspace_id = $1'

const isStep = ({ type }: { type: string }) => type !== 'REGISTRY_DOCUMENT_RECEIVED'

const typesOf = (events: { type: string }[]) => events.map(({ type }) => type)

type Feed = { events: Schemas['Event'][]; after?: string }

/** Feeds only grow, so each is read on from where it was read before. Journeys may do so at once. */
const feeds = new WeakMap<Lodgeway, Promise<Feed>>()

async function feedOf(client: Lodgeway, workspaceId: string): Promise<Schemas['Event'][]> {
  const read = (feeds.get(client) ?? Promise.resolve({ events: [] })).then((feed) => readOn(client, feed))
  feeds.set(client, read)
  const { events } = await read
  return events.filter((one) => isStep(one) && 'workspaceId' in one.data && one.data.workspaceId === workspaceId)
}

async function readOn(client: Lodgeway, { events, after }: Feed): Promise<Feed> {
  const { records, nextCursor } = await client.readEvents({ query: { limit: 100, ...(after && { after }) } })
  const feed = { events: [...events, ...records], after: nextCursor }
  return records.length ? readOn(client, feed) : feed
}

/** Each order has a unique reference, so a second workspace with it was ordered twice. */
async function orderedOnce(matter: Matter): Promise<void> {
  const { reference } = await matter.lender.getWorkspace(pathOf(matter))
  const { records } = await matter.lender.listWorkspaces({ query: { reference } })
  assert.deepEqual(
    records.map(({ workspaceId }) => workspaceId),
    [matter.workspaceId],
  )
}

const sumOf = (traces: Trace[]): Record<string, number> =>
  Object.fromEntries(ROWS.map((name) => [name, traces.reduce((sum, { rows }) => sum + (rows[name] ?? 0), 0)]))

async function rowsOf({ service, workspaceId }: Matter): Promise<Record<string, number>> {
  const [rows] = await service.deps.db.query<Record<string, number>>(COUNT, [workspaceId])
  assert.ok(rows)
  return rows
}

const COUNT = `
  select (select count(*) from parties where workspace_id = w.workspace_id) as parties,
    (select count(*) from representations where workspace_id = w.workspace_id) as representations,
    (select count(*) from files where workspace_id = w.workspace_id and registry_document_id is null) as files,
    (select count(*) from lodgement_applications where lodgement_case_id = c.lodgement_case_id) as applications,
    (select count(*) from line_items where schedule_id = s.schedule_id) as lines,
    (select count(*) from schedule_approvals where schedule_id = s.schedule_id) as approvals,
    (select count(*) from settlements join simulated_payments on message_id = settlement_id::text
      where workspace_id = w.workspace_id) as payments,
    (select count(*) from simulated_lodgements where customer_reference = w.workspace_reference_id)
      + (select count(*) from hmlr_submissions where customer_reference = w.workspace_reference_id) as lodgements,
    (select count(*) from registry_notices join submissions using (submission_id)
      where lodgement_case_id = c.lodgement_case_id) as notices,
    (select count(*) from requisitions where lodgement_case_id = c.lodgement_case_id) as requisitions,
    (select count(*) from title_documents where lodgement_case_id = c.lodgement_case_id) as "titleDocuments"
  from workspaces w join lodgement_cases c using (workspace_id) join settlement_schedules s using (workspace_id)
 where workspace_id = $1`
