import type { Schemas } from '../../../client/src/index.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { attempt, errorSummary, field, onceKey, type Refused, signInAgain } from '../ui/form.ts'
import { html } from '../ui/html.ts'
import { plainly } from '../words.ts'
import { notFound } from './errors.ts'

/** Confirms that something unusual is right, with a reason; or takes the confirmation back. */
export const confirm: Page = {
  async show(visit) {
    const found = await find(visit)
    return found ? form(visit, found) : notFound()
  },

  async change(visit) {
    const { api, params, session, form: sent } = visit
    const found = await find(visit)
    if (!found) return notFound()
    const path = { workspace_id: params['id'] ?? '' }
    const { ruleId, field, confirmation } = found.result
    const body = { ruleId, field, reason: sent.get('reason') ?? '', confirmedBy: session.person.email }
    const { refused } = await attempt<unknown>(
      confirmation
        ? api.deleteConfirmation({ path: { ...path, confirmation_id: confirmation.confirmationId } })
        : api.confirmReadiness({ path, body, idempotencyKey: sent.get('key') ?? undefined }),
    )
    return refused ? form(visit, found, refused) : goTo(`/console/matters/${params['id']}#tasks`)
  },
}

type Found = { workspace: Schemas['Workspace']; result: Schemas['ReadinessRecord'] }

async function find({ api, params, url }: Visit): Promise<Found | undefined> {
  const path = { workspace_id: params['id'] ?? '' }
  const [workspace, results] = await Promise.all([
    api.getWorkspace({ path }),
    Array.fromAsync(api.records('getWorkspaceReadiness', { path, query: { limit: 100 } })),
  ])
  const [ruleId, field] = [url.searchParams.get('rule'), url.searchParams.get('field')]
  const result = results.find((one) => one.ruleId === ruleId && one.field === field && one.kind === 'CONFIRMABLE')
  return result && { workspace, result }
}

function form(visit: Visit, { workspace, result }: Found, refused?: Refused): View {
  const { workspaceId, reference } = workspace
  const reason = visit.form.get('reason') ?? visit.url.searchParams.get('reason') ?? ''
  const { message, confirmation, outcome } = result
  const matter = `/console/matters/${workspaceId}`
  return {
    title: `${reference} confirm`,
    crumbs: [[matter, reference]],
    ...(refused && { status: refused.status }),
    main: html`${errorSummary(refused, ['reason'])}${signInAgain(visit, refused, 'reason')}<h1>${confirmation ? 'Take back the confirmation' : 'Is this right?'}</h1>
<p class="lead">${plainly(message)}</p>
${
  outcome === 'PASSED'
    ? html`<p class="notice">There is nothing to confirm any more. <a href="${matter}">Back to the matter</a></p>`
    : html`<form method="post">${onceKey()}
${
  confirmation
    ? html`<p>${confirmation.confirmedBy} confirmed it: ${confirmation.reason}</p>`
    : html`<p>You confirm it under your name. The confirmation ends when the facts behind it change.</p>
${field({ name: 'reason', label: 'Why is it right as it is?', refused, control: (attributes) => html`<textarea${attributes} required>${reason}</textarea>` })}`
}
<p class="actions"><button>${confirmation ? 'Take it back' : 'Confirm'}</button> <a href="${matter}">Leave it</a></p></form>`
}`,
  }
}
