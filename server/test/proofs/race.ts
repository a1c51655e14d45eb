import assert from 'node:assert/strict'
import type { ServiceProcess } from '../fixtures/process.ts'
import { reconciliationPath } from '../fixtures/reconciliation.ts'
import { callerOf, type TestService } from '../fixtures/service.ts'
import { aBorrower, aCreation, CASES, CREATE, FIRM, LENDER, WORKSPACES } from '../fixtures/workspaces.ts'

// Two changes of one workspace at once. The service itself defines the expected result: each pair is first done one
// after the other, in both orders, and a race must end exactly as one of these did.

const WORKERS = 4
const BATCH = 100

export type RaceFigures = {
  rounds: number
  requests: number
  /** Races that ended as in the first order, as in the second, and those where both orders end alike. */
  firstWon: number
  secondWon: number
  equal: number
  /** Number of responses by status. */
  answers: Record<string, number>
  lostUpdates: number
  brokenChains: number
  doubleApplications: number
  seconds: number
}

type Ids = { workspaceId: string; william: string; grace: string; tracey: string }
type Pair = { first: (ids: Ids) => object; second: (ids: Ids) => object; ifMatch?: boolean }

const party = (partyId: string, forenames: string, surname: string) => ({
  action: 'UPDATE_PARTY_NAME',
  partyId,
  type: 'INDIVIDUAL',
  partyDetails: { forenames, surname },
})
const incoming = ({ grace }: Ids) => ({ action: 'SET_AS_INCOMING_PROPRIETOR', partyId: grace })
const outgoing = ({ tracey }: Ids) => ({ action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId: tracey })
const asTracey = ({ grace }: Ids) => party(grace, 'Tracey', 'Prynne')
const asBello = ({ grace }: Ids) => party(grace, 'Grace', 'Bello')
const asBill = ({ william }: Ids) => party(william, 'Bill', 'Prynne')
const married = ({ tracey }: Ids) => ({
  action: 'UPDATE_PROPRIETOR_NAME',
  proprietorId: tracey,
  type: 'INDIVIDUAL',
  proprietorDetails: { forenames: 'Grace', surname: 'Okafor' },
})

// William is matched; Grace, and the proprietor Tracey, are not. The register holds a charge and a restriction.
const PAIRS: Record<string, Pair> = {
  'two parties renamed': { first: asBill, second: asBello },
  'one party renamed in two ways': { first: asTracey, second: asBello },
  'a name taken while its owner is set as outgoing': { first: asTracey, second: outgoing },
  'a party set as incoming and renamed to a proprietor': { first: incoming, second: asTracey },
  'one comes while one goes': { first: incoming, second: outgoing },
  'one goes, twice at once': { first: outgoing, second: outgoing },
  'a party and the proprietor of its new name renamed': { first: asBello, second: married },
  'two parties renamed, both with the same If-Match': { first: asBill, second: asBello, ifMatch: true },
}

export async function proveRace(service: ServiceProcess, { rounds }: { rounds: number }): Promise<RaceFigures> {
  await service.start()
  const startedAt = performance.now()
  const { call } = callerOf(service.url)
  const pairs = await Promise.all(
    Object.entries(PAIRS).map(async ([name, pair]) => [name, pair, await serialOutcomes(call, pair)] as const),
  )
  const figures = { firstWon: 0, secondWon: 0, equal: 0, answers: {} as Record<string, number> }
  const lost: string[] = []
  for (let done = 0; done < rounds; done += BATCH) {
    const matters = (await makeMatters(call, Math.min(BATCH, rounds - done))).entries()
    const workers = Array.from({ length: WORKERS }, async () => {
      for (const [index, ids] of matters) {
        const [name, pair, serial] = pairs[(done + index) % pairs.length] ?? []
        assert.ok(name && pair && serial)
        const { outcome, statuses } = await race(call, pair, ids)
        for (const status of statuses) figures.answers[status] = (figures.answers[status] ?? 0) + 1
        if (!serial.includes(outcome)) lost.push(`${name}:\n${outcome}\nbut not\n${serial.join('\nnor\n')}`)
        else figures[serial[0] === serial[1] ? 'equal' : serial[0] === outcome ? 'firstWon' : 'secondWon'] += 1
      }
    })
    await Promise.all(workers)
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const serverErrors = Object.keys(figures.answers).filter((status) => Number(status) >= 500)
  assert.deepEqual([lost[0], serverErrors], [undefined, []])
  return { rounds, requests: rounds * 2, ...figures, lostUpdates: lost.length, ...(await inspect(service)), seconds }
}

type Call = TestService['call']

type Seen = { parties: { partyId: string }[]; unmatchedProprietors: { proprietorId: string }[] }

/** Workspaces whose title was found. */
async function makeMatters(call: Call, count: number): Promise<Ids[]> {
  const parties = [aBorrower('William'), aBorrower('Grace', 'Okafor')]
  const json = aCreation({ reference: 'RACE', titleNumber: 'ST500681', parties })
  const create = () => call<{ workspaceId: string }>('POST', CREATE, { ...LENDER, json })
  const created = await Promise.all(Array.from({ length: count }, create))
  await call('POST', '/sandbox/v1/clock', { json: { advance: 'PT0S' } })
  return Promise.all(
    created.map(async ({ body: { workspaceId } }) => {
      const { body } = await call<Seen>('GET', reconciliationPath(workspaceId), FIRM)
      const [[william, grace], [tracey]] = [body.parties, body.unmatchedProprietors]
      assert.ok(william && grace && tracey, 'the title was found')
      return { workspaceId, william: william.partyId, grace: grace.partyId, tracey: tracey.proprietorId }
    }),
  )
}

async function serialOutcomes(call: Call, pair: Pair): Promise<[string, string]> {
  const [one, other] = await makeMatters(call, 2)
  assert.ok(one && other)
  const [first, second] = [await changesOf(call, pair, one), await changesOf(call, pair, other)]
  const inOrder = [await first.first(), await first.second()]
  const reversed = [await second.second(), await second.first()].reverse()
  return [await outcomeOf(call, one, inOrder), await outcomeOf(call, other, reversed)]
}

async function race(call: Call, pair: Pair, ids: Ids) {
  const { first, second } = await changesOf(call, pair, ids)
  // Which is sent first is random, or one order would hardly ever be seen.
  const answers = Math.random() < 0.5 ? [first(), second()] : [second(), first()].reverse()
  const answered = await Promise.all(answers)
  return { outcome: await outcomeOf(call, ids, answered), statuses: answered.map(({ status }) => status) }
}

async function changesOf(call: Call, { first, second, ifMatch }: Pair, ids: Ids) {
  const path = reconciliationPath(ids.workspaceId)
  const headers = ifMatch ? { 'if-match': (await call('GET', path, FIRM)).headers.get('etag') ?? '' } : {}
  const change = (json: object) => () => call('PATCH', path, { ...FIRM, json, headers })
  return { first: change(first(ids)), second: change(second(ids)) }
}

type Case = { records: { applications: { applicationType: string; status: string }[] }[] }
type Timeline = { records: { type: string; message: string }[] }

/** Everything visible afterwards, with ids replaced by their order of appearance. */
async function outcomeOf(call: Call, { workspaceId }: Ids, answers: { status: number; body: unknown }[]) {
  const [matter, lodgement, timeline] = await Promise.all([
    call<Seen>('GET', reconciliationPath(workspaceId), FIRM),
    call<Case>('GET', `${CASES}?workspace_id=${workspaceId}`, FIRM),
    call<Timeline>('GET', `${WORKSPACES}/${workspaceId}/timeline`, FIRM),
  ])
  const seen = {
    answers: answers.map(({ status, body }) => ({ status, body })),
    matter: matter.body,
    applications: lodgement.body.records[0]?.applications.map((one) => `${one.applicationType} ${one.status}`),
    events: timeline.body.records.map(({ type, message }) => `${type} ${message}`),
  }
  const names = new Map<string, string>()
  return JSON.stringify(seen).replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    if (!names.has(id)) names.set(id, `id ${names.size + 1}`)
    return names.get(id) ?? ''
  })
}

const INSPECT = `
  select (select count(*) from workspaces
           where audit_seq <> (select count(*) from audit_entries where chain = workspace_id)) as "brokenChains",
         (select count(*) from (
            select from lodgement_applications where status <> 'WITHDRAWN'
             group by lodgement_case_id, application_type, proprietor_id having count(*) > 1) d) as "doubleApplications"`

async function inspect(service: ServiceProcess) {
  const [row] = await service.query<Record<'brokenChains' | 'doubleApplications', string>>(INSPECT)
  assert.ok(row)
  return { brokenChains: Number(row.brokenChains), doubleApplications: Number(row.doubleApplications) }
}
