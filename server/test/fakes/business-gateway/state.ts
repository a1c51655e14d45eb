import type { FieldProblem } from './answers.ts'
import type { ApplicationData } from './application-data.ts'
import type { ExtractRequest } from './extract-requests.ts'
import type { Xml } from './xml.ts'

/** All that the gateway remembers, in memory. */
export type State = {
  uploads: Map<string, Upload>
  /** By their id, in the order in which they came. */
  applications: Map<string, Application>
  notifications: Notification[]
  /** How many events the notifications are of, however often they are repeated. */
  announced: number
  downloads: Map<string, Download>
  extracts: Map<string, Extract>
}

export type Upload = {
  documentId: string
  account: string
  type: string
  length: number
  sha256: string
  requestedAt: Date
  bytes?: Buffer
}

export type Application = {
  id: string
  account: string
  idempotencyKey: string
  data: ApplicationData
  receivedAt: Date
  hmlrReference: string
  /** What the rules found that run after the answer. */
  errors: FieldProblem[]
  warnings: string[]
  /** How many of the same title and customer reference came before: those that ended in a system error, and the others. */
  earlier: { failed: number; others: Application[] }
  replies: Reply[]
  /** How many of its steps have become notifications. */
  notified: number
}

export type Reply = { id: number; at: Date } & (
  | { kind: 'document'; documentId: string }
  | { kind: 'message'; text: string }
)

export type Notification = {
  account: string
  notification_id: string
  created_datetime: string
  event_datetime: string
  payload_schema: string
  notification_type: string
  subject_type: 'APPLICATION'
  subject: string
  additional_provider_filter: string | null
  status: 'NEW' | 'ACKNOWLEDGED'
  payload: { data: Record<string, unknown> }
}

export type Download = { id: string; code: string; name: string; createdAt: Date; account: string; bytes: Buffer }

/** A register extract that was asked for. The gateway answers a message id once. */
export type Extract = ExtractRequest & {
  account: string
  /** When it is processed. */
  readyAt: Date
  response?: Xml
}

export const emptyState = (): State => ({
  uploads: new Map(),
  applications: new Map(),
  notifications: [],
  announced: 0,
  downloads: new Map(),
  extracts: new Map(),
})
