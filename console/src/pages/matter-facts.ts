import type { Schemas } from '../../../client/src/index.ts'
import { html, type Markup } from '../ui/html.ts'
import { pounds } from '../ui/money.ts'
import { type Part, shown } from '../ui/part.ts'
import { dateTime, day } from '../ui/time.ts'
import {
  APPLICATION_STATUS_WORDS,
  APPLICATION_WORDS,
  CASE_WORDS,
  IDENTITY_WORDS,
  NAMES_WORDS,
  PARTY_WORDS,
  REJECTION_WORDS,
  REPRESENTED_WORDS,
  SCHEDULE_WORDS,
  SEARCH_WORDS,
  TENURE_WORDS,
} from '../words.ts'
import { fileList } from './file-list.ts'

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
${shown(schedule, 'The money', (one) => (one ? html`<h3>Money</h3><p class="small"><a href="/console/matters/${workspace.workspaceId}/money">See the money</a></p>${moneyFacts(one)}` : html``))}
${shown(files, 'The files', (some) => html`<h3>Files</h3><p class="small"><a href="/console/matters/${workspace.workspaceId}/files">Files</a></p>${some.length > 0 && fileList(workspace.workspaceId, some)}`)}</section>`
}

export const row = (label: string, value: Markup) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`

export const nameOf = (details: Schemas['WorkspaceParty']['partyDetails']): string =>
  'organisationName' in details ? details.organisationName : `${details.forenames} ${details.surname}`

export function partyFacts({ role, representation }: Schemas['WorkspaceParty']): Markup {
  const by =
    representation?.externalLawFirm?.name ?? (representation && REPRESENTED_WORDS[representation.representedBy])
  const identity = representation?.verificationOfIdentity
  return html`${PARTY_WORDS[role]} · ${by ? html`represented by: ${by}` : 'no representation yet'}${identity && ` · ${IDENTITY_WORDS[identity]}`}`
}

function caseFacts(lodgementCase: Case): Markup {
  const { lodgementCaseStatus, applications, registryReference, priorityAt, rejection, requisition } = lodgementCase
  return html`<h3>Case</h3><p class="small"><a href="/console/matters/${lodgementCase.workspaceId}/case">Case and documents</a></p><dl class="summary">
${row('State', html`${CASE_WORDS[lodgementCaseStatus]} <code>${lodgementCaseStatus}</code>`)}
${registryReference && row('Reference of the registry', html`${registryReference}${priorityAt && html` · priority from ${dateTime(priorityAt)}`}`)}
${rejection && row(REJECTION_WORDS[rejection.reason], html`${rejection.message} ${dateTime(rejection.at)}`)}
${requisition && row('Requisition', html`Due ${day(requisition.dueAt)}<ul>${requisition.points.map((point) => html`<li>${point}</li>`)}</ul><a href="/console/matters/${lodgementCase.workspaceId}/requisition">See the requisition</a>`)}
${applications.map((one) => row(APPLICATION_WORDS[one.applicationType], applicationFacts(one)))}</dl>`
}

export function applicationFacts({ status, attributes }: Schemas['ApplicationRecord']): Markup {
  const { transactionValue, landRegistryFee, mortgageDeedReference } = attributes
  const particulars = [
    APPLICATION_STATUS_WORDS[status],
    mortgageDeedReference,
    transactionValue !== undefined && pounds(transactionValue),
    landRegistryFee !== undefined && `fee ${pounds(landRegistryFee)}`,
  ]
  return html`${particulars.filter(Boolean).join(' · ')}`
}

export function moneyFacts({ status, completionDate, totals, failure, lineItems }: Schedule): Markup {
  return html`<dl class="summary">
${row('State', html`${SCHEDULE_WORDS[status]} <code>${status}</code>`)}
${row('Completion', html`${completionDate ? day(completionDate) : 'No date yet'}`)}
${failure && row('Payment refused', html`${failure.reason} ${dateTime(failure.at)}`)}</dl>
${
  lineItems.length > 0 &&
  html`<div class="scroll" tabindex="0" role="region" aria-label="Lines"><table><thead><tr><th scope="col">Line</th><th scope="col" class="number">Comes in</th><th scope="col" class="number">Goes out</th></tr></thead>
<tbody>${lineItems.map(
    ({ lineItemId, type, category, amount, reference }) =>
      html`<tr id="line-${lineItemId}"><td>${category} <small>${reference}</small></td><td class="number">${type === 'SOURCE' && pounds(amount)}</td><td class="number">${type === 'DESTINATION' && pounds(amount)}</td></tr>`,
  )}</tbody><tfoot><tr><th scope="row">Total${totals.difference !== 0 && html` <span class="tag is-bad">differs by ${pounds(Math.abs(totals.difference))}</span>`}</th><td class="number">${pounds(totals.sources)}</td><td class="number">${pounds(totals.destinations)}</td></tr></tfoot></table></div>`
}`
}
