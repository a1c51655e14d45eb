import { type Answer, badRequest, type Context, type Inbound, jsonOf, problem } from './answers.ts'
import { findApplication, notFound, statusOf } from './applications.ts'
import { stepsOf } from './course.ts'
import { attachDocumentRequest, attachMessageRequest, misfits, type Schema } from './schemas.ts'
import type { Reply } from './state.ts'

/** `POST /v1/applications/{id}/attachments`. There is no idempotency key: a repeat attaches twice. */
export const attachDocument = (context: Context, account: string, inbound: Inbound, id: string): Answer =>
  attach(context, account, id, attachDocumentRequest, jsonOf(inbound), ({ document_id: documentId = '' }) => ({
    kind: 'document',
    documentId,
  }))

/** `POST /v1/applications/{id}/messages`. */
export const attachMessage = (context: Context, account: string, inbound: Inbound, id: string): Answer =>
  attach(context, account, id, attachMessageRequest, jsonOf(inbound), ({ message_text: text = '' }) => ({
    kind: 'message',
    text,
  }))

type Attached = { document_id?: string; message_text?: string }
type Content = { kind: 'document'; documentId: string } | { kind: 'message'; text: string }

function attach(
  context: Context,
  account: string,
  id: string,
  schema: Schema,
  json: unknown,
  contentOf: (data: Attached) => Content,
): Answer {
  const problems = misfits(schema, json)
  if (problems.length) return badRequest(context, problems)
  const application = findApplication(context, id)
  if (!application) return notFound(context, id)
  const refused = (type: string, detail: string) => problem(context, 400, detail, [{ type, detail, pointer: null }])
  if (application.account !== account) return refused('OC037', 'The business unit is not that of the application')
  const now = context.control.now()
  const status = statusOf(stepsOf(context, application).filter(({ at }) => at <= now))
  if (!status.startsWith('ACCEPTED')) return refused('OC036', 'Application status is not PENDING')
  const reply: Reply = { id: application.replies.length + 1, at: now, ...contentOf((json as { data: Attached }).data) }
  application.replies.push(reply)
  return { status: 202 }
}
