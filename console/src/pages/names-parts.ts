import { html, type Markup } from '../ui/html.ts'
import { compareLetters, foldName, type Run } from '../ui/letters.ts'
import { nameOf, type Row } from './names-rows.ts'

/** The rows under the headings of both sides. */
export const columns = (rows: readonly Markup[]): Markup => html`<div class="names">
  <p class="sides" aria-hidden="true"><span>In the order</span><span></span><span>On the register</span></p>
  <ol>${rows.map((row) => html`<li>${row}</li>`)}</ol></div>`

/** Both names of a row, with the letters that differ marked, and how they compare. */
export function compared(row: Row): Markup {
  const [order, register] = namesIn(row, 'both')
  const isLoud = row.kind === 'differs' || row.kind === 'order only' || row.kind === 'register only'
  const { ours, theirs } =
    row.kind === 'differs' ? compareLetters(order, register) : { ours: plain(order), theirs: plain(register) }
  return html`<div class="pair ${isLoud ? 'differs' : 'agrees'}">
    <p><span class="hidden">In the order: </span>${order ? marked(ours) : html`<em>no counterpart</em>`}</p>
    <p class="why">${whyOf(row)}</p>
    <p><span class="hidden">On the register: </span>${register ? marked(theirs) : html`<em>${row.kind === 'comes' ? 'not yet' : 'no counterpart'}</em>`}</p></div>`
}

/** For a sentence: the names of a row; or both sides apart, empty where there is nobody. */
export function namesIn(row: Row): string
export function namesIn(row: Row, sides: 'both'): [order: string, register: string]
export function namesIn(row: Row, sides?: 'both'): string | [string, string] {
  const both = bothOf(row)
  if (sides) return both
  const [order, register] = both
  if (!order || !register || foldName(order) === foldName(register)) return order || register
  return `${order} and ${register}`
}

function bothOf(row: Row): [string, string] {
  switch (row.kind) {
    case 'differs':
      return [nameOf(row.party.partyDetails), nameOf(row.proprietor.proprietorDetails)]
    case 'order only':
    case 'comes':
      return [nameOf(row.party.partyDetails), '']
    case 'register only':
      return ['', nameOf(row.proprietor.proprietorDetails)]
    case 'leaves':
      return ['', nameOf(row.registered ?? row.party.partyDetails)]
    case 'agrees': {
      const name = nameOf(row.party.partyDetails)
      return [name, row.registered ? nameOf(row.registered) : row.party.match === 'PENDING' ? '' : name]
    }
  }
}

function whyOf(row: Row): string {
  switch (row.kind) {
    case 'differs':
      return row.reasons.join(', ')
    case 'order only':
      return 'nobody on the register has this name'
    case 'register only':
      return 'nobody in the order has this name'
    case 'comes':
      return 'becomes an owner'
    case 'leaves':
      return 'gives up ownership'
    case 'agrees':
      if (row.party.match === 'PENDING') return 'not compared yet'
      return isRenamed(row) ? 'the name changed' : 'the same'
  }
}

const isRenamed = (row: Row) => {
  const [order, register] = bothOf(row)
  return foldName(order) !== foldName(register)
}

const plain = (text: string): Run[] => [{ text, differs: false }]

const marked = (runs: readonly Run[]): Markup[] =>
  runs.map(({ text, differs }) => (differs ? html`<mark>${text}</mark>` : html`${text}`))
