import type { FieldProblem } from './answers.ts'
import type { ApplicationData, Transaction } from './application-data.ts'
import { detailsFor, TWO_ROLES } from './codes.ts'

// What a schema cannot express and the gateway finds at once: its answer is 400.

export function firstRules(data: ApplicationData, version: 'v1' | 'v2', today: string): FieldProblem[] {
  return [
    ...Object.entries(data.transactions).flatMap(([reference, one]) => [
      ...dates(reference, one, today),
      ...detailsFit(reference, one, version),
      ...roles(reference, one),
    ]),
    ...dangling(data),
    ...priorities(data),
  ]
}

const found = (pointer: string, detail: string): FieldProblem => ({ type: 'OCV_L1A_000', pointer, detail })

function dates(reference: string, { details }: Transaction, today: string): FieldProblem[] {
  if (!details?.date || details.date <= today) return []
  return [found(`/data/transactions/${reference}/details/date`, 'Date must be in the past or in the present')]
}

function detailsFit(reference: string, { type, details }: Transaction, version: 'v1' | 'v2'): FieldProblem[] {
  const kinds = detailsFor(type, version)
  const isFit = details ? kinds.includes(details.type) : kinds.length === 0
  if (isFit) return []
  const expected = kinds.length ? `details of type ${kinds.join(' or ')}` : 'no details'
  return [found(`/data/transactions/${reference}/details`, `A transaction of type ${type} has ${expected}`)]
}

function roles(reference: string, { type, party_roles: all = [] }: Transaction): FieldProblem[] {
  const pointer = `/data/transactions/${reference}/party_roles`
  const twice = all.filter(({ party_reference: one }, index) =>
    all.some(({ party_reference: other }, position) => position < index && other === one),
  )
  const attorneys = new Set(all.flatMap(({ attorneys = [] }) => attorneys))
  const acting = new Set(all.filter(({ role }) => role === 'ATTORNEY').map(({ party_reference: one }) => one))
  return [
    ...(TWO_ROLES.includes(type) ? [] : twice).map(({ party_reference: one }) =>
      found(pointer, `The party ${one} must not have several roles in a transaction of type ${type}`),
    ),
    ...all
      .filter(({ role, attorneys: theirs = [] }) => ['ATTORNEY', 'ASSENTOR'].includes(role) && theirs.length)
      .map(({ party_reference: one }) => found(pointer, `The party ${one} must not have attorneys`)),
    ...[...attorneys.symmetricDifference(acting)].map((one) =>
      found(pointer, `The attorney ${one} must have the role ATTORNEY and act for a party`),
    ),
  ]
}

/** References to what is not in the application. */
function dangling(data: ApplicationData): FieldProblem[] {
  const { addresses, applicants = [], documents, parties = {}, titles, transactions } = data
  const check = (pointer: string, known: object | undefined, references: readonly string[] = []) =>
    references
      .filter((one) => !Object.hasOwn(known ?? {}, one))
      .map((one) => found(pointer, `The reference ${one} is not in the application`))
  return [
    ...check('/data/applicants', parties, applicants),
    ...Object.entries(parties).flatMap(([reference, party]) => [
      ...check(`/data/parties/${reference}/addresses`, addresses, party.addresses),
      ...check(
        `/data/parties/${reference}/other_conveyancer/address_reference`,
        addresses,
        party.other_conveyancer && [party.other_conveyancer.address_reference],
      ),
    ]),
    ...Object.entries(transactions).flatMap(([reference, one]) => {
      const at = `/data/transactions/${reference}`
      const partiesOf = one.party_roles?.map(({ party_reference: party }) => party)
      return [
        ...check(`${at}/documents`, documents, one.documents),
        ...check(`${at}/title_references`, titles, one.title_references),
        ...check(`${at}/party_roles`, parties, partiesOf),
      ]
    }),
  ]
}

function priorities({ transactions }: ApplicationData): FieldProblem[] {
  const used = Object.values(transactions).map(({ priority }) => priority)
  const isUnique = new Set(used).size === used.length
  return isUnique ? [] : [found('/data/transactions', 'Multiple transactions cannot have the same priority')]
}
