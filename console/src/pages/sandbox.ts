import type { Schemas } from '../../../client/src/index.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { attempt, errorSummary, onceKey, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { dateTime } from '../ui/time.ts'
import { faults, newSubscriber, others, people, scenarios, specimens } from './sandbox-parts.ts'

type Due = Schemas['DueRecord']

const SOON = 5
const WAIT_MS = 600_000 // a long way for the clock, or a reset, takes its time

/** What the sandbox can do by a click. The interface can do all of it, too. */
export const sandbox: Page = {
  async show(visit) {
    const done = await moves.get(visit.url.searchParams.get('moved') ?? '')
    return page(visit, done && { outcome: moved(done) })
  },

  async change(visit) {
    const { api, form } = visit
    const key = form.get('key') ?? ''
    switch (form.get('do')) {
      case 'run': {
        const [until, name] = [form.get('until'), form.get('scenario') ?? '']
        const body = until ? { until } : {}
        const started = await attempt(api.runScenario({ path: { name }, body, idempotencyKey: key }))
        return started.refused ? page(visit, started) : goTo(`/console/sandbox/${started.done.runId}`)
      }
      case 'clock': {
        const move = () => api.moveClock({ body: moveOf(form), timeoutMs: WAIT_MS })
        const { refused } = await attempt(moveOnce(key, move))
        return refused ? page(visit, { refused }) : goTo(`/console/sandbox?moved=${encodeURIComponent(key)}`)
      }
      case 'maintenance': {
        const enabled = form.get('enabled') === 'yes'
        await api.setMaintenance({ body: { enabled } })
        return page(visit, {
          outcome: html`<p>Maintenance is ${enabled ? 'on: every other page answers 503' : 'off'}.</p>`,
        })
      }
      case 'subscriber': {
        const kind = form.get('kind') === 'LENDER' ? 'LENDER' : 'LAW_FIRM'
        const body = { kind, name: form.get('name') ?? '' } as const
        const result = await attempt(api.addSandboxSubscriber({ body, idempotencyKey: key }))
        return page(visit, result.refused ? result : { outcome: added(body.name, result.done) })
      }
      case 'end-faults':
        await api.endFaults({ path: { client_id: form.get('client') ?? '' } })
        return page(visit, { outcome: html`<p>The faults have ended.</p>` })
      case 'reset':
        await api.resetSandbox({ timeoutMs: WAIT_MS })
        return goTo('/console/sandbox') // nobody is signed in any more
      default:
        return page(visit)
    }
  },
}

type Moved = Schemas['MoveClockAnswer']

const MOVES_MAX = 20
/** What the last moves did, by the keys of their forms. A form that is sent twice moves once, and a reload moves nothing. */
const moves = new Map<string, Promise<Moved>>()

function moveOnce(key: string, move: () => Promise<Moved>): Promise<Moved> {
  const known = moves.get(key)
  if (known) return known
  const moving = move()
  moves.set(key, moving)
  moving.catch(() => moves.delete(key))
  for (const oldest of [...moves.keys()].slice(0, -MOVES_MAX)) moves.delete(oldest)
  return moving
}

const moveOf = (form: URLSearchParams) => {
  const [advance, date] = [form.get('advance'), form.get('set')]
  if (advance) return { advance }
  return date === null ? ({ to: 'next' } as const) : { set: `${date}T09:00:00Z` }
}

const moved = ({ now, ran, due }: Moved): Markup =>
  html`<p>It is ${dateTime(now)}. ${ran === 0 ? 'Nothing was due.' : `${ran} ${ran === 1 ? 'job' : 'jobs'} ran.`}</p>
${
  due.length > 0 &&
  html`<dl class="summary">${[...Map.groupBy(due, ({ workspaceId = '' }) => workspaceId)].map(
    ([, jobs]) =>
      html`<div><dt>${whose(jobs[0])}</dt><dd>${jobs.map((one) => html`${dateTime(one.at)} · ${what(one)}<br>`)}</dd></div>`,
  )}</dl>`
}`

const added = (name: string, { subscriberId, clientId, clientSecret }: Schemas['NewSubscriberAnswer']): Markup =>
  html`<p><strong>${name}</strong> has a client with every scope. Copy its secret now: it is not shown again.</p>
<dl class="summary"><div><dt>Client</dt><dd><code>${clientId}</code></dd></div><div><dt>Secret</dt><dd><code>${clientSecret}</code></dd></div>
<div><dt>Subscriber</dt><dd><code>${subscriberId}</code></dd></div></dl>`

const whose = (due: Due | undefined): Markup =>
  due?.workspaceId
    ? html`<a href="/console/matters/${due.workspaceId}">${due.reference ?? 'A matter'}</a>`
    : html`The service itself`

const what = ({ message, job }: Due): Markup => (message ? html`${message}` : html`<code>${job}</code>`)

type Outcome = { outcome?: Markup; refused?: Refused }

async function page(visit: Visit, { outcome, refused }: Outcome = {}): Promise<View> {
  const { api, doors, form } = visit
  const [clock, { records: due }, known, { records: inForce }] = await Promise.all([
    api.getClock(),
    api.listDue(),
    api.listScenarios(),
    api.listFaults(),
  ])
  return {
    title: 'Sandbox',
    now: new Date(clock.now),
    ...(refused && { status: refused.status }),
    main: html`${errorSummary(refused, ['set', 'name'])}<h1>Sandbox</h1>
<p class="lead">Nothing here is real, and nothing is random: title numbers, account numbers and the clock decide what happens.</p>
${outcome && html`<div class="good" role="status" tabindex="-1" autofocus>${outcome}</div>`}
${clockPart(visit, clock.now, due)}
${faults(inForce)}
${scenarios(known.records)}
${doors.sandbox && specimens(doors.sandbox.specimens)}
${await people(visit)}
${newSubscriber(form, refused)}
${others()}`,
  }
}

function clockPart({ form }: Visit, now: string, due: readonly Due[]): Markup {
  const next = due.find(({ workspaceId }) => workspaceId) ?? due[0]
  const move = (fields: Markup) =>
    html`<form method="post" action="/console/sandbox" class="inline"><input type="hidden" name="do" value="clock">${onceKey()}${fields}</form>`
  return html`<section class="turn quiet" id="clock-now"><h2>It is ${dateTime(now)}</h2>
${next ? html`<p>Next: <strong>${dateTime(next.at)} · ${what(next)} · ${whose(next)}</strong></p>` : html`<p>Nothing is due.</p>`}
<div class="actions">${move(html`<button>Go there</button>`)}
${move(html`<button class="secondary" name="advance" value="P1D">+ 1 day</button>`)}
${move(html`<button class="secondary" name="advance" value="P1W">+ 1 week</button>`)}
${move(html`<label class="inline" for="set">To a date</label> <input type="date" id="set" name="set" required value="${form.get('set') ?? ''}"> <button class="secondary">Go</button>`)}</div>
${dueTable(due.slice(0, SOON))}
${due.length > SOON && html`<details id="due"><summary>And ${due.length - SOON} more</summary>${dueTable(due.slice(SOON))}</details>`}</section>`
}

/** What the clock will run, before it is moved. */
const dueTable = (due: readonly Due[]): Markup =>
  html`<table class="rows"><thead><tr><th scope="col">Falls due</th><th scope="col">Matter</th><th scope="col">What happens</th></tr></thead>
<tbody>${due.map((one) => html`<tr><td class="nowrap">${dateTime(one.at)}</td><td>${whose(one)}</td><td>${what(one)}</td></tr>`)}</tbody></table>`
