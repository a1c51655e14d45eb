import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ERRORS_MAX, errorBody } from './errors.ts'

const errors = (count: number, message = 'x is required.') => Array(count).fill({ field: 'x', message })
const ANSWER_BYTES_MAX = 65_536
const sizeOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body))

describe('the error body', () => {
  it('has every error up to a hundred', () => {
    assert.deepEqual(errorBody(errors(ERRORS_MAX)), { errors: errors(ERRORS_MAX) })
    assert.deepEqual(errorBody([{ message: 'No.' }]), { errors: [{ message: 'No.' }] })
  })

  it('says in the last of a hundred how many more there are', () => {
    const body = errorBody(errors(43_000))
    const last = { message: 'There are 42901 more errors. Fix these first.' }
    assert.deepEqual(body, { errors: [...errors(ERRORS_MAX - 1), last] })
  })

  it('stays below 64 KB, even if it quotes a long input', () => {
    for (const text of ['x', '\u0001', '\u00e9', '\ud83d\ude00']) {
      const long = { field: text.repeat(300_000), message: `${text.repeat(300_000)} is not expected here.` }
      const body = errorBody(Array(1_000).fill(long))
      const shown = body.errors.length - 1
      assert.ok(sizeOf(body) < ANSWER_BYTES_MAX, `${sizeOf(body)}`)
      assert.match(body.errors.at(-1)?.message ?? '', new RegExp(`are ${1_000 - shown} more errors`))
      assert.ok(body.errors.every(({ message }) => message.endsWith('.') && message.isWellFormed()))
    }
  })
})
