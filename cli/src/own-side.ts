import type { Connection } from './session.ts'

export type OwnSide = { subscriberId: string; name?: string; kind?: 'LENDER' | 'LAW_FIRM' }

type Claims = { client_id: string; subscriber_id: string; scope?: string; exp: number }

/** What the token says. The service checks it, we only read it. */
export const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims

/** Who calls: by the token and, where there is a workspace, by its participants. */
export async function ownSide(connection: Connection): Promise<OwnSide> {
  const { subscriber_id: subscriberId, scope = '' } = claimsOf(await connection.token())
  if (!scope.split(' ').includes('view:workspaces')) return { subscriberId }
  const client = await connection.client()
  const { records } = await client.listWorkspaces({ query: { limit: 1 } })
  if (!records[0]) return { subscriberId }
  const { participants } = await client.getWorkspace({ path: { workspace_id: records[0].workspaceId } })
  const own = participants.find((one) => one.subscriberId === subscriberId)
  if (!own) return { subscriberId }
  return { subscriberId, name: own.name, kind: own.role === 'LENDER' ? 'LENDER' : 'LAW_FIRM' }
}
