import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Individual, Name, Organisation } from '../workspaces/names.ts'
import { isSameName, isSameWording, normalise, normaliseIndividual, normaliseOrganisation } from './names.ts'

const person = (forenames: string, surname: string): Individual => ({ type: 'INDIVIDUAL', forenames, surname })
const organisation = (organisationName: string, registrationNumber?: string): Organisation => ({
  type: 'ORGANISATION',
  organisationName,
  ...(registrationNumber === undefined ? {} : { registrationNumber }),
})

describe('normalise', () => {
  for (const [text, expected] of [
    ['  Tracey \t  PRYNNE ', 'tracey prynne'],
    ['Siân', 'sian'],
    ['Sia\u0302n', 'sian'],
    ['Łukasz Ørsted', 'lukasz orsted'],
    ['Đặng', 'dang'],
    ['Þór Æsa', 'thor aesa'],
    ['STRASSE straße', 'strasse strasse'],
    ['İpek ıpek', 'ipek ipek'],
    ['ﬁona ＦＩＯＮＡ', 'fiona fiona'],
    ['O’Brien O‘Brien O´Brien O`Brien', "o'brien o'brien o'brien o'brien"],
    ['Smith-Jones Smith–Jones Smith\u2011Jones', 'smith jones smith jones smith jones'],
    ['J.R., "Bob"', 'j r bob'],
    ['Mary\u00adAnn Mary\u200bAnn', 'maryann maryann'],
    ['Marks & Spencer', 'marks and spencer'],
    ['...', ''],
  ] as const) {
    it(`makes ${JSON.stringify(text)} ${JSON.stringify(expected)}`, () => assert.equal(normalise(text), expected))
  }
  it('keeps apart what is not an accent but another letter', () => {
    for (const [a, b] of [
      ['か', 'が'],
      ['कि', 'का'],
      ['Muller', 'Mueller'],
    ] as const) {
      assert.notEqual(normalise(a), normalise(b))
    }
  })
  it('changes nothing the second time', () => {
    fc.assert(fc.property(anyText, (text) => assert.equal(normalise(normalise(text)), normalise(text))))
  })
  it('treats every letter of Unicode alike in capitals, in small letters, composed and taken apart', () => {
    const points = Array.from({ length: 0x1ffff }, (_, point) => String.fromCodePoint(point))
    for (const letter of points.filter(
      (point) => /[\p{L}\p{M}]/u.test(point) && !/[\p{Script=Han}\p{Script=Hangul}]/u.test(point),
    )) {
      const forms = [letter.toUpperCase(), letter.toLowerCase(), letter.normalize('NFD'), letter.normalize('NFC')]
      for (const form of forms) assert.equal(normalise(form), normalise(letter), letter)
    }
  })
})

describe('normaliseIndividual', () => {
  for (const [forenames, surname, expected] of [
    ['Mr William', 'Prynne', 'william|prynne'],
    ['Mrs. Tracey Ann', 'Prynne', 'tracey ann|prynne'],
    ['Prof. Dr. Joan', 'Hill', 'joan|hill'],
    ['The Revd Joan', 'Hill', 'joan|hill'],
    ['The Rt Hon. Sir Joan', 'Hill', 'joan|hill'],
    ['William', 'Prynne OBE', 'william|prynne'],
    ['William', 'Prynne, K.C.M.G., Ph.D.', 'william|prynne'],
    ['Lady', 'Hill', 'lady|hill'],
    ['Mr', 'Obe', 'mr|obe'],
    ['Miss Lady', 'Hill', 'lady|hill'],
    ['Lordina', 'Drake', 'lordina|drake'],
    ['Earl James', 'Hill', 'earl james|hill'],
    ['Hon Wai', 'Chan', 'hon wai|chan'],
    ['Sita', 'Khatri KC', 'sita|khatri kc'],
    ['Suresh', 'Nair M.P.', 'suresh|nair m p'],
    ['', 'Prynne', '|prynne'],
  ] as const) {
    it(`reads ${forenames} ${surname} as ${expected}`, () => {
      const name = normaliseIndividual(person(forenames, surname))
      assert.equal(`${name.forenames}|${name.surname}`, expected)
    })
  }
  it('changes nothing the second time, and empties no name that has a letter', () => {
    fc.assert(
      fc.property(wordy, wordy, (forenames, surname) => {
        const once = normaliseIndividual(person(forenames, surname))
        assert.deepEqual(normaliseIndividual(once), once)
        assert.equal(once.forenames === '', normalise(forenames) === '')
        assert.equal(once.surname === '', normalise(surname) === '')
      }),
    )
  })
})

describe('normaliseOrganisation', () => {
  for (const [name, expected] of [
    ['Turner Holdings Limited', 'turner holdings ltd'],
    ['TURNER HOLDINGS LTD.', 'turner holdings ltd'],
    ['The A.B.C. Trading Company', 'abc trading co'],
    ['Turner Public Limited Company', 'turner plc'],
    ['Turner P.L.C.', 'turner plc'],
    ['Turner & Hill Limited Liability Partnership', 'turner and hill llp'],
    ['Turner and Hill L.L.P.', 'turner and hill llp'],
    ["Farmers' Union", 'farmers union'],
    ['Turner Cyfyngedig', 'turner cyf'],
    ['Companyworks Unlimited', 'companyworks unlimited'],
    ['The', 'the'],
  ] as const) {
    it(`reads ${name} as ${expected}`, () => {
      assert.equal(normaliseOrganisation(organisation(name)).organisationName, expected)
    })
  }
  for (const [number, expected] of [
    ['2294747', '02294747'],
    [' 02294747 ', '02294747'],
    ['sc123456', 'SC123456'],
    ['OC 30 1234', 'OC301234'],
    ['  ', undefined],
    [undefined, undefined],
  ] as const) {
    it(`reads the number ${number} as ${expected}`, () => {
      assert.equal(normaliseOrganisation(organisation('Turner', number)).registrationNumber, expected)
    })
  }
  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(wordy, fc.option(anyText, { nil: undefined }), (name, number) => {
        const once = normaliseOrganisation(organisation(name, number))
        assert.deepEqual(normaliseOrganisation(once), once)
      }),
    )
  })
})

describe('isSameWording', () => {
  it('looks at the name of a company and not at its number', () => {
    assert.ok(isSameWording(organisation('Turner Ltd', '2294747'), organisation('TURNER LIMITED', '1')))
    assert.ok(!isSameWording(organisation('Turner Ltd', '2294747'), organisation('Turner Group Ltd', '2294747')))
  })
  it('is isSameName where there are no numbers', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        assert.equal(isSameWording(person(a, b), person(b, a)), isSameName(person(a, b), person(b, a)))
        assert.equal(isSameWording(organisation(a), organisation(b)), isSameName(organisation(a), organisation(b)))
      }),
    )
  })
})

describe('isSameName', () => {
  for (const [a, b, expected] of [
    [person('William', 'Prynne'), person('WILLIAM', 'PRYNNE'), true],
    [person('Mary-Ann', 'O’Brien'), person('Mary Ann', "O'BRIEN"), true],
    [person('Tracey', ' Obe'), person('Tracey', 'Obé'), true],
    [person('Tracey', 'Prinne'), person('Tracey', 'Prynne'), false],
    [person('Bill', 'Prynne'), person('William', 'Prynne'), false],
    [person('Tracey', 'Prynne'), person('Tracey Ann', 'Prynne'), false],
    [person('Maria Santos', 'Bueno'), person('Maria', 'Santos Bueno'), false],
    [person('Turner', 'Ltd'), organisation('Turner Ltd'), false],
    [organisation('Turner Ltd', '2294747'), organisation('Turner Holdings Limited', '02294747'), true],
    [organisation('Turner Ltd', '2294747'), organisation('Turner Ltd', '02294748'), false],
    [organisation('Turner Ltd', '2294747'), organisation('Turner Limited'), true],
    [organisation('Turner Ltd'), organisation('Turner LLP'), false],
    [organisation('Turner Ltd'), organisation('Turner'), false],
  ] as const) {
    it(`says ${expected} of ${JSON.stringify(a)} and ${JSON.stringify(b)}`, () =>
      assert.equal(isSameName(a, b), expected))
  }
  it('is symmetric and reflexive', () => {
    fc.assert(
      fc.property(anyName, anyName, (a, b) => {
        assert.equal(isSameName(a, b), isSameName(b, a))
        assert.ok(isSameName(a, a))
      }),
    )
  })
  it('never depends on case, accents, spaces, hyphens or quotes', () => {
    fc.assert(
      fc.property(anyName, fc.array(variation, { maxLength: 6 }), (name, variations) => {
        const vary = (text: string) => variations.reduce((varied, change) => change(varied), text)
        const varied: Name =
          name.type === 'INDIVIDUAL'
            ? person(vary(name.forenames), vary(name.surname))
            : organisation(vary(name.organisationName))
        const given: Name = name.type === 'INDIVIDUAL' ? name : organisation(name.organisationName)
        assert.ok(isSameName(given, varied), JSON.stringify(varied))
      }),
    )
  })
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
)

// The words that normalising knows, in any order and number, are where a second pass might find more to do.
const known = fc.constantFrom(
  ...'Mr Dr Lady The Rt Hon Rev O.B.E. KCMG PhD Ltd Limited Public Company Liability Partnership L T D & A b Ann O’Dea'.split(
    ' ',
  ),
)
const wordy = fc.oneof(
  anyText,
  fc
    .array(fc.oneof(known, known, fc.string({ unit: 'grapheme', maxLength: 8 })), { maxLength: 8 })
    .map((words) => words.join(' ')),
)
const anyName: fc.Arbitrary<Name> = fc.oneof(
  fc.tuple(wordy, wordy).map(([forenames, surname]) => person(forenames, surname)),
  fc.tuple(wordy, fc.option(fc.string(), { nil: undefined })).map(([name, number]) => organisation(name, number)),
)

// An iota beneath (U+0345) is a letter of its own when written in capitals, so it is no accent here.
const accent = fc.integer({ min: 0x300, max: 0x36f }).filter((point) => point !== 0x345)
const variation = fc.oneof(
  fc.constantFrom<((text: string) => string)[]>(
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    (text) => text.normalize('NFC'),
    (text) => text.normalize('NFD'),
    (text) => `  ${text.replaceAll(' ', '  ')}\t`,
    (text) => text.replaceAll(' ', '-'),
    (text) => text.replaceAll('-', ' '),
    (text) => text.replaceAll("'", '’'),
    (text) => text.replaceAll('’', "'"),
  ),
  accent.map((point) => (text: string) => text.replace(/\p{L}/gu, (letter) => letter + String.fromCodePoint(point))),
)
