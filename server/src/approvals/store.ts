import { type Actor, actorName } from '../audit/record.ts'
import { APPLICATIONS } from '../lodgement/records.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import { changedBy } from '../workspaces/four-eyes.ts'
import { OWNERSHIP_COLUMNS, workspaceNotFound } from '../workspaces/store.ts'
import type { Move, Standing } from './rules.ts'

/** A case as it is judged, with how it was judged before and whom four eyes ask for. */
export type StoredStanding = Standing & { ready: boolean; changedBy: string[]; fourEyes: boolean }

const STANDING = `
  select t.search_status as "searchStatus", c.ready, ${changedBy('c')} as "changedBy", f.four_eyes as "fourEyes",
         ${OWNERSHIP_COLUMNS}, ${APPLICATIONS} as applications,
         (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('partyId', party_id, 'representedBy',
                   represented_by, 'verificationOfIdentity', verification_of_identity)) order by r.seq), '[]')
            from representations r
           where r.workspace_id = w.workspace_id and r.status = 'ACTIVE') as representations
    from workspaces w join lodgement_cases c using (workspace_id) left join titles t using (workspace_id)
    join subscribers f on f.subscriber_id = w.law_firm_id
   where w.workspace_id = $1`

export async function findStanding(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
): Promise<StoredStanding> {
  const values = [workspaceId, subscriberId]
  const [standing] = await connection.query<StoredStanding>(
    `${STANDING} and $2 in (w.lender_id, w.law_firm_id)`,
    values,
  )
  if (!standing) throw workspaceNotFound()
  return standing
}

/** Of a workspace that the caller has locked. */
export async function loadStanding(tx: Connection, workspaceId: string): Promise<StoredStanding> {
  const [standing] = await tx.query<StoredStanding>(STANDING, [workspaceId])
  if (!standing) throw workspaceNotFound()
  return standing
}

export function saveReady(tx: Transaction, lodgementCaseId: string, ready: boolean): void {
  tx.send('update lodgement_cases set ready = $2 where lodgement_case_id = $1', [lodgementCaseId, ready])
}

export function saveMoves(tx: Transaction, moves: readonly Move[], actor: Actor): void {
  tx.send(
    `update lodgement_applications a set status = move.status, last_modified_at = $3, last_modified_by = $4
       from unnest($1::uuid[], $2::text[]) as move(application_id, status)
      where a.application_id = move.application_id`,
    [moves.map(({ applicationId }) => applicationId), moves.map(({ status }) => status), actor.at, actorName(actor)],
  )
}

/** Who approves the case as it stands, and when; nobody, once that is taken back. */
export function saveApproval(tx: Transaction, lodgementCaseId: string, by: string | null, at: Date | null): void {
  tx.send('update lodgement_cases set approved_by = $2, approved_at = $3 where lodgement_case_id = $1', [
    lodgementCaseId,
    by,
    at,
  ])
}
