import type { ApplicationType } from '../lodgement/rules.ts'
import type { Name } from '../workspaces/names.ts'
import { ADDRESSES, ANY_ADDRESS } from './addresses.ts'

// The matters that the sandbox starts with: the daily work of a lender and a law firm. Each is created through the
// interface, on a clock that starts weeks ago, so its data is what real requests would produce.

export type Step = (
  | { do: 'rename'; borrower: number; to: Name }
  | { do: 'set incoming'; borrower: number }
  | { do: 'set outgoing'; proprietor: string }
  | { do: 'change of name'; proprietor: string; to: Name }
  /** All of the next five. Completion is on the first business day at least this many days later. */
  | ({ do: 'prepare'; completesAfterDays: number } & Preparation)
  | ({ do: 'represent' } & Pick<Preparation, 'unrepresented'>)
  | ({ do: 'complete the case' } & Pick<Preparation, 'loan' | 'deed'>)
  /** Completion is on the next business day, or on the one after it where today is one. */
  | ({ do: 'draw up the money' } & Pick<Preparation, 'loan' | 'surplusTo'>)
  | { do: 'approve' }
  | { do: 'authorise funds' }
  /** After the bank refused the account of the surplus. */
  | { do: 'correct the account' }
  | { do: 'answer the requisition'; message: string }
  /** The main document of an application, or another in its place. */
  | { do: 'attach'; to: ApplicationType }
  | { do: 'change the deed'; facts: Record<string, unknown> }
  | { do: 'approve again' }
  | { do: 'cancel'; reason: string }
) & {
  /** Days after the matter began; 0 if left out. A fraction is needed for today, which is not over. */
  afterDays?: number
}

const DIGITAL = { mortgageDeedReferenceType: 'DIGITAL', mortgageDeedReference: 'e-MD431C' }

export type Preparation = {
  loan: number
  /** The account number to which the surplus is paid, if not the usual one. */
  surplusTo?: string
  /** The position of a borrower for whom nobody acts. */
  unrepresented?: number
  /** What a person confirms before the approvals. */
  confirm?: { ruleId: string; field: string; reason: string }
  /** What differs from a paper deed. */
  deed?: typeof DIGITAL
}

export type MatterFixture = {
  reference: string
  /** How many days ago it began. */
  daysAgo: number
  address: Record<string, string>
  titleNumber?: string
  borrowers: readonly Name[]
  steps?: readonly Step[]
}

const person = (forenames: string, surname: string): Name => ({ type: 'INDIVIDUAL', forenames, surname })
const WILLIAM = person('William', 'Prynne')
const TRACEY = person('Tracey', 'Prynne')
const ANSWER = 'The deed is dated 3 March; a certified copy follows.'
const ADDRESS_CONFIRMED = {
  ruleId: 'security-address-matches-register',
  field: 'securityAddress',
  reason: 'Plot 7 is 14 Kingfisher Rise now: the council’s notice of the numbering is on file.',
}
const TURNER_HOLDINGS: Name = {
  type: 'ORGANISATION',
  organisationName: 'Turner Holdings Limited',
  registrationNumber: '02294747',
}
/** As it is called now. */
const SALTMARSH_HOMES: Name = {
  type: 'ORGANISATION',
  organisationName: 'Saltmarsh Homes Limited',
  registrationNumber: '06417238',
}

/** Paid and lodged on the first business day at least this many days after it was prepared. */
const completed = (loan: number, completesAfterDays = 2): Step[] => [
  { do: 'prepare', loan, completesAfterDays },
  { do: 'authorise funds' },
]

type Input = Omit<MatterFixture, 'reference' | 'address'>

// Days are chosen so that each matter has the intended status on any date, even around Christmas.
const inputs: readonly Input[] = [
  { daysAgo: 45, titleNumber: 'ST500678', borrowers: [WILLIAM, TRACEY], steps: completed(206_000) },
  {
    daysAgo: 42,
    titleNumber: 'CX100001',
    borrowers: [person('Peter', 'Lang')],
    steps: [
      ...completed(99_000),
      { do: 'attach', to: 'MORTGAGE_DEED', afterDays: 20 },
      { do: 'approve again', afterDays: 20 },
    ],
  },
  { daysAgo: 41, titleNumber: 'ST500679', borrowers: [WILLIAM, TRACEY], steps: completed(230_000) },
  { daysAgo: 40, titleNumber: 'TC100001', borrowers: [person('Daniel', 'Frost')], steps: completed(189_000) },
  { daysAgo: 24, titleNumber: 'SE100001', borrowers: [person('Omar', 'Aziz')], steps: completed(310_000) },
  {
    daysAgo: 21,
    titleNumber: 'RQ100001',
    borrowers: [person('Grace', 'Okafor')],
    steps: [...completed(142_000.5), { do: 'answer the requisition', message: ANSWER, afterDays: 18.5 }],
  },
  {
    daysAgo: 21,
    titleNumber: 'RQ100001',
    borrowers: [person('Grace', 'Okafor')],
    steps: [...completed(148_600), { do: 'answer the requisition', message: ANSWER, afterDays: 20.5 }],
  },
  { daysAgo: 20, titleNumber: 'RQ100001', borrowers: [person('Grace', 'Okafor')], steps: completed(151_250) },
  {
    daysAgo: 20,
    titleNumber: 'VF100001',
    borrowers: [person('Joan', 'Hill')],
    steps: [
      ...completed(91_000),
      { do: 'change the deed', facts: { mortgageDeedReference: 'MD5678Y' }, afterDays: 19.5 },
      { do: 'approve again', afterDays: 19.5 },
    ],
  },
  { daysAgo: 20, titleNumber: 'VF100001', borrowers: [person('Joan', 'Hill')], steps: completed(87_500) },
  {
    daysAgo: 19,
    titleNumber: 'CX100001',
    borrowers: [person('Peter', 'Lang')],
    steps: [
      ...completed(120_000),
      { do: 'change the deed', facts: DIGITAL, afterDays: 17.5 },
      { do: 'attach', to: 'MORTGAGE_DEED', afterDays: 17.5 },
      { do: 'approve again', afterDays: 17.5 },
    ],
  },
  { daysAgo: 19, titleNumber: 'ST500679', borrowers: [WILLIAM, TRACEY], steps: completed(175_000) },
  {
    daysAgo: 19,
    titleNumber: 'ST500679',
    borrowers: [WILLIAM, TRACEY],
    steps: [
      ...completed(182_000),
      { do: 'attach', to: 'DISCHARGE', afterDays: 17.5 },
      { do: 'approve again', afterDays: 17.5 },
    ],
  },
  {
    daysAgo: 18,
    titleNumber: 'ST500678',
    borrowers: [WILLIAM, person('Tracey', 'Prinne')],
    steps: [{ do: 'rename', borrower: 1, to: TRACEY }, ...completed(198_000, 40)],
  },
  {
    daysAgo: 18,
    titleNumber: 'ST500681',
    borrowers: [TRACEY, person('Oliver', 'Hart')],
    steps: [
      { do: 'set incoming', borrower: 1 },
      { do: 'set outgoing', proprietor: 'Prynne' },
      { do: 'prepare', loan: 240_000, completesAfterDays: 50 },
    ],
  },
  { daysAgo: 17, titleNumber: 'ST500681', borrowers: [TRACEY], steps: [{ do: 'set outgoing', proprietor: 'Prynne' }] },
  {
    daysAgo: 17,
    titleNumber: 'DN514817',
    borrowers: [person('Maria', 'Bueno')],
    steps: [
      { do: 'change of name', proprietor: 'Santos', to: person('Maria', 'Bueno') },
      { do: 'prepare', loan: 132_400, completesAfterDays: 60 },
    ],
  },
  { daysAgo: 16, titleNumber: 'DN514817', borrowers: [person('Maria', 'Bueno')] },
  { daysAgo: 16, titleNumber: 'AB1208', borrowers: [person('Alan', 'Turner')] },
  {
    daysAgo: 15,
    titleNumber: 'AB1208',
    borrowers: [person('Alan', 'Turner')],
    steps: [{ do: 'set outgoing', proprietor: 'Turner Holdings Limited' }],
  },
  { daysAgo: 14, titleNumber: 'ST500678', borrowers: [WILLIAM, person('Tracey', 'Prinne')] },
  { daysAgo: 13, titleNumber: 'ST500678', borrowers: [person('Bill', 'Prynne'), TRACEY] },
  {
    daysAgo: 13,
    titleNumber: 'AD100001',
    borrowers: [person('Lewis', 'Carver')],
    steps: [{ do: 'prepare', loan: 176_500, completesAfterDays: 35, confirm: ADDRESS_CONFIRMED }],
  },
  { daysAgo: 12, titleNumber: 'CO100001', borrowers: [TURNER_HOLDINGS], steps: completed(350_000, 30) },
  {
    daysAgo: 11,
    titleNumber: 'LR100001',
    borrowers: [person('Harriet', 'Bell'), person('Simon', 'Bell')],
    steps: [{ do: 'prepare', loan: 214_000, completesAfterDays: 45, unrepresented: 1 }],
  },
  { daysAgo: 10, titleNumber: 'SL100001', borrowers: [person('Ivy', 'Marsh')] },
  {
    daysAgo: 9,
    titleNumber: 'DD100001',
    borrowers: [person('Esme', 'Boyd')],
    steps: [{ do: 'prepare', loan: 168_000, completesAfterDays: 2, deed: DIGITAL }, { do: 'authorise funds' }],
  },
  { daysAgo: 9, titleNumber: 'NF100001', borrowers: [person('Noor', 'Field')] },
  { daysAgo: 8, titleNumber: 'DT501578', borrowers: [person('Dora', 'Thorne')] },
  { daysAgo: 7, titleNumber: 'GR514443', borrowers: [person('Glyn', 'Rees')] },
  { daysAgo: 6, borrowers: [person('Siân', 'Pritchard'), person('Huw', 'Pritchard')] },
  { daysAgo: 6, titleNumber: 'ST500678', borrowers: [WILLIAM, TRACEY, person('Rose', 'Prynne')] },
  {
    daysAgo: 5,
    titleNumber: 'ST500678',
    borrowers: [WILLIAM, TRACEY],
    steps: [{ do: 'cancel', reason: 'APPLICANT_DECIDED_NOT_TO_PROCEED' }],
  },
  {
    daysAgo: 4,
    titleNumber: 'DT501578',
    borrowers: [person('Dora', 'Thorne')],
    steps: [{ do: 'cancel', reason: 'TITLE_COMPLICATIONS' }],
  },
  { daysAgo: 3, titleNumber: 'LH100001', borrowers: [person('Priya', 'Nair')] },
  { daysAgo: 2, borrowers: [person('Ada', 'Whitcombe')] },
  { daysAgo: 2, titleNumber: 'RC100001', borrowers: [SALTMARSH_HOMES] },
]

/** In the order in which they began. */
export const MATTERS: readonly MatterFixture[] = inputs.map((matter, index) => ({
  ...matter,
  reference: `NBS-${String(1001 + index)}`,
  address: ADDRESSES[matter.titleNumber ?? ''] ?? ANY_ADDRESS,
}))
