import type { Connection } from '../platform/database/db.ts'
import { normaliseIndividual } from '../title-reconciliation/names.ts'
import { searchNameOf } from '../title-reconciliation/search-names.ts'
import type { Individual, Name } from '../workspaces/names.ts'
import { readRows } from './erase.ts'
import { type KeptMatter, listBlocks } from './store.ts'

// Finds a person in the matters of all subscribers, by name, and among the people who use the console.

export type Subject = {
  surname: string
  forenames?: string | undefined
  postcode?: string | undefined
  /** Of a person who uses the console. */
  email?: string | undefined
}

export type SubjectMatter = KeptMatter & {
  lender: string
  lawFirm: string
  /** The rows that have the surname, by table. */
  rows: Record<string, object[]>
  files: { fileId: string; fileName: string; sha256: string }[]
}

export type SubjectPerson = {
  personId: string
  name: string
  email: string
  enabled: boolean
  subscriber: string | null
}

/** Matters in which a party or a registered proprietor has the name. */
export async function findMatters(connection: Connection, subject: Subject): Promise<SubjectMatter[]> {
  const ids = await findIds(connection, subject)
  const subscribers = await namesOf(connection)
  const matters: SubjectMatter[] = []
  for (const matter of await listBlocks(connection, ids)) {
    const all = await readRows(connection, matter.workspaceId)
    if (subject.postcode && !hasPostcode(all, subject.postcode)) continue
    const [workspace] = all['workspaces'] as { lender_id: string; law_firm_id: string }[]
    const rows = Object.entries(all).map(([table, found]) => [
      table,
      found.filter((row) => hasText(row, subject.surname)),
    ])
    matters.push({
      ...matter,
      lender: subscribers.get(workspace?.lender_id ?? '') ?? '',
      lawFirm: subscribers.get(workspace?.law_firm_id ?? '') ?? '',
      rows: Object.fromEntries(rows.filter(([, found]) => found?.length)),
      files: ((all['files'] ?? []) as Record<string, string>[]).map((file) => ({
        fileId: file['file_id'] ?? '',
        fileName: file['file_name'] ?? '',
        sha256: file['sha256'] ?? '',
      })),
    })
  }
  return matters
}

async function findIds(connection: Connection, subject: Subject): Promise<string[]> {
  const found = await connection.query<{ workspaceId: string; names: Name[]; aliases: string[] }>(CANDIDATES, [
    searchNameOf({ type: 'INDIVIDUAL', forenames: '', surname: subject.surname }),
    subject.surname.trim(),
  ])
  const isSubject = ({ names, aliases }: (typeof found)[number]) =>
    names.some((name) => name.type === 'INDIVIDUAL' && isNameOf(name, subject)) ||
    aliases.some((alias) => isIn(alias, `${subject.forenames ?? ''} ${subject.surname}`))
  return [...new Set(found.filter(isSubject).map(({ workspaceId }) => workspaceId))]
}

const CANDIDATES = `
  select workspace_id as "workspaceId", jsonb_build_array(name) as names, '[]'::jsonb as aliases from parties
   where search_name = $1 or lower(name ->> 'surname') = lower($2)
  union all
  select workspace_id, jsonb_build_array(name, registered_name), aliases from proprietors
   where lower($2) in (lower(name ->> 'surname'), lower(registered_name ->> 'surname'))
      or aliases <> '[]' and strpos(lower(aliases::text), lower($2)) > 0`

function isNameOf(name: Individual, { surname, forenames = '' }: Subject): boolean {
  const [stored, sought] = [name, { ...name, surname, forenames }].map(normaliseIndividual)
  return stored?.surname === sought?.surname && isIn(stored?.forenames ?? '', sought?.forenames ?? '')
}

/** Each word of the one is a word of the other. */
function isIn(text: string, words: string): boolean {
  const wordsOf = (given: string) => given.toLowerCase().split(/\s+/).filter(Boolean)
  const has = new Set(wordsOf(text))
  return wordsOf(words).every((word) => has.has(word))
}

/** Anywhere in what is stored, whatever the case and the spaces. */
function hasText(value: unknown, text: string): boolean {
  const plain = (given: string) => given.toLowerCase().replaceAll(/\s/g, '')
  return plain(JSON.stringify(value)).includes(plain(text))
}

/** As a whole word: a part of an id is no postcode. */
function hasPostcode(value: unknown, postcode: string): boolean {
  const letters = postcode.match(/[a-z0-9]/gi) ?? []
  const pattern = new RegExp(`(?<![a-z0-9])${letters.join('\\s*')}(?![a-z0-9])`, 'i')
  let isFound = false
  JSON.stringify(value, (_, part) => {
    isFound ||= typeof part === 'string' && letters.length > 0 && pattern.test(part)
    return part
  })
  return isFound
}

async function namesOf(connection: Connection): Promise<Map<string, string>> {
  const rows = await connection.query<{ id: string; name: string }>('select subscriber_id as id, name from subscribers')
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Among those who use or used the console: by e-mail address, or else by name. */
export async function findPeople(connection: Connection, subject: Subject): Promise<SubjectPerson[]> {
  const people = await connection.query<SubjectPerson>(
    `select person_id as "personId", p.name, email, enabled, u.name as subscriber
       from people p left join subscribers u using (subscriber_id) where email <> 'erased' order by p.created_at, person_id`,
  )
  const { email, surname, forenames = '' } = subject
  return people.filter((person) =>
    email ? person.email === email.toLowerCase() : isIn(person.name, `${forenames} ${surname}`),
  )
}
