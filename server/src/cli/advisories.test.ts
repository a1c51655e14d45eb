import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Advice, adviceOn, type Program } from './advisories.ts'

const safe: Advice = { state: 'safe' }
const unknown: Advice = { state: 'not known' }
const before = (safeFrom: string): Advice => ({ state: 'vulnerable', safeFrom })

const CASES: [program: Program, version: string, advice: Advice][] = [
  ['Node.js', 'v24.21.0', before('24.22.1')],
  ['Node.js', 'v24.22.0', before('24.22.1')],
  ['Node.js', 'v24.22.1', safe],
  ['Node.js', 'v24.23.0', safe],
  ['Node.js', 'v26.9.5', before('26.12.1')],
  ['Node.js', 'v22.1.0', unknown],
  ['Node.js', 'v27.0.0', unknown],
  ['PostgreSQL', '18.4', before('18.6')],
  ['PostgreSQL', '18.4 (Debian 18.4-1)', before('18.6')],
  ['PostgreSQL', '18.6', safe],
  ['PostgreSQL', '18.10', safe],
  ['PostgreSQL', '17.2', unknown],
]

describe('adviceOn', () => {
  for (const [program, version, advice] of CASES) {
    it(`says of ${program} ${version}: ${Object.values(advice).join(', safe from ')}`, () => {
      assert.deepEqual(adviceOn(program, version), advice)
    })
  }
})
