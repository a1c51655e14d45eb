import assert from 'node:assert/strict'
import { Refusal } from '../../src/platform/http/errors.ts'

/** Reason and fields of what is refused, an empty text for a fault without a field; undefined where nothing is. */
export function refusalOf(act: () => unknown): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    assert.ok(error instanceof Refusal)
    return [error.reason, ...error.faults.map(({ field = '' }) => field)].join(' ').trim()
  }
}
