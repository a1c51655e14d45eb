// Long because each of the ten operations is listed here with its requests.
import { setTimeout as delay } from 'node:timers/promises'
import { PARTNER_PATH } from '../server/src/workspaces/path.ts'
import { accept, type Copies, NUMBERS, numbersIn, sharedCopies } from './copies.ts'
import { copyOf, copySql, type Original } from './copy.ts'
import { type Measurement, runHttp, type Side } from './harness.ts'
import { type Helper, startHelper } from './helper.ts'
import { exchange, requestBytes } from './load.ts'
import { findProgram, PGBENCH_MISSING, POOL_CONNECTIONS, pgbenchSide, typesOf } from './pgbench.ts'
import type { PlainRoute } from './plain.ts'
import type { Sent } from './recorder.ts'
import { scriptOf, unitsOf } from './script.ts'
import type { Testbed } from './testbed.ts'
import { uploadRequests, uploadSides } from './uploads.ts'

// The operations that matter most, each beside two limits: pgbench with the statements that the service sends for it,
// recorded in this run, and a plain route of Fastify that sends the same answer after one query.

const CONNECTIONS = 32
const EACH = 500 // in a turn of requests that can be sent once
const GOAL = 0.5
const RECORDINGS = 3
const IDLE_MS = 2_500
const AFTERWARDS_MS = 150 // an answer is sent before those who listen are woken

type Operation = {
  title: string
  /** The goal of a read is a share of the plain route, that of a change of pgbench, that of an upload of a plain upload. */
  kind: 'read' | 'change' | 'upload'
  method: string
  /** As in openapi.json. */
  path: string
  stage: keyof typeof NUMBERS
  isOnce?: true
  requests(copies: Copies, number: number): Buffer[]
}

const json = (method: string, path: string, token: string, body?: object): Buffer =>
  requestBytes(
    method,
    path,
    { ...accept(token), ...(body && { 'Content-Type': 'application/json' }) },
    body && JSON.stringify(body),
  )
const W = `${PARTNER_PATH}/workspaces/{workspace_id}`
const APPLICATION = `${PARTNER_PATH}/lodgement-cases/{lodgement_case_id}/applications/{application_id}`
const EVENTS = '/partner/api/notification/v1/events'
const idIn = (path: string, number: number, ids: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name) => copyOf(ids[name] ?? '', number))

const party = (forenames: string) => ({
  type: 'INDIVIDUAL',
  role: 'BORROWER',
  partyDetails: { forenames, surname: 'Prynne' },
  participants: [{ id: '20000000-0000-4000-8000-000000000001', role: 'CONVEYANCER' }],
})
const ORDER = {
  reference: 'REM-1',
  property: {
    securityAddress: { number: '12', street: 'Cothelstone Close', town: 'Taunton', postcode: 'TA19QH' },
    titleNumber: 'ST500678',
  },
  parties: [party('William'), party('Tracey')],
}

/** In this order: the memory of reads is measured before anything else was done. */
export const OPERATIONS: Record<string, Operation> = {
  read: {
    title: 'read a workspace',
    kind: 'read',
    method: 'GET',
    path: W,
    stage: 'ready',
    requests: ({ lender, ready }, n) => [json('GET', idIn(W, n, { workspace_id: ready.workspaceId }), lender)],
  },
  list: {
    title: 'list by status, a page of 50',
    kind: 'read',
    method: 'GET',
    path: `${PARTNER_PATH}/workspaces`,
    stage: 'ready',
    requests: ({ lender }) => [json('GET', `${PARTNER_PATH}/workspaces?status=CREATED`, lender)],
  },
  readiness: {
    title: 'read the readiness',
    kind: 'read',
    method: 'GET',
    path: `${W}/readiness`,
    stage: 'ready',
    requests: ({ firm, ready }, n) => [
      json('GET', idIn(`${W}/readiness`, n, { workspace_id: ready.workspaceId }), firm),
    ],
  },
  events: {
    title: 'read a page of 50 events',
    kind: 'read',
    method: 'GET',
    path: EVENTS,
    stage: 'ready',
    requests: ({ lender }) => [json('GET', EVENTS, lender)],
  },
  create: {
    title: 'create a workspace',
    kind: 'change',
    method: 'POST',
    path: `${PARTNER_PATH}/remortgage/workspaces`,
    stage: 'ready',
    requests: ({ lender }) => [json('POST', `${PARTNER_PATH}/remortgage/workspaces`, lender, ORDER)],
  },
  reconcile: {
    title: 'rename a party (reconciliation)',
    kind: 'change',
    method: 'PATCH',
    path: `${W}/title-reconciliation`,
    stage: 'ready',
    requests: ({ firm, ready }, n) =>
      ['Prynn', 'Prynne'].map((surname) =>
        json('PATCH', idIn(`${W}/title-reconciliation`, n, { workspace_id: ready.workspaceId }), firm, {
          action: 'UPDATE_PARTY_NAME',
          partyId: copyOf(ready.partyIds[0] ?? '', n),
          type: 'INDIVIDUAL',
          partyDetails: { forenames: 'William', surname },
        }),
      ),
  },
  represent: {
    title: 'represent a party',
    kind: 'change',
    method: 'POST',
    path: `${W}/representation`,
    stage: 'ordered',
    isOnce: true,
    requests: ({ firm, ordered }, n) =>
      ordered.partyIds.map((id) =>
        json('POST', idIn(`${W}/representation`, n, { workspace_id: ordered.workspaceId }), firm, {
          partyId: copyOf(id, n),
          representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM',
        }),
      ),
  },
  application: {
    title: 'change an application',
    kind: 'change',
    method: 'PATCH',
    path: APPLICATION,
    stage: 'ready',
    requests: ({ firm, ready }, n) =>
      [207_000, 206_000].map((transactionValue) => {
        const ids = { lodgement_case_id: ready.caseId, application_id: ready.applicationId }
        return json('PATCH', idIn(APPLICATION, n, ids), firm, { transactionValue })
      }),
  },
  approve: {
    title: 'approve a case',
    kind: 'change',
    method: 'POST',
    path: `${W}/lodgement-approvals`,
    stage: 'ready',
    isOnce: true,
    requests: ({ firm, ready }, n) => [
      json('POST', idIn(`${W}/lodgement-approvals`, n, { workspace_id: ready.workspaceId }), firm, {
        action: 'APPROVE',
        workspaceId: copyOf(ready.workspaceId, n),
        approvedBy: 'jo.marsh@harbour.example',
      }),
    ],
  },
  upload: {
    title: 'upload 1 MB',
    kind: 'upload',
    method: 'POST',
    path: `${W}/files`,
    stage: 'ready',
    requests: ({ lender, ready }, n) => uploadRequests(lender, [copyOf(ready.workspaceId, n)], 1).requests,
  },
}

type Tools = { recorder: Helper & { url: string }; idle: Sent[]; plain: Helper; pgbench: string | undefined }
let tools: Promise<Tools> | undefined

async function prepareTools({ start, onStop }: Testbed): Promise<Tools> {
  const recorder = await start({ as: 'serve', recorded: true })
  await recorder.ask('recorded')
  await delay(IDLE_MS)
  const plain = startHelper('plain.ts')
  onStop(() => plain.stop())
  const pgbench = await findProgram('pgbench')
  if (!pgbench) process.stderr.write(`${PGBENCH_MISSING}\n`)
  return { recorder, idle: await recorder.ask('recorded'), plain, pgbench }
}

async function measurementOf(name: string, operation: Operation, testbed: Testbed): Promise<Measurement> {
  const { title, kind, method, path, stage, isOnce, requests } = operation
  const copies = await sharedCopies(testbed)
  tools ??= prepareTools(testbed)
  const { recorder, idle, plain, pgbench } = await tools
  const range = isOnce ? NUMBERS[stage].once : NUMBERS.ready.shared
  const turns = numbersIn(range).map((number) => requests(copies, number))
  // All of one kind first, so that the next change of the same matter comes late.
  const all = turns[0]?.flatMap((_, index) => turns.flatMap((turn) => turn[index] ?? [])) ?? []
  const load = { requests: all, connections: CONNECTIONS, ...(isOnce && { each: EACH }) }
  // A recording changes its copies, so each operation has others.
  const number = NUMBERS[stage].recorded[0] + Object.keys(OPERATIONS).indexOf(name) * (RECORDINGS + 1)
  const recording = await record(recorder, (index) => requests(copies, number + index)[0] ?? Buffer.of())
  const units = unitsOf(recording.sent, idle)
  const limits: Measurement['limits'] = []
  if (pgbench) {
    const types = await typesOf(
      testbed.owner,
      units.flat().map(({ text }) => text),
    )
    const sqlOf = idsOf(copies[stage], number + recording.index)
    const script = scriptOf(units, { types, sqlOf, numbers: NUMBERS[stage].pgbench })
    const side = pgbenchSide({
      name: 'pgbench',
      program: pgbench,
      url: testbed.databaseUrl,
      script,
      clients: POOL_CONNECTIONS,
    })
    limits.push({ ...side, ...(kind === 'change' && { goal: GOAL }) })
  }
  if (kind === 'upload') return { name, title, ...(await uploadSides(testbed, limits)) }
  const route: PlainRoute = {
    databaseUrl: testbed.databaseUrl,
    method,
    path,
    ...recording.answer,
    statement: queryOf(units),
  }
  const plainSide: Side = {
    name: 'plain Fastify route',
    run: async (seconds) => {
      const url = await plain.ask<string>('serve', route)
      return runHttp({ ...plain, url }, { requests: requests(copies, number), connections: CONNECTIONS }, seconds)
    },
  }
  limits.push({ ...plainSide, ...(kind === 'read' && { goal: GOAL }) })
  return {
    name,
    title,
    service: { name: 'service', run: (seconds) => runHttp(testbed.service, load, seconds) },
    limits,
  }
}

type Recording = { sent: Sent[]; index: number; answer: { status: number; body: string } }

/** The shortest of some recordings, as now and then a node also does something else. The first request prepares. */
async function record({ url, ask }: Tools['recorder'], request: (index: number) => Buffer): Promise<Recording> {
  const recordings: Recording[] = []
  for (let index = 0; index <= RECORDINGS; index++) {
    await ask('recorded')
    const { status, body } = await exchange(url, request(index))
    if (status >= 300) throw new Error(`It could not be recorded: ${status} ${body}`)
    await delay(AFTERWARDS_MS)
    recordings.push({ sent: await ask<Sent[]>('recorded'), index, answer: { status, body } })
  }
  const [first, ...others] = recordings.slice(1)
  if (!first) throw new Error('Nothing was recorded.')
  return others.reduce((shortest, one) => (one.sent.length < shortest.sent.length ? one : shortest), first)
}

/** The ids of the copy that was recorded belong to the number; accounts stay as they are. */
function idsOf({ ids }: Original, number: number): (id: string) => string | undefined {
  const sqlOf = new Map(ids.map((id) => [copyOf(id, number), copySql(id, ':n')]))
  return (id) => sqlOf.get(id) ?? (ACCOUNT.test(id) ? 'same' : undefined)
}

export const ACCOUNT = /^[12]0000000-0000-4000-8000-/

/** The longest query: what a read sends, or how a change loads the matter. */
function queryOf(units: readonly (readonly Sent[])[]): { text: string; values: (string | null)[] } {
  const queries = units.flat().filter(({ text }) => /^\s*(select|with)\b/i.test(text) && !/for update/i.test(text))
  const [longest] = queries.toSorted((a, b) => b.text.length - a.text.length)
  return { text: longest?.text ?? 'select 1', values: longest?.values ?? [] }
}

export const operationMeasurements = Object.fromEntries(
  Object.entries(OPERATIONS).map(([name, operation]) => [
    name,
    (testbed: Testbed) => measurementOf(name, operation, testbed),
  ]),
)
