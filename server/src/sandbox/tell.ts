import { setTimeout as delay } from 'node:timers/promises'
import type { Deps } from '../platform/deps.ts'
import { type App, PARTNER_PATH } from '../platform/http/http.ts'
import type { MovableClock } from '../platform/jobs/clock.ts'
import { moveClock } from '../platform/jobs/due.ts'
import { detailsOf } from '../workspaces/names.ts'
import { saveClockOffset } from './store.ts'
import { type Deed, STORIES, type Story } from './stories.ts'
import { INHABITANTS } from './world.ts'

const DAY_MS = 86_400_000
const TRIES_MAX = 10
const LENDER = 'sandbox-lender'
const FIRM = 'sandbox-law-firm'
const PEOPLE: Record<string, string> = { [LENDER]: 'pat.lowe@northgate.example', [FIRM]: 'sam.reid@harbour.example' }

type Json = Record<string, unknown>
type Send = (as: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => Promise<Json>

/** Tells the stories through the interface, from three weeks ago until now. The worker must be running. */
export async function tellStories(app: App, deps: Deps & { clock: MovableClock }): Promise<void> {
  const { db, clock } = deps
  const present = clock.now().getTime()
  const send = senderOf(app)
  await saveClockOffset(db, clock, -(Math.max(...STORIES.map(({ daysAgo }) => daysAgo)) + 1) * DAY_MS)
  for (const story of STORIES) {
    await moveClock(deps, (now) => new Date(Math.max(now.getTime() + 3_600_000, present - story.daysAgo * DAY_MS)))
    const workspaceId = await create(send, story)
    await moveClock(deps, (now) => now)
    for (const deed of story.deeds ?? []) await act(send, workspaceId, deed)
  }
  await moveClock(deps, () => new Date(present))
  await saveClockOffset(db, clock, 0)
}

async function create(send: Send, { reference, address, titleNumber, borrowers }: Story): Promise<string> {
  const firm = INHABITANTS.find(({ clientId }) => clientId === FIRM)?.subscriberId
  const parties = borrowers.map((name) => ({
    type: name.type,
    role: 'BORROWER',
    partyDetails: detailsOf(name),
    participants: [{ id: firm, role: 'CONVEYANCER' }],
  }))
  const property = { securityAddress: address, ...(titleNumber && { titleNumber }) }
  const { workspaceId } = await send(LENDER, 'POST', '/remortgage/workspaces', { reference, property, parties })
  return String(workspaceId)
}

async function act(send: Send, workspaceId: string, deed: Deed): Promise<void> {
  const path = `/workspaces/${workspaceId}`
  if (deed.do === 'cancel') {
    await send(LENDER, 'DELETE', `${path}/cancel-workspace`, { cancellationReason: deed.reason })
    return
  }
  const { parties, unmatchedProprietors } = (await send(FIRM, 'GET', `${path}/title-reconciliation`)) as {
    parties: { partyId: string }[]
    unmatchedProprietors: { proprietorId: string; proprietorDetails: Record<string, string> }[]
  }
  const proprietorOf = (name: string) =>
    unmatchedProprietors.find(({ proprietorDetails }) => Object.values(proprietorDetails).includes(name))?.proprietorId
  await send(FIRM, 'PATCH', `${path}/title-reconciliation`, actionOf(deed, parties, proprietorOf))
}

function actionOf(
  deed: Exclude<Deed, { do: 'cancel' }>,
  parties: readonly { partyId: string }[],
  proprietorOf: (name: string) => string | undefined,
): object {
  switch (deed.do) {
    case 'rename': {
      const { type } = deed.to
      const partyId = parties[deed.borrower]?.partyId
      return { action: 'UPDATE_PARTY_NAME', partyId, type, partyDetails: detailsOf(deed.to) }
    }
    case 'set incoming':
      return { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: parties[deed.borrower]?.partyId }
    case 'set outgoing':
      return { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId: proprietorOf(deed.proprietor) }
    case 'change of name': {
      const { type } = deed.to
      const proprietorId = proprietorOf(deed.proprietor)
      return { action: 'UPDATE_PROPRIETOR_NAME', proprietorId, type, proprietorDetails: detailsOf(deed.to) }
    }
  }
}

/** Requests that go through every layer but the network. */
function senderOf(app: App): Send {
  const tokens = new Map<string, string>()
  return async (as, method, path, body) => {
    const token = tokens.get(as) ?? (await tokenOf(app, as))
    tokens.set(as, token)
    const headers = { authorization: `Bearer ${token}`, 'x-acting-user': PEOPLE[as] ?? '' }
    const request = { method, url: PARTNER_PATH + path, headers, ...(body && { payload: body }) }
    let response = await app.inject(request)
    for (let tries = 1; response.statusCode === 503 && tries < TRIES_MAX; tries++) {
      await delay(1_000) // a machine that is slow to start counts as overloaded for a moment
      response = await app.inject(request)
    }
    if (response.statusCode >= 300) throw new Error(`The sandbox's world: ${method} ${path} answered ${response.body}`)
    return response.json() as Json
  }
}

async function tokenOf(app: App, clientId: string): Promise<string> {
  const client_secret = INHABITANTS.find((one) => one.clientId === clientId)?.secret
  const payload = { grant_type: 'client_credentials', client_id: clientId, client_secret }
  const response = await app.inject({ method: 'POST', url: '/oauth/token', payload })
  return String((response.json() as Json)['access_token'])
}
