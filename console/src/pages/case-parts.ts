import type { Schemas } from '../../../client/src/index.ts'
import { html, type Markup } from '../ui/html.ts'
import { pounds } from '../ui/money.ts'
import {
  APPLICATION_STATUS_WORDS,
  APPLICATION_WORDS,
  BAND_WORDS,
  CONSIDERATION_WORDS,
  DEED_WORDS,
  GUARANTEE_WORDS,
  plainly,
  TRUST_WORDS,
} from '../words.ts'
import { type File, fileList, withdrawLink } from './file-list.ts'

// One application of a case: what it needs, what is known of it, and its documents.

export type Application = Schemas['ApplicationRecord']
type Workspace = Schemas['Workspace']
type Case = Schemas['LodgementCaseRecord']

/** A rejected case can be changed again, although the money has moved; after an early completion only the discharge can. */
export function caseOpen({ status }: Workspace, { lodgementCaseStatus }: Case, application?: Application) {
  const isRejected = lodgementCaseStatus === 'REGISTRATION_REJECTED'
  const isLateDischarge = lodgementCaseStatus === 'PARTIALLY_REGISTERED' && application?.applicationType === 'DISCHARGE'
  return { openIn: isRejected || isLateDischarge ? [status] : (['CREATED'] as const) }
}

/** A discharge and a change of name have nothing to fill in. */
export const hasParticulars = ({ applicationType }: Application): boolean =>
  applicationType === 'MORTGAGE_DEED' || applicationType === 'TRANSFER_OF_WHOLE'

type Shown = {
  application: Application
  /** What the rules miss. */
  needs: readonly Schemas['ReadinessRecord'][]
  files: readonly File[]
  address: string
  /** Whether this person can change it now. */
  isOpen: boolean
}

export function applicationPart({ application, needs, files, address, isOpen }: Shown): Markup {
  const { applicationId, applicationType, status, attributes } = application
  const [name, id] = [APPLICATION_WORDS[applicationType], address.split('/').at(-1) ?? '']
  const isReady = status !== 'DRAFT' && status !== 'REJECTED'
  const link = (to: string, text: string, kind: string) =>
    html`<a class="button ${kind}" href="${address}/${to}application=${applicationId}">${text}<span class="hidden">: ${name}</span></a>`
  // The type says whether the deed is digital, and one that was uploaded before that does not count.
  const isTypeMissing = applicationType === 'MORTGAGE_DEED' && !attributes.mortgageDeedReferenceType
  const isDocumentMissing = needs.some(({ ruleId }) => ruleId === 'all-mandatory-documents-provided')
  return html`<section id="application-${applicationId}"><h2>${name} <span class="tag ${isReady ? 'is-good' : 'is-warn'}">${APPLICATION_STATUS_WORDS[status]}</span></h2>
<p class="small"><code>${applicationType}</code></p>
${needs.length > 0 && html`<ul>${needs.map(({ message }) => html`<li>${plainly(message)}</li>`)}</ul>`}
${particulars(attributes)}
${files.length > 0 ? fileList(id, files, (file) => isOpen && canWithdraw(file) && withdrawLink(address, file)) : html`<p>${applicationType === 'DISCHARGE' ? 'The former lender sends the discharge electronically, as a rule.' : 'No document yet.'}</p>`}
${
  isOpen &&
  html`<p class="actions">${hasParticulars(application) && link('case?', isTypeMissing ? 'Fill in the deed' : 'Change the particulars', isTypeMissing ? '' : 'secondary')}
${link('files?', 'Upload a document', isTypeMissing || !isDocumentMissing ? 'secondary' : '')}</p>`
}
${isOpen && isTypeMissing && html`<p class="small">First say whether the deed is digital: one that was uploaded before does not count then.</p>`}</section>`
}

const canWithdraw = ({ fileUploadStatus }: File) => fileUploadStatus === 'SUCCESS' || fileUploadStatus === 'PENDING'

function particulars(of: Application['attributes']): Markup {
  const rows: [label: string, value: string | undefined][] = [
    ['Value', of.transactionValue === undefined ? undefined : pounds(of.transactionValue)],
    ['Registry’s fee', of.landRegistryFee === undefined ? undefined : pounds(of.landRegistryFee)],
    ['Type of the deed', of.mortgageDeedReferenceType && DEED_WORDS[of.mortgageDeedReferenceType]],
    ['Reference of the deed', of.mortgageDeedReference],
    ['Effective', of.isEffective === undefined ? undefined : of.isEffective ? 'Yes' : 'No'],
    ['Guarantee', of.titleGuarantee && GUARANTEE_WORDS[of.titleGuarantee]],
    [
      'In return for',
      of.considerationDescription ?? (of.considerationType && CONSIDERATION_WORDS[of.considerationType]),
    ],
    ['Held', of.trustDetails ?? (of.trustDeclaration && TRUST_WORDS[of.trustDeclaration])],
    ['Value, roughly', of.transactionValueBand && BAND_WORDS[of.transactionValueBand]],
    ['Still owed', of.outstandingCharge === undefined ? undefined : pounds(of.outstandingCharge)],
  ]
  return html`<dl class="summary">${rows.map(([label, value]) => value && html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`
}
