import assert from 'node:assert/strict'
import { it } from 'node:test'
import { derivedId } from './derived-id.ts'

it('derives the same UUID from the same words, and another from others', () => {
  const id = derivedId('payment', '10000000-0000-4000-8000-000000000001', 1)
  assert.equal(id, derivedId('payment', '10000000-0000-4000-8000-000000000001', 1))
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const ids = Array.from({ length: 100 }, (_, number) => derivedId('payment', number))
  assert.equal(new Set(ids).size, 100)
})
