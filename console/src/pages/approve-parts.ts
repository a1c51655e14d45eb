import type { Schemas } from '../../../client/src/index.ts'
import { hasRole, type Visit } from '../page.ts'
import { namesIn, undecidedBy } from '../ui/decide.ts'
import { choices } from '../ui/fields.ts'
import { onceKey, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { dateTime } from '../ui/time.ts'
import { APPLICATION_WORDS, CASE_WORDS, DOCUMENT_WORDS, FILE_WORDS, TENURE_WORDS } from '../words.ts'
import type { Seen } from './approve.ts'
import { approvedAt, changeList, changesOf, lastChange, type Side } from './approve-changes.ts'
import { applicationFacts, moneyFacts, nameOf, partyFacts, row } from './matter-facts.ts'
import { task } from './matter-tasks.ts'

// The two things to decide about, each with all that it rests on.

const APPROVABLE: readonly Schemas['LodgementCaseRecord']['lodgementCaseStatus'][] = [
  'CREATED',
  'REGISTRATION_REJECTED',
  'PARTIALLY_REGISTERED',
]

export function caseSection(visit: Visit, seen: Seen, refused?: Refused): Markup {
  const { workspace, lodgementCase, files, asked } = seen
  const { lodgementCaseStatus: status, applications } = lodgementCase
  const isOpen = ({ supersededBy, fileUploadStatus }: Schemas['WorkspaceFile']) =>
    !supersededBy && fileUploadStatus !== 'WITHDRAWN'
  const filesOf = (applicationId?: string) =>
    documents(
      workspace.workspaceId,
      files.filter((one) => isOpen(one) && one.applicationId === applicationId),
    )
  const asksInterests = asked.includes('disclosableOverridingInterests')
  const says =
    status === 'CREATED'
      ? 'When the money is approved too, the lender can authorise the funds.'
      : 'It is sent to the registry at once.'
  return html`<section id="case"><h2>The case <small>${CASE_WORDS[status]} <code>${status}</code></small></h2>
<dl class="summary">${workspace.parties.map((party) => row(nameOf(party.partyDetails), partyFacts(party)))}
${workspace.titles.map(({ titleNumber, tenure }) => row('Title', html`${titleNumber}${tenure && `, ${TENURE_WORDS[tenure].toLowerCase()}`}`))}
${applications
  .filter((one) => one.status !== 'WITHDRAWN')
  .map((one) =>
    row(APPLICATION_WORDS[one.applicationType], html`${applicationFacts(one)}${filesOf(one.applicationId)}`),
  )}
${row('Other documents', filesOf() ?? html`None`)}</dl>
${changed(seen, 'case', approvedAt(lodgementCase))}
${
  APPROVABLE.includes(status)
    ? decision(visit, seen, 'case', html`${asksInterests && interests(visit, refused)}`, says)
    : approved(visit, lodgementCase.approvals, workspace, 'case')
}</section>`
}

/** HM Land Registry asks for it; other registries do not. */
const interests = ({ form: values }: Visit, refused?: Refused) =>
  choices({ values, refused }, 'disclosableOverridingInterests', 'Are there disclosable overriding interests?', [
    { value: 'false', label: 'No, there are none' },
    { value: 'true', label: 'Yes' },
  ])

export function moneySection(visit: Visit, seen: Seen): Markup {
  const { workspace, schedule } = seen
  const says = 'When the case is approved too, the lender can authorise the funds.'
  return html`<section id="money"><h2>The money</h2>
${moneyFacts(schedule)}
${changed(seen, 'money', approvedAt(schedule))}
${
  schedule.status === 'DRAFT' && workspace.status === 'CREATED'
    ? decision(visit, seen, 'money', html``, says)
    : approved(visit, schedule.approvals, workspace, 'money')
}</section>`
}

/** Opened in a new tab; the browser remembers which ones were. */
function documents(workspaceId: string, files: readonly Schemas['WorkspaceFile'][]): Markup | undefined {
  if (files.length === 0) return undefined
  return html`<ul class="documents">${files.map(({ fileId, fileName, documentType, fileUploadStatus }) => {
    const address = `/console/matters/${workspaceId}/files/${fileId}?view`
    const name =
      fileUploadStatus === 'SUCCESS'
        ? html`<a href="${address}" target="_blank">${fileName} <small>(new tab)</small></a>`
        : html`${fileName} · ${FILE_WORDS[fileUploadStatus]}`
    return html`<li>${DOCUMENT_WORDS[documentType]}: ${name}</li>`
  })}</ul>`
}

function changed({ changes, people }: Seen, side: Side, since: string | undefined): Markup {
  if (since === undefined) return html`<p class="small">It was not approved before.</p>`
  const found = changesOf(changes, side).filter(({ at }) => at > since)
  const heading = html`<h3>Changed since the last approval, ${dateTime(since)}</h3>`
  return found.length > 0
    ? html`${heading}${changeList(found, namesIn(people))}`
    : html`<p class="small">Nothing was changed since the last approval, ${dateTime(since)}.</p>`
}

/** What is missing; or who may decide; or the button. */
function decision(visit: Visit, seen: Seen, side: Side, extra: Markup, says: string): Markup {
  const { workspace, readiness, people, changes } = seen
  const approval = side === 'case' ? 'LODGEMENT' : 'FINANCIAL'
  const failures = readiness.filter(
    (one) => one.approval === approval && one.outcome === 'FAILED' && one.kind !== 'BLOCKING_SUBMISSION',
  )
  if (failures.length > 0) {
    return html`<h3>Before the ${side} can be approved</h3><ul class="tasks">${failures.map((one) => task(visit, workspace, one))}</ul>`
  }
  const last = lastChange(changesOf(changes, side), namesIn(people))
  const undecided = undecidedBy(visit, people, approval)
  return html`<div class="turn"><p>${last} ${!undecided && html`You are ${visit.session.person.name}: you may approve.`}</p>
${
  undecided ??
  html`<form method="post" action="?">${onceKey()}<input type="hidden" name="what" value="${side}"><input type="hidden" name="seen" value="${seen.mark}">${extra}
<p>${says}</p><p class="actions"><button>Approve the ${side} of ${workspace.reference}</button></p></form>`
}</div>`
}

function approved(
  { session }: Visit,
  approvals: readonly Schemas['CaseApproval'][],
  { workspaceId, status }: Schemas['Workspace'],
  side: Side,
): Markup {
  const last = approvals.findLast(({ action }) => action === 'APPROVE')
  const canTakeBack = hasRole(session, 'approver') && (status === 'CREATED' || status === 'PREPARED')
  return html`<p class="notice">${last ? html`Approved by ${last.approvedBy}, ${dateTime(last.at)}.` : 'There is nothing to approve.'}${
    last && canTakeBack && html` <a href="/console/matters/${workspaceId}/unapprove?what=${side}">Take it back</a>`
  }</p>`
}
