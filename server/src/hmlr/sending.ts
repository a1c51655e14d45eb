import type { LodgedDocument, Lodgement, RequisitionReply } from '../registry/lodgement.ts'
import type { Documents, LodgeOutcome, RegistryCall, ReplyOutcome } from '../registry/port.ts'
import { CERTIFICATIONS, documentCode } from './documents.ts'
import { jsonOf, Unavailable } from './gateway.ts'
import { receiveNotifications } from './notices.ts'
import { problemsOf } from './rules.ts'
import { typeOf } from './rules-notices.ts'
import type { Parts } from './search.ts'
import type { Account, RegistryError, Submission } from './shapes.ts'
import {
  beginPart,
  endAttempt,
  endPart,
  findLender,
  findSubmission,
  keepSubmission,
  keepUpload,
  listReplies,
  listUploads,
} from './store.ts'
import { submissionOf } from './submission.ts'

// What goes to the gateway: documents, an application, an answer to a letter.

type Call = RegistryCall & Documents

const DAY_MS = 86_400_000
const UPLOADS_KEPT_DAYS = 170 // the gateway deletes them after 180

export async function lodge(parts: Parts, account: Account, lodgement: Lodgement, call: Call): Promise<LodgeOutcome> {
  const { db } = parts
  const { messageId } = call
  if (!(await findSubmission(db, messageId))) await prepare(parts, account, lodgement, call)
  const submission = await findSubmission(db, messageId)
  if (!submission) throw new Error(`The submission ${messageId} was not kept.`)
  if (!submission.applicationRequestId && !submission.refused) await submit(parts, account, submission, 1, call.now)
  return { kind: 'received' }
}

/** Uploads the documents and keeps what is to be sent, so that a repeat sends the same. */
async function prepare(parts: Parts, account: Account, lodgement: Lodgement, call: Call): Promise<void> {
  const { db } = parts
  const { messageId, now } = call
  const lender = await findLender(db, lodgement.lender)
  const problems = problemsOf(lodgement, lender)
  const documents = lodgement.applications.flatMap(({ type, documents: attached }) =>
    attached.map((document) => ({ ...document, code: documentCode(document, type) })),
  )
  const documentId = problems.length ? () => '' : await upload(parts, account, documents, call)
  await keepSubmission(db, {
    messageId,
    lawFirmId: account.lawFirmId,
    titleNumber: lodgement.titleNumber,
    customerReference: lodgement.customerReference,
    completedOn: lodgement.completedOn,
    body: submissionOf(lodgement, { account, lender, documentId }),
    refused: problems.length ? problems : null,
    refusedAt: problems.length ? now : null,
  })
}

/** Each document once, unless the gateway has it from before. */
async function upload(
  { db, gateway }: Parts,
  account: Account,
  documents: readonly (LodgedDocument & { code: string })[],
  { open, now }: Call,
): Promise<(sha256: string, code: string) => string> {
  const since = new Date(now.getTime() - UPLOADS_KEPT_DAYS * DAY_MS)
  const hashes = documents.map(({ sha256 }) => sha256)
  const known = await listUploads(db, account.lawFirmId, hashes, since)
  const ids = new Map(known.map(({ sha256, documentType, documentId }) => [`${sha256} ${documentType}`, documentId]))
  for (const { sha256, size, code } of documents) {
    if (ids.has(`${sha256} ${code}`)) continue
    const file_sha256 = Buffer.from(sha256, 'hex').toString('base64')
    const data = { document_type: code, file_length: size, file_sha256 }
    const named = await gateway.rest(account, 'POST', '/v1/documents/url', { body: { data } })
    if (named.status !== 200) throw new Error(`The gateway does not take a ${code}: ${named.body.toString('utf8')}`)
    const { upload_url, document_id } = jsonOf<{ upload_url: string; document_id: string }>(named)
    const headers = { 'content-length': String(size), 'x-amz-checksum-sha256': file_sha256 }
    const stored = await gateway.put(upload_url, headers, (await open(sha256)).stream)
    if (stored.status !== 200) throw new Unavailable(`A document could not be uploaded: ${stored.status}.`)
    await keepUpload(db, {
      lawFirmId: account.lawFirmId,
      sha256,
      documentType: code,
      documentId: document_id,
      uploadedAt: now,
    })
    ids.set(`${sha256} ${code}`, document_id)
  }
  return (sha256, code) => ids.get(`${sha256} ${code}`) ?? ''
}

/** Sends an application. The key makes a repeat of the same attempt harmless. */
export async function submit(
  { db, gateway, settings }: Parts,
  account: Account,
  { messageId, body }: Pick<Submission, 'messageId' | 'body'>,
  attempt: number,
  now: Date,
): Promise<void> {
  const key = attempt === 1 ? messageId : `${messageId}-${attempt}`
  const filter = key.replaceAll('-', '_')
  const { data } = body as { data: object }
  const answer = await gateway.rest(account, 'POST', `/${settings.submissionVersion}/applications`, {
    body: { data: { ...data, additional_provider_filter: filter } },
    headers: { 'idempotency-key': key },
  })
  if (answer.status === 400) {
    const { errors, detail } = jsonOf<{ errors?: RegistryError[]; detail?: string }>(answer)
    const refused = errors?.length ? errors : [{ detail: detail ?? 'The registry gave no reason.' }]
    return endAttempt(db, { messageId, attempt, refused, refusedAt: now })
  }
  const applicationRequestId =
    answer.status === 409
      ? await findByFilter()
      : jsonOf<{ application_request_id?: string }>(answer).application_request_id
  if (!applicationRequestId) throw new Error(`The gateway answered ${answer.status} to a submission, without an id.`)
  await endAttempt(db, { messageId, attempt, applicationRequestId })

  /**
   * The gateway has it already, but does not say under which id. Its notifications do. In a database that was restored, those
   * that were acknowledged are unknown, too.
   */
  async function findByFilter(): Promise<string> {
    for (const status of ['NEW', 'ACKNOWLEDGED']) {
      const path = `/v1/notifications?status=${status}&additional_provider_filter=${filter}&limit=1`
      const [first] = [jsonOf<{ subject: string }[]>(await gateway.rest(account, 'GET', path))].flat()
      if (first) return first.subject
    }
    throw new Unavailable('The gateway has the submission, and its id is not known yet.')
  }
}

/**
 * Attaches documents and a message. Attaching has no key, so a part whose outcome is unknown is not sent again: its
 * notification must say that it was attached, or a person decides.
 */
export async function reply(
  parts: Parts,
  account: Account,
  { registryId, message, documents }: RequisitionReply,
  call: Call,
): Promise<ReplyOutcome> {
  const { db } = parts
  const { messageId } = call
  const submission = await findSubmission(db, messageId)
  const id = submission?.applicationRequestId
  if (!id) throw new Error(`Nothing was lodged under the message id ${messageId}.`)
  const coded = documents.map((document) => ({ ...document, code: documentCode(document) }))
  const documentId = await upload(parts, account, coded, call)
  const sendings = [
    ...coded.map(({ fileId, sha256, code, certificationType }) => ({
      part: fileId,
      kind: 'attachment',
      path: `/v1/applications/${id}/attachments`,
      data: { document_id: documentId(sha256, code), certification_statement_type: CERTIFICATIONS[certificationType] },
    })),
    { part: 'message', kind: 'message', path: `/v1/applications/${id}/messages`, data: { message_text: message } },
  ]
  for (const sending of sendings) {
    const outcome = await sendPart(parts, account, id, { ...sending, messageId, registryId }, call.now)
    if (outcome === 'not pending') return { kind: 'no longer pending' }
  }
  return { kind: 'received' }
}

type Sending = { part: string; kind: string; path: string; data: object; messageId: string; registryId: string }

const NOT_PENDING = /OC036|not PENDING/

async function sendPart(parts: Parts, account: Account, id: string, sending: Sending, at: Date) {
  const { db, gateway } = parts
  const { path, data, messageId, registryId, part } = sending
  const end = (ended: Date | null) => endPart(db, { messageId, registryId, part, at: ended })
  if (!(await beginPart(db, { messageId, registryId, part, at }))) return confirmed(parts, account, id, sending, at)
  try {
    const answer = await gateway.rest(account, 'POST', path, { body: { data } })
    if (answer.status === 202) return await end(at)
    await end(null)
    const words = answer.body.toString('utf8')
    if (NOT_PENDING.test(words)) return 'not pending'
    throw new Error(`The gateway did not take an answer: ${answer.status} ${words}`)
  } catch (error) {
    if (error instanceof Unavailable && error.effect === 'none') await end(null)
    throw error
  }
}

/** A part that was begun before: it is done, or a notification says that it is. */
async function confirmed(parts: Parts, account: Account, id: string, sending: Sending, now: Date): Promise<void> {
  const { messageId, registryId, part, kind } = sending
  const replies = (await listReplies(parts.db, messageId)).filter((one) => one.registryId === registryId)
  const own = replies.find((one) => one.part === part)
  if (!own || own.endedAt) return
  const notifications = await receiveNotifications(parts, account, id, now)
  const isMessage = kind === 'message'
  const ended = replies.filter((one) => one.endedAt && (one.part === 'message') === isMessage).length
  const since = Math.min(...replies.map(({ begunAt }) => begunAt?.getTime() ?? now.getTime())) - DAY_MS / 24
  const attached = notifications.filter((one) => typeOf(one) === `${kind}-success` && one.eventAt.getTime() >= since)
  if (attached.length <= ended) throw new Unavailable(`It is not known whether a ${kind} was attached.`)
  await endPart(parts.db, { messageId, registryId, part, at: now })
}
