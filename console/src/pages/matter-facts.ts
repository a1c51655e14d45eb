import type { Schemas } from '../../../client/src/index.ts'
import { html, type Markup } from '../ui/html.ts'
import { pounds } from '../ui/money.ts'
import { type Part, shown } from '../ui/part.ts'
import { counted, dateTime, day } from '../ui/time.ts'
import {
  APPLICATION_STATUS_WORDS,
  APPLICATION_WORDS,
  CASE_WORDS,
  DOCUMENT_WORDS,
  FILE_FAILURE_WORDS,
  FILE_WORDS,
  IDENTITY_WORDS,
  NAMES_WORDS,
  PARTY_WORDS,
  REGISTRY_DOCUMENT_WORDS,
  REJECTION_WORDS,
  REPRESENTED_WORDS,
  SCHEDULE_WORDS,
  SEARCH_WORDS,
  TENURE_WORDS,
} from '../words.ts'

type Workspace = Schemas['Workspace']
type Case = Schemas['LodgementCaseRecord']
type Schedule = Schemas['FinancialSettlementSchedule']
type File = Schemas['WorkspaceFile']

/** The matter as a list of facts. */
export function facts(
  workspace: Workspace,
  lodgementCase: Part<Case | undefined>,
  schedule: Part<Schedule | undefined>,
  files: Part<readonly File[]>,
): Markup {
  return html`<section id="facts"><h2>Facts</h2><dl class="summary">
${workspace.parties.map((party) => row(nameOf(party.partyDetails), partyFacts(party)))}
${row('Names', html`${NAMES_WORDS[workspace.borrowersValidationStatus]} <a href="/console/matters/${workspace.workspaceId}/names">See the names</a>`)}
${workspace.titles.map(({ titleNumber, tenure, lastTitleSearchStatus }) =>
  row(
    'Title',
    html`${titleNumber}${tenure && `, ${TENURE_WORDS[tenure].toLowerCase()}`} · ${SEARCH_WORDS[lastTitleSearchStatus].toLowerCase()}`,
  ),
)}
${workspace.ownReference && row('Your reference', html`${workspace.ownReference}`)}
${row('Order', html`${dateTime(workspace.auditAttributes.createdAt)}, ${workspace.auditAttributes.createdBy}`)}
</dl>
${shown(lodgementCase, 'The case', (one) => (one ? caseFacts(one) : html``))}
${shown(schedule, 'The money', (one) => (one ? moneyFacts(one) : html``))}
${shown(files, 'The files', (some) => (some.length > 0 ? fileFacts(workspace.workspaceId, some) : html``))}</section>`
}

const row = (label: string, value: Markup) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`

export const nameOf = (details: Schemas['WorkspaceParty']['partyDetails']): string =>
  'organisationName' in details ? details.organisationName : `${details.forenames} ${details.surname}`

function partyFacts({ role, representation }: Schemas['WorkspaceParty']): Markup {
  const by =
    representation?.externalLawFirm?.name ?? (representation && REPRESENTED_WORDS[representation.representedBy])
  const identity = representation?.verificationOfIdentity
  return html`${PARTY_WORDS[role]} · ${by ? html`represented by: ${by}` : 'no representation yet'}${identity && ` · ${IDENTITY_WORDS[identity]}`}`
}

function caseFacts(lodgementCase: Case): Markup {
  const { lodgementCaseStatus, applications, registryReference, priorityAt, rejection, requisition } = lodgementCase
  return html`<h3>Case</h3><dl class="summary">
${row('State', html`${CASE_WORDS[lodgementCaseStatus]} <code>${lodgementCaseStatus}</code>`)}
${registryReference && row('Reference of the registry', html`${registryReference}${priorityAt && html` · priority from ${dateTime(priorityAt)}`}`)}
${rejection && row(REJECTION_WORDS[rejection.reason], html`${rejection.message} ${dateTime(rejection.at)}`)}
${requisition && row('Requisition', html`Due ${day(requisition.dueAt)}<ul>${requisition.points.map((point) => html`<li>${point}</li>`)}</ul>`)}
${applications.map((one) => row(APPLICATION_WORDS[one.applicationType], applicationFacts(one)))}</dl>`
}

function applicationFacts({ status, attributes }: Schemas['ApplicationRecord']): Markup {
  const { transactionValue, landRegistryFee, mortgageDeedReference } = attributes
  const particulars = [
    APPLICATION_STATUS_WORDS[status],
    mortgageDeedReference,
    transactionValue !== undefined && pounds(transactionValue),
    landRegistryFee !== undefined && `fee ${pounds(landRegistryFee)}`,
  ]
  return html`${particulars.filter(Boolean).join(' · ')}`
}

function moneyFacts({ status, completionDate, totals, failure, lineItems }: Schedule): Markup {
  return html`<h3>Money</h3><dl class="summary">
${row('State', html`${SCHEDULE_WORDS[status]} <code>${status}</code>`)}
${row('Completion', html`${completionDate ? day(completionDate) : 'No date yet'}`)}
${failure && row('Payment refused', html`${failure.reason} ${dateTime(failure.at)}`)}</dl>
${
  lineItems.length > 0 &&
  html`<table><thead><tr><th scope="col">Line</th><th scope="col" class="number">Comes in</th><th scope="col" class="number">Goes out</th></tr></thead>
<tbody>${lineItems.map(
    ({ lineItemId, type, category, amount, reference }) =>
      html`<tr id="line-${lineItemId}"><td>${category} <small>${reference}</small></td><td class="number">${type === 'SOURCE' && pounds(amount)}</td><td class="number">${type === 'DESTINATION' && pounds(amount)}</td></tr>`,
  )}</tbody><tfoot><tr><th scope="row">Total${totals.difference !== 0 && html` <span class="tag is-bad">differs by ${pounds(Math.abs(totals.difference))}</span>`}</th><td class="number">${pounds(totals.sources)}</td><td class="number">${pounds(totals.destinations)}</td></tr></tfoot></table>`
}`
}

function fileFacts(workspaceId: string, files: readonly File[]): Markup {
  const counting = files.filter(
    ({ supersededBy, fileUploadStatus }) => !supersededBy && fileUploadStatus !== 'WITHDRAWN',
  )
  const others = files.filter((one) => !counting.includes(one))
  return html`<h3>Files</h3><dl class="summary">${counting.map((one) => fileRow(workspaceId, one))}</dl>
${others.length > 0 && html`<details id="old-files"><summary>${counted(others.length, 'file')} replaced or withdrawn</summary><dl class="summary">${others.map((one) => fileRow(workspaceId, one))}</dl></details>`}`
}

function fileRow(workspaceId: string, file: File): Markup {
  const {
    fileId,
    fileName,
    documentType,
    registryDocumentKind: kind,
    fileUploadStatus,
    failureReason,
    auditAttributes,
  } = file
  const name =
    fileUploadStatus === 'SUCCESS'
      ? html`<a href="/console/matters/${workspaceId}/files/${fileId}" download>${fileName}</a>`
      : html`${fileName}`
  const why = failureReason ? FILE_FAILURE_WORDS[failureReason] : FILE_WORDS[fileUploadStatus]
  return row(
    kind ? REGISTRY_DOCUMENT_WORDS[kind] : DOCUMENT_WORDS[documentType],
    html`${name} · ${why}<br><small>${dateTime(auditAttributes.createdAt)}, ${auditAttributes.createdBy}</small>`,
  )
}
