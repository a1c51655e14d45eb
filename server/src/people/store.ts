import type { SubscriberKind } from '../auth/store.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import type { Person, Role } from './rules.ts'

// Links live by real time, that of the database, which all nodes share.

export type PersonRow = {
  personId: string
  name: string
  email: string
  roles: Role[]
  subscriberId: string | null
  subscriberName: string | null
  kind: SubscriberKind | null
}

export const PERSON = `p.person_id as "personId", p.name, p.email, p.roles, u.subscriber_id as "subscriberId",
  u.name as "subscriberName", u.kind`
export const MAY_COME = `p.enabled and (u.status = 'ACTIVE' or p.subscriber_id is null)`
const WITH_SUBSCRIBER = 'people p left join subscribers u on u.subscriber_id = p.subscriber_id'

export function personOf({ personId: id, name, email, roles, subscriberId, subscriberName, kind }: PersonRow): Person {
  if (subscriberId === null || subscriberName === null || kind === null) return { id, name, email, roles }
  return { id, name, email, roles, subscriber: { id: subscriberId, name: subscriberName, kind } }
}

export type PersonKey = { personId: string } | { issuer: string; subject: string }

/** Somebody who may come in. */
export async function findPerson(connection: Connection, key: PersonKey): Promise<Person | undefined> {
  const [condition, values] =
    'personId' in key
      ? ['p.person_id = $1', [key.personId]]
      : ['(issuer, subject) = ($1, $2)', [key.issuer, key.subject]]
  const [row] = await connection.query<PersonRow>(
    `select ${PERSON} from ${WITH_SUBSCRIBER} where ${condition} and ${MAY_COME}`,
    values,
  )
  return row && personOf(row)
}

export const listPeopleById = async (connection: Connection, ids: readonly string[]): Promise<Person[]> =>
  (
    await connection.query<PersonRow>(
      `select ${PERSON} from ${WITH_SUBSCRIBER} where p.person_id = any ($1) and ${MAY_COME}
        order by array_position($1, p.person_id)`,
      [ids],
    )
  ).map(personOf)

export type ListedPerson = Pick<Person, 'name' | 'email' | 'roles'> & {
  personId: string
  subscriberId: string | null
  subscriber: string | null
  state: 'invited' | 'active' | 'disabled'
  sessions: number
}

/** All, those of a subscriber, or one. */
export const listPeople = (connection: Connection, of: { subscriberId?: string; personId?: string } = {}) =>
  connection.query<ListedPerson>(
    `select p.person_id as "personId", p.name, p.email, p.roles, u.subscriber_id as "subscriberId", u.name as subscriber,
            case when not p.enabled then 'disabled' when p.subject is null and p.audit_seq = 1 then 'invited'
              else 'active' end as state,
            (select count(*) from sessions s where s.person_id = p.person_id and s.ends_at > now()) as sessions
       from ${WITH_SUBSCRIBER}
      where ($1::uuid is null or p.subscriber_id = $1) and ($2::uuid is null or p.person_id = $2)
      order by u.name nulls first, p.email`,
    [of.subscriberId ?? null, of.personId ?? null],
  )

export type LockedPerson = {
  personId: string
  subscriberId: string | null
  email: string
  roles: Role[]
  bound: boolean
}

/** By e-mail address, as commands name people, or by id. */
export async function lockPerson(tx: Transaction, who: string): Promise<LockedPerson | undefined> {
  const condition = who.includes('@') ? 'email = lower($1)' : 'person_id::text = lower($1)'
  const [person] = await tx.query<LockedPerson>(
    `select person_id as "personId", subscriber_id as "subscriberId", email, roles, subject is not null as bound
       from people where ${condition} and enabled for no key update`,
    [who],
  )
  return person
}

export type PersonToInsert = Pick<Person, 'id' | 'name' | 'email'> & {
  roles: readonly string[]
  subscriberId: string | null
}

export function insertPerson(
  tx: Transaction,
  { id, name, email, roles, subscriberId }: PersonToInsert,
  at: Date,
): void {
  tx.send(
    `insert into people (person_id, subscriber_id, name, email, roles, created_at) values ($1, $2, $3, $4, $5, $6)`,
    [id, subscriberId, name, email, roles, at],
  )
}

export function saveRoles(tx: Transaction, personId: string, roles: readonly string[]): void {
  tx.send('update people set roles = $2 where person_id = $1', [personId, roles])
}

export function markDisabled(tx: Transaction, personId: string): void {
  tx.send('update people set enabled = false where person_id = $1', [personId])
}

/** Its links and sessions have ended already. */
export function markErased(tx: Transaction, personId: string, at: Date): void {
  tx.send(
    `update people set name = 'erased', email = 'erased', issuer = null, subject = null where person_id = $1 and not enabled`,
    [personId],
  )
  tx.send('delete from person_links where person_id = $1', [personId])
  tx.send('select erase_audit_payloads(array[$1::uuid], $2)', [personId, at])
}

/** Only once: a person who is bound stays bound. False for another account than before. */
export async function bindSubject(
  tx: Transaction,
  personId: string,
  issuer: string,
  subject: string,
): Promise<boolean> {
  const bound = await tx.query(
    `update people set issuer = $2, subject = $3 where person_id = $1 and enabled and coalesce((issuer, subject) = ($2, $3), true) returning person_id`,
    [personId, issuer, subject],
  )
  return bound.length === 1
}

/** A new link takes the place of the earlier ones. */
export function insertLink(
  tx: Transaction,
  link: { tokenHash: Buffer; personId: string; kind: LinkKind; minutes: number },
): void {
  tx.send('delete from person_links where person_id = $1', [link.personId])
  tx.send(
    `insert into person_links (token_hash, person_id, kind, ends_at)
     values ($1, $2, $3, now() + make_interval(mins => $4))`,
    [link.tokenHash, link.personId, link.kind, link.minutes],
  )
}

export type LinkKind = 'INVITATION' | 'LINK'
export type Link = { person: Person; kind: LinkKind; bound: boolean }

export async function findLink(connection: Connection, tokenHash: Buffer): Promise<Link | undefined> {
  const [row] = await connection.query<PersonRow & { linkKind: LinkKind; bound: boolean }>(
    `select ${PERSON}, l.kind as "linkKind", p.subject is not null as bound
       from person_links l join people p using (person_id) left join subscribers u on u.subscriber_id = p.subscriber_id
      where l.token_hash = $1 and l.ends_at > now() and ${MAY_COME}`,
    [tokenHash],
  )
  return row && { person: personOf(row), kind: row.linkKind, bound: row.bound }
}

/** False if it was used meanwhile. */
export async function useLink(tx: Transaction, tokenHash: Buffer): Promise<boolean> {
  const used = await tx.query(
    'delete from person_links where token_hash = $1 and ends_at > now() returning person_id',
    [tokenHash],
  )
  return used.length === 1
}

/** Whom the provider knows as this person. */
export async function findSubject(connection: Connection, personId: string) {
  const [row] = await connection.query<{ issuer: string; subject: string }>(
    'select issuer, subject from people where person_id = $1 and subject is not null',
    [personId],
  )
  return row
}
