import type { Lodgeway, Schemas } from '../../client/src/index.ts'
import { EXIT, Failure, misused } from './failure.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The workspace that somebody names: by its id, its `LW…` number, the lender's reference or the caller's own. */
export async function findWorkspaceId(client: Lodgeway, reference: string): Promise<string> {
  if (UUID.test(reference)) return reference
  const list = async (query: object) => (await client.listWorkspaces({ query: { limit: 10, ...query } })).records
  const pages = /^LW ?\d{9,}$/i.test(reference)
    ? [await list({ workspace_reference_id: reference.replace(' ', '').toUpperCase() })]
    : await Promise.all([list({ reference }), list({ own_reference: reference })])
  const found = new Map(pages.flat().map((one) => [one.workspaceId, one]))
  const [first] = found.values()
  if (!first) throw new Failure(EXIT.refused, `No workspace has the reference ${reference}.`)
  if (found.size === 1) return first.workspaceId
  throw misused(`Several workspaces have the reference ${reference}:\n${[...found.values()].map(lineOf).join('\n')}`)
}

const lineOf = ({ workspaceReferenceId, postcode, borrowers }: Schemas['WorkspaceSummary']): string =>
  `  ${workspaceReferenceId}  ${postcode}  ${borrowers.join(', ')}`
