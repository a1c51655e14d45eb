import type { Schemas } from '../../../client/src/index.ts'
import { goTo, hasRole, type Page, type View, type Visit } from '../page.ts'
import { addAddress, addressBody, addressFields, addressNames } from '../ui/address.ts'
import { type Form, hidden, input, text } from '../ui/fields.ts'
import { attempt, errorSummary } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { addressOf } from './matter.ts'

const ADDRESS = 'securityAddress.'
const FIELDS = ['reference', 'ownReference', ...addressNames(ADDRESS)]

/** Corrects an order: the lender its reference and address while it is being prepared, each side its own number at any time. */
export const correct: Page = {
  show: (visit) => correctionOf(visit, visit.params['id'] ?? ''),

  async change(visit) {
    const { api, form, params } = visit
    const path = { workspace_id: params['id'] ?? '' }
    const workspace = await api.getWorkspace({ path })
    const body = changesOf(workspace, form)
    const { refused } = await attempt(api.updateWorkspace({ path, body, ifMatch: form.get('etag') ?? undefined }))
    if (!refused) return goTo(`/console/matters/${workspace.workspaceId}`)
    return { ...(await correctionOf(visit, workspace.workspaceId, { values: form, refused })), status: refused.status }
  },
}

type Workspace = Schemas['Workspace']

/** Only what differs: what the lender alone may change is not sent by a law firm. */
function changesOf({ reference, securityAddress, ownReference }: Workspace, form: URLSearchParams) {
  const given = { ...text(form, 'reference'), ...text(form, 'ownReference') }
  const address = addressBody(form, ADDRESS)
  const stored: Record<string, unknown> = securityAddress
  const names = new Set([...Object.keys(address), ...Object.keys(stored)])
  const isMoved = form.has(`${ADDRESS}town`) && [...names].some((name) => address[name] !== stored[name])
  return {
    ...(form.has('reference') && given['reference'] !== reference && { reference: given['reference'] ?? '' }),
    ...(given['ownReference'] !== undefined &&
      given['ownReference'] !== ownReference && { ownReference: given['ownReference'] }),
    ...(isMoved && { securityAddress: address }),
  } as Schemas['UpdateWorkspaceRequest']
}

export async function correctionOf(visit: Visit, id: string, typed?: Form): Promise<View> {
  const { api, session } = visit
  const { data: workspace, etag } = await api.call('getWorkspace', { path: { workspace_id: id } })
  const { workspaceId, reference, ownReference, status, securityAddress } = workspace
  const matter = `/console/matters/${workspaceId}`
  const stored = addAddress(
    new URLSearchParams({ reference, ownReference: ownReference ?? '' }),
    ADDRESS,
    securityAddress,
  )
  const values = new URLSearchParams(stored)
  for (const [name, value] of typed?.values ?? []) values.set(name, value)
  const form = { values, refused: typed?.refused }
  const isLenders = session.person.subscriber?.kind === 'LENDER'
  const isOpen = isLenders && status === 'CREATED'
  const stale = typed?.refused?.status === 412
  return {
    title: `${reference} order`,
    crumbs: [[matter, reference]],
    main: html`${stale ? staleNotice(workspace) : errorSummary(form.refused, FIELDS)}<h1>${isLenders ? 'Correct the order' : 'Your own number'}</h1>
${
  hasRole(session, 'preparer')
    ? html`<form method="post" action="${matter}/order">${hidden({ etag: etag ?? '' })}
${input(form, 'ownReference', 'Your own number', { hint: 'Only your organisation sees it, and it is in your reports.', width: 25 })}
${isOpen ? orderPart(form) : isLenders && html`<p class="notice">Reference and address can no longer be changed: the matter is not being prepared any more.</p>`}
<p class="actions"><button>Save</button> <a href="${matter}">Back to the matter</a></p></form>`
    : html`<p class="notice">A person with the role <em>preparer</em> can change this.</p>`
}`,
  }
}

const orderPart = (form: Form): Markup => html`${input(form, 'reference', 'Reference', { width: 25 })}
<h2>Property</h2><p>Another address takes back the approval of the case.</p>${addressFields(form, ADDRESS, 'Street (optional)')}`

const staleNotice = ({ reference, securityAddress }: Workspace) =>
  html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>Somebody else changed this matter</h2>
<p>Nothing was saved. It is now <strong>${reference}, ${addressOf(securityAddress)}, ${securityAddress.postcode}</strong>. What you typed is below:
save it again, or go back.</p></div>`
