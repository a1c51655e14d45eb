import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Name } from '../workspaces/names.ts'
import { searchNameOf, searchPrefixesOf } from './search-names.ts'

const person = (surname: string): Name => ({ type: 'INDIVIDUAL', forenames: 'Ann', surname })
const company = (organisationName: string): Name => ({ type: 'ORGANISATION', organisationName })

const isFound = (name: Name, text: string) =>
  searchPrefixesOf(text).some((prefix) => searchNameOf(name).startsWith(prefix))

describe('a party', () => {
  for (const [name, text] of [
    [person('Prynne'), 'pr'],
    [person('Prynne'), 'PRYNNE'],
    [person('De Souza'), 'desou'],
    [person('DeSouza'), 'de souza'],
    [person('García-Márquez'), 'garcia ma'],
    [person('O’Brien'), "o'b"],
    [person('Smith OBE'), 'smith'],
    [company('The Turner Holdings Company Limited'), 'turner holdings co ltd'],
    [company('The Turner Holdings Company Limited'), 'The Turner'],
    [company('A.B.C. Limited'), 'abc'],
    [person(`${'x'.repeat(120)}`), 'x'.repeat(140)],
  ] as const) {
    it(`${JSON.stringify(name).slice(0, 60)} is found by ${text.slice(0, 30)}`, () => assert.ok(isFound(name, text)))
  }

  for (const [name, text] of [
    [person('Prynne'), 'rynne'],
    [person('Prynne'), 'Ann'],
    [company('Turner Holdings'), 'holdings'],
  ] as const) {
    it(`${JSON.stringify(name)} is not found by ${text}`, () => assert.ok(!isFound(name, text)))
  }

  it('cannot be looked for by less than two characters after normalising', () => {
    for (const text of ['a', '- a -', '..', 'a\u0301']) assert.deepEqual(searchPrefixesOf(text), [])
  })

  it('is found once, whichever of two ways to read the text it fits', () => {
    assert.deepEqual(searchPrefixesOf('Smith OBE'), ['smith'])
    assert.deepEqual(searchPrefixesOf('The Oaks'), ['theoaks', 'oaks'])
  })

  it('has a name that an index can hold', () => {
    const longest = searchNameOf(company('\u{fdfa}'.repeat(160)))
    assert.ok(longest.isWellFormed() && Buffer.byteLength(longest) <= 400)
  })
})
