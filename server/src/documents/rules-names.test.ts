import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fileNameOf } from './rules.ts'

describe('fileNameOf', () => {
  for (const [given, name] of [
    ['deed.pdf', 'deed.pdf'],
    [' deed.pdf ', 'deed.pdf'],
    ['../../etc/passwd', 'passwd.pdf'],
    ['C:\\docs\\deed.pdf', 'deed.pdf'],
    ['a/b\\c.pdf', 'c.pdf'],
    ['docs/', 'document.pdf'],
    ['..', 'document.pdf'],
    ['../.', 'document.pdf'],
    ['', 'document.pdf'],
    ['   ', 'document.pdf'],
    [undefined, 'document.pdf'],
    ['de\u0000ed\r\n.pdf\u007f', 'deed.pdf'],
    ['deed\u202efdp.exe', 'deedfdp.exe.pdf'],
    ['\u061c\u200e\u200f\u2066deed\u2069.pdf', 'deed.pdf'],
    ['a\u2028b.pdf', 'ab.pdf'],
    ['\u202e', 'document.pdf'],
    ['.hidden', '.hidden.pdf'],
    ['deed', 'deed.pdf'],
    ['DEED.PDF', 'DEED.pdf'],
    ['deed.pdf.exe', 'deed.pdf.exe.pdf'],
    ['deed.pdf ', 'deed.pdf'],
    ['.pdf', 'document.pdf'],
    ['..pdf', 'document.pdf'],
    ['6" plan 100%.pdf', '6" plan 100%.pdf'],
    ['Überführung – 抵当.pdf', 'Überführung – 抵当.pdf'],
    ['x'.repeat(5000), `${'x'.repeat(251)}.pdf`],
    [`${'x'.repeat(252)}.pdf`, `${'x'.repeat(251)}.pdf`],
    ['😀'.repeat(300), `${'😀'.repeat(251)}.pdf`],
    [`${'x'.repeat(250)} y`, `${'x'.repeat(250)}.pdf`],
    ['half \ud800.pdf', 'half \ufffd.pdf'],
  ] as const) {
    it(`makes ${JSON.stringify(name.slice(0, 30))} of ${JSON.stringify(given?.slice(0, 30))}`, () => {
      assert.equal(fileNameOf(given), name)
    })
  }

  it('ends in .pdf, can be shown, is not a path and stays what it is, whatever was given', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('/', '\\', '..', '\u0000', '\u202e', '😀', ' '),
    )
    fc.assert(
      fc.property(
        fc.array(unit, { maxLength: 80 }).map((units) => units.join('')),
        (given) => {
          const name = fileNameOf(given)
          assert.ok(name.length > 0 && [...name].length <= 255 && name.isWellFormed() && name === name.trim())
          assert.match(name, /[^.].*\.pdf$/u)
          assert.doesNotMatch(name, /[/\\\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|^\.+$/u)
          assert.equal(fileNameOf(name), name)
        },
      ),
    )
  })
})
