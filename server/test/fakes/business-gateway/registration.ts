import { type Charge, isLenders, type Register, type Party as Registered } from '../../../src/registry/register.ts'
import { chargeeOf } from '../../../src/simulated-registry/world-parties.ts'
import { type ApplicationData, type Party, partiesIn, TRANSFERS, type Transaction } from './application-data.ts'
import { holdingOf, isSameName } from './titles.ts'

export type Dates = { appliedOn: string; registeredOn: string }

/**
 * The next edition of a register, with what an application asks for. A discharge is of the charges that
 * were there before any application; early completion keeps them.
 */
export function registerWith(
  register: Register,
  data: ApplicationData,
  { appliedOn, registeredOn }: Dates,
  completion: 'in full' | 'early',
): Register {
  const transactions = Object.values(data.transactions).toSorted((a, b) => a.priority - b.priority)
  const has = (...types: string[]) => transactions.some(({ type }) => types.includes(type))
  const isDischarged = completion === 'in full' && has('DIS')
  const isTransfer = has(...TRANSFERS)
  const holding = holdingOf(register.titleNumber)
  const old = new Set(holding?.status === 'VALID' ? holding.register.charges.map(({ chargeId }) => chargeId) : [])
  const { pricePaid, ...rest } = register
  const named = renamed(register, data, transactions)
  return {
    ...rest,
    editionDate: registeredOn,
    ...(isTransfer ? { proprietorsSince: appliedOn } : pricePaid && { pricePaid }),
    proprietors: isTransfer ? transferred(register, named, data, transactions) : named,
    restrictions: register.restrictions.filter((one) => (isLenders(one) ? !isDischarged : !has('CANR'))),
    charges: [
      ...register.charges.filter(({ chargeId }) => !isDischarged || !old.has(chargeId)),
      ...transactions.filter(({ type }) => type === 'C').map((one) => newCharge(register, data, one, appliedOn)),
    ],
  }
}

/** A change of name: the parties that the register does not know take the places of those that nobody mentions. */
function renamed(register: Register, data: ApplicationData, transactions: Transaction[]): Registered[] {
  const changes = transactions.filter(({ type }) => type === 'CN')
  if (!changes.length) return register.proprietors
  const all = Object.values(data.parties ?? {})
  const present = (registered: Registered) => all.some((one) => isSameName(one, registered))
  const holders = [...changes, ...transactions.filter(({ type }) => type !== 'CN')].flatMap((one) =>
    partiesIn(data, one, 'APPLICANT', 'TRANSFEROR', ...(transactions.some(isTransfer) ? [] : ['BORROWER'])),
  )
  const newNames = [...new Map(holders).values()].filter(
    (one) => !register.proprietors.some((registered) => isSameName(one, registered)),
  )
  return register.proprietors.map((registered) => {
    if (present(registered) || !newNames.length) return registered
    const index = Math.max(
      0,
      newNames.findIndex((one) => isLike(one, registered)),
    )
    const [newName] = newNames.splice(index, 1)
    return newName ? asRegistered(newName, registered.addresses) : registered
  })
}

const isTransfer = ({ type }: Transaction) => TRANSFERS.includes(type)

const isLike = ({ details }: Party, registered: Registered) =>
  registered.type === 'INDIVIDUAL'
    ? details.forenames === registered.forenames || details.surname === registered.surname
    : details.organisation_name !== undefined

function transferred(
  { property }: Register,
  proprietors: Registered[],
  data: ApplicationData,
  transactions: Transaction[],
): Registered[] {
  const transferees = transactions.filter(isTransfer).flatMap((one) => partiesIn(data, one, 'TRANSFEREE'))
  const coming = transferees.filter(([, party]) => !proprietors.some((registered) => isSameName(party, registered)))
  const given = ({ addresses = [] }: Party, others: Registered['addresses']) => {
    const found = addresses.flatMap((one) => data.addresses?.[one]?.details ?? []).map(asAddress)
    return found.length ? found : others
  }
  return [
    ...proprietors.flatMap((registered) => {
      const stays = transferees.find(([, party]) => isSameName(party, registered))
      return stays ? [{ ...registered, addresses: given(stays[1], registered.addresses) }] : []
    }),
    ...coming.map(([, party]) => asRegistered(party, given(party, [property.address]))),
  ]
}

function asAddress({ type: _, postcode, ...lines }: Record<string, unknown> & { postcode?: string }) {
  const order = [
    'sub_building_description',
    'building_description',
    'street',
    'dependent_locality',
    'post_town',
    'county',
  ]
  const given = order.map((one) => lines[one]).filter((one): one is string => typeof one === 'string' && one !== '')
  // A number belongs to the line of its street.
  const written = given
    .join('\n')
    .replace(/(^|\n)(\d+\w?)\n/g, '$1$2 ')
    .split('\n')
  return { lines: written, ...(postcode && { postcode }) }
}

function asRegistered({ details }: Party, addresses: Registered['addresses']): Registered {
  const { forenames = '', surname, organisation_name, company_number, freeformat_name } = details
  if (surname !== undefined) return { type: 'INDIVIDUAL', forenames, surname, aliases: [], addresses }
  const organisationName = organisation_name ?? freeformat_name ?? ''
  return {
    type: 'ORGANISATION',
    organisationName,
    ...(company_number && { registrationNumber: company_number }),
    addresses,
  }
}

function newCharge(register: Register, data: ApplicationData, one: Transaction, enteredOn: string): Charge {
  const lenders = partiesIn(data, one, 'LENDER').map(([, { details }]) => chargeeOf(details.organisation_name ?? ''))
  return {
    chargeId: `${register.titleNumber}-${register.charges.length + 1}`,
    dated: one.details?.date ?? enteredOn,
    enteredOn,
    chargees: lenders,
  }
}
