import type { Actor } from '../audit/record.ts'

// Who changed a case or a schedule, and so may not approve it. Nodes of version 1.0 keep the last of them alone.

/** The person whom a change names, as it is remembered; null where it names nobody. */
export const personOf = ({ actingUser }: Actor): string | null => actingUser?.toLowerCase() ?? null

/** SQL that remembers a person: nobody is forgotten by a later change, with or without a name. */
export const remembering = (person: string): string => `
  changed_by_user = coalesce(${person}, changed_by_user),
  changed_by_users = case when ${person} = any (changed_by_users) then changed_by_users
                          else array_remove(changed_by_users || ${person}::text, null) end`

/** SQL for everybody whom a row of this name remembers. */
export const changedBy = (row: string): string => `
  case when lower(${row}.changed_by_user) = any (${row}.changed_by_users) then ${row}.changed_by_users
       else array_remove(${row}.changed_by_users || lower(${row}.changed_by_user), null) end`
