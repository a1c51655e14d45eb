import type { Schemas } from '../../../client/src/index.ts'
import { hasRole, type Visit } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'
import { type Part, shown } from '../ui/part.ts'
import { plainly, RULE_GROUPS, RULE_WORDS } from '../words.ts'

type Result = Schemas['ReadinessRecord']

const isOpen = ({ outcome }: Result) => outcome === 'FAILED'

/** The rules of both approvals as a list of tasks. What is left comes first, each with a link to where it is fixed. */
export function taskList(visit: Visit, workspace: Schemas['Workspace'], readiness: Part<readonly Result[]>): Markup {
  return html`<section id="tasks">${shown(readiness, 'What is left to do', (results) => {
    const done = results.filter((one) => !isOpen(one)).length
    const groups = RULE_GROUPS.map((group) => ({
      group,
      of: results.filter(({ ruleId }) => RULE_WORDS[ruleId].group === group),
    }))
    const left = groups.filter(({ of }) => of.some(isOpen))
    return html`<h2>${heading(workspace, done, results.length)}</h2>
${left.map(({ group, of }) => html`<h3>${group}</h3><ul class="tasks">${of.filter(isOpen).map((one) => task(visit, workspace, one))}</ul>`)}
${done > 0 && html`<details id="tasks-done"><summary>${done} done</summary><ul class="tasks">${results.filter((one) => !isOpen(one)).map((one) => task(visit, workspace, one))}</ul></details>`}`
  })}</section>`
}

function heading({ status, isLocked }: Schemas['Workspace'], done: number, all: number): string {
  if (status === 'CANCELLED') return 'What was checked'
  return isLocked || status === 'CLOSED' ? `Checked: ${done} of ${all}` : `Before it can be approved: ${done} of ${all}`
}

export function task({ session }: Visit, { workspaceId, isLocked }: Schemas['Workspace'], result: Result): Markup {
  const { ruleId, field, message, outcome, kind, confirmation } = result
  const { page } = RULE_WORDS[ruleId]
  const matter = `/console/matters/${workspaceId}`
  const isOurs = session.person.subscriber?.kind === 'LAW_FIRM'
  const canConfirm = kind === 'CONFIRMABLE' && outcome !== 'PASSED' && isOurs && hasRole(session, 'approver')
  const query = new URLSearchParams({ rule: ruleId, field })
  return html`<li id="task-${ruleId}-${field}"><div><p>${plainly(message)}${outcome === 'FAILED' && page && !isLocked && html` <a href="${matter}/${page}">Go there</a>`}</p>
${confirmation && html`<p>Confirmed by ${confirmation.confirmedBy}: ${confirmation.reason}</p>`}
${canConfirm && html`<p><a href="${matter}/confirm?${query.toString()}">${outcome === 'FAILED' ? 'Confirm that it is right' : 'Take back the confirmation'}</a></p>`}
<small>${ruleId} · ${field}</small></div>${tag(result)}</li>`
}

function tag({ outcome, kind }: Result): Markup {
  if (outcome === 'PASSED') return html`<span class="tag is-good">Done</span>`
  if (outcome === 'CONFIRMED') return html`<span class="tag is-good">Confirmed</span>`
  return kind === 'CONFIRMABLE'
    ? html`<span class="tag is-warn">Unusual</span>`
    : html`<span class="tag is-warn">${kind === 'BLOCKING_SUBMISSION' ? 'Before sending' : 'To do'}</span>`
}
