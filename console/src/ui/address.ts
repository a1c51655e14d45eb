import { type Form, input, text } from './fields.ts'
import { html, type Markup } from './html.ts'

// An address, field by field, with the names of the interface.

const PARTS = ['flat', 'name', 'number', 'street', 'locality', 'town', 'county', 'postcode'] as const

export const addressNames = (prefix: string): string[] => PARTS.map((part) => prefix + part)

export const addressFields = (form: Form, prefix: string, street = 'Street'): Markup => html`
  ${input(form, `${prefix}flat`, 'Flat (optional)', { width: 10 })}
  ${input(form, `${prefix}name`, 'Name of the building (optional)', { width: 30 })}
  ${input(form, `${prefix}number`, 'Number (optional)', { width: 10 })}
  ${input(form, `${prefix}street`, street, { width: 40 })}
  ${input(form, `${prefix}locality`, 'Locality (optional)', { width: 30 })}
  ${input(form, `${prefix}town`, 'Town', { width: 30 })}
  ${input(form, `${prefix}county`, 'County (optional)', { width: 30 })}
  ${input(form, `${prefix}postcode`, 'Postcode', { width: 10 })}`

/** What was typed, without what was left empty. */
export const addressBody = (form: URLSearchParams, prefix: string): Record<string, string> =>
  Object.assign({}, ...PARTS.map((part) => text(form, prefix + part, part)))

/** The other way round: a stored address, to be changed. */
export function addAddress(values: URLSearchParams, prefix: string, address: object): URLSearchParams {
  for (const [part, value] of Object.entries(address)) values.set(prefix + part, String(value))
  return values
}
