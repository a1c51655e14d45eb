import { addBusinessDays, onBusinessDay } from '../../src/jurisdiction/business-days.ts'
import { londonDate, londonMoment } from '../../src/jurisdiction/london.ts'

// A second, independent description of what must happen to a matter: facts from which the statuses follow. It uses
// nothing of the service's rules but the calendar.

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const REFUSED_ACCOUNT = '00000000'
export const SLOW_ACCOUNT = '11111111'

/** A line with an account goes out, one without comes in. */
export type Line = { pence: number; account?: string }

/** What the registry will do with the title, and whether the deed is digital. */
export type Plan = { titleNumber: 'ST500678' | 'ST500679' | 'RQ100001'; digital: boolean }

export const PLANS: readonly Plan[] = [
  { titleNumber: 'ST500678', digital: false },
  { titleNumber: 'ST500678', digital: true },
  { titleNumber: 'ST500679', digital: false },
  { titleNumber: 'RQ100001', digital: false },
]

export type Facts = {
  now: Date
  plan: Plan
  cancelled: boolean
  titled: boolean
  /** Whether the second borrower has another name, and comes to the title. */
  renamed: boolean
  incoming: boolean
  county: string | undefined
  represented: boolean
  deedValue: number | undefined
  deedAttached: boolean
  caseApproved: boolean
  lines: readonly Line[]
  completionDate: string | undefined
  /** That the advance is another sum than the value of the deed. */
  advanceConfirmed: boolean
  scheduleApproved: boolean
  authorisedAt: Date | undefined
  /** When the bank was instructed, until it has answered; and when it paid. */
  instructedAt: Date | undefined
  paidAt: Date | undefined
  refusals: number
  isEffective: boolean
  /** When the case was sent, a requisition answered, and a discharge sent on its own. */
  sentAt: Date | undefined
  answeredAt: Date | undefined
  dischargeSentAt: Date | undefined
  /** Whether the form that discharges the old charge is attached. */
  formAttached: boolean
}

export const newFacts = (now: Date, plan: Plan): Facts => ({
  now,
  plan,
  cancelled: false,
  titled: false,
  renamed: false,
  incoming: false,
  county: undefined,
  represented: false,
  deedValue: undefined,
  deedAttached: false,
  caseApproved: false,
  lines: [],
  completionDate: undefined,
  advanceConfirmed: false,
  scheduleApproved: false,
  authorisedAt: undefined,
  instructedAt: undefined,
  paidAt: undefined,
  refusals: 0,
  isEffective: false,
  sentAt: undefined,
  answeredAt: undefined,
  dischargeSentAt: undefined,
  formAttached: false,
})

export const todayOf = ({ now }: Pick<Facts, 'now'>): string => londonDate(now)

/** Business days ahead of today; 0 is today, or the next business day. */
export const businessDayOf = (facts: Pick<Facts, 'now'>, ahead: number): string =>
  addBusinessDays(addBusinessDays(todayOf(facts), -1), ahead + 1)

export const isReady = ({ titled, renamed, represented, deedValue, deedAttached }: Facts): boolean =>
  titled && !renamed && represented && deedValue !== undefined && deedAttached

export function sumsOf({ lines }: Facts): { comesIn: number; goesOut: number } {
  const sum = (some: readonly Line[]) => some.reduce((pence, line) => pence + line.pence, 0)
  return {
    comesIn: sum(lines.filter(({ account }) => account === undefined)),
    goesOut: sum(lines.filter(({ account }) => account !== undefined)),
  }
}

export function canBePaid(facts: Facts): boolean {
  const { comesIn, goesOut } = sumsOf(facts)
  const { completionDate } = facts
  return comesIn > 0 && comesIn === goesOut && completionDate !== undefined && completionDate >= todayOf(facts)
}

/** Whether the advance is the value of the deed, or that is not known. */
export const isCovered = (facts: Facts): boolean =>
  facts.deedValue === undefined || facts.deedValue * 100 === sumsOf(facts).comesIn

/** A confirmation lapses with its facts. The approval of the schedule goes with it, or when the advance is another sum. */
export function lapse(before: Facts, after: Facts): Facts {
  if (before.deedValue === after.deedValue && sumsOf(before).comesIn === sumsOf(after).comesIn) return after
  const scheduleApproved = after.scheduleApproved && !before.advanceConfirmed && isCovered(after)
  return { ...after, scheduleApproved, advanceConfirmed: false }
}

export const isPrepared = ({ caseApproved, scheduleApproved }: Facts): boolean => caseApproved && scheduleApproved

/** Whether more than files can still be changed. */
export const isOpen = (facts: Facts): boolean => !facts.cancelled && !isPrepared(facts)

export function statusesOf(facts: Facts): { workspace: string; case: string; schedule: string } {
  const { cancelled, caseApproved, scheduleApproved, authorisedAt, paidAt } = facts
  if (paidAt) return { ...lodged(facts), schedule: 'SETTLED' }
  if (cancelled) return { workspace: 'CANCELLED', case: 'CANCELLED', schedule: 'CANCELLED' }
  const schedule = authorisedAt ? 'AUTHORISED' : scheduleApproved ? 'PREPARED' : 'DRAFT'
  const workspace = authorisedAt ? 'FUNDS_AUTHORISED' : isPrepared(facts) ? 'PREPARED' : 'CREATED'
  return { workspace, case: caseApproved ? 'PREPARED' : 'CREATED', schedule }
}

const days = (from: Date, count: number) => new Date(from.getTime() + count * DAY_MS)

// Sent with the payment, or when the deed is effective, and accepted a day later. The happy title is registered on the
// first business day five days after that; of another the discharge follows 14 days later, or five days after it was sent
// on its own; on the third the registry asks two days after it accepted.
function lodged({ plan, now, sentAt, answeredAt, dischargeSentAt }: Facts): { workspace: string; case: string } {
  if (!sentAt) return { workspace: 'FUNDS_EXCHANGED', case: 'PREPARED' }
  if (now < days(sentAt, 1)) return { workspace: 'FUNDS_EXCHANGED', case: 'INITIATED' }
  const isLodged = { workspace: 'LODGED', case: 'LODGED' }
  const isRegistered = { workspace: 'CLOSED', case: 'REGISTERED' }
  if (plan.titleNumber === 'RQ100001') {
    if (now < days(sentAt, 3)) return isLodged
    if (!answeredAt) return { workspace: 'REQUISITIONED', case: 'REQUISITIONED' }
    if (now < days(answeredAt, 1)) return { workspace: 'REQUISITIONED', case: 'REQUISITION_SUBMITTED' }
    return now < days(answeredAt, 6) ? isLodged : isRegistered
  }
  const registeredAt = onBusinessDay(days(sentAt, 6))
  if (now < registeredAt) return isLodged
  const isDischarged = now >= days(registeredAt, 14) || (dischargeSentAt && now >= days(dischargeSentAt, 5))
  if (plan.titleNumber === 'ST500678' || isDischarged) return isRegistered
  return { workspace: 'LODGED', case: dischargeSentAt ? 'DISCHARGE_SUBMITTED' : 'PARTIALLY_REGISTERED' }
}

/** The facts at a later moment, with what fell due on the way. */
export function at(now: Date, facts: Facts): Facts {
  const later = paid(now, facts)
  const isSent = later.paidAt && (!later.plan.digital || later.isEffective)
  return { ...later, sentAt: later.sentAt ?? (isSent ? later.paidAt : undefined) }
}

function paid(now: Date, facts: Facts): Facts {
  const { completionDate, authorisedAt, cancelled, paidAt } = facts
  if (!authorisedAt || !completionDate || cancelled || paidAt) return { ...facts, now }
  const due = londonMoment(completionDate, '09:00:00')
  if (due > now) return { ...facts, now }
  const instructedAt = authorisedAt > due ? authorisedAt : due
  const goesTo = (number: string) => facts.lines.some(({ account }) => account === number)
  if (goesTo(REFUSED_ACCOUNT)) return { ...facts, now, authorisedAt: undefined, refusals: facts.refusals + 1 }
  const answeredAt = new Date(instructedAt.getTime() + (goesTo(SLOW_ACCOUNT) ? 2 * HOUR_MS : 0))
  return answeredAt > now
    ? { ...facts, now, instructedAt }
    : { ...facts, now, instructedAt: undefined, paidAt: answeredAt }
}
