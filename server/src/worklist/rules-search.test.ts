import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { meaningsOf } from './rules-search.ts'

describe('what a search may mean', () => {
  for (const [text, ...expected] of [
    ['rem-20', 'name rem20'],
    ['LW2641', 'titleNumber LW2641', 'name lw2641'],
    ['lw26 4170', 'workspaceReferenceId LW264170', 'titleNumber LW264170', 'name lw264170'],
    ['st5006', 'titleNumber ST5006', 'name st5006'],
    ['ex4', 'titleNumber EX4', 'postcode EX4', 'name ex4'],
    ['ex43', 'titleNumber EX43', 'postcode EX43', 'postcode EX4 3', 'name ex43'],
    ['ex4 3a', 'postcode EX4 3A', 'name ex43a'],
    ['W1A0AX', 'postcode W1A 0AX', 'name w1a0ax'],
    [' Prynne ', 'name prynne'],
    ['Lang Ltd', 'name langltd'],
    ['..'],
  ] as const) {
    it(`${text}: ${expected.join(', ')}`, () => {
      const [reference, own, ...others] = meaningsOf(text)
      assert.deepEqual([reference?.of, own?.of, own?.begins], ['reference', 'ownReference', text.trim()])
      assert.deepEqual(
        others.map(({ of, begins }) => `${of} ${begins}`),
        expected,
      )
    })
  }
})
