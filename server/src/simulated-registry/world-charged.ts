import type { Address, Charge, Organisation, Register } from '../registry/register.ts'
import { at, EASTMOOR_BANK, freehold, leasehold, person, TAMARBRIDGE_BUILDING_SOCIETY } from './world-parties.ts'

const COTHELSTONE_CLOSE = at('TA1 9QH', '12 Cothelstone Close', 'Taunton')
const MILL_LEAT = at('TA21 9QP', '27 Mill Leat', 'Wellington')
const PRIORY_GARDENS = at('TA6 9QD', '5 Priory Gardens', 'Bridgwater')
const BELLWETHER_ROAD = at('DE1 9QJ', '40 Bellwether Road', 'Derby')
const COOPERS_RISE = at('SN2 9QX', '6 Coopers Rise', 'Swindon')
const HARBOUR_VIEW = at('BN2 9QE', 'Flat 5', 'Harbour View', '90 Marine Parade', 'Brighton')
/** As the developer called it; the register was never given the postal address. */
const PLOT = { lines: ['Plot 7', 'Kingfisher Rise', 'Cranbrook'] }

const charge = (chargeId: string, dated: string, enteredOn: string, chargee: Organisation): Charge => ({
  chargeId,
  dated,
  enteredOn,
  chargees: [chargee],
})

const prynnes = (home: Address) => [person('William', 'Prynne', home), person('Tracey', 'Prynne', home)]

/** Titles with old charges: with restrictions, with two charges, of a leasehold, and at another address. */
export const CHARGED_TITLES: readonly Register[] = [
  freehold({
    titleNumber: 'ST500678',
    district: 'Taunton',
    administrativeArea: 'Somerset',
    office: 'Plymouth Office',
    registeredOn: '1987-03-16',
    editionDate: '2012-06-11',
    address: COTHELSTONE_CLOSE,
    rights: [
      {
        enteredOn: '1987-03-16',
        text: 'The land has the benefit of a right of way on foot and with vehicles over the shared drive tinted brown on the title plan.',
      },
    ],
    proprietors: prynnes(COTHELSTONE_CLOSE),
    pricePaid: { pence: 185_000_00, paidOn: '2012-05-22' },
    burdens: [
      {
        enteredOn: '1987-03-16',
        text: 'A transfer of the land in this title and other land dated 2 March 1987 contains covenants that restrict its use to a single private dwelling with garage.',
      },
    ],
    charges: [charge('ST500678-1', '2012-05-22', '2012-06-11', EASTMOOR_BANK)],
  }),
  freehold({
    titleNumber: 'ST500679',
    district: 'Wellington',
    administrativeArea: 'Somerset',
    office: 'Plymouth Office',
    registeredOn: '1996-09-04',
    editionDate: '2016-02-19',
    address: MILL_LEAT,
    proprietors: prynnes(MILL_LEAT),
    pricePaid: { pence: 231_500_00, paidOn: '2016-01-29' },
    charges: [charge('ST500679-1', '2016-01-29', '2016-02-19', TAMARBRIDGE_BUILDING_SOCIETY)],
  }),
  freehold({
    titleNumber: 'ST500681',
    district: 'Bridgwater',
    administrativeArea: 'Somerset',
    office: 'Plymouth Office',
    registeredOn: '2003-11-27',
    editionDate: '2019-08-05',
    address: PRIORY_GARDENS,
    proprietors: prynnes(PRIORY_GARDENS),
    pricePaid: { pence: 264_950_00, paidOn: '2019-07-12' },
    restrictions: [
      {
        type: 'JOINT_PROPRIETOR',
        enteredOn: '2019-08-05',
        text: 'No disposition by a sole proprietor of the registered estate (except a trust corporation) under which capital money arises is to be registered unless authorised by an order of the court.',
      },
    ],
    charges: [charge('ST500681-1', '2019-07-12', '2019-08-05', EASTMOOR_BANK)],
  }),
  freehold({
    titleNumber: 'LR100001',
    district: 'Derby',
    administrativeArea: 'City of Derby',
    office: 'Nottingham Office',
    registeredOn: '1988-04-11',
    editionDate: '2018-04-03',
    address: BELLWETHER_ROAD,
    proprietors: [person('Harriet', 'Bell', BELLWETHER_ROAD), person('Simon', 'Bell', BELLWETHER_ROAD)],
    pricePaid: { pence: 228_000_00, paidOn: '2018-03-09' },
    restrictions: [
      {
        type: 'CHARGE',
        enteredOn: '2018-04-03',
        text: 'No disposition of the registered estate by the proprietor of the registered estate is to be registered without a written consent signed by the proprietor for the time being of the charge dated 9 March 2018 in favour of Eastmoor Bank plc referred to in the charges register.',
      },
    ],
    charges: [charge('LR100001-1', '2018-03-09', '2018-04-03', EASTMOOR_BANK)],
  }),
  freehold({
    titleNumber: 'TC100001',
    district: 'Swindon',
    administrativeArea: 'Swindon',
    office: 'Gloucester Office',
    registeredOn: '2001-10-08',
    editionDate: '2021-06-28',
    address: COOPERS_RISE,
    proprietors: [person('Daniel', 'Frost', COOPERS_RISE)],
    proprietorsSince: '2015-09-14',
    pricePaid: { pence: 204_500_00, paidOn: '2015-08-21' },
    charges: [
      charge('TC100001-1', '2015-08-21', '2015-09-14', TAMARBRIDGE_BUILDING_SOCIETY),
      charge('TC100001-2', '2021-06-11', '2021-06-28', EASTMOOR_BANK),
    ],
  }),
  leasehold({
    titleNumber: 'LH100001',
    district: 'Brighton and Hove',
    administrativeArea: 'Brighton and Hove',
    office: 'Weymouth Office',
    registeredOn: '1998-05-25',
    editionDate: '2019-11-18',
    address: HARBOUR_VIEW,
    flat: 'Flat 5 on the second floor of Harbour View, 90 Marine Parade, Brighton (BN2 9QE)',
    lease: {
      dated: '1998-04-30',
      term: '999 years from 25 March 1998',
      rent: 'one peppercorn a year',
      parties: [
        { type: 'ORGANISATION', organisationName: 'Harbour View Brighton Limited', addresses: [] },
        person('Edith', 'Crane'),
      ],
    },
    proprietors: [person('Priya', 'Nair', HARBOUR_VIEW)],
    pricePaid: { pence: 318_000_00, paidOn: '2019-10-25' },
    charges: [charge('LH100001-1', '2019-10-25', '2019-11-18', TAMARBRIDGE_BUILDING_SOCIETY)],
  }),
  freehold({
    titleNumber: 'AD100001',
    district: 'East Devon',
    administrativeArea: 'Devon',
    office: 'Plymouth Office',
    registeredOn: '2016-07-04',
    editionDate: '2016-12-12',
    address: PLOT,
    proprietors: [person('Lewis', 'Carver', PLOT)],
    pricePaid: { pence: 269_995_00, paidOn: '2016-11-18' },
    charges: [charge('AD100001-1', '2016-11-18', '2016-12-12', EASTMOOR_BANK)],
  }),
]
