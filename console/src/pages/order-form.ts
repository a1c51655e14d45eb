import type { Schemas } from '../../../client/src/index.ts'
import { addressBody, addressFields, addressNames } from '../ui/address.ts'
import { choices, type Form, input, list, text } from '../ui/fields.ts'
import { html, type Markup } from '../ui/html.ts'

// The form of an order. Its fields have the names of the interface. Rows are added and removed by the server, so that it
// works without a script.

export const BORROWERS_MAX = 4
const ADDRESS = 'property.securityAddress.'
const FIRM = 'parties[0].participants[0].id'

const nameIn = (index: number, part: string) => `parties[${index}].partyDetails.${part}`

export const orderNames = (values: URLSearchParams): string[] => [
  'reference',
  'ownReference',
  'property.titleNumber',
  FIRM,
  ...addressNames(ADDRESS),
  ...[...values.keys()].filter((name) => name.startsWith('parties[')),
]

/** The rows of borrowers that a form has. A new one has two. */
export function rowsOf(values: URLSearchParams): { forenames: string; surname: string }[] {
  const count = [...values.keys()].filter((name) => name.endsWith('.surname')).length || 2
  return Array.from({ length: count }, (_, index) => ({
    forenames: values.get(nameIn(index, 'forenames'))?.trim() ?? '',
    surname: values.get(nameIn(index, 'surname'))?.trim() ?? '',
  }))
}

/** The same form with these borrowers. */
export function withRows(values: URLSearchParams, rows: ReturnType<typeof rowsOf>): URLSearchParams {
  const next = new URLSearchParams([...values].filter(([name]) => !/\.(forenames|surname)$/.test(name)))
  for (const [index, { forenames, surname }] of rows.entries()) {
    next.set(nameIn(index, 'forenames'), forenames)
    next.set(nameIn(index, 'surname'), surname)
  }
  return next
}

/** Without rows that were left empty, so that each message of the service finds its row. */
export function filledIn(values: URLSearchParams): URLSearchParams {
  const filled = rowsOf(values).filter(({ forenames, surname }) => forenames || surname)
  return withRows(values, filled.length > 0 ? filled : rowsOf(values).slice(0, 1))
}

export function orderBody(values: URLSearchParams): Schemas['CreateRemortgageWorkspaceRequest'] {
  const participants = [{ ...text(values, FIRM, 'id'), role: 'CONVEYANCER' }]
  const isCompany = values.get('kind') === 'ORGANISATION'
  const details = isCompany
    ? [
        {
          ...text(values, nameIn(0, 'organisationName'), 'organisationName'),
          ...text(values, nameIn(0, 'registrationNumber'), 'registrationNumber'),
        },
      ]
    : rowsOf(values).map((_, index) => ({
        ...text(values, nameIn(index, 'forenames'), 'forenames'),
        ...text(values, nameIn(index, 'surname'), 'surname'),
      }))
  const type = isCompany ? 'ORGANISATION' : 'INDIVIDUAL'
  const body = {
    ...text(values, 'reference'),
    property: {
      securityAddress: addressBody(values, ADDRESS),
      ...text(values, 'property.titleNumber', 'titleNumber'),
    },
    parties: details.map((partyDetails) => ({ type, role: 'BORROWER', partyDetails, participants })),
  }
  // The service says what is wrong with it.
  return body as Schemas['CreateRemortgageWorkspaceRequest']
}

type Firms = Schemas['DirectoryPage']

export function orderFields(form: Form, firms: Firms): Markup {
  const rows = rowsOf(form.values)
  return html`${input(form, 'reference', 'Reference', { hint: 'Your name for the matter, 1 to 25 characters. The law firm sees it.', width: 25 })}
${input(form, 'ownReference', 'Your own number (optional)', { hint: 'Only your organisation sees it, and it is in your reports.', width: 25 })}
<h2>Property</h2>${addressFields(form, ADDRESS, 'Street (optional)')}
<p class="hint">A flat, a name or a number is needed.</p>
${input(form, 'property.titleNumber', 'Title number (optional)', { hint: 'If it is known: the registry is then asked at once.', width: 12 })}
<h2>Borrowers</h2>${choices(form, 'kind', 'Who borrows?', [
    { value: 'INDIVIDUAL', label: `People, up to ${BORROWERS_MAX}` },
    { value: 'ORGANISATION', label: 'A company' },
  ])}
<div class="if-people">${rows.map(
    (_, index) => html`<fieldset class="line"><legend>Borrower ${index + 1}</legend>
${input(form, nameIn(index, 'forenames'), 'Forenames', { width: 30 })}${input(form, nameIn(index, 'surname'), 'Surname', { width: 30 })}
${rows.length > 1 && html`<p class="actions"><button class="plain" name="do" value="remove.${index}">Remove borrower ${index + 1}</button></p>`}</fieldset>`,
  )}
${rows.length < BORROWERS_MAX && html`<p class="actions"><button class="secondary" name="do" value="add">Add a borrower</button></p>`}</div>
<div class="if-company">${input(form, nameIn(0, 'organisationName'), 'Name of the company', { width: 40 })}
${input(form, nameIn(0, 'registrationNumber'), 'Registration number (optional)', { width: 10 })}</div>
<h2>Law firm</h2>${firmFields(form, firms)}`
}

/** A long directory is narrowed by name first. */
function firmFields(form: Form, { records, nextCursor }: Firms): Markup {
  const options = records.map(({ subscriberId, name }) => [subscriberId, name] as const)
  const isSearched = nextCursor !== undefined || form.values.has('firmName')
  return html`${
    isSearched &&
    html`${input(form, 'firmName', 'Part of its name', { width: 30 })}<p class="actions"><button class="secondary" name="do" value="find">Find law firms</button></p>`
  }
${list(form, FIRM, 'Who acts', [['', 'Choose a law firm'], ...options])}`
}
