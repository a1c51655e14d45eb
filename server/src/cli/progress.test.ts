import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { showProgress, showSteps } from './progress.ts'

function written(output: { isTTY?: boolean; columns?: number }, steps: readonly string[]): string[] {
  const texts: string[] = []
  const write = (text: string | Uint8Array) => texts.push(String(text)) > 0
  const progress = showProgress({ ...output, write }, steps.length)
  for (const step of steps) progress.step(step)
  progress.end()
  return texts
}

describe('showProgress', () => {
  it('writes a line for each step where there is no terminal', () => {
    assert.deepEqual(written({}, ['Northgate', 'Eastmoor']), ['1 of 2  Northgate\n', '2 of 2  Eastmoor\n'])
  })

  it('draws a bar in one line on a terminal, and removes it at the end', () => {
    assert.deepEqual(written({ isTTY: true, columns: 80 }, ['Northgate', 'Eastmoor']), [
      `\r\u001b[2K${'█'.repeat(12)}${'░'.repeat(12)}  1 of 2  Northgate`,
      `\r\u001b[2K${'█'.repeat(24)}  2 of 2  Eastmoor`,
      '\r\u001b[2K',
    ])
  })

  it('stays within a narrow terminal', () => {
    const [line = ''] = written({ isTTY: true, columns: 30 }, ['Northgate Building Society'])
    assert.equal(line.replace('\r\u001b[2K', '').length, 29)
  })

  it('draws nothing when there is nothing to do', () => {
    assert.deepEqual(written({ isTTY: true }, []), [])
  })
})

describe('showSteps', () => {
  const CLEAR = '\r\u001b[2K'
  const shownOn = (output: { isTTY?: boolean; columns?: number }) => {
    const texts: string[] = []
    let seconds = 0
    const write = (text: string | Uint8Array) => texts.push(String(text)) > 0
    const { onStep, end } = showSteps({ ...output, write }, () => seconds++)
    onStep('creating a database')
    for (const done of [0, 1]) onStep('playing matters', { done, total: 2 })
    end()
    return texts.join('')
  }

  it('writes a line when a step begins, with the time, where there is no terminal', () => {
    assert.equal(shownOn({}), '   0.0 s  creating a database\n   1.0 s  playing matters\n')
  })

  it('counts within the line on a terminal', () => {
    const lines = [
      '   0.0 s  creating a database\n',
      '   1.0 s  playing matters: 0 of 2',
      '   2.0 s  playing matters: 1 of 2\n',
    ]
    assert.equal(shownOn({ isTTY: true, columns: 80 }), lines.map((line) => CLEAR + line).join(''))
  })
})
