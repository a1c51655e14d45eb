import type { Schemas } from '../../../client/src/index.ts'
import { hasRole, type Visit } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'
import type { Part } from '../ui/part.ts'

/** What this person may do to the matter now, beside what its turn asks for. */
export function actions(
  { session }: Visit,
  { workspaceId, reference, status, turn, canBeCancelled, canBeUnapproved }: Schemas['Workspace'],
  schedule: Part<Schemas['FinancialSettlementSchedule'] | undefined>,
): Markup {
  const matter = `/console/matters/${workspaceId}`
  const isFirm = session.person.subscriber?.kind === 'LAW_FIRM'
  const isMoneyApproved = 'data' in schedule && schedule.data?.status === 'PREPARED'
  const isApprover = hasRole(session, 'approver')
  const canTakeBack = isFirm && isApprover
  const canApprove =
    canTakeBack && (status === 'CREATED' || turn?.task === 'FIX_AND_APPROVE' || turn?.task === 'LODGE_DISCHARGE')
  const canAuthorise = !isFirm && isApprover && (status === 'PREPARED' || status === 'FUNDS_AUTHORISED')
  const canPrepare = hasRole(session, 'preparer')
  return html`<p class="actions">
${canApprove && html`<a class="button secondary" href="${matter}/approve">Check and approve</a>`}
${canAuthorise && html`<a class="button secondary" href="${matter}/authorise">${status === 'PREPARED' ? 'Authorise the funds' : 'The authorisation of the funds'}</a>`}
${canPrepare && html`<a class="button secondary" href="${matter}/order">${isFirm ? 'Your own number' : 'Correct the order'}</a>`}
${canTakeBack && canBeUnapproved && html`<a class="button secondary" href="${matter}/unapprove?what=case">Take back the approval of the case</a>`}
${canTakeBack && isMoneyApproved && html`<a class="button secondary" href="${matter}/unapprove?what=money">Take back the approval of the money</a>`}
${canBeCancelled && canPrepare && html`<a class="button secondary" href="${matter}/cancel">Cancel ${reference}</a>`}
<a class="button secondary" href="${matter}/evidence" download>Download the evidence</a></p>`
}
