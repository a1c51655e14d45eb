import type { Schemas } from '../../../client/src/index.ts'
import { hasRole, type Visit } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'
import type { Part } from '../ui/part.ts'

/** What this person may do to the matter now, beside what its turn asks for. */
export function actions(
  { session }: Visit,
  { workspaceId, reference, canBeCancelled, canBeUnapproved }: Schemas['Workspace'],
  schedule: Part<Schemas['FinancialSettlementSchedule'] | undefined>,
): Markup {
  const matter = `/console/matters/${workspaceId}`
  const isFirm = session.person.subscriber?.kind === 'LAW_FIRM'
  const isMoneyApproved = 'data' in schedule && schedule.data?.status === 'PREPARED'
  const canTakeBack = isFirm && hasRole(session, 'approver')
  const canPrepare = hasRole(session, 'preparer')
  return html`<p class="actions">
${canPrepare && html`<a class="button secondary" href="${matter}/order">${isFirm ? 'Your own number' : 'Correct the order'}</a>`}
${canTakeBack && canBeUnapproved && html`<a class="button secondary" href="${matter}/unapprove?what=case">Take back the approval of the case</a>`}
${canTakeBack && isMoneyApproved && html`<a class="button secondary" href="${matter}/unapprove?what=money">Take back the approval of the money</a>`}
${canBeCancelled && canPrepare && html`<a class="button secondary" href="${matter}/cancel">Cancel ${reference}</a>`}
<a class="button secondary" href="${matter}/evidence" download>Download the evidence</a></p>`
}
