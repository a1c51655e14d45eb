import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAssignments } from '../src/assignments.ts'
import type { Operation, Schema } from '../src/document.ts'
import { nearest } from '../src/suggest.ts'

const operation: Operation = {
  operationId: 'addThing',
  summary: '',
  method: 'POST',
  path: '/things/{thing_id}',
  parameters: [
    { name: 'thing_id', in: 'path', required: true, description: 'The thing.' },
    { name: 'limit', in: 'query' },
  ],
  body: { 'application/json': {} },
  responses: {},
}
const schemaAt = (_: Schema | undefined, [first]: readonly string[]) =>
  first === 'account' ? { type: 'string' } : undefined
const read = (...words: string[]) =>
  readAssignments({ operation, schemaAt }, words, async (source) => JSON.stringify({ from: source }))

describe('readAssignments', () => {
  const CASES: [words: string[], gives: object][] = [
    [['path.thing_id=1', 'query.limit=5'], { path: { thing_id: '1' }, query: { limit: '5' } }],
    [['thing_id=a=b', 'limit=5'], { path: { thing_id: 'a=b' }, query: { limit: '5' } }],
    [['thing_id=1', 'header.If-Match="1"'], { header: { 'If-Match': '"1"' } }],
    [['thing_id=1', 'body=@f.json'], { body: { from: 'f.json' } }],
    [['thing_id=1', 'body=-', 'body.more=1'], { body: { from: '-', more: 1 } }],
    [['thing_id=1', 'body.account=0012', 'body.amount=0.5'], { body: { account: '0012', amount: 0.5 } }],
    [['thing_id=1', 'body.a.0.b=x', 'body.a.1.b=true'], { body: { a: [{ b: 'x' }, { b: true }] } }],
  ]
  for (const [words, gives] of CASES) {
    it(words.join(' '), async () => assert.partialDeepStrictEqual(await read(...words), gives))
  }

  const REFUSED: [words: string[], says: RegExp][] = [
    [[], /addThing needs:\n {2}path\.thing_id=… {2}The thing\./],
    [['limits=5'], /addThing has no limits\. It takes: path\.thing_id, query\.limit, body\./],
    [['path.limit=5'], /addThing has no path\.limit/],
    [['thing_id'], /"thing_id" is not name=value/],
    [['thing_id=1', 'body={'], /body is not JSON/],
  ]
  for (const [words, says] of REFUSED) {
    it(`refuses "${words.join(' ')}"`, () => assert.rejects(read(...words), says))
  }
})

describe('nearest', () => {
  const words = ['getWorkspace', 'listWorkspaces', 'addTitle']
  const CASES: [typed: string, gives: string | undefined][] = [
    ['getWorkspaces', 'getWorkspace'],
    ['addtitle', 'addTitle'],
    ['nonsense', undefined],
    ['x', undefined],
  ]
  for (const [typed, gives] of CASES) it(typed, () => assert.equal(nearest(typed, words), gives))
})
