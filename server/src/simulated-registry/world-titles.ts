import type { Register } from '../registry/register.ts'
import { at, person } from './world-parties.ts'

const LARKBEARE_ROW = at('EX2 9QT', '3 Larkbeare Row', 'Exeter')
const ORCHARD_WALK = at('RG4 9QN', '18 Orchard Walk', 'Caversham', 'Reading')
const NORTHGATE_TERRACE = at('CH1 9QF', '9 Northgate Terrace', 'Chester')
const TY_GWYN = at('SA42 9QJ', 'Tŷ Gwyn', 'Heol y Môr', 'Trefdraeth', 'Sir Benfro')
const CHANDLERY_WHARF = at('SE16 9QW', 'Flat 21', 'Chandlery Wharf', 'Rope Street', 'London')
const WINDMILL_LANE = at('SL3 9QB', '64 Windmill Lane', 'Slough')

/** Titles of one person each. The register shows no charge on any of them. */
export const HOUSEHOLD_TITLES: readonly Register[] = [
  {
    titleNumber: 'DN514817',
    tenure: 'FREEHOLD',
    classOfTitleCode: '10',
    district: 'Exeter',
    administrativeArea: 'Devon',
    office: 'Plymouth Office',
    registeredOn: '1991-02-08',
    editionDate: '2015-04-13',
    property: {
      address: LARKBEARE_ROW,
      description: 'The freehold land edged red on the title plan, being 3 Larkbeare Row, Exeter (EX2 9QT).',
    },
    rights: [],
    proprietorsSince: '2015-04-13',
    proprietors: [person('Maria', 'Santos', LARKBEARE_ROW)],
    pricePaid: { pence: 219_995_00, paidOn: '2015-03-20' },
    restrictions: [],
    burdens: [],
    charges: [],
  },
  {
    titleNumber: 'RQ100001',
    tenure: 'FREEHOLD',
    classOfTitleCode: '10',
    district: 'Reading',
    administrativeArea: 'Reading',
    office: 'Gloucester Office',
    registeredOn: '1979-07-02',
    editionDate: '2018-12-03',
    property: {
      address: ORCHARD_WALK,
      description:
        'The freehold land edged red on the title plan, being 18 Orchard Walk, Caversham, Reading (RG4 9QN).',
    },
    rights: [],
    proprietorsSince: '2018-12-03',
    proprietors: [person('Grace', 'Okafor', ORCHARD_WALK)],
    pricePaid: { pence: 365_000_00, paidOn: '2018-11-09' },
    restrictions: [],
    burdens: [
      {
        enteredOn: '1979-07-02',
        text: 'The land is subject to the rights of drainage granted by a deed dated 14 June 1979 to the owners of 16 and 20 Orchard Walk.',
      },
    ],
    charges: [],
  },
  {
    titleNumber: 'CX100001',
    tenure: 'FREEHOLD',
    classOfTitleCode: '10',
    district: 'Chester',
    administrativeArea: 'Cheshire West and Chester',
    office: 'Birkenhead Office',
    registeredOn: '1983-10-19',
    editionDate: '2009-05-26',
    property: {
      address: NORTHGATE_TERRACE,
      description: 'The freehold land edged red on the title plan, being 9 Northgate Terrace, Chester (CH1 9QF).',
    },
    rights: [],
    proprietorsSince: '2009-05-26',
    proprietors: [person('Peter', 'Lang', NORTHGATE_TERRACE)],
    pricePaid: { pence: 172_000_00, paidOn: '2009-05-01' },
    restrictions: [],
    burdens: [],
    charges: [],
  },
  {
    titleNumber: 'VF100001',
    tenure: 'FREEHOLD',
    classOfTitleCode: '10',
    district: 'Sir Benfro / Pembrokeshire',
    administrativeArea: 'Sir Benfro / Pembrokeshire',
    office: 'Wales Office',
    registeredOn: '1999-06-30',
    editionDate: '2011-09-12',
    property: {
      address: TY_GWYN,
      description:
        'The freehold land edged red on the title plan, being Tŷ Gwyn, Heol y Môr, Trefdraeth, Sir Benfro (SA42 9QJ).',
    },
    rights: [],
    proprietorsSince: '2011-09-12',
    proprietors: [person('Joan', 'Hill', TY_GWYN)],
    pricePaid: { pence: 158_500_00, paidOn: '2011-08-19' },
    restrictions: [],
    burdens: [],
    charges: [],
  },
  {
    titleNumber: 'SE100001',
    tenure: 'LEASEHOLD',
    classOfTitleCode: '60',
    district: 'Southwark',
    administrativeArea: 'Greater London',
    office: 'Telford Office',
    registeredOn: '2006-04-24',
    editionDate: '2021-03-01',
    property: {
      address: CHANDLERY_WHARF,
      description:
        'The leasehold land edged red on the title plan, being Flat 21 on the third floor of Chandlery Wharf, Rope Street, London (SE16 9QW).',
    },
    lease: {
      dated: '2006-03-31',
      term: '125 years from 1 January 2006',
      rent: '£150 a year',
      parties: [
        { type: 'ORGANISATION', organisationName: 'Chandlery Wharf Freeholds Limited', addresses: [] },
        person('Helen', 'Brandt'),
      ],
    },
    rights: [],
    proprietorsSince: '2021-03-01',
    proprietors: [person('Omar', 'Aziz', CHANDLERY_WHARF)],
    pricePaid: { pence: 540_000_00, paidOn: '2021-02-05' },
    restrictions: [],
    burdens: [],
    charges: [],
  },
  {
    titleNumber: 'SL100001',
    tenure: 'FREEHOLD',
    classOfTitleCode: '10',
    district: 'Slough',
    administrativeArea: 'Slough',
    office: 'Gloucester Office',
    registeredOn: '1968-11-11',
    editionDate: '2004-01-26',
    property: {
      address: WINDMILL_LANE,
      description: 'The freehold land edged red on the title plan, being 64 Windmill Lane, Slough (SL3 9QB).',
    },
    rights: [],
    proprietorsSince: '2004-01-26',
    proprietors: [{ ...person('Ivy', 'Marsh', WINDMILL_LANE), aliases: [{ forenames: 'Ivy', surname: 'Sedgemoor' }] }],
    restrictions: [],
    burdens: [],
    charges: [],
  },
]
