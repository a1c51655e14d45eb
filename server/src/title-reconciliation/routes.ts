import { randomUUID } from 'node:crypto'
import { changeMatter } from '../matter/change.ts'
import { ownershipOf } from '../matter/matter.ts'
import type { Deps } from '../platform/deps.ts'
import { notFound } from '../platform/errors.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { Type } from '../platform/http/schema.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { checkOpen } from '../workspaces/status.ts'
import { presentChange, presentReconciliation } from './present.ts'
import { decideReconciliation, decideRoleRemoval } from './rules.ts'
import {
  PartyPath,
  ReconciliationPath,
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

  app.route({
    method: 'DELETE',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/parties/:party_id/role`,
    config: {
      scope: 'edit:workspace_parties',
      kinds: ['LAW_FIRM'],
      refusals: {
        404: 'No such workspace (`workspace_id`), or no such party in it (`party_id`).',
        409: 'The workspace is not open for it, the party is a plain borrower, or the title would have too many proprietors.',
      },
    },
    schema: {
      operationId: 'removePartyRole',
      tags,
      summary: 'Undo that a party is an incoming or outgoing proprietor',
      description:
        'An incoming proprietor is a `BORROWER` again. An outgoing one is no longer a party, and its proprietor is ' +
        'unmatched again. The applications of the case follow, and an approval of it is withdrawn. The event is ' +
        '`TITLE_RECONCILIATION_UPDATED`.',
      params: PartyPath,
      response: { 204: Type.Null() },
    },
    handler: (request, reply) => {
      const { workspace_id: workspaceId, party_id: partyId } = request.params
      return changeMatter(deps, request, reply, {
        of: { workspaceId },
        decide: (matter) => {
          const party = matter.parties.find((one) => one.partyId === partyId)
          if (!party) throw notFound('party_id', 'There is no such party in this workspace.')
          checkOpen(matter.workspace.status, 'parties, title and representation', matter.lodgementCase.status)
          return decideRoleRemoval(ownershipOf(matter), party)
        },
        answer: () => {
          reply.code(204)
          return null
        },
      })
    },
  })
}
