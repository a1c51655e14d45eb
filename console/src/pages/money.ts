import type { Fault } from '../../../client/src/index.ts'
import { goTo, hasRole, type Page, type View, type Visit } from '../page.ts'
import { attempt, errorSummary } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { counted } from '../ui/time.ts'
import { partOf } from './matter-part.ts'
import { type Money, moneyForm } from './money-form.ts'
import { fieldsOf, type Line, lineSteps, lineValues, SIDES, type Step } from './money-lines.ts'
import { lineText, moneyShown } from './money-shown.ts'

/** What comes in and what goes out, to the penny, and the day on which it moves. */
export const money: Page = {
  show: async (visit) => view(visit, await load(visit)),

  async change(visit) {
    const before = await load(visit)
    const steps = lineSteps(before.schedule.lineItems, visit.form)
    const isStale = visit.form.get('etag') !== before.etag
    const lost = steps.flatMap((step) => (step.do === 'add' ? [] : step.line))
    if (isStale && lost.length > 0) {
      return { ...view(visit, before, { typed: visit.form, notice: staleNotice(lost) }), status: 412 }
    }
    const { saved, errors, status } = await save(visit, before, steps)
    if (errors.length === 0) return goTo(`${before.part.address}/money`)
    const heading = saved > 0 ? `${counted(saved, 'change')} saved, the rest was not` : undefined
    const after = saved > 0 ? await load(visit) : before
    return { ...view(visit, after, { typed: visit.form, refused: { status, errors }, heading }), status }
  },
}

const DAYS_MAX = 100
const LATER_MS = 140 * 86_400_000

async function load(visit: Visit): Promise<Money> {
  const { api, params, now } = visit
  const id = params['id'] ?? ''
  const [workspace, { data, etag = '' }] = await Promise.all([
    api.getWorkspace({ path: { workspace_id: id } }),
    api.call('getFinancialSettlementSchedules', { query: { workspace_id: id } }),
  ])
  const [schedule] = data.records
  if (!schedule) throw new Error('A matter has a settlement schedule.')
  const part = partOf(visit, workspace)
  if (part.closed) return { part, schedule, etag, days: [] }
  // One page of the list does not reach the last day, 6 months ahead.
  const later = new Date(now.getTime() + LATER_MS).toISOString().slice(0, 10)
  const [soon, rest] = await Promise.all([
    api.listBusinessDays({ query: { limit: DAYS_MAX } }),
    api.listBusinessDays({ query: { from: later, limit: DAYS_MAX } }),
  ])
  const dates = [...soon.records, ...rest.records].map(({ date }) => date)
  return { part, schedule, etag, days: [...new Set(dates)].filter((date) => date <= soon.latestCompletionDate) }
}

type Saved = { saved: number; errors: Fault[]; status: number }

/** Everything that can be saved is. What was saved is no longer in the form. */
async function save(visit: Visit, { schedule, etag }: Money, steps: readonly Step[]): Promise<Saved> {
  const { api, form } = visit
  const path = { financial_settlement_schedule_id: schedule.financialSettlementScheduleId }
  const completionDate = form.get('completionDate') ?? ''
  const todo: [row: string, act: (ifMatch: string | undefined) => Promise<unknown>][] = []
  if (completionDate && completionDate !== schedule.completionDate) {
    todo.push(['', (ifMatch) => api.updateFinancialSettlementSchedule({ path, body: { completionDate }, ifMatch })])
  }
  for (const step of steps) todo.push([step.row, (ifMatch) => perform(visit, path, step, ifMatch)])
  const done: Saved = { saved: 0, errors: [], status: 200 }
  for (const [row, act] of todo) {
    // The first change makes another version.
    const { refused } = await attempt(act(done.saved === 0 ? etag : undefined))
    if (!refused) {
      done.saved += 1
      for (const name of row ? fieldsOf(row) : ['completionDate']) form.delete(name)
      continue
    }
    done.status = refused.status
    done.errors.push(...refused.errors.map((fault) => atRow(row, fault)))
    if (refused.status !== 400) break
  }
  return done
}

type SchedulePath = { financial_settlement_schedule_id: string }

function perform({ api, form }: Visit, path: SchedulePath, step: Step, ifMatch: string | undefined): Promise<unknown> {
  if (step.do === 'add') {
    return api.addLineItem({ path, body: step.body, idempotencyKey: `${form.get('key')}-${step.row}` })
  }
  const one = { ...path, line_item_id: step.line.lineItemId }
  return step.do === 'delete'
    ? api.deleteLineItem({ path: one })
    : api.updateLineItem({ path: one, body: step.body, ifMatch })
}

const atRow = (row: string, { field, message }: Fault): Fault =>
  field === undefined || row === '' ? { message, ...(field && { field }) } : { field: `${row}.${field}`, message }

type Typed = {
  typed?: URLSearchParams
  refused?: Parameters<typeof errorSummary>[0]
  heading?: string | undefined
  notice?: Markup
}

function view(
  visit: Visit,
  money: Money,
  { typed = new URLSearchParams(), refused, heading, notice }: Typed = {},
): View {
  const { part, schedule } = money
  const { workspace, address, closed } = part
  const rows = [...schedule.lineItems.map(({ lineItemId }) => lineItemId), ...SIDES]
  const values = lineValues(schedule.lineItems, typed)
  if (!values.has('completionDate')) values.set('completionDate', schedule.completionDate ?? '')
  return {
    title: `${workspace.reference} money`,
    crumbs: part.crumbs,
    live: `matter:${workspace.workspaceId}`,
    ...(!closed && { script: 'sums.js' }),
    main: html`${notice}${errorSummary(refused, ['completionDate', ...rows.flatMap(fieldsOf)], heading)}
<h1>${schedule.status === 'SETTLED' ? 'Receipt' : 'Money'}</h1>
${closed ?? approvedNotice(schedule)}${refusedNotice(visit, money)}
${schedule.status === 'PAYING' && html`<p><a class="button" href="${address}/pay">Make the payments</a></p>`}
${closed ? moneyShown(schedule) : moneyForm(money, { values, refused })}
${!closed && approval(visit, schedule, address)}`,
  }
}

const approvedNotice = ({ status }: Money['schedule']) =>
  status === 'PREPARED' && html`<p class="notice"><strong>Approved.</strong> A change takes back the approval.</p>`

/** The bank's reason stays in sight until the funds are authorised again. */
function refusedNotice({ session }: Visit, { part, schedule }: Money): Markup | undefined {
  const { failure, lineItems, status } = schedule
  if (!failure) return undefined
  const line = lineItems.find(({ lineItemId }) => lineItemId === failure.lineItemId)
  const isFirm = session.person.subscriber?.kind === 'LAW_FIRM'
  const canTakeBack = status === 'PREPARED' && isFirm && hasRole(session, 'approver')
  return html`<p class="bad"><strong>The payment was refused.</strong> ${line && `${line.category} ${line.reference}: `}${failure.reason}
${canTakeBack && html` <a href="${part.address}/unapprove?what=money">Take back the approval of the money</a>, then correct it.`}</p>`
}

/** Only what comes out even can be approved. */
function approval({ session }: Visit, schedule: Money['schedule'], address: string): Markup | undefined {
  const { status, totals, lineItems, completionDate } = schedule
  const isComplete = SIDES.every((side) => lineItems.some(({ type }) => type === side)) && completionDate
  if (status !== 'DRAFT' || totals.difference !== 0 || !isComplete) return undefined
  return html`<p class="good">Both sides agree to the penny. ${
    hasRole(session, 'approver')
      ? html`<a href="${address}/approve">Approve the money</a>`
      : 'An approver of your firm, who did not change it, approves it.'
  }</p>`
}

const staleNotice = (lines: readonly Line[]) =>
  html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>Somebody else changed the money</h2>
<p>Nothing was saved. What you typed is below. Now stored is:</p>
<ul>${lines.map((line) => html`<li>${lineText(line)}</li>`)}</ul><p>Save again to replace it, or <a href="">drop what you typed</a>.</p></div>`
