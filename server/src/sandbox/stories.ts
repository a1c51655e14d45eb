import type { Name } from '../workspaces/names.ts'

// The matters that the sandbox begins with: what a lender and a law firm do from day to day. Each is told through the
// interface itself, on a clock that starts three weeks ago, so nothing here could not have happened.

export type Deed =
  | { do: 'rename'; borrower: number; to: Name }
  | { do: 'set incoming'; borrower: number }
  | { do: 'set outgoing'; proprietor: string }
  | { do: 'change of name'; proprietor: string; to: Name }
  | { do: 'cancel'; reason: string }

export type Story = {
  reference: string
  /** How many days ago it began. */
  daysAgo: number
  address: Record<string, string>
  titleNumber?: string
  borrowers: readonly Name[]
  deeds?: readonly Deed[]
}

const person = (forenames: string, surname: string): Name => ({ type: 'INDIVIDUAL', forenames, surname })
const WILLIAM = person('William', 'Prynne')
const TRACEY = person('Tracey', 'Prynne')
const TURNER_HOLDINGS: Name = {
  type: 'ORGANISATION',
  organisationName: 'Turner Holdings Limited',
  registrationNumber: '02294747',
}

const FORE_STREET = { number: '83', street: 'Fore Street', town: 'Exeter', county: 'Devon', postcode: 'EX4 3AN' }
const QUAY_HOUSE = { name: 'Quay House', street: 'Harbour Road', town: 'Watchet', postcode: 'TA23 0AQ' }
const MILL_LANE = { flat: 'Flat 2', number: '14', street: 'Mill Lane', town: 'Taunton', postcode: 'TA1 1SH' }
const PARK_ROW = { number: '5', street: 'Park Row', locality: 'Heavitree', town: 'Exeter', postcode: 'EX1 2LH' }

type Given = Omit<Story, 'reference' | 'address'>

const given: readonly Given[] = [
  { daysAgo: 20, titleNumber: 'ST500678', borrowers: [WILLIAM, TRACEY] },
  { daysAgo: 20, titleNumber: 'ST500679', borrowers: [WILLIAM, TRACEY] },
  { daysAgo: 19, titleNumber: 'ST500678', borrowers: [WILLIAM, person('Tracey', 'Prinne')] },
  { daysAgo: 19, titleNumber: 'ST500678', borrowers: [person('Bill', 'Prynne'), TRACEY] },
  {
    daysAgo: 18,
    titleNumber: 'ST500678',
    borrowers: [WILLIAM, person('Tracey', 'Prinne')],
    deeds: [{ do: 'rename', borrower: 1, to: TRACEY }],
  },
  {
    daysAgo: 18,
    titleNumber: 'ST500681',
    borrowers: [TRACEY, person('Oliver', 'Hart')],
    deeds: [
      { do: 'set incoming', borrower: 1 },
      { do: 'set outgoing', proprietor: 'Prynne' },
    ],
  },
  { daysAgo: 17, titleNumber: 'ST500681', borrowers: [TRACEY], deeds: [{ do: 'set outgoing', proprietor: 'Prynne' }] },
  {
    daysAgo: 17,
    titleNumber: 'DN514817',
    borrowers: [person('Maria', 'Bueno')],
    deeds: [{ do: 'change of name', proprietor: 'Santos', to: person('Maria', 'Bueno') }],
  },
  { daysAgo: 16, titleNumber: 'DN514817', borrowers: [person('Maria', 'Bueno')] },
  { daysAgo: 16, titleNumber: 'AB1208', borrowers: [person('Alan', 'Turner')] },
  {
    daysAgo: 15,
    titleNumber: 'AB1208',
    borrowers: [person('Alan', 'Turner')],
    deeds: [{ do: 'set outgoing', proprietor: 'Turner Holdings Limited' }],
  },
  { daysAgo: 15, titleNumber: 'CO100001', borrowers: [TURNER_HOLDINGS] },
  { daysAgo: 14, titleNumber: 'RQ100001', borrowers: [person('Grace', 'Okafor')] },
  { daysAgo: 13, titleNumber: 'CX100001', borrowers: [person('Peter', 'Lang')] },
  { daysAgo: 12, titleNumber: 'VF100001', borrowers: [person('Joan', 'Hill')] },
  { daysAgo: 11, titleNumber: 'SE100001', borrowers: [person('Omar', 'Aziz')] },
  { daysAgo: 10, titleNumber: 'SL100001', borrowers: [person('Ivy', 'Marsh')] },
  { daysAgo: 9, titleNumber: 'NF100001', borrowers: [person('Noor', 'Field')] },
  { daysAgo: 8, titleNumber: 'DT501578', borrowers: [person('Dora', 'Thorne')] },
  { daysAgo: 7, titleNumber: 'GR514443', borrowers: [person('Glyn', 'Rees')] },
  { daysAgo: 6, borrowers: [person('Siân', 'Pritchard'), person('Huw', 'Pritchard')] },
  { daysAgo: 6, titleNumber: 'ST500678', borrowers: [WILLIAM, TRACEY, person('Rose', 'Prynne')] },
  {
    daysAgo: 5,
    titleNumber: 'ST500678',
    borrowers: [WILLIAM, TRACEY],
    deeds: [{ do: 'cancel', reason: 'APPLICANT_DECIDED_NOT_TO_PROCEED' }],
  },
  {
    daysAgo: 4,
    titleNumber: 'DT501578',
    borrowers: [person('Dora', 'Thorne')],
    deeds: [{ do: 'cancel', reason: 'TITLE_COMPLICATIONS' }],
  },
  { daysAgo: 3, titleNumber: 'CO100001', borrowers: [TURNER_HOLDINGS] },
  { daysAgo: 2, borrowers: [person('Ada', 'Whitcombe')] },
]

const ADDRESSES = [FORE_STREET, QUAY_HOUSE, MILL_LANE, PARK_ROW]

/** In the order in which they happened. */
export const STORIES: readonly Story[] = given.map((story, index) => ({
  ...story,
  reference: `NBS-${String(1001 + index)}`,
  address: ADDRESSES[index % ADDRESSES.length] ?? FORE_STREET,
}))
