import type { Connection } from '../platform/database/db.ts'
import type { Ownership } from '../workspaces/ownership.ts'
import { OWNERSHIP_COLUMNS, workspaceNotFound } from '../workspaces/store.ts'

export async function findOwnership(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
): Promise<Ownership> {
  const [ownership] = await connection.query<Ownership>(
    `select ${OWNERSHIP_COLUMNS} from workspaces w left join titles t using (workspace_id)
      where w.workspace_id = $1 and $2 in (w.lender_id, w.law_firm_id)`,
    [workspaceId, subscriberId],
  )
  if (!ownership) throw workspaceNotFound()
  return ownership
}
