import type { Connection, Transaction } from '../platform/database/db.ts'
import type { Register } from '../registry/register.ts'
import type { Matter, Party, Proprietor } from '../workspaces/matter.ts'
import { nameFrom } from '../workspaces/names.ts'
import { MATTER_COLUMNS, workspaceNotFound } from '../workspaces/store.ts'
import { isTransfer, validationStatusOf } from './rules.ts'

/** A matter with what its register says of charges and restrictions. */
export type StoredMatter = Matter & { registerHasCharge: boolean; registerHasRestriction: boolean }

const MATTER = `
  select coalesce(jsonb_array_length(t.register -> 'charges') > 0, false) as "registerHasCharge",
         coalesce(jsonb_array_length(t.register -> 'restrictions') > 0, false) as "registerHasRestriction", ${MATTER_COLUMNS}
    from workspaces w left join titles t using (workspace_id)
   where w.workspace_id = $1`

export async function findMatter(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
): Promise<StoredMatter> {
  const [matter] = await connection.query<StoredMatter>(`${MATTER} and $2 in (w.lender_id, w.law_firm_id)`, [
    workspaceId,
    subscriberId,
  ])
  if (!matter) throw workspaceNotFound()
  return matter
}

/** Of a workspace that the caller has locked. */
export async function loadMatter(tx: Connection, workspaceId: string): Promise<StoredMatter> {
  const [matter] = await tx.query<StoredMatter>(MATTER, [workspaceId])
  if (!matter) throw workspaceNotFound()
  return matter
}

/** Writes down what differs, and what follows from it for the workspace. */
export function saveMatter(tx: Transaction, workspaceId: string, before: Matter, after: Matter): void {
  for (const { partyId } of before.parties.filter(isGoneFrom(after.parties))) {
    tx.send('delete from parties where party_id = $1', [partyId])
  }
  for (const party of after.parties) if (!before.parties.includes(party)) saveParty(tx, workspaceId, party)
  for (const proprietor of after.proprietors) {
    if (!before.proprietors.includes(proprietor)) saveProprietor(tx, proprietor)
  }
  saveStanding(tx, workspaceId, after)
}

/** What the list shows of a matter stands in the workspace's own row. */
export function saveStanding(tx: Transaction, workspaceId: string, matter: Matter): void {
  tx.send('update workspaces set borrowers_validation_status = $2, transfer_of_equity = $3 where workspace_id = $1', [
    workspaceId,
    validationStatusOf(matter),
    isTransfer(matter),
  ])
}

const isGoneFrom =
  (parties: readonly Party[]) =>
  ({ partyId }: Party) =>
    !parties.some((one) => one.partyId === partyId)

// A new party comes last: its place is one more than any that is taken.
function saveParty(tx: Transaction, workspaceId: string, party: Party): void {
  tx.send(
    `insert into parties (party_id, workspace_id, position, role, name, proprietor_id)
     values ($1, $2, (select coalesce(max(position), 0) + 1 from parties where workspace_id = $2), $3, $4, $5)
     on conflict (party_id) do update set role = excluded.role, name = excluded.name,
       proprietor_id = excluded.proprietor_id`,
    [party.partyId, workspaceId, party.role, party.name, party.proprietorId ?? null],
  )
}

function saveProprietor(tx: Transaction, { proprietorId, name, outgoing }: Proprietor): void {
  tx.send('update proprietors set name = $2, outgoing = $3 where proprietor_id = $1', [proprietorId, name, outgoing])
}

/** The proprietors as the register names them, in its order. */
export function insertProprietors(tx: Transaction, workspaceId: string, proprietors: readonly Proprietor[]): void {
  tx.send(
    `insert into proprietors (proprietor_id, workspace_id, position, name, registered_name, aliases)
     select id, $1, position, name, name, aliases
       from unnest($2::uuid[], $3::jsonb[], $4::jsonb[]) with ordinality as given(id, name, aliases, position)`,
    [
      workspaceId,
      proprietors.map(({ proprietorId }) => proprietorId),
      proprietors.map(({ name }) => JSON.stringify(name)),
      proprietors.map(({ aliases }) => JSON.stringify(aliases)),
    ],
  )
}

/** Names are kept as parties' names are, so that one that is set back is the very same again. */
export function proprietorsOf(register: Register, newId: () => string): Proprietor[] {
  return register.proprietors.map((party) => {
    const name = nameFrom(party.type, party)
    const aliases =
      party.type === 'INDIVIDUAL' ? party.aliases.map(({ forenames, surname }) => `${forenames} ${surname}`) : []
    return { proprietorId: newId(), name, registeredName: name, aliases, outgoing: false }
  })
}
