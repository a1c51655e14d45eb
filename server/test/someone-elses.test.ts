// Long because it holds a sample of every operation.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { RouteOptions } from 'fastify'
import type { SubscriberKind } from '../src/auth/store.ts'
import { addBusinessDays } from '../src/jurisdiction/business-days.ts'
import { londonDate } from '../src/jurisdiction/london.ts'
import { OPERATOR_PATH } from '../src/operator/parts.ts'
import { readRoutes } from '../src/route-manifest.ts'
import { confirm } from './fixtures/approvals.ts'
import { evidence, offer, uploaded } from './fixtures/documents.ts'
import { upload } from './fixtures/multipart.ts'
import { passesOf, personalCalls } from './fixtures/people.ts'
import { ANOTHER_FIRM, add, EXTERNAL, reusing } from './fixtures/representations.ts'
import { ADVANCE, addLine, authorisationOf, scheduleIdOf } from './fixtures/schedules.ts'
import { type Answer, type TestService, testService } from './fixtures/service.ts'
import {
  aBorrower,
  aWorkspace,
  drain,
  FIRM,
  LENDER,
  OTHER_FIRM,
  OTHER_FIRM_ID,
  OTHER_LENDER,
  readCase,
  readWorkspace,
  UNKNOWN_ID,
} from './fixtures/workspaces.ts'

// For everyone but its participants a workspace and everything in it does not exist: the response is the one for an
// unknown id, byte for byte. The operations come from the routes, so a new one is tested here or fails by its name.

/** By the name of the parameter, the ids that operations name things by. A new kind of thing is a line in `idsOf`. */
type Ids = Record<
  | 'workspace_id'
  | 'lodgement_case_id'
  | 'application_id'
  | 'title_id'
  | 'party_id'
  | 'representation_id'
  | 'financial_settlement_schedule_id'
  | 'line_item_id'
  | 'confirmation_id'
  | 'file_id',
  string
>

/** The schedules of these worlds have no redemption of the charge on their title. */
const UNREDEEMED = { ruleId: 'redemption-provided-for-registered-charge', field: 'lineItems' }

type Sample = { query?: Record<string, string>; json?: (ids: Ids) => unknown; form?: Record<string, string> }

/** What an operation needs in addition to the ids in path and query, by its operationId. */
const SAMPLES: Record<string, Sample> = {
  getLodgementDocument: { query: { document_type: 'TITLE_INFORMATION_DOCUMENT' } },
  cancelWorkspace: { json: () => ({ cancellationReason: 'TITLE_COMPLICATIONS' }) },
  updateWorkspace: { json: () => ({ ownReference: 'HC/1' }) },
  addTitle: { json: () => ({ titleNumber: 'ST500679' }) },
  updateTitleReconciliation: {
    json: ({ party_id: partyId }) => ({
      action: 'UPDATE_PARTY_NAME',
      partyId,
      type: 'INDIVIDUAL',
      partyDetails: { forenames: 'Bill', surname: 'Prynne' },
    }),
  },
  addRepresentation: {
    json: (ids) => ({ partyId: ids.party_id, ...reusing(ids.representation_id) }),
  },
  updateRepresentation: { json: () => ANOTHER_FIRM },
  updateFinancialSettlementSchedule: {
    json: () => ({ completionDate: addBusinessDays(londonDate(new Date()), 3) }),
  },
  addLineItem: { json: () => ADVANCE },
  confirmLineItemPayment: {
    json: () => ({ paidOn: '2026-06-01', bankReference: 'FPS-1', confirmedBy: 'ann@example.com' }),
  },
  reportPaymentFailure: { json: () => ({ reason: 'It is closed.', confirmedBy: 'ann@example.com' }) },
  getPaymentFile: { query: { format: 'CSV' } },
  updateLineItem: { json: () => ({ amount: 1 }) },
  approveFinancialSettlementSchedule: { json: () => ({ action: 'APPROVE', approvedBy: 'ann@example.com' }) },
  authoriseFunds: { json: () => authorisationOf({ completionDate: '2026-06-01', advance: 1 }) },
  updateLodgementApplication: { json: () => ({ transactionValue: 1 }) },
  attachDocument: { form: evidence() },
  uploadFile: { form: offer() },
  replyToRequisition: { json: ({ file_id: fileId }) => ({ message: 'Here it is.', fileIds: [fileId] }) },
  closeRequisition: { json: () => ({ reason: 'It only informs.', confirmedBy: 'ann@example.com' }) },
  confirmReadiness: { json: () => ({ ...UNREDEEMED, reason: 'It is so.', confirmedBy: 'ann@example.com' }) },
  approveLodgement: {
    json: ({ workspace_id: workspaceId }) => ({ action: 'APPROVE', workspaceId, approvedBy: 'ann@example.com' }),
  },
}

/** Operations without an id that could belong to another subscriber, and why. */
const NAMES_NOTHING: Record<string, string> = {
  createRemortgageWorkspace: 'it makes what it names',
  listWorkspaces: 'it finds only what is the caller’s own',
  countWorkspaces: 'it counts only what is the caller’s own',
  listCompletionDays: 'it counts only what is the caller’s own',
  listCompletions: 'it finds only what is the caller’s own',
  listSubscribers: 'it finds only whom the caller may see',
  listBusinessDays: 'they are the same for everybody',
  getFigures: 'it counts only what is the caller’s own',
  getFigureContent: 'figures have the same names for everybody',
  getReportContent: 'reports have the same names for everybody',
}

const MAY: Record<SubscriberKind, { own: { as: string }; stranger: { as: string } }> = {
  LENDER: { own: LENDER, stranger: OTHER_LENDER },
  LAW_FIRM: { own: FIRM, stranger: OTHER_FIRM },
}
const KINDS = Object.keys(MAY) as SubscriberKind[]

const UNKNOWN: Ids = {
  workspace_id: UNKNOWN_ID,
  lodgement_case_id: UNKNOWN_ID,
  application_id: UNKNOWN_ID,
  title_id: UNKNOWN_ID,
  party_id: UNKNOWN_ID,
  representation_id: UNKNOWN_ID,
  financial_settlement_schedule_id: UNKNOWN_ID,
  line_item_id: UNKNOWN_ID,
  confirmation_id: UNKNOWN_ID,
  file_id: UNKNOWN_ID,
}

type Operation = { operationId: string; method: string; kinds: readonly SubscriberKind[]; route: RouteOptions }

// Webhooks and the request log belong to a subscriber, not to a workspace: notifications/routes.test.ts and
// requests/routes.test.ts show the same of them.
const operations = (await readRoutes())
  .filter(({ config, method }) => config?.scope !== 'none' && method !== 'HEAD')
  .filter(({ url }) => !/^\/partner\/api\/(notification\/|platformconnect\/v1\/requests)/.test(url))
  // Those of operators do not exist for subscribers: operator/routes.test.ts shows it of each.
  .filter(({ url }) => !url.startsWith(OPERATOR_PATH))
  .map((route): Operation => {
    const { operationId = route.url } = route.schema ?? {}
    return { operationId, method: String(route.method), kinds: route.config?.kinds ?? KINDS, route }
  })

let service: TestService
/** The same service, called by people who signed in. */
let people: TestService
const passes = passesOf()
/** The first lender's and firm's, and that of the others, in which no test changes anything. */
let own: Ids
let foreign: Ids
/** For each operation that ends something, a world of its own to end it in. */
const doomed = new Map<string, Ids>()

before(async () => {
  service = await testService({ extra: passes.extra })
  people = { ...service, call: personalCalls(passes.fetchAs, service.url) }
  const parties = [aBorrower('William', 'Prynne', OTHER_FIRM_ID)]
  const others = await aWorkspace(service, { titleNumber: 'ST500678', parties }, OTHER_LENDER)
  const ending = operations.filter(({ operationId, method }) => method === 'DELETE' || operationId.startsWith('cancel'))
  const made = [undefined, ...ending].map(async (operation) => ({
    operation,
    workspaceId: (await aWorkspace(service, { titleNumber: 'ST500678' })).workspaceId,
  }))
  const worlds = await Promise.all(made)
  await drain(service)
  foreign = await idsOf(others.workspaceId, OTHER_FIRM)
  for (const { operation, workspaceId } of worlds) {
    const ids = await idsOf(workspaceId, FIRM)
    if (operation) doomed.set(operation.operationId, ids)
    else own = ids
  }
})

async function idsOf(workspaceId: string, as: { as: string }): Promise<Ids> {
  const { parties, titles } = await readWorkspace(service, workspaceId, as)
  const { lodgementCaseId, applications } = await readCase(service, workspaceId, as)
  const partyId = parties[0]?.partyId ?? ''
  const { body } = await add(service, workspaceId, { partyId, ...EXTERNAL }, as)
  const scheduleId = await scheduleIdOf(service, workspaceId, as)
  const { body: line } = await addLine(service, scheduleId, ADVANCE, as)
  const { body: confirmed } = await confirm(service, workspaceId, UNREDEEMED, as)
  return {
    workspace_id: workspaceId,
    lodgement_case_id: lodgementCaseId,
    application_id: applications[0]?.applicationId ?? '',
    title_id: titles[0]?.titleId ?? '',
    party_id: partyId,
    representation_id: body.representationId,
    financial_settlement_schedule_id: scheduleId,
    line_item_id: line.lineItemId,
    confirmation_id: confirmed.confirmationId,
    file_id: await uploaded(service, workspaceId, as),
  }
}

const naming = operations.filter(({ operationId }) => !(operationId in NAMES_NOTHING))

// Before anything changes.
for (const operation of naming) {
  const { operationId, kinds } = operation

  describe(operationId, () => {
    for (const kind of kinds) {
      it(`answers a ${kind} that is no participant as if nothing were there`, async () => {
        await assertSame(404, send(operation, own, MAY[kind].stranger), send(operation, UNKNOWN, MAY[kind].stranger))
      })

      it(`answers a ${kind} about each id of another subscriber among its own as about an unknown one`, async () => {
        for (const name of idsUsedBy(operation, own)) {
          const one = send(operation, { ...foreign, [name]: own[name] }, MAY[kind].stranger)
          const other = send(operation, { ...foreign, [name]: UNKNOWN_ID }, MAY[kind].stranger)
          await assertSame(404, one, other)
        }
      })
    }

    it('answers people who signed in like clients', async () => {
      for (const kind of KINDS) {
        const status = kinds.includes(kind) ? 404 : 403
        const used = idsUsedBy(operation, own).slice(0, 1)
        const worlds = [own, UNKNOWN, ...used.map((name) => ({ ...foreign, [name]: own[name] }))]
        await assertSame(status, ...worlds.map((ids) => send(operation, ids, MAY[kind].stranger, people)))
      }
    })

    for (const kind of KINDS.filter((one) => !kinds.includes(one))) {
      it(`answers a ${kind} the same 403 for its own, another’s and an unknown one`, async () => {
        const answers = [own, foreign, UNKNOWN].map((ids) => send(operation, ids, MAY[kind].own))
        await assertSame(403, ...answers)
      })
    }
  })
}

for (const operation of naming) {
  const { operationId, kinds } = operation
  it(`${operationId} reaches what belongs to the caller`, async () => {
    const ids = doomed.get(operationId) ?? own
    const advice = 'add it to NAMES_NOTHING with the reason, or give a sample that names something to SAMPLES'
    assert.ok(idsUsedBy(operation, ids).length > 0, `${operationId} names nothing by an id: ${advice}`)
    for (const kind of kinds) {
      const answer = await send(operation, ids, MAY[kind].own)
      assert.ok(answer.status !== 400, answer.text)
      assert.notEqual(answer.text, (await send(operation, UNKNOWN, MAY[kind].own)).text)
    }
  })
}

// A filter by reference finds nothing of another subscriber: workspaces/list-filters.test.ts.
const IS_ID = /(?<!_reference)_id$/

describe('an operation that is listed as having no id', () => {
  it('exists', () => {
    const known = operations.map(({ operationId }) => operationId)
    for (const operationId of Object.keys({ ...NAMES_NOTHING, ...SAMPLES })) assert.ok(known.includes(operationId))
  })

  it('has no parameter for an id', () => {
    for (const operation of operations.filter(({ operationId }) => operationId in NAMES_NOTHING)) {
      const names = [...pathNames(operation), ...queryNames(operation)].filter((name) => IS_ID.test(name))
      assert.deepEqual(names, [], operation.operationId)
    }
  })
})

function send(operation: Operation, ids: Ids, as: { as: string }, through = service): Promise<Answer> {
  const { path, json, form } = requestOf(operation, ids)
  if (form) return upload(through, path, { ...as, fields: form })
  return through.call(operation.method, path, { ...as, ...(json === undefined ? {} : { json }) })
}

type Request = { path: string; json?: unknown; form?: Record<string, string> }

function requestOf(operation: Operation, ids: Ids): Request {
  const { operationId, route } = operation
  const { query = {}, json, form } = SAMPLES[operationId] ?? {}
  assert.ok(!route.schema?.body || json || form, `${operationId} has a body: add a sample of it to SAMPLES`)
  const named = (name: string): string => {
    assert.ok(
      name in ids,
      `${operationId} names something by ${name}: add it to Ids, or the operation to NAMES_NOTHING`,
    )
    return ids[name as keyof Ids]
  }
  const path = route.url.replace(/:(\w+)/g, (_, name: string) => named(name))
  const all = { ...query }
  for (const name of queryNames(operation)) if (name.endsWith('_id')) all[name] = named(name)
  for (const name of requiredQueryNames(operation)) assert.ok(name in all, `${operationId} needs ${name} in SAMPLES`)
  const suffix = new URLSearchParams(all).toString()
  return { path: suffix ? `${path}?${suffix}` : path, ...(json && { json: json(ids) }), ...(form && { form }) }
}

/** The ids that the request changes with, in its path, its query or its body. */
const idsUsedBy = (operation: Operation, ids: Ids): (keyof Ids)[] =>
  (Object.keys(UNKNOWN) as (keyof Ids)[]).filter((name) => {
    const changed = requestOf(operation, { ...ids, [name]: UNKNOWN_ID })
    return JSON.stringify(changed) !== JSON.stringify(requestOf(operation, ids))
  })

const pathNames = ({ route }: Operation): string[] => [...route.url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

type QuerySchema = { properties?: object; required?: string[] } | undefined

const queryNames = ({ route }: Operation): string[] =>
  Object.keys((route.schema?.querystring as QuerySchema)?.properties ?? {})

const requiredQueryNames = ({ route }: Operation): string[] =>
  (route.schema?.querystring as QuerySchema)?.required ?? []

async function assertSame(status: number, ...sent: Promise<Answer>[]): Promise<void> {
  const [first, ...others] = (await Promise.all(sent)).map(visible)
  assert.equal(first?.status, status, first?.text)
  for (const other of others) assert.deepEqual(other, first)
}

const OWN_TO_EACH = ['date', 'x-request-correlation-id']

const visible = ({ status, headers, text }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => !OWN_TO_EACH.includes(name)),
})
