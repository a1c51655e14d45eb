import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Individual, Name, Organisation } from '../workspaces/names.ts'
import { isSameName } from './names.ts'
import { distance, matchDetailOf, reasonsOf } from './similarity.ts'

const person = (forenames: string, surname: string): Individual => ({ type: 'INDIVIDUAL', forenames, surname })
const organisation = (organisationName: string): Organisation => ({ type: 'ORGANISATION', organisationName })

describe("the registry's published examples", () => {
  for (const [searched, registered, reasons] of [
    ['Steven', 'Stephen', ['SOUND']],
    ['Lin', 'Lynne', ['SOUND']],
    ['Smith', 'Smythe', ['SOUND']],
    ['Smith', 'Smyth', ['DISTANCE', 'SOUND']],
    ['Smith', 'Schmidt', ['SOUND']],
    ['Goodbourn', 'Woodburn', ['DISTANCE']],
    ['Wooldridge', 'Aldridge', ['SOUND']],
  ] as const) {
    it(`find ${reasons} in ${searched} and ${registered}, as surnames and as forenames, either way round`, () => {
      assert.deepEqual(reasonsOf(person('Alex', searched), person('Alex', registered)), reasons)
      assert.deepEqual(reasonsOf(person('Alex', registered), person('Alex', searched)), reasons)
      assert.deepEqual(reasonsOf(person(searched, 'Prynne'), person(registered, 'Prynne')), reasons)
      assert.deepEqual(reasonsOf(person(registered, 'Prynne'), person(searched, 'Prynne')), reasons)
    })
  }
  it('find a forename that the register has as a middle name', () => {
    assert.deepEqual(reasonsOf(person('Susan', 'Brown'), person('Edith Susan', 'Brown')), ['MIDDLE'])
    assert.deepEqual(reasonsOf(person('Edith Susan', 'Brown'), person('Susan', 'Brown')), [])
  })
  it('find a surname in two parts that the lender divided', () => {
    const [party, proprietor] = [person('Maria Santos', 'Bueno'), person('Maria', 'Santos Bueno')]
    assert.deepEqual(reasonsOf(party, proprietor), ['DISTANCE', 'SOUND'])
    assert.deepEqual(matchDetailOf(party, proprietor), { surname: 'NO_MATCH', forenames: 'SKIPPED' })
  })
})

describe('reasonsOf', () => {
  for (const [why, party, proprietor, reasons] of [
    ['a surname mistyped', person('Tracey', 'Prinne'), person('Tracey', 'Prynne'), ['DISTANCE', 'SOUND']],
    ['a nickname', person('Bill', 'Prynne'), person('William', 'Prynne'), []],
    ['a near surname of somebody else', person('Tracey', 'Prinne'), person('William', 'Prynne'), []],
    ['a new surname', person('Joan', 'Bell'), person('Joan', 'Hill'), []],
    ['both parts near', person('Steven', 'Smyth'), person('Stephen', 'Smith'), ['DISTANCE', 'SOUND']],
    ['the same name', person('MR William', 'Prynne'), person('William', 'Prynne'), []],
    ['an initial given', person('W.', 'Prynne'), person('William John', 'Prynne'), ['INITIAL']],
    ['an initial registered', person('William John', 'Prynne'), person('W J', 'Prynne'), ['INITIAL']],
    ['an initial and a near surname', person('T', 'Goodbourn'), person('Tracey', 'Woodburn'), ['DISTANCE', 'INITIAL']],
    ['another initial', person('B', 'Prynne'), person('William', 'Prynne'), []],
    ['a middle initial', person('William J', 'Prynne'), person('William John', 'Prynne'), ['INITIAL']],
    ['a middle name left out', person('Tracey', 'Prynne'), person('Tracey Ann', 'Prynne'), ['DISTANCE', 'SOUND']],
    ['another middle name', person('Tracey Mary', 'Prynne'), person('Tracey Ann', 'Prynne'), []],
    ['a forename in two words', person('Maryann', 'Prynne'), person('Mary Ann', 'Prynne'), []],
    ['no forename registered', person('Tracey', 'Prynne'), person('', 'Prynne'), []],
    ['a name in another script', person('小', '王小明王'), person('小', '王小明李'), ['DISTANCE']],
    ['an alias', person('Bill', 'Prynne'), { ...person('William', 'Prynne'), aliases: ['BILL PRYNNE'] }, ['ALIAS']],
    [
      'an alias of forenames',
      person('Bill', 'Prynne'),
      { ...person('William', 'Prynne'), aliases: ['Bill'] },
      ['ALIAS'],
    ],
    ['a maiden name', person('Joan', 'Bell'), { ...person('Joan', 'Hill'), aliases: ['Joan Bell'] }, ['ALIAS']],
    [
      'a forename alone with another surname',
      person('Bill', 'Hill'),
      { ...person('William', 'Prynne'), aliases: ['Bill'] },
      [],
    ],
    ['a company mistyped', organisation('Turner Holding Ltd'), organisation('Turner Holdings Limited'), ['DISTANCE']],
    ['another company', organisation('Hill Ltd'), organisation('Turner Holdings Limited'), []],
    [
      'a former name',
      organisation('Hill Ltd'),
      { ...organisation('Turner Ltd'), aliases: ['Hill Limited'] },
      ['ALIAS'],
    ],
    [
      'a company with another number',
      { ...organisation('Turner Ltd'), registrationNumber: '2294747' },
      { ...organisation('Turner Ltd'), registrationNumber: '2294748' },
      ['DISTANCE'],
    ],
    ['a person and a company', person('Turner', 'Ltd'), organisation('Turner Ltd'), []],
  ] as const) {
    it(`finds ${JSON.stringify(reasons)} in ${why}`, () => assert.deepEqual(reasonsOf(party, proprietor), reasons))
  }
  it('takes any two names, and has no reason to give for the same one', () => {
    fc.assert(
      fc.property(anyName, anyName, fc.array(fc.string(), { maxLength: 3 }), (party, proprietor, aliases) => {
        const reasons = reasonsOf(party, { ...proprietor, aliases })
        assert.equal(new Set(reasons).size, reasons.length)
        if (isSameName(party, proprietor) || party.type !== proprietor.type) assert.deepEqual(reasons, [])
      }),
    )
  })
  it('compares names of two thousand letters without keeping anybody waiting', () => {
    const [party, proprietor] = [person('a'.repeat(1000), 'b'.repeat(1000)), person('a'.repeat(1001), 'b'.repeat(1001))]
    const start = performance.now()
    reasonsOf(party, proprietor)
    reasonsOf(person('O.B.E. '.repeat(300), ' J P'.repeat(300)), person('the rt '.repeat(300), 'x'.repeat(2000)))
    assert.ok(performance.now() - start < 2000)
  })
})

describe('matchDetailOf', () => {
  for (const [party, proprietor, surname, forenames] of [
    [person('William', 'Prynne'), person('WILLIAM', 'Prynne'), 'MATCH', 'MATCH'],
    [person('Tracey', 'Prinne'), person('Tracey', 'Prynne'), 'PARTIAL_MATCH', 'MATCH'],
    [person('Bill', 'Prynne'), person('William', 'Prynne'), 'MATCH', 'NO_MATCH'],
    [person('W', 'Prinne'), person('William', 'Prynne'), 'PARTIAL_MATCH', 'PARTIAL_MATCH'],
    [person('William', 'Turner'), person('William', 'Prynne'), 'NO_MATCH', 'SKIPPED'],
    [person('Bill', 'Prynne'), { ...person('William', 'Prynne'), aliases: ['Bill Prynne'] }, 'MATCH', 'PARTIAL_MATCH'],
    [person('Mary-Ann', 'DeSouza'), person('Maryann', 'De Suza'), 'PARTIAL_MATCH', 'MATCH'],
    [person('Bo', 'DeSouza'), person('William', 'De Souza'), 'MATCH', 'NO_MATCH'],
    [person('William', 'Prynne'), undefined, 'SKIPPED', 'SKIPPED'],
  ] as const) {
    it(`is ${surname} and ${forenames} for ${JSON.stringify(party)} and ${JSON.stringify(proprietor)}`, () => {
      assert.deepEqual(matchDetailOf(party, proprietor), { surname, forenames })
    })
  }
  it('skips the forenames just where the surname fails', () => {
    fc.assert(
      fc.property(fc.tuple(text, text, text, text), ([a, b, c, d]) => {
        const detail = matchDetailOf(person(a, b), person(c, d))
        assert.equal(detail.forenames === 'SKIPPED', detail.surname === 'NO_MATCH')
      }),
    )
  })
})

describe('distance', () => {
  for (const [a, b, expected] of [
    ['', '', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['goodbourn', 'woodburn', 2],
    ['𝔸b', 'b', 1],
  ] as const) {
    it(`is ${expected} from ${a} to ${b}`, () => assert.equal(distance(a, b), expected))
  }
  it('is a metric', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', 'ß', '𝔸'), maxLength: 12 })
    fc.assert(
      fc.property(short, short, short, (a, b, c) => {
        assert.equal(distance(a, b), distance(b, a))
        assert.equal(distance(a, b) === 0, a === b)
        assert.ok(distance(a, c) <= distance(a, b) + distance(b, c))
      }),
    )
  })
  it('says only that it is more, above a limit', () => {
    fc.assert(
      fc.property(text, text, fc.nat(10), (a, b, limit) => {
        assert.equal(distance(a, b, limit), Math.min(distance(a, b), limit + 1))
      }),
    )
  })
})

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('a', 'n', ' ', 'e') }),
)
const anyName: fc.Arbitrary<Name> = fc.oneof(
  fc.tuple(text, text).map(([forenames, surname]) => person(forenames, surname)),
  text.map((name) => organisation(name)),
)
