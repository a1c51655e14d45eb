import type { Schemas } from '../../../client/src/index.ts'
import { goTo, hasRole, type Page, type View, type Visit } from '../page.ts'
import { hidden } from '../ui/fields.ts'
import { attempt, errorSummary, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { counted, dateTime } from '../ui/time.ts'
import { APPLICATION_WORDS, CASE_WORDS, plainly, REJECTION_WORDS } from '../words.ts'
import { particularChanges, particularFields, particularNames, particularValues } from './case-form.ts'
import { type Application, applicationPart, caseOpen, hasParticulars } from './case-parts.ts'
import { notFound } from './errors.ts'
import type { File } from './file-list.ts'
import { type Part, partOf } from './matter-part.ts'
import { registryWait } from './matter-turn.ts'

/** The applications of a case with what each needs, and a form for one of them (`?application=`). */
export const caseAndDocuments: Page = {
  async show(visit) {
    const found = await load(visit)
    const id = visit.url.searchParams.get('application')
    if (id === null) return overview(visit, found)
    const application = find(found, id)
    if (!application) return notFound()
    return found.part.closed ? overview(visit, found) : particularsForm(visit, found, application)
  },

  async change(visit) {
    const { api, form } = visit
    const found = await load(visit)
    const application = find(found, form.get('application'))
    if (!application) return notFound()
    const path = pathOf(found, application)
    const isEffect = form.has('effective')
    const body = isEffect ? { isEffective: true } : particularChanges(application.attributes, form)
    const ifMatch = isEffect ? undefined : (form.get('etag') ?? undefined)
    const { refused } = await attempt(api.updateLodgementApplication({ path, body, ifMatch }))
    if (!refused) return goTo(`${found.part.address}/case`)
    const view = isEffect
      ? overview(visit, found, errorSummary(refused))
      : await particularsForm(visit, found, application, refused)
    return { ...view, status: refused.status }
  },
}

type Found = {
  part: Part
  lodgementCase: Schemas['LodgementCaseRecord']
  readiness: readonly Schemas['ReadinessRecord'][]
  files: readonly File[]
}

async function load(visit: Visit): Promise<Found> {
  const { api, params } = visit
  const path = { workspace_id: params['id'] ?? '' }
  const [workspace, { records }, readiness, files] = await Promise.all([
    api.getWorkspace({ path }),
    api.getLodgementCases({ query: path }),
    Array.fromAsync(api.records('getWorkspaceReadiness', { path, query: { limit: 100 } })),
    Array.fromAsync(api.records('listFiles', { path, query: { limit: 100 } })),
  ])
  const [lodgementCase] = records
  if (!lodgementCase) throw new Error('A matter has a case.')
  return { part: partOf(visit, workspace, caseOpen(workspace, lodgementCase)), lodgementCase, readiness, files }
}

/** Of those that still count and have something to fill in. */
const find = ({ lodgementCase }: Found, id: string | null) =>
  lodgementCase.applications.find(
    (one) => one.applicationId === id && one.status !== 'WITHDRAWN' && hasParticulars(one),
  )

const pathOf = ({ lodgementCase }: Found, { applicationId }: Application) => ({
  lodgement_case_id: lodgementCase.lodgementCaseId,
  application_id: applicationId,
})

function overview(visit: Visit, found: Found, notice?: Markup): View {
  const { part, lodgementCase, readiness, files } = found
  const { workspace, address, closed } = part
  const { applications, lodgementCaseStatus: status, rejection, registryWait: wait } = lodgementCase
  const open = readiness.filter(({ outcome, approval }) => outcome === 'FAILED' && approval === 'LODGEMENT')
  const ordered = applications.toSorted((a, b) => (a.priority ?? 0) - (b.priority ?? 0))
  const live = ordered.filter((one) => one.status !== 'WITHDRAWN')
  const gone = ordered.filter((one) => one.status === 'WITHDRAWN')
  const all = open.filter(({ field }) => field === 'applications')
  return {
    title: `${workspace.reference} case`,
    crumbs: part.crumbs,
    live: `matter:${workspace.workspaceId}`,
    main: html`${notice}<h1>Case and documents</h1>
<p class="lead">${CASE_WORDS[status]} <code>${status}</code> · <a href="${address}/files">All files</a></p>
${rejection && html`<p class="bad"><strong>${REJECTION_WORDS[rejection.reason]}.</strong> ${rejection.message} <small>${dateTime(rejection.at)}</small></p>`}
${wait && registryWait(wait)}${closed}${effectForm(visit, found)}${approval(visit, found)}
${all.length > 0 && html`<ul>${all.map(({ message }) => html`<li>${plainly(message)}</li>`)}</ul>`}
${live.map((application) =>
  applicationPart({
    application,
    needs: open.filter(({ field }) => field.startsWith(`applications[${applications.indexOf(application)}]`)),
    files: files.filter(({ applicationId }) => applicationId === application.applicationId),
    address,
    isOpen: !partOf(visit, workspace, caseOpen(workspace, lodgementCase, application)).closed,
  }),
)}
${gone.length > 0 && html`<details id="withdrawn"><summary>${counted(gone.length, 'application')} withdrawn</summary><ul>${gone.map(({ applicationType }) => html`<li>${APPLICATION_WORDS[applicationType]}</li>`)}</ul></details>`}`,
  }
}

const WAITING_FOR_EFFECT = ['CREATED', 'PREPARED', 'REGISTRATION_REJECTED', 'RESUBMISSION_PREPARED'] as const

/** A digital deed takes effect at completion; the case is not sent before. */
function effectForm(visit: Visit, { part, lodgementCase }: Found): Markup | undefined {
  const { workspace, address } = part
  const deed = lodgementCase.applications.find(({ applicationType }) => applicationType === 'MORTGAGE_DEED')
  const { mortgageDeedReferenceType, isEffective } = deed?.attributes ?? {}
  const isWaiting = WAITING_FOR_EFFECT.some((one) => one === lodgementCase.lodgementCaseStatus)
  if (!deed || mortgageDeedReferenceType !== 'DIGITAL' || isEffective || !isWaiting) return undefined
  if (partOf(visit, workspace, { openIn: [workspace.status] }).closed) return undefined
  return html`<form method="post" action="${address}/case" class="notice">${hidden({ application: deed.applicationId, effective: 'yes' })}
<p><strong>The digital deed is not effective yet.</strong> ${workspace.status === 'FUNDS_EXCHANGED' ? 'The money has moved: the case is sent as soon as the deed is effective.' : 'Make it effective on completion day.'}</p>
<p class="actions"><button>Make the deed effective</button></p></form>`
}

function approval({ session }: Visit, { part, lodgementCase, readiness }: Found): Markup | undefined {
  const isFirm = session.person.subscriber?.kind === 'LAW_FIRM'
  const isRejected = lodgementCase.lodgementCaseStatus === 'REGISTRATION_REJECTED'
  const isLeft = readiness.some(
    ({ outcome, approval, kind }) => outcome === 'FAILED' && approval === 'LODGEMENT' && kind !== 'BLOCKING_SUBMISSION',
  )
  if (!isFirm || !(part.workspace.readyForApproval || (isRejected && !isLeft))) return undefined
  return html`<p class="good">The case is complete. ${
    hasRole(session, 'approver')
      ? html`<a href="${part.address}/approve">Approve the case</a>`
      : 'An approver of your firm, who did not change it, approves it.'
  }</p>`
}

/** Somebody else's change is shown, and what was typed is kept. */
async function particularsForm(
  visit: Visit,
  found: Found,
  { applicationId }: Application,
  refused?: Refused,
): Promise<View> {
  const { part } = found
  const path = { lodgement_case_id: found.lodgementCase.lodgementCaseId, application_id: applicationId }
  const { data, etag } = await visit.api.call('getLodgementApplication', { path })
  const { attributes, applicationType } = data
  const stored = particularValues(attributes)
  const form = { values: refused ? visit.form : stored, refused }
  const stale = html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>Somebody else changed this</h2>
<p>Nothing was saved. Stored is now: <strong>${[...stored.values()].join(', ') || 'nothing'}</strong>. What you typed is below: save it again, or go back.</p></div>`
  return {
    title: `${part.workspace.reference}: ${APPLICATION_WORDS[applicationType]}`,
    crumbs: [...part.crumbs, [`${part.address}/case`, 'Case']],
    main: html`${refused?.status === 412 ? stale : errorSummary(refused, particularNames(applicationType))}
<h1>${APPLICATION_WORDS[applicationType]}</h1>
<form method="post" action="${part.address}/case">${hidden({ application: applicationId, etag: etag ?? '' })}${particularFields(applicationType, form)}
<p class="actions"><button>Save</button> <a href="${part.address}/case">Back</a></p></form>`,
  }
}
