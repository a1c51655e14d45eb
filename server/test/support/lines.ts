import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Refusal } from '../../src/platform/http/errors.ts'
import { CATEGORIES, type Category, type LineItem } from '../../src/settlement/rules.ts'

// Lines of a schedule as rules look at them; a test names what it is about.

export const anAdvance = (amountPence: number): LineItem => aLineOf('Mortgage Advance', amountPence)

export const aDestination = (amountPence: number, accountNumber?: string): LineItem =>
  aLineOf('Redemption', amountPence, accountNumber)

export function aLineOf(category: Category, amountPence: number, accountNumber = '12345678'): LineItem {
  const line = { lineItemId: randomUUID(), category, amountPence, reference: 'REM-1' }
  if ((CATEGORIES.SOURCE as readonly string[]).includes(category)) return { ...line, type: 'SOURCE' }
  const bankAccount = { accountName: 'Westbury Building Society', accountNumber, sortCode: '204060' }
  return { ...line, type: 'DESTINATION', bankAccount }
}

/** What was refused, by the rule that is called. */
export function refused(act: () => unknown): Refusal {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  return assert.fail('it was not refused')
}

export const fieldsAt = (faults: readonly { field?: string }[]) => faults.map(({ field }) => field)
