import type { Schemas } from '../../../client/src/index.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { undecidedBy } from '../ui/decide.ts'
import { attempt, errorSummary, field, onceKey, type Refused, signInAgain } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { pounds } from '../ui/money.ts'
import { dateTime, day } from '../ui/time.ts'
import { type Asked, askedOf, differencesOf, expectedOf } from './authorise-compare.ts'
import { forbidden } from './errors.ts'
import { addressOf } from './matter.ts'
import { nameOf } from './matter-facts.ts'

/** The lender lets the money go. Date and amount are typed, and sent only if they are those of the schedule. */
export const authorise: Page = {
  async show(visit) {
    return isLender(visit) ? view(visit, await load(visit)) : OTHER_SIDE
  },

  async change(visit) {
    if (!isLender(visit)) return OTHER_SIDE
    const seen = await load(visit)
    const { form } = visit
    const isTakenBack = form.get('what') === 'take back'
    const asked = isTakenBack ? expectedOf(seen.schedule) : askedOf(form)
    if ('errors' in asked) return view(visit, seen, { refused: { status: 400, errors: asked.errors } })
    if (!isTakenBack && differencesOf(asked, seen.schedule).length > 0) return view(visit, seen, { asked })
    const sent = await attempt(send(visit, asked, !isTakenBack))
    if (sent.refused) return view(visit, await load(visit), sent)
    // The law firm may have changed the schedule in the same moment.
    if (!isTakenBack && !sent.done.matched) return view(visit, await load(visit), { asked })
    return goTo(`/console/matters/${seen.workspace.workspaceId}/authorise?done=${isTakenBack ? 'back' : 'yes'}`)
  },
}

const OTHER_SIDE = forbidden('approver', 'of the lender')
const FIELDS = ['completionDate', 'lineItem.amount']

const isLender = ({ session }: Visit) => session.person.subscriber?.kind === 'LENDER'

const send = ({ api, params, form }: Visit, { completionDate, amount }: Asked, authorised: boolean) =>
  api.authoriseFunds({
    path: { workspace_id: params['id'] ?? '' },
    idempotencyKey: form.get('key') ?? undefined,
    body: { completionDate, lineItem: { authorised, category: 'Mortgage Advance', amount } },
  })

type Seen = {
  workspace: Schemas['Workspace']
  schedule: Schemas['FinancialSettlementSchedule']
  people: readonly Schemas['Approver'][]
}

async function load({ api, params }: Visit): Promise<Seen> {
  const id = params['id'] ?? ''
  const [workspace, { records }, { records: people }] = await Promise.all([
    api.getWorkspace({ path: { workspace_id: id } }),
    api.getFinancialSettlementSchedules({ query: { workspace_id: id } }),
    api.listApprovers({ path: { workspace_id: id } }),
  ])
  const [schedule] = records
  if (!schedule) throw new Error('A matter has a schedule.')
  return { workspace, schedule, people }
}

function view(visit: Visit, seen: Seen, { refused, asked }: { refused?: Refused; asked?: Asked } = {}): View {
  const { reference, workspaceId, securityAddress, participants, parties } = seen.workspace
  const firm = participants.find(({ role }) => role === 'CONVEYANCER')?.name ?? 'the law firm'
  return {
    title: `${reference} authorise`,
    crumbs: [[`/console/matters/${workspaceId}`, reference]],
    ...(refused && { status: refused.status }),
    ...(asked && { status: 409 }),
    main: html`${errorSummary(refused, FIELDS, 'Nothing was sent')}${signInAgain(visit, refused)}${asked && bothSides(asked, seen, firm)}
<h1>Authorise the funds of ${reference}</h1>
<p class="lead">${addressOf(securityAddress)} · ${parties.map(({ partyDetails }) => nameOf(partyDetails)).join(', ')} · ${firm}</p>
${decision(visit, seen, refused)}`,
  }
}

/** What was typed beside what the schedule has. */
function bothSides(asked: Asked, { schedule }: Seen, firm: string): Markup {
  const [expected, differences] = [expectedOf(schedule), differencesOf(asked, schedule)]
  const line = (label: string, typed: Markup, has: Markup, differs: boolean) =>
    html`<tr><th scope="row">${label}</th><td>${typed}</td><td>${has}</td><td>${differs ? html`<span class="tag is-bad">differs</span>` : html`<span class="tag is-good">the same</span>`}</td></tr>`
  return html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>They differ: nothing was authorised</h2>
<table><thead><tr><th scope="col"><span class="hidden">What</span></th><th scope="col">You typed</th><th scope="col">The schedule has</th><th scope="col"><span class="hidden">Compared</span></th></tr></thead><tbody>
${line('Completion day', day(asked.completionDate), expected.completionDate ? day(expected.completionDate) : html`–`, differences.includes('COMPLETION_DATE'))}
${line('Advance', html`${pounds(asked.amount)}`, html`${pounds(expected.amount)}`, differences.includes('AMOUNT'))}</tbody></table>
<p>If you mistyped, correct it below. If the schedule is wrong, ${firm} must take back its approval and correct it.</p></div>`
}

function decision(visit: Visit, { workspace, schedule, people }: Seen, refused?: Refused): Markup {
  const { status, workspaceId, turn } = workspace
  const { completionDate } = schedule
  const done = visit.url.searchParams.get('done')
  if (status !== 'PREPARED' && status !== 'FUNDS_AUTHORISED') {
    return html`<p class="notice">${status === 'CREATED' ? 'The law firm has not approved the matter yet: there is nothing to authorise.' : 'The funds can no longer be authorised or taken back here.'} <a href="/console/matters/${workspaceId}">See the matter</a></p>`
  }
  const undecided = undecidedBy(visit, people, 'FUNDS')
  if (status === 'FUNDS_AUTHORISED') {
    return html`<p class="good" role="status"><strong>The funds are authorised.</strong> ${completionDate && html`Next, ${pounds(expectedOf(schedule).amount)} moves on ${day(completionDate)} at 09:00.`}</p>
${undecided ?? takeBack()}`
  }
  const form = html`<form method="post" action="?">${onceKey()}
${input(visit, 'completionDate', 'Completion day', 'From your own records, not from the schedule.', 'date', refused)}
${input(visit, 'lineItem.amount', 'Advance in pounds', 'In pounds and pence, such as 150,000.00', 'text', refused)}
<p>You are ${visit.session.person.name}. If both are those of the schedule, the money moves at 09:00 on completion day. Until that day begins you can take it back.</p>
<p class="actions"><button>Authorise the funds of ${workspace.reference}</button></p></form>`
  return html`${done === 'back' && html`<p class="good" role="status">The authorisation was taken back. The money does not move unless the funds are authorised again.</p>`}
${turn?.task === 'AUTHORISE' && turn.dueAt && html`<p>Due ${dateTime(turn.dueAt)}.</p>`}${undecided ?? form}`
}

const takeBack = () =>
  html`<details id="back"><summary>Take the authorisation back</summary><form method="post" action="?">${onceKey()}<input type="hidden" name="what" value="take back">
<p>Possible until completion day begins. The law firm sees it at once.</p>
<p class="actions"><button class="danger">Take back the authorisation</button></p></form></details>`

const input = ({ form }: Visit, name: string, label: string, hint: string, type: string, refused?: Refused) =>
  field({
    name,
    label,
    hint,
    refused,
    control: (attributes) =>
      html`<input type="${type}"${attributes} value="${form.get(name) ?? ''}" required autocomplete="off"${type === 'text' && html` inputmode="decimal"`}>`,
  })
