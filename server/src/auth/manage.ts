import { randomUUID } from 'node:crypto'
import { type Actor, recordSubscriberAudit } from '../audit/record.ts'
import { resumeDeliveries } from '../events/deliver.ts'
import type { Transaction } from '../platform/database/db.ts'
import { conflict, invalid, notFound } from '../platform/errors.ts'
import { isClientId } from './rules.ts'
import { isScope } from './scopes.ts'
import { hashSecret, newSecret } from './secrets.ts'
import {
  type Decisions,
  deleteOldSecrets,
  findEligibility,
  insertClient,
  insertSecret,
  insertSubscriber,
  lockClient,
  lockSubscriber,
  type Subscriber,
  type SubscriberStatus,
  saveDecisions,
  saveEnabled,
  saveLogHours,
  saveScopes,
  saveStatus,
} from './store.ts'

// What an operator does to subscribers and their clients. Each is one audited change.

const LIVE_SECRETS_MAX = 2

export type NewSubscriber = Omit<Subscriber, 'status' | 'subscriberId'> & { subscriberId?: string }

export function addSubscriber(tx: Transaction, input: NewSubscriber, actor: Actor): Subscriber {
  const subscriber = { subscriberId: randomUUID() as string, ...input, status: 'ACTIVE' as const }
  const { subscriberId, ...after } = subscriber
  insertSubscriber(tx, subscriber, actor.at)
  recordSubscriberAudit(tx, subscriberId, { action: 'subscriber added', ids: { subscriberId }, after }, actor)
  return subscriber
}

export async function setStatus(
  tx: Transaction,
  subscriberId: string,
  status: SubscriberStatus,
  actor: Actor,
): Promise<void> {
  const before = await lockKnownSubscriber(tx, subscriberId)
  saveStatus(tx, subscriberId, status)
  if (status === 'ACTIVE') resumeDeliveries(tx, subscriberId, actor)
  const action = status === 'SUSPENDED' ? 'subscriber suspended' : 'subscriber resumed'
  recordSubscriberAudit(
    tx,
    subscriberId,
    { action, ids: { subscriberId }, before: { status: before.status }, after: { status } },
    actor,
  )
}

/** Whether tokens are enough to approve, authorise and confirm, or people must sign in for it. */
export async function setDecisions(tx: Transaction, subscriberId: string, decisions: Decisions, actor: Actor) {
  const before = await lockKnownSubscriber(tx, subscriberId)
  saveDecisions(tx, subscriberId, decisions)
  const change = { before: { decisions: before.decisions }, after: { decisions } }
  recordSubscriberAudit(tx, subscriberId, { action: 'decisions set', ids: { subscriberId }, ...change }, actor)
}

async function lockKnownSubscriber(tx: Transaction, subscriberId: string) {
  const subscriber = await lockSubscriber(tx, subscriberId)
  if (!subscriber) throw notFound('subscriberId', 'There is no such subscriber.')
  return subscriber
}

export type NewClient = { subscriberId: string; clientId?: string; secret?: string; scopes: readonly string[] }

/** The secret is returned once and cannot be read again. */
export function addClient(tx: Transaction, pepper: string, input: NewClient, actor: Actor) {
  const { subscriberId, scopes, clientId = `client-${randomUUID()}`, secret = newSecret() } = input
  insertClient(tx, { clientId, subscriberId, scopes, secretHash: hashSecret(pepper, secret) }, actor.at)
  recordSubscriberAudit(tx, subscriberId, { action: 'client added', ids: { clientId }, after: { scopes } }, actor)
  return { clientId, secret }
}

/** The same for somebody who may have mistyped something. */
export async function addCheckedClient(tx: Transaction, pepper: string, input: NewClient, actor: Actor) {
  const { clientId } = input
  if (clientId !== undefined) checkClientId(clientId)
  checkScopes(input.scopes)
  await lockKnownSubscriber(tx, input.subscriberId)
  if (clientId !== undefined && (await findEligibility(tx, clientId)))
    throw conflict({ field: 'clientId', message: 'There is already a client with this id.' })
  return addClient(tx, pepper, input, actor)
}

function checkClientId(clientId: string): void {
  const field = 'clientId'
  if (!isClientId(clientId)) throw invalid({ field, message: 'A client id has 1 to 255 printable ASCII characters.' })
  if (clientId.startsWith('person:'))
    throw invalid({ field, message: 'A client id that begins with person: is for people.' })
}

function checkScopes(scopes: readonly string[]): void {
  const unknown = scopes.filter((scope) => !isScope(scope))
  if (unknown.length) throw invalid({ field: 'scopes', message: `Unknown scopes: ${unknown.join(', ')}.` })
}

/** Adds a second secret to the live one; an older one stops working. */
export async function rotateSecret(tx: Transaction, pepper: string, clientId: string, actor: Actor): Promise<string> {
  const { subscriberId, liveSecrets } = await lockKnownClient(tx, clientId)
  const secret = newSecret()
  insertSecret(tx, clientId, hashSecret(pepper, secret), actor.at)
  deleteOldSecrets(tx, clientId, LIVE_SECRETS_MAX)
  const after = { liveSecrets: Math.min(liveSecrets + 1, LIVE_SECRETS_MAX) }
  const entry = { action: 'client rotated', ids: { clientId }, before: { liveSecrets }, after }
  recordSubscriberAudit(tx, subscriberId, entry, actor)
  return secret
}

/** Ends the overlap of a rotation: only the newest secret works. */
export async function retireOldSecret(tx: Transaction, clientId: string, actor: Actor): Promise<void> {
  const { subscriberId, liveSecrets } = await lockKnownClient(tx, clientId)
  deleteOldSecrets(tx, clientId, 1)
  const change = { before: { liveSecrets }, after: { liveSecrets: 1 } }
  recordSubscriberAudit(tx, subscriberId, { action: 'old client secret retired', ids: { clientId }, ...change }, actor)
}

export async function setEnabled(tx: Transaction, clientId: string, enabled: boolean, actor: Actor): Promise<void> {
  const { subscriberId, enabled: before } = await lockKnownClient(tx, clientId)
  saveEnabled(tx, clientId, enabled)
  const action = enabled ? 'client enabled' : 'client disabled'
  const change = { before: { enabled: before }, after: { enabled } }
  recordSubscriberAudit(tx, subscriberId, { action, ids: { clientId }, ...change }, actor)
}

/** Tokens that were fetched before keep the scopes that they have. */
export async function setScopes(tx: Transaction, clientId: string, scopes: readonly string[], actor: Actor) {
  checkScopes(scopes)
  const { subscriberId, scopes: before } = await lockKnownClient(tx, clientId)
  saveScopes(tx, clientId, scopes)
  const change = { before: { scopes: before }, after: { scopes } }
  recordSubscriberAudit(tx, subscriberId, { action: 'client scopes set', ids: { clientId }, ...change }, actor)
}

/** Has the requests of a client logged for some hours, or, with 0, no longer. */
export async function setLogHours(tx: Transaction, clientId: string, hours: number, actor: Actor): Promise<void> {
  const { subscriberId } = await lockKnownClient(tx, clientId)
  saveLogHours(tx, clientId, hours)
  const action = hours > 0 ? 'request log switched on' : 'request log switched off'
  recordSubscriberAudit(tx, subscriberId, { action, ids: { clientId }, after: { hours } }, actor)
}

async function lockKnownClient(tx: Transaction, clientId: string) {
  const client = await lockClient(tx, clientId)
  if (!client) throw notFound('clientId', 'There is no such client.')
  return client
}
