import { randomUUID } from 'node:crypto'
import { type Actor, recordPersonAudit } from '../audit/record.ts'
import { lockSubscriber } from '../auth/store.ts'
import type { Transaction } from '../platform/database/db.ts'
import { conflict, notFound } from '../platform/errors.ts'
import { CONSOLE_PATH, checkPerson, type NewPerson, type Role } from './rules.ts'
import type { ConsoleSettings } from './settings.ts'
import { insertLink, insertPerson, type LinkKind, lockPerson, markDisabled, markErased, saveRoles } from './store.ts'
import { deleteSessions } from './store-sessions.ts'
import { newToken } from './tokens.ts'

// What an operator does to people. Each is one audited change.

const MINUTES: Record<LinkKind, number> = { INVITATION: 7 * 24 * 60, LINK: 10 }

export async function addPerson(tx: Transaction, input: NewPerson & { id?: string }, actor: Actor): Promise<string> {
  const { id = randomUUID(), name, roles, subscriberId } = input
  const email = input.email.toLowerCase()
  checkPerson(input)
  if (subscriberId !== undefined && !(await lockSubscriber(tx, subscriberId)))
    throw notFound('subscriber', 'There is no such subscriber.')
  if (await lockPerson(tx, email))
    throw conflict({ field: 'email', message: `There is already a person with the address ${email}.` })
  insertPerson(tx, { id, name, email, roles, subscriberId: subscriberId ?? null }, actor.at)
  const after = { name, email, roles, ...(subscriberId && { subscriberId }) }
  recordPersonAudit(tx, id, { action: 'person invited', ids: { personId: id }, after }, actor)
  return id
}

/** The path of a page that works once. It is returned once and cannot be read again. */
export function addInvitation(tx: Transaction, personId: string): string {
  const { token, tokenHash } = newToken()
  insertLink(tx, { tokenHash, personId, kind: 'INVITATION', minutes: MINUTES.INVITATION })
  return linkPath(token)
}

export async function addLink(tx: Transaction, who: string, kind: LinkKind, actor: Actor): Promise<string> {
  const { personId, email, bound } = await lockKnown(tx, who)
  if (kind === 'INVITATION' && bound)
    throw conflict({ message: `${email} is bound to the identity provider already, and signs in there.` })
  const { token, tokenHash } = newToken()
  insertLink(tx, { tokenHash, personId, kind, minutes: MINUTES[kind] })
  recordPersonAudit(tx, personId, { action: 'link made', ids: { personId }, after: { kind } }, actor)
  return linkPath(token)
}

/** What a new link for somebody does: it lets them in where that is allowed, else it leads to the provider. */
export function linkKindOf({ links, provider }: Pick<ConsoleSettings, 'links' | 'provider'>): LinkKind {
  if (links) return 'LINK'
  if (!provider) throw conflict({ message: 'Links are off: set CONSOLE_LINKS=on.' })
  return 'INVITATION'
}

const linkPath = (token: string) => `${CONSOLE_PATH}/link/${token}`

export async function disablePerson(tx: Transaction, who: string, actor: Actor): Promise<void> {
  const { personId } = await lockKnown(tx, who)
  markDisabled(tx, personId)
  const sessions = (await deleteSessions(tx, personId)).length
  recordPersonAudit(tx, personId, { action: 'person disabled', ids: { personId }, before: { sessions } }, actor)
}

export async function endSessions(tx: Transaction, who: string, actor: Actor): Promise<number> {
  const { personId } = await lockKnown(tx, who)
  const sessions = (await deleteSessions(tx, personId)).length
  recordPersonAudit(tx, personId, { action: 'sessions ended', ids: { personId }, before: { sessions } }, actor)
  return sessions
}

/** Ends the sessions: what somebody may do never changes under an open page. */
export async function setRoles(tx: Transaction, who: string, roles: readonly string[], actor: Actor): Promise<void> {
  const { personId, email, subscriberId, roles: before } = await lockKnown(tx, who)
  checkPerson({ name: email, email, roles, subscriberId: subscriberId ?? undefined })
  saveRoles(tx, personId, roles as readonly Role[])
  await deleteSessions(tx, personId)
  const change = { before: { roles: before }, after: { roles } }
  recordPersonAudit(tx, personId, { action: 'roles set', ids: { personId }, ...change }, actor)
}

/** Of a person who is disabled nothing stays but an id, which the audit refers to. */
export function erasePerson(tx: Transaction, personId: string, actor: Actor): void {
  markErased(tx, personId, actor.at)
  recordPersonAudit(tx, personId, { action: 'person erased', ids: { personId } }, actor)
}

async function lockKnown(tx: Transaction, who: string) {
  const person = await lockPerson(tx, who)
  if (!person) throw notFound('email', `There is nobody with the address ${who}, or the account is disabled.`)
  return person
}
