import type { Register } from '../registry/register.ts'
import { at, company, person } from './world-parties.ts'

const FORGE_YARD = at('HR2 9QL', 'The Old Forge', 'Forge Yard', 'Madley', 'Hereford')
const KESTREL_COURT = at('CO4 9QG', '4 Kestrel Court', 'Colchester')
const TURNER_HOLDINGS = company('Turner Holdings Limited', '02294747', at('CO4 9QG', '1 Kestrel Court', 'Colchester'))

/** Turner Holdings Limited with an individual, and alone. Neither title has a charge. */
export const COMPANY_TITLES: readonly Register[] = [
  {
    titleNumber: 'AB1208',
    tenure: 'FREEHOLD',
    classOfTitleCode: '10',
    district: 'Hereford',
    administrativeArea: 'Herefordshire',
    office: 'Telford Office',
    registeredOn: '1974-05-20',
    editionDate: '2020-10-30',
    property: {
      address: FORGE_YARD,
      description:
        'The freehold land edged red on the title plan, being The Old Forge, Forge Yard, Madley, Hereford (HR2 9QL).',
    },
    rights: [],
    proprietorsSince: '2020-10-30',
    proprietors: [person('Alan', 'Turner', FORGE_YARD), TURNER_HOLDINGS],
    pricePaid: { pence: 412_000_00, paidOn: '2020-10-02' },
    restrictions: [],
    burdens: [
      {
        enteredOn: '1974-05-20',
        text: 'The land is subject to the rights of the owners of the adjoining orchard to take water from the well marked W on the title plan.',
      },
    ],
    charges: [],
  },
  {
    titleNumber: 'CO100001',
    tenure: 'FREEHOLD',
    classOfTitleCode: '10',
    district: 'Colchester',
    administrativeArea: 'Essex',
    office: 'Peterborough Office',
    registeredOn: '2008-01-14',
    editionDate: '2014-07-21',
    property: {
      address: KESTREL_COURT,
      description: 'The freehold land edged red on the title plan, being 4 Kestrel Court, Colchester (CO4 9QG).',
    },
    rights: [],
    proprietorsSince: '2014-07-21',
    proprietors: [TURNER_HOLDINGS],
    pricePaid: { pence: 298_750_00, paidOn: '2014-06-27' },
    restrictions: [],
    burdens: [],
    charges: [],
  },
]
