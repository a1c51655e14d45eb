import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { checking } from '../../../test/fixtures/pdf-checking.ts'
import {
  byPdfkit,
  CONTENT,
  fiveRevisions,
  form,
  letter,
  linearised,
  navigation,
  predicted,
} from '../../../test/fixtures/pdf-corpus/shapes.ts'
import { onePage, withStream, withTable } from '../../../test/fixtures/pdf-corpus/writer.ts'
import { countPages } from '../../../test/fixtures/pdf-text.ts'

// Good files, changed a little at random places. Most of them are then damaged.

const FILES = [
  withTable(onePage(CONTENT)),
  withStream(onePage(CONTENT), { packed: [1, 2, 3] }),
  withTable(navigation()),
  fiveRevisions(),
  linearised(),
  predicted(),
  await byPdfkit(letter),
  await byPdfkit(form),
]

const WORDS =
  `<< >> [ ] ( /Kids /Count /Prev /Type /Page /Length /Parent /Filter /FlateDecode /ObjStm /XRef /Encrypt /XRefStm
  1 2 3 R obj endobj stream endstream xref trailer startxref %%EOF % # -1 0 65535 4294967296 99999999999999999999`.split(
    /\s+/,
  )

/** A share of the length, because the length changes. */
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const edit = fc.oneof(
  fc.record({ kind: fc.constant('byte' as const), at: place, byte: fc.nat(255) }),
  fc.record({ kind: fc.constant('word' as const), at: place, word: fc.constantFrom(...WORDS) }),
  fc.record({ kind: fc.constant('number' as const), at: place, value: fc.nat(12) }),
  fc.record({ kind: fc.constant('cut' as const), at: place, length: fc.nat(40) }),
  fc.record({ kind: fc.constant('repeat' as const), at: place, length: fc.nat(40) }),
  fc.record({ kind: fc.constant('end' as const), at: place }),
)
type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never

const mutation = fc.tuple(fc.constantFrom(...FILES), fc.array(edit, { minLength: 1, maxLength: 3 }))

describe('a checker', () => {
  it('has a result for every changed file, and accepts only what another reader opens', async () => {
    const { checkBytes } = await checking({ milliseconds: 600_000 })
    const law = fc.asyncProperty(mutation, async ([file, edits]) => {
      const bytes = edits.reduce(edited, file)
      const result = await checkBytes(bytes)
      if (result.ok) assert.equal(await countPages(bytes), result.pages)
      else assert.doesNotMatch(result.reason, /could not be checked/) // these files are too small to reach a limit
    })
    await fc.assert(law, { numRuns: 400, seed: 24 })
    assert.deepEqual(await checkBytes(withTable(onePage())), { ok: true, pages: 1 })
  })
})

function edited(bytes: Buffer, edit: Edit): Buffer {
  const at = Math.floor(edit.at * bytes.length)
  const spliced = (length: number, put: Buffer) =>
    Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + length)])
  switch (edit.kind) {
    case 'byte':
      return spliced(1, Buffer.of(edit.byte))
    case 'word':
      return spliced(0, Buffer.from(` ${edit.word} `))
    case 'number':
      return withOtherNumber(bytes, at, edit.value)
    case 'cut':
      return spliced(edit.length, Buffer.of())
    case 'repeat':
      return spliced(0, bytes.subarray(at, at + edit.length))
    case 'end':
      return Buffer.concat([bytes.subarray(0, at), Buffer.from('\nstartxref\n9\n%%EOF')])
  }
}

/** With another number in place of the first one from there on. */
function withOtherNumber(bytes: Buffer, at: number, value: number): Buffer {
  const text = bytes.toString('latin1')
  return Buffer.from(text.slice(0, at) + text.slice(at).replace(/\d+/, String(value)), 'latin1')
}
