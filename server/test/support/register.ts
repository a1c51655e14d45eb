import type { Address, Individual, Register } from '../../src/registry/register.ts'

const HOME: Address = { lines: ['1 High Street', 'Ely'], postcode: 'CB7 9QZ' }

/** A register with nothing in it but a house and its owner; a test adds what it is about. */
export function aRegister(facts: Partial<Register> = {}): Register {
  return {
    titleNumber: 'CB100200',
    tenure: 'FREEHOLD',
    classOfTitleCode: '10',
    district: 'East Cambridgeshire',
    administrativeArea: 'Cambridgeshire',
    office: 'Peterborough Office',
    registeredOn: '1990-01-02',
    editionDate: '2020-06-30',
    property: {
      address: HOME,
      description: 'The freehold land edged red on the title plan, being 1 High Street, Ely.',
    },
    rights: [],
    proprietorsSince: '2005-03-04',
    proprietors: [aPerson()],
    restrictions: [],
    burdens: [],
    charges: [],
    ...facts,
  }
}

export function aPerson(facts: Partial<Individual> = {}): Individual {
  return { type: 'INDIVIDUAL', forenames: 'Ann', surname: 'Lee', aliases: [], addresses: [HOME], ...facts }
}
