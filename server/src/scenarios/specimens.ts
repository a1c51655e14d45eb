import { oneLine } from '../registry/entry-wording.ts'
import type { Register } from '../registry/register.ts'
import { ACCOUNT_NOTES } from '../settlement/simulator.ts'
import { TITLE_NOTES, WORLD } from '../simulated-registry/world.ts'

/** The titles and accounts that decide what happens in the sandbox, as the simulators have them. */
export const specimens = () => ({
  titles: [...WORLD].map(([titleNumber, holding]) => ({
    titleNumber,
    proprietors: holding.kind === 'registered' ? holding.register.proprietors.map(nameOf) : [],
    address: holding.kind === 'registered' ? oneLine(holding.register.property.address) : '',
    happens: TITLE_NOTES[titleNumber] ?? '',
  })),
  accounts: Object.entries(ACCOUNT_NOTES).map(([accountNumber, happens]) => ({ accountNumber, happens })),
})

const nameOf = (owner: Register['proprietors'][number]) =>
  owner.type === 'INDIVIDUAL' ? `${owner.forenames} ${owner.surname}` : owner.organisationName
