import type { Schemas } from '../../../client/src/index.ts'
import type { Visit } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'
import { type Part, shown } from '../ui/part.ts'
import { dateTime } from '../ui/time.ts'
import { plainly } from '../words.ts'

type Happened = Schemas['TimelineRecord']

const PROBLEMS: readonly Happened['type'][] = [
  'TITLE_NOT_FOUND',
  'REPRESENTATION_FAILED',
  'FILE_UPLOAD_FAILED',
  'LODGEMENT_CASE_UNAPPROVED',
  'FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED',
  'WORKSPACE_FUNDS_UNAUTHORISED',
  'WORKSPACE_REQUISITIONED',
  'REQUISITION_DUE_SOON',
  'LODGEMENT_REJECTED',
  'WORKSPACE_CANCELLED',
]

const TOGETHER_MS = 60_000

const isProblem = ({ type }: Happened) => PROBLEMS.includes(type)

/** What will happen, and below it what happened, newest first. What one request caused stays together. */
export function timeline(
  { url }: Visit,
  happened: Part<readonly Happened[]>,
  plan: Part<readonly Schemas['PlanRecord'][]>,
): Markup {
  const onlyProblems = url.searchParams.has('problems')
  return html`<section id="timeline"><h2>What will happen</h2>
${shown(plan, 'The plan', (planned) =>
  planned.length > 0
    ? html`<ol class="timeline">${planned.map(({ at, message }) => html`<li class="planned"><p>${message}</p><small>${dateTime(at)} · planned</small></li>`)}</ol>`
    : html`<p>Nothing is planned.</p>`,
)}
<h2>What happened</h2>
<p class="small">${onlyProblems ? html`Problems only · <a href="${url.pathname}#timeline">show everything</a>` : html`<a href="?problems#timeline">Show problems only</a>`}</p>
${shown(happened, 'What happened', (records) => {
  const groups = grouped(onlyProblems ? records.filter(isProblem) : records)
  if (groups.length === 0) return html`<p>There were no problems.</p>`
  return html`<ol class="timeline">${entries(groups).toReversed()}</ol>`
})}</section>`
}

/** Neighbours of one request. Its later consequences, such as an answer of the registry days after, stay on their own. */
function grouped(records: readonly Happened[]): Happened[][] {
  const groups: Happened[][] = []
  for (const record of records) {
    const last = groups.at(-1)
    if (last?.[0] && isTogether(last[0], record)) last.push(record)
    else groups.push([record])
  }
  return groups
}

const isTogether = (first: Happened, next: Happened) =>
  first.correlationId === next.correlationId &&
  first.by === next.by &&
  Date.parse(next.at) - Date.parse(first.at) < TOGETHER_MS

/** Several may begin at the same time with the same event: their ids are numbered. */
function entries(groups: readonly (readonly Happened[])[]): Markup[] {
  const counts = new Map<string, number>()
  return groups.map((group) => {
    const id = `at-${group[0]?.at}-${group[0]?.type}`
    const earlier = counts.get(id) ?? 0
    counts.set(id, earlier + 1)
    return entry(group, earlier ? `${id}-${earlier}` : id)
  })
}

function entry(group: readonly Happened[], id: string): Markup {
  const [first] = group
  if (!first) return html``
  return html`<li id="${id}"${group.some(isProblem) && html` class="problem"`}>${group.toReversed().map(({ message }) => html`<p>${plainly(message)}</p>`)}
<small>${dateTime(first.at)} · ${first.by === 'system' ? 'by itself' : first.by}</small></li>`
}
