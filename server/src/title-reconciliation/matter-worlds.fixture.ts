import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  aMatter,
  company,
  newIds,
  renameOutgoing,
  renameParty,
  renameProprietor,
  setIncoming,
  setOutgoing,
} from '../../test/fixtures/ownership.ts'
import { type Application, planApplications } from '../lodgement/rules.ts'
import { Refusal } from '../platform/errors.ts'
import type { Individual, Name } from '../workspaces/names.ts'
import type { Ownership } from '../workspaces/ownership.ts'
import * as rules from './rules.ts'
import { causesOf } from './rules-links.ts'

// Random matters, and random actions on them: whatever may have been done before a law is held against it.

export type World = { matter: Ownership; applications: readonly Application[]; step: number }

/** What the service does with an action; undefined where it refuses. */
export function act({ matter, applications, step }: World, action: rules.Action): World | undefined {
  try {
    const next = rules.reconcile(matter, action, newIds(step))
    const { add, withdraw } = planApplications(applications, { ...REGISTER, ...causesOf(next) })
    const kept = applications.map((one) => (withdraw.includes(one) ? { ...one, status: 'WITHDRAWN' } : one))
    const made = add.map((one, i) => ({ ...one, applicationId: `application ${step}.${i}`, status: 'DRAFT' }))
    return { matter: next, applications: [...kept, ...made], step: step + 1 }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

const REGISTER = { registerHasCharge: true, registerHasRestriction: true }

export const actAll = (world: World, ...actions: rules.Action[]): World | undefined =>
  actions.reduce<World | undefined>((state, action) => state && act(state, action), world)

const openOf = ({ applications }: World) =>
  applications
    .filter(({ status }) => status !== 'WITHDRAWN')
    .map(({ applicationType, proprietorId = '' }) => `${applicationType} ${proprietorId}`)
    .sort()

export function assertRestored(actual: World, expected: World): void {
  assert.deepEqual(actual.matter, expected.matter)
  assert.deepEqual(openOf(actual), openOf(expected))
}

export const BLANK: Name = { type: 'INDIVIDUAL', forenames: '', surname: '' }
// Three people, each written in several ways, so that names collide; and what is nobody's name after normalising.
const aPerson: fc.Arbitrary<Individual> = fc
  .constantFrom('Mary Ann|Lee', 'MARY-ANN|Lée', 'Dr Maryann|LEE', 'Bo|De Souza', 'BÖ|DeSouza', 'Bo|Lee', '-|.')
  .map((text) => text.split('|'))
  .map(([forenames = '', surname = '']) => ({ type: 'INDIVIDUAL', forenames, surname }))
const aCompany = fc
  .tuple(fc.constantFrom('Hill Ltd', 'HILL LIMITED', 'Dale plc'), fc.constantFrom(undefined, '00000001', '00000002'))
  .map(([name, number]) => company(name, number))
const anyName: fc.Arbitrary<Name> = fc.oneof({ weight: 8, arbitrary: aPerson }, aCompany, fc.constant(BLANK))

const aStart = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.array(aPerson, { minLength: 1, maxLength: 4, size: 'max' }) },
      aCompany.map((one) => [one]),
    ),
    fc.array(anyName, { maxLength: 4, size: 'max' }),
  )
  .map(([borrowers, owners]) => aMatter(borrowers, owners))

/** An action on the party or proprietor at an index; a name is one of the pool, or one that somebody has. */
const aMove = fc
  .record({ kind: fc.nat(4), at: fc.nat(99), person: aPerson, company: aCompany, borne: fc.option(fc.nat(99)) })
  .map(({ kind, at, borne, ...pool }) => ({ parties, proprietors }: Ownership): rules.Action => {
    const incoming = parties.filter(({ role }) => role === 'INCOMING_PROPRIETOR')
    const leaving = proprietors.filter(({ outgoing }) => outgoing)
    const chosen = kind === 3 && at % 10 && leaving.length ? leaving : [...proprietors, ...(at % 10 ? [] : incoming)]
    const { partyId, name: ours } = parties[at % parties.length] ?? NOBODY
    const { proprietorId = '', name: theirs } = chosen[at % chosen.length] ?? NOBODY
    const { type } = kind === 0 ? ours : theirs
    const names = [...parties, ...proprietors].map(({ name }) => name).filter((name) => name.type === type)
    const name =
      names[(borne ?? names.length) % (names.length + 1)] ?? pool[type === 'INDIVIDUAL' ? 'person' : 'company']
    const moves = [
      renameParty(partyId, name),
      setOutgoing(proprietorId),
      renameProprietor(proprietorId, name),
      renameOutgoing(proprietorId, name),
    ]
    return moves[kind] ?? setIncoming(partyId)
  })

const NOBODY = { partyId: 'nobody', proprietorId: 'nobody', name: BLANK }
const RUNS = 200
const TRIED_MIN = 50

/** Holds a law against each state on the way. It says whether it had something to say, and must often enough. */
export function holds(law: (world: World, action: rules.Action, first: Ownership) => boolean): void {
  let tried = 0
  fc.assert(
    fc.property(aStart, fc.array(aMove, { minLength: 1, maxLength: 16, size: 'max' }), (first, moves) => {
      const applications = planApplications([], { ...REGISTER, ...causesOf(first) }).add
      let world: World = { matter: first, step: 1, applications: applications.map(begun) }
      for (const move of moves) {
        const action = move(world.matter)
        if (law(world, action, first)) tried += 1
        world = act(world, action) ?? world
      }
    }),
    { numRuns: RUNS },
  )
  assert.ok(tried >= TRIED_MIN, `it had something to say ${tried} times only`)
}

const begun = (one: Omit<Application, 'applicationId' | 'status'>, i: number): Application => ({
  ...one,
  applicationId: `application 0.${i}`,
  status: 'DRAFT',
})
