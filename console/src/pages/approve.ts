import type { Schemas } from '../../../client/src/index.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { attempt, errorSummary, type Refused, signInAgain } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { dateTime, day } from '../ui/time.ts'
import { approvedAt } from './approve-changes.ts'
import { caseSection, moneySection } from './approve-parts.ts'
import { forbidden } from './errors.ts'
import { addressOf } from './matter.ts'

/** Check everything, then decide: the case and the money, each on its own. Not live: nothing changes before one's eyes. */
export const approve: Page = {
  async show(visit) {
    return isFirm(visit) ? view(visit, await load(visit)) : OTHER_SIDE
  },

  async change(visit) {
    if (!isFirm(visit)) return OTHER_SIDE
    const seen = await load(visit)
    const what = visit.form.get('what') === 'money' ? 'money' : 'case'
    const done = goTo(`/console/matters/${seen.workspace.workspaceId}/approve?done=${what}`)
    if (isApprovedSince(visit, what === 'money' ? seen.schedule : seen.lodgementCase)) return done
    if (visit.form.get('seen') !== seen.mark) return view(visit, seen, CHANGED)
    const { refused } = await attempt<unknown>(send(visit, what))
    return refused ? view(visit, seen, refused) : done
  },
}

const OTHER_SIDE = forbidden('approver', 'of the law firm')
const CHANGED: Refused = {
  status: 412,
  errors: [{ message: 'Somebody changed this matter after you opened the page. Look at it again, then decide.' }],
}

const isFirm = ({ session }: Visit) => session.person.subscriber?.kind === 'LAW_FIRM'

/** The form was sent twice. */
function isApprovedSince({ session, form }: Visit, { approvals }: Pick<Seen['schedule'], 'approvals'>): boolean {
  const [, shown = ''] = form.get('seen')?.split(' ') ?? []
  const last = approvals.at(-1)
  return last?.action === 'APPROVE' && last.approvedBy === session.person.email && last.at > shown
}

function send({ api, session, params, form }: Visit, what: 'case' | 'money'): Promise<unknown> {
  const id = params['id'] ?? ''
  const input = { path: { workspace_id: id }, idempotencyKey: form.get('key') ?? undefined }
  const body = { action: 'APPROVE', approvedBy: session.person.email } as const
  if (what === 'money') return api.approveFinancialSettlementSchedule({ ...input, body })
  const stated = form.get('disclosableOverridingInterests')
  const interests = stated !== null && { disclosableOverridingInterests: stated === 'true' }
  return api.approveLodgement({ ...input, body: { ...body, ...interests, workspaceId: id } })
}

export type Seen = {
  workspace: Schemas['Workspace']
  lodgementCase: Schemas['LodgementCaseRecord']
  schedule: Schemas['FinancialSettlementSchedule']
  readiness: readonly Schemas['ReadinessRecord'][]
  people: readonly Schemas['Approver'][]
  /** What the approval of the case must state. */
  asked: Schemas['Approvers']['asked']
  files: readonly Schemas['WorkspaceFile'][]
  changes: readonly Schemas['WorkspaceChange'][]
  /** Another one after every change. */
  mark: string
}

async function load({ api, params }: Visit): Promise<Seen> {
  const id = params['id'] ?? ''
  const [path, query] = [{ workspace_id: id }, { workspace_id: id }]
  const [workspace, cases, schedules, readiness, approvers, files] = await Promise.all([
    api.getWorkspace({ path }),
    api.getLodgementCases({ query }),
    api.getFinancialSettlementSchedules({ query }),
    Array.fromAsync(api.records('getWorkspaceReadiness', { path, query: { limit: 100 } })),
    api.listApprovers({ path }),
    api.listFiles({ path, query: { limit: 100 } }),
  ])
  const [[lodgementCase], [schedule]] = [cases.records, schedules.records]
  if (!lodgementCase || !schedule) throw new Error('A matter has a case and a schedule.')
  const since = [approvedAt(lodgementCase), approvedAt(schedule)]
  const earliest = since.every((one) => one !== undefined) ? since.toSorted()[0] : undefined
  const asked = { path, query: { limit: 100, ...(earliest && { since: earliest }) } }
  const changes = await Array.fromAsync(api.records('listChanges', asked))
  const mark = `${changes.length} ${changes.at(-1)?.at ?? ''}`
  return {
    workspace,
    lodgementCase,
    schedule,
    readiness,
    people: approvers.records,
    asked: approvers.asked,
    files: files.records,
    changes,
    mark,
  }
}

function view(visit: Visit, seen: Seen, refused?: Refused): View {
  const { reference, workspaceId, securityAddress } = seen.workspace
  const done = visit.url.searchParams.get('done')
  return {
    title: `${reference} approve`,
    crumbs: [[`/console/matters/${workspaceId}`, reference]],
    ...(refused && { status: refused.status }),
    main: html`${errorSummary(refused, ['disclosableOverridingInterests'], 'Nothing was approved')}${signInAgain(visit, refused)}
<h1>Approve ${reference}</h1><p class="lead">${addressOf(securityAddress)}</p>
${!refused && (done === 'case' || done === 'money') && whatNext(seen, done)}
${caseSection(visit, seen, refused)}
${moneySection(visit, seen)}`,
  }
}

function whatNext({ workspace, lodgementCase }: Seen, done: 'case' | 'money'): Markup {
  const { status, turn, participants, completionDate } = workspace
  const lender = participants.find(({ role }) => role === 'LENDER')?.name ?? 'the lender'
  const next =
    status === 'PREPARED' && completionDate
      ? html`Next, ${lender} authorises the funds${turn?.dueAt && html`, by ${dateTime(turn.dueAt)}`}. The money moves on ${day(completionDate)} at 09:00.`
      : status === 'CREATED'
        ? html`Next, ${done === 'case' ? html`<a href="#money">the money</a>` : html`<a href="#case">the case</a>`} needs an approval of its own. Then the lender can authorise the funds.`
        : lodgementCase.lodgementCaseStatus === 'RESUBMISSION_PREPARED'
          ? html`It is sent to the registry as soon as its deed is effective.`
          : html`It is sent to the registry now. <a href="/console/matters/${workspace.workspaceId}">The matter</a> shows the answer.`
  return html`<p class="good" role="status"><strong>The ${done} is approved.</strong> ${next}</p>`
}
