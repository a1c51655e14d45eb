/** A person or an organisation, as the interface details either. */
export type Individual = { type: 'INDIVIDUAL'; forenames: string; surname: string }
export type Organisation = { type: 'ORGANISATION'; organisationName: string; registrationNumber?: string }
export type Name = Individual | Organisation

export type PartyDetails = Omit<Individual, 'type'> | Omit<Organisation, 'type'>

export type PartyType = Name['type']

/** The wire shows the type beside the details, whose order is always the same: an ETag depends on it. */
export function detailsOf(name: Name): PartyDetails {
  const { type: _, ...details } = nameFrom(name.type, name)
  return details
}

/** For people to read. */
export const wholeNameOf = (name: Name): string =>
  name.type === 'INDIVIDUAL' ? `${name.forenames} ${name.surname}`.trim() : name.organisationName

const REGISTRATION_NUMBER_LENGTH = 8

/** Digits alone are padded with zeros on the left, as Companies House writes them. */
export function nameFrom(type: PartyType, details: PartyDetails): Name {
  if (type === 'INDIVIDUAL') {
    const { forenames, surname } = details as Omit<Individual, 'type'>
    return { type, forenames, surname }
  }
  const { organisationName, registrationNumber } = details as Omit<Organisation, 'type'>
  if (registrationNumber === undefined) return { type, organisationName }
  const padded = /^\d+$/.test(registrationNumber)
    ? registrationNumber.padStart(REGISTRATION_NUMBER_LENGTH, '0')
    : registrationNumber.toUpperCase()
  return { type, organisationName, registrationNumber: padded }
}
