import type { Connection, Transaction } from '../platform/database/db.ts'

export const SUBSCRIBER_KINDS = ['LENDER', 'LAW_FIRM'] as const
export type SubscriberKind = (typeof SUBSCRIBER_KINDS)[number]
export type SubscriberStatus = 'ACTIVE' | 'SUSPENDED'

/** Who may approve, authorise and confirm: clients too, or only people who signed in. */
export const DECISIONS = ['any', 'people'] as const
export type Decisions = (typeof DECISIONS)[number]

export type Subscriber = {
  subscriberId: string
  name: string
  kind: SubscriberKind
  status: SubscriberStatus
  fourEyes: boolean
  reports: boolean
}

/** A client, its subscriber, and what decides whether it may act. */
export type Eligibility = {
  clientId: string
  enabled: boolean
  scopes: string[]
  secretHashes: Buffer[]
  subscriberId: string
  name: string
  kind: SubscriberKind
  status: SubscriberStatus
  decisions: Decisions
  /** Until then, by real time, its requests are logged. */
  logUntil: Date | null
}

export async function findEligibility(connection: Connection, clientId: string): Promise<Eligibility | undefined> {
  const [eligibility] = await connection.query<Eligibility>(
    `select c.client_id as "clientId", c.enabled, c.scopes, c.log_until as "logUntil", s.subscriber_id as "subscriberId", s.name, s.kind, s.status,
            s.decisions, array(select hash from client_secrets where client_id = c.client_id) as "secretHashes"
       from clients c join subscribers s using (subscriber_id)
      where c.client_id = $1`,
    [clientId],
  )
  return eligibility
}

/** All, or one. */
export const listSubscribers = (connection: Connection, subscriberId?: string) =>
  connection.query<Subscriber & { clients: number; decisions: Decisions }>(
    `select subscriber_id as "subscriberId", name, kind, status, four_eyes as "fourEyes", reports, decisions,
            (select count(*) from clients c where c.subscriber_id = s.subscriber_id) as clients
       from subscribers s where $1::uuid is null or subscriber_id = $1 order by created_at, subscriber_id`,
    [subscriberId ?? null],
  )

export type ListedClient = {
  clientId: string
  subscriberId: string
  enabled: boolean
  scopes: string[]
  /** How many secrets work: two while one takes the place of the other. */
  secrets: number
  createdAt: Date
  /** To the minute, in real time. */
  lastUsedAt: Date | null
  /** Until then, by real time, its requests are logged; null if that is over. */
  logUntil: Date | null
}

/** All, those of a subscriber, or one. */
export const listClients = (connection: Connection, of: { subscriberId?: string; clientId?: string } = {}) =>
  connection.query<ListedClient>(
    `select client_id as "clientId", subscriber_id as "subscriberId", enabled, scopes, created_at as "createdAt",
            case when log_until > now() then log_until end as "logUntil",
            (select count(*) from client_secrets s where s.client_id = c.client_id) as secrets,
            (select used_at from client_uses u where u.client_id = c.client_id) as "lastUsedAt"
       from clients c where ($1::uuid is null or subscriber_id = $1) and ($2::text is null or client_id = $2)
      order by created_at, client_id`,
    [of.subscriberId ?? null, of.clientId ?? null],
  )

export function insertSubscriber(tx: Transaction, subscriber: Omit<Subscriber, 'status'>, at: Date): void {
  tx.send(
    `insert into subscribers (subscriber_id, name, kind, four_eyes, reports, created_at) values ($1, $2, $3, $4, $5, $6)`,
    [subscriber.subscriberId, subscriber.name, subscriber.kind, subscriber.fourEyes, subscriber.reports, at],
  )
}

export async function lockSubscriber(
  tx: Transaction,
  subscriberId: string,
): Promise<{ status: SubscriberStatus; decisions: Decisions } | undefined> {
  const [subscriber] = await tx.query<{ status: SubscriberStatus; decisions: Decisions }>(
    'select status, decisions from subscribers where subscriber_id = $1 for no key update',
    [subscriberId],
  )
  return subscriber
}

export function saveStatus(tx: Transaction, subscriberId: string, status: SubscriberStatus): void {
  tx.send('update subscribers set status = $2 where subscriber_id = $1', [subscriberId, status])
}

export function saveDecisions(tx: Transaction, subscriberId: string, decisions: Decisions): void {
  tx.send('update subscribers set decisions = $2 where subscriber_id = $1', [subscriberId, decisions])
}

export type NewClient = { clientId: string; subscriberId: string; scopes: readonly string[]; secretHash: Buffer }

export function insertClient(tx: Transaction, client: NewClient, at: Date): void {
  tx.send('insert into clients (client_id, subscriber_id, scopes, created_at) values ($1, $2, $3, $4)', [
    client.clientId,
    client.subscriberId,
    client.scopes,
    at,
  ])
  insertSecret(tx, client.clientId, client.secretHash, at)
}

export function insertSecret(tx: Transaction, clientId: string, hash: Buffer, at: Date): void {
  tx.send('insert into client_secrets (client_id, hash, created_at) values ($1, $2, $3)', [clientId, hash, at])
}

/** Keeps the newest secrets; the others stop working. */
export function deleteOldSecrets(tx: Transaction, clientId: string, keep: number): void {
  tx.send(
    `delete from client_secrets where client_id = $1 and secret_id not in
       (select secret_id from client_secrets where client_id = $1 order by secret_id desc limit $2)`,
    [clientId, keep],
  )
}

export type LockedClient = { subscriberId: string; enabled: boolean; scopes: string[]; liveSecrets: number }

export async function lockClient(tx: Transaction, clientId: string): Promise<LockedClient | undefined> {
  // A separate statement, so that the secrets are counted after the previous holder of the lock has changed them.
  tx.send('select from clients where client_id = $1 for update', [clientId])
  const [client] = await tx.query<LockedClient>(
    `select subscriber_id as "subscriberId", enabled, scopes,
            (select count(*) from client_secrets s where s.client_id = c.client_id) as "liveSecrets"
       from clients c where client_id = $1`,
    [clientId],
  )
  return client
}

export function saveScopes(tx: Transaction, clientId: string, scopes: readonly string[]): void {
  tx.send('update clients set scopes = $2 where client_id = $1', [clientId, scopes])
}

export function saveEnabled(tx: Transaction, clientId: string, enabled: boolean): void {
  tx.send('update clients set enabled = $2 where client_id = $1', [clientId, enabled])
}

/** For so many hours from now, by real time; 0 ends it. */
export function saveLogHours(tx: Transaction, clientId: string, hours: number): void {
  tx.send(`update clients set log_until = now() + make_interval(hours => $2) where client_id = $1`, [clientId, hours])
}
