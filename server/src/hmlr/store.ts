// Long because all tables of the adapter are read and written here.
import type { Connection } from '../platform/database/db.ts'
import type { Vault } from '../platform/vault.ts'
import type { Account, Lender, Notification, RegistryError, ReplyPart, Secrets, Submission } from './shapes.ts'

// The adapter's own tables.

const ACCOUNT = `subscriber_id as "lawFirmId", username, secrets, certificate_ends_at as "certificateEndsAt", telephone,
  warning_understood_by as "warningUnderstoodBy", warning_understood_at as "warningUnderstoodAt",
  changed_at as "changedAt"`

type AccountRow = Omit<Account, keyof Secrets> & { secrets: Buffer }

export async function findAccount(
  connection: Connection,
  vault: Vault,
  lawFirmId: string,
): Promise<Account | undefined> {
  const [row] = await connection.query<AccountRow>(`select ${ACCOUNT} from hmlr_accounts where subscriber_id = $1`, [
    lawFirmId,
  ])
  if (!row) return undefined
  const { secrets, ...account } = row
  return { ...account, ...(JSON.parse(vault.open(secrets, ownerOf(lawFirmId))) as Secrets) }
}

/** The active law firms, each of which needs an account, by name. */
export const listAccountHolders = (connection: Connection) =>
  connection.query<{ lawFirmId: string; name: string }>(
    `select subscriber_id as "lawFirmId", name from subscribers
      where kind = 'LAW_FIRM' and status = 'ACTIVE' order by name, subscriber_id`,
  )

/** When the certificate of each active law firm ends. */
export const listCertificates = (connection: Connection) =>
  connection.query<{ lawFirmId: string; endsAt: Date }>(
    `select subscriber_id as "lawFirmId", certificate_ends_at as "endsAt"
       from hmlr_accounts join subscribers using (subscriber_id) where status = 'ACTIVE'`,
  )

const ownerOf = (lawFirmId: string) => `hmlr account ${lawFirmId}`

export async function saveAccount(connection: Connection, vault: Vault, account: Account): Promise<void> {
  const { lawFirmId, password, certificate, key } = account
  const secrets = vault.seal(JSON.stringify({ password, certificate, key } satisfies Secrets), ownerOf(lawFirmId))
  await connection.query(
    `insert into hmlr_accounts values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (subscriber_id) do update set username = $2, secrets = $3, certificate_ends_at = $4, telephone = $5,
       warning_understood_by = $6, warning_understood_at = $7, changed_at = $8`,
    [
      lawFirmId,
      account.username,
      secrets,
      account.certificateEndsAt,
      account.telephone,
      account.warningUnderstoodBy,
      account.warningUnderstoodAt,
      account.changedAt,
    ],
  )
}

export async function saveLender(connection: Connection, lenderId: string, lender: Lender): Promise<void> {
  await connection.query(
    `insert into hmlr_lenders values ($1, $2, $3)
     on conflict (subscriber_id) do update set kind = $2, company_number = $3`,
    [lenderId, lender.kind, lender.companyNumber],
  )
}

/** By the name under which the lender is a subscriber. */
export async function findLender(connection: Connection, name: string): Promise<Lender | undefined> {
  const [lender] = await connection.query<Lender>(
    `select l.kind, l.company_number as "companyNumber" from hmlr_lenders l join subscribers s using (subscriber_id)
      where s.name = $1 and s.kind = 'LENDER' order by s.subscriber_id limit 1`,
    [name],
  )
  return lender
}

export async function findExtract(connection: Connection, messageId: string) {
  const [extract] = await connection.query<{ answer: string | null }>(
    'select answer from hmlr_extracts where message_id = $1',
    [messageId],
  )
  return extract
}

type Extract = {
  messageId: string
  lawFirmId: string
  titleNumber: string
  askedAt: Date
  answer: string | undefined
  pricePence: number | undefined
}

/** The first answer stays: it is the one that was paid for. */
export async function keepExtract(connection: Connection, extract: Extract): Promise<void> {
  const { messageId, lawFirmId, titleNumber, askedAt, answer, pricePence } = extract
  await connection.query(
    `insert into hmlr_extracts values ($1, $2, $3, $4, $5, $6)
     on conflict (message_id) do update set answer = $5, price_pence = $6 where hmlr_extracts.answer is null`,
    [messageId, lawFirmId, titleNumber, askedAt, answer ?? null, pricePence ?? null],
  )
}

/** The gateway's ids of documents that were uploaded since then, by SHA-256 and type. */
export const listUploads = (connection: Connection, lawFirmId: string, sha256s: readonly string[], since: Date) =>
  connection.query<{ sha256: string; documentType: string; documentId: string }>(
    `select sha256, document_type as "documentType", document_id as "documentId" from hmlr_uploads
      where subscriber_id = $1 and sha256 = any ($2) and uploaded_at > $3`,
    [lawFirmId, sha256s, since],
  )

type Upload = { lawFirmId: string; sha256: string; documentType: string; documentId: string; uploadedAt: Date }

export async function keepUpload(connection: Connection, upload: Upload): Promise<void> {
  const { lawFirmId, sha256, documentType, documentId, uploadedAt } = upload
  await connection.query(
    `insert into hmlr_uploads values ($1, $2, $3, $4, $5)
     on conflict (subscriber_id, sha256, document_type) do update set document_id = $4, uploaded_at = $5`,
    [lawFirmId, sha256, documentType, documentId, uploadedAt],
  )
}

const SUBMISSION = `message_id as "messageId", subscriber_id as "lawFirmId", title_number as "titleNumber",
  customer_reference as "customerReference", completed_on as "completedOn", body, attempt,
  application_request_id as "applicationRequestId", refused, refused_at as "refusedAt"`

export async function findSubmission(connection: Connection, messageId: string): Promise<Submission | undefined> {
  const [submission] = await connection.query<Submission>(
    `select ${SUBMISSION} from hmlr_submissions where message_id = $1`,
    [messageId],
  )
  return submission
}

type New = Pick<
  Submission,
  'messageId' | 'lawFirmId' | 'titleNumber' | 'customerReference' | 'completedOn' | 'body' | 'refused' | 'refusedAt'
>

/** What is sent, before it is sent: a repeat sends the same. */
export async function keepSubmission(connection: Connection, one: New): Promise<void> {
  await connection.query(
    `insert into hmlr_submissions (message_id, subscriber_id, title_number, customer_reference, completed_on, body,
                                   refused, refused_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (message_id) do nothing`,
    [
      one.messageId,
      one.lawFirmId,
      one.titleNumber,
      one.customerReference,
      one.completedOn,
      JSON.stringify(one.body),
      one.refused && JSON.stringify(one.refused),
      one.refusedAt,
    ],
  )
}

type Sent = { messageId: string; attempt: number } & (
  | { applicationRequestId: string }
  | { refused: RegistryError[]; refusedAt: Date }
)

/** What the gateway said of an attempt. The first answer to it stays. */
export async function endAttempt(connection: Connection, sent: Sent): Promise<void> {
  const { messageId, attempt } = sent
  const refused = 'refused' in sent ? sent : undefined
  await connection.query(
    `update hmlr_submissions set attempt = $2, application_request_id = $3, refused = $4, refused_at = $5
      where message_id = $1 and (attempt < $2 or (attempt = $2 and application_request_id is null and refused is null))`,
    [
      messageId,
      attempt,
      'refused' in sent ? null : sent.applicationRequestId,
      refused ? JSON.stringify(refused.refused) : null,
      refused?.refusedAt ?? null,
    ],
  )
}

/** One that was repeated has the same type and time of its event. */
export async function keepNotifications(
  connection: Connection,
  applicationRequestId: string,
  notifications: readonly Notification[],
  receivedAt: Date,
): Promise<void> {
  const rows = notifications.map(({ notificationId, type, eventAt, payload }) => ({
    notificationId,
    type,
    eventAt,
    payload,
  }))
  await connection.query(
    `insert into hmlr_notifications
     select $1, one ->> 'type', (one ->> 'eventAt')::timestamptz, one ->> 'notificationId', one -> 'payload', $3
       from jsonb_array_elements($2::jsonb) one
     on conflict do nothing`,
    [applicationRequestId, JSON.stringify(rows), receivedAt],
  )
}

/** Oldest first. */
export const listNotifications = (connection: Connection, applicationRequestId: string) =>
  connection.query<Notification>(
    `select notification_id as "notificationId", notification_type as type, event_at as "eventAt", payload
       from hmlr_notifications where application_request_id = $1 order by event_at, notification_type`,
    [applicationRequestId],
  )

export const listReplies = (connection: Connection, messageId: string) =>
  connection.query<ReplyPart>(
    `select registry_id as "registryId", part, begun_at as "begunAt", ended_at as "endedAt"
       from hmlr_replies where message_id = $1 order by begun_at, part`,
    [messageId],
  )

export type Doubt = Omit<Part, 'at'> & { begunAt: Date; lawFirmId: string; customerReference: string }

/** Parts of answers that were begun and have not ended, oldest first. */
export const listDoubts = (connection: Connection) =>
  connection.query<Doubt>(
    `select message_id as "messageId", registry_id as "registryId", part, begun_at as "begunAt",
            subscriber_id as "lawFirmId", customer_reference as "customerReference"
       from hmlr_replies join hmlr_submissions using (message_id)
      where begun_at is not null and ended_at is null order by begun_at, part`,
  )

type Part = { messageId: string; registryId: string; part: string; at: Date }

/** False where it was begun before: another call sends it, or it died while it did. */
export async function beginPart(connection: Connection, { messageId, registryId, part, at }: Part): Promise<boolean> {
  const begun = await connection.query(
    `insert into hmlr_replies values ($1, $2, $3, $4)
     on conflict (message_id, registry_id, part) do update set begun_at = $4 where hmlr_replies.begun_at is null
     returning 1`,
    [messageId, registryId, part, at],
  )
  return begun.length > 0
}

/** At no time where it was certainly not taken, and may be sent again. */
export async function endPart(
  connection: Connection,
  { messageId, registryId, part, at }: Omit<Part, 'at'> & { at: Date | null },
): Promise<void> {
  await connection.query(
    `update hmlr_replies set ended_at = $4::timestamptz, begun_at = case when $4 is null then null else begun_at end
      where message_id = $1 and registry_id = $2 and part = $3 and ended_at is null`,
    [messageId, registryId, part, at],
  )
}
