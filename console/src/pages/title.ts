import type { Schemas } from '../../../client/src/index.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { type Form, hidden, input } from '../ui/fields.ts'
import { attempt, errorSummary, onceKey } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { dateTime, day } from '../ui/time.ts'
import { SEARCH_FAILURE_WORDS, TENURE_WORDS } from '../words.ts'
import { type Part, partOf } from './matter-part.ts'
import { registryWait } from './matter-turn.ts'
import { nameOf } from './names-rows.ts'
import { type RegisterShown, readRegister } from './register.ts'

const EMPTY: Form = { values: new URLSearchParams() }

/** The title of a matter: its number, what the registry said, and the register. */
export const title: Page = {
  async show(visit) {
    const facts = await load(visit)
    const isRemoval = visit.url.searchParams.has('remove') && facts.title && !facts.part.closed
    return isRemoval ? removal(facts) : shown(facts, EMPTY)
  },

  async change(visit) {
    const { api, form, params } = visit
    const path = { workspace_id: params['id'] ?? '' }
    const [titleId, idempotencyKey] = [form.get('remove'), form.get('key') ?? undefined]
    const body = { titleNumber: form.get('titleNumber') ?? '' }
    const { refused } = await attempt(
      titleId === null
        ? api.addTitle({ path, body, idempotencyKey })
        : api.removeTitle({ path: { ...path, title_id: titleId } }),
    )
    if (refused) return { ...shown(await load(visit), { values: form, refused }), status: refused.status }
    return goTo(`/console/matters/${path.workspace_id}/title`)
  },
}

type Facts = {
  part: Part
  title: Schemas['WorkspaceTitle'] | undefined
  failure: Failure | undefined
  wait: Schemas['RegistryWait'] | undefined
  register: RegisterShown | 'unread' | undefined
}

type Failure = NonNullable<Schemas['LodgementCaseRecord']['titleSearchFailure']>

async function load(visit: Visit): Promise<Facts> {
  const { api, params } = visit
  const id = params['id'] ?? ''
  const [workspace, { records }] = await Promise.all([
    api.getWorkspace({ path: { workspace_id: id } }),
    api.getLodgementCases({ query: { workspace_id: id } }),
  ])
  const [lodgementCase, title] = [records[0], workspace.titles[0]]
  const isSearched = title?.lastTitleSearchStatus === 'SUCCESS' && lodgementCase
  const register = isSearched
    ? await readRegister(api, { ...lodgementCase, ...title }).catch(() => 'unread' as const)
    : undefined
  const { titleSearchFailure: failure, registryWait: wait } = lodgementCase ?? {}
  return { part: partOf(visit, workspace), title, failure, wait, register }
}

function shown({ part, title, failure, wait, register }: Facts, form: Form): View {
  const { workspace, address, closed } = part
  const isWanted = !title || title.lastTitleSearchStatus === 'FAILED'
  return {
    title: `${workspace.reference} title`,
    crumbs: part.crumbs,
    live: `matter:${workspace.workspaceId}`,
    main: html`${errorSummary(form.refused, ['titleNumber'])}
      <h1>${title ? `Title ${title.titleNumber}` : 'No title yet'}</h1>
      ${closed}${stateOf(title, failure)}${wait && registryWait(wait)}
      ${isWanted && !closed && numberForm(address, form)}
      ${register === 'unread' && html`<p class="notice">The register could not be read. <a href="">Try again</a></p>`}
      ${register && register !== 'unread' && registerList(register, title)}
      ${!isWanted && !closed && html`<p class="actions"><a href="${address}/names">Compare the names</a> · <a href="${address}/title?remove=yes">This is the wrong title</a></p>`}`,
  }
}

function stateOf(title: Facts['title'], failure: Failure | undefined): Markup {
  if (!title)
    return html`<p>The registry is asked as soon as the title number is given. Its answer brings the register with the names of the owners.</p>`
  switch (title.lastTitleSearchStatus) {
    case 'INITIATED':
    case 'PENDING':
      return html`<p class="notice" role="status"><strong>The registry was asked</strong> and has not answered yet. This page shows the register when it does.</p>`
    case 'FAILED':
      return html`<p class="bad"><strong>The search failed.</strong> ${failure ? `${SEARCH_FAILURE_WORDS[failure]} Give the right number.` : 'The matter was cancelled before the registry answered.'}</p>`
    case 'SUCCESS':
      return html`<p class="good">The registry returned the register of this title.</p>`
  }
}

const numberForm = (address: string, form: Form) => html`<form method="post" action="${address}/title">
  ${onceKey()}
  ${input(form, 'titleNumber', 'Title number', { hint: 'Letters and digits, such as ST500678.', width: 12 })}
  <p class="actions"><button>Ask the registry</button></p></form>`

function registerList(
  { editionDate, officialCopyAt, address, proprietors, charges, restrictions }: RegisterShown,
  title: Facts['title'],
) {
  const list = (items: readonly (Markup | string)[], none: string) =>
    items.length === 0 ? none : html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`
  return html`<h2>The register</h2><dl class="summary">
    <div><dt>Property</dt><dd>${address}</dd></div>
    ${title?.tenure && html`<div><dt>Tenure</dt><dd>${TENURE_WORDS[title.tenure]}</dd></div>`}
    <div><dt>Owners</dt><dd>${list(proprietors.map(nameOf), 'None')}</dd></div>
    <div><dt>Charges</dt><dd>${list(
      charges.map(({ lenders, dated }) => html`${lenders}${dated && html`, ${day(dated)}`}`),
      'None',
    )}</dd></div>
    <div><dt>Restrictions</dt><dd>${list(restrictions, 'None, or only a lender’s')}</dd></div>
    <div><dt>Edition</dt><dd>${day(editionDate)}</dd></div>
    <div><dt>Official copy of</dt><dd>${dateTime(officialCopyAt)}</dd></div></dl>`
}

/** The consequence is on the page and on the button. */
function removal({ part, title }: Facts): View {
  const { workspace, address } = part
  const number = title?.titleNumber ?? ''
  return {
    title: `${workspace.reference}: remove the title`,
    crumbs: [...part.crumbs, [`${address}/title`, 'Title']],
    main: html`<h1>Remove the title ${number}?</h1>
      <p>Everything that came from it is undone:</p>
      <ul><li>the register and the comparison of the names</li>
        <li>who comes to the title and who leaves it, and their representation</li>
        <li>the applications that follow from the register; the mortgage deed stays</li>
        <li>an approval of the case</li></ul>
      <p>Then give the right number.</p>
      <form method="post" action="${address}/title">${hidden({ remove: title?.titleId ?? '' })}
        <p class="actions"><button class="danger">Remove the title ${number}</button> <a href="${address}/title">Keep it</a></p></form>`,
  }
}
