import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { FastifyRequest } from 'fastify'
import { BODY_DEPTH_MAX, BODY_VALUES_MAX, parseJson } from './json.ts'
import { MalformedBody } from './validate.ts'

const parse = (text: string) => parseJson({} as FastifyRequest, text)
const listOf = (values: number) => `[${Array(values).fill('1').join()}]`
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('parseJson', () => {
  it('returns what JSON.parse returns, for any value within the limits', () =>
    fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 6 }), async (text) => {
        fc.pre(!text.includes('__proto__'))
        assert.deepEqual(await parse(text), JSON.parse(text))
      }),
    ))

  it('ignores commas and brackets inside strings', async () => {
    const message = `,[{"\\`.repeat(BODY_VALUES_MAX)
    assert.deepEqual(await parse(JSON.stringify({ message })), { message })
  })

  it('accepts a body at the limits', async () => {
    assert.equal(((await parse(listOf(BODY_VALUES_MAX - 1))) as unknown[]).length, BODY_VALUES_MAX - 1)
    assert.deepEqual(await parse(nested(BODY_DEPTH_MAX)), JSON.parse(nested(BODY_DEPTH_MAX)))
  })

  for (const [what, text, message] of [
    ['too many values', listOf(BODY_VALUES_MAX + 1), /at most 1,000 values/],
    ['a body that is too deep', nested(BODY_DEPTH_MAX + 1), /at most 16 levels deep/],
    ['a deep body that never ends', '['.repeat(1_000_000), /at most 16 levels deep/],
    ['a string that never ends', `"${'\\'.repeat(999_999)}`, /not well-formed/],
    ['a __proto__ key', '{"__proto__":{"kind":"LENDER"}}', /not well-formed/],
    ['an escaped __proto__ key', '{"\\u005F\\u005fproto__":{"kind":"LENDER"}}', /not well-formed/],
    ['text that is not JSON', '{"a":', /not well-formed/],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const body = await parse(text)
      assert.ok(body instanceof MalformedBody)
      assert.match(body.message, message)
    })
  }
})
