import type { Register } from '../registry/register.ts'
import { at, EASTMOOR_BANK, freehold, person, TAMARBRIDGE_BUILDING_SOCIETY } from './world-parties.ts'

const COTHELSTONE_CLOSE = at('TA1 9QH', '12 Cothelstone Close', 'Taunton')
const MILL_LEAT = at('TA21 9QP', '27 Mill Leat', 'Wellington')
const PRIORY_GARDENS = at('TA6 9QD', '5 Priory Gardens', 'Bridgwater')

/** William and Tracey Prynne's titles: one old charge on each, and a restriction on the last. */
export const PRYNNE_TITLES: readonly Register[] = [
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
    proprietors: [person('William', 'Prynne', COTHELSTONE_CLOSE), person('Tracey', 'Prynne', COTHELSTONE_CLOSE)],
    pricePaid: { pence: 185_000_00, paidOn: '2012-05-22' },
    burdens: [
      {
        enteredOn: '1987-03-16',
        text: 'A transfer of the land in this title and other land dated 2 March 1987 contains covenants that restrict its use to a single private dwelling with garage.',
      },
    ],
    charges: [{ chargeId: 'ST500678-1', dated: '2012-05-22', enteredOn: '2012-06-11', chargees: [EASTMOOR_BANK] }],
  }),
  freehold({
    titleNumber: 'ST500679',
    district: 'Wellington',
    administrativeArea: 'Somerset',
    office: 'Plymouth Office',
    registeredOn: '1996-09-04',
    editionDate: '2016-02-19',
    address: MILL_LEAT,
    proprietors: [person('William', 'Prynne', MILL_LEAT), person('Tracey', 'Prynne', MILL_LEAT)],
    pricePaid: { pence: 231_500_00, paidOn: '2016-01-29' },
    charges: [
      {
        chargeId: 'ST500679-1',
        dated: '2016-01-29',
        enteredOn: '2016-02-19',
        chargees: [TAMARBRIDGE_BUILDING_SOCIETY],
      },
    ],
  }),
  freehold({
    titleNumber: 'ST500681',
    district: 'Bridgwater',
    administrativeArea: 'Somerset',
    office: 'Plymouth Office',
    registeredOn: '2003-11-27',
    editionDate: '2019-08-05',
    address: PRIORY_GARDENS,
    proprietors: [person('William', 'Prynne', PRIORY_GARDENS), person('Tracey', 'Prynne', PRIORY_GARDENS)],
    pricePaid: { pence: 264_950_00, paidOn: '2019-07-12' },
    restrictions: [
      {
        type: 'JOINT_PROPRIETOR',
        enteredOn: '2019-08-05',
        text: 'No disposition by a sole proprietor of the registered estate (except a trust corporation) under which capital money arises is to be registered unless authorised by an order of the court.',
      },
    ],
    charges: [{ chargeId: 'ST500681-1', dated: '2019-07-12', enteredOn: '2019-08-05', chargees: [EASTMOOR_BANK] }],
  }),
]
