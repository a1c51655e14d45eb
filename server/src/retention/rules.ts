import type { DocumentType } from '../lodgement/attachments.ts'
import type { RetentionSettings } from './settings.ts'

// When the time of something is over, and what keeps it longer.

export const ERASE_JOB = 'retention.erase'

/** The statuses of a matter that has ended, and the setting that counts from then. */
export const ENDED = { CLOSED: 'closedYears', CANCELLED: 'cancelledYears' } as const satisfies Record<
  string,
  keyof RetentionSettings
>

export type EndedStatus = keyof typeof ENDED
export const ENDED_STATUSES = Object.keys(ENDED) as EndedStatus[]

/** Why a matter was erased: its status when its time was over, or a request of a data subject. */
export type Rule = EndedStatus | 'SUBJECT_REQUEST'

const DAY_MS = 86_400_000

/** What ended before it is erased. On 29 February the year begins on 1 March. */
export function yearsBefore(now: Date, years: number): Date {
  const time = new Date(now)
  time.setUTCFullYear(time.getUTCFullYear() - years)
  return time
}

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)

/** Documents whose time is over sooner than that of their matter. */
export const IDENTITY_DOCUMENTS = ['IDENTITY_EVIDENCE', 'IDENTITY_FORM'] as const satisfies readonly DocumentType[]

/** What keeps a matter that has ended, in words. `store.ts` has the SQL of each. */
export const BLOCKS = {
  HELD: 'a legal hold is on it',
  JOB: 'a job of it has not ended',
  REQUISITION: 'a requisition is unanswered',
  EVENT: 'an event is not published yet',
  DELIVERY: 'a webhook has not received an event of it',
  FILE: 'a file has not been checked yet',
} as const

export type Block = keyof typeof BLOCKS

export type FoundMatter = { status: string; endedAt: Date; blocks: readonly Block[]; holdReason: string | null }

/** Why a matter may not be erased at the request of a data subject, and until when; undefined if it may. */
export function reasonToKeep(
  { status, endedAt, blocks, holdReason }: FoundMatter,
  { requiredYears }: Pick<RetentionSettings, 'requiredYears'>,
  now: Date,
): { reason: string; until?: string } | undefined {
  if (!(status in ENDED)) return { reason: `the matter is live: its status is ${status}` }
  if (blocks.length > 0) {
    const reasons = blocks.map((block) => (block === 'HELD' ? `${BLOCKS.HELD}: ${holdReason}` : BLOCKS[block]))
    return { reason: reasons.join('; ') }
  }
  const until = new Date(endedAt)
  until.setUTCFullYear(until.getUTCFullYear() + requiredYears)
  if (until <= now) return undefined
  return {
    reason: `it ended on ${dayOf(endedAt)} and must be kept for ${requiredYears} years, for legal claims (docs/privacy.md)`,
    until: dayOf(until),
  }
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)
