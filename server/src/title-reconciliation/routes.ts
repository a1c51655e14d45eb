import { randomUUID } from 'node:crypto'
import { changeMatter } from '../matter/change.ts'
import { ownershipOf } from '../matter/matter.ts'
import type { Deps } from '../platform/deps.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { presentChange, presentReconciliation } from './present.ts'
import { decideReconciliation } from './rules.ts'
import {
  ReconciliationPath,
  strangeProperties,
  TitleReconciliation,
  TitleReconciliationAnswer,
  TitleReconciliationRequest,
} from './schema.ts'
import { findOwnership } from './store.ts'

const url = `${PARTNER_PATH}/workspaces/:workspace_id/title-reconciliation`
const tags = ['Title reconciliation']

export function titleReconciliationRoutes(app: App, deps: Deps): void {
  const { db } = deps

  app.route({
    method: 'GET',
    url,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'getTitleReconciliation',
      tags,
      summary: 'Read how borrowers and registered proprietors line up',
      description:
        'Names that are equal but for case, accents, hyphens, quotes and honorifics link by themselves, organisations ' +
        'by their registration number first. A near match is shown for you to decide, and never accepted for you.',
      params: ReconciliationPath,
      response: { 200: TitleReconciliation },
    },
    handler: async (request, reply) => {
      const ownership = await findOwnership(db.read, request.caller, request.params.workspace_id)
      return sendWithEtag(request, reply, presentReconciliation(ownership))
    },
  })

  app.route({
    method: 'PATCH',
    url,
    config: {
      scope: 'edit:workspace_parties',
      kinds: ['LAW_FIRM'],
      combinations: strangeProperties,
      refusals: {
        404: 'No such workspace (`workspace_id`), or no such party or proprietor in it (`partyId`, `proprietorId`).',
        409: 'The workspace is not open for it, no title search has succeeded, or the action does not fit.',
      },
    },
    schema: {
      operationId: 'updateTitleReconciliation',
      tags,
      summary: 'Bring borrowers and registered proprietors into line',
      description:
        'A party or proprietor is renamed and matched again, or marked as incoming or outgoing. ' +
        'The applications of the case follow, and an approval of it is taken back. Doing the same again is 200 and ' +
        'changes nothing.',
      params: ReconciliationPath,
      body: TitleReconciliationRequest,
      response: { 200: TitleReconciliationAnswer },
    },
    handler: (request, reply) => {
      const { body: action } = request
      const newIds = { partyId: randomUUID(), proprietorId: randomUUID() }
      return changeMatter(deps, request, reply, {
        of: { workspaceId: request.params.workspace_id },
        part: 'parties, title and representation',
        shown: (matter) => [presentReconciliation(ownershipOf(matter))],
        decide: (matter) => decideReconciliation(ownershipOf(matter), action, newIds),
        answer: (matter) => presentChange(ownershipOf(matter), action),
      })
    },
  })
}
