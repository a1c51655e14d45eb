import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checking } from '../../../test/support/pdf-checking.ts'
import { pdfCorpus } from '../../../test/support/pdf-corpus.ts'
import { countPages } from '../../../test/support/pdf-text.ts'

describe('checking a PDF', { concurrency: 2 }, async () => {
  const { judge } = await checking()

  for (const sample of pdfCorpus()) {
    if (sample.verdict === 'good') {
      it(`takes ${sample.name}, as another reader does`, async () => {
        const bytes = await sample.bytes()
        assert.deepEqual(await judge(bytes), { ok: true, pages: sample.pages })
        assert.equal(await countPages(bytes), sample.pages)
      })
    } else {
      it(`refuses ${sample.name}`, async () => {
        const verdict = await judge(await sample.bytes())
        assert.ok(!verdict.ok, 'It was taken.')
        assert.match(verdict.reason, sample.verdict)
      })
    }
  }
})
