import { jsonOf } from '../../src/hmlr/gateway.ts'
import { newsOf, refusal, typeOf } from '../../src/hmlr/rules-notices.ts'
import { titleFailure } from '../../src/hmlr/search.ts'
import type { RegistryError } from '../../src/hmlr/shapes.ts'
import type { Example } from './pack.ts'

type Fields = Record<string, unknown>
type Reading = { kind: string; problem?: string | undefined }

const NOW = new Date('2026-06-01T09:00:00Z')
const ACCEPTED = { hmlr_reference: 'A123BCD', priority_timestamp: '2026-05-29T09:00:00Z' }

/** The news that each notification leads to, together with the state of its application. */
const NEWS_OF_NOTIFICATIONS: Readonly<Record<string, string[]>> = {
  'accepted-priority-pending': [],
  'accepted-priority-protected': ['accepted'],
  'attachment-failed': ['accepted'],
  'attachment-success': ['accepted'],
  'message-failed': ['accepted'],
  'message-success': ['accepted'],
  'correspondence-despatched': ['accepted', 'requisitioned'],
  cancelled: ['accepted', 'cancelled'],
  completed: ['accepted', 'completed'],
  error: [],
  'system-error': [],
  'validation-failed': ['validation failed'],
}

/** The news of a state alone. A completion is known by its notification. */
const NEWS_OF_STATES: Readonly<Record<string, string[]>> = {
  VALIDATING: [],
  SYSTEM_ERROR: [],
  VALIDATION_FAILED: ['validation failed'],
  ACCEPTED_AWAITING_PRIORITY: [],
  ACCEPTED_PRIORITY_PROTECTED: ['accepted'],
  CANCELLED: ['accepted', 'cancelled'],
  COMPLETED: ['accepted'],
}

/** Reads an example as the adapter reads such an answer. Says what is not as expected. */
export function understand({ status, body }: Omit<Example, 'where'>): Reading {
  const json = body as Fields
  const data = jsonOf<Fields | unknown[]>({ status, headers: {}, body: Buffer.from(JSON.stringify(json)) })
  if (Array.isArray(data) || 'notification_type' in data) {
    const sent = [data].flat()
    if (sent.every((one) => typeof one === 'string')) return { kind: 'request' }
    return reading(
      'notifications',
      sent.map((one) => notificationProblem(one as Fields)),
    )
  }
  if (json['errors'] || json['detail'] || json['title']) return reading('problem', [errorProblem(json)])
  if ('status' in data && 'application_request_id' in data) return reading('information', [informationProblem(data)])
  if ('upload_url' in data)
    return reading('upload', [textProblem(data, 'upload_url'), textProblem(data, 'document_id')])
  if ('title_status_code' in data) return reading('names', [namesProblem(data)])
  if ('application_request_id' in data) return reading('submission', [textProblem(data, 'application_request_id')])
  if ('acknowledged' in data) return reading('acknowledgement', [])
  if (['type', 'document_type', 'document_id', 'message_text'].some((one) => one in data)) return { kind: 'request' }
  return reading('unknown', [`it is no answer that the adapter reads: ${Object.keys(data)}`])
}

const reading = (kind: string, problems: (string | undefined)[]): Reading => ({
  kind,
  problem: problems.filter((one) => one !== undefined).join('; ') || undefined,
})

function notificationProblem(one: Fields): string | undefined {
  const { notification_type: type, event_datetime: at } = one as Record<string, string>
  const payload = (one['payload'] ?? {}) as Fields
  const notification = {
    notificationId: String(one['notification_id']),
    type: type ?? '',
    eventAt: new Date(at ?? ''),
    payload,
  }
  if (Number.isNaN(notification.eventAt.getTime())) return `${type} has no time`
  const { status } = (payload['data'] ?? payload) as { status?: string }
  const isUnaccepted = /VALID|ERROR|AWAITING/.test(status ?? '')
  const information = { status: status ?? 'ACCEPTED_PRIORITY_PROTECTED', ...(isUnaccepted ? {} : ACCEPTED) }
  const news = newsOf({ information, notifications: [notification], replies: [], now: NOW })
  return difference(type ?? '', news, NEWS_OF_NOTIFICATIONS[typeOf(notification)])
}

function informationProblem(data: Fields): string | undefined {
  const information = data as unknown as Parameters<typeof newsOf>[0]['information']
  const news = newsOf({ information, notifications: [], replies: [], now: NOW })
  return difference(information.status, news, NEWS_OF_STATES[information.status])
}

function difference(what: string, news: readonly { kind: string }[], expected: readonly string[] | undefined) {
  const kinds = news.map(({ kind }) => kind)
  if (String(kinds) === String(expected)) return undefined
  return `${what} is read as [${kinds}], not as [${expected ?? 'anything known'}]`
}

/** With words that a person can read. */
function errorProblem(json: Fields): string | undefined {
  const errors = (json['errors'] ?? [{ detail: json['detail'] ?? json['title'] }]) as (RegistryError & Fields)[]
  if (errors.every((one) => one['error_code'])) return undefined // of the names service, whose status alone counts
  const notice = refusal(errors, NOW)
  const faults = notice.kind === 'validation failed' ? notice.faults : []
  return faults.every(({ reason }) => typeof reason === 'string') ? undefined : 'an error has no words'
}

function namesProblem(data: Fields): string | undefined {
  try {
    titleFailure(200, String(data['title_status_code']), 'It cannot be delivered electronically.')
    return undefined
  } catch (error) {
    return String(error)
  }
}

const textProblem = (data: Fields, name: string) => (typeof data[name] === 'string' ? undefined : `${name} is no text`)
