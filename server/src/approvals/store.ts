import { APPLICATIONS } from '../lodgement/records.ts'
import type { Connection } from '../platform/database/db.ts'
import { OWNERSHIP_COLUMNS, workspaceNotFound } from '../workspaces/store.ts'
import type { ReadinessFacts } from './rules.ts'

export async function findReadinessFacts(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
): Promise<ReadinessFacts> {
  const [facts] = await connection.query<ReadinessFacts>(
    `select t.search_status as "searchStatus", ${OWNERSHIP_COLUMNS}, ${APPLICATIONS} as applications,
            (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('partyId', party_id, 'representedBy',
                      represented_by, 'verificationOfIdentity', verification_of_identity)) order by r.seq), '[]')
               from representations r
              where r.workspace_id = w.workspace_id and r.status = 'ACTIVE') as representations
       from workspaces w join lodgement_cases c using (workspace_id) left join titles t using (workspace_id)
      where w.workspace_id = $1 and $2 in (w.lender_id, w.law_firm_id)`,
    [workspaceId, subscriberId],
  )
  if (!facts) throw workspaceNotFound()
  return facts
}
