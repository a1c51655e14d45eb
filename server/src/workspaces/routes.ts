import { actorOf } from '../auth/actor.ts'
import { changeMatter } from '../matter/change.ts'
import { createMatter } from '../matter/create.ts'
import { isPaymentUnderWay } from '../matter/matter.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { forbidden, invalid } from '../platform/errors.ts'
import { etagOf, sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import { failQueued } from '../representation/rules.ts'
import { CreateRemortgageWorkspaceAnswer, CreateRemortgageWorkspaceRequest } from './create-schema.ts'
import { nameFrom } from './names.ts'
import { PARTNER_PATH } from './path.ts'
import { presentWorkspace } from './present.ts'
import {
  addressOf,
  cancellationErrors,
  cancelWorkspace,
  creationErrors,
  referencePrefixOf,
  updateErrors,
  updateWorkspace,
} from './rules.ts'
import { CancelWorkspaceRequest, UpdateWorkspaceRequest, Workspace, WorkspacePath } from './schema.ts'
import { findFirmAndReference, findWorkspace } from './store.ts'

const tags = ['Workspaces']

export function workspaceRoutes(app: App, deps: Deps): void {
  const { db } = deps

  app.route({
    method: 'POST',
    url: `${PARTNER_PATH}/remortgage/workspaces`,
    config: { scope: 'x-api:create:remortgage_workspaces', kinds: ['LENDER'], combinations: creationErrors },
    schema: {
      operationId: 'createRemortgageWorkspace',
      tags,
      summary: 'Create a remortgage workspace',
      description:
        'The law firm that the parties name sees it at once, and its lodgement case and settlement schedule are there. ' +
        'Where a title number is given, the title search starts at once; its outcome is an event.',
      body: CreateRemortgageWorkspaceRequest,
      response: { 202: CreateRemortgageWorkspaceAnswer },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const { reference, property, parties } = request.body
        const lawFirmId = parties[0]?.participants[0]?.id ?? ''
        const actor = actorOf(request, deps.clock)
        const prefix = referencePrefixOf(actor.at)
        const { isActive, workspaceReferenceId } = await findFirmAndReference(tx, lawFirmId, prefix)
        if (!isActive) throw notAFirm(parties.length)
        const { titleNumber, securityAddress } = property
        const order = {
          reference,
          workspaceReferenceId,
          lenderId: request.caller.subscriberId,
          lawFirmId,
          titleNumber,
          securityAddress: addressOf(securityAddress),
          borrowers: parties.map(({ type, partyDetails, addressForService: address }) => ({
            name: nameFrom(type, partyDetails),
            ...(address && { addressForService: addressOf(address) }),
          })),
        }
        const workspaceId = await createMatter(tx, deps.queue, order, actor)
        reply.code(202)
        return { reference, workspaceId, workspaceReferenceId }
      }),
  })

  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/workspaces/:workspace_id`,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'getWorkspace',
      tags,
      summary: 'Read a workspace',
      description:
        'Its parties with who acts for them, its title, and what can be done with it now. Only the lender that created ' +
        'it and the law firm that acts can see it.',
      params: WorkspacePath,
      response: { 200: Workspace },
    },
    handler: async (request, reply) => {
      const row = await findWorkspace(db.read, request.caller, request.params.workspace_id)
      return sendWithEtag(request, reply, presentWorkspace(row))
    },
  })

  app.route({
    method: 'PATCH',
    url: `${PARTNER_PATH}/workspaces/:workspace_id`,
    config: {
      scope: 'edit:workspaces',
      combinations: updateErrors,
      checkField: ({ caller }, name) => {
        if (caller.kind === 'LENDER' || (name !== 'reference' && name !== 'securityAddress')) return
        throw forbidden('Only a lender may change the reference and the security address.')
      },
      refusals: { 409: 'The workspace is no longer `CREATED`: only `ownReference` can still be set.' },
    },
    schema: {
      operationId: 'updateWorkspace',
      tags,
      summary: 'Correct a workspace, or give it your own reference',
      description:
        'The lender may change `reference` and `securityAddress` while the workspace is `CREATED`. The address is ' +
        'replaced as a whole, and another address withdraws the approval of the case. The event is `WORKSPACE_UPDATED`. ' +
        'Either side may set `ownReference` at any time: the other side sees nothing of it, and no event is published.',
      params: WorkspacePath,
      body: UpdateWorkspaceRequest,
      response: { 200: Workspace },
    },
    handler: (request, reply) => {
      const { caller, body } = request
      const find = (tx: Transaction) => findWorkspace(tx, caller, request.params.workspace_id)
      return changeMatter(deps, request, reply, {
        of: { workspaceId: request.params.workspace_id },
        also: find,
        shown: (_, row) => [presentWorkspace(row)],
        decide: (_, row) => updateWorkspace(row, body, caller.kind),
        answer: async (_, __, { tx }) => {
          const workspace = presentWorkspace(await find(tx))
          reply.header('etag', etagOf(workspace))
          return workspace
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/cancel-workspace`,
    config: {
      scope: 'x-api:cancel:workspaces',
      combinations: cancellationErrors,
      refusals: { 409: 'Money has moved or is about to, or the workspace has ended.' },
    },
    schema: {
      operationId: 'cancelWorkspace',
      tags,
      summary: 'Cancel a workspace',
      description:
        'Either side may, until money moves. The case is cancelled with it and its applications are withdrawn; what is ' +
        'still under way (representations, uploads, the title search) ends `FAILED`. The event is `WORKSPACE_CANCELLED`.',
      params: WorkspacePath,
      body: CancelWorkspaceRequest,
      response: { 200: Workspace },
    },
    handler: (request, reply) =>
      changeMatter(deps, request, reply, {
        of: { workspaceId: request.params.workspace_id },
        decide: (matter) => {
          const { status } = matter.workspace
          const cancelled = cancelWorkspace({ status, paymentUnderWay: isPaymentUnderWay(matter) }, request.body)
          return [...failQueued(matter.representations), cancelled]
        },
        answer: async ({ workspace }, _, { tx }) =>
          presentWorkspace(await findWorkspace(tx, request.caller, workspace.workspaceId)),
      }),
  })
}

function notAFirm(parties: number) {
  const fields = Array.from({ length: parties }, (_, index) => `parties[${index}].participants[0].id`)
  return invalid(...fields.map((field) => ({ field, message: `${field} must be the id of an active law firm.` })))
}
