import type { Schemas } from '../../../client/src/index.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { attempt, errorSummary, field, type Refused, select } from '../ui/form.ts'
import { html } from '../ui/html.ts'
import { CANCELLATION_WORDS } from '../words.ts'
import { addressOf } from './matter.ts'
import { oneOf } from './query.ts'

/** Ends a matter for both sides, with a reason. */
export const cancel: Page = {
  show: async (visit) => form(visit, await read(visit)),

  async change(visit) {
    const { api, form: sent } = visit
    const workspace = await read(visit)
    const cancellationReason = oneOf(CANCELLATION_WORDS, sent.get('cancellationReason'))
    const notes = sent.get('cancellationNotesForOther')?.trim()
    if (!cancellationReason) {
      const errors = [{ field: 'cancellationReason', message: 'Choose a reason.' }]
      return form(visit, workspace, { status: 400, errors })
    }
    const body = { cancellationReason, ...(notes && { cancellationNotesForOther: notes }) }
    const { refused } = await attempt(api.cancelWorkspace({ path: { workspace_id: workspace.workspaceId }, body }))
    return refused ? form(visit, workspace, refused) : goTo(`/console/matters/${workspace.workspaceId}`)
  },
}

const read = ({ api, params }: Visit) => api.getWorkspace({ path: { workspace_id: params['id'] ?? '' } })

function form({ form: sent }: Visit, workspace: Schemas['Workspace'], refused?: Refused): View {
  const { workspaceId, reference, canBeCancelled, participants } = workspace
  const matter = `/console/matters/${workspaceId}`
  const reasons = [['', 'Choose a reason'], ...Object.entries(CANCELLATION_WORDS)] as const
  return {
    title: `Cancel ${reference}`,
    crumbs: [[matter, reference]],
    ...(refused && { status: refused.status }),
    main: html`${errorSummary(refused, ['cancellationReason', 'cancellationNotesForOther'])}
<h1>Cancel ${reference}</h1><p class="lead">${addressOf(workspace.securityAddress)}</p>
${
  canBeCancelled
    ? html`<p>The matter ends for ${participants.map(({ name }) => name).join(' and ')}. It cannot be opened again. Both see the reason.${workspace.status === 'FUNDS_AUTHORISED' && ' The funds are no longer authorised, and nothing is paid.'}</p>
<form method="post">
${field({ name: 'cancellationReason', label: 'Reason', refused, control: (attributes) => select(attributes, reasons, sent.get('cancellationReason') ?? '') })}
${field({
  name: 'cancellationNotesForOther',
  label: 'Notes',
  hint: 'Needed for another reason.',
  refused,
  control: (attributes) =>
    html`<textarea${attributes} maxlength="100">${sent.get('cancellationNotesForOther') ?? ''}</textarea>`,
})}
<p class="actions"><button class="danger">Cancel the matter ${reference}</button> <a href="${matter}">Keep it</a></p></form>`
    : html`<p class="notice">It can no longer be cancelled: funds have moved, or it has ended. <a href="${matter}">Back to the matter</a></p>`
}`,
  }
}
