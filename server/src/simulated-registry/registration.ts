import type { LodgedApplication, LodgedParty, Lodgement } from '../registry/lodgement.ts'
import { type Charge, isLenders, type Party, type Register } from '../registry/register.ts'
import type { Name } from '../workspaces/names.ts'
import { chargeeOf } from './world-parties.ts'

/** New entries have the date of the application, because they have effect from it; the edition that of the registration. */
export type RegistrationDates = { appliedOn: string; registeredOn: string }

/**
 * The next edition of a register, with the applications of a lodgement. Early completion keeps the old charges before the
 * new one. A lender's restriction is removed with its charge, without an application.
 */
export function registerAfter(
  register: Register,
  lodgement: Lodgement,
  { appliedOn, registeredOn }: RegistrationDates,
  completion: 'in full' | 'early',
): Register {
  const { applications, lender, completedOn } = lodgement
  const has = (type: LodgedApplication['type']) => applications.some((one) => one.type === type)
  const { pricePaid, ...edition } = register
  const isTransfer = has('TRANSFER_OF_WHOLE')
  const isDischarged = completion === 'in full' && has('DISCHARGE')
  return {
    ...edition,
    editionDate: registeredOn,
    // The price belongs to the proprietors who paid it.
    ...(isTransfer ? { proprietorsSince: appliedOn } : pricePaid && { pricePaid }),
    proprietors: proprietorsAfter(register, lodgement),
    restrictions: register.restrictions.filter((one) =>
      isLenders(one) ? !isDischarged : !has('CANCEL_A_RESTRICTION'),
    ),
    charges: [
      ...(isDischarged ? [] : register.charges),
      ...(has('MORTGAGE_DEED') ? [newCharge(register, lender, completedOn, appliedOn)] : []),
    ],
  }
}

/** With the addresses for service that a transfer gives. */
function proprietorsAfter(register: Register, { applications, parties }: Lodgement): Party[] {
  const leaving = new Set<number>()
  const newNames = new Map<number, Name>()
  const coming: Party[] = []
  let taking: readonly LodgedParty[] = []
  for (const application of applications) {
    if (application.type === 'CHANGE_OF_NAME') newNames.set(application.proprietor.position, application.newName)
    if (application.type !== 'TRANSFER_OF_WHOLE') continue
    for (const { position } of application.outgoing) leaving.add(position)
    taking = parties
    const incoming = parties.filter(({ role }) => role === 'INCOMING_PROPRIETOR')
    coming.push(
      ...application.incoming.map((name, index) =>
        asParty(name, addressesOf(incoming[index], [register.property.address])),
      ),
    )
  }
  const staying = register.proprietors.flatMap((party, index) => {
    const position = index + 1
    const newName = newNames.get(position)
    const one = taking.find((lodged) => lodged.position === position)
    const addresses = addressesOf(one, party.addresses)
    return leaving.has(position) ? [] : [newName ? asParty(newName, addresses) : { ...party, addresses }]
  })
  return [...staying, ...coming]
}

function addressesOf(party: LodgedParty | undefined, others: Party['addresses']): Party['addresses'] {
  if (!party?.addressForService) return others
  const { flat, name, number = '', street = '', locality, town, county, postcode } = party.addressForService
  const lines = [flat, name, `${number} ${street}`.trim(), locality, town, county].filter((line) => line !== undefined)
  return [{ lines, ...(postcode && { postcode }) }]
}

const asParty = (name: Name, addresses: Party['addresses']): Party =>
  name.type === 'INDIVIDUAL' ? { ...name, aliases: [], addresses } : { ...name, addresses }

function newCharge({ titleNumber, charges }: Register, lender: string, dated: string, enteredOn: string): Charge {
  return {
    chargeId: `${titleNumber}-${charges.length + 1}`,
    dated,
    enteredOn,
    chargees: [chargeeOf(lender)],
  }
}
