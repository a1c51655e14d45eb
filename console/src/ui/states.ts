import type { Schemas } from '../../../client/src/index.ts'
import { STATUS_WORDS } from '../words.ts'
import { html, type Markup } from './html.ts'
import { dateTime, shortDay, shortDayText } from './time.ts'

// The life of a matter: as a strip, and as the diagram of this one matter.

type Status = Schemas['Workspace']['status']
type Happened = Pick<Schemas['TimelineRecord'], 'type' | 'at' | 'by'>

export type Edge = { from: Status; to: Status; says: string; who: string; event: Happened['type'] }

const edge = (from: Status, to: Status, event: Happened['type'], who: string, says: string): Edge => ({
  from,
  to,
  event,
  who,
  says,
})

/** Every way from one status to another: what it is, who may go it, and the event that tells of it. */
export const EDGES: readonly Edge[] = [
  edge('CREATED', 'PREPARED', 'WORKSPACE_PREPARED', 'an approver of the law firm', 'case and money approved'),
  edge('CREATED', 'CANCELLED', 'WORKSPACE_CANCELLED', 'lender or law firm', 'cancelled'),
  edge('PREPARED', 'CREATED', 'WORKSPACE_REVERTED_TO_CREATED', 'an approver of the law firm', 'approval taken back'),
  edge('PREPARED', 'FUNDS_AUTHORISED', 'WORKSPACE_FUNDS_AUTHORISED', 'an approver of the lender', 'funds authorised'),
  edge('PREPARED', 'CANCELLED', 'WORKSPACE_CANCELLED', 'lender or law firm', 'cancelled'),
  edge(
    'FUNDS_AUTHORISED',
    'PREPARED',
    'WORKSPACE_FUNDS_UNAUTHORISED',
    'the lender, or the bank',
    'authorisation ended',
  ),
  edge('FUNDS_AUTHORISED', 'FUNDS_EXCHANGED', 'WORKSPACE_FUNDS_EXCHANGED', 'the bank', 'money moved'),
  edge('FUNDS_AUTHORISED', 'CANCELLED', 'WORKSPACE_CANCELLED', 'lender or law firm', 'cancelled'),
  edge('FUNDS_EXCHANGED', 'LODGED', 'WORKSPACE_LODGED', 'the registry', 'accepted'),
  edge('FUNDS_EXCHANGED', 'FUNDS_EXCHANGED', 'LODGEMENT_REJECTED', 'the registry', 'rejected'),
  edge('LODGED', 'REQUISITIONED', 'WORKSPACE_REQUISITIONED', 'the registry', 'requisition'),
  edge('LODGED', 'FUNDS_EXCHANGED', 'LODGEMENT_REJECTED', 'the registry', 'rejected'),
  edge('LODGED', 'CLOSED', 'WORKSPACE_CLOSED', 'the registry', 'registered'),
  edge('REQUISITIONED', 'LODGED', 'WORKSPACE_LODGED', 'the registry', 'answer accepted'),
  edge('REQUISITIONED', 'FUNDS_EXCHANGED', 'LODGEMENT_REJECTED', 'the registry', 'rejected'),
]

export type Step = Edge & Pick<Happened, 'at' | 'by'>

/** The ways that a matter went, oldest first, from what happened to it. */
export function stepsOf(happened: readonly Happened[]): Step[] {
  let status: Status = 'CREATED'
  return happened.flatMap(({ type, at, by }) => {
    const found = EDGES.find(({ from, event }) => from === status && event === type)
    if (!found) return []
    status = found.to
    return [{ ...found, at, by }]
  })
}

const STRIP: readonly Status[] = ['CREATED', 'PREPARED', 'FUNDS_AUTHORISED', 'FUNDS_EXCHANGED', 'LODGED', 'CLOSED']

export function stateStrip(status: Status, createdAt: string, steps: readonly Step[]): Markup {
  const ended = status === 'CANCELLED' ? steps.at(-1)?.from : undefined
  const at = STRIP.indexOf(status === 'REQUISITIONED' ? 'LODGED' : (ended ?? status))
  const reached = (one: Status) => (one === 'CREATED' ? createdAt : steps.findLast(({ to }) => to === one)?.at)
  const shown = STRIP.slice(0, ended ? at + 1 : undefined).map((one, index) => {
    const isHere = !ended && index === at
    const date = index <= at ? reached(one) : undefined
    const words = isHere ? STATUS_WORDS[status] : STATUS_WORDS[one]
    return html`<li${index < at || ended ? html` class="past"` : isHere && html` aria-current="step"`}>${words}${date && html` ${shortDay(date)}`}</li>`
  })
  return html`<ol class="strip" aria-label="Where the matter is">${shown}${ended && html`<li aria-current="step">${STATUS_WORDS.CANCELLED} ${shortDay(steps.at(-1)?.at ?? createdAt)}</li>`}</ol>`
}

// The diagram: boxes in two rows, placed by hand.

const [WIDE, HIGH, BOX_WIDE, BOX_HIGH] = [1130, 300, 130, 40] as const
const column = (index: number) => 10 + index * 196
const PLACES: Record<Status, readonly [x: number, y: number]> = {
  CREATED: [column(0), 110],
  PREPARED: [column(1), 110],
  FUNDS_AUTHORISED: [column(2), 110],
  FUNDS_EXCHANGED: [column(3), 110],
  LODGED: [column(4), 110],
  CLOSED: [column(5), 110],
  CANCELLED: [column(1), 240],
  REQUISITIONED: [column(4), 240],
}

/** Where this matter has been, and where it can go next. The same as a list is beside it. */
export function stateDiagram(status: Status, steps: readonly Step[]): Markup {
  const past = new Map(steps.map((step) => [`${step.from} ${step.to}`, step]))
  const visited = new Set<Status>(['CREATED', ...steps.map(({ to }) => to)])
  const next = EDGES.filter(({ from }) => from === status)
  return html`<svg class="diagram" viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label="The states of this matter. The list below says the same.">
<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L10 5L0 10z"/></marker></defs>
${EDGES.map((one) => line(one, past.get(`${one.from} ${one.to}`), one.from === status))}
${(Object.keys(PLACES) as Status[]).map((one) => box(one, one === status ? 'here' : visited.has(one) ? 'past' : ''))}</svg>
<div class="columns"><div><h2>The way so far</h2>${
    steps.length > 0
      ? html`<ol>${steps.map(({ to, says, at, by }) => html`<li>${STATUS_WORDS[to]}: ${says}, ${dateTime(at)}, ${by}</li>`)}</ol>`
      : html`<p>It has not moved yet.</p>`
  }</div>
<div><h2>Possible next</h2>${
    next.length > 0
      ? html`<ul>${next.map(({ to, says, who }) => html`<li>${STATUS_WORDS[to]}: ${says}, by ${who}</li>`)}</ul>`
      : html`<p>Nothing: the matter has ended.</p>`
  }</div></div>`
}

const box = (status: Status, kind: string) => {
  const [x, y] = PLACES[status]
  return html`<g class="${kind}"><rect x="${x}" y="${y}" width="${BOX_WIDE}" height="${BOX_HIGH}" rx="4"/><text x="${x + BOX_WIDE / 2}" y="${y + 25}" text-anchor="middle">${STATUS_WORDS[status].replace(' to answer', '')}</text></g>`
}

function line({ from, to, says }: Edge, step: Step | undefined, isNext: boolean): Markup {
  const { path, label } = courseOf(from, to)
  const kind = step ? 'past' : isNext ? 'next' : ''
  return html`<path class="${kind}" d="${path}" marker-end="url(#arrow)"/>${
    (step || isNext) &&
    html`<text class="label" x="${label[0]}" y="${label[1]}" text-anchor="middle">${says}${step && ` ${shortDayText(step.at)}`}</text>`
  }`
}

/** Forward is straight, back is an arc above, to and from the second row a curve. */
function courseOf(from: Status, to: Status): { path: string; label: readonly [number, number] } {
  const [[x1, y1], [x2, y2]] = [PLACES[from], PLACES[to]]
  const [middle1, middle2] = [x1 + BOX_WIDE / 2, x2 + BOX_WIDE / 2]
  if (from === to) {
    return {
      path: `M${middle1 - 30} ${y1}C${middle1 - 40} 60 ${middle1 + 40} 60 ${middle1 + 30} ${y1}`,
      label: [middle1, 64],
    }
  }
  if (y1 !== y2) {
    const [start, end] = y1 < y2 ? [y1 + BOX_HIGH, y2] : [y1, y2 + BOX_HIGH]
    // Both ways between the same two boxes: side by side.
    const aside = middle1 === middle2 ? (y1 < y2 ? -25 : 25) : 0
    const [a, b] = [middle1 + aside, middle2 + aside]
    const half = (start + end) / 2
    return { path: `M${a} ${start}C${a} ${half} ${b} ${half} ${b} ${end}`, label: [(a + b) / 2 + aside * 2, half + 16] }
  }
  if (x1 < x2)
    return { path: `M${x1 + BOX_WIDE} ${y1 + 20}H${x2}`, label: [(x1 + BOX_WIDE + x2) / 2, y1 + BOX_HIGH + 16] }
  return {
    path: `M${middle1} ${y1}C${middle1} 30 ${middle2} 30 ${middle2} ${y2}`,
    label: [(middle1 + middle2) / 2, 44],
  }
}
