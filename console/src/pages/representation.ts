import type { Schemas } from '../../../client/src/index.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { type Form, hidden } from '../ui/fields.ts'
import { attempt, errorSummary, onceKey, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { IDENTITY_WORDS, PARTY_WORDS, REPRESENTATION_FAILURE_WORDS } from '../words.ts'
import { type Part, partOf } from './matter-part.ts'
import { nameOf } from './names-rows.ts'
import {
  FIRM_FIELDS,
  firmBody,
  firmFields,
  firmValues,
  REPRESENTATION_FIELDS,
  representationBody,
  representationFields,
} from './representation-form.ts'

type Representation = Schemas['Representation']
type Party = Schemas['WorkspaceParty']

/** Who acts for each party: the list, and a form for one party or for an external firm. */
export const representation: Page = {
  async show(visit) {
    const acting = await load(visit)
    const { searchParams } = visit.url
    const [party, firm] = [find(acting, searchParams.get('party')), searchParams.get('firm')]
    if (acting.part.closed) return list(acting)
    if (party) return partyForm(acting, party, { values: valuesOf(party) })
    if (firm !== null) return firmForm(visit, acting, firm)
    return list(acting)
  },

  async change(visit) {
    const { form, params } = visit
    const { refused } = await attempt<unknown>(
      form.has('all')
        ? representAll(visit)
        : form.has('firm')
          ? updateFirm(visit)
          : add(visit, representationBody(form), form.get('key') ?? undefined),
    )
    return refused ? refusedView(visit, refused) : goTo(`/console/matters/${params['id']}/representation`)
  },
}

type Acting = { part: Part; firm: string; parties: readonly Party[]; representations: readonly Representation[] }

const PAGE_RECORDS = 100

async function load(visit: Visit): Promise<Acting> {
  const { api } = visit
  const path = pathOf(visit)
  const [workspace, { records }] = await Promise.all([
    api.getWorkspace({ path }),
    api.listRepresentations({ path, query: { limit: PAGE_RECORDS } }),
  ])
  const { parties, participants } = workspace
  const firm = participants.find(({ role }) => role === 'CONVEYANCER')?.name ?? ''
  return { part: partOf(visit, workspace), firm, parties, representations: records }
}

const find = ({ parties }: Acting, partyId: string | null) => parties.find((one) => one.partyId === partyId)

const pathOf = ({ params }: Visit) => ({ workspace_id: params['id'] ?? '' })

const add = (visit: Visit, body: Schemas['AddRepresentationRequest'], idempotencyKey: string | undefined) =>
  visit.api.addRepresentation({ path: pathOf(visit), body, idempotencyKey })

/** Each party that nobody acts for, in one go. A second click finds the same keys and does nothing. */
async function representAll(visit: Visit): Promise<void> {
  for (const { partyId } of waitingParties(await load(visit))) {
    const key = `${visit.form.get('key')}-${partyId}`
    await add(visit, { partyId, representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM' }, key)
  }
}

async function updateFirm(visit: Visit): Promise<void> {
  const { api, form } = visit
  const path = { ...pathOf(visit), representation_id: form.get('firm') ?? '' }
  await api.updateRepresentation({ path, body: firmBody(form), ifMatch: form.get('etag') ?? undefined })
}

async function refusedView(visit: Visit, refused: Refused): Promise<View> {
  const { form: values } = visit
  const acting = await load(visit)
  const [party, firm] = [find(acting, values.get('party')), values.get('firm')]
  const view =
    firm !== null
      ? await firmForm(visit, acting, firm, refused)
      : party
        ? partyForm(acting, party, { values, refused })
        : list(acting, errorSummary(refused))
  return { ...view, status: refused.status }
}

const waitingParties = ({ parties, representations }: Acting) =>
  parties.filter(({ representation, partyId }) => !representation && !isQueued(representations, partyId))

const isQueued = (representations: readonly Representation[], partyId: string) =>
  representations.some((one) => one.partyId === partyId && one.status === 'QUEUED')

function list(acting: Acting, notice?: Markup): View {
  const { part, firm, parties } = acting
  const { workspace, address, closed } = part
  const waiting = waitingParties(acting)
  return {
    title: `${workspace.reference} representation`,
    crumbs: part.crumbs,
    live: `matter:${workspace.workspaceId}`,
    main: html`${notice}<h1>Who represents each party</h1>${closed}
      ${waiting.length === 0 && html`<p class="good">Every party is provided for.${workspace.status === 'CREATED' && html` <a href="${address}">Back to the matter</a>`}</p>`}
      ${
        waiting.length > 0 &&
        !closed &&
        html`<form method="post" action="${address}/representation">${hidden({ all: 'yes' })}${onceKey()}
          <p class="actions"><button>${firm} represents ${whom(waiting)}</button></p></form>`
      }
      <ul class="tasks">${parties.map((party) => partyItem(acting, party))}</ul>`,
  }
}

const whom = (parties: readonly Party[]) =>
  parties.length === 2 ? 'both' : parties.length > 2 ? `all ${parties.length}` : parties.map(namedIn).join()

const namedIn = ({ partyDetails }: Party) => nameOf(partyDetails)

function partyItem(
  { part, firm, representations }: Acting,
  { partyId, partyDetails, role, representation }: Party,
): Markup {
  const { address, closed } = part
  const last = representations.filter((one) => one.partyId === partyId).at(-1)
  const name = nameOf(partyDetails)
  return html`<li id="party-${partyId}"><div><strong>${name}</strong> <small>${PARTY_WORDS[role]}</small><br>
    ${representation ? actingText(representation, firm) : last?.status === 'QUEUED' ? '' : 'Nobody yet'}
    ${last?.status === 'QUEUED' && html`<span role="status">Being processed: ${actingText(last, firm)}</span>`}
    ${last?.status === 'FAILED' && html`<p class="bad">The last request failed. ${last.failureReason && REPRESENTATION_FAILURE_WORDS[last.failureReason]}</p>`}</div>
    ${
      !closed &&
      html`<p class="actions"><a href="${address}/representation?party=${partyId}">${representation ? 'Change' : 'Say who acts'}<span class="hidden"> for ${name}</span></a>
        ${representation?.externalLawFirm && html`<a href="${address}/representation?firm=${representation.representationId}">Correct the firm<span class="hidden"> of ${name}</span></a>`}</p>`
    }</li>`
}

type Shown = Pick<Representation, 'representedBy' | 'externalLawFirm' | 'referenceNumber' | 'verificationOfIdentity'>

function actingText(
  { representedBy, externalLawFirm, referenceNumber, verificationOfIdentity }: Shown,
  firm: string,
): string {
  const reference = referenceNumber ? ` (${referenceNumber})` : ''
  switch (representedBy) {
    case 'PLATFORM_SUBSCRIBER_LAW_FIRM':
      return `${firm}${reference}`
    case 'EXTERNAL_LAW_FIRM':
      return `${externalLawFirm?.name}${reference}`
    case 'NOT_REPRESENTED':
      return `Nobody. ${verificationOfIdentity ? IDENTITY_WORDS[verificationOfIdentity] : ''}`
  }
}

const valuesOf = ({ representation }: Party) =>
  new URLSearchParams({
    ...(representation && { representedBy: representation.representedBy }),
    ...(representation?.referenceNumber && { referenceNumber: representation.referenceNumber }),
    ...(representation?.verificationOfIdentity && { verificationOfIdentity: representation.verificationOfIdentity }),
  })

function partyForm({ part, firm, representations }: Acting, { partyId, partyDetails }: Party, form: Form): View {
  const { workspace, address } = part
  const external = representations.filter((one) => one.externalLawFirm && one.status !== 'FAILED')
  const known = external.filter(
    (one, index) =>
      index === external.findLastIndex((other) => other.externalLawFirm?.name === one.externalLawFirm?.name),
  )
  const name = nameOf(partyDetails)
  return {
    title: `${workspace.reference}: who represents ${name}`,
    crumbs: [...part.crumbs, [`${address}/representation`, 'Representation']],
    main: html`${errorSummary(form.refused, REPRESENTATION_FIELDS)}<h1>Who represents ${name}?</h1>
      <form method="post" action="${address}/representation" class="representation">
        ${hidden({ party: partyId })}${onceKey()}${representationFields(form, firm, known)}
        <p class="actions"><button>Save</button> <a href="${address}/representation">Back</a></p></form>`,
  }
}

/** Name and address of an external firm. Somebody else's change is shown, and what was typed is kept. */
async function firmForm(visit: Visit, { part }: Acting, id: string, refused?: Refused): Promise<View> {
  const { workspace, address } = part
  const path = { ...pathOf(visit), representation_id: id }
  const { data, etag } = await visit.api.call('getRepresentation', { path })
  const form = refused ? { values: visit.form, refused } : { values: firmValues(data) }
  const { name, address: firmAddress = {} } = data.externalLawFirm ?? {}
  const stale = html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>Somebody else changed this firm</h2>
    <p>Nothing was saved. It is now <strong>${[name, ...Object.values(firmAddress)].join(', ')}</strong>. What you typed is below:
      save it again, or go back.</p></div>`
  return {
    title: `${workspace.reference}: ${name}`,
    crumbs: [...part.crumbs, [`${address}/representation`, 'Representation']],
    main: html`${refused?.status === 412 ? stale : errorSummary(refused, FIRM_FIELDS)}
      <h1>Correct ${name}</h1><p>The change applies to every party that the firm represents in this matter.</p>
      <form method="post" action="${address}/representation">${hidden({ firm: id, etag: etag ?? '' })}${firmFields(form)}
        <p class="actions"><button>Save</button> <a href="${address}/representation">Back</a></p></form>`,
  }
}
