import type { Schemas } from '../../../client/src/index.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { type Form, hidden, input } from '../ui/fields.ts'
import { attempt, errorSummary, field, onceKey, signInAgain } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { pounds } from '../ui/money.ts'
import { wrongSide } from './errors.ts'
import type { Line } from './money-lines.ts'
import { accountText, paymentText } from './money-shown.ts'

/** Where the law firm pays from its own account: each line is confirmed when its money has moved. */
export const pay: Page = {
  show: async (visit) => (isFirm(visit) ? shown(visit, await load(visit)) : REFUSAL),

  async change(visit) {
    if (!isFirm(visit)) return REFUSAL
    const found = await load(visit)
    const { refused } = await attempt(perform(visit, found))
    if (!refused) return goTo(`/console/matters/${found.workspace.workspaceId}/pay`)
    return { ...shown(visit, found, { values: visit.form, refused }), status: refused.status }
  },
}

const REFUSAL = wrongSide('Only the law firm pays.')

const isFirm = ({ session }: Visit) => session.person.subscriber?.kind === 'LAW_FIRM'

type Found = { workspace: Schemas['Workspace']; schedule: Schemas['FinancialSettlementSchedule'] }

async function load({ api, params }: Visit): Promise<Found> {
  const path = { workspace_id: params['id'] ?? '' }
  const [workspace, { records }] = await Promise.all([
    api.getWorkspace({ path }),
    api.getFinancialSettlementSchedules({ query: path }),
  ])
  const [schedule] = records
  if (!schedule) throw new Error('A matter has a settlement schedule.')
  return { workspace, schedule }
}

function perform({ api, form, session }: Visit, { schedule }: Found): Promise<unknown> {
  const path = { financial_settlement_schedule_id: schedule.financialSettlementScheduleId }
  const confirmedBy = session.person.email
  const text = (name: string) => form.get(name)?.trim() ?? ''
  if (form.has('reason')) {
    const body = { reason: text('reason'), confirmedBy }
    return api.reportPaymentFailure({ path, body, idempotencyKey: form.get('key') ?? undefined })
  }
  const one = { ...path, line_item_id: text('line') }
  if (form.has('undo')) return api.deleteLineItemPayment({ path: one })
  const body = { paidOn: text('paidOn'), bankReference: text('bankReference'), confirmedBy }
  return api.confirmLineItemPayment({ path: one, body })
}

const EMPTY: Form = { values: new URLSearchParams() }

function shown(visit: Visit, { workspace, schedule }: Found, form = EMPTY): View {
  const { workspaceId, reference } = workspace
  const { lineItems, status } = schedule
  const matter = `/console/matters/${workspaceId}`
  const chosen = form.values.get('line') ?? visit.url.searchParams.get('line')
  const line = lineItems.find(({ lineItemId, payment }) => lineItemId === chosen && !payment)
  const isPaying = status === 'PAYING'
  return {
    title: `${reference} pay`,
    crumbs: [[matter, reference]],
    live: `matter:${workspaceId}`,
    main: html`${errorSummary(form.refused, ['paidOn', 'bankReference', 'reason'])}${signInAgain(visit, form.refused)}<h1>Make the payments</h1>
${
  isPaying
    ? html`<p>Pay from your own account, then confirm each line. Nobody confirms a line that they changed. With the last one the case goes to the registry.</p>
<p><a href="${matter}/pay/PAIN_001" download>Payment file for your bank (ISO 20022)</a> · <a href="${matter}/pay/CSV" download>CSV</a></p>`
    : html`<p class="notice">There is nothing to pay here now. <a href="${matter}/money">See the money</a></p>`
}
<ul class="tasks">${lineItems.map((one) => html`<li id="line-${one.lineItemId}"><div>${lineState(one)}</div>${isPaying && action(matter, one)}</li>`)}</ul>
${isPaying && line && confirmForm(matter, line, form)}
${isPaying && lineItems.every(({ payment }) => !payment) && failureForm(matter, form)}`,
  }
}

const moved = ({ type }: Line) => (type === 'SOURCE' ? 'received' : 'paid')

const lineState = (line: Line): Markup =>
  html`<strong>${line.category}, ${pounds(line.amount)}</strong><br><small>Reference ${line.reference}${line.bankAccount && `, to ${accountText(line.bankAccount)}`}</small>
${line.payment && html`<br>${paymentText(line)}`}`

const action = (matter: string, line: Line): Markup =>
  line.payment
    ? html`<form method="post" action="${matter}/pay">${hidden({ line: line.lineItemId, undo: 'yes' })}<button class="secondary">Take it back<span class="hidden">: ${line.category}</span></button></form>`
    : html`<a class="button" href="${matter}/pay?line=${line.lineItemId}#confirm">Confirm<span class="hidden">: ${line.category}</span></a>`

const confirmForm = (matter: string, line: Line, form: Form): Markup =>
  html`<h2 id="confirm">${line.category}: ${pounds(line.amount)}</h2><form method="post" action="${matter}/pay">${hidden({ line: line.lineItemId })}
${field({
  name: 'paidOn',
  label: 'On which day?',
  refused: form.refused,
  control: (attributes) => html`<input type="date"${attributes} value="${form.values.get('paidOn') ?? ''}" required>`,
})}
${input(form, 'bankReference', 'Reference of the bank', { hint: 'From the statement of the account.', width: 35 })}
<p class="actions"><button>Confirm that ${pounds(line.amount)} was ${moved(line)}</button> <a href="${matter}/pay">Back</a></p></form>`

/** The consequence is on the page and on the button. */
const failureForm = (matter: string, { values, refused }: Form): Markup =>
  html`<details id="failure"${values.has('reason') && html` open`}><summary>It cannot be paid</summary><form method="post" action="${matter}/pay">${onceKey()}
<p>The authorisation of the funds is withdrawn. The lender sees the reason, and can authorise again.</p>
${field({
  name: 'reason',
  label: 'Why not?',
  refused,
  control: (attributes) =>
    html`<textarea${attributes} required maxlength="500">${values.get('reason') ?? ''}</textarea>`,
})}
<p class="actions"><button class="danger">Withdraw the authorisation</button></p></form></details>`
