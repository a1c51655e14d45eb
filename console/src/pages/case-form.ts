import type { Schemas } from '../../../client/src/index.ts'
import { choices, type Form, input, list } from '../ui/fields.ts'
import { html, type Markup } from '../ui/html.ts'
import { BAND_WORDS, CONSIDERATION_WORDS, DEED_WORDS, GUARANTEE_WORDS, TRUST_WORDS } from '../words.ts'
import { amountOf } from './money-lines.ts'

// What a law firm says of an application. The fields have the names of the interface.

type Attributes = Schemas['ApplicationAttributes']
type Type = Attributes['applicationType']

const OF_DEED = ['mortgageDeedReferenceType', 'mortgageDeedReference', 'transactionValue'] as const
const OF_TRANSFER = [
  'transactionValue',
  'transactionValueBand',
  'titleGuarantee',
  'considerationType',
  'considerationDescription',
  'trustDeclaration',
  'trustDetails',
  'outstandingCharge',
] as const
const AMOUNTS: readonly string[] = ['transactionValue', 'outstandingCharge']

export const particularNames = (type: Type): readonly (typeof OF_DEED | typeof OF_TRANSFER)[number][] =>
  type === 'MORTGAGE_DEED' ? OF_DEED : OF_TRANSFER

export function particularValues(attributes: Attributes): URLSearchParams {
  const values = new URLSearchParams()
  for (const name of particularNames(attributes.applicationType)) {
    const value = attributes[name]
    if (value !== undefined) values.set(name, typeof value === 'number' ? value.toFixed(2) : value)
  }
  return values
}

/** What differs from what is stored. An empty field changes nothing: nothing can be unsaid. */
export function particularChanges(attributes: Attributes, form: URLSearchParams): Schemas['UpdateApplicationRequest'] {
  const changes = particularNames(attributes.applicationType).flatMap((name) => {
    const text = form.get(name)?.trim() ?? ''
    const value = AMOUNTS.includes(name) ? amountOf(text) : text
    return text === '' || value === attributes[name] ? [] : [[name, value]]
  })
  return Object.fromEntries(changes) as Schemas['UpdateApplicationRequest']
}

export const particularFields = (type: Type, form: Form): Markup =>
  type === 'MORTGAGE_DEED' ? deedFields(form) : transferFields(form)

const deedFields = (form: Form) => html`${choices(form, 'mortgageDeedReferenceType', 'Type of the deed', [
  { value: 'PAPER', label: DEED_WORDS.PAPER },
  { value: 'DIGITAL', label: DEED_WORDS.DIGITAL, hint: 'It becomes effective on completion day.' },
])}
${input(form, 'mortgageDeedReference', 'Reference of the deed', { width: 12, hint: 'The lender’s approved form, such as MD431C, for a digital deed e-MD431C.' })}
${input(form, 'transactionValue', 'Amount of the mortgage in pounds', { width: 14, keys: 'decimal' })}`

const options = (words: Record<string, string>) => [['', 'Choose'] as const, ...Object.entries(words)]

const transferFields = (
  form: Form,
) => html`${input(form, 'transactionValue', 'Value in pounds', { width: 14, keys: 'decimal', hint: 'What is paid for it; 0 if nothing is.' })}
${list(form, 'considerationType', 'In return for', options(CONSIDERATION_WORDS))}
${input(form, 'considerationDescription', 'If for something else: what', { width: 40 })}
${list(form, 'transactionValueBand', 'If not for money: what it is worth, roughly', options(BAND_WORDS))}
${list(form, 'titleGuarantee', 'Guarantee', options(GUARANTEE_WORDS))}
${list(form, 'trustDeclaration', 'How two or more owners hold it', options(TRUST_WORDS))}
${input(form, 'trustDetails', 'If in another way: how', { width: 40 })}
${input(form, 'outstandingCharge', 'Still owed under a charge that the new owners take over, in pounds', { width: 14, keys: 'decimal' })}`
