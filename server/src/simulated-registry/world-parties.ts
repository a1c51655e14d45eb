import type { Address, Individual, Organisation } from '../registry/register.ts'

// The sandbox's people, companies and lenders. All are invented, and so are their addresses.

export const at = (postcode: string, ...lines: string[]): Address => ({ lines, postcode })

export const person = (forenames: string, surname: string, ...addresses: Address[]): Individual => ({
  type: 'INDIVIDUAL',
  forenames,
  surname,
  aliases: [],
  addresses,
})

export const company = (
  organisationName: string,
  registrationNumber: string,
  ...addresses: Address[]
): Organisation => ({
  type: 'ORGANISATION',
  organisationName,
  registrationNumber,
  addresses,
})

export const EASTMOOR_BANK: Organisation = {
  type: 'ORGANISATION',
  organisationName: 'Eastmoor Bank plc',
  addresses: [at('LS1 9QX', 'Mortgage Securities', '2 Tenter Square', 'Leeds')],
}

export const TAMARBRIDGE_BUILDING_SOCIETY: Organisation = {
  type: 'ORGANISATION',
  organisationName: 'Tamarbridge Building Society',
  addresses: [at('PL1 9QZ', 'Society House', '40 Armada Parade', 'Plymouth')],
}
