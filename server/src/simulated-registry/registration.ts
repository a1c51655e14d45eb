import type { LodgedApplication, Lodgement } from '../registry/lodgement.ts'
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
  { applications, lender, completedOn }: Lodgement,
  { appliedOn, registeredOn }: RegistrationDates,
  completion: 'in full' | 'early',
): Register {
  const has = (type: LodgedApplication['type']) => applications.some((one) => one.type === type)
  const { pricePaid, ...edition } = register
  const isTransfer = has('TRANSFER_OF_WHOLE')
  const isDischarged = completion === 'in full' && has('DISCHARGE')
  return {
    ...edition,
    editionDate: registeredOn,
    // The price belongs to the proprietors who paid it.
    ...(isTransfer ? { proprietorsSince: appliedOn } : pricePaid && { pricePaid }),
    proprietors: proprietorsAfter(register, applications),
    restrictions: register.restrictions.filter((one) =>
      isLenders(one) ? !isDischarged : !has('CANCEL_A_RESTRICTION'),
    ),
    charges: [
      ...(isDischarged ? [] : register.charges),
      ...(has('MORTGAGE_DEED') ? [newCharge(register, lender, completedOn, appliedOn)] : []),
    ],
  }
}

function proprietorsAfter(register: Register, applications: readonly LodgedApplication[]): Party[] {
  const leaving = new Set<number>()
  const newNames = new Map<number, Name>()
  const coming: Name[] = []
  for (const application of applications) {
    if (application.type === 'CHANGE_OF_NAME') newNames.set(application.proprietor.position, application.newName)
    if (application.type !== 'TRANSFER_OF_WHOLE') continue
    for (const { position } of application.outgoing) leaving.add(position)
    coming.push(...application.incoming)
  }
  const staying = register.proprietors.flatMap((party, index) => {
    const newName = newNames.get(index + 1)
    return leaving.has(index + 1) ? [] : [newName ? asParty(newName, party.addresses) : party]
  })
  return [...staying, ...coming.map((name) => asParty(name, [register.property.address]))]
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
