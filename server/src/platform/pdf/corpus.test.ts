import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checking } from '../../../test/fixtures/pdf-checking.ts'
import { pdfCorpus } from '../../../test/fixtures/pdf-corpus/corpus.ts'
import { countPages } from '../../../test/fixtures/pdf-text.ts'

describe('checking a PDF', { concurrency: 2 }, async () => {
  const checker = await checking()
  // Where the machine is busy with other tests, what is slow must not look endless.
  const patient = await checking({ milliseconds: 60_000 })

  for (const sample of pdfCorpus()) {
    if (sample.verdict === 'good') {
      it(`takes ${sample.name}, as another reader does`, async () => {
        const bytes = await sample.bytes()
        assert.deepEqual(await patient.judge(bytes), { ok: true, pages: sample.pages })
        assert.equal(await countPages(bytes), sample.pages)
      })
    } else {
      const isEndless = sample.verdict.source.includes('10 seconds')
      it(`refuses ${sample.name}`, async () => {
        const verdict = await (isEndless ? checker : patient).judge(await sample.bytes())
        assert.match(verdict.ok ? 'It was taken.' : verdict.reason, sample.verdict)
      })
    }
  }
})
