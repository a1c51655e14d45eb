import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checking } from '../../../test/fixtures/pdf-checking.ts'
import { pdfCorpus } from '../../../test/fixtures/pdf-corpus/corpus.ts'
import { countPages } from '../../../test/fixtures/pdf-text.ts'

const hasty = await checking({ milliseconds: 500 })
// On a busy machine a slow check must not look endless.
const patient = await checking({ milliseconds: 600_000 })
const frugal = await checking({ milliseconds: 600_000 }, { unpackedBytesMax: 1_000_000 })
const lean = await checking({ milliseconds: 600_000, memoryBytes: 128_000_000 })

/** By the limit that it names. */
function checkerFor({ source }: RegExp) {
  if (source.includes('seconds')) return hasty
  if (source.includes('128 MB')) return lean
  return source.includes(' 1,000,000') ? frugal : patient
}

describe('checking a PDF', { concurrency: 2 }, () => {
  for (const sample of pdfCorpus()) {
    if (sample.expected === 'good') {
      it(`accepts ${sample.name}, as another reader does`, async () => {
        const bytes = await sample.bytes()
        assert.deepEqual(await patient.checkBytes(bytes), { ok: true, pages: sample.pages })
        assert.equal(await countPages(bytes), sample.pages)
      })
    } else {
      const { name, expected } = sample
      it(`refuses ${name}`, async () => {
        const result = await checkerFor(expected).checkBytes(await sample.bytes())
        assert.match(result.ok ? 'It was accepted.' : result.reason, expected)
      })
    }
  }
})
