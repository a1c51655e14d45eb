import type { Schemas } from '../../../client/src/index.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { hidden } from '../ui/fields.ts'
import { attempt, errorSummary, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { SEARCH_FAILURE_WORDS } from '../words.ts'
import { type Part, partOf } from './matter-part.ts'
import { registryWait } from './matter-turn.ts'
import { type Answer, answersOf } from './names-answers.ts'
import { columns, compared, namesIn } from './names-parts.ts'
import { type Row, rowsOf } from './names-rows.ts'
import { readRegister } from './register.ts'

/** The borrowers of the order and the proprietors on the register, side by side, with one question for each pair. */
export const names: Page = {
  async show(visit) {
    const names = await load(visit)
    const value = visit.url.searchParams.get('answer')
    if (value === null || names.part.closed) return overview(names, doneNotice(visit.url.searchParams.get('done')))
    const chosen = find(names, value)
    return chosen ? preview(names, chosen) : overview(names, GONE)
  },

  /** The rows are read again: an answer that no longer fits them is not sent. */
  async change(visit) {
    const names = await load(visit)
    const { form } = visit
    const chosen = find(names, form.get('answer') ?? '')
    if (!chosen || form.get('etag') !== names.etag) return stale(visit, names)
    const { refused } = await attempt(send(visit, chosen.answer, names.etag))
    if (refused?.status === 412) return stale(visit, await load(visit))
    if (refused) return { ...preview(names, chosen, refused), status: refused.status }
    return goTo(`${names.part.address}/names?done=${kindOf(chosen.answer)}`)
  },
}

type Names = {
  part: Part
  etag: string
  status: Schemas['TitleReconciliation']['borrowersValidationStatus']
  rows: readonly { row: Row; answers: readonly Answer[] }[]
  searchFailure: Schemas['LodgementCaseRecord']['titleSearchFailure']
  wait: Schemas['RegistryWait'] | undefined
}

type Chosen = { row: Row; answer: Answer }

async function load(visit: Visit): Promise<Names> {
  const { api, params } = visit
  const id = params['id'] ?? ''
  const path = { workspace_id: id }
  const [workspace, reconciliation, { records }] = await Promise.all([
    api.getWorkspace({ path }),
    api.call('getTitleReconciliation', { path }),
    api.getLodgementCases({ query: { workspace_id: id } }),
  ])
  const [lodgementCase, title] = [records[0], workspace.titles[0]]
  const isSearched = title?.lastTitleSearchStatus === 'SUCCESS' && lodgementCase
  // Without the register the page still says who differs: it fails alone.
  const register = isSearched
    ? await readRegister(api, { ...lodgementCase, ...title }).catch(() => undefined)
    : undefined
  const live = (lodgementCase?.applications ?? []).filter(({ status }) => status !== 'WITHDRAWN')
  const facts = {
    isApproved: lodgementCase?.lodgementCaseStatus === 'PREPARED',
    hasTransfer: live.some(({ applicationType }) => applicationType === 'TRANSFER_OF_WHOLE'),
    isRestricted: (register?.restrictions.length ?? 0) > 0,
  }
  return {
    part: partOf(visit, workspace),
    etag: reconciliation.etag ?? '',
    status: reconciliation.data.borrowersValidationStatus,
    rows: rowsOf(reconciliation.data, register?.proprietors ?? []).map((row) => ({
      row,
      answers: answersOf(row, facts),
    })),
    searchFailure: lodgementCase?.titleSearchFailure,
    wait: lodgementCase?.registryWait,
  }
}

function find({ rows }: Names, value: string): Chosen | undefined {
  for (const { row, answers } of rows) {
    const answer = answers.find((one) => one.value === value)
    if (answer) return { row, answer }
  }
  return undefined
}

const kindOf = ({ value }: Answer) => value.split('.')[0] ?? ''

/** Each step names the version that the one before it left. */
async function send({ api, params }: Visit, { steps }: Answer, etag: string): Promise<void> {
  const path = { workspace_id: params['id'] ?? '' }
  let ifMatch: string | undefined = etag
  for (const step of steps) {
    if ('removeRoleOf' in step) await api.removePartyRole({ path: { ...path, party_id: step.removeRoleOf } })
    else ifMatch = (await api.call('updateTitleReconciliation', { path, body: step.patch, ifMatch })).etag
  }
}

function overview(names: Names, notice?: Markup): View {
  const { part, rows } = names
  const { workspace, address, closed } = part
  return {
    title: `${workspace.reference} names`,
    crumbs: part.crumbs,
    live: `matter:${workspace.workspaceId}`,
    main: html`<h1>The order and the register, side by side</h1>
      <p class="lead">${workspace.titles[0] ? html`Title ${workspace.titles[0].titleNumber}. ` : ''}Names that are close are shown; you decide.</p>
      ${notice}${closed}${summary(names)}
      ${columns(
        rows.map(
          ({ row, answers }) =>
            html`${compared(row)}${!closed && answers.length > 0 && question(address, row, answers)}`,
        ),
      )}`,
  }
}

function question(address: string, row: Row, answers: readonly Answer[]): Markup {
  const isSettled = row.kind === 'agrees' || row.kind === 'comes' || row.kind === 'leaves'
  const form = html`<form method="get" action="${address}/names">
    <fieldset><legend>${isSettled ? 'Undo' : 'What is true'} of ${namesIn(row)}${isSettled ? '' : '?'}</legend>
    ${answers.map(
      ({
        value,
        label,
        hint,
      }) => html`<label class="choice"><input type="radio" name="answer" value="${value}" required${answers.length === 1 && html` checked`}>
        <span>${label} <small>${hint}</small></span></label>`,
    )}</fieldset>
    <button class="${isSettled ? 'secondary' : ''}">Show what this changes</button></form>`
  return isSettled ? html`<details id="undo-${answers[0]?.value}"><summary>Undo this</summary>${form}</details>` : form
}

/** What follows from an answer, before anything is sent. */
function preview({ part, etag }: Names, { row, answer }: Chosen, refused?: Refused): View {
  const { workspace, address } = part
  const [order, register] = namesIn(row, 'both')
  return {
    title: `${workspace.reference} names: check`,
    crumbs: [...part.crumbs, [`${address}/names`, 'Names']],
    main: html`${errorSummary(refused)}
      <h1>Check what this changes</h1>
      <p class="lead">${answer.label}.</p>
      ${columns([compared(row)])}
      <h2>What changes</h2>
      <ul>${answer.effects.map((effect) => html`<li>${effect}</li>`)}</ul>
      <form method="post" action="${address}/names">
        ${hidden({ answer: answer.value, etag, order, register })}
        <p class="actions"><button>${answer.button}</button> <a href="${address}/names">Choose another answer</a></p>
      </form>`,
  }
}

/** Somebody changed the names while this person decided: both versions, and the questions again. */
function stale(visit: Visit, names: Names): View {
  const { form } = visit
  const [order, register] = [form.get('order') ?? '', form.get('register') ?? '']
  const notice = html`<div class="errors" role="alert" tabindex="-1" autofocus>
    <h2>Somebody else changed these names</h2>
    <p>Nothing was sent. You decided about <strong>${order || 'nobody'}</strong> in the order and
      <strong>${register || 'nobody'}</strong> on the register. Below is how they are now: please decide again.</p></div>`
  return { ...overview(names, notice), status: 412 }
}

function summary({ part, status, rows, searchFailure, wait }: Names): Markup {
  const { workspace, address } = part
  const title = workspace.titles[0]
  switch (status) {
    case 'VALID':
      return html`<p class="good" role="status"><strong>Every name agrees.</strong>
        ${workspace.status === 'CREATED' && html`Next: <a href="${address}/representation">say who represents each party</a>.`}</p>`
    case 'PENDING':
      if (!title) {
        return html`<p class="notice">There is nothing to compare with yet. <a href="${address}/title">Give the title number</a> first.</p>`
      }
      return title.lastTitleSearchStatus === 'FAILED'
        ? html`<p class="notice">The registry did not return ${title.titleNumber}${searchFailure && `: ${SEARCH_FAILURE_WORDS[searchFailure]}`} <a href="${address}/title">Give another title number</a>.</p>`
        : html`<p class="notice" role="status">The registry was asked for ${title.titleNumber} and has not answered yet. The names appear here when it does.</p>${wait && registryWait(wait)}`
    case 'TYPE_INVALID':
      return html`<p class="bad"><strong>A person is not a company.</strong> The names that are left are a person’s on one side and a company’s on the other, so nobody can be renamed into the other.</p>`
    case 'COUNT_INVALID': {
      const [ours, theirs] = leftOver(rows)
      return html`<p class="bad"><strong>The numbers differ.</strong> Left over are ${ours} in the order and ${theirs} on the register. Somebody comes to the title or leaves it, or the order is wrong.</p>`
    }
    case 'INVALID': {
      const [ours] = leftOver(rows)
      return html`<p class="bad"><strong>${ours === 1 ? 'One name does' : `${ours} names do`} not agree.</strong> While that is so, the case cannot be approved.</p>`
    }
  }
}

function leftOver(rows: Names['rows']): [number, number] {
  const count = (...kinds: Row['kind'][]) => rows.filter(({ row }) => kinds.includes(row.kind)).length
  return [count('differs', 'order only'), count('differs', 'register only')]
}

const GONE = html`<p class="notice" role="status">That answer does not fit any more: the names changed. Please look again.</p>`

const DONE: Record<string, string> = {
  'order-wrong': 'The borrower was renamed.',
  'name-changed': 'A change of name was added to the case.',
  'two-people': 'A transfer was added to the case.',
  comes: 'A transfer was added to the case.',
  leaves: 'A transfer was added to the case.',
  undo: 'It was undone.',
}

const doneNotice = (kind: string | null): Markup | undefined =>
  kind !== null && Object.hasOwn(DONE, kind) ? html`<p class="good" role="status">${DONE[kind]}</p>` : undefined
