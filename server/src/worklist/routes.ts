import { askedBy } from '../approvals/rules.ts'
import { findMatter } from '../matter/load.ts'
import type { Deps } from '../platform/deps.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { type Bounds, pageOf } from '../platform/http/page.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { WHOS } from '../workspaces/status.ts'
import { approversOf } from './rules-approvers.ts'
import { fieldChangesOf, scopeOf } from './rules-changes.ts'
import { plannedOf } from './rules-plan.ts'
import { Approvers, ChangesPage, ChangesQuery, Plan, WorkspaceCounts, WorkspacePath } from './schema.ts'
import { type ChangeRow, COUNT_MAX, countTurns, findChanges, findPlan, listColleagues } from './store.ts'

const tags = ['Workspaces']

export function worklistRoutes(app: App, { db, vault }: Pick<Deps, 'db' | 'vault'>): void {
  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/workspaces/counts`,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'countWorkspaces',
      tags,
      summary: 'Count the open workspaces by whose turn it is',
      description: `Every count stops at ${COUNT_MAX}, so that it costs little. List them with the filters \`turn\` and \`task\`.`,
      response: { 200: WorkspaceCounts },
    },
    handler: async (request, reply) => {
      const { caller } = request
      const counts = await countTurns(db.read, caller)
      const turns = WHOS.map((turn) => {
        const sum = counts.filter(({ who }) => who === turn).reduce((all, { count }) => all + count, 0)
        return { turn, count: Math.min(sum, COUNT_MAX) }
      })
      const tasks = counts.filter(({ who }) => who === caller.kind).map(({ task, count }) => ({ task, count }))
      return sendWithEtag(request, reply, { turns, tasks })
    },
  })

  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/plan`,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'getPlan',
      tags,
      summary: 'Read what is planned for a workspace, the next first',
      description:
        'What the service will do by itself, and when: the counterpart of the timeline. What others will do, such as the ' +
        'registry, is not known beforehand.',
      params: WorkspacePath,
      response: { 200: Plan },
    },
    handler: async ({ caller, params }) => {
      const { facts, jobs } = await findPlan(db.read, caller, params.workspace_id)
      const records = jobs.flatMap((job) => plannedOf(job, facts) ?? [])
      return { records: records.map((one) => ({ ...one, at: one.at.toISOString() })) }
    },
  })

  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/approvers`,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'listApprovers',
      tags,
      summary: 'Read who may approve a workspace, and whom four eyes keep from it',
      description:
        'The people of your own organisation who may decide in the console, and for a law firm those who have changed the ' +
        'case or the money; and what the approval of the case must state. To a lender it shows who may authorise the funds.',
      params: WorkspacePath,
      response: { 200: Approvers },
    },
    handler: async ({ caller, params }) => {
      const [matter, colleagues] = await Promise.all([
        findMatter(db.read, { workspaceId: params.workspace_id }, caller),
        listColleagues(db.read, caller.subscriberId),
      ])
      const { fourEyes, lodgementCase, schedule, registry } = matter
      const changedBy = { LODGEMENT: lodgementCase.changedBy, FINANCIAL: schedule.changedBy }
      const asked = caller.kind === 'LAW_FIRM' ? [...askedBy(registry)] : []
      return { fourEyes, asked, records: approversOf(colleagues, { kind: caller.kind, fourEyes, changedBy }) }
    },
  })

  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/changes`,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'listChanges',
      tags,
      summary: 'Read what was changed in a workspace, oldest first',
      description:
        'From the audit: who changed what, with the values before and after. With the time of an approval in `since`, what a ' +
        'second approval has to look at. Changes of the case need `x-api:view:lodgement_summary` too, those of the money ' +
        '`view:financial_settlement_schedules`; without that scope they are left out, and a page may have fewer records.',
      params: WorkspacePath,
      querystring: ChangesQuery,
      response: { 200: ChangesPage },
    },
    handler: async (request) => {
      const { caller, params, query } = request
      const of = { workspaceId: params.workspace_id, since: query.since }
      const page = await pageOf(
        vault,
        request,
        (bounds: Bounds) => findChanges(db.read, caller, of, bounds),
        (row) => row,
      )
      const readable = page.records.filter((row) => caller.scopes.has(scopeOf(row)))
      return { ...page, records: readable.map(presentChange) }
    },
  })
}

const presentChange = ({ at, by, action, correlationId, ids, before, after }: ChangeRow) => ({
  at: new Date(at).toISOString(),
  by,
  action,
  correlationId,
  ids: { ...ids },
  changes: fieldChangesOf({ before, after }),
})
