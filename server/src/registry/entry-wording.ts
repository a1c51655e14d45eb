import { londonDate, londonTime } from '../jurisdiction/london.ts'
import type { Address, Party } from './register.ts'

/** Joint owners with their addresses: `ANN LEE and BO LEE of 1 High Street, Ely CB7 9QZ`. */
export function holders(parties: readonly Party[]): string {
  const byAddress = Map.groupBy(parties, ({ addresses }) => addresses.map(oneLine).join(' and of '))
  return [...byAddress].map(([where, who]) => LIST.format(who.map(upperName)) + (where && ` of ${where}`)).join(' and ')
}

/** A name as entries show it. Structured fields keep the original case. */
export function upperName(party: Party): string {
  if (party.type === 'INDIVIDUAL') return [party, ...party.aliases].map(fullName).join(' also known as ')
  const { organisationName, registrationNumber } = party
  return organisationName.toUpperCase() + (registrationNumber ? ` (company number ${registrationNumber})` : '')
}

const fullName = (name: { forenames: string; surname: string }) =>
  `${name.forenames} ${name.surname}`.trim().toUpperCase()

export const oneLine = ({ lines, postcode }: Address): string =>
  postcode ? `${lines.join(', ')} ${postcode}` : lines.join(', ')

/** `2012-05-22` as `22 May 2012`. */
export const dayInWords = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`))

/** `1 May 2026 at 11:04:09`, in London. */
export const momentInWords = (at: Date): string => `${dayInWords(londonDate(at))} at ${londonTime(at)}`

export const pounds = (pence: number): string => POUNDS.format(pence / 100)

const LIST = new Intl.ListFormat('en-GB')
const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'long' })
const POUNDS = new Intl.NumberFormat('en-GB', {
  style: 'currency',
  currency: 'GBP',
  trailingZeroDisplay: 'stripIfInteger',
})
