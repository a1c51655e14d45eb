import type { Rights } from './platform/database/grants.ts'

// The database rights of the service's roles. `serve` and `work` may share one role or have one each.

export type Process = 'serve' | 'work'

/**
 * The tables from which rows are deleted, and who does it. A test compares them with the code. `work` deletes from all tables
 * of a matter when it erases one; the commands, whose role may do all of it, can too.
 */
export const DELETED_FROM: Readonly<Record<string, readonly (Process | 'commands')[]>> = {
  blobs: ['work'],
  client_secrets: ['commands'],
  confirmations: ['serve', 'work'],
  due: ['serve', 'work'],
  erasure_holds: ['commands'],
  event_feed: ['work'],
  event_outbox: ['work'],
  event_repeats: ['work'],
  events: ['work'],
  external_law_firms: ['work'],
  feed_listeners: ['work'],
  figure_days: ['work'],
  figures: ['work'],
  files: ['work'],
  hmlr_extracts: ['work'],
  hmlr_notifications: ['work'],
  hmlr_replies: ['work'],
  hmlr_submissions: ['work'],
  hmlr_uploads: ['work'],
  idempotency_keys: ['work'],
  line_items: ['serve', 'work'],
  lodgement_applications: ['work'],
  lodgement_approvals: ['work'],
  lodgement_cases: ['work'],
  nodes: ['serve', 'work'],
  notification_registrations: ['serve', 'work'],
  notifications: ['work'],
  parties: ['serve', 'work'],
  person_links: ['serve', 'work', 'commands'],
  proprietors: ['serve', 'work'],
  registry_notices: ['work'],
  reports: ['work'],
  representations: ['work'],
  requests: ['work'],
  requisitions: ['work'],
  schedule_approvals: ['work'],
  sessions: ['serve', 'work', 'commands'],
  settlement_schedules: ['work'],
  settlements: ['work'],
  simulated_lodgements: ['work'],
  simulated_payments: ['work'],
  submissions: ['work'],
  title_documents: ['serve', 'work'],
  titles: ['serve', 'work'],
  workspace_activity: ['work'],
  workspaces: ['work'],
}

const AUDIT = ['audit_entries', 'audit_anchors']

/** Changed by the operator's commands. Every change of a subscriber's data moves the head of its audit chain. */
const OF_OPERATORS = {
  readOnly: ['clients', 'client_secrets', 'hmlr_accounts', 'hmlr_lenders'],
  columns: { subscribers: ['audit_seq', 'audit_hash'] },
}

/** Written only by workers. */
const OF_WORKERS = [
  'erased_matters',
  'audit_anchors',
  'event_feed',
  'figures',
  'figure_days',
  'reports',
  'hmlr_extracts',
  'hmlr_uploads',
  'hmlr_submissions',
  'hmlr_notifications',
  'hmlr_replies',
]

/** The rights of one process, or without it, of one role for both processes and the operator's commands. */
export function rightsOf(process?: Process): Rights {
  const deletes = Object.entries(DELETED_FROM).filter(([, by]) => !process || by.includes(process))
  const all: Rights = {
    deletes: deletes.map(([table]) => table),
    readOnly: [],
    appendOnly: AUDIT,
    columns: {},
    queue: 'run',
  }
  if (!process) return all
  const { readOnly, columns } = OF_OPERATORS
  if (process === 'work') return { ...all, readOnly, columns }
  return { ...all, readOnly: [...readOnly, ...OF_WORKERS], columns, queue: 'enqueue' }
}
