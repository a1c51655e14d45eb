import type { Fault, Schemas } from '../../../client/src/index.ts'

// What a lender typed, against the schedule.

type Schedule = Pick<Schemas['FinancialSettlementSchedule'], 'completionDate' | 'lineItems'>

export type Asked = { completionDate: string; amount: number }

const DAY = /^\d{4}-\d{2}-\d{2}$/
const AMOUNT = /^\d{1,12}(\.\d{1,2})?$/

const isDay = (text: string) => DAY.test(text) && !Number.isNaN(Date.parse(text))

/** As people write amounts: "£206,000" too. */
export function askedOf(form: URLSearchParams): Asked | { errors: Fault[] } {
  const completionDate = form.get('completionDate')?.trim() ?? ''
  const amount = (form.get('lineItem.amount') ?? '').replaceAll(/[£,\s]/g, '')
  const errors = [
    ...(isDay(completionDate) ? [] : [{ field: 'completionDate', message: 'Type the completion day.' }]),
    ...(AMOUNT.test(amount) ? [] : [{ field: 'lineItem.amount', message: 'Type the amount in pounds and pence.' }]),
  ]
  return errors.length > 0 ? { errors } : { completionDate, amount: Number(amount) }
}

/** Of the sources the lender authorises the advance alone. */
export const expectedOf = ({ completionDate = '', lineItems }: Schedule): Asked => ({
  completionDate,
  amount:
    lineItems
      .filter(({ category }) => category === 'Mortgage Advance')
      .reduce((sum, { amount }) => sum + pence(amount), 0) / 100,
})

const pence = (pounds: number) => Math.round(pounds * 100)

/** In the words of the interface. */
export function differencesOf(asked: Asked, schedule: Schedule): ('COMPLETION_DATE' | 'AMOUNT')[] {
  const expected = expectedOf(schedule)
  return [
    ...(asked.completionDate === expected.completionDate ? [] : (['COMPLETION_DATE'] as const)),
    ...(pence(asked.amount) === pence(expected.amount) ? [] : (['AMOUNT'] as const)),
  ]
}
