import { isBusinessDay } from '../jurisdiction/business-days.ts'
import { poundsOf } from '../jurisdiction/money.ts'
import { type LineType, totalsOf } from '../settlement/rules.ts'
import type { Fix } from './rules-advice.ts'
import { type Finding, failed, passed, type ReadinessFacts, type Rule } from './rules-facts.ts'

// The rules about the settlement schedule.

const BLOCKING = { approval: 'FINANCIAL', kind: 'BLOCKING' } as const

export const FINANCIAL_RULES = {
  'schedule-has-source': {
    ...BLOCKING,
    checks: 'The schedule has a `SOURCE`.',
    fixedBy: ['add line item'],
    review: (facts) => [hasLine(facts, 'SOURCE')],
  },

  'schedule-has-destination': {
    ...BLOCKING,
    checks: 'The schedule has a `DESTINATION`.',
    fixedBy: ['add line item'],
    review: (facts) => [hasLine(facts, 'DESTINATION')],
  },

  'schedule-balances': {
    ...BLOCKING,
    checks: 'The sums of sources and destinations are equal.',
    fixedBy: ['add line item', 'change line item'],
    review: ({ schedule: { lines } }) => {
      const { sources, destinations, difference } = totalsOf(lines)
      if (difference === 0) return [passed('lineItems', 'The sums of sources and destinations are equal.')]
      const sums = `sources come to ${inPounds(sources)}, destinations to ${inPounds(destinations)}`
      const fixes = lines
        .slice(0, 1)
        .map(({ lineItemId }): Fix => ({ do: 'change line item', lineItemId, says: 'change an amount' }))
      const type = difference > 0 ? 'DESTINATION' : 'SOURCE'
      const add: Fix = { do: 'add line item', category: ANY_OF[type], says: `add a ${type}` }
      return [failed('lineItems', `The sums of sources and destinations differ: ${sums}.`, ...fixes, add)]
    },
  },

  'completion-date-is-valid': {
    ...BLOCKING,
    checks: 'The completion date is a business day of England and Wales, today or later.',
    fixedBy: ['set completion date'],
    review: ({ schedule: { completionDate }, today }) => {
      const problem = dateProblem(completionDate, today)
      if (problem === undefined) return [passed('completionDate', 'The completion date is a business day to come.')]
      const says = completionDate === null ? 'set one' : 'set another one'
      return [failed('completionDate', problem, { do: 'set completion date', says })]
    },
  },
} as const satisfies Record<string, Rule>

function hasLine({ schedule: { lines } }: ReadinessFacts, type: LineType): Finding {
  if (lines.some((line) => line.type === type)) return passed('lineItems', `The schedule has a ${type}.`)
  const fix: Fix = { do: 'add line item', category: ANY_OF[type], says: 'add one' }
  return failed('lineItems', `The schedule has no ${type}.`, fix)
}

const ANY_OF = { SOURCE: 'Mortgage Advance', DESTINATION: 'Conveyancing Fees' } as const

function dateProblem(completionDate: string | null, today: string): string | undefined {
  if (completionDate === null) return 'The schedule has no completion date.'
  if (completionDate < today) return `The completion date ${completionDate} has passed.`
  if (isBusinessDay(completionDate)) return undefined
  return `The completion date ${completionDate} is no business day of England and Wales.`
}

export const inPounds = (pence: number): string => poundsOf(pence).toFixed(2)
