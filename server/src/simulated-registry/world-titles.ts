import type { Register } from '../registry/register.ts'
import { at, freehold, leasehold, person } from './world-parties.ts'

const LARKBEARE_ROW = at('EX2 9QT', '3 Larkbeare Row', 'Exeter')
const ORCHARD_WALK = at('RG4 9QN', '18 Orchard Walk', 'Caversham', 'Reading')
const NORTHGATE_TERRACE = at('CH1 9QF', '9 Northgate Terrace', 'Chester')
const TY_GWYN = at('SA42 9QJ', 'Tŷ Gwyn', 'Heol y Môr', 'Trefdraeth', 'Sir Benfro')
const CHANDLERY_WHARF = at('SE16 9QW', 'Flat 21', 'Chandlery Wharf', 'Rope Street', 'London')
const WINDMILL_LANE = at('SL3 9QB', '64 Windmill Lane', 'Slough')
const CHAPEL_STEPS = at('LS28 9QD', '5 Chapel Steps', 'Pudsey', 'Leeds')
const BREWHOUSE_MEWS = at('NR3 9QF', '11 Brewhouse Mews', 'Norwich')

/** Titles of one person each. The register shows no charge on any of them. */
export const HOUSEHOLD_TITLES: readonly Register[] = [
  freehold({
    titleNumber: 'DN514817',
    district: 'Exeter',
    administrativeArea: 'Devon',
    office: 'Plymouth Office',
    registeredOn: '1991-02-08',
    editionDate: '2015-04-13',
    address: LARKBEARE_ROW,
    proprietors: [person('Maria', 'Santos', LARKBEARE_ROW)],
    pricePaid: { pence: 219_995_00, paidOn: '2015-03-20' },
  }),
  freehold({
    titleNumber: 'RQ100001',
    district: 'Reading',
    administrativeArea: 'Reading',
    office: 'Gloucester Office',
    registeredOn: '1979-07-02',
    editionDate: '2018-12-03',
    address: ORCHARD_WALK,
    proprietors: [person('Grace', 'Okafor', ORCHARD_WALK)],
    pricePaid: { pence: 365_000_00, paidOn: '2018-11-09' },
    burdens: [
      {
        enteredOn: '1979-07-02',
        text: 'The land is subject to the rights of drainage granted by a deed dated 14 June 1979 to the owners of 16 and 20 Orchard Walk.',
      },
    ],
  }),
  freehold({
    titleNumber: 'LT100001',
    district: 'Leeds',
    administrativeArea: 'West Yorkshire',
    office: 'Nottingham Office',
    registeredOn: '1988-03-14',
    editionDate: '2016-10-03',
    address: CHAPEL_STEPS,
    proprietors: [person('Rosa', 'Field', CHAPEL_STEPS)],
    pricePaid: { pence: 198_000_00, paidOn: '2016-09-16' },
  }),
  freehold({
    titleNumber: 'CX100001',
    district: 'Chester',
    administrativeArea: 'Cheshire West and Chester',
    office: 'Birkenhead Office',
    registeredOn: '1983-10-19',
    editionDate: '2009-05-26',
    address: NORTHGATE_TERRACE,
    proprietors: [person('Peter', 'Lang', NORTHGATE_TERRACE)],
    pricePaid: { pence: 172_000_00, paidOn: '2009-05-01' },
  }),
  freehold({
    titleNumber: 'VF100001',
    district: 'Sir Benfro / Pembrokeshire',
    administrativeArea: 'Sir Benfro / Pembrokeshire',
    office: 'Wales Office',
    registeredOn: '1999-06-30',
    editionDate: '2011-09-12',
    address: TY_GWYN,
    proprietors: [person('Joan', 'Hill', TY_GWYN)],
    pricePaid: { pence: 158_500_00, paidOn: '2011-08-19' },
  }),
  leasehold({
    titleNumber: 'SE100001',
    district: 'Southwark',
    administrativeArea: 'Greater London',
    office: 'Telford Office',
    registeredOn: '2006-04-24',
    editionDate: '2021-03-01',
    address: CHANDLERY_WHARF,
    flat: 'Flat 21 on the third floor of Chandlery Wharf, Rope Street, London (SE16 9QW)',
    lease: {
      dated: '2006-03-31',
      term: '125 years from 1 January 2006',
      rent: '£150 a year',
      parties: [
        { type: 'ORGANISATION', organisationName: 'Chandlery Wharf Freeholds Limited', addresses: [] },
        person('Helen', 'Brandt'),
      ],
    },
    proprietors: [person('Omar', 'Aziz', CHANDLERY_WHARF)],
    pricePaid: { pence: 540_000_00, paidOn: '2021-02-05' },
  }),
  freehold({
    titleNumber: 'SL100001',
    district: 'Slough',
    administrativeArea: 'Slough',
    office: 'Gloucester Office',
    registeredOn: '1968-11-11',
    editionDate: '2004-01-26',
    address: WINDMILL_LANE,
    proprietors: [{ ...person('Ivy', 'Marsh', WINDMILL_LANE), aliases: [{ forenames: 'Ivy', surname: 'Sedgemoor' }] }],
  }),
  freehold({
    titleNumber: 'DD100001',
    district: 'Norwich',
    administrativeArea: 'Norfolk',
    office: 'Kingston upon Hull Office',
    registeredOn: '2012-02-27',
    editionDate: '2022-08-15',
    address: BREWHOUSE_MEWS,
    proprietors: [person('Esme', 'Boyd', BREWHOUSE_MEWS)],
    pricePaid: { pence: 245_000_00, paidOn: '2022-07-22' },
  }),
]
