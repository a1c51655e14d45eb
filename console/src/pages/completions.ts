import type { Schemas } from '../../../client/src/index.ts'
import type { Page, Visit } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'
import { pounds } from '../ui/money.ts'
import { counted, day, daysBetween, londonDate, londonMinutes, shortWeekday } from '../ui/time.ts'
import { isOurs, whoOf } from '../ui/turn.ts'
import { TASK_WORDS } from '../words.ts'

type Completion = Schemas['Completion']

const DAYS = 10
const CARDS = 100
const AHEAD_DAYS = 13 // ten business days are at least that many
const NINE = 9 * 60

/** What completes when, and what is in its way. */
export const completions: Page = {
  async show(visit) {
    const { api, url, now } = visit
    const today = londonDate(now)
    const asked = dayOf(url)
    const isNear = asked === undefined || (asked >= today && daysBetween(today, asked) <= AHEAD_DAYS)
    const { records: days } = await api.listCompletionDays({ query: { from: isNear ? today : asked, limit: DAYS } })
    const date = asked ?? days[0]?.date ?? today
    const cursor = url.searchParams.get('cursor')
    const query = { date, limit: CARDS, ...(cursor && { cursor }) }
    const { records, nextCursor } = await api.listCompletions({ query })
    return {
      title: 'Completions',
      live: 'matters',
      main: html`<h1>Completions</h1>
<nav aria-label="Days"><ol class="days">${days.map((one) => dayLink(one, date))}</ol></nav>
<h2>${day(date)}</h2>${clock(visit, date, records)}
${records.length > 0 ? board(visit, records) : empty(date, days)}
${nextCursor && html`<p class="pages"><a href="?day=${date}&amp;cursor=${nextCursor}">Next ${CARDS}</a></p>`}`,
    }
  },
}

function dayOf({ searchParams }: URL): string | undefined {
  const text = searchParams.get('day') ?? ''
  return /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined
}

const dayLink = ({ date, count, amount, notReady }: Schemas['CompletionDay'], current: string) =>
  html`<li id="day-${date}"><a href="?day=${date}"${date === current && html` aria-current="date"`}><strong>${shortWeekday(date)}</strong><br>${
    count === 0 ? 'none' : html`${count} · ${pounds(amount)}`
  }${notReady > 0 && html`<br><span class="tag is-warn">${notReady} not ready</span>`}</a></li>`

/** How long it is until the money moves; after that, what the bank refused. */
function clock({ now }: Visit, date: string, records: readonly Completion[]): Markup | undefined {
  if (records.length === 0) return undefined
  const refused = records.filter(isRefused)
  const failures =
    refused.length > 0 &&
    html`<div class="errors"><h2>${counted(refused.length, 'payment')} refused</h2><ul>${refused.map(
      ({ workspaceId, reference, refusal }) =>
        html`<li><a href="/console/matters/${workspaceId}">${reference}</a>: ${refusal}</li>`,
    )}</ul></div>`
  const left = NINE - londonMinutes(now)
  const isToday = date === londonDate(now)
  const says =
    isToday && left > 0
      ? html`<p class="notice" data-each-minute>The money moves at 09:00, in ${left >= 60 && html`${Math.floor(left / 60)} h `}${left % 60} min.</p>`
      : isToday && html`<p class="lead">It is after 09:00: what was authorised is being paid.</p>`
  return html`${failures}${says}`
}

const isRefused = ({ refusal, status }: Completion) =>
  refusal !== undefined && (status === 'CREATED' || status === 'PREPARED')

const COLUMNS: readonly (readonly [label: string, has: (one: Completion) => boolean])[] = [
  ['Not approved', (one) => one.status === 'CREATED' && !isRefused(one)],
  ['Waiting for the lender', (one) => one.status === 'PREPARED' && !isRefused(one)],
  ['Authorised', (one) => one.status === 'FUNDS_AUTHORISED'],
  ['Paid', (one) => one.status === 'FUNDS_EXCHANGED'],
  ['Refused', isRefused],
  ['At the registry', ({ status }) => status === 'LODGED' || status === 'REQUISITIONED' || status === 'CLOSED'],
]

function board(visit: Visit, records: readonly Completion[]): Markup {
  return html`<div class="board">${COLUMNS.map(([label, has]) => {
    const found = records.filter(has)
    return html`<section><h3>${label} <small>${found.length}</small></h3>${
      found.length > 0 && html`<ul>${found.map((one) => card(visit, one))}</ul>`
    }</section>`
  })}</div>`
}

function card({ session }: Visit, { workspaceId, reference, workspaceReferenceId, amount, turn }: Completion): Markup {
  return html`<li id="matter-${workspaceId}"><a href="/console/matters/${workspaceId}">${reference}</a> <small>${workspaceReferenceId}</small>
<p class="number">${pounds(amount)}</p>${
    turn &&
    html`<p class="small">${isOurs(session, turn.who) ? html`<strong>Your turn:</strong> ` : `${whoOf(session, turn.who)}: `}${TASK_WORDS[turn.task].short}</p>`
  }</li>`
}

const WEEKEND: Record<number, string> = { 0: 'Sunday', 6: 'Saturday' }

/** No money moves on a weekend or a bank holiday. */
function empty(date: string, days: readonly Schemas['CompletionDay'][]): Markup {
  const isBusinessDay = days.some((one) => one.date === date)
  const weekend = WEEKEND[new Date(date).getUTCDay()]
  const next = days.find((one) => one.date > date && one.count > 0)
  return html`<p class="notice"><strong>No completions on ${day(date)}.</strong> ${
    !isBusinessDay && `It is a ${weekend ?? 'bank holiday'}: no money moves. `
  }${
    next
      ? html`The next day that has some is <a href="?day=${next.date}">${day(next.date)}</a>.`
      : 'None of these days has any.'
  }</p>`
}
