import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { readPdf } from '../../test/fixtures/pdf-text.ts'
import { aPerson, aRegister } from '../../test/fixtures/registry.ts'
import { WORLD } from '../simulated-registry/world.ts'
import type { Register } from './register.ts'
import { type TitleDocument, titlePdf } from './title-pdf.ts'

const DOCUMENT_ID = '5b0c3f0e-6d1e-4f57-9f0c-2f4f3f1f7a10'

const aDocument = (register: Register, facts: Partial<TitleDocument> = {}): TitleDocument => ({
  titleDocumentId: DOCUMENT_ID,
  documentType: 'TITLE_REGISTER',
  register,
  officialCopyAt: new Date('2026-05-01T10:04:09Z'),
  ...facts,
})

const read = async (register: Register) => readPdf(await titlePdf(aDocument(register)))
const textOf = async (register: Register) => (await read(register)).pages.join(' ')
const named = (surname: string) => aRegister({ proprietors: [aPerson({ surname })] })

async function hashOf(document: TitleDocument): Promise<string> {
  return createHash('sha256')
    .update(await buffer(await titlePdf(document)))
    .digest('hex')
}

describe('titlePdf', () => {
  it('shows the title, its edition, the moment of the copy in London time, and the entries of all three registers', async () => {
    const charge = { chargeId: '1', dated: '2005-03-01', enteredOn: '2005-03-04', chargees: [aPerson()] }
    const text = await textOf(aRegister({ charges: [charge] }))
    for (const words of [
      'Title number CB100200',
      'Edition date 30 June 2020',
      '1 May 2026 at 11:04:09, London time',
      'A Property register',
      '1 2 January 1990 The freehold land edged red on the title plan, being 1 High Street, Ely.',
      'B Proprietorship register',
      '1 4 March 2005 PROPRIETOR: ANN LEE of 1 High Street, Ely CB7 9QZ.',
      'C Charges register',
      '1 4 March 2005 REGISTERED CHARGE dated 1 March 2005.',
      '2 4 March 2005 Proprietor: ANN LEE of 1 High Street, Ely CB7 9QZ.',
    ]) {
      assert.ok(text.includes(words), `${words} in: ${text}`)
    }
  })

  it('says so where a register has no entries', async () => {
    assert.match(await textOf(aRegister()), /C Charges register .* This register has no entries\./)
  })

  for (const holding of WORLD.values()) {
    if (holding.kind !== 'registered') continue
    const { register } = holding
    it(`puts ${register.titleNumber} on one page, a lease on two at most`, async () => {
      const { pages } = await read(register)
      assert.ok(pages.length <= (register.lease ? 2 : 1), `${pages.length} pages`)
    })
  }

  for (const [documentType, heading] of [
    ['TITLE_REGISTER', 'Register of title'],
    ['TITLE_INFORMATION_DOCUMENT', 'Title information document'],
    ['EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT', 'Title information document after early completion'],
  ] as const) {
    it(`heads a ${documentType} "${heading}"`, async () => {
      const { pages, info } = await readPdf(await titlePdf(aDocument(aRegister(), { documentType })))
      assert.ok(pages[0]?.startsWith(`${heading} Title number CB100200`))
      assert.equal(info['Title'], `${heading}: CB100200`)
    })
  }

  it('is tagged, names its language, and has an outline', async () => {
    const { tagged, info, outline } = await read(aRegister())
    assert.equal(tagged, true)
    assert.equal(info['Language'], 'en-GB')
    assert.deepEqual(outline, ['A  Property register', 'B  Proprietorship register', 'C  Charges register'])
  })

  it('spreads sixty entries over pages that are numbered, and leaves none out', async () => {
    const burdens = Array.from({ length: 60 }, (_, index) => ({
      enteredOn: '1990-01-02',
      text: `Covenant ${index + 1}, so that the owners for the time being keep the fence in good repair. `.repeat(4),
    }))
    const { pages } = await read(aRegister({ burdens }))
    assert.ok(pages.length > 4, `${pages.length} pages`)
    pages.forEach((page, index) => {
      assert.ok(page.includes(`Page ${index + 1} of ${pages.length}`), page)
      assert.ok(page.includes(`Document ${DOCUMENT_ID}`), page)
      assert.ok(index === 0 || page.includes('Register of title · Title number CB100200'), page)
    })
    const text = pages.join(' ')
    for (let number = 1; number <= 60; number++) {
      assert.ok(text.includes(`${number} 2 January 1990 Covenant ${number}, so`), `entry ${number}`)
    }
  })

  it('continues an entry that is taller than a page on the next ones', async () => {
    const words = Array.from({ length: 3_000 }, (_, index) => `word${index}`)
    const { pages } = await read(aRegister({ burdens: [{ enteredOn: '1990-01-02', text: words.join(' ') }] }))
    const text = pages.join(' ')
    assert.ok(pages.length > 2, `${pages.length} pages`)
    assert.deepEqual(
      words.filter((word) => !text.includes(`${word} `)),
      [],
    )
  })

  it('wraps a name of 500 characters, with spaces or without, and never cuts it', async () => {
    const unbroken = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'.repeat(9).slice(0, 500)
    assert.ok((await textOf(named(unbroken))).replaceAll(' ', '').includes(unbroken.toUpperCase()))
    const spaced = 'Fitzwilliam '.repeat(42).trim().slice(0, 500)
    assert.ok((await textOf(named(spaced))).includes(spaced.toUpperCase()))
  })

  for (const name of ['Ó’Súilleabháin', 'Żółćiński', 'Nguyễn', 'Tŷ Gwŷn', 'Çelik', 'Đorđević', 'Ægir', 'Ştefănescu']) {
    it(`keeps every accent of ${name}`, async () => {
      assert.ok((await textOf(named(name))).includes(name.toUpperCase()))
    })
  }

  it('draws a letter and its accent as one character, however they were stored', async () => {
    assert.ok((await textOf(named('Jose\u0301'))).includes('JOSÉ'))
  })

  for (const name of ['Παπαδόπουλος', 'Чехов', 'Սարգսյան', 'ბერიძე', 'שרה כהן', 'محمد علي']) {
    it(`has the letters of ${name}`, async () => {
      assert.ok((await textOf(named(name))).toLowerCase().includes(name.toLowerCase()))
    })
  }

  it('writes a character that the font lacks as its number', async () => {
    assert.ok((await textOf(named('李'))).includes('ANN [U+674E] of'))
  })
})

describe('the bytes of a title document', () => {
  it('are the same for the same document', async () => {
    const document = aDocument(named('Ó’Brien'))
    assert.equal(await hashOf(document), await hashOf(structuredClone(document)))
  })

  it('differ for another document', async () => {
    const one = aDocument(aRegister())
    const hashes = await Promise.all([
      hashOf(one),
      hashOf({ ...one, titleDocumentId: 'another' }),
      hashOf({ ...one, officialCopyAt: new Date('2026-05-01T10:04:10Z') }),
      hashOf({ ...one, documentType: 'TITLE_INFORMATION_DOCUMENT' }),
    ])
    assert.equal(new Set(hashes).size, 4)
  })

  it('do not depend on the documents made before', async () => {
    const burdened = (text: string) => aDocument(aRegister({ burdens: [{ enteredOn: '1990-01-02', text }] }))
    // Both are drawn with the same glyph and differ only in the letters that a search finds.
    const letters = await hashOf(burdened('Afleck'))
    const ligature = await hashOf(burdened('A\ufb02eck'))
    assert.notEqual(letters, ligature)
    assert.equal(await hashOf(burdened('Afleck')), letters)
  })
})
