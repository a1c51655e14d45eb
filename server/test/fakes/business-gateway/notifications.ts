import { randomUUID } from 'node:crypto'
import { type Answer, badRequest, type Context, type Inbound, jsonOf, problem } from './answers.ts'
import { type Step, stepsOf } from './course.ts'
import { lettersOf, listed } from './letters.ts'
import { acknowledgeRequest, misfits, notificationsQuery } from './schemas.ts'
import type { Application, Notification } from './state.ts'

const SCHEMAS = 'https://landregistry.github.io/bgtechdoc/schemas/v1/application'
const LIMIT = 100

/** `GET /v1/notifications`: of the caller's business unit, new ones unless others are asked for. */
export function list(context: Context, account: string, { query }: Inbound): Answer {
  const filter = Object.fromEntries(query) as Record<string, string | undefined>
  const problems = misfits(notificationsQuery, filter)
  if (problems.length) return badRequest(context, problems)
  const [createdAfter, createdBefore] = [momentOf(filter['created_after']), momentOf(filter['created_before'])]
  if (createdAfter && createdBefore && createdAfter > createdBefore) {
    return problem(context, 400, 'created_after parameter cannot be after created_before parameter')
  }
  const occurredAfter = momentOf(filter['occurred_after'] ?? filter['occured_after'])
  const occurredBefore = momentOf(filter['occurred_before'] ?? filter['occured_before'])
  collect(context, account)
  const isWanted =
    (name: 'subject' | 'subject_type' | 'notification_type' | 'additional_provider_filter') => (one: Notification) =>
      filter[name] === undefined || one[name] === filter[name]
  const found = context.state.notifications
    .filter((one) => one.account === account && one.status === (filter['status'] ?? 'NEW'))
    .filter(isWanted('subject'))
    .filter(isWanted('subject_type'))
    .filter(isWanted('notification_type'))
    .filter(isWanted('additional_provider_filter'))
    .filter((one) => isBetween(one.created_datetime, createdAfter, createdBefore))
    .filter((one) => isBetween(one.event_datetime, occurredAfter, occurredBefore))
  const ordered = context.control.notifications.isReordered ? found.toReversed() : found
  const data = ordered.slice(0, Math.min(LIMIT, Number(filter['limit'] ?? LIMIT))).map(({ account: _, ...one }) => one)
  return { status: 200, body: { data } }
}

const momentOf = (text: string | undefined) =>
  text === undefined ? undefined : Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`)

const isBetween = (text: string, after: number | undefined, before: number | undefined) =>
  (after === undefined || Date.parse(text) > after) && (before === undefined || Date.parse(text) < before)

/** `POST /v1/notifications/acknowledge`. */
export function acknowledge(context: Context, account: string, inbound: Inbound): Answer {
  const json = jsonOf(inbound)
  const problems = misfits(acknowledgeRequest, json)
  if (problems.length) return badRequest(context, problems)
  const { data: ids } = json as { data: string[] }
  const mine = new Map(
    context.state.notifications.filter((one) => one.account === account).map((one) => [one.notification_id, one]),
  )
  const acknowledged = ids.filter((id) => mine.has(id))
  for (const id of acknowledged) {
    const one = mine.get(id)
    if (one) one.status = 'ACKNOWLEDGED'
  }
  const missing = ids.filter((id) => !mine.has(id))
  return { status: 200, body: { data: { acknowledged, ...(missing.length && { not_found: missing }) } } }
}

/** Makes notifications of the steps that have happened since the last time, some of them twice if that is asked for. */
function collect(context: Context, account: string): void {
  const { control, state } = context
  const now = control.now()
  const happened = [...state.applications.values()]
    .filter((one) => one.account === account)
    .flatMap((application) => {
      const steps = stepsOf(context, application).filter(({ at }) => at <= now)
      const fresh = steps.slice(application.notified)
      application.notified = steps.length
      return fresh.map((step) => ({ application, step }))
    })
    .toSorted((a, b) => a.step.at.getTime() - b.step.at.getTime())
  for (const { application, step } of happened) {
    const made = notificationOf(context, application, step)
    if (!made) continue
    state.notifications.push(made)
    state.announced++
    const { repeatEvery } = control.notifications
    const isRepeated = repeatEvery > 0 && state.announced % repeatEvery === 0
    if (isRepeated) state.notifications.push({ ...made, notification_id: randomUUID() })
  }
}

function notificationOf(context: Context, application: Application, step: Step): Notification | undefined {
  const content = contentOf(context, application, step)
  if (!content) return undefined
  const [type, schema, data] = content
  return {
    account: application.account,
    notification_id: randomUUID(),
    created_datetime: new Date(step.at.getTime() + 38).toISOString(),
    event_datetime: step.at.toISOString(),
    payload_schema: `${SCHEMAS}/${schema}.json`,
    notification_type: `application.${type}`,
    subject_type: 'APPLICATION',
    subject: application.id,
    additional_provider_filter: application.data.additional_provider_filter ?? null,
    status: 'NEW',
    payload: { data },
  }
}

/** Its type, the name of its schema, and its data. Guide and contract differ in some types. */
function contentOf(
  context: Context,
  application: Application,
  step: Step,
): [string, string, Record<string, unknown>] | undefined {
  const isGuide = context.control.dialect === 'guide'
  const documents = () => ({
    documents: lettersOf(context, application, step).map(listed),
    hmlr_reference: application.hmlrReference,
    application_request_id: application.id,
  })
  const same = (type: string, data: Record<string, unknown>): [string, string, Record<string, unknown>] => [
    type,
    type,
    data,
  ]
  switch (step.kind) {
    case 'awaiting priority':
      return same('accepted-priority-pending', { status: 'ACCEPTED_AWAITING_PRIORITY' })
    case 'protected': {
      const { hmlrReference: hmlr_reference } = application
      const priority = step.priorityAt.toISOString()
      return same('accepted-priority-protected', { status: 'ACCEPTED_PRIORITY_PROTECTED', priority, hmlr_reference })
    }
    case 'validation failed':
      return same('validation-failed', { status: 'VALIDATION_FAILED' })
    case 'system error':
      return [isGuide ? 'error' : 'system-error', 'error', { status: 'SYSTEM_ERROR' }]
    case 'correspondence':
      return same('correspondence-despatched', documents())
    case 'cancelled':
      return same('cancelled', { status: 'CANCELLED', ...documents() })
    case 'completed': {
      const early = { was_subject_to_early_completion: step.isEarly }
      return same('completed', { status: 'COMPLETED', ...documents(), ...early })
    }
    case 'attached': {
      const result = step.failure ? 'failed' : 'success'
      const kind = step.reply.kind === 'message' ? 'message' : isGuide ? 'document' : 'attachment'
      const schema = step.reply.kind === 'message' ? 'message' : 'document'
      const data = step.failure ? { failure_reason: step.failure } : { attachment_id: step.reply.id }
      return [`${kind}-${result}`, `${schema}-${result}`, data]
    }
    case 'discharged':
      return undefined
  }
}
