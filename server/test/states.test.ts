import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { STATES_PAGE, stateDiagram, statesPage } from './scripts/states.ts'

describe('docs/states.md', () => {
  it('matches the code: `npm run states` updates it', async () => {
    assert.equal(await readFile(STATES_PAGE, 'utf8'), statesPage())
  })
})

describe('stateDiagram', () => {
  it('draws the first status, every transition with its event, and the final statuses', () => {
    const transitions = { OPEN: { shut: 'SHUT', painted: 'OPEN' }, SHUT: {} }
    assert.equal(
      stateDiagram({ of: 'A door', begins: { event: 'hung', status: 'OPEN' }, transitions }),
      [
        '```mermaid',
        'stateDiagram-v2',
        '  [*] --> OPEN: hung',
        '  OPEN --> SHUT: shut',
        '  OPEN --> OPEN: painted',
        '  SHUT --> [*]',
        '```',
      ].join('\n'),
    )
  })
})
