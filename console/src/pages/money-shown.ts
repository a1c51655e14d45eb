import type { Schemas } from '../../../client/src/index.ts'
import { html, type Markup } from '../ui/html.ts'
import { pounds } from '../ui/money.ts'
import { dateTime, day } from '../ui/time.ts'
import { SCHEDULE_WORDS } from '../words.ts'
import { type Line, masked, SIDES, type Side, sortCode } from './money-lines.ts'

// The money where it is only read, and the words for a line.

type Schedule = Schemas['FinancialSettlementSchedule']

export const SIDE_WORDS: Record<Side, string> = { SOURCE: 'Comes in', DESTINATION: 'Goes out' }

export const accountText = ({ accountName, sortCode: digits, accountNumber }: NonNullable<Line['bankAccount']>) =>
  `${accountName}, ${sortCode(digits)}, account ${masked(accountNumber)}`

export const lineText = ({ category, amount, reference, bankAccount }: Line): string =>
  [`${category}, ${pounds(amount)}, reference ${reference}`, bankAccount && accountText(bankAccount)]
    .filter(Boolean)
    .join(', ')

/** What a person confirmed of a line. */
export const paymentText = ({ type, payment }: Line): Markup | undefined =>
  payment &&
  html`${type === 'SOURCE' ? 'Received' : 'Paid'} ${day(payment.paidOn)}, ${payment.bankReference}, confirmed by ${payment.confirmedBy}`

/** A receipt, once it is paid. */
export function moneyShown({ status, completionDate, lineItems, totals, approvals, settlement }: Schedule): Markup {
  const approval = approvals.findLast(({ action }) => action === 'APPROVE')
  return html`<dl class="summary">
<div><dt>State</dt><dd>${SCHEDULE_WORDS[status]} <code>${status}</code></dd></div>
<div><dt>Completion day</dt><dd>${completionDate ? day(completionDate) : 'No day yet'}</dd></div>
${settlement && html`<div><dt>Paid</dt><dd>${dateTime(settlement.at)}${settlement.scheme && `, by ${settlement.scheme}`}</dd></div>`}
${settlement?.paymentReference && html`<div><dt>Payment reference</dt><dd>${settlement.paymentReference}</dd></div>`}
${status !== 'DRAFT' && approval && html`<div><dt>Approved by</dt><dd>${approval.approvedBy}, ${dateTime(approval.at)}</dd></div>`}</dl>
<div class="halves">${SIDES.map((side) => column(side, lineItems))}</div>
${totalsList(totals)}`
}

function column(side: Side, lines: readonly Line[]): Markup {
  const ours = lines.filter(({ type }) => type === side)
  return html`<section><h2>${SIDE_WORDS[side]}</h2>${ours.length === 0 && html`<p>Nothing yet.</p>`}
<dl class="summary">${ours.map(
    (line) =>
      html`<div id="line-${line.lineItemId}"><dt>${line.category}</dt><dd><strong class="number">${pounds(line.amount)}</strong><br>
<small>Reference ${line.reference}${line.bankAccount && html`<br>${accountText(line.bankAccount)}`}${line.payment && html`<br>${paymentText(line)}`}</small></dd></div>`,
  )}</dl></section>`
}

export const totalsList = ({ sources, destinations, difference }: Schedule['totals']): Markup =>
  html`<dl class="summary totals"><div><dt>Comes in</dt><dd class="number" data-sum="SOURCE">${pounds(sources)}</dd></div>
<div><dt>Goes out</dt><dd class="number" data-sum="DESTINATION">${pounds(destinations)}</dd></div>
<div><dt>Difference</dt><dd class="number" data-sum="difference">${pounds(difference)}</dd></div></dl>`
