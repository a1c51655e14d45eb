import type { Register, Party as RegisteredParty } from '../../../src/registry/register.ts'
import { WORLD } from '../../../src/simulated-registry/world.ts'
import { at, freehold, person } from '../../../src/simulated-registry/world-parties.ts'
import type { Party } from './application-data.ts'

export type TitleStatus = 'VALID' | 'CLOSED_OR_CANCELLED' | 'CLOSED_AND_CONTINUED' | 'PENDING_NEW_TITLE'

/** A title as the gateway knows it. */
export type Holding =
  | { status: 'VALID'; register: Register; classOfTitle: string; isElectronic: boolean; answersAfterMs: number }
  | { status: Exclude<TitleStatus, 'VALID'>; continuedUnder?: string }

const HOUR_MS = 3_600_000
const BONITOS_HOME = at('GL4 9QG', '13 Coral Close', 'Tuffley', 'Gloucester')

const published = (titleNumber: string) =>
  freehold({
    titleNumber,
    district: 'Gloucester',
    administrativeArea: 'Gloucestershire',
    office: 'Gloucester Office',
    registeredOn: '1990-01-15',
    editionDate: '2010-03-01',
    address: BONITOS_HOME,
    proprietors: [person('Tony', 'Bonito', BONITOS_HOME), person('Toni', 'Bonito', BONITOS_HOME)],
  })

const valid = (register: Register, more: Partial<Extract<Holding, { status: 'VALID' }>> = {}): Holding => ({
  status: 'VALID',
  register,
  classOfTitle: register.classOfTitleCode,
  isElectronic: true,
  answersAfterMs: 0,
  ...more,
})

const STATUSES = { CLOSED: 'CLOSED_OR_CANCELLED', PENDING_NEW_TITLE: 'PENDING_NEW_TITLE' } as const

/** The sandbox's titles, the published ones of the stubs, and a few of a kind that those do not have. */
const HOLDINGS: ReadonlyMap<string, Holding> = new Map([
  ...[...WORLD].flatMap(([number, holding]): [string, Holding][] => {
    if (holding.kind === 'registered')
      return [[number, valid(holding.register, { answersAfterMs: holding.answeredAfterMs })]]
    if (holding.reason === 'NOT_SUPPORTED') return [[number, valid(published(number), { classOfTitle: '100' })]]
    return holding.reason in STATUSES ? [[number, { status: STATUSES[holding.reason as keyof typeof STATUSES] }]] : []
  }),
  ...['MS305610', 'MS312531', 'GR506405', 'HP708026'].map((number): [string, Holding] => [
    number,
    valid(published(number)),
  ]),
  ['GR506098', valid(published('GR506098'), { isElectronic: false })],
  ['GR506123', valid(published('GR506123'), { answersAfterMs: 12 * HOUR_MS })],
  ['CC100001', { status: 'CLOSED_AND_CONTINUED', continuedUnder: 'DN514817' }],
  ['RT100001', valid(published('RT100001'), { classOfTitle: '100' })],
  ['CA100001', valid(published('CA100001'), { classOfTitle: '130' })],
])

export const holdingOf = (titleNumber: string): Holding | undefined => HOLDINGS.get(titleNumber)

/** Whether a party of an application is this one of the register. */
export function isSameName({ details }: Party, registered: RegisteredParty): boolean {
  if (registered.type === 'ORGANISATION') {
    const given = details.organisation_name ?? details.freeformat_name ?? ''
    return folded(given) === folded(registered.organisationName)
  }
  const given = details.freeformat_name ?? `${details.forenames ?? ''} ${details.surname ?? ''}`
  return [registered, ...registered.aliases].some(
    ({ forenames, surname }) => folded(`${forenames} ${surname}`) === folded(given),
  )
}

const folded = (name: string) => name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toUpperCase()
