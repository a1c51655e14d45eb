import type { Schemas } from '../../../client/src/index.ts'
import { addAddress, addressBody, addressFields, addressNames } from '../ui/address.ts'
import { choices, type Form, input, text } from '../ui/fields.ts'
import { html, type Markup } from '../ui/html.ts'

// The form that says who represents a party. Its fields have the names of the interface.

type Representation = Schemas['Representation']

const FIRM = 'externalLawFirm'
const REUSE = 'reuse.'

export const REPRESENTATION_FIELDS = [
  'representedBy',
  'referenceNumber',
  'verificationOfIdentity',
  `${FIRM}.name`,
  ...addressNames(`${FIRM}.address.`),
]

export const FIRM_FIELDS = ['name', ...addressNames('address.')]

/** `known` are the other law firms of the matter: each can be named again. */
export function representationFields(form: Form, firm: string, known: readonly Representation[]): Markup {
  return html`${choices(form, 'representedBy', 'Who acts?', [
    { value: 'PLATFORM_SUBSCRIBER_LAW_FIRM', label: `${firm} (your firm)` },
    ...known.map(({ representationId, externalLawFirm, referenceNumber }) => ({
      value: `${REUSE}${representationId}`,
      label: externalLawFirm?.name ?? '',
      hint: `Already in this matter, under ${referenceNumber}.`,
    })),
    { value: 'EXTERNAL_LAW_FIRM', label: 'Another law firm' },
    { value: 'NOT_REPRESENTED', label: 'Nobody', hint: 'The identity of the party must then be verified.' },
  ])}
  <div class="if-firm">${input(form, 'referenceNumber', 'Reference number', {
    hint: 'Under which the firm files this. Needed for another law firm.',
    width: 18,
  })}</div>
  <div class="if-external"><h2>The other law firm</h2>${firmFields(form, `${FIRM}.`)}</div>
  <div class="if-nobody">${choices(form, 'verificationOfIdentity', 'How is the identity verified?', [
    { value: 'LAW_FIRM_CERTIFIED', label: 'Your firm certifies it' },
    { value: 'IDENTITY_EVIDENCE', label: 'By evidence', hint: 'An identity form must be attached to the case.' },
  ])}</div>`
}

export const firmFields = (form: Form, prefix = ''): Markup => html`
  ${input(form, `${prefix}name`, 'Name of the firm', { width: 40, autocomplete: 'organization' })}
  ${addressFields(form, `${prefix}address.`)}`

/** What a form says, as the interface takes it. A field that was left empty is left out, so that the service names it. */
export function representationBody(form: URLSearchParams): Schemas['AddRepresentationRequest'] {
  const by = form.get('representedBy') ?? ''
  const partyId = form.get('party') ?? ''
  const reference = text(form, 'referenceNumber')
  const body = by.startsWith(REUSE)
    ? { partyId, representedBy: 'EXTERNAL_LAW_FIRM', representationId: by.slice(REUSE.length), ...reference }
    : by === 'EXTERNAL_LAW_FIRM'
      ? { partyId, representedBy: by, externalLawFirm: firmBody(form, `${FIRM}.`), ...reference }
      : by === 'NOT_REPRESENTED'
        ? { partyId, representedBy: by, ...text(form, 'verificationOfIdentity') }
        : { partyId, ...text(form, 'representedBy'), ...reference }
  // The service says what is wrong with it.
  return body as Schemas['AddRepresentationRequest']
}

export const firmBody = (form: URLSearchParams, prefix = ''): Schemas['UpdateRepresentationRequest'] =>
  ({
    ...text(form, `${prefix}name`, 'name'),
    address: addressBody(form, `${prefix}address.`),
  }) as Schemas['UpdateRepresentationRequest']

/** The other way round: a stored firm, to be changed. */
export const firmValues = ({ externalLawFirm }: Representation): URLSearchParams =>
  addAddress(new URLSearchParams({ name: externalLawFirm?.name ?? '' }), 'address.', externalLawFirm?.address ?? {})
