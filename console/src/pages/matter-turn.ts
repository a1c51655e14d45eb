import type { Schemas } from '../../../client/src/index.ts'
import { hasRole, type Visit } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'
import { dateTime, since } from '../ui/time.ts'
import { dueTag, isOurs, whoOf } from '../ui/turn.ts'
import { CANCELLATION_WORDS, SEARCH_FAILURE_WORDS, TASK_WORDS } from '../words.ts'

type Workspace = Schemas['Workspace']

/** Who must act, since when, what, by when, and one button for it. */
export function turnBox(
  visit: Visit,
  workspace: Workspace,
  lodgementCase: Schemas['LodgementCaseRecord'] | undefined,
): Markup {
  const { turn, status, workspaceId } = workspace
  const { session, now } = visit
  if (!turn)
    return html`<section class="turn quiet" id="turn"><h2>${ENDED[status] ?? 'Nobody has to act'}</h2>${cancellation(workspace)}</section>`
  const { who, task, dueAt, also } = turn
  const isOur = isOurs(session, who)
  const search = task === 'GIVE_TITLE' && lodgementCase?.titleSearchFailure
  return html`<section class="turn${!isOur && ' quiet'}" id="turn"><h2>Whose turn: ${whoOf(session, who)}</h2>
<p>${search && `${SEARCH_FAILURE_WORDS[search]} `}${TASK_WORDS[task].todo}</p>
${lodgementCase?.registryWait && registryWait(lodgementCase.registryWait)}
<p class="small">${since(turn.since, now) === 'today' ? 'Since today' : html`For ${since(turn.since, now)}`}${dueAt && html` · due ${dueTag(dueAt, now)}`}</p>
${isOur && button(visit, workspaceId, task)}
${also.length > 0 && html`<p class="small">Can be done meanwhile: ${also.map((one, index) => html`${index > 0 && ' · '}${link(workspaceId, one)}`)}</p>`}</section>`
}

/** Why the registry has not been asked, or has not answered. */
export const registryWait = (wait: Schemas['RegistryWait']): Markup =>
  html`<p><strong>${wait.message}</strong> <small>Since ${dateTime(wait.since)}</small></p>`

/** Why nothing can be changed, where that is so. */
export function lock({ isLocked, hardLocked }: Workspace): Markup | undefined {
  if (!isLocked) return undefined
  return html`<p class="small">${
    hardLocked
      ? 'Locked: since the funds were authorised, only what the registry asks for can be changed.'
      : 'Locked: it is approved. To change something, an approver of the law firm takes back an approval first.'
  }</p>`
}

const ENDED: Partial<Record<Workspace['status'], string>> = {
  CLOSED: 'Registered: nothing is left to do',
  CANCELLED: 'Cancelled: nothing is left to do',
}

const cancellation = ({ cancellation }: Workspace) =>
  cancellation &&
  html`<p>${CANCELLATION_WORDS[cancellation.reason]}${cancellation.notes && html`: ${cancellation.notes}`}. ${cancellation.by}, ${dateTime(cancellation.at)}.</p>`

const pageOf = (workspaceId: string, page: string) =>
  page.startsWith('#') ? page : `/console/matters/${workspaceId}/${page}`

/** To the page that does it. */
function button({ session }: Visit, workspaceId: string, task: Schemas['Turn']['task']): Markup | undefined {
  const { page, button, role = 'preparer' } = TASK_WORDS[task]
  if (!page || !button) return undefined
  const address = pageOf(workspaceId, page)
  if (hasRole(session, role) || page.startsWith('#'))
    return html`<p><a class="button" href="${address}">${button}</a></p>`
  return role === 'approver'
    ? html`<p class="small">An approver of your organisation does this. <a href="${address}">See who can</a></p>`
    : html`<p class="small">A preparer of your firm does this.</p>`
}

function link(workspaceId: string, { task }: Schemas['TurnBeside']): Markup {
  const { short, page } = TASK_WORDS[task]
  return page ? html`<a href="${pageOf(workspaceId, page)}">${short}</a>` : html`${short}`
}
