import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Individual, Name, Organisation } from '../workspaces/names.ts'
import { nearestOf, pair } from './match.ts'
import { isSameName } from './names.ts'

const person = (forenames: string, surname: string): Individual => ({ type: 'INDIVIDUAL', forenames, surname })
const organisation = (organisationName: string, registrationNumber?: string): Organisation => ({
  type: 'ORGANISATION',
  organisationName,
  ...(registrationNumber === undefined ? {} : { registrationNumber }),
})
const parties = (...names: Name[]) => names.map((name, i) => ({ partyId: `party ${i}`, name }))
const proprietors = (...names: Name[]) => names.map((name, i) => ({ proprietorId: `proprietor ${i}`, name }))
const linksOf = (ours: Name[], theirs: Name[]) =>
  pair(parties(...ours), proprietors(...theirs)).map((link) => `${link.partyId} = ${link.proprietorId}`)

describe('pair', () => {
  const [william, tracey] = [person('William', 'Prynne'), person('Tracey', 'Prynne')]
  it('links each borrower to the proprietor of that name, whatever their order', () => {
    assert.deepEqual(linksOf([william, tracey], [tracey, william]), [
      'party 0 = proprietor 1',
      'party 1 = proprietor 0',
    ])
  })
  it('links two of one name to two of that name in their order', () => {
    assert.deepEqual(linksOf([william, william], [tracey, william, william]), [
      'party 0 = proprietor 1',
      'party 1 = proprietor 2',
    ])
  })
  it('gives one proprietor to the first of two borrowers of that name', () => {
    assert.deepEqual(linksOf([william, william], [william]), ['party 0 = proprietor 0'])
  })
  it('never links a near name', () => {
    assert.deepEqual(linksOf([person('Tracey', 'Prinne'), person('Bill', 'Prynne')], [william, tracey]), [])
  })
  it('puts the registration number before the name', () => {
    assert.deepEqual(
      linksOf(
        [organisation('Turner Ltd', '2294747')],
        [organisation('Turner Ltd'), organisation('Hill Ltd', '02294747')],
      ),
      ['party 0 = proprietor 1'],
    )
  })
  it('leaves a blank name alone', () => {
    assert.deepEqual(linksOf([person('.', '-'), organisation('...')], [person('', ''), organisation('')]), [])
  })
  it('is one to one, links only the same name, and leaves nobody with a name who could have been linked', () => {
    fc.assert(
      fc.property(names, names, (ours, theirs) => {
        const links = pair(parties(...ours), proprietors(...theirs))
        const nameOf = new Map<string, Name>([
          ...parties(...ours).map(({ partyId, name }) => [partyId, name] as const),
          ...proprietors(...theirs).map(({ proprietorId, name }) => [proprietorId, name] as const),
        ])
        const linked = new Set(links.flatMap(({ partyId, proprietorId }) => [partyId, proprietorId]))
        assert.equal(linked.size, 2 * links.length)
        const areSame = (a: string, b: string) => {
          const [one, other] = [nameOf.get(a), nameOf.get(b)]
          return one !== undefined && other !== undefined && isSameName(one, other)
        }
        for (const { partyId, proprietorId } of links) assert.ok(areSame(partyId, proprietorId))
        for (const { partyId } of parties(...ours).filter(
          ({ partyId, name }) => !linked.has(partyId) && !isBlank(name),
        )) {
          for (const { proprietorId } of proprietors(...theirs)) {
            assert.ok(linked.has(proprietorId) || !areSame(partyId, proprietorId))
          }
        }
      }),
    )
  })
  it('is stable: a party added behind the others takes nobody from them', () => {
    fc.assert(
      fc.property(people, people, aPerson, (ours, theirs, another) => {
        const before = linksOf(ours, theirs)
        assert.deepEqual(linksOf([...ours, another], theirs).slice(0, before.length), before)
      }),
    )
  })
  it('is stable: the order of the links is that of the parties, and another run gives the same', () => {
    fc.assert(
      fc.property(names, names, (ours, theirs) => {
        const links = linksOf(ours, theirs)
        assert.deepEqual(links, [...links].sort())
        assert.deepEqual(links, linksOf(ours, theirs))
      }),
    )
  })
})

describe('nearestOf', () => {
  for (const [why, party, register, expected] of [
    ['the near name', person('Tracey', 'Prinne'), [person('William', 'Prynne'), person('Tracey', 'Prynne')], 1],
    ['an equal surname', person('Bill', 'Prynne'), [person('Bill', 'Turner'), person('William', 'Prynne')], 1],
    [
      'a divided surname',
      person('Maria Santos', 'Bueno'),
      [person('Carl', 'Bueno'), person('Maria', 'Santos Bueno')],
      1,
    ],
    ['the fewest letters', person('Bo', 'Prynne'), [person('William', 'Prynne'), person('Boris', 'Prynne')], 1],
    ['the first of equals', person('Bo', 'Hill'), [person('Amy', 'Marsh'), person('Amy', 'Marsh')], 0],
    ['no company', person('Turner', 'Ltd'), [organisation('Turner Ltd'), person('Alan', 'Turner')], 1],
    ['nobody', person('Turner', 'Ltd'), [organisation('Turner Ltd')], undefined],
  ] as const) {
    it(`takes ${why}`, () => {
      const register_ = proprietors(...register)
      assert.equal(nearestOf(party, register_), expected === undefined ? undefined : register_[expected])
    })
  }
  it('takes one of the individuals, if there is any', () => {
    fc.assert(
      fc.property(aPerson, names, (party, theirs) => {
        const individuals = proprietors(...theirs).filter(({ name }) => name.type === 'INDIVIDUAL')
        const nearest = nearestOf(party, proprietors(...theirs))
        assert.equal(nearest !== undefined, individuals.length > 0)
        if (nearest) assert.ok(individuals.some(({ proprietorId }) => proprietorId === nearest.proprietorId))
      }),
    )
  })
})

const isBlank = (name: Name) => isSameName(name, person('', '')) || isSameName(name, organisation('', undefined))
const word = fc.constantFrom('Ann', 'ANN', 'Änn', 'Anne', 'Prynne', 'Dr Ann', '.', '')
const aPerson = fc.tuple(word, word).map(([forenames, surname]) => person(forenames, surname))
const people = fc.array(aPerson, { maxLength: 6 })
const names = fc.array(
  fc.oneof(
    aPerson,
    fc
      .tuple(word, fc.constantFrom(undefined, '1', '00000001', '2'))
      .map(([name, number]) => organisation(name, number)),
  ),
  { maxLength: 6 },
)
