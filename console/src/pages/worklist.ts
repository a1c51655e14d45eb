import type { Schemas } from '../../../client/src/index.ts'
import { hasRole, type Page, type Visit } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'
import { dateTime, since } from '../ui/time.ts'
import { dueTag, isOurs, taskTag, type Who, whoOf } from '../ui/turn.ts'
import { STATUS_WORDS, TASK_WORDS, WHO_WORDS } from '../words.ts'
import { oneOf } from './query.ts'

const COUNT_MAX = 1_000
const ROWS = 50

/** What waits for whom, the most urgent first. */
export const worklist: Page = {
  async show(visit) {
    const { api, url, session } = visit
    const us: Who = session.person.subscriber?.kind ?? 'LAW_FIRM'
    const who = oneOf(WHO_WORDS, url.searchParams.get('turn')) ?? us
    const task = oneOf(TASK_WORDS, url.searchParams.get('task'))
    const cursor = url.searchParams.get('cursor') ?? undefined
    const isApprover = us === 'LAW_FIRM' && who === us && hasRole(session, 'approver')
    const isNarrowed = isApprover && !url.searchParams.has('all')
    const approver = isNarrowed && { approver: session.person.email }
    const query = { turn: who, limit: ROWS, ...approver, ...(task && { task }), ...(cursor && { cursor }) }
    const [counts, { records, nextCursor }] = await Promise.all([api.countWorkspaces(), api.listWorkspaces({ query })])
    const total = counts.turns.find(({ turn }) => turn === us)?.count ?? 0
    return {
      title: 'Worklist',
      live: 'matters',
      main: html`<h1>${heading(total, session.person.subscriber?.name ?? 'you')}</h1>
<p class="lead">Those with a date first, then the longest waiting.${isNarrowed && html` What somebody else must approve, because you changed it, is left out: <a href="${address({ task, all: '' })}">show it, too</a>.`}</p>
${tabs(visit, counts, who)}
${who === us && counts.tasks.some(({ count }) => count > 0) && tasks(counts, task)}
${records.length > 0 ? table(visit, records) : await empty(visit, who, us)}
${nextCursor && html`<p class="pages"><a href="${address({ turn: who, task, cursor: nextCursor, ...(isApprover && !isNarrowed && { all: '' }) })}">Next ${ROWS}</a></p>`}`,
    }
  },
}

const capped = (count: number) => (count >= COUNT_MAX ? `${COUNT_MAX} or more` : String(count))

const heading = (count: number, name: string) =>
  count === 1 ? `1 matter needs ${name}` : `${count === 0 ? 'No' : capped(count)} matters need ${name}`

const address = (query: Record<string, string | undefined>): string => {
  const given = Object.entries(query).filter((one): one is [string, string] => one[1] !== undefined)
  return `/console/?${new URLSearchParams(given)}`
}

function tabs({ session }: Visit, { turns }: Schemas['WorkspaceCounts'], current: Who): Markup {
  const ordered = turns.toSorted((a, b) => Number(isOurs(session, b.turn)) - Number(isOurs(session, a.turn)))
  const shown = ordered.filter(({ turn, count }) => count > 0 || turn !== 'SERVICE' || turn === current)
  return html`<nav aria-label="Whose turn"><ul class="tabs">${shown.map(
    ({ turn, count }) =>
      html`<li><a href="${address({ turn })}"${turn === current && html` aria-current="page"`}>${capitalised(whoOf(session, turn))} <small>${capped(count)}</small></a></li>`,
  )}</ul></nav>`
}

function tasks({ tasks }: Schemas['WorkspaceCounts'], current: string | undefined): Markup {
  const shown = tasks.filter(({ task, count }) => count > 0 || task === current)
  return html`<nav aria-label="What is to be done"><p class="chips">Only: ${shown.map(
    ({ task, count }) =>
      html`<a href="${address({ task })}"${task === current && html` aria-current="true"`}>${TASK_WORDS[task].short} <small>${capped(count)}</small></a> `,
  )}${current && html`<a href="/console/">all</a>`}</p></nav>`
}

function table({ session, now }: Visit, records: readonly Schemas['WorkspaceSummary'][]): Markup {
  return html`<table class="rows"><thead><tr><th scope="col">Matter</th><th scope="col">Borrowers</th><th scope="col">What is to be done</th><th scope="col">Status</th><th scope="col">Since</th><th scope="col">Due</th><th scope="col">Last touched by</th></tr></thead>
<tbody>${records.map(
    ({ workspaceId, reference, workspaceReferenceId, borrowers, postcode, status, turn, lastModifiedBy }) =>
      html`<tr id="matter-${workspaceId}"><td><a href="/console/matters/${workspaceId}">${reference}</a><br><small>${workspaceReferenceId}</small></td>
<td>${borrowers.join(', ')}<br><small>${postcode}</small></td><td>${turn && taskTag(turn, session)}</td><td>${STATUS_WORDS[status]}</td>
<td class="nowrap">${turn && since(turn.since, now)}</td><td class="nowrap">${turn && dueTag(turn.dueAt, now)}</td><td><small>${lastModifiedBy === 'system' ? 'the service' : lastModifiedBy}</small></td></tr>`,
  )}</tbody></table>`
}

/** Nothing waits: what will happen next by itself. */
async function empty({ api, session }: Visit, who: Who, us: Who): Promise<Markup> {
  if (who !== us) return html`<p class="notice">Nothing waits for ${whoOf(session, who)}.</p>`
  const { records } = await api.listWorkspaces({ query: { turn: 'CLOCK', limit: 1 } })
  const [next] = records
  return html`<p class="notice"><strong>Nothing waits for you.</strong> ${
    next?.turn?.dueAt
      ? html`The next thing to happen: money moves for <a href="/console/matters/${next.workspaceId}">${next.reference}</a> on ${dateTime(next.turn.dueAt)}.`
      : html`<a href="/console/matters">All matters</a>`
  }</p>`
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
