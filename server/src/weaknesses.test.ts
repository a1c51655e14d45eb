import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newerToRun } from './weaknesses.ts'

const CASES: [program: 'Node.js' | 'PostgreSQL', version: string, newer: string | undefined][] = [
  ['Node.js', 'v24.21.0', '24.22.1'],
  ['Node.js', 'v24.22.0', '24.22.1'],
  ['Node.js', 'v24.22.1', undefined],
  ['Node.js', 'v24.23.0', undefined],
  ['Node.js', 'v26.9.5', '26.12.1'],
  ['Node.js', 'v27.0.0', undefined],
  ['PostgreSQL', '18.4', '18.6'],
  ['PostgreSQL', '18.4 (Debian 18.4-1)', '18.6'],
  ['PostgreSQL', '18.6', undefined],
  ['PostgreSQL', '18.10', undefined],
  ['PostgreSQL', '17.2', undefined],
]

describe('newerToRun', () => {
  for (const [program, version, newer] of CASES) {
    it(`names ${newer ?? 'nothing'} to who runs ${program} ${version}`, () => {
      assert.equal(newerToRun(program, version), newer)
    })
  }
})
