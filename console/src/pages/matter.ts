import type { Schemas } from '../../../client/src/index.ts'
import type { Page, View, Visit } from '../page.ts'
import { html } from '../ui/html.ts'
import { orFailure, type Part } from '../ui/part.ts'
import { stateDiagram, stateStrip, stepsOf } from '../ui/states.ts'
import { actions } from './matter-actions.ts'
import { facts } from './matter-facts.ts'
import { taskList } from './matter-tasks.ts'
import { timeline } from './matter-timeline.ts'
import { lock, turnBox } from './matter-turn.ts'

/** Everything about one matter, and why it has not moved. */
export const matter: Page = {
  async show(visit) {
    const { workspace, lodgementCase, schedule, readiness, happened, plan, files } = await load(visit)
    const { workspaceId, reference, workspaceReferenceId, status, participants, titles } = workspace
    const steps = 'data' in happened ? stepsOf(happened.data) : []
    const line = [
      reference,
      workspaceReferenceId,
      ...participants.map(({ name }) => name),
      titles[0] && `title ${titles[0].titleNumber}`,
    ]
    return {
      title: reference,
      crumbs: [['/console/matters', 'Matters']],
      live: `matter:${workspaceId}`,
      main: html`<h1>${addressOf(workspace.securityAddress)}</h1>
<p class="lead">${line.filter(Boolean).join(' · ')}</p>
${stateStrip(status, workspace.auditAttributes.createdAt, steps)}
<details id="diagram"><summary>Show as diagram</summary>${stateDiagram(status, steps)}</details>
${lock(workspace)}
${turnBox(visit, workspace, 'data' in lodgementCase ? lodgementCase.data : undefined)}
<div class="columns"><div>${taskList(visit, workspace, readiness)}${facts(workspace, lodgementCase, schedule, files)}</div>
<div>${timeline(visit, happened, plan)}</div></div>
${actions(visit, workspace, schedule)}`,
    } satisfies View
  },
}

export type Matter = {
  workspace: Schemas['Workspace']
  lodgementCase: Part<Schemas['LodgementCaseRecord'] | undefined>
  schedule: Part<Schemas['FinancialSettlementSchedule'] | undefined>
  readiness: Part<readonly Schemas['ReadinessRecord'][]>
  happened: Part<readonly Schemas['TimelineRecord'][]>
  plan: Part<readonly Schemas['PlanRecord'][]>
  files: Part<readonly Schemas['WorkspaceFile'][]>
}

/** All at once. Without the workspace there is no page; each of the others fails alone. */
async function load({ api, params }: Visit): Promise<Matter> {
  const id = params['id'] ?? ''
  const path = { workspace_id: id }
  const [workspace, lodgementCase, schedule, readiness, happened, plan, files] = await Promise.all([
    api.getWorkspace({ path }),
    orFailure(api.getLodgementCases({ query: { workspace_id: id } }).then(({ records }) => records[0])),
    orFailure(api.getFinancialSettlementSchedules({ query: { workspace_id: id } }).then(({ records }) => records[0])),
    orFailure(Array.fromAsync(api.records('getWorkspaceReadiness', { path, query: { limit: 100 } }))),
    orFailure(Array.fromAsync(api.records('getTimeline', { path, query: { limit: 100 } }))),
    orFailure(api.getPlan({ path }).then(({ records }) => records)),
    orFailure(api.listFiles({ path, query: { limit: 100 } }).then(({ records }) => records)),
  ])
  return { workspace, lodgementCase, schedule, readiness, happened, plan, files }
}

export function addressOf({ flat, name, number, street, locality, town }: Schemas['SecurityAddress']): string {
  const house = [flat, name, [number, street].filter(Boolean).join(' ')]
  return [...house, locality, town].filter(Boolean).join(', ')
}
