import { type Actor, actorName } from '../audit/record.ts'
import {
  APPLICATION_TRANSITIONS,
  applicationEventOf,
  type CaseEvent,
  caseAfter,
  WORKSPACE_EVENT_OF,
} from '../lodgement/status.ts'
import { type ScheduleEvent, scheduleAfter } from '../settlement/status.ts'
import { type ScheduleStatus, transition, type WorkspaceEvent } from '../workspaces/status.ts'
import type { Matter } from './matter.ts'

// The three machines of a matter, each moved by one event. What cannot happen is refused.

export const modified = (actor: Actor) => ({ lastModifiedAt: actor.at, lastModifiedBy: actorName(actor) })

export const made = (actor: Actor) => ({ createdAt: actor.at, createdBy: actorName(actor), ...modified(actor) })

/** Whom a change names is remembered, and nobody is forgotten: none of them may approve what they changed. */
export function remember({ changedBy }: { changedBy: readonly string[] }, actor: Actor) {
  const person = actor.actingUser?.toLowerCase()
  const isNew = person !== undefined && !changedBy.includes(person)
  return { ...modified(actor), ...(isNew && { changedBy: [...changedBy, person], changedByUser: person }) }
}

export const moveWorkspace = (matter: Matter, event: WorkspaceEvent, { at }: Actor): Matter => {
  const status = transition(matter.workspace.status, event)
  return status === matter.workspace.status
    ? matter
    : { ...matter, workspace: { ...matter.workspace, status, statusSince: at } }
}

/** The case, its applications and its workspace with it. */
export function moveCase(matter: Matter, event: CaseEvent, actor: Actor): Matter {
  const { lodgementCase, workspace } = matter
  const status = caseAfter(lodgementCase.status, event)
  const moved = {
    ...matter,
    lodgementCase: { ...lodgementCase, status, ...modified(actor) },
    applications: moveApplications(matter, event, actor),
  }
  const follows = WORKSPACE_EVENT_OF[event]
  // A registry that asks again finds the workspace requisitioned already.
  if (!follows || (follows === 'case requisitioned' && workspace.status === 'REQUISITIONED')) return moved
  return moveWorkspace(moved, follows, actor)
}

// What is withdrawn has no transitions and stays.
function moveApplications({ applications }: Matter, event: CaseEvent, actor: Actor): Matter['applications'] {
  return applications.map((one) => {
    const follows = applicationEventOf(event, one.applicationType)
    const status = follows && APPLICATION_TRANSITIONS[one.status][follows]
    return status ? { ...one, status, ...modified(actor) } : one
  })
}

/** With the schedule goes who authorised the funds, for as long as that holds or until they went. */
export function moveSchedule(matter: Matter, event: ScheduleEvent, actor: Actor): Matter {
  const status = scheduleAfter(matter.schedule.status, event)
  return { ...matter, schedule: { ...matter.schedule, status, ...authorised(status, actor), ...modified(actor) } }
}

function authorised(status: ScheduleStatus, actor: Actor) {
  if (status === 'PAYING' || status === 'SETTLED') return {}
  if (status === 'AUTHORISED') return { authorisedAt: actor.at, authorisedBy: actorName(actor) }
  return { authorisedAt: null, authorisedBy: null }
}
