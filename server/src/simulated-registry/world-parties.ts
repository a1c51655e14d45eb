import type { Address, Individual, Lease, Organisation, Register } from '../registry/register.ts'

// The sandbox's people, companies and lenders, and the common form of their titles. All are invented, and so are their
// addresses.

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

const lender = (organisationName: string, ...addresses: Address[]): Organisation => ({
  type: 'ORGANISATION',
  organisationName,
  addresses,
})

export const EASTMOOR_BANK = lender(
  'Eastmoor Bank plc',
  at('LS1 9QX', 'Mortgage Securities', '2 Tenter Square', 'Leeds'),
)
export const TAMARBRIDGE_BUILDING_SOCIETY = lender(
  'Tamarbridge Building Society',
  at('PL1 9QZ', 'Society House', '40 Armada Parade', 'Plymouth'),
)

const LENDERS = [
  EASTMOOR_BANK,
  lender('Northgate Building Society', at('CH1 9QD', 'Deeds Services', '1 Northgate Square', 'Chester')),
  lender('Fenwick Mutual', at('NE1 9QR', 'Fenwick House', '18 Quayside Row', 'Newcastle upon Tyne')),
]
const OTHER_LENDERS = at('CR9 9QY', 'PO Box 412', 'Croydon')

/** A lender with the address for service that the registry has of it. */
export const chargeeOf = (name: string): Organisation =>
  LENDERS.find(({ organisationName }) => organisationName === name) ?? lender(name, OTHER_LENDERS)

type Facts = Pick<
  Register,
  'titleNumber' | 'district' | 'administrativeArea' | 'office' | 'registeredOn' | 'editionDate' | 'proprietors'
> &
  Partial<Pick<Register, 'rights' | 'proprietorsSince' | 'pricePaid' | 'restrictions' | 'burdens' | 'charges'>> & {
    address: Address
  }

/** A freehold whose proprietors were registered with its present edition, and nothing else where nothing is given. */
export function freehold({ address, ...facts }: Facts): Register {
  const { lines, postcode } = address
  const place = lines.join(', ') + (postcode ? ` (${postcode})` : '')
  return {
    tenure: 'FREEHOLD',
    classOfTitleCode: '10',
    property: { address, description: `The freehold land edged red on the title plan, being ${place}.` },
    rights: [],
    proprietorsSince: facts.editionDate,
    restrictions: [],
    burdens: [],
    charges: [],
    ...facts,
  }
}

export const leasehold = ({ lease, flat, ...facts }: Facts & { lease: Lease; flat: string }): Register => ({
  ...freehold(facts),
  tenure: 'LEASEHOLD',
  classOfTitleCode: '60',
  property: { address: facts.address, description: `The leasehold land edged red on the title plan, being ${flat}.` },
  lease,
})
