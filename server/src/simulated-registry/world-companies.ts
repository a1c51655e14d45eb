import type { Register } from '../registry/register.ts'
import { at, company, freehold, person } from './world-parties.ts'

const FORGE_YARD = at('HR2 9QL', 'The Old Forge', 'Forge Yard', 'Madley', 'Hereford')
const KESTREL_COURT = at('CO4 9QG', '4 Kestrel Court', 'Colchester')
const TURNER_HOLDINGS = company('Turner Holdings Limited', '02294747', at('CO4 9QG', '1 Kestrel Court', 'Colchester'))
const SALTMARSH_LANE = at('PO1 9QS', '31 Saltmarsh Lane', 'Portsmouth')

/** Titles of companies, one with an individual, one under a name that the company no longer has. None has a charge. */
export const COMPANY_TITLES: readonly Register[] = [
  freehold({
    titleNumber: 'AB1208',
    district: 'Hereford',
    administrativeArea: 'Herefordshire',
    office: 'Telford Office',
    registeredOn: '1974-05-20',
    editionDate: '2020-10-30',
    address: FORGE_YARD,
    proprietors: [person('Alan', 'Turner', FORGE_YARD), TURNER_HOLDINGS],
    pricePaid: { pence: 412_000_00, paidOn: '2020-10-02' },
    burdens: [
      {
        enteredOn: '1974-05-20',
        text: 'The land is subject to the rights of the owners of the adjoining orchard to take water from the well marked W on the title plan.',
      },
    ],
  }),
  freehold({
    titleNumber: 'CO100001',
    district: 'Colchester',
    administrativeArea: 'Essex',
    office: 'Peterborough Office',
    registeredOn: '2008-01-14',
    editionDate: '2014-07-21',
    address: KESTREL_COURT,
    proprietors: [TURNER_HOLDINGS],
    pricePaid: { pence: 298_750_00, paidOn: '2014-06-27' },
  }),
  freehold({
    titleNumber: 'RC100001',
    district: 'Portsmouth',
    administrativeArea: 'Portsmouth',
    office: 'Weymouth Office',
    registeredOn: '1995-09-18',
    editionDate: '2017-03-06',
    address: SALTMARSH_LANE,
    proprietors: [company('Saltmarsh Lettings Limited', '06417238', SALTMARSH_LANE)],
    pricePaid: { pence: 187_500_00, paidOn: '2017-02-10' },
  }),
]
