import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareLetters, type Run } from './letters.ts'

const shown = (runs: readonly Run[]) => runs.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('')

describe('two names letter by letter', () => {
  for (const [ours, theirs, left, right, letters] of [
    ['Tracey Prinne', 'Tracey Prynne', 'Tracey Pr[i]nne', 'Tracey Pr[y]nne', 1],
    ['William Prynne', 'WILLIAM PRYNNE', 'William Prynne', 'WILLIAM PRYNNE', 0],
    ['Siân O’Hara-Jones', "Sian O'Hara Jones", 'Siân O’Hara-Jones', "Sian O'Hara Jones", 0],
    ['Maria Bueno', 'Maria Santos', 'Maria [Bueno]', 'Maria [Santos]', 6],
    ['Tracey Prynne', 'Tracey Anne Prynne', 'Tracey Prynne', 'Tracey [Anne ]Prynne', 4],
    ['T Prynne', 'Tracey Prynne', '[T ]Prynne', '[Tracey ]Prynne', 6],
    ['Alan Turner', 'Turner Holdings Limited', '[Alan ]Turner', 'Turner [Holdings Limited]', 20],
    ['Jon Smith', 'John Smythe', 'Jon Sm[i]th', 'Jo[h]n Sm[y]th[e]', 3],
    ['', 'Ada', '', '[Ada]', 3],
  ] as const) {
    it(`marks ${ours || 'nothing'} against ${theirs}`, () => {
      const compared = compareLetters(ours, theirs)
      assert.deepEqual([shown(compared.ours), shown(compared.theirs), compared.letters], [left, right, letters])
    })
  }
})
