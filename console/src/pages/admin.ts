import type { FailingWebhooks, Maintenance, RunningNode, UnfinishedJobs } from '../operator.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { attempt, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { orFailure, shown } from '../ui/part.ts'
import { counted, dateTime } from '../ui/time.ts'
import { actForm, adminView, changesNeed, destructive, keyOf, mayChange, none } from './admin-parts.ts'

/** How the service is: nodes, jobs, webhooks; and the switch for maintenance. */
export const admin: Page = {
  show: (visit) => view(visit),

  async change(visit) {
    const enabled = visit.form.get('act') === 'maintenance-on'
    const { refused } = await attempt(visit.operator.change('/maintenance', keyOf(visit), { enabled }))
    return refused ? view(visit, refused) : goTo('/console/admin')
  },
}

async function view(visit: Visit, refused?: Refused): Promise<View> {
  const { operator } = visit
  const [nodes, jobs, maintenance, webhooks] = await Promise.all([
    orFailure(operator.nodes()),
    orFailure(operator.jobs()),
    orFailure(operator.maintenance()),
    orFailure(operator.webhooks()),
  ])
  const main = html`<h1>${'data' in nodes ? headingOf(nodes.data.records) : 'The service'}</h1>
${changesNeed(visit)}
<section aria-labelledby="maintenance"><h2 id="maintenance">Maintenance</h2>
${shown(maintenance, 'Whether it is on', (data) => maintenanceOf(visit, data))}</section>
<section aria-labelledby="nodes"><h2 id="nodes">Nodes</h2>
${shown(nodes, 'The nodes', ({ records }) => nodeTable(records))}</section>
<section aria-labelledby="jobs"><h2 id="jobs">Jobs</h2>
${shown(jobs, 'The jobs', jobList)}</section>
<section aria-labelledby="webhooks"><h2 id="webhooks">Webhooks that fail now</h2>
${shown(webhooks, 'The webhooks', ({ records }) => webhookTable(records))}</section>`
  return adminView(visit, 'Admin', main, { refused, live: 'service' })
}

const isWell = ({ ready, isSilent }: RunningNode) => ready && !isSilent

function headingOf(nodes: readonly RunningNode[]): string {
  const unwell = nodes.filter((node) => !isWell(node)).length
  if (nodes.length === 0) return 'No node has reported'
  if (unwell > 0) return `${unwell} of ${counted(nodes.length, 'node')} ${unwell === 1 ? 'is' : 'are'} not ready`
  return nodes.length === 1 ? 'The node is ready' : `All ${nodes.length} nodes are ready`
}

function maintenanceOf(visit: Visit, { enabled, by, since }: Maintenance): Markup {
  const who = since !== null && html` since ${dateTime(since)}, by ${by ?? 'an operator'}`
  if (enabled)
    return html`<p class="bad"><strong>On</strong>${who}. Partners get 503, and people can read but change nothing.</p>
${mayChange(visit) && actForm({ act: 'maintenance-off', button: 'End the maintenance: partners are served again' })}`
  return html`<p>Off${who}.</p>${
    mayChange(visit) &&
    destructive('Begin a maintenance', 'Every call of partners is answered with 503 within 2 seconds. Jobs go on.', {
      act: 'maintenance-on',
      button: 'Begin it: partners get 503',
    })
  }`
}

const nodeTable = (nodes: readonly RunningNode[]): Markup =>
  nodes.length === 0
    ? none('No node has reported. One that starts appears here at once.')
    : html`<table class="rows"><thead><tr><th scope="col">Node</th><th scope="col">Runs</th><th scope="col">State</th><th scope="col">Version</th><th scope="col">Started</th><th scope="col">Last seen</th></tr></thead>
<tbody>${nodes.map(
        (
          node,
        ) => html`<tr id="node-${node.nodeId}"><td>${node.name}</td><td>${node.roles.join(', ')}</td><td>${stateOf(node)}</td>
<td>${node.version}</td><td class="nowrap">${dateTime(node.startedAt)}</td><td class="nowrap">${dateTime(node.lastSeenAt)}</td></tr>`,
      )}</tbody></table>`

function stateOf({ ready, isSilent, checks }: RunningNode): Markup {
  if (isSilent) return html`<span class="tag is-bad">silent</span> It was killed, or cannot reach the database.`
  const wrong = Object.entries(checks).filter(([, outcome]) => outcome !== 'ok')
  if (ready) return html`<span class="tag is-good">ready</span> <small>${Object.keys(checks).join(', ')}</small>`
  return html`<span class="tag is-bad">not ready</span> ${wrong.map(([name, outcome]) => html`<br>${name}: ${outcome}`)}`
}

const jobList = ({ records, dead }: { records: readonly UnfinishedJobs[]; dead: number }): Markup =>
  html`<p>${
    dead > 0
      ? html`<span class="tag is-bad">${counted(dead, 'dead job')}</span> <a href="/console/admin/jobs">See why they failed</a>`
      : 'No job has failed for good.'
  }</p>${
    records.length === 0
      ? none('Nothing waits to be done.')
      : html`<table class="rows"><thead><tr><th scope="col">Job</th><th scope="col" class="number">Wait or run</th><th scope="col">Oldest</th></tr></thead>
<tbody>${records.map(
          ({ job, count, oldest }) =>
            html`<tr id="job-${job}"><td><code>${job}</code></td><td class="number">${count}</td><td class="nowrap">${dateTime(oldest)}</td></tr>`,
        )}</tbody></table>`
  }`

const webhookTable = (records: readonly FailingWebhooks[]): Markup =>
  records.length === 0
    ? none('None fails.')
    : html`<table class="rows"><thead><tr><th scope="col">Subscriber</th><th scope="col" class="number">Addresses</th><th scope="col" class="number">Tried again</th><th scope="col" class="number">Given up</th><th scope="col">Since</th></tr></thead>
<tbody>${records.map(
        ({ subscriberId, name, registrations, retried, dead, oldest }) =>
          html`<tr id="webhooks-${subscriberId}"><td><a href="/console/admin/subscribers/${subscriberId}">${name}</a></td><td class="number">${registrations}</td>
<td class="number">${retried}</td><td class="number">${dead}</td><td class="nowrap">${dateTime(oldest)}</td></tr>`,
      )}</tbody></table>`
