import type { Schemas } from '../../../client/src/index.ts'
import { type Form, hidden, input, list } from '../ui/fields.ts'
import { onceKey } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { CATEGORY_SIDES } from '../words.ts'
import type { Part } from './matter-part.ts'
import { type Line, SIDES, type Side } from './money-lines.ts'
import { accountText, SIDE_WORDS, totalsList } from './money-shown.ts'

// The whole schedule as one form: each side has its lines and an empty one.

export type Money = {
  part: Part
  schedule: Schemas['FinancialSettlementSchedule']
  etag: string
  /** From today on. Empty where the day cannot be changed. */
  days: readonly string[]
}

const ADD_WORDS: Record<Side, string> = { SOURCE: 'Add money that comes in', DESTINATION: 'Add money that goes out' }

export function moneyForm({ part, schedule, etag, days }: Money, form: Form): Markup {
  const { lineItems, totals } = schedule
  return html`<form method="post" action="${part.address}/money" class="money">${hidden({ etag })}${onceKey()}
${list(form, 'completionDate', 'Completion day', dayOptions(days, schedule.completionDate), 'The money moves in the morning. Only business days of England and Wales are listed.')}
<div class="halves">${SIDES.map(
    (side) => html`<section><h2>${SIDE_WORDS[side]}</h2>
${lineItems.filter(({ type }) => type === side).map((line) => lineFields(form, side, line))}
${lineFields(form, side)}</section>`,
  )}</div>
${totalsList(totals)}<p role="status">${totals.difference === 0 ? '' : 'Both sides must agree before the money can be approved.'}</p>
<p class="actions"><button>Save</button> <a href="${part.address}">Back to the matter</a></p></form>`
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  weekday: 'long',
  year: 'numeric',
})

function dayOptions(days: readonly string[], chosen: string | undefined): (readonly [string, string])[] {
  const isPast = chosen !== undefined && !days.includes(chosen)
  const label = (date: string) => DAY.format(new Date(date))
  return [
    ...(chosen === undefined ? [['', 'Choose a day'] as const] : []),
    ...(isPast ? [[chosen, `${label(chosen)} (can no longer be used)`] as const] : []),
    ...days.map((date) => [date, label(date)] as const),
  ]
}

function lineFields(form: Form, side: Side, line?: Line): Markup {
  const row = line?.lineItemId ?? side
  const categories = Object.entries(CATEGORY_SIDES).flatMap(([name, of]) =>
    of === side ? [[name, name] as const] : [],
  )
  return html`<fieldset class="line" data-side="${side}"><legend>${line ? line.category : ADD_WORDS[side]}</legend>
${list(form, `${row}.category`, 'What for', categories)}
${input(form, `${row}.amount`, 'Amount in pounds', { width: 14, keys: 'decimal' })}
${input(form, `${row}.reference`, 'Payment reference', { hint: 'For the payee, 1 to 18 characters.', width: 18 })}
${side === 'DESTINATION' && account(form, row, line?.bankAccount)}
${line && html`<label class="choice"><input type="checkbox" name="${row}.remove" value="yes"${form.values.has(`${row}.remove`) && html` checked`}> Delete this line</label>`}</fieldset>`
}

/** Of a stored account only the last four digits are shown. */
function account(form: Form, row: string, stored: Line['bankAccount']): Markup {
  const name = `${row}.bankAccount`
  const fields = html`${input(form, `${name}.accountName`, 'Name of the account', { width: 35 })}
${input(form, `${name}.sortCode`, 'Sort code', { width: 10, keys: 'numeric', hint: '6 digits, such as 20-40-60.' })}
${input(form, `${name}.accountNumber`, 'Account number', {
  width: 10,
  keys: 'numeric',
  hint: stored ? `8 digits. Left empty, it stays the one that ends in ${stored.accountNumber.slice(-4)}.` : '8 digits.',
})}`
  if (!stored) return fields
  const isWrong = form.refused?.errors.some(({ field = '' }) => field.startsWith(name))
  return html`<details id="account-${row}"${isWrong && html` open`}><summary>To ${accountText(stored)}: change</summary>${fields}</details>`
}
