import type { RegistryDocument } from '../registry/documents.ts'
import type { Notice } from '../registry/lodgement.ts'
import type { NoticesOutcome, RegistryCall } from '../registry/port.ts'
import type { OfficialCopy } from '../registry/register.ts'
import { jsonOf, Unavailable } from './gateway.ts'
import { hasOldCharge, type Information, isDischargeAlone, type News, newsOf, refusal } from './rules-notices.ts'
import { attachmentsOf, faultOf, fetchExtract, type Parts } from './search.ts'
import type { Account, Notification, Submission } from './shapes.ts'
import { findSubmission, keepNotifications, listNotifications, listReplies } from './store.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How soon to look again: as long as has passed, because what is not decided at once takes days. */
const PAUSE_MS_MIN = 10 * MINUTE_MS

type Resubmit = (submission: Submission, attempt: number) => Promise<void>

/** All that the registry has reported about a lodgement. `resubmit` sends again what failed at the registry itself. */
export async function notices(
  parts: Parts,
  account: Account,
  call: RegistryCall,
  resubmit: Resubmit,
): Promise<NoticesOutcome> {
  const { db, gateway } = parts
  const { messageId, now } = call
  const submission = await findSubmission(db, messageId)
  if (submission?.refused) return { notices: [refusal(submission.refused, submission.refusedAt ?? now)] }
  const id = submission?.applicationRequestId
  if (!id) throw new Error(`Nothing was lodged under the message id ${messageId}.`)
  const notifications = await receiveNotifications(parts, account, id, now)
  const answer = await gateway.rest(account, 'GET', `/v1/applications/${id}/information`)
  if (answer.status !== 200) throw new Error(`The gateway answered ${answer.status} to the state of an application.`)
  const information = jsonOf<Information>(answer)
  if (information.status === 'SYSTEM_ERROR') await resubmit(submission, submission.attempt + 1)
  const replies = (await listReplies(db, messageId)).filter(({ endedAt }) => endedAt)
  const news = newsOf({ information, notifications, replies, now })
  const complete = await withCopies(parts, account, submission, news, call)
  const isOver = complete.notices.some(({ kind }) => kind === 'validation failed' || kind === 'cancelled')
  if (isOver || complete.isOver) return { notices: complete.notices }
  const passed = now.getTime() - call.firstAskedAt.getTime()
  const pause = complete.pauseMs ?? Math.min(Math.max(passed, PAUSE_MS_MIN), parts.settings.checkHours * HOUR_MS)
  return { notices: complete.notices, askAgainAt: new Date(now.getTime() + pause) }
}

type Complete = { notices: Notice[]; isOver?: boolean; pauseMs?: number }

/** A completion brings PDFs and no data, and a late discharge is not notified at all: each needs an extract, for a fee. */
async function withCopies(
  parts: Parts,
  account: Account,
  submission: Submission,
  news: readonly News[],
  call: RegistryCall,
): Promise<Complete> {
  const notices = news.filter((one): one is Notice => one.kind !== 'completed')
  const completed = news.find((one) => one.kind === 'completed')
  if (!completed) return { notices }
  const { messageId, now } = call
  const { copy, attached } = await copyOf(parts, account, submission, `${messageId}-c`, call)
  const documents = [...(completed.documents ?? []), ...attached]
  if (isDischargeAlone(submission.body)) {
    notices.push({ kind: 'discharged', noticeId: 'discharged', at: completed.at, copy, documents })
    return { notices, isOver: true }
  }
  const early = completed.early ?? hasOldCharge(copy, submission.completedOn)
  notices.push({ ...completed, early, copy, documents })
  if (!early) return { notices, isOver: true }
  const intervalMs = parts.settings.dischargeCheckDays * DAY_MS
  const checks = Math.floor((now.getTime() - completed.at.getTime()) / intervalMs)
  const pauseMs = completed.at.getTime() + (checks + 1) * intervalMs - now.getTime()
  if (checks < 1) return { notices, pauseMs }
  const latest = await copyOf(parts, account, submission, `${messageId}-d${checks}`, call)
  if (hasOldCharge(latest.copy, submission.completedOn)) return { notices, pauseMs }
  const { copy: last, attached: lastAttached } = latest
  const discharged = { kind: 'discharged', noticeId: 'discharged', at: last.officialCopyAt, copy: last } as const
  notices.push({ ...discharged, documents: lastAttached })
  return { notices, isOver: true }
}

async function copyOf(
  parts: Parts,
  account: Account,
  { titleNumber, customerReference }: Submission,
  messageId: string,
  { now }: RegistryCall,
): Promise<{ copy: OfficialCopy; attached: RegistryDocument[] }> {
  const answer = await fetchExtract(parts, account, { messageId, titleNumber, customerReference, now })
  if (answer.kind === 'result') {
    return { copy: answer.copy, attached: await attachmentsOf(answer, { messageId, titleNumber }) }
  }
  if (answer.kind === 'fault') throw faultOf(answer)
  if (answer.kind === 'acknowledged') throw new Unavailable('The copy of the register is not ready.')
  throw new Error(`There is no copy of ${titleNumber}: ${answer.kind === 'rejected' ? answer.reason : answer.kind}`)
}

const NOTIFICATIONS_MAX = 100 // of one request, and of one acknowledgement

type Sent = {
  notification_id: string
  notification_type: string
  event_datetime: string
  payload: Record<string, unknown>
}

/**
 * Fetches what is new, keeps it, and only then acknowledges it. Once in each process it also fetches what was acknowledged
 * before, for a database that was restored has lost some of it. Returns all that ever came, oldest first.
 */
export async function receiveNotifications(
  { db, gateway, reread }: Parts,
  account: Account,
  applicationRequestId: string,
  now: Date,
): Promise<Notification[]> {
  const receive = async (status: 'NEW' | 'ACKNOWLEDGED'): Promise<string[]> => {
    const path = `/v1/notifications?status=${status}&subject=${encodeURIComponent(applicationRequestId)}&limit=${NOTIFICATIONS_MAX}`
    const sent = [jsonOf<Sent | Sent[]>(await gateway.rest(account, 'GET', path))].flat() // one may come without a list
    if (!sent.every((one) => one.notification_id)) throw new Error('The gateway answered no list of notifications.')
    const kept = sent.map((one) => ({
      notificationId: one.notification_id,
      type: one.notification_type,
      eventAt: new Date(one.event_datetime),
      payload: one.payload,
    }))
    if (kept.length) await keepNotifications(db, applicationRequestId, kept, now)
    return kept.map(({ notificationId }) => notificationId)
  }
  if (!reread.has(applicationRequestId)) await receive('ACKNOWLEDGED')
  reread.add(applicationRequestId)
  for (let isMore = true; isMore; ) {
    const data = await receive('NEW')
    if (!data.length) break
    const { status } = await gateway.rest(account, 'POST', '/v1/notifications/acknowledge', { body: { data } })
    isMore = status === 200 && data.length === NOTIFICATIONS_MAX
  }
  return listNotifications(db, applicationRequestId)
}
