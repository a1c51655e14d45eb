import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { ServiceProcess } from '../fixtures/process.ts'
import { EXTERNAL, OWN, pathOf, reusing, UNREPRESENTED } from '../fixtures/representations.ts'
import { callerOf } from '../fixtures/service.ts'
import { aCreation, CREATE, WORKSPACES } from '../fixtures/workspaces.ts'

const WRITERS = 8
const WORKSPACES_MAX = 40
const AGAIN_MS = 100
const PAUSE_MS_MAX = 250
const SETTLE_MS_MAX = 60_000

export type RepresentationFigures = {
  requests: number
  kills: number
  /** Requests that were cut off and repeated with the same key. */
  repeated: number
  ended: number
  lost: number
  twice: number
  withoutOneEvent: number
  outOfOrder: number
  secondsToSettle: number
  slowestRestartMs: number
}

/** Posts while service and worker are killed with -9 at random: what was accepted ends once, with one event. */
export async function proveRepresentations(
  service: ServiceProcess,
  size: { requests: number; kills: number },
): Promise<RepresentationFigures> {
  await service.start()
  const tokens = await tokensOf(service.url)
  const matters = await makeMatters(service.url, tokens, Math.min(WORKSPACES_MAX, Math.ceil(size.requests / 10)))
  const progress: Progress = { accepted: 0, repeated: 0, gaveUp: false }
  const [killed] = await Promise.all([
    killAtRandom(service, size, progress),
    postAll(service.url, tokens.firm, matters, size.requests, progress).catch((error) => {
      progress.gaveUp = true
      throw error
    }),
  ])
  await untilSettled(service.url, tokens.firm, matters)
  const secondsToSettle = Math.round((performance.now() - killed.lastRestartAt) / 100) / 10
  const found = await inspect(service)
  return {
    ...size,
    repeated: progress.repeated,
    ...found,
    secondsToSettle,
    slowestRestartMs: killed.slowestRestartMs,
  }
}

type Tokens = { lender: string; firm: string }
type Matter = { workspaceId: string; partyIds: string[] }
type Progress = { accepted: number; repeated: number; gaveUp: boolean }

async function tokensOf(url: string): Promise<Tokens> {
  const { tokenOf } = callerOf(url)
  return { lender: await tokenOf('sandbox-lender'), firm: await tokenOf('sandbox-law-firm') }
}

async function makeMatters(url: string, { lender }: Tokens, count: number): Promise<Matter[]> {
  const matters: Matter[] = []
  for (let index = 0; index < count; index++) {
    const { workspaceId } = await send<{ workspaceId: string }>('POST', url + CREATE, lender, aCreation())
    const { parties } = await send<{ parties: { partyId: string }[] }>(
      'GET',
      `${url}${WORKSPACES}/${workspaceId}`,
      lender,
    )
    matters.push({ workspaceId, partyIds: parties.map(({ partyId }) => partyId) })
  }
  return matters
}

/** Every request is repeated, with its key, until it is answered, so that every outcome is known. */
async function postAll(url: string, token: string, matters: Matter[], requests: number, progress: Progress) {
  const numbers = Array.from({ length: requests }, (_, number) => number).values()
  const external = new Map<string, string>()
  const write = async () => {
    for (const number of numbers) {
      const { workspaceId = '', partyIds = [] } = matters[number % matters.length] ?? {}
      const partyId = partyIds[number % partyIds.length]
      const known = external.get(workspaceId)
      const kinds = [OWN, EXTERNAL, UNREPRESENTED, known ? reusing(known) : EXTERNAL]
      const body = { partyId, ...kinds[Math.floor(Math.random() * kinds.length)] }
      const id = `proof-${number}`
      const headers = { 'idempotency-key': id, 'x-request-correlation-id': id }
      for (let attempt = 1; ; attempt++) {
        try {
          const path = url + pathOf(workspaceId)
          const answer = await send<{ representationId?: string }>('POST', path, token, body, headers)
          if (answer.representationId) external.set(workspaceId, answer.representationId)
          break
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error
          if (attempt === 1) progress.repeated += 1
          await delay(AGAIN_MS)
        }
      }
      progress.accepted += 1
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
}

// A kill falls somewhere into each of as many slices of the requests, so that all fall while requests are under way.
async function killAtRandom(
  service: ServiceProcess,
  { requests, kills }: { requests: number; kills: number },
  progress: Progress,
) {
  let slowestRestartMs = 0
  let lastRestartAt = performance.now()
  for (let kill = 0; kill < kills; kill++) {
    const wanted = (requests / (kills + 1)) * (kill + Math.random())
    while (progress.accepted < wanted && !progress.gaveUp) await delay(2)
    if (progress.gaveUp) break
    await delay(Math.random() * PAUSE_MS_MAX)
    await service.kill('SIGKILL')
    lastRestartAt = performance.now()
    await service.start()
    slowestRestartMs = Math.max(slowestRestartMs, Math.round(performance.now() - lastRestartAt))
  }
  return { lastRestartAt, slowestRestartMs }
}

async function untilSettled(url: string, token: string, matters: Matter[]): Promise<void> {
  const deadline = performance.now() + SETTLE_MS_MAX
  for (const { workspaceId } of matters) {
    while (await hasQueued(url, token, workspaceId)) {
      assert.ok(performance.now() < deadline, `representations of ${workspaceId} are still queued`)
      await delay(100)
    }
  }
}

async function hasQueued(url: string, token: string, workspaceId: string): Promise<boolean> {
  let cursor = ''
  do {
    const path = `${url}${pathOf(workspaceId)}?limit=100${cursor}`
    const page = await send<{ records: { status: string }[]; nextCursor?: string }>('GET', path, token)
    if (page.records.some(({ status }) => status === 'QUEUED')) return true
    cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : ''
  } while (cursor)
  return false
}

/** A refusal is a mistake of the proof; anything else means that the service is down. */
async function send<Body>(
  method: string,
  url: string,
  token: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Body> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.ok) return JSON.parse(text) as Body
  const canBeRepeated = response.status === 503 || (response.status === 409 && text.includes('Idempotency-Key'))
  assert.ok(canBeRepeated, `${response.status} ${text}`)
  throw new Error(text)
}

const INSPECT = `
  with asked as (
    select r.*, (select count(*) from events e
                  where e.type in ('REPRESENTATION_ADDED', 'REPRESENTATION_FAILED') and e.workspace_id = r.workspace_id
                    and e.data ->> 'representationId' = r.representation_id::text) as events
      from representations r where correlation_id like 'proof-%')
  select count(*) filter (where status <> 'QUEUED') as ended,
         count(*) filter (where status = 'QUEUED') as lost,
         count(*) - count(distinct correlation_id) as twice,
         count(*) filter (where events <> 1) as "withoutOneEvent",
         count(*) filter (where status = 'ACTIVE' and seq <> (
           select max(seq) from asked later where later.party_id = asked.party_id)) as "outOfOrder"
    from asked`

type Found = Pick<RepresentationFigures, 'ended' | 'lost' | 'twice' | 'withoutOneEvent' | 'outOfOrder'>

async function inspect(service: ServiceProcess): Promise<Found> {
  const [row] = await service.query<Found>(INSPECT)
  assert.ok(row)
  return Object.fromEntries(Object.entries(row).map(([name, count]) => [name, Number(count)])) as Found
}
