import { conflict } from '../platform/errors.ts'
import type { ScheduleStatus } from '../workspaces/status.ts'

// The life of a settlement schedule, as one function of state and event.

export type ScheduleEvent =
  | 'approved'
  | 'approval taken back'
  | 'funds authorised'
  | 'funds no longer authorised'
  | 'settlement due'
  | 'settled'
  | 'workspace cancelled'

export const SCHEDULE_TRANSITIONS: Record<ScheduleStatus, Partial<Record<ScheduleEvent, ScheduleStatus>>> = {
  DRAFT: { approved: 'PREPARED', 'workspace cancelled': 'CANCELLED' },
  PREPARED: { 'approval taken back': 'DRAFT', 'funds authorised': 'AUTHORISED', 'workspace cancelled': 'CANCELLED' },
  AUTHORISED: {
    'funds no longer authorised': 'PREPARED',
    'settlement due': 'PAYING',
    settled: 'SETTLED',
    'workspace cancelled': 'CANCELLED',
  },
  PAYING: { 'funds no longer authorised': 'PREPARED', settled: 'SETTLED' },
  SETTLED: {},
  CANCELLED: {},
}

/** An illegal transition is refused, not ignored. */
export function scheduleAfter(status: ScheduleStatus, event: ScheduleEvent): ScheduleStatus {
  const next = SCHEDULE_TRANSITIONS[status][event]
  if (next) return next
  throw conflict({ message: `The settlement schedule is ${status}: "${event}" cannot happen to it.` })
}
