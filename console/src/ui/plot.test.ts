import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { areas, bars, columns, lines, plot } from './plot.ts'

const DAYS = ['1 Dec', '2 Dec', '3 Dec']
const SERIES = [
  { label: 'one', values: [1, 2, 3] },
  { label: 'two', values: [3, 0, 3] },
]

const count = (text: string, part: string) => text.split(part).length - 1

describe('a plot', () => {
  it('has a name, a sentence, its numbers as a table, and a file', () => {
    const { text } = plot({
      id: 'a',
      title: 'Matters <b>',
      says: '3 are open.',
      drawing: columns(DAYS, [1, 2, 3]),
      columns: ['Day', 'Count'],
      rows: [['1 Dec', 1]],
      csv: '/file',
    })
    assert.match(text, /<svg viewBox="0 0 720 260" role="img" aria-label="Matters &lt;b&gt;: 3 are open\.">/)
    assert.match(text, /<td>1 Dec<\/td><td class="number">1<\/td>/)
    assert.match(text, /<a href="\/file" download>/)
    assert.doesNotMatch(text, /style=/)
  })

  it('draws layers on each other', () => {
    const { text } = areas(DAYS, SERIES)
    assert.equal(count(text, 'class="area'), 2)
    // The upper one begins where the lower one ends.
    assert.match(text, /class="area s0" d="M48,197\.667L369,163\.333L690,129L690,232L369,232L48,232Z"/)
    assert.deepEqual(
      DAYS.map((day) => text.includes(`>${day}</text>`)),
      [true, true, true],
    )
    assert.match(text, /class="area s1" d="M48,94\.667.*L690,129L369,163\.333L48,197\.667Z"/)
    assert.match(text, />one<\/text>.*>two<\/text>/)
  })

  it('draws lines, columns with marks, and bars with words', () => {
    const line = lines(DAYS, SERIES).text
    assert.deepEqual([count(line, 'class="line'), count(line, '<circle')], [2, 6])
    const column = columns(DAYS, [1, 0, 4], [{ label: 'median', at: 1.5 }]).text
    assert.equal(count(column, '<rect'), 3)
    assert.match(column, /<line class="mark" x1="369\.0" x2="369\.0"[^>]*><text[^>]*>median</)
    const bar = bars([{ label: 'the lender', value: 41, says: '41 %' }]).text
    assert.match(bar, />the lender<\/text><rect [^>]*width="360\.0"[^>]*><text[^>]*>41 %</)
  })

  it('is drawn without numbers, too', () => {
    for (const drawing of [
      areas([], []),
      areas(['1 Dec'], [{ label: 'one', values: [0] }]),
      lines([], []),
      columns([], []),
      bars([]),
    ]) {
      assert.doesNotMatch(drawing.text, /NaN|undefined|Infinity/)
    }
  })
})
