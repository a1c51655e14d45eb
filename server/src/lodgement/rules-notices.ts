import type { Notice } from '../registry/lodgement.ts'
import type { CaseStatus } from '../workspaces/status.ts'
import { CASE_TRANSITIONS, type CaseEvent, canHappen } from './status.ts'

// What a notice of the registry means for a case, whenever it comes.

export function eventOf(notice: Notice): CaseEvent {
  switch (notice.kind) {
    case 'cancelled':
      return 'cancelled by the registry'
    case 'completed':
      return notice.early ? 'completed early' : 'completed'
    default:
      return notice.kind
  }
}

/** Now; not yet, where something else must happen before it; or never, where it was overtaken. */
export type Fate = 'now' | 'not yet' | 'never'

/** `asked` is the registry's name for the newest requisition on the submission, where there is one. */
export function fateOf(status: CaseStatus, notice: Notice, asked: string | null): Fate {
  if (notice.kind === 'requisitioned' && notice.registryId === asked) return 'never'
  const event = eventOf(notice)
  const isForAnother = notice.kind === 'answer accepted' && notice.registryId !== asked
  if (canHappen(status, event) && !isForAnother) return 'now'
  return [...ahead(status)].some((later) => canHappen(later, event)) ? 'not yet' : 'never'
}

/** Begins another submission, of which the notices of this one say nothing. */
const BEGINS_ANOTHER: readonly CaseEvent[] = ['approved', 'sent']

/** Where a case can still come to with what was sent. */
function ahead(status: CaseStatus, found = new Set<CaseStatus>()): Set<CaseStatus> {
  for (const [event, next] of Object.entries(CASE_TRANSITIONS[status])) {
    if (BEGINS_ANOTHER.includes(event as CaseEvent) || found.has(next)) continue
    found.add(next)
    ahead(next, found)
  }
  return found
}

/** Whether the registry has anything left to say of it. */
export const isAwaiting = (status: CaseStatus): boolean => ahead(status).size > 0
